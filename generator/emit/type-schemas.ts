// The type of a schema, as openapi-typescript writes it: what a schema says of its own, what holds besides (allOf), and
// of what one holds (anyOf, oneOf).

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, textOf } from "../json.ts";
import { fileMark } from "../normalise/files.ts";
import { follow } from "../normalise/references.ts";
import { typeComment } from "./type-comments.ts";
import * as types from "./type-text.ts";
import type { Member, Type } from "./type-text.ts";
import { never as neverMark } from "./typed-schemas.ts";

export interface Schemas {
  readonly document: JsonObject;
  /** the type of a component, by what a reference to it says */
  readonly reference: (reference: string) => Type;
  /** the type with these of its names in any case */
  readonly requiring: (type: Type, names: Type) => Type;
  /** a client hands bytes of a form over as they are; in a component they may stand in JSON */
  readonly isInComponent: boolean;
}

/** Of a component or a property. */
export function namedType(schema: Json, schemas: Schemas): Type {
  const special = isObject(schema) ? specialType(schema, schemas) : undefined;
  return special ?? schemaType(schema, schemas);
}

export function schemaType(schema: Json, schemas: Schemas): Type {
  if (!isObject(schema)) return schema === true ? types.unknown : types.never;
  const { $ref: reference, const: constant, enum: values } = schema;
  if (schema[fileMark] !== undefined) return types.file;
  if (typeof reference === "string") return schemas.reference(reference);
  if (constant !== undefined) return types.literalType(constant);
  const isOfObjects = schema["type"] === "object" || schema["properties"] !== undefined;
  if (Array.isArray(values) && !isOfObjects && schema["additionalProperties"] === undefined) {
    const hasNull = Array.isArray(schema["type"]) && schema["type"].includes("null");
    return types.union([...values.map(types.literalType), ...(hasNull ? [types.nothing] : [])]);
  }
  return composed(schema, schemas);
}

function composed(schema: JsonObject, schemas: Schemas): Type {
  const { anyOf, oneOf } = schema;
  const core = coreType(schema, schemas);
  const all = allOfTypes(schema, schemas);
  const own = core === undefined ? [] : [core];
  let type = all.length === 0 ? core : types.intersection([...own, types.intersection(all)]);
  const before = (): readonly Type[] => (type === undefined ? [] : [type]);
  const any = itemsOf(anyOf).map((one) => schemaType(one, schemas));
  if (any.length > 0) type = types.union([...before(), ...any]);
  const one = oneOf === undefined ? valuesOfObjects(schema) : itemsOf(oneOf);
  const ways = one.map((way) => schemaType(way, schemas));
  if (ways.length > 0) {
    const isPlain = ways.every(types.isPrimitive);
    type = isPlain
      ? types.union([...before(), ...ways])
      : types.intersection([...before(), types.union(ways)]);
  }
  return type ?? (schema["type"] === undefined ? types.unknown : types.record(types.unknown));
}

/** Of objects that are listed it is not said what they hold. */
function valuesOfObjects({ type, enum: values }: JsonObject): readonly Json[] {
  return type === "object"
    ? itemsOf(values)
        .filter(isObject)
        .map(() => true)
    : [];
}

function allOfTypes({ allOf, required }: JsonObject, schemas: Schemas): readonly Type[] {
  const names = itemsOf(required).filter((name) => typeof name === "string");
  return itemsOf(allOf).map((member) => {
    if (!isObject(member)) return schemaType(member, schemas);
    const reference = textOf(member["$ref"]);
    if (reference === undefined) {
      const own = [...names, ...itemsOf(member["required"])];
      return schemaType({ ...member, required: own }, schemas);
    }
    const type = schemas.reference(reference);
    const properties = propertiesOf(schemas.document, reference);
    const there = names.filter((name) => Object.hasOwn(properties, name));
    if (there.length === 0) return type;
    return schemas.requiring(type, types.union(there.map(types.literalType)));
  });
}

/** Those of the end of a chain of references. */
function propertiesOf(document: JsonObject, reference: string): JsonObject {
  const properties = follow(document, { $ref: reference })?.["properties"];
  return isObject(properties) ? properties : {};
}

const plainTypes: Readonly<Record<string, Type>> = {
  null: types.nothing,
  string: types.text,
  number: types.number,
  integer: types.number,
  boolean: types.flag,
};

const bytes = types.union([types.text, types.named("Blob")]);

/** What the schema says of its own; undefined: nothing that a type can say. */
function coreType(schema: JsonObject, schemas: Schemas): Type | undefined {
  const { type } = schema;
  if (type !== undefined) {
    const special = specialType(schema, schemas);
    if (special !== undefined) return special;
    if (Array.isArray(type)) return types.union(typesOf(schema, type, schemas));
    if (type === "array") return arrayType(schema, schemas);
    const plain = typeof type === "string" ? plainTypes[type] : undefined;
    if (plain !== undefined) return plain;
  }
  return objectType(schema, schemas);
}

function specialType(schema: JsonObject, { isInComponent }: Schemas): Type | undefined {
  if (schema[neverMark] !== undefined) return types.never;
  return isBytes(schema) && !isInComponent ? bytes : undefined;
}

/** Of several types it is asked one by one; values that are listed say more. */
export function isBytes({ format, type = "string", enum: values, const: constant }: JsonObject) {
  return format === "binary" && type === "string" && values === undefined && constant === undefined;
}

/** Of several types, without those that a oneOf beside them names as well. */
function typesOf(schema: JsonObject, named: readonly Json[], schemas: Schemas): readonly Type[] {
  const { oneOf, ...rest } = schema;
  const ways = new Set(itemsOf(oneOf).map((way) => (isObject(way) ? way["type"] : undefined)));
  return named
    .filter((type) => typeof type !== "string" || !(type in plainTypes) || !ways.has(type))
    .map((type) => (type === "null" ? types.nothing : schemaType({ ...rest, type }, schemas)));
}

function arrayType(schema: JsonObject, schemas: Schemas): Type {
  const { items, prefixItems, minItems = 0, maxItems = Infinity } = schema;
  const others = items === undefined ? types.unknown : schemaType(items, schemas);
  if (prefixItems === undefined) return types.array(others);
  const places = itemsOf(prefixItems).slice(0, Number(maxItems));
  const isClosed =
    [items, schema["unevaluatedItems"]].some(isNothing) || Number(maxItems) <= places.length;
  // JSON Schema 2020-12 core, section 10.3.1.1: no place has to be there, and more may come
  return types.tuple(
    places.map((item, at) => ({
      type: schemaType(item, schemas),
      isOptional: at >= Number(minItems),
    })),
    isClosed ? undefined : others,
  );
}

function isNothing(schema: Json | undefined): boolean {
  return schema === false || (isObject(schema) && itemsOf(schema["enum"] ?? [1]).length === 0);
}

function objectType(schema: JsonObject, schemas: Schemas): Type | undefined {
  const { additionalProperties: others, patternProperties } = schema;
  const members = propertyMembers(schema, schemas);
  const own = members.length === 0 ? [] : [types.object(members)];
  const isAny = others === true || (isObject(others) && Object.keys(others).length === 0);
  const indexed = isObject(others) && !isAny ? [schemaType(others, schemas)] : [];
  if (isAny) indexed.push(types.unknown);
  for (const [, one] of entriesOf(patternProperties)) indexed.push(schemaType(one, schemas));
  if (indexed.length === 0) return own[0];
  return types.intersection([
    ...own,
    types.object([], types.indexText("key", types.union(indexed))),
  ]);
}

function propertyMembers(schema: JsonObject, schemas: Schemas): readonly Member[] {
  const required = new Set(itemsOf(schema["required"]));
  return entriesOf(schema["properties"]).map(([name, property]) => {
    return {
      name,
      type: namedType(property, schemas),
      isOptional: !required.has(name),
      isReadonly: isObject(property) && property["readOnly"] === true,
      comment: typeComment(property),
    };
  });
}
