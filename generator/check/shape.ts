// Is every object of the document what OpenAPI says it is? Unknown fields are errors: a
// misspelt keyword that is silently ignored is a promise nobody keeps.

import type { Json, JsonObject } from "../json.ts";
import { isObject, textOf } from "../json.ts";
import { closest } from "../read/similar.ts";
import type { Report } from "../read/origins.ts";
import type { Field, Kind, PlainType, Shape } from "../read/shapes.ts";
import { shapes } from "../read/shapes.ts";
import { walk } from "../read/walk.ts";

export type Version = "3.0" | "3.1";

/** The version of the document; undefined (and reported) when it is none we read. */
export function versionOf(document: JsonObject, report: Report): Version | undefined {
  const version = textOf(document["openapi"]);
  if (version !== undefined && /^3\.0\.\d+(-.+)?$/.test(version)) return "3.0";
  if (version !== undefined && /^3\.1\.\d+(-.+)?$/.test(version)) return "3.1";
  if (document["swagger"] !== undefined) {
    report.error(
      "OAG112",
      [document, "swagger", "key"],
      ["this is a Swagger 2.0 document", "convert it to OpenAPI 3.1 first"],
    );
  } else if (version === undefined) {
    const found = document["openapi"];
    const message =
      found === undefined ? '"openapi" is missing' : `"openapi" must be text, not ${nameOf(found)}`;
    const where = found === undefined ? ([document] as const) : ([document, "openapi"] as const);
    report.error("OAG113", where, [message, 'begin with "openapi: 3.1.0"']);
  } else {
    const advice = 'write "openapi: 3.1.0"; 3.0 and 3.1 are read';
    report.error("OAG114", [document, "openapi"], [`OpenAPI ${version} is not supported`, advice]);
  }
  return undefined;
}

export function checkShapes(document: JsonObject, version: Version, report: Report): void {
  walk(document, "Document", (node, kind) => {
    checkNode(node, kind, { version, report });
  });
  if (version === "3.0" && document["paths"] === undefined) {
    report.error(
      "OAG302",
      [document],
      ['"paths" is missing', 'add "paths" with at least one path'],
    );
  }
}

interface Judging {
  readonly version: Version;
  readonly report: Report;
}

function checkNode(node: JsonObject, kind: Kind, judging: Judging): void {
  const { version, report } = judging;
  const shape = shapes[kind];
  const reference = shape.reference === true && node["$ref"] !== undefined;
  if (reference && !checkReference(node, kind, judging)) return;
  for (const [name, value] of Object.entries(node)) {
    if (name.startsWith("x-") || (reference && name === "$ref")) continue;
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : shape.others;
    if (field === undefined) {
      // JSON Schema 2020-12 takes what it does not know for a remark (core, section 6.5)
      const isRemark = kind === "Schema" && version === "3.1" && !isMisspelt(name, shape);
      if (isRemark) report.warning("OAG405", [node, name, "key"], remark(name));
      else report.error("OAG301", [node, name, "key"], unknownField(name, shape));
    } else if (field.only !== undefined && field.only !== version && name !== "nullable")
      report.error("OAG303", [node, name, "key"], wrongVersion(name, field.only));
    else checkField({ node, name, value, field, report });
  }
  if (reference) return;
  for (const [name, field] of Object.entries(shape.fields)) {
    if (field.required !== true || node[name] !== undefined) continue;
    report.error(
      "OAG302",
      [node],
      [`"${name}" is missing`, `${shape.article} needs "${name}"${hint(field)}`],
    );
  }
}

/** True when what stands beside the `$ref` counts too (schemas of 3.1). */
function checkReference(node: JsonObject, kind: Kind, { version, report }: Judging): boolean {
  if (typeof node["$ref"] !== "string") {
    report.error(
      "OAG206",
      [node, "$ref"],
      ["a $ref must be text", 'write a reference such as "#/components/schemas/Name"'],
    );
    return false;
  }
  if (kind === "Schema" && version === "3.1") return true;
  const beside = Object.keys(node).filter((name) => name !== "$ref" && !name.startsWith("x-"));
  const harmless = new Set(["summary", "description"]);
  for (const name of beside.filter((one) => !harmless.has(one))) {
    report.warning(
      "OAG207",
      [node, name, "key"],
      [`"${name}" beside a $ref is ignored`, "remove it, or write the referred object out here"],
    );
  }
  return false;
}

function unknownField(name: string, shape: Shape): [message: string, advice: string] {
  const guess = closest(name, Object.keys(shape.fields));
  const advice =
    guess === undefined
      ? 'remove it; extensions begin with "x-"'
      : `did you mean "${guess}"? Extensions begin with "x-"`;
  return [`"${name}" is not a field of ${shape.article}`, advice];
}

function isMisspelt(name: string, { fields }: Shape): boolean {
  return closest(name, Object.keys(fields)) !== undefined;
}

function remark(name: string): [message: string, advice: string] {
  return [
    `"${name}" is not a keyword of JSON Schema 2020-12, and is not looked at`,
    'remove it, or begin it with "x-"',
  ];
}

function wrongVersion(name: string, only: Version): [message: string, advice: string] {
  const advice = `set "openapi: ${only}.0" or say it another way`;
  return [`"${name}" belongs to OpenAPI ${only}`, advice];
}

interface FieldCheck {
  readonly node: JsonObject;
  readonly name: string;
  readonly value: Json;
  readonly field: Field;
  readonly report: Report;
}

function checkField({ node, name, value, field, report }: FieldCheck): void {
  const expected = expectedType(field);
  if (expected !== undefined && !isOfType(value, expected)) {
    report.error(
      "OAG304",
      [node, name],
      [
        `"${name}" must be ${withArticle(expected)}, not ${nameOf(value)}`,
        `write ${withArticle(expected)}`,
      ],
    );
    return;
  }
  if (field.values !== undefined && typeof value === "string" && !field.values.includes(value)) {
    const guess = closest(value, field.values);
    const advice =
      guess === undefined ? `write one of ${field.values.join(", ")}` : `did you mean "${guess}"?`;
    report.error("OAG305", [node, name], [`"${value}" is not a value of "${name}"`, advice]);
  }
  if (field.items === undefined && field.many === undefined) {
    if (field.kind !== undefined) checkChild(node, name, { kind: field.kind, value, report });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (field.isExtended === true && key.startsWith("x-")) continue;
    if (field.kind !== undefined) checkChild(value, key, { kind: field.kind, value: item, report });
    else if (field.items !== undefined && !isOfType(item, field.items)) {
      report.error(
        "OAG304",
        [value, key],
        [
          `must be ${withArticle(field.items)}, not ${nameOf(item)}`,
          `write ${withArticle(field.items)}`,
        ],
      );
    }
  }
}

interface ChildCheck {
  readonly kind: Kind;
  readonly value: Json;
  readonly report: Report;
}

function checkChild(parent: object, name: string, { kind, value, report }: ChildCheck): void {
  if (isObject(value) || (kind === "Schema" && typeof value === "boolean")) return;
  report.error(
    "OAG304",
    [parent, name],
    [
      `${shapes[kind].article} must be an object, not ${nameOf(value)}`,
      `write ${shapes[kind].article} here`,
    ],
  );
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

function hint(field: Field): string {
  if (field.values !== undefined) return `, one of ${field.values.join(", ")}`;
  return field.type === "string" ? ", a text" : "";
}
