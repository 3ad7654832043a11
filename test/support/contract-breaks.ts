// Of a value that the document allows, values that break exactly one of its rules: which rule and where
// is drawn at random, and Ajv has to find it and nothing else.

import fc from "fast-check";
import { escapeToken, replaceAt } from "../../generator/suite/json.ts";
import type { Judge } from "../../generator/suite/schemas.ts";
import { schemaAt } from "./contract-arbitraries.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  type Place,
  textOf,
} from "./contract-document.ts";
import { judgeAt } from "./contract-schemas.ts";
import { breaksOf, type Change, type Path, type Spot } from "./contract-keywords.ts";

export interface Said {
  readonly pointer: string;
  readonly rule: string;
}

export interface SingleBreak {
  /** what the answer has to say, the rule that was drawn first */
  readonly said: readonly [Said, ...Said[]];
  /** nobody can say which alternative was meant: of what is inside them the answer may say anything */
  readonly isVague: boolean;
  readonly value: Json;
}

const judges = new Map<string, Judge>();

export function judgeOf(pointer: string): Judge {
  const judge = judges.get(pointer) ?? judgeAt(pointer);
  judges.set(pointer, judge);
  return judge;
}

export function pointerOf(path: Path): string {
  return path.map((step) => `/${escapeToken(step)}`).join("");
}

export function singleBreaks(pointer: string, whole: Json): fc.Arbitrary<SingleBreak> {
  const spots = [...spotsIn({ pointer, path: [], value: whole })];
  const all = spots.flatMap((spot) =>
    breaksOf(spot).map(({ keyword, changes }) => ({
      rule: `${spot.pointer} ${keyword}`,
      broken: changes.filter(patiently(spot, keyword)).map(({ path, value }) => ({
        ...saidOf(spot, keyword, { path, value }),
        value: replaceAt(whole, [...spot.path, ...path], value),
      })),
    })),
  );
  // Each rule as often as any other, however many items of a list it is broken in.
  const byRule = Map.groupBy(all, ({ rule }) => rule);
  const choices = Array.from(byRule.values(), (list) => fc.oneof(...list.map((one) => one.broken)));
  if (choices.length === 0) throw new Error(`nothing can be broken at ${pointer}`);
  return fc.oneof(...choices);
}

/** More tries in vain say that nothing that is tried breaks the rule. */
const triesMax = 1000;

function patiently(spot: Spot, keyword: string): (change: Change) => boolean {
  let tries = 0;
  return (change) => {
    if (breaksOnly(spot, keyword, change)) {
      tries = 0;
      return true;
    }
    tries += 1;
    if (tries < triesMax) return false;
    const last = JSON.stringify(change).slice(0, 1000);
    throw new Error(
      `nothing was found that breaks ${keyword} of ${spot.pointer} alone, last ${last}`,
    );
  };
}

/** What else is broken with a keyword, however the value is chosen. */
const unavoidable: Readonly<Record<string, readonly string[]>> = {
  // a value of another type is none of a list either, and no int64
  type: ["enum", "const", "oneOf", "format"],
  // the empty text
  minLength: ["pattern", "format"],
};

/** In the eyes of Ajv: the keyword at this place, and nothing that can be avoided. */
function breaksOnly(spot: Spot, keyword: string, { path, value }: Change): boolean {
  const found = judgeOf(spot.pointer)(replaceAt(spot.value, path, value));
  // what is inside alternatives, or inside the name, is found beside it
  if (keyword === "oneOf" || keyword === "propertyNames") {
    return found.some(({ rule }) => rule === keyword);
  }
  const rules = new Set([keyword, ...(unavoidable[keyword] ?? [])]);
  return (
    found.some(({ rule }) => rule === keyword) &&
    found.every(({ rule, pointer }) => rules.has(rule) && pointer === pointerOf(path))
  );
}

/** How the answer has to call it. */
function saidOf(spot: Spot, keyword: string, { path, value }: Change): Omit<SingleBreak, "value"> {
  const { alternative } = spot;
  const pointer = pointerOf([...spot.path, ...path]);
  const isMissing = keyword === "required" && value === undefined;
  if (alternative !== undefined && isMissing && alternative.own.has(path.at(-1) ?? "")) {
    // without the member that tells the forms apart nobody knows which one was meant
    return { said: [{ rule: "oneOf", pointer: pointerOf(alternative.union) }], isVague: true };
  }
  const around =
    alternative === undefined ? [] : [{ rule: "oneOf", pointer: pointerOf(alternative.union) }];
  const found = judgeOf(spot.pointer)(replaceAt(spot.value, path, value ?? null));
  const beside = found
    .filter(({ rule }) => keyword === "minLength" && rule !== keyword)
    .map(({ rule }) => ({ rule, pointer }));
  const said = { rule: ruleOf(spot, keyword, isMissing), pointer };
  return { said: [said, ...beside, ...around], isVague: keyword === "oneOf" };
}

function ruleOf({ node, isTag }: Spot, keyword: string, isMissing: boolean): string {
  // an alternative that its tag has chosen is the only one that is asked
  if (isTag && !isMissing) return "discriminator";
  // a value that is none of those listed may have any type
  if (keyword !== "type") return keyword;
  return node["const"] === undefined ? (node["enum"] === undefined ? keyword : "enum") : "const";
}

type Seen = Pick<Spot, "pointer" | "path" | "value"> & Partial<Pick<Spot, "isTag" | "alternative">>;

/** Every place of a value that the schema speaks of, itself first. */
export function* spotsIn({ pointer, path, value, ...rest }: Seen): Generator<Spot> {
  const place = schemaAt(pointer);
  const { node } = place;
  const { alternative, isTag = false } = rest;
  const within = alternative === undefined ? {} : { alternative };
  if (listAt(node, "oneOf").length > 0) {
    yield { ...place, from: pointer, path, value, isTag, ...within };
    yield* spotsOfUnion(place, path, value);
    return;
  }
  // that an alternative is not even an object is said of the alternatives together
  const isWhole = alternative !== undefined && alternative.union.length === path.length;
  const asked = isWhole ? withoutType(node) : node;
  yield { ...place, node: asked, from: pointer, path, value, isTag, ...within };
  yield* spotsInside(place, { path, value, ...within });
}

function withoutType({ type: _type, ...others }: JsonObject): JsonObject {
  return others;
}

function* spotsInside(
  { node, pointer }: Place,
  { path, value, ...within }: Pick<Spot, "path" | "value"> & Partial<Pick<Spot, "alternative">>,
  tag?: string,
): Generator<Spot> {
  if (isObject(value)) {
    const properties = objectAt(node, "properties");
    for (const [name, item] of Object.entries(value)) {
      const isDeclared = Object.hasOwn(properties, name);
      if (!isDeclared && !isObject(node["additionalProperties"])) continue;
      const below = isDeclared ? `properties/${escapeToken(name)}` : "additionalProperties";
      const inner = { pointer: `${pointer}/${below}`, path: [...path, name], value: item };
      yield* spotsIn({ ...inner, isTag: name === tag, ...within });
    }
  }
  if (!Array.isArray(value) || !isObject(node["items"])) return;
  for (const [at, item] of value.entries()) {
    const inner = { pointer: `${pointer}/items`, path: [...path, String(at)], value: item };
    yield* spotsIn({ ...inner, ...within });
  }
}

/** The alternative that the value is, with its members. */
function* spotsOfUnion({ node, pointer }: Place, path: Path, value: Json): Generator<Spot> {
  const all = listAt(node, "oneOf").map((_, at) => schemaAt(`${pointer}/oneOf/${at}`));
  const meant = all.find((one) => judgeOf(one.pointer)(value).length === 0);
  if (meant === undefined) throw new Error(`the value fits no alternative of ${pointer}`);
  const tag = objectAt(node, "discriminator")["propertyName"];
  if (tag !== undefined) {
    yield { ...meant, from: meant.pointer, path, value, isTag: false };
    yield* spotsInside(meant, { path, value }, textOf(tag));
    return;
  }
  const others = all.filter((one) => one !== meant);
  const names = Object.keys(objectAt(meant.node, "properties"));
  const own = names.filter((name) =>
    others.every((other) => !Object.hasOwn(objectAt(other.node, "properties"), name)),
  );
  const alternative = { union: path, own: new Set(own) };
  yield* spotsIn({ pointer: meant.pointer, path, value, alternative });
}
