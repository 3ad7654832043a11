// What the written document says of a value, in the words of Ajv: nothing generated takes part.

import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { document, isObject, type Json, type JsonObject } from "./contract-document.ts";

export interface Finding {
  /** JSON Pointer into the value */
  readonly pointer: string;
  readonly rule: string;
}

export type Judge = (value: Json) => readonly Finding[];

function buildAjv(text: JsonObject): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, logger: false });
  addFormats.default(ajv);
  ajv.addSchema(text, "contract");
  return ajv;
}

const asWritten = buildAjv(document);

/** Judges by the schema at a pointer of the document, as it is written. */
export function judgeAt(pointer: string): Judge {
  return judgeBy(asWritten, pointer);
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
    typeof member === "string" ? `${instancePath}/${escapeMember(member)}` : instancePath;
  return { pointer, rule: keyword };
}

function escapeMember(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

// ---------------------------------------------------------------------------------------------
// Answers: what the document does not declare must not be there

/**
 * Answers may grow with the contract only, so here every object is closed that does not say
 * `additionalProperties` itself. Members of allOf describe one object together: it is closed once.
 */
const openSuffix = "-open";
const closed = buildAjv(closeDocument());

export function judgeAnswerAt(pointer: string): Judge {
  return judgeBy(closed, pointer);
}

function closeDocument(): JsonObject {
  const copy = structuredClone(document);
  const components = copy["components"];
  const schemas = isObject(components) ? components["schemas"] : undefined;
  if (!isObject(schemas)) throw new Error("the document has no component schemas");
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
  const isObjectSchema = copy["properties"] !== undefined || copy["allOf"] !== undefined;
  if (isWhole && isObjectSchema && copy["additionalProperties"] === undefined) {
    copy["unevaluatedProperties"] = false;
  }
  return copy;
}
