// Values that the hand-written document allows at a place, drawn at random, and none that it does not:
// what is drawn is judged by Ajv before anybody uses it.

import fc from "fast-check";
import {
  document,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  type Place,
  textOf,
} from "./contract-document.ts";
import { escapeToken } from "../../generator/suite/json.ts";
import { judgeAt } from "./contract-schemas.ts";
import { textsFor } from "./contract-texts.ts";

export type Values = fc.Arbitrary<Json>;

/**
 * What is known of a place beyond its schema, by the pointer of the schema; `/*` after it stands for the
 * names of a map. Undefined: nothing.
 */
export type Known = (pointer: string) => KnownValues | undefined;

export interface KnownValues {
  readonly values: Values;
  /** what the document says in words allows no others */
  readonly isAll: boolean;
}

/** The schema that counts at a place; what stands beside a reference must be words for people. */
export function schemaAt(pointer: string): Place {
  const node = nodeAt(pointer);
  const reference = node["$ref"];
  if (typeof reference !== "string") return { node, pointer };
  const beside = Object.keys(node).filter((name) => name !== "$ref" && name !== "description");
  if (beside.length === 0) return schemaAt(reference.slice(1));
  throw new Error(`${pointer}: beside a reference ${beside.join()} is not understood`);
}

/** As it is written, a reference among it. */
function nodeAt(pointer: string): JsonObject {
  let node: Json | undefined = document;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    node = Array.isArray(node) ? node[Number(name)] : isObject(node) ? node[name] : undefined;
  }
  if (!isObject(node)) throw new Error(`${pointer} is nothing in the document`);
  return node;
}

/** Keywords that the arbitraries below understand; of another one a wrong value would be drawn. */
const understood = new Set(
  (
    "type description examples example default title $ref enum const format pattern minLength " +
    "maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf items minItems maxItems " +
    "uniqueItems properties required additionalProperties propertyNames minProperties maxProperties " +
    "oneOf discriminator deprecated readOnly writeOnly"
  ).split(" "),
);

/** Values for the schema at the pointer. */
export function valuesAt(pointer: string, known: Known = () => undefined): Values {
  const judge = judgeAt(pointer);
  return drawnAt(pointer, known).map((value) => {
    const findings = judge(value);
    if (findings.length === 0) return value;
    const shown = JSON.stringify({ findings, value });
    throw new Error(`what was drawn for ${pointer} is not allowed there: ${shown}`);
  });
}

function drawnAt(pointer: string, known: Known): Values {
  const place = schemaAt(pointer);
  const strange = Object.keys(place.node).filter(
    (name) => !understood.has(name) && !name.startsWith("x-"),
  );
  if (strange.length > 0) throw new Error(`${pointer}: no values are drawn for ${strange.join()}`);
  const found = known(pointer) ?? known(place.pointer);
  if (found?.isAll === true) return found.values;
  return mixed(ownValues(place, known), found);
}

function ownValues(place: Place, known: Known): Values {
  const { node } = place;
  const alternatives = listAt(node, "oneOf");
  if (alternatives.length > 0) {
    const each = alternatives.map((_, at) => drawnAt(`${place.pointer}/oneOf/${at}`, known));
    return fc.oneof(...each);
  }
  if (node["const"] !== undefined) return fc.constant(node["const"]);
  const listed = listAt(node, "enum");
  if (listed.length > 0) return fc.constantFrom(...listed);
  const { type } = node;
  if (type === undefined) return freeJson;
  const types = Array.isArray(type) ? type.map(textOf) : [textOf(type)];
  return fc.oneof(...types.map((one) => valuesOfType(one, place, known)));
}

function valuesOfType(type: string, place: Place, known: Known): Values {
  switch (type) {
    case "object":
      return objectsAt(place, known);
    case "array":
      return listsAt(place, known);
    case "string":
      return textsFor(place.node);
    case "integer":
      return integersFor(place.node);
    case "number":
      return fc.oneof(integersFor(place.node), numbersFor(place.node));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      throw new Error(`${place.pointer}: ${type} is no type`);
  }
}

/** Any JSON but what the contract says in words that nobody keeps: U+0000, and halves of pairs. */
const freeTexts = textsFor({ maxLength: 20 });
const freeNames = fc.oneof(freeTexts, fc.constantFrom("__proto__", "constructor", "toString", ""));
export const freeJson: Values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.oneof(fc.constant(null), fc.boolean(), freeTexts, fc.double({ noNaN: true }).filter(isJson)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(freeNames, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
})).value;

function isJson(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

/** Unlike assignment, fromEntries makes a property of its own even of "__proto__". */
function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}

interface Range {
  readonly least: number;
  readonly most: number;
}

const safe = Number.MAX_SAFE_INTEGER;

function rangeOf(schema: JsonObject): Range {
  const at = (name: string): number | undefined => {
    const value = schema[name];
    return typeof value === "number" ? value : undefined;
  };
  const [bits31, isInt32] = [2 ** 31, schema["format"] === "int32"];
  const above = at("exclusiveMinimum");
  const underneath = at("exclusiveMaximum");
  return {
    least: Math.max(
      isInt32 ? -bits31 : -safe,
      at("minimum") ?? -safe,
      above === undefined ? -safe : Math.floor(above) + 1,
    ),
    most: Math.min(
      isInt32 ? bits31 - 1 : safe,
      at("maximum") ?? safe,
      underneath === undefined ? safe : Math.ceil(underneath) - 1,
    ),
  };
}

/** Small ones, those on the bounds, and any. */
function integersFor(schema: JsonObject): fc.Arbitrary<number> {
  const { multipleOf } = schema;
  const step = typeof multipleOf === "number" ? multipleOf : 1;
  const range = rangeOf(schema);
  const [least, most] = [Math.ceil(range.least / step), Math.floor(range.most / step)];
  const near = Math.min(most, Math.max(least, 0) + 100);
  const counts = fc.oneof(
    fc.integer({ min: Math.max(least, Math.min(near, 0)), max: near }),
    fc.constantFrom(least, most),
    fc.integer({ min: least, max: most }),
  );
  return counts.map((count) => count * step);
}

function numbersFor(schema: JsonObject): fc.Arbitrary<number> {
  if (schema["multipleOf"] !== undefined) return integersFor(schema);
  const { least, most } = rangeOf(schema);
  return fc.double({ min: least, max: most, noNaN: true });
}

function countAt(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
}

/** Few more than there must be; now and then as many as there may be. */
function sizesFor(least: number, most: number | undefined): fc.Arbitrary<number> {
  const few = fc.integer({ min: least, max: Math.min(most ?? Infinity, least + 3) });
  if (most === undefined) return few;
  return fc.oneof({ weight: 9, arbitrary: few }, { weight: 1, arbitrary: fc.constant(most) });
}

function listsAt({ node, pointer }: Place, known: Known): Values {
  const item = node["items"] === undefined ? freeJson : drawnAt(`${pointer}/items`, known);
  const isUnique = node["uniqueItems"] === true;
  const sizes = sizesFor(countAt(node, "minItems") ?? 0, countAt(node, "maxItems"));
  return sizes.chain((size) => {
    const bounds = { minLength: size, maxLength: size };
    if (!isUnique) return fc.array(item, bounds);
    return fc.uniqueArray(item, { ...bounds, selector: (one) => JSON.stringify(one) });
  });
}

function objectsAt(place: Place, known: Known): Values {
  const { node, pointer } = place;
  const names = Object.keys(objectAt(node, "properties"));
  const required = new Set(listAt(node, "required").map(textOf));
  const undeclared = [...required].filter((name) => !names.includes(name));
  if (undeclared.length > 0) throw new Error(`${pointer}: ${undeclared.join()} is not described`);
  const members = Object.fromEntries(
    names.map((name) => [name, drawnAt(`${pointer}/properties/${escapeToken(name)}`, known)]),
  );
  const own: fc.Arbitrary<JsonObject> = fc
    .tuple(fc.record(members), fc.shuffledSubarray(names))
    .map(([values, chosen]) => {
      const shown = [...chosen, ...names.filter((name) => required.has(name))];
      return objectOf([...new Set(shown)].map((name) => [name, values[name] ?? null]));
    });
  const others = mapsAt(place, known, new Set(names));
  if (others === undefined) return own;
  return fc
    .tuple(own, others)
    .map(([some, more]) => objectOf([...entries(some), ...entries(more)]));
}

const entries = (value: JsonObject): readonly (readonly [string, Json])[] => Object.entries(value);

/** Members that no property names; undefined: there must be none. */
function mapsAt(
  { node, pointer }: Place,
  known: Known,
  declared: ReadonlySet<string>,
): fc.Arbitrary<JsonObject> | undefined {
  const { additionalProperties } = node;
  if (additionalProperties === false) return undefined;
  const isDescribed = isObject(additionalProperties);
  const value = isDescribed ? drawnAt(`${pointer}/additionalProperties`, known) : freeJson;
  const names = namesAt({ node, pointer }, known).filter((name) => !declared.has(name));
  const least = Math.max(0, (countAt(node, "minProperties") ?? 0) - declared.size);
  const sizes = sizesFor(least, isDescribed ? countAt(node, "maxProperties") : undefined);
  return sizes.chain((size) =>
    fc
      .uniqueArray(fc.tuple(names, value), {
        minLength: size,
        maxLength: size,
        selector: ([name]) => name,
      })
      .map(objectOf),
  );
}

function namesAt({ node, pointer }: Place, known: Known): fc.Arbitrary<string> {
  const rule = node["propertyNames"];
  const schema = rule === undefined ? {} : schemaAt(`${pointer}/propertyNames`).node;
  const own = fc.oneof(
    { weight: 3, arbitrary: textsFor(schema) },
    { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "a/b", "a~b", "😀") },
  );
  const found = known(`${pointer}/*`);
  const names = found === undefined ? found : { ...found, values: found.values.map(textOf) };
  return mixed(own, names).map(textOf);
}

/** More often what is known, else hardly a request would be right in all its parts. */
function mixed(own: Values, found: KnownValues | undefined): Values {
  if (found === undefined) return own;
  return fc.oneof({ weight: 1, arbitrary: own }, { weight: 4, arbitrary: found.values });
}
