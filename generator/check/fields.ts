// Whether a field of an object holds what OpenAPI says it holds.

import type { Json, JsonObject } from "../json.ts";
import { isObject, put } from "../json.ts";
import { closest } from "../read/similar.ts";
import type { Report } from "../read/origins.ts";
import { isSince, type Version } from "../read/fields.ts";
import type { Field, Kind, PlainType } from "../read/shapes.ts";
import { shapes } from "../read/shapes.ts";

interface FieldCheck {
  readonly node: JsonObject;
  readonly name: string;
  readonly value: Json;
  readonly field: Field;
  readonly version: Version;
  readonly report: Report;
}

export function checkField({ node, name, value, field, version, report }: FieldCheck): void {
  const expected = expectedType(field);
  if (expected !== undefined && !isOfType(value, expected)) {
    const message = `"${name}" must be ${withArticle(expected)}, not ${nameOf(value)}`;
    refuse({ holder: node, name, value, field, wanted: expected }, message, report);
    return;
  }
  if (field.values !== undefined) checkValue({ node, name, value, field, version, report });
  if (field.items === undefined && field.many === undefined) {
    if (field.kind !== undefined) checkChild(node, name, { kind: field.kind, value, report });
    return;
  }
  if (Array.isArray(value) || isObject(value)) checkItems(value, field, report);
}

function checkValue({ node, name, value, field, version, report }: FieldCheck): void {
  const { values = [], valuesSince = {} } = field;
  if (typeof value !== "string") return;
  const since = Object.hasOwn(valuesSince, value) ? valuesSince[value] : undefined;
  if (since !== undefined && !isSince(version, since)) {
    report.error("OAG303", [node, name], wrongVersion(value, since));
  } else if (!values.includes(value)) {
    const known = valuesOf(field, version);
    const guess = closest(value, known);
    const advice =
      guess === undefined ? `write one of ${known.join(", ")}` : `did you mean "${guess}"?`;
    report.error("OAG305", [node, name], [`"${value}" is not a value of "${name}"`, advice]);
  }
}

function valuesOf({ values = [], valuesSince = {} }: Field, version: Version): readonly string[] {
  return values.filter((one) => isSince(version, valuesSince[one] ?? "3.0"));
}

export function wrongVersion(name: string, since: Version): [message: string, advice: string] {
  const advice = `set "openapi: ${since}.0" or say it another way`;
  return [`"${name}" belongs to OpenAPI ${since}`, advice];
}

function checkItems(holder: Json[] | JsonObject, field: Field, report: Report): void {
  // from the end, since what is left out of a list moves what stands behind it
  const entries = Object.entries(holder);
  for (const [key, item] of Array.isArray(holder) ? entries.toReversed() : entries) {
    if (field.isExtended === true && key.startsWith("x-")) continue;
    if (field.kind !== undefined) {
      checkChild(holder, key, { kind: field.kind, value: item, report });
    } else if (field.items !== undefined && !isOfType(item, field.items)) {
      const message = `must be ${withArticle(field.items)}, not ${nameOf(item)}`;
      refuse({ holder, name: key, value: item, field, wanted: field.items }, message, report);
    }
  }
}

interface Wrong {
  readonly holder: Json[] | JsonObject;
  readonly name: string;
  readonly value: Json;
  readonly field: Field;
  readonly wanted: PlainType;
}

function refuse(
  { holder, name, value, field, wanted }: Wrong,
  message: string,
  report: Report,
): void {
  const said = [message, `write ${withArticle(wanted)}`] as const;
  if (field.isProtecting === true) {
    report.error("OAG704", [holder, name], said);
  } else if (field.kind !== undefined) {
    report.error("OAG307", [holder, name], said);
  } else {
    report.error("OAG304", [holder, name], said);
    if (report.allows("OAG304")) replace(holder, name, asWanted(value, wanted));
  }
}

function replace(holder: Json[] | JsonObject, name: string, value: Json | undefined): void {
  if (Array.isArray(holder))
    holder.splice(Number(name), 1, ...(value === undefined ? [] : [value]));
  else if (value === undefined) delete holder[name];
  else put(holder, name, value);
}

/** What a plain value says in or out of quotes; undefined where it is of another kind. */
function asWanted(value: Json, wanted: PlainType): Json | undefined {
  if (value === null || typeof value === "object") return undefined;
  if (wanted === "string") return String(value);
  if (typeof value !== "string") return undefined;
  if (wanted === "boolean" && /^(?:true|false)$/.test(value)) return value === "true";
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(value) && (wanted === "number" || wanted === "integer");
  return isNumber && isOfType(Number(value), wanted) ? Number(value) : undefined;
}

interface ChildCheck {
  readonly kind: Kind;
  readonly value: Json;
  readonly report: Report;
}

function checkChild(parent: object, name: string, { kind, value, report }: ChildCheck): void {
  if (isObject(value) || (kind === "Schema" && typeof value === "boolean")) return;
  report.error(
    "OAG307",
    [parent, name],
    [
      `${shapes[kind].article} must be an object, not ${nameOf(value)}`,
      `write ${shapes[kind].article} here`,
    ],
  );
}

/** Whether the field could hold the value, as far as its type says. */
export function fitsField(field: Field, value: Json): boolean {
  const expected = expectedType(field);
  if (expected !== undefined) return isOfType(value, expected);
  return isObject(value) || (field.kind === "Schema" && typeof value === "boolean");
}

function expectedType(field: Field): PlainType | undefined {
  if (field.many === "list") return "array";
  if (field.many === "map") return "object";
  return field.kind === undefined ? field.type : undefined;
}

function isOfType(value: Json, type: PlainType): boolean {
  if (type === "any") return true;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return typeof value === "number" && Number.isInteger(value) && value >= 0;
  return typeof value === type;
}

function withArticle(type: PlainType): string {
  if (type === "integer") return "a whole number of at least 0";
  if (type === "string") return "text";
  return type === "array" || type === "object" ? `an ${type}` : `a ${type}`;
}

export function nameOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string"
    ? `the text ${JSON.stringify(value.slice(0, 40))}`
    : `the ${typeof value} ${String(value)}`;
}

/** What a missing field would hold. */
export function hint(field: Field, version: Version): string {
  if (field.values !== undefined) return `, one of ${valuesOf(field, version).join(", ")}`;
  return field.type === "string" ? ", a text" : "";
}
