// Values that a schema of the document allows, drawn from a seed. Ajv judges each before anybody uses it, so
// that what cannot be drawn is known by name, and nothing wrong is ever taken for right.

import type { Contract, Place } from "./contract.ts";
import type { Dice } from "./dice.ts";
import { type Choices, type Flat, flatten, schemaPlace } from "./flat.ts";
import { Heights } from "./heights.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { drawNumber } from "./numbers.ts";
import { patternOf } from "./patterns.ts";
import type { Judge, Judges } from "./schemas.ts";
import { drawText } from "./texts.ts";

/** Of the members that need not be there. */
export type Optional = "all" | "none" | "some";

export interface Drawn {
  readonly value: Json;
}

const triesMax = 60;
/** What has to go together by chance, such as a status and the times of it, may not do so in one round. */
const roundsMax = 4;
/** From here on, and after so many values, only what must be there. */
const depthUsual = 10;
const valuesMax = 400;
/**
 * And after so many ways through alternatives of what refers to itself, one in the other. Whoever judges such a value
 * tries all of them: ten alternatives that lead back to all of them, ten levels deep, would take for ever.
 */
const waysMax = 1_000;
/** What may do where rules speak of a type that a value need not have. */
const plainValues: readonly Json[] = [{}, [], "", "text", 0, 1, true, false, null];
/** Deeper, and more, than anything but what has no end. */
const depthEnd = 60;
const valuesEnd = 20_000;
/** So often that happens before nobody tries on. */
const endlessMax = 3;
/** Of the JSON of a list that is drawn item by item: larger ones take minutes, and no server takes them. */
export const listCharactersMax = 1_000_000;

export interface DrawingOptions {
  /** "first": where a schema shows a value that fits, it is that one; "some": now and then, of plain values */
  readonly examples?: "first" | "some";
  /** what only requests have is left out */
  readonly isAnswer?: boolean;
  /** from here on only what must be there: 10 when left out */
  readonly depth?: number;
}

export class Drawing {
  readonly contract: Contract;
  readonly #judges: Judges;
  readonly #options: DrawingOptions;
  readonly #heights: Heights;
  readonly #known = new Map<string, Judge>();

  constructor(contract: Contract, judges: Judges, options: DrawingOptions = {}) {
    this.contract = contract;
    this.#judges = judges;
    this.#options = options;
    this.#heights = new Heights(contract);
  }

  judgeAt(pointer: string): Judge {
    const judge = this.#known.get(pointer) ?? this.#judges.judgeAt(pointer);
    this.#known.set(pointer, judge);
    return judge;
  }

  /** Undefined: none was found. */
  valueAt(pointer: string, optional: Optional, dice: Dice): Drawn | undefined {
    const judge = this.judgeAt(pointer);
    const place = schemaPlace(this.contract, pointer);
    let endless = 0;
    for (let tries = 0; tries < roundsMax * triesMax && endless < endlessMax; tries++) {
      const own = optionalAt(tries % triesMax, optional);
      const wish = this.#wish(own, dice);
      const value = this.#draw([place], { ...wish, depth: 0, ways: 1 });
      // Cut off it is hardly ever valid, and to find that out may take longer the deeper it is: three times as long with
      // each level where a condition, what follows of it and the schema itself say the same.
      if (!wish.budget.isCutOff && judge(value).length === 0) return { value };
      if (isEndless(wish)) endless += 1;
    }
    const { examples } = flatten(this.contract, [place], { pick: (all) => dice.pick(all) });
    const value = [...examples, ...plainValues].find((one) => judge(one).length === 0);
    return value === undefined ? undefined : { value };
  }

  #wish(optional: Optional, dice: Dice): Omit<Wish, "depth" | "ways"> {
    const { depth: depthMax = depthUsual } = this.#options;
    return { optional, dice, depthMax, budget: { left: valuesMax, isCutOff: false } };
  }

  /** The rules that count for a value that is there. */
  flatOf(places: readonly Place[], value: Json): Flat {
    return flatten(this.contract, places, {
      pick: (all) => all.find(({ pointer }) => this.judgeAt(pointer)(value).length === 0),
    });
  }

  /**
   * So many items for a list, no two the same as far as they can be told apart; fewer where all that was drawn for it
   * has more than `listCharactersMax`.
   */
  itemsFor(flat: Flat, count: number, dice: Dice): readonly Json[] {
    const found = new Map<string, Json>();
    let endless = 0;
    let left = listCharactersMax;
    const triesOfAll = count + 10 * triesMax;
    const isOver = (tries: number): boolean =>
      found.size >= count || tries >= triesOfAll || endless >= endlessMax || left <= 0;
    for (let tries = 0; !isOver(tries); tries++) {
      const places = flat.prefix[found.size] ?? flat.items;
      const wish = this.#wish("some", dice);
      const item = this.#draw(places, { ...wish, depth: 1, ways: 1 });
      const text = JSON.stringify(item);
      left -= text.length;
      if (wish.budget.isCutOff) endless += 1;
      else found.set(text, item);
    }
    return [...found.values()];
  }

  #flat(places: readonly Place[], wish: Wish): Flat {
    const { dice } = wish;
    const pick: Choices["pick"] = isEnough(wish)
      ? (all) => this.#heights.lowest(all)
      : (all) => dice.pick(all);
    // many conditions exclude each other: seldom all of them, sometimes none
    const part = dice.pick([undefined, 0, 0.15, 0.5, 0.9]);
    const choices = part === undefined ? { pick } : { pick, isMet: () => dice.chance(part) };
    return flatten(this.contract, places, choices);
  }

  #draw(places: readonly Place[], around: Wish): Json {
    const { dice, budget } = around;
    budget.left -= 1;
    if (around.depth > depthEnd || isEndless(around)) {
      budget.isCutOff = true;
      return null;
    }
    const flat = this.#flat(places, around);
    const isRecursive = flat.from.some((pointer) => this.#heights.isRecursive(pointer));
    const wish = isRecursive ? { ...around, ways: around.ways * flat.ways } : around;
    if (flat.types === undefined && flat.values === undefined && isEnough(wish)) {
      // rules of a type say nothing of another one, which may be the end
      const end = plainValues.find((one) => this.#fits(places, one));
      if (end !== undefined) return end;
    }
    const shown = this.#shownFirst(flat, places);
    if (shown !== undefined) return shown;
    if (flat.values !== undefined) return dice.pick(flat.values) ?? null;
    const fitting = flat.examples.filter((one) => !isObject(one) && !Array.isArray(one));
    if (fitting.length > 0 && dice.chance(0.5)) return dice.pick(fitting) ?? null;
    switch (typeIn(flat, dice)) {
      case "string":
        return drawText(textWish(flat), dice);
      case "integer":
        return drawNumber(flat, dice, true);
      case "number":
        return drawNumber(flat, dice, dice.chance(0.5));
      case "boolean":
        return dice.chance(0.5);
      case "null":
        return null;
      case "array":
        return this.#drawList(flat, wish);
      case "object":
        return this.#drawObject(flat, wish);
      default:
        return dice.pick<Json>(["text", 1, true]) ?? "text";
    }
  }

  #shownFirst({ examples }: Flat, places: readonly Place[]): Json | undefined {
    if (this.#options.examples !== "first") return undefined;
    return examples.find((one) => this.#fits(places, one));
  }

  #fits(places: readonly Place[], value: Json): boolean {
    return places.every(({ pointer }) => this.judgeAt(pointer)(value).length === 0);
  }

  #drawList(flat: Flat, wish: Wish): Json[] {
    const { dice, depth } = wish;
    const inner = { ...wish, depth: depth + 1 };
    const { minItems: fewest = 0, maxItems = fewest + 2 } = flat.rules;
    const minItems = Math.max(fewest, Math.min(flat.contains.length, maxItems));
    const least = Math.max(minItems, Math.min(flat.prefix.length, maxItems));
    const count =
      wish.optional === "none" || isEnough(wish)
        ? minItems
        : Math.min(maxItems, least + dice.below(2) + (least === 0 ? 1 : 0));
    const list: Json[] = [];
    const seen = new Set<string>();
    for (let tries = 0; list.length < count && tries < count + triesMax; tries++) {
      const places = flat.prefix[list.length] ?? flat.items;
      if (flat.hasNoMoreItems && list.length >= flat.prefix.length) break;
      const contained = flat.contains[list.length];
      const item = this.#draw(contained === undefined ? places : [...places, contained], inner);
      const text = JSON.stringify(item);
      if (flat.isUnique && seen.has(text)) continue;
      seen.add(text);
      list.push(item);
    }
    return list;
  }

  #drawObject(flat: Flat, wish: Wish): JsonObject {
    const { dice, depth, optional } = wish;
    const inner = { ...wish, depth: depth + 1 };
    const object: JsonObject = {};
    const put = (name: string, places: readonly Place[]): void => {
      // `__proto__` is a name like any other
      const value = this.#draw(places, inner);
      const member = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(object, name, member);
    };
    const wanted = (name: string): boolean => {
      if (flat.required.has(name)) return true;
      if (optional === "none" || isEnough(wish)) return false;
      return optional === "all" || dice.chance(0.5);
    };
    for (const [name, places] of flat.properties) {
      if (wanted(name) && (flat.required.has(name) || this.#mayStand(places))) put(name, places);
    }
    for (const name of flat.required) {
      if (!flat.properties.has(name)) put(name, this.#placesOf(flat, name));
    }
    for (const [name, others] of Object.entries(flat.dependent)) {
      if (!Object.hasOwn(object, name)) continue;
      for (const other of others)
        if (!Object.hasOwn(object, other)) put(other, this.#placesOf(flat, other));
    }
    this.#addOthers(flat, wish, { object, put });
    return object;
  }

  /** Not what no value can be, nor what an answer does not have (OpenAPI 3.1.1 section 4.8.24.3). */
  #mayStand(places: readonly Place[]): boolean {
    if (places.some(({ node }) => isForbidden(node))) return false;
    if (this.#options.isAnswer !== true) return true;
    const { isWriteOnly } = flatten(this.contract, places, { pick: () => undefined });
    return !isWriteOnly;
  }

  #placesOf(flat: Flat, name: string): readonly Place[] {
    const named = flat.properties.get(name);
    if (named !== undefined) return named;
    const matched = flat.byPattern.filter(([pattern]) => patternOf(pattern).test(name));
    return matched.length > 0 ? matched.map(([, place]) => place) : flat.others;
  }

  /** Members of a map, as many as it must have, and one where it may. */
  #addOthers(
    flat: Flat,
    wish: Wish,
    { object, put }: { object: JsonObject; put: (name: string, places: readonly Place[]) => void },
  ): void {
    const { optional } = wish;
    const { minProperties = 0, maxProperties = Infinity } = flat.rules;
    const isMap = flat.others.length > 0 || flat.byPattern.length > 0;
    const mayHave = isMap && optional !== "none" && !isEnough(wish) ? 1 : 0;
    const count = (): number => Object.keys(object).length;
    const least = Math.min(maxProperties, Math.max(minProperties, count() + mayHave));
    for (const [name, places] of flat.properties) {
      const isMissing = count() < minProperties && !Object.hasOwn(object, name);
      if (isMissing && this.#mayStand(places)) put(name, places);
    }
    for (let tries = 0; count() < least && tries < triesMax; tries++) {
      const name = this.#nameFor(flat, wish);
      if (!Object.hasOwn(object, name)) put(name, this.#placesOf(flat, name));
    }
  }

  #nameFor(flat: Flat, wish: Wish): string {
    const { dice } = wish;
    const [pattern] = dice.pick(flat.byPattern) ?? [];
    const isByPattern = pattern !== undefined && (flat.isClosed || dice.chance(0.7));
    const rules = flat.names.length > 0 ? this.#flat(flat.names, wish) : undefined;
    const listed = dice.pick(rules?.values ?? []);
    if (typeof listed === "string") return listed;
    const text = rules === undefined ? plainName : textWish(rules);
    return drawText(isByPattern ? { ...text, patterns: [pattern] } : text, dice);
  }
}

interface Wish {
  readonly optional: Optional;
  readonly dice: Dice;
  readonly depth: number;
  readonly depthMax: number;
  /** through the alternatives of what refers to itself, of all values around it */
  readonly ways: number;
  /** values that may still be drawn before it is enough; whether one had to end where its schema has no end */
  readonly budget: { left: number; isCutOff: boolean };
}

function isEnough({ depth, depthMax, ways, budget }: Wish): boolean {
  return depth >= depthMax || ways >= waysMax || budget.left <= 0;
}

function isEndless({ budget }: Pick<Wish, "budget">): boolean {
  return budget.left < valuesMax - valuesEnd;
}

/** `false` comes as `{ not: {} }`. */
function isForbidden({ not }: JsonObject): boolean {
  return isObject(not) && Object.keys(not).length === 0;
}

/** What need not be there may be what cannot be there: less of it as tries go by in vain. */
function optionalAt(tries: number, optional: Optional): Optional {
  if (tries < triesMax / 3) return optional;
  return tries < (2 * triesMax) / 3 && optional !== "none" ? "some" : "none";
}

const plainName = { patterns: [], format: undefined, minLength: 3, maxLength: 12 };

export function textWish({ patterns, format, rules }: Flat) {
  const { minLength = 0, maxLength = Infinity } = rules;
  return { patterns, format, minLength, maxLength };
}

/** Where no type is said, the rules say which one is meant. */
export function typeIn(flat: Flat, dice: Dice): string | undefined {
  const { types, rules } = flat;
  if (types !== undefined) {
    const others = types.filter((type) => type !== "null");
    return others.length === 0 || (types.length > others.length && dice.chance(0.15))
      ? types.at(-1)
      : dice.pick(others);
  }
  const has = (...names: readonly string[]): boolean => names.some((name) => name in rules);
  if (flat.properties.size > 0 || flat.required.size > 0 || flat.others.length > 0) return "object";
  if (flat.byPattern.length > 0 || has("minProperties", "maxProperties")) return "object";
  if (flat.items.length > 0 || flat.prefix.length > 0 || has("minItems", "maxItems"))
    return "array";
  if (flat.patterns.length > 0 || has("minLength", "maxLength")) return "string";
  if (has("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"))
    return "number";
  return flat.format === undefined ? undefined : "string";
}
