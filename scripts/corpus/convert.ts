// The schemas of a document in the words of JSON Schema 2020-12, as a reader of OpenAPI would write them by hand:
// nothing of the generator takes part.

import {
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textOf,
} from "../../generator/suite/json.ts";

export type Side = "request" | "answer";

/** Of requests and of answers: what marks the properties that they need not have (3.1.1, section 4.8.24.3). */
const marks = { request: "readOnly", answer: "writeOnly" } as const;

/** A copy for one side; undefined: as written, without regard to directions. */
export function convert(document: JsonObject, side: Side | undefined): JsonObject {
  const is30 = textOf(document["openapi"]).startsWith("3.0");
  const mark = side === undefined ? undefined : marks[side];
  const schemas = objectAt(objectAt(document, "components"), "schemas");
  const converted = (value: Json, isMap = false): Json => {
    if (Array.isArray(value)) return value.map((one) => converted(one));
    if (!isObject(value)) return value;
    // OpenAPI 3.0.4, section 4.7.23: what stands beside a reference is ignored
    if (is30 && typeof value["$ref"] === "string") return { $ref: value["$ref"] };
    const copy: JsonObject = {};
    for (const [name, one] of Object.entries(value)) {
      const kept =
        !isMap && isValue.has(name) ? one : converted(one, !isMap && isOfNames.has(name));
      // `__proto__` is a name like any other
      const member = { value: kept, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(copy, name, member);
    }
    if (isMap) return copy;
    exclude(copy, "minimum", "exclusiveMinimum");
    exclude(copy, "maximum", "exclusiveMaximum");
    allowNull(copy);
    if (mark !== undefined) relax(copy, mark, schemas);
    choose(copy, schemas);
    return copy;
  };
  const result = converted(document);
  return isObject(result) ? result : {};
}

/** What is no schema, whatever it looks like. */
const isValue = new Set(["example", "examples", "enum", "const", "default"]);

/** Where names are the document's own: a property, or an answer, may be called "default". */
const isOfNames = new Set(
  (
    "properties patternProperties dependentSchemas $defs definitions schemas responses headers parameters requestBodies " +
    "callbacks links paths webhooks pathItems"
  ).split(" "),
);

/** A bound that is exclusive by a flag (OpenAPI 3.0, as in draft 5 of JSON Schema). */
function exclude(schema: JsonObject, bound: string, exclusive: string): void {
  const flag = schema[exclusive];
  if (typeof flag !== "boolean") return;
  delete schema[exclusive];
  const limit = schema[bound];
  if (!flag || limit === undefined) return;
  delete schema[bound];
  schema[exclusive] = limit;
}

/** Without a type it says nothing, and an enum lists null itself (OpenAPI 3.0.3). */
function allowNull(schema: JsonObject): void {
  const { nullable, type } = schema;
  if (typeof nullable !== "boolean") return;
  delete schema["nullable"];
  if (!nullable || type === undefined) return;
  schema["type"] = [...new Set([...(Array.isArray(type) ? type : [type]), "null"])];
}

function relax(schema: JsonObject, mark: string, schemas: JsonObject): void {
  const required = listAt(schema, "required");
  const properties = objectAt(schema, "properties");
  if (required.length === 0) return;
  schema["required"] = required.filter((name) => {
    const property = objectAt(properties, textOf(name));
    const target = objectAt(schemas, componentOf(property["$ref"]) ?? "");
    return property[mark] !== true && target[mark] !== true;
  });
}

/**
 * The tag of a discriminator chooses the one alternative that counts; where it names none there is no other
 * (`docs/generator.md`, where it differs on purpose). A tag that two alternatives share chooses nothing.
 */
function choose(schema: JsonObject, schemas: JsonObject): void {
  const discriminator = schema["discriminator"];
  const list = schema["oneOf"] === undefined ? "anyOf" : "oneOf";
  if (!isObject(discriminator)) return;
  const tag = textOf(discriminator["propertyName"]);
  const chosen: (readonly [text: string, name: string])[] = [];
  for (const one of listAt(schema, list)) {
    const name = isObject(one) ? componentOf(one["$ref"]) : undefined;
    if (name === undefined) return;
    const pinned = pinnedBy(objectAt(objectAt(schemas, name), "properties"), tag);
    const mapped = Object.entries(objectAt(discriminator, "mapping"))
      .filter(([, target]) => (componentOf(target) ?? target) === name)
      .map(([text]) => text);
    const texts = [pinned, mapped, [name]].find((some) => some.length > 0) ?? [];
    chosen.push(...texts.map((text) => [text, name] as const));
  }
  const texts = chosen.map(([text]) => text);
  if (texts.length === 0 || new Set(texts).size < texts.length) return;
  delete schema[list];
  const conditions = chosen.map(([text, name]) => ({
    if: { properties: { [tag]: { const: text } }, required: [tag] },
    then: { $ref: `#/components/schemas/${encodeURIComponent(escapeToken(name))}` },
  }));
  schema["allOf"] = [
    ...listAt(schema, "allOf"),
    { type: "object", required: [tag], properties: { [tag]: { enum: texts } } },
    ...conditions,
  ];
}

/** The texts that a schema itself allows for the tag. */
function pinnedBy(properties: JsonObject, tag: string): readonly string[] {
  const property = objectAt(properties, tag);
  const values = property["const"] === undefined ? listAt(property, "enum") : [property["const"]];
  return values.filter((value): value is string => typeof value === "string");
}

function componentOf(reference: Json | undefined): string | undefined {
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(textOf(reference)) ?? [];
  return name === undefined
    ? undefined
    : decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
}
