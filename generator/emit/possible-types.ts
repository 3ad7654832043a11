// The types that values of a schema can have at all, by what it and its members say of types and values.

import type { Json, JsonObject } from "../json.ts";
import { isObject, itemsOf, textOf } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";
import { assertedTypes, fitsType, type JsonType, jsonTypes, valuesOf } from "./schema-facts.ts";

export type Types = ReadonlySet<JsonType>;

const answers = new WeakMap<JsonObject, (schema: Json) => Types>();

/** Of a schema of this document, which does not change any more. */
export function possibleTypes(schema: Json, document: JsonObject): Types {
  const answer = answers.get(document) ?? possibleTypesIn(document);
  answers.set(document, answer);
  return answer(schema);
}

/** Whether some value can be of both. */
export function overlap(one: Types, other: Types): boolean {
  return jsonTypes.some((type) => lets(one, type) && lets(other, type));
}

/** What a reference leads to is looked at once. */
function possibleTypesIn(document: JsonObject): (schema: Json) => Types {
  const known = new Map<string, Types>();

  function ofReference(name: string): Types {
    const answer = known.get(name);
    if (answer !== undefined) return answer;
    known.set(name, all); // a circle says nothing that its other members do not say
    const found = ofSchema(schemasOf(document)[name] ?? true);
    known.set(name, found);
    return found;
  }

  function ofSchema(schema: Json): Types {
    if (!isObject(schema)) return schema === false ? none : all;
    const name = componentName(textOf(schema["$ref"]) ?? "");
    const values = valuesOf(schema);
    const said = [
      assertedTypes(schema) ?? all,
      values === undefined ? all : typesOf(values),
      name === undefined ? all : ofReference(name),
      ...itemsOf(schema["allOf"]).map(ofSchema),
      ...["anyOf", "oneOf"].map((word) =>
        schema[word] === undefined ? all : union(itemsOf(schema[word]).map(ofSchema)),
      ),
    ];
    return new Set(jsonTypes.filter((type) => said.every((types) => lets(types, type))));
  }

  return ofSchema;
}

export const all: Types = new Set(jsonTypes);
const none: Types = new Set();

export function lets(types: Types, type: JsonType): boolean {
  return types.has(type) || (type === "integer" && types.has("number"));
}

function typesOf(values: readonly Json[]): Types {
  return new Set(
    jsonTypes.filter((type) => values.some((value) => fitsType(value, new Set([type])))),
  );
}

function union(sets: readonly Types[]): Types {
  return new Set(sets.flatMap((one) => [...one]));
}
