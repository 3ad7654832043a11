// What a written document says of a value, in the words of Ajv: nothing generated takes part.

import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { escapeToken, isObject, type Json, type JsonObject, objectAt } from "./json.ts";

export interface Finding {
  /** JSON Pointer into the value */
  readonly pointer: string;
  readonly rule: string;
}

export type Judge = (value: Json) => readonly Finding[];

export interface Judges {
  /** Judges by the schema at a pointer of the document, as it is written. */
  readonly judgeAt: (pointer: string) => Judge;
  /**
   * Answers may grow with the contract only, so here every object is closed that does not say
   * `additionalProperties` itself, and every list of known values is one of all values.
   */
  readonly judgeAnswerAt: (pointer: string) => Judge;
}

export function buildJudges(document: JsonObject): Judges {
  const asWritten = buildAjv(document);
  const closed = buildAjv(closeDocument(document));
  return {
    judgeAt: (pointer) => judgeBy(asWritten, pointer),
    judgeAnswerAt: (pointer) => judgeBy(closed, pointer),
  };
}

function buildAjv(text: JsonObject): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, logger: false });
  addFormats.default(ajv);
  ajv.addSchema(text, "contract");
  return ajv;
}

function judgeBy(ajv: Ajv2020, pointer: string): Judge {
  const validate: ValidateFunction = ajv.compile({
    $ref: `contract#${pointer.split("/").map(encodeURIComponent).join("/")}`,
  });
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(findingOf));
}

/** Ajv points at the object; the problem is the member that is missing or too much. */
function findingOf({ instancePath, keyword, params }: ErrorObject): Finding {
  const names: Readonly<Record<string, string>> = {
    required: "missingProperty",
    additionalProperties: "additionalProperty",
    unevaluatedProperties: "unevaluatedProperty",
  };
  const name = names[keyword];
  const member: unknown = name === undefined ? undefined : Reflect.get(params, name);
  const pointer =
    typeof member === "string" ? `${instancePath}/${escapeToken(member)}` : instancePath;
  return { pointer, rule: keyword };
}

// ---------------------------------------------------------------------------------------------
// Answers: what the document does not declare must not be there

/** Members of allOf describe one object together: it is closed once, and they stay open. */
const openSuffix = "-open";

function closeDocument(document: JsonObject): JsonObject {
  const copy = structuredClone(document);
  const schemas = objectAt(objectAt(copy, "components"), "schemas");
  for (const [name, schema] of Object.entries(schemas)) {
    schemas[name] = close(schema, true);
    schemas[name + openSuffix] = close(schema, false);
  }
  return copy;
}

function close(schema: Json, isWhole: boolean): Json {
  if (!isObject(schema)) return schema;
  const copy: JsonObject = { ...schema };
  const reference = copy["$ref"];
  if (typeof reference === "string" && !isWhole) copy["$ref"] = reference + openSuffix;
  for (const name of ["properties", "patternProperties"]) {
    const map = copy[name];
    if (!isObject(map)) continue;
    const entries = Object.entries(map).map(([key, one]) => [key, close(one, true)] as const);
    copy[name] = Object.fromEntries(entries);
  }
  for (const name of ["items", "additionalProperties"]) {
    const inner = copy[name];
    if (inner !== undefined) copy[name] = close(inner, true);
  }
  for (const name of ["allOf", "anyOf", "oneOf"]) {
    const list = copy[name];
    if (Array.isArray(list))
      copy[name] = list.map((one) => close(one, isWhole && name !== "allOf"));
  }
  // Callers have to live with new values; here there must be no other one.
  const known = copy["x-known-values"];
  if (known !== undefined) copy["enum"] = known;
  const isObjectSchema = copy["properties"] !== undefined || copy["allOf"] !== undefined;
  if (isWhole && isObjectSchema && copy["additionalProperties"] === undefined) {
    copy["unevaluatedProperties"] = false;
  }
  return copy;
}
