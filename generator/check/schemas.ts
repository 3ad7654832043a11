// Rules of schemas that the shape alone does not say: types, patterns, bounds, and keywords that
// the generated validation cannot honour. None of them is passed over in silence.

import type { Json, JsonObject } from "../json.ts";
import { equal, isObject, itemsOf, textOf } from "../json.ts";
import { closest } from "../read/similar.ts";
import type { Report } from "../read/origins.ts";
import { walk } from "../read/walk.ts";
import { formats } from "../runtime/formats.ts";
import { heardContents } from "./contents.ts";
import { checkDialect } from "./dialect.ts";
import { checkDiscriminator } from "./discriminator.ts";
import { checkNullable } from "./nullable.ts";
import { patternCosts } from "./pattern-costs.ts";
import { checkRequired } from "./required.ts";
import type { Version } from "../read/fields.ts";
import { nameOf } from "./fields.ts";
import { checkTypes, hasWrongType, typesOf } from "./types.ts";
import { checkVocabularies } from "./vocabularies.ts";

/** Keywords and the one type they speak of. */
const keywordTypes: Readonly<Record<string, readonly string[]>> = {
  pattern: ["string"],
  minLength: ["string"],
  maxLength: ["string"],
  multipleOf: ["number", "integer"],
  minimum: ["number", "integer"],
  maximum: ["number", "integer"],
  exclusiveMinimum: ["number", "integer"],
  exclusiveMaximum: ["number", "integer"],
  items: ["array"],
  prefixItems: ["array"],
  contains: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  uniqueItems: ["array"],
  properties: ["object"],
  patternProperties: ["object"],
  additionalProperties: ["object"],
  propertyNames: ["object"],
  minProperties: ["object"],
  maxProperties: ["object"],
  required: ["object"],
  dependentRequired: ["object"],
  dependentSchemas: ["object"],
  unevaluatedProperties: ["object"],
  unevaluatedItems: ["array"],
};

/** What a text holds; JSON Schema leaves it to the application (validation section 8.1). */
const undecoded = ["contentEncoding", "contentMediaType", "contentSchema"];

/** Formats that only describe; nothing is checked and nothing needs to be said. */
const annotationFormats = new Set(["int32", "int64", "float", "double", "password", "binary"]);

export function checkSchemas(document: JsonObject, version: Version, report: Report): void {
  checkDialect(document, "jsonSchemaDialect", report);
  const heard = heardContents(document);
  const checkPatternCosts = patternCosts(report);
  walk(document, "Document", (node, kind) => {
    if (kind !== "Schema") return;
    checkDialect(node, "$schema", report);
    checkNullable({ document, node, version }, report);
    checkTypes(node, version, report);
    if (!heard.has(node)) checkContents(node, report);
    checkKeywords(node, report);
    checkDiscriminator(node, report);
    checkPatterns(node, report);
    checkPatternCosts(node);
    checkBounds(node, version, report);
    checkRequired(node, version, report);
    checkEnum(node, report);
    checkFormat(node, report);
    if (isObject(node["$vocabulary"])) checkVocabularies(node["$vocabulary"], report);
  });
}

function checkContents(node: JsonObject, report: Report): void {
  for (const keyword of undecoded) {
    // "binary" says that nothing was encoded (RFC 2045, section 6.2)
    if (node[keyword] === undefined || node[keyword] === "binary") continue;
    const message = `"${keyword}" describes what is inside a text, and texts are not taken apart`;
    report.warning("OAG409", [node, keyword, "key"], [message, "check the content in the handler"]);
  }
}

function checkKeywords(node: JsonObject, report: Report): void {
  const named = typesOf(node);
  for (const keyword of Object.keys(node)) {
    const wanted = Object.hasOwn(keywordTypes, keyword) ? keywordTypes[keyword] : undefined;
    if (wanted === undefined || named.length === 0 || wanted.some((type) => named.includes(type)))
      continue;
    if (hasWrongType(node)) continue; // a consequence
    // legal, and without effect: nearly always a slip
    report.warning(
      "OAG406",
      [node, keyword, "key"],
      [
        `"${keyword}" needs type: ${wanted.join(" or ")}, and the type here is ${named.join(", ")}`,
        `remove "${keyword}" or correct the type`,
      ],
    );
  }
  if (node["then"] !== undefined && node["if"] === undefined) orphan(node, ["then", "if"], report);
  if (node["else"] !== undefined && node["if"] === undefined) orphan(node, ["else", "if"], report);
  for (const limit of ["minContains", "maxContains"]) {
    if (node[limit] !== undefined && node["contains"] === undefined)
      orphan(node, [limit, "contains"], report);
  }
  for (const combination of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
    const list = node[combination];
    if (Array.isArray(list) && list.length === 0) {
      report.error(
        "OAG408",
        [node, combination],
        [`"${combination}" is empty`, `add a member or remove "${combination}"`],
      );
      if (report.allows("OAG408")) delete node[combination];
    }
  }
  const dependent = node["dependentRequired"];
  if (!isObject(dependent)) return;
  for (const [name, item] of Object.entries(dependent)) {
    if (Array.isArray(item) && item.every((one) => typeof one === "string")) continue;
    report.error(
      "OAG304",
      [dependent, name],
      ["must be a list of property names", "write a list of texts"],
    );
    if (report.allows("OAG304")) delete dependent[name];
  }
}

type Pair = readonly [keyword: string, needed: string];

function orphan(node: JsonObject, [keyword, needed]: Pair, report: Report): void {
  report.warning(
    "OAG407",
    [node, keyword, "key"],
    [`"${keyword}" says nothing without "${needed}"`, `add "${needed}" or remove "${keyword}"`],
  );
}

function checkPatterns(node: JsonObject, report: Report): void {
  const pattern = textOf(node["pattern"]);
  if (pattern !== undefined) checkPattern([node, "pattern"], pattern, report);
  const patterns = node["patternProperties"];
  if (!isObject(patterns)) return;
  for (const name of Object.keys(patterns)) checkPattern([patterns, name], name, report);
}

/** `where`: the pattern itself, or what is held by it. */
function checkPattern(
  where: readonly [holder: JsonObject, name: string],
  pattern: string,
  report: Report,
): void {
  const failure = compileError(pattern, "u");
  if (failure === undefined) return;
  if (compileError(pattern, "") === undefined) {
    report.warning("OAG410", where, [
      `the pattern is not valid with the unicode flag (${failure}) and is matched without it`,
      "escape only characters that need it, for example - or / outside a class do not",
    ]);
  } else {
    report.error("OAG411", where, [
      `the pattern is not a regular expression of ECMA-262: ${failure}`,
      "correct the pattern",
    ]);
    const [holder, name] = where;
    if (report.allows("OAG411")) delete holder[name];
  }
}

function compileError(pattern: string, flags: string): string | undefined {
  try {
    RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /, "") : String(error);
  }
}

const bounds: readonly (readonly [low: string, high: string])[] = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minContains", "maxContains"],
];

function checkBounds(node: JsonObject, version: Version, report: Report): void {
  for (const [low, high] of bounds) {
    const from = node[low];
    const to = node[high];
    if (typeof from === "number" && typeof to === "number" && from > to) {
      report.warning(
        "OAG412",
        [node, low],
        [`"${low}" ${from} is above "${high}" ${to}: no value can pass`, "correct one of the two"],
      );
    }
  }
  for (const name of ["exclusiveMinimum", "exclusiveMaximum"]) {
    const value = node[name];
    const wanted = version === "3.0" ? "boolean" : "number";
    if (value === undefined || typeof value === wanted) continue;
    if (typeof value !== "number" && typeof value !== "boolean") {
      report.error(
        "OAG304",
        [node, name],
        [`"${name}" must be a ${wanted}, not ${nameOf(value)}`, `write a ${wanted}`],
      );
      if (report.allows("OAG304")) delete node[name];
      continue;
    }
    const advice =
      version === "3.0" ? "write true beside the bound" : "write the bound itself as a number";
    report.error(
      "OAG413",
      [node, name],
      [`"${name}" must be a ${wanted} in OpenAPI ${version}`, advice],
    );
  }
  const divisor = node["multipleOf"];
  if (typeof divisor === "number" && divisor <= 0) {
    report.error(
      "OAG414",
      [node, "multipleOf"],
      ['"multipleOf" must be above 0', "write a positive number"],
    );
    if (report.allows("OAG414")) delete node["multipleOf"];
  }
}

function checkEnum(node: JsonObject, report: Report): void {
  const values = itemsOf(node["enum"]);
  const list = node["enum"];
  if (Array.isArray(list) && list.length === 0) {
    report.warning(
      "OAG415",
      [node, "enum"],
      ['"enum" is empty: no value can pass', "add a value or remove it"],
    );
  }
  for (const [index, value] of values.entries()) {
    const earlier = values.slice(0, index).some((other: Json) => equal(other, value));
    if (earlier && Array.isArray(list)) {
      report.warning(
        "OAG416",
        [list, index],
        [`${nameOf(value)} stands in the enum twice`, "remove one of the two"],
      );
    }
  }
}

function checkFormat(node: JsonObject, report: Report): void {
  const format = textOf(node["format"]);
  if (format === undefined || Object.hasOwn(formats, format) || annotationFormats.has(format))
    return;
  const guess = closest(format, Object.keys(formats));
  const advice =
    guess === undefined
      ? 'add a "pattern" if values must be checked'
      : `did you mean "${guess}"? Otherwise add a "pattern"`;
  report.warning("OAG417", [node, "format"], [`the format "${format}" is not checked`, advice]);
}
