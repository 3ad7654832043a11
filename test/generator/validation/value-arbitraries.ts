// Values that come close to a schema: some fit, some break it at one place, some are anything.

import fc from "fast-check";
import { isObject, type Json, type JsonObject } from "../../../generator/json.ts";
import type { Components, Subject } from "../../../generator/conformance/compile.ts";
import { formatSamples } from "./format-samples.ts";

type Values = fc.Arbitrary<Json>;

/** Names that every JavaScript object seems to have, and names that need care in pointers. */
const awkwardNames = [
  ..."constructor toString valueOf hasOwnProperty __proto__ length 0 a b c d".split(" "),
  ..."a/b|~|~0|%25||é|😀| ".split("|"),
];
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkwardNames) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);

const numbers: Values = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.5, 1.5, 10, 100, 1e-7, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1),
  fc.integer(),
  // integers beyond 2^53-1 are a deviation of their own
  // and so is the division of numbers that are nearly zero
  fc.double({ min: -9e15, max: 9e15, noNaN: true }).map((one) => (Math.abs(one) < 1e-9 ? 0 : one)),
);
const strings: Values = fc.oneof(
  fc.constantFrom("", "a", "A", "1", "true", "null", "é", "e\u0301", "😀", "\ud800", "\0", "a\nb"),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 6 }),
);

function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  // unlike assignment, fromEntries makes a property of its own even of "__proto__"
  return Object.fromEntries(entries);
}

/** Arbitrary JSON. */
export const anyValue: Values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.oneof(fc.constant(null), fc.boolean(), numbers, strings),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
})).value;

interface Place {
  readonly components: Components;
  readonly depth: number;
}

const depthMax = 6;

/** Values for a subject; about half of them are near it and the rest stray. */
export function valuesFor({ schema, components = {} }: Subject): Values {
  const near = nearValues(schema, { components, depth: 0 });
  return fc.oneof({ weight: 8, arbitrary: near }, { weight: 1, arbitrary: anyValue });
}

function nearValues(schema: Json | undefined, { components, depth }: Place): Values {
  if (!isObject(schema) || depth > depthMax) return anyValue;
  const place: Place = { components, depth: depth + 1 };
  const parts = partsOf(schema, place);
  const choices = [...ownValues(schema, place), ...parts];
  if (choices.length === 0) return anyValue;
  const one = fc.oneof(...choices);
  const merged = fc.array(one, { minLength: 2, maxLength: 3 }).map(mergeValues);
  const near = parts.length === 0 ? one : fc.oneof(one, merged);
  return fc.oneof({ weight: 14, arbitrary: near }, { weight: 1, arbitrary: anyValue });
}

function mergeValues(values: readonly Json[]): Json {
  const objects = values.filter(isObject);
  if (objects.length < values.length) return values[0] ?? null;
  return objectOf(objects.flatMap((one) => Object.entries(one)));
}

/** Whole values for the schemas that apply to the same value. */
function partsOf(schema: JsonObject, place: Place): Values[] {
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => schemasIn(schema[keyword]));
  const single = ["not", "if", "then", "else"].flatMap((keyword) =>
    schemasIn([schema[keyword] ?? null]),
  );
  const dependent = isObject(schema["dependentSchemas"])
    ? schemasIn(Object.values(schema["dependentSchemas"]))
    : [];
  const parts = [...lists, ...single, ...dependent].map((one) => nearValues(one, place));
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice("#/components/schemas/".length);
    parts.push(nearValues(place.components[name], place));
  }
  return parts;
}

function schemasIn(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function ownValues(schema: JsonObject, place: Place): Values[] {
  const choices: Values[] = [];
  const listed = [...(Array.isArray(schema["enum"]) ? schema["enum"] : [])];
  if (schema["const"] !== undefined) listed.push(schema["const"]);
  if (listed.length > 0) {
    const value = fc.constantFrom(...listed);
    choices.push(value, value, value.map(twistValue));
  }
  const says = (...keywords: string[]): boolean =>
    keywords.some((one) => schema[one] !== undefined);
  const type = schema["type"];
  const allowed = (name: string): boolean =>
    type === name || (Array.isArray(type) && type.includes(name));
  if (allowed("string") || says("minLength", "maxLength", "pattern", "format")) {
    choices.push(nearStrings(schema));
  }
  const numeric = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
  if (allowed("integer") || allowed("number") || says(...numeric))
    choices.push(nearNumbers(schema));
  if (allowed("boolean")) choices.push(fc.boolean());
  if (allowed("null")) choices.push(fc.constant(null));
  const arrays = ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"];
  if (allowed("array") || says(...arrays)) choices.push(nearArrays(schema, place));
  const objects = ["properties", "required", "patternProperties", "additionalProperties"];
  const counts = ["propertyNames", "minProperties", "maxProperties", "unevaluatedProperties"];
  if (allowed("object") || says(...objects, ...counts, "dependentRequired", "dependentSchemas")) {
    choices.push(nearObjects(schema, place));
  }
  return choices;
}

/** Almost the value: of another type, or with one member more. */
function twistValue(value: Json): Json {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return /^\d+$/.test(value) ? Number(value) : `${value} `;
  if (typeof value === "boolean") return Number(value);
  if (value === null) return "null";
  if (Array.isArray(value)) return [...value, null];
  return { ...value, extra: 1 };
}

function nearNumbers(schema: JsonObject): Values {
  const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
  const limits = bounds.map((one) => schema[one]).filter((one) => typeof one === "number");
  const close = limits.flatMap((limit) => [limit, limit + 1, limit - 1, limit + 0.5, limit - 0.25]);
  const { multipleOf } = schema;
  const multiples = fc.integer({ min: -50, max: 50 });
  const choices: Values[] = [numbers, fc.integer({ min: -5, max: 20 })];
  if (close.length > 0) choices.push(fc.constantFrom(...close));
  if (typeof multipleOf === "number") choices.push(multiples.map((count) => count * multipleOf));
  return fc.oneof(...choices);
}

const units = ["a", "é", "😀", "\ud83d", "e\u0301", "9", "A"];

function nearStrings(schema: JsonObject): Values {
  const choices: Values[] = [strings];
  const limits = [schema["minLength"], schema["maxLength"]].filter(
    (one) => typeof one === "number",
  );
  if (limits.length > 0) {
    const lengths = limits.flatMap((limit) => [limit, limit + 1, Math.max(0, limit - 1)]);
    const length = fc.constantFrom(...lengths);
    choices.push(
      fc.tuple(fc.constantFrom(...units), length).map(([unit, count]) => unit.repeat(count)),
      length.chain((count) => fc.string({ unit: "binary", minLength: count, maxLength: count })),
    );
  }
  const pattern = schema["pattern"];
  if (typeof pattern === "string") {
    const matching = matchingStrings(pattern);
    const around = fc.tuple(
      fc.constantFrom("", "", "x", "\n"),
      matching,
      fc.constantFrom("", "\n"),
    );
    choices.push(
      matching,
      matching,
      around.map((pieces) => pieces.join("")),
    );
  }
  const format = schema["format"];
  const samples = typeof format === "string" ? formatSamples[format] : undefined;
  if (samples !== undefined) {
    choices.push(fc.constantFrom(...samples.good), fc.constantFrom(...samples.bad));
  }
  return fc.oneof(...choices);
}

/** By their patterns: to make one takes longer than to draw from it a hundred times. */
const matchingKnown = new Map<string, fc.Arbitrary<string>>();

function matchingStrings(pattern: string): fc.Arbitrary<string> {
  const matching = matchingKnown.get(pattern) ?? makeMatching(pattern);
  matchingKnown.set(pattern, matching);
  return matching;
}

function makeMatching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"));
  } catch {
    return fc.string(); // a construct that fast-check cannot draw from
  }
}

function nearArrays(schema: JsonObject, place: Place): Values {
  const prefix = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  const sources = [schema["items"], schema["contains"], ...prefix].filter(
    (one) => one !== undefined,
  );
  const item =
    sources.length === 0 ? anyValue : fc.oneof(...sources.map((one) => nearValues(one, place)));
  const limits = [
    schema["minItems"],
    schema["maxItems"],
    schema["minContains"],
    schema["maxContains"],
  ];
  const known = limits.filter((one) => typeof one === "number");
  const most = Math.min(8, Math.max(3, prefix.length + 1, ...known.map((limit) => limit + 1)));
  const rest = fc.array(item, { maxLength: most });
  const first = fc.tuple(...prefix.map((one) => nearValues(one, place)));
  const inOrder = fc.tuple(first, rest).map(([some, others]) => [...some, ...others]);
  const list = fc.oneof(inOrder, rest);
  const doubled = fc.tuple(list, fc.nat()).map(([items, at]) => {
    const copy = items[at % Math.max(1, items.length)];
    return copy === undefined ? items : [...items, shuffleMembers(copy)];
  });
  return fc.oneof(list, doubled);
}

/** Equal by value, written in another order. */
function shuffleMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffleMembers);
  if (!isObject(value)) return value;
  return objectOf(
    Object.entries(value)
      .toReversed()
      .map(([name, item]) => [name, shuffleMembers(item)]),
  );
}

function nearObjects(schema: JsonObject, place: Place): Values {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const patterns = isObject(schema["patternProperties"]) ? schema["patternProperties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const dependent = isObject(schema["dependentRequired"]) ? schema["dependentRequired"] : {};
  const mentioned = [...Object.keys(dependent), ...Object.values(dependent).flat(), ...required];
  const declared = new Set([...Object.keys(properties), ...mentioned.map(String)]);
  if (isObject(schema["dependentSchemas"])) {
    for (const name of Object.keys(schema["dependentSchemas"])) declared.add(name);
  }
  const entries = Array.from(declared, (name) => {
    const value = Object.hasOwn(properties, name) ? nearValues(properties[name], place) : anyValue;
    return fc.option(fc.tuple(fc.constant(name), value), { freq: 5 });
  });
  const other = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
  const extras = [fc.tuple(names, isObject(other) ? nearValues(other, place) : anyValue)];
  for (const [pattern, item] of Object.entries(patterns)) {
    extras.push(fc.tuple(matchingStrings(pattern), nearValues(item, place)));
  }
  if (isObject(schema["propertyNames"])) {
    const near = nearValues(schema["propertyNames"], place);
    const name = near.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    extras.push(fc.tuple(name, anyValue));
  }
  const limits = [schema["minProperties"], schema["maxProperties"]].filter(
    (one) => typeof one === "number",
  );
  const most = Math.min(8, Math.max(2, ...limits.map((limit) => limit + 1)));
  const more = fc.oneof(fc.constant([]), fc.array(fc.oneof(...extras), { maxLength: most }));
  return fc
    .tuple(fc.tuple(...entries), more)
    .map(([own, added]) => objectOf([...added, ...own.filter((one) => one !== null)]));
}
