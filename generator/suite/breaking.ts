// Of a value that the document allows, values that break one of its rules: each keyword of each place once. Ajv
// has to find the rule at its place, so that what nobody can break is known by name.

import type { Place } from "./contract.ts";
import type { Dice } from "./dice.ts";
import { type Drawing, listCharactersMax } from "./drawing.ts";
import { type Flat, schemaPlace } from "./flat.ts";
import { escapeToken, isObject, type Json, type JsonObject, replaceAt } from "./json.ts";
import { patternOf } from "./patterns.ts";
import type { Finding } from "./schemas.ts";
import { textsOfLength } from "./texts.ts";

type Path = readonly string[];

export interface Broken extends Finding {
  readonly value: Json;
  /** which rule of the document it is, wherever the value stands */
  readonly place: string;
  /** pointers of the schemas that speak of the value there */
  readonly from: readonly string[];
  /** all that Ajv says of it, the rule among it */
  readonly findings: readonly Finding[];
}

export interface Breaks {
  readonly broken: readonly Broken[];
  /** rules that no value was found for that breaks them: "/name maxLength" */
  readonly unbroken: readonly string[];
}

export interface Spot {
  readonly flat: Flat;
  readonly path: Path;
  readonly value: Json;
}

export interface BreakWish {
  readonly drawing: Drawing;
  /** of the schema */
  readonly pointer: string;
  readonly dice: Dice;
  /** requests need not have what only answers have */
  readonly isRequest: boolean;
  /** told of each value that is too large to be made, by its place and rule: "/blobs maxItems" */
  readonly leaveOut?: (name: string) => void;
}

export function pointerOf(path: Path): string {
  return path.map((step) => `/${escapeToken(step)}`).join("");
}

export function breaksIn(wish: BreakWish, whole: Json): Breaks {
  const judge = wish.drawing.judgeAt(wish.pointer);
  const broken: Broken[] = [];
  const unbroken: string[] = [];
  for (const spot of spotsIn(wish, whole)) {
    for (const { rule, member, way = "", values } of rulesOf(spot, wish)) {
      const path = member === undefined ? spot.path : [...spot.path, member];
      const pointer = pointerOf(path);
      const { from } = spot.flat;
      const place = [...from, rule, member ?? "", way].join(" ");
      const found = values
        .map((value) => replaceAt(whole, path, value))
        .flatMap((value): Broken[] => {
          const findings = judge(value);
          const said = findings.find((one) => isAt(one, rule, pointer));
          return said === undefined ? [] : [{ ...said, value, place, from, findings }];
        })
        .toSorted((one, other) => one.findings.length - other.findings.length);
      if (found[0] === undefined) unbroken.push(`${pointer} ${rule}`);
      else broken.push(found[0]);
    }
  }
  return { broken, unbroken };
}

/** `const` is an `enum` of one, and what is closed may be closed by either keyword. */
function isAt(found: Finding, rule: string, pointer: string): boolean {
  const names = sameRules.get(rule) ?? [rule];
  return found.pointer === pointer && names.includes(found.rule);
}

const sameRules: ReadonlyMap<string, readonly string[]> = new Map([
  ["enum", ["enum", "const"]],
  ["additionalProperties", ["additionalProperties", "unevaluatedProperties"]],
  ["alternatives", ["oneOf", "anyOf"]],
]);

/** Every place of a value that the schema speaks of, itself first; of a list the first item. */
export function* spotsIn({ drawing, pointer }: BreakWish, whole: Json): Generator<Spot> {
  const { contract } = drawing;
  yield* spotsBelow(drawing, { places: [schemaPlace(contract, pointer)], path: [], value: whole });
}

interface Standing {
  readonly places: readonly Place[];
  readonly path: Path;
  readonly value: Json;
}

function* spotsBelow(drawing: Drawing, { places, path, value }: Standing): Generator<Spot> {
  const flat = drawing.flatOf(places, value);
  yield { flat, path, value };
  if (Array.isArray(value)) {
    const seen = Math.max(1, flat.prefix.length);
    for (const [index, item] of value.slice(0, seen).entries()) {
      const own = flat.prefix[index] ?? flat.items;
      yield* spotsBelow(drawing, { places: own, path: [...path, String(index)], value: item });
    }
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const matched = flat.byPattern.filter(([pattern]) => patternOf(pattern).test(name));
      const named = [...(flat.properties.get(name) ?? []), ...matched.map(([, place]) => place)];
      const own = named.length > 0 ? named : flat.others;
      if (own.length > 0)
        yield* spotsBelow(drawing, { places: own, path: [...path, name], value: item });
    }
  }
}

interface RuleBreak {
  readonly rule: string;
  /** below the spot: the rule is about this member */
  readonly member?: string;
  /** where one rule is broken in two ways: which one this is */
  readonly way?: string;
  /** undefined: without it */
  readonly values: readonly (Json | undefined)[];
}

function* rulesOf(spot: Spot, wish: BreakWish): Generator<RuleBreak> {
  const { flat, value } = spot;
  const { types, values } = flat;
  if (types !== undefined && values === undefined) {
    yield { rule: "type", values: ofOtherTypes(types) };
  }
  if (values !== undefined) {
    yield { rule: "enum", values: ["no such value", 987_654_321, null, true, {}] };
  }
  if (flat.hasAlternatives) {
    yield { rule: "alternatives", values: [{}, null, [], "no such value", 987_654_321, true] };
  }
  if (typeof value === "string") yield* textRules(flat, value);
  if (typeof value === "number") yield* numberRules(flat);
  if (Array.isArray(value)) yield* listRules(spot, value, wish);
  if (isObject(value)) yield* objectRules(spot, value, wish);
}

function ofOtherTypes(types: readonly string[]): readonly Json[] {
  const samples: readonly (readonly [string, Json])[] = [
    ["number", 1.5],
    ["string", "no such type"],
    ["boolean", true],
    ["object", {}],
    ["array", []],
    ["null", null],
  ];
  // of an integer a fraction is a way of its own
  const known = types.includes("integer") ? [...types, "number"] : types;
  const others = samples.filter(([type]) => !known.includes(type)).map(([, value]) => value);
  return others.filter((value) => value !== null).concat(others.includes(null) ? [null] : []);
}

function* textRules({ patterns, format, rules }: Flat, value: string): Generator<RuleBreak> {
  const odd = [
    "off the pattern",
    "!",
    "",
    `${value}!`,
    `!${value}`,
    "0",
    "a",
    "\u00a7 \u00a7",
    " ",
  ];
  if (patterns.length > 0) yield { rule: "pattern", values: odd };
  if (format !== undefined && isJudged(format)) yield { rule: "format", values: odd };
  const { minLength = 0, maxLength } = rules;
  if (maxLength !== undefined && maxLength < charactersMax) {
    yield { rule: "maxLength", values: textsOfLength(value, maxLength + 1) };
  }
  if (minLength > 0) {
    yield { rule: "minLength", values: textsOfLength(value, minLength - 1) };
  }
}

/** Longer texts are more than anybody sends, and than the expressions of formats are made for. */
const charactersMax = 1_000_000;

/** Names that only say how a text is meant, or that numbers have. */
function isJudged(format: string): boolean {
  return !/^(?:int|float|double|password|binary|byte)/.test(format) && knownFormats.has(format);
}

const knownFormats = new Set(
  (
    "date time date-time duration uri uri-reference uri-template email hostname ipv4 ipv6 regex uuid " +
    "json-pointer relative-json-pointer"
  ).split(" "),
);

function* numberRules({ rules, types, format }: Flat): Generator<RuleBreak> {
  const step = rules["multipleOf"] ?? 1;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  if (minimum !== undefined) yield { rule: "minimum", values: [minimum - step, minimum - 0.5] };
  if (maximum !== undefined) yield { rule: "maximum", values: [maximum + step, maximum + 0.5] };
  if (exclusiveMinimum !== undefined)
    yield { rule: "exclusiveMinimum", values: [exclusiveMinimum] };
  if (exclusiveMaximum !== undefined)
    yield { rule: "exclusiveMaximum", values: [exclusiveMaximum] };
  if (multipleOf !== undefined && multipleOf !== 1) {
    const base = Math.max(minimum ?? 0, 0);
    const around = Math.ceil(base / multipleOf) * multipleOf;
    yield { rule: "multipleOf", values: [around + multipleOf / 2, around + 1, around + 0.5] };
  }
  if (types?.includes("integer") === true && !types.includes("number")) {
    // Near a large bound there are no fractions.
    const values = [(minimum ?? 1) + 0.5, (maximum ?? 1) - 0.5, 1.5];
    yield { rule: "type", way: "fraction", values };
  }
  if (format === "int32" && maximum === undefined) yield { rule: "format", values: [2 ** 31] };
}

function* listRules(spot: Spot, value: readonly Json[], wish: BreakWish): Generator<RuleBreak> {
  const { flat } = spot;
  const { minItems = 0, maxItems } = flat.rules;
  const [first = "item"] = value;
  if (minItems > 0) yield { rule: "minItems", values: [value.slice(0, minItems - 1)] };
  if (maxItems !== undefined && maxItems < 10_000) {
    const numbers = Array.from({ length: maxItems + 1 }, (_, at) => at);
    const { distinct, same } = listsOf(spot, wish, { value, count: maxItems + 1 });
    yield { rule: "maxItems", values: [...distinct, ...same, numbers] };
  }
  if (flat.isUnique && value.length > 0) yield { rule: "uniqueItems", values: [[first, first]] };
}

interface Lists {
  /** no two items the same */
  readonly distinct: readonly Json[][];
  /** its last items again and again */
  readonly same: readonly Json[][];
}

/**
 * Lists of `count` items, like those of `value`; none where they would be larger than anybody makes, nor of different
 * ones where there are not so many.
 */
export function listsOf(
  { flat, path }: Spot,
  { drawing, dice, leaveOut }: BreakWish,
  { value, count }: { readonly value: readonly Json[]; readonly count: number },
): Lists {
  const [first = "item"] = value;
  if (count * JSON.stringify(first).length > listCharactersMax) {
    leaveOut?.(`${pointerOf(path)} maxItems`);
    return { distinct: [], same: [] };
  }
  const same = Array.from({ length: count }, (_, at) => value[at] ?? first);
  const items = [...drawing.itemsFor(flat, count, dice)];
  if (items.length === count) return { distinct: [items], same: [same] };
  const isTooLarge = JSON.stringify(items).length >= listCharactersMax;
  if (flat.isUnique && isTooLarge) leaveOut?.(`${pointerOf(path)} maxItems`);
  return { distinct: [], same: [same] };
}

function* objectRules(spot: Spot, value: JsonObject, wish: BreakWish): Generator<RuleBreak> {
  const { flat } = spot;
  const { drawing, isRequest } = wish;
  for (const name of flat.required) {
    const places = flat.properties.get(name) ?? [];
    const isReadOnly = drawing.flatOf(places, value[name] ?? null).isReadOnly;
    if (!(isRequest && isReadOnly)) yield { rule: "required", member: name, values: [undefined] };
  }
  if (flat.isClosed) {
    yield { rule: "additionalProperties", member: "not_declared_here", values: ["x"] };
  }
  const { minProperties = 0, maxProperties } = flat.rules;
  const entries = Object.entries(value);
  if (minProperties > 0) {
    const few = Object.fromEntries(entries.slice(0, minProperties - 1));
    yield { rule: "minProperties", values: [few] };
  }
  if (maxProperties !== undefined && maxProperties < 10_000) {
    const [, first = "x"] = entries[0] ?? [];
    const missing = Math.max(0, maxProperties + 1 - entries.length);
    const values = membersOf(spot, wish, { value, first, missing });
    yield { rule: "maxProperties", values };
  }
  if (flat.names.length > 0) {
    const [, first = "x"] = entries[0] ?? [];
    const longest = drawing.flatOf(flat.names, "").rules["maxLength"] ?? 4_999;
    const odd = ["!", "", "not a name", "x".repeat(longest + 1)];
    yield { rule: "propertyNames", values: odd.map((name) => ({ ...value, [name]: first })) };
  }
}

/** `value` with so many more members like `first`; none where it would be larger than anybody makes. */
export function membersOf(
  { path }: Spot,
  { leaveOut }: BreakWish,
  wanted: { readonly value: JsonObject; readonly first: Json; readonly missing: number },
): readonly JsonObject[] {
  const { value, first, missing } = wanted;
  if (missing * JSON.stringify(first).length > listCharactersMax) {
    leaveOut?.(`${pointerOf(path)} maxProperties`);
    return [];
  }
  const more = Array.from({ length: missing }, (_, at) => [`more${at}`, first] as const);
  return [{ ...value, ...Object.fromEntries(more) }];
}
