// Where Ajv dies of a value, or takes a wrong one, and what is done instead.

import type { Ajv2020, KeywordDefinition, ValidateFunction } from "ajv/dist/2020.js";
import { equal, type Json } from "./json.ts";

/**
 * Ajv compares with a library that calls the `toString` and `valueOf` of an object, also where they are members
 * that a document has called so, and dies of it. Here they are members like all others (JSON Schema 2020-12,
 * core, 4.2.2).
 */
export function withJsonEquality(ajv: Ajv2020): Ajv2020 {
  for (const definition of keywords)
    ajv.removeKeyword(String(definition.keyword)).addKeyword(definition);
  return ajv;
}

/**
 * Between day and time Ajv takes any space for the "T" of the grammar (RFC 3339, section 5.6, which leaves a space to
 * what applications show to people), and a server that goes by the grammar refuses it.
 */
export function withStrictTimes(ajv: Ajv2020): Ajv2020 {
  const known = ajv.formats["date-time"];
  if (typeof known !== "object" || !("validate" in known) || typeof known.validate !== "function")
    throw new TypeError("ajv-formats has no function for times");
  // those of texts, by which `formatMinimum` compares as well
  const { validate, compare } = known as TextFormat;
  const isTime = (text: string): boolean => !/\s/.test(text) && validate(text);
  return ajv.addFormat("date-time", { validate: isTime, compare });
}

interface TextFormat {
  readonly validate: (text: string) => boolean;
  readonly compare: (one: string, other: string) => number | undefined;
}

/**
 * What Ajv says; undefined where it cannot. A reference in one way of an anyOf may have evaluated properties, and
 * one in another none: it then writes down the next one nowhere.
 */
export function verdictOf(validate: ValidateFunction, value: Json): boolean | undefined {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const keywords: readonly KeywordDefinition[] = [
  {
    keyword: "enum",
    schemaType: "array",
    validate: (values: readonly Json[], value: Json) => values.some((one) => equal(one, value)),
    error: { message: "must be equal to one of the allowed values" },
  },
  {
    keyword: "const",
    validate: (wanted: Json, value: Json) => equal(wanted, value),
    error: { message: "must be equal to constant" },
  },
  {
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (isWanted: boolean, items: readonly Json[]) => !isWanted || areUnique(items),
    error: { message: "must NOT have duplicate items" },
  },
];

function areUnique(items: readonly Json[]): boolean {
  const plain = new Set<Json>();
  const compound: Json[] = [];
  for (const item of items) {
    const isCompound = typeof item === "object" && item !== null;
    const isKnown = isCompound ? compound.some((one) => equal(one, item)) : plain.has(item);
    if (isKnown) return false;
    if (isCompound) compound.push(item);
    else plain.add(item);
  }
  return true;
}
