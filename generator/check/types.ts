// The types that a schema names.

import type { Json, JsonObject } from "../json.ts";
import { put } from "../json.ts";
import { closest } from "../read/similar.ts";
import type { Report } from "../read/origins.ts";
import { nameOf } from "./fields.ts";
import type { Version } from "../read/fields.ts";

const types31 = ["string", "number", "integer", "boolean", "array", "object", "null"];
const types30 = types31.filter((type) => type !== "null");

/** The types a schema names, none when it names none. */
export function typesOf(schema: JsonObject): string[] {
  const type = schema["type"];
  return (Array.isArray(type) ? type : [type]).filter(
    (one): one is string => typeof one === "string",
  );
}

/** Whether it names something that is no type: what is said of types beside it means nothing. */
export function hasWrongType(schema: JsonObject): boolean {
  return typesOf(schema).some((type) => !types31.includes(type));
}

export function checkTypes(node: JsonObject, version: Version, report: Report): void {
  const type = node["type"];
  if (type === undefined) return;
  if (version === "3.0" && type === "null") {
    const message = 'the type "null" belongs to OpenAPI 3.1';
    const advice = 'write "nullable: true" beside the type that a value has otherwise';
    report.error("OAG426", [node, "type"], [message, advice]);
    return;
  }
  if (!Array.isArray(type)) {
    const isKnown = checkType(type, { node, known: version === "3.0" ? types30 : types31, report });
    if (!isKnown && report.allows("OAG401")) delete node["type"];
    return;
  }
  if (version === "3.0") {
    report.error(
      "OAG402",
      [node, "type"],
      ["a list of types belongs to OpenAPI 3.1", 'write one type, with "nullable: true" for null'],
    );
    if (!report.allows("OAG402")) return;
  }
  checkList(node, type, report);
}

function checkList(node: JsonObject, list: readonly Json[], report: Report): void {
  if (list.length === 0) {
    report.error(
      "OAG403",
      [node, "type"],
      ["the list of types is empty", "name at least one type"],
    );
    if (report.allows("OAG403")) delete node["type"];
  }
  const areKnown = list.map((one) => checkType(one, { node, known: types31, report }));
  if (areKnown.includes(false) && report.allows("OAG401")) {
    delete node["type"];
    return;
  }
  const different = new Set(list);
  if (different.size === list.length) return;
  report.error("OAG404", [node, "type"], ["a type is named twice", "name each type once"]);
  if (report.allows("OAG404")) put(node, "type", [...different]);
}

interface TypeCheck {
  readonly node: JsonObject;
  readonly known: readonly string[];
  readonly report: Report;
}

function checkType(one: Json, { node, known, report }: TypeCheck): boolean {
  if (typeof one === "string" && known.includes(one)) return true;
  const guess = typeof one === "string" ? closest(one, known) : undefined;
  const advice =
    guess === undefined ? `write one of ${known.join(", ")}` : `did you mean "${guess}"?`;
  report.error(
    "OAG401",
    [node, "type"],
    [`${nameOf(one)} is not a type`, one === null ? 'write "null" in quotes' : advice],
  );
  return false;
}
