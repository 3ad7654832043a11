// Values made of a schema of the document: complete ones, ones on each bound, and ones that break
// exactly one keyword at one place.

import { createHash } from "node:crypto";
import { replaceAt } from "../../generator/suite/json.ts";
import {
  document,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textOf,
} from "./contract-document.ts";

/** A schema with the component it refers to spread out; what stands beside a reference wins. */
function resolved(schema: Json | undefined): JsonObject {
  if (!isObject(schema)) return {};
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const name = reference.replace("#/components/schemas/", "");
  return { ...resolved(objectAt(objectAt(document, "components"), "schemas")[name]), ...schema };
}

function typeOf(schema: JsonObject): string {
  const { type } = schema;
  if (Array.isArray(type)) return textOf(type.find((one) => one !== "null"));
  return typeof type === "string" ? type : "any";
}

function numberAt(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
}

function isClosed(schema: JsonObject): boolean {
  return schema["additionalProperties"] === false;
}

/** The schema of the values of a map. */
function mapSchema(schema: JsonObject): JsonObject | undefined {
  const { additionalProperties } = schema;
  return isObject(additionalProperties) ? additionalProperties : undefined;
}

// ---------------------------------------------------------------------------------------------
// Complete values

const sampleTexts = [
  "text",
  "1",
  "https://shop.example/a",
  "2026-01-01T00:00:00Z",
  `0x${"ab".repeat(65)}`,
  "0123456789abcdef",
  "/url",
  "ab".repeat(32),
  `0x${"ab".repeat(32)}`,
  `0x${"ab".repeat(20)}`,
  "eip155:8453/slip44:60",
  "https://shop.example/checkout/0123456789abcdefghijkl",
  "evt_01KDVDNA00EYCNDY0YP57RCYBV",
];

/** With every optional member; one value for each alternative of a `oneOf`. */
export function completeValues(schema: Json | undefined): readonly Json[] {
  const known = resolved(schema);
  const alternatives = listAt(known, "oneOf");
  if (alternatives.length > 0) return alternatives.flatMap((one) => completeValues(one));
  const listed = listAt(known, "enum");
  if (listed.length > 0) return listed.slice(0, 1);
  switch (typeOf(known)) {
    case "object":
      return completeObjects(known);
    case "array":
      return completeValues(known["items"]).map((item) => [item]);
    case "integer":
      return [Math.max(1, numberAt(known, "minimum") ?? 1)];
    case "boolean":
      return [true];
    case "null":
      return [null];
    case "string":
      return [completeText(known)];
    default:
      return [{ any: "thing" }];
  }
}

function completeObjects(schema: JsonObject): readonly Json[] {
  const lists = Object.entries(objectAt(schema, "properties")).map(
    ([name, property]) => [name, completeValues(property)] as const,
  );
  const values = mapSchema(schema);
  if (values !== undefined) lists.push(["cur_usdc", completeValues(values)]);
  const count = Math.max(1, ...lists.map(([, list]) => list.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(lists.map(([name, list]) => [name, list[index % list.length] ?? null])),
  );
}

function completeText(schema: JsonObject): string {
  const shown = listAt(schema, "examples").map(textOf);
  const found = [...shown, ...sampleTexts].find((text) => isText(schema, text));
  if (found === undefined) throw new Error(`add a sample text for ${JSON.stringify(schema)}`);
  return found;
}

/** Pattern and format; lengths are for those who look for bounds. */
function isText({ pattern, format }: JsonObject, text: string): boolean {
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(text)) return false;
  if (format === "uri") return /^https:\/\/[!-~]+$/.test(text);
  return format !== "date-time" || /^\d{4}-.*Z$/.test(text);
}

/** A text of exactly so many code points. */
function textOfLength(schema: JsonObject, length: number, unit = "1"): string | undefined {
  const starts = ["", "https://a.example/", "mk_test_"].filter((start) => start.length <= length);
  const texts = starts.map((start) => start + unit.repeat(length - start.length));
  return texts.find((text) => isText(schema, text));
}

// ---------------------------------------------------------------------------------------------
// Places

type Path = readonly string[];

function pointerOf(path: Path): string {
  return path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

interface Spot {
  readonly schema: JsonObject;
  readonly path: Path;
  readonly value: Json;
}

/** Every place of a value that the schema speaks of, itself first. */
function* spotsIn(schema: Json | undefined, path: Path, value: Json): Generator<Spot> {
  const known = resolved(schema);
  yield { schema: known, path, value };
  for (const alternative of listAt(known, "oneOf")) {
    if (fitsTags(resolved(alternative), value)) yield* spotsIn(alternative, path, value);
  }
  if (isObject(value)) {
    const properties = objectAt(known, "properties");
    for (const [name, item] of Object.entries(value)) {
      const inner = Object.hasOwn(properties, name) ? properties[name] : mapSchema(known);
      if (inner !== undefined) yield* spotsIn(inner, [...path, name], item);
    }
  }
  if (Array.isArray(value) && value[0] !== undefined) {
    yield* spotsIn(known["items"], [...path, "0"], value[0]);
  }
}

/** Our alternatives differ in the names they require, or in the values that a member may have. */
function fitsTags(schema: JsonObject, value: Json): boolean {
  if (!isObject(value)) return false;
  const isTagged = Object.entries(objectAt(schema, "properties")).every(([name, property]) => {
    const values = isObject(property) ? listAt(property, "enum") : [];
    return values.length === 0 || values.includes(value[name] ?? null);
  });
  return isTagged && listAt(schema, "required").every((name) => Object.hasOwn(value, textOf(name)));
}

// ---------------------------------------------------------------------------------------------
// Breaking one keyword

export interface Broken {
  readonly rule: string;
  /** what the schema says of the rule, such as 200 of maxLength; empty where that is the pointer alone */
  readonly bound: string;
  /** where the violation has to point */
  readonly pointer: string;
  readonly value: Json;
}

/** One value for each keyword of each place below the schema, broken there and nowhere else. */
export function brokenValues(schema: Json | undefined, whole: Json): readonly Broken[] {
  const found: Broken[] = [];
  for (const spot of spotsIn(schema, [], whole)) {
    for (const [rule, path, replacement] of breaksOf(spot)) {
      const value = replaceAt(whole, [...spot.path, ...path], replacement);
      const isMember = rule === "required" || rule === "additionalProperties";
      const pointer = pointerOf(isMember ? [...spot.path, ...path] : spot.path);
      found.push({ rule, bound: isMember ? "" : boundOf(spot.schema, rule), pointer, value });
    }
  }
  return found;
}

/** As one line for people; of alternatives only how many there are. */
export function boundOf(schema: JsonObject, rule: string): string {
  const said = schema[rule];
  if (said === undefined) return "";
  if (rule === "oneOf") return `of ${listAt(schema, rule).length}`;
  return shortText(Array.isArray(said) ? said.map(textOf).join(" | ") : textOf(said));
}

/** A long pattern is told by its beginning and by a number that is another one for another pattern. */
function shortText(text: string): string {
  if (text.length <= 160) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `${text.slice(0, 60)}... (${text.length} characters, SHA-256 ${hash})`;
}

/** Rule, where below the spot, and with what; nothing means: without it. */
type Break = readonly [rule: string, path: Path, replacement: Json | undefined];

function* breaksOf(spot: Spot): Generator<Break> {
  const { schema } = spot;
  if (schema["type"] !== undefined) yield ["type", [], wrongType(typeOf(schema))];
  if (listAt(schema, "oneOf").length > 0) yield ["oneOf", [], {}];
  if (listAt(schema, "enum").length > 0) yield ["enum", [], "no-such-value"];
  yield* brokenText(schema);
  yield* brokenNumber(schema);
  yield* brokenList(spot);
  yield* brokenObject(spot);
}

function wrongType(type: string): Json {
  return type === "string" || type === "object" ? 7 : "no such type";
}

function* brokenText(schema: JsonObject): Generator<Break> {
  const { pattern, format } = schema;
  const longest = numberAt(schema, "maxLength");
  const shortest = numberAt(schema, "minLength");
  if (typeof pattern === "string") yield ["pattern", [], "off the pattern"];
  if (typeof format === "string" && !/^(?:int|float|double)/.test(format)) {
    yield ["format", [], "off the format"];
  }
  if (longest !== undefined) yield ["maxLength", [], textOfLength(schema, longest + 1) ?? "none"];
  if (shortest !== undefined) yield ["minLength", [], "1".repeat(shortest - 1)];
}

function* brokenNumber(schema: JsonObject): Generator<Break> {
  const least = numberAt(schema, "minimum");
  const most = numberAt(schema, "maximum");
  if (least !== undefined) yield ["minimum", [], least - 1];
  if (most !== undefined) yield ["maximum", [], most + 1];
  if (typeOf(schema) !== "integer") return;
  yield ["type", [], 1.5];
  if (schema["format"] === "int32" && most === undefined) yield ["format", [], 2 ** 31];
}

function* brokenList({ schema, value }: Spot): Generator<Break> {
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  const [first = null] = items;
  const least = numberAt(schema, "minItems");
  const most = numberAt(schema, "maxItems");
  if (least !== undefined) yield ["minItems", [], items.slice(0, least - 1)];
  if (most !== undefined) yield ["maxItems", [], distinctItems(first, most + 1)];
  if (schema["uniqueItems"] === true) yield ["uniqueItems", [], [first, first]];
}

function distinctItems(item: Json, count: number): Json[] {
  return Array.from({ length: count }, (_, index) =>
    typeof item === "string" ? `${item}${index}` : item,
  );
}

function* brokenObject({ schema, value }: Spot): Generator<Break> {
  for (const name of listAt(schema, "required")) yield ["required", [textOf(name)], undefined];
  if (isClosed(schema)) yield ["additionalProperties", ["undeclared"], 1];
  const least = numberAt(schema, "minProperties");
  const most = numberAt(schema, "maxProperties");
  const [member = null] = isObject(value) ? Object.values(value) : [];
  if (least !== undefined) yield ["minProperties", [], {}];
  if (most !== undefined) yield ["maxProperties", [], mapOf(member, most + 1)];
}

function mapOf(member: Json, count: number): Json {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`cur_${index}`, member]));
}

// ---------------------------------------------------------------------------------------------
// On the bounds

export interface Bound {
  readonly name: string;
  readonly value: Json;
}

/** One value for each bound of each place, still within it. */
export function boundaryValues(schema: Json | undefined, whole: Json): readonly Bound[] {
  const found: Bound[] = [];
  for (const spot of spotsIn(schema, [], whole)) {
    for (const [name, path, replacement] of boundsOf(spot)) {
      const value = replaceAt(whole, [...spot.path, ...path], replacement);
      found.push({ name: `${name} at ${pointerOf([...spot.path, ...path]) || "the body"}`, value });
    }
  }
  return found;
}

function* boundsOf(spot: Spot): Generator<Break> {
  const { schema, value } = spot;
  for (const one of listAt(schema, "enum")) yield [`enum ${textOf(one)}`, [], one];
  if (listAt(schema, "type").includes("null")) yield ["null", [], null];
  for (const [name, limit] of [
    ["minLength", numberAt(schema, "minLength")],
    ["maxLength", numberAt(schema, "maxLength")],
  ] as const) {
    for (const [kind, unit] of Object.entries({ ASCII: "1", astral: "😀" })) {
      const text = limit === undefined ? undefined : textOfLength(schema, limit, unit);
      if (text !== undefined) yield [`${name}, ${kind},`, [], text];
    }
  }
  for (const name of ["minimum", "maximum"]) {
    const limit = numberAt(schema, name);
    if (limit !== undefined) yield [name, [], limit];
  }
  if (typeOf(schema) === "integer") yield* integerBounds(schema);
  const [first = null] = Array.isArray(value) ? value : [];
  const [fewest, most] = [numberAt(schema, "minItems"), numberAt(schema, "maxItems")];
  if (typeOf(schema) === "array") yield ["fewest items", [], distinctItems(first, fewest ?? 0)];
  if (most !== undefined) yield ["maxItems", [], distinctItems(first, most)];
  yield* objectBounds(spot);
}

function* integerBounds(schema: JsonObject): Generator<Break> {
  const largest = schema["format"] === "int32" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  if (numberAt(schema, "maximum") === undefined) yield ["the largest integer", [], largest];
  if (numberAt(schema, "minimum") === undefined) yield ["the smallest integer", [], -largest];
}

function* objectBounds({ schema, value }: Spot): Generator<Break> {
  if (!isObject(value)) return;
  const required = new Set(listAt(schema, "required").map(textOf));
  const optional = Object.keys(objectAt(schema, "properties")).filter(
    (name) => !required.has(name),
  );
  for (const name of optional) yield ["left out", [name], undefined];
  const [member = null] = Object.values(value);
  const most = numberAt(schema, "maxProperties");
  if (most !== undefined) yield ["maxProperties", [], mapOf(member, most)];
  if (mapSchema(schema) === undefined) return;
  if (numberAt(schema, "minProperties") === undefined) yield ["no members", [], {}];
  for (const name of ["__proto__", "constructor", "", "a b", "a/b", "😀"]) {
    yield [`member ${JSON.stringify(name)}`, [name], member];
  }
}
