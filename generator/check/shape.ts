// Is every object of the document what OpenAPI says it is? Unknown fields are errors: a
// misspelt keyword that is silently ignored is a promise nobody keeps.

import type { ErrorCode } from "../diagnostics/codes.ts";
import type { Json, JsonObject } from "../json.ts";
import { put, textOf } from "../json.ts";
import { closest } from "../read/similar.ts";
import type { Report } from "../read/origins.ts";
import { isSince, type Version, versions } from "../read/fields.ts";
import type { Field, Kind, Shape } from "../read/shapes.ts";
import { shapes } from "../read/shapes.ts";
import { walk } from "../read/walk.ts";
import { checkField, fitsField, hint, nameOf, wrongVersion } from "./fields.ts";

/** The version of the document; undefined (and reported) when it is none we read. */
export function versionOf(document: JsonObject, report: Report): Version | undefined {
  const version = textOf(document["openapi"]);
  const [, named] = /^(\d+\.\d+)\.\d+(?:-.+)?$/.exec(version ?? "") ?? [];
  const known = versions.find((one) => one === named);
  if (known !== undefined) return known;
  if (document["swagger"] !== undefined) {
    report.error(
      "OAG112",
      [document, "swagger"],
      [
        `Swagger ${textOf(document["swagger"]) ?? "?"} is not supported`,
        'write "openapi: 3.2.0"; OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are read',
      ],
    );
  } else if (version === undefined) {
    const found = document["openapi"];
    const message =
      found === undefined ? '"openapi" is missing' : `"openapi" must be text, not ${nameOf(found)}`;
    const where = found === undefined ? ([document] as const) : ([document, "openapi"] as const);
    report.error("OAG113", where, [message, 'begin with "openapi: 3.2.0"']);
  } else {
    const advice = 'write "openapi: 3.2.0"; 3.0, 3.1 and 3.2 are read';
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
  const reference =
    shape.reference === true &&
    isSince(version, shape.referenceSince ?? "3.0") &&
    node["$ref"] !== undefined;
  if (reference && !checkReference(node, kind, judging)) return;
  for (const [name, value] of Object.entries(node)) {
    if (name.startsWith("x-") || (reference && name === "$ref")) continue;
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : shape.others;
    if (field === undefined) {
      // JSON Schema 2020-12 takes what it does not know for a remark (core, section 6.5)
      const isRemark = kind === "Schema" && version !== "3.0" && !isMisspelt(name, shape);
      if (isRemark) report.warning("OAG405", [node, name, "key"], remark(name));
      else checkUnknown(node, name, { kind, judging });
      continue;
    }
    if (field.since !== undefined && !isSince(version, field.since)) {
      report.error("OAG303", [node, name, "key"], wrongVersion(name, field.since));
      if (!report.allows("OAG303")) continue;
    }
    checkField({ node, name, value, field, version, report });
  }
  if (!reference) checkMissing(node, shape, judging);
}

/** What asks for protection and is no field would protect nothing. */
const protecting: ReadonlySet<Kind> = new Set(["Document", "PathItem", "Operation"]);

function checkUnknown(
  node: JsonObject,
  name: string,
  { kind, judging }: { readonly kind: Kind; readonly judging: Judging },
): void {
  const { report } = judging;
  const shape = shapes[kind];
  const isProtection = /secur|auth(?!ors?$)/i.test(name) || closest(name, ["security"]);
  if (protecting.has(kind) && isProtection) {
    const where = kind === "PathItem" ? "each of its operations" : "the document or its operations";
    const message = `"${name}" is not a field of ${shape.article}: it protects nothing`;
    report.error("OAG703", [node, name, "key"], [message, `write "security" in ${where}`]);
    return;
  }
  report.error("OAG301", [node, name, "key"], unknownField(name, shape));
  if (report.allows("OAG301")) delete node[name];
  else if (kind !== "Schema") readAsMeant(node, name, { shape, judging });
}

/** That the field is missing, and all that follows from that, is the same mistake. A schema misses nothing. */
function readAsMeant(
  node: JsonObject,
  name: string,
  { shape, judging }: { readonly shape: Shape; readonly judging: Judging },
): void {
  const meant = closest(name, Object.keys(shape.fields));
  const field = meant === undefined ? undefined : shape.fields[meant];
  const value = node[name];
  if (meant === undefined || field === undefined || value === undefined) return;
  if (node[meant] !== undefined || !fitsField(field, value)) return;
  delete node[name];
  put(node, meant, value);
  checkField({ node, name: meant, value, field, ...judging });
}

const requiredByShape = new Map<Shape, readonly (readonly [string, Field])[]>();

/** Fields that some version requires. */
function requiredOf(shape: Shape): readonly (readonly [string, Field])[] {
  const known = requiredByShape.get(shape);
  if (known !== undefined) return known;
  const required = Object.entries(shape.fields).filter(([, field]) => field.required === true);
  requiredByShape.set(shape, required);
  return required;
}

function checkMissing(node: JsonObject, shape: Shape, { version, report }: Judging): void {
  for (const [name, field] of requiredOf(shape)) {
    if (!isRequired(field, version) || node[name] !== undefined) continue;
    const said = [
      `"${name}" is missing`,
      `${shape.article} needs "${name}"${hint(field, version)}`,
    ] as const;
    const [code, instead] = withoutIt(field);
    report.error(code, [node], said);
    if (instead !== undefined && report.allows(code)) put(node, name, instead);
  }
}

/** What is said of a field that is missing, and what stands for it where that is allowed. */
function withoutIt({ isForPeople, isOffer }: Field): readonly [code: ErrorCode, instead?: Json] {
  if (isForPeople === true) return ["OAG306", ""];
  return isOffer === true ? ["OAG706", {}] : ["OAG302"];
}

function isRequired({ required, optionalSince }: Field, version: Version): boolean {
  return required === true && !(optionalSince !== undefined && isSince(version, optionalSince));
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
  if (kind === "Schema" && version !== "3.0") return true;
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
