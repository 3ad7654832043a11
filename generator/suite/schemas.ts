// What a written document says of a value, in the words of Ajv: nothing generated takes part.

import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { verdictOf, withJsonEquality, withStrictTimes } from "./ajv-mistakes.ts";
import { schemaNamed } from "./contract.ts";
import { forAnswers } from "./directions.ts";
import {
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textOf,
} from "./json.ts";
import { patternEngine } from "./patterns.ts";
import { withoutExamples } from "./without-examples.ts";

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
   * `additionalProperties` itself, and they are as `forAnswers` has them.
   */
  readonly judgeAnswerAt: (pointer: string) => Judge;
}

export function buildJudges(document: JsonObject): Judges {
  const judgeAt = judgesOf(() => document);
  const judgeAnswerAt = judgesOf(() => closeDocument(forAnswers(document)));
  return { judgeAt, judgeAnswerAt };
}

/** Of a second document of the same size, or up to the first error, only for who asks for it. */
function judgesOf(read: () => JsonObject): (pointer: string) => Judge {
  let whole: Ajv2020 | undefined;
  let brief: Ajv2020 | undefined;
  // Ajv compiles what it is given anew each time, with all that it refers to in a circle.
  const known = new Map<string, Judge>();
  return (pointer) => {
    whole ??= buildAjv(read());
    const judge =
      known.get(pointer) ??
      judgeBy(whole, pointer, () => (brief ??= buildAjv(read(), { allErrors: false })));
    known.set(pointer, judge);
    return judge;
  };
}

function buildAjv(text: JsonObject, { allErrors = true } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    ownProperties: true,
    logger: false,
    // looking whether a schema can be written inline takes twice as long with each list around it
    inlineRefs: false,
    code: { regExp: patternEngine },
  });
  addFormats.default(ajv);
  return withStrictTimes(withJsonEquality(ajv)).addSchema(withoutExamples(text), "contract");
}

function referenceTo(pointer: string): { readonly $ref: string } {
  return { $ref: `contract#${pointer.split("/").map(encodeURIComponent).join("/")}` };
}

/**
 * By a document that `ajv` knows as "contract".
 * @param brief knows the same, and ends at the first error: looking for all of them Ajv may not come to an end
 */
export function judgeBy(ajv: Ajv2020, pointer: string, brief: () => Ajv2020): Judge {
  const validate: ValidateFunction = ajv.compile(referenceTo(pointer));
  let first: ValidateFunction | undefined;
  return (value) => {
    const verdict = verdictOf(validate, value);
    if (verdict !== undefined) return findingsOf(validate, verdict);
    first ??= brief().compile(referenceTo(pointer));
    return findingsOf(first, verdictOf(first, value));
  };
}

function findingsOf({ errors }: ValidateFunction, verdict: boolean | undefined) {
  return verdict === false ? (errors ?? []).map(findingOf) : [];
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
const targetsDepthMax = 10;

function closeDocument(document: JsonObject): JsonObject {
  const copy = structuredClone(document);
  const closing = new Closing(copy);
  const schemas = objectAt(objectAt(copy, "components"), "schemas");
  for (const [name, schema] of Object.entries(schemas)) {
    schemas[name] = closing.close(schema, true);
    schemas[name + openSuffix] = closing.close(schema, false);
  }
  closeInline(copy, closing, true);
  return copy;
}

/** Schemas that stand in responses and headers themselves. */
function closeInline(value: Json, closing: Closing, isRoot = false): void {
  if (Array.isArray(value)) for (const one of value) closeInline(one, closing);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "schema" || name === "itemSchema") value[name] = closing.close(inner, true);
    else if (isRoot && name === "components" && isObject(inner)) {
      const { schemas: _, ...others } = inner;
      closeInline(others, closing);
    } else if (name !== "example" && name !== "examples") closeInline(inner, closing);
  }
}

class Closing {
  readonly #document: JsonObject;
  /** of a schema, members that another one describes as well: neither of the two is the whole of them */
  readonly #shared = new Map<JsonObject, ReadonlySet<string>>();

  constructor(document: JsonObject) {
    this.#document = document;
    this.#findShared(document);
  }

  #findShared(value: Json): void {
    if (Array.isArray(value)) value.forEach((one) => this.#findShared(one));
    if (!isObject(value)) return;
    const all = listAt(value, "allOf");
    if (all.length > 0) this.#noteShared([value, ...all.flatMap((one) => this.#targetsOf(one))]);
    for (const inner of Object.values(value)) this.#findShared(inner);
  }

  #noteShared(together: readonly JsonObject[]): void {
    const names = together.flatMap((one) => Object.keys(objectAt(one, "properties")));
    const twice = names.filter((name, at) => names.indexOf(name) !== at);
    for (const one of together) {
      this.#shared.set(one, new Set([...(this.#shared.get(one) ?? []), ...twice]));
    }
  }

  /** Itself, what it refers to, and what those are made of. */
  #targetsOf(schema: Json, depth = 0): readonly JsonObject[] {
    if (!isObject(schema) || depth > targetsDepthMax) return [];
    const target = schemaNamed(this.#document, schema["$ref"]);
    const below = ["allOf", "oneOf", "anyOf"].flatMap((list) => listAt(schema, list));
    return [
      schema,
      ...[target ?? null, ...below].flatMap((one) => this.#targetsOf(one, depth + 1)),
    ];
  }

  close(schema: Json, isWhole: boolean): Json {
    if (!isObject(schema)) return schema;
    const copy: JsonObject = { ...schema };
    const shared = this.#shared.get(schema) ?? new Set<string>();
    const reference = copy["$ref"];
    if (typeof reference === "string" && !isWhole) copy["$ref"] = reference + openSuffix;
    for (const name of ["properties", "patternProperties"]) {
      const map = copy[name];
      if (!isObject(map)) continue;
      const entries = Object.entries(map).map(
        ([key, one]) => [key, this.close(one, !shared.has(key))] as const,
      );
      copy[name] = Object.fromEntries(entries);
    }
    for (const name of ["items", "additionalProperties"]) {
      const inner = copy[name];
      if (inner !== undefined) copy[name] = this.close(inner, true);
    }
    for (const name of ["allOf", "anyOf", "oneOf"]) {
      const list = copy[name];
      if (Array.isArray(list))
        copy[name] = list.map((one) => this.close(one, isWhole && name !== "allOf"));
    }
    const isObjectSchema = copy["properties"] !== undefined || copy["allOf"] !== undefined;
    if (isWhole && isObjectSchema && copy["additionalProperties"] === undefined) {
      // What must be there may be there, though nobody has described it.
      const undescribed = listAt(copy, "required").map((one) => [textOf(one), true] as const);
      const described = objectAt(copy, "properties");
      copy["properties"] = { ...Object.fromEntries(undescribed), ...described };
      copy["unevaluatedProperties"] = false;
    }
    return copy;
  }
}
