// A schema in the words that types have. Where openapi-typescript would refuse it, lose something or say it differently,
// it is written so that both understand it.

import type { Json, JsonObject } from "../json.ts";
import { copyEntries, entriesOf, equal, isObject, itemsOf, put } from "../json.ts";
import { plainReference } from "../model/build.ts";
import { fileMark } from "../normalise/files.ts";
import type { Nullness } from "./nullness.ts";
import { overlap, type Types } from "./possible-types.ts";
import { assertedTypes, fitsType, type JsonType, valuesOf } from "./schema-facts.ts";

/** Of schemas of the document, and of what has been made of them. */
export interface Facts {
  readonly nullness: (schema: Json) => Nullness;
  readonly possibleTypes: (schema: Json) => Types;
}

export function typedSchema(node: JsonObject, facts: Facts): JsonObject {
  if (node[fileMark] !== undefined) {
    const { description } = node;
    return { ...(description === undefined ? {} : { description }), [fileMark]: true };
  }
  delete node["discriminator"];
  delete node["example"];
  delete node["examples"];
  for (const name of unsaid) delete node[name];
  leaveOutOthers(node);
  delete node["$defs"]; // it would become a property; what is referred to has a component
  for (const name of ["properties", "patternProperties"]) {
    const properties = node[name];
    if (isObject(properties))
      for (const [key, item] of entriesOf(properties)) put(properties, key, asObject(item));
  }
  for (const name of ["items", "not"]) {
    const item = node[name];
    if (item !== undefined) put(node, name, asMember(item));
  }
  for (const name of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
    if (Array.isArray(node[name])) put(node, name, itemsOf(node[name]).map(asMember));
  }
  closeEmpty(node);
  widenOthers(node);
  addRequired(node);
  const hasNull = facts.nullness(node) === "named";
  if (node["$ref"] === undefined) return composed(withPossibleValues(node), hasNull, facts);
  return plainReference(node) === undefined ? withNeighbours(node, hasNull, facts) : node;
}

const ofObjects = ["properties", "patternProperties", "additionalProperties", "required"];

const ofArrays = ["items", "prefixItems"];

/** Words for objects and for arrays say nothing where no value is one; to openapi-typescript they say that all are. */
function leaveOutOthers(node: JsonObject): void {
  const types = assertedTypes(node);
  const values = valuesOf(node)?.filter((value) => types === undefined || fitsType(value, types));
  const isPossible = (type: JsonType): boolean =>
    values === undefined
      ? types?.has(type) !== false
      : values.some((value) => fitsType(value, new Set([type])));
  const isMixed = types === undefined && values?.every(isObject) === false;
  if (!isPossible("object") || isMixed) for (const name of ofObjects) delete node[name];
  if (!isPossible("array") || isMixed) for (const name of ofArrays) delete node[name];
}

const ofParts = [...ofObjects, ...ofArrays, "allOf", "anyOf", "oneOf"];

/** What it does not look at. */
const unsaid =
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern uniqueItems".split(
    " ",
  );

/** Marks the schema that nothing fits. */
export const never = "x-never";

/** Whether a type can say something of it; conditions, bounds and patterns it cannot. */
function isSaid(schema: Json): boolean {
  if (!isObject(schema)) return schema === false;
  const { type, properties, items, prefixItems } = schema;
  const always = ["$ref", "enum", "const", "patternProperties", "allOf", "anyOf", "oneOf", never];
  return (
    type !== undefined ||
    Object.keys(isObject(properties) ? properties : {}).length > 0 ||
    (schema["additionalProperties"] !== undefined && schema["additionalProperties"] !== false) ||
    always.some((name) => schema[name] !== undefined) ||
    (items ?? prefixItems) === false
  );
}

const ofValue = ["type", "enum", "const"];

/**
 * Everything that a schema is made of has to hold: what stands beside a union, and unions beside one another, become
 * members of an allOf. openapi-typescript writes an anyOf as one more way, and repeats an allOf for each type of a
 * list. A union with a way that no type can say says nothing.
 */
function composed(node: JsonObject, hasNull: boolean, facts: Facts): JsonObject {
  const members = itemsOf(node["allOf"])
    .filter(isSaid)
    .filter(isObject)
    .map((member) => withKnown(member, node));
  const unions = ["anyOf", "oneOf"].flatMap((name): JsonObject[] => {
    const ways = node[name];
    if (ways === undefined) return [];
    delete node[name];
    const wanted = possible(itemsOf(ways), node, facts).map((way) =>
      isObject(way) ? withKnown(withRequired(way, node["required"]), node) : way,
    );
    return wanted.every(isSaid) ? [{ [name]: wanted }] : [];
  });
  delete node["allOf"];
  const { type, properties, required, patternProperties, additionalProperties } = node;
  const hasProperties = [properties, required, patternProperties, additionalProperties].some(
    Boolean,
  );
  const isBare = type === undefined || (type === "object" && !hasProperties);
  const isAlone = isBare && node["enum"] === undefined && node["const"] === undefined;
  const [union] = unions;
  if (members.length === 0 && unions.length === 1 && union !== undefined && isAlone) {
    return { ...node, ...union };
  }
  const others = [...members, ...unions];
  if (others.length === 0) return node;
  const isOfValue =
    Array.isArray(type) || node["enum"] !== undefined || node["const"] !== undefined;
  if (hasNull) {
    if (type === undefined && hasProperties && !isOfValue) others.unshift(takeObject(node));
    letNullPass(others);
  }
  if (isOfValue) others.unshift(withoutWords(node));
  for (const name of isOfValue ? [...ofValue, ...ofObjects, ...ofArrays] : [])
    if (name !== "required") delete node[name];
  put(node, "allOf", others);
  return node;
}

/** Without those of which no value has a type that is named beside them; all, where none is left. */
function possible(ways: readonly Json[], node: JsonObject, facts: Facts): readonly Json[] {
  const types = assertedTypes(node);
  if (types === undefined) return ways;
  const left = ways.filter((way) => overlap(facts.possibleTypes(way), types));
  return left.length === 0 ? ways : left;
}

/** Of a name that is required in one member and optional in another, TypeScript says that it may be missing. */
function withRequired(way: JsonObject, names: Json | undefined): JsonObject {
  const { properties, required } = way;
  if (!isObject(properties)) return way;
  const own = itemsOf(names).filter(
    (name) => typeof name === "string" && Object.hasOwn(properties, name),
  );
  return own.length === 0 ? way : { ...way, required: [...itemsOf(required), ...own] };
}

/** It says so too where the member that requires a name knows nothing of its value, which may be known beside it. */
function withKnown(way: JsonObject, { properties: known }: JsonObject): JsonObject {
  const { properties, required } = way;
  if (!isObject(properties) || !isObject(known)) return way;
  const complete = copyEntries(properties);
  for (const name of itemsOf(required).filter((one) => typeof one === "string")) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const other = Object.hasOwn(known, name) ? known[name] : undefined;
    if (isObject(own) && isObject(other) && Object.keys(withoutWords(own)).length === 0)
      put(complete, name, { ...withoutWords(other), ...own });
  }
  return { ...way, properties: complete };
}

/** What is said of objects, as a schema of its own. */
function takeObject(node: JsonObject): JsonObject {
  const taken = Object.fromEntries(
    Object.entries(node).filter(([name]) => ofObjects.includes(name)),
  );
  for (const name of ofObjects) if (name !== "required") delete node[name];
  return taken;
}

/** What says nothing but what an object holds lets null pass, which the type would not. */
function letNullPass(members: JsonObject[]): void {
  const loosened = (member: Json): Json =>
    isObject(member) && isOfObjects(member) ? { anyOf: [member, { type: "null" }] } : member;
  for (const [index, member] of members.entries()) {
    const union = ["anyOf", "oneOf"].find((name) => Object.keys(member).join() === name);
    if (union !== undefined) put(member, union, itemsOf(member[union]).map(loosened));
    else members[index] = loosened(member) as JsonObject;
  }
}

function isOfObjects(schema: JsonObject): boolean {
  const others = ["$ref", "type", "enum", "const", "allOf", "anyOf", "oneOf", never];
  return !others.some((name) => schema[name] !== undefined);
}

/** What only people read of a schema stays where it was. */
function withoutWords(node: JsonObject): JsonObject {
  const words = new Set(["title", "description", "default", "deprecated", "readOnly", "writeOnly"]);
  return Object.fromEntries(Object.entries(node).filter(([name]) => !words.has(name)));
}

/** What stands beside a `$ref` becomes a member of an allOf: openapi-typescript reads a `$ref` alone. */
function withNeighbours(node: JsonObject, hasNull: boolean, facts: Facts): JsonObject {
  const { $ref = "", ...rest } = node;
  const { description } = rest;
  const neighbours = [composed(withPossibleValues(rest), hasNull, facts)].filter(isSaid);
  if (hasNull) letNullPass(neighbours);
  return {
    ...(description === undefined ? {} : { description }),
    allOf: [{ $ref }, ...neighbours],
  };
}

/** Without values that the type refuses, and without null where the values refuse it. */
function withPossibleValues(node: JsonObject): JsonObject {
  const types = assertedTypes(node);
  const constant = node["const"];
  if (constant !== undefined && types !== undefined && !fitsType(constant, types)) {
    return { enum: [] };
  }
  const values = node["enum"];
  if (constant !== undefined && Array.isArray(values)) {
    if (!values.some((value) => equal(value, constant))) return { enum: [] };
    delete node["enum"];
  }
  if (types === undefined || !Array.isArray(values)) return node;
  const possible = values.filter((value) => fitsType(value, types));
  if (possible.length === 0) return { enum: [] };
  put(node, "enum", possible);
  const named = node["type"];
  if (!Array.isArray(named)) return node;
  const left = new Set<Json>();
  for (const type of types)
    if (possible.some((value) => fitsType(value, new Set([type])))) left.add(type);
  node["type"] = named.filter((type) => left.has(type));
  return node;
}

/** An empty object that stays empty; openapi-typescript would let anything into it. */
function closeEmpty(node: JsonObject): void {
  const names = [...entriesOf(node["properties"]), ...entriesOf(node["patternProperties"])];
  if (node["additionalProperties"] === false && names.length === 0)
    put(node, "additionalProperties", { enum: [] });
}

/**
 * An index signature is of every name: of those that a pattern leaves out, and of those that have a property of their
 * own. What fits by a pattern, and what has a name, must not keep the rest from it.
 */
function widenOthers(node: JsonObject): void {
  const { additionalProperties: others, patternProperties, properties } = node;
  if (isObject(patternProperties) && (others === undefined || others === true)) {
    delete node["patternProperties"];
    if (Object.keys(patternProperties).length > 0) node["additionalProperties"] = true;
    return;
  }
  const named = isObject(properties) ? Object.values(properties) : [];
  const patterned = isObject(patternProperties) ? Object.values(patternProperties) : [];
  if (named.length === 0 || (!isObject(others) && patterned.length === 0)) return;
  const ways = [...(isObject(others) ? [others] : []), ...patterned];
  if (ways.some((way) => isObject(way) && Object.keys(way).length === 0)) return;
  for (const one of named) {
    const way = isObject(one) ? withoutWords(one) : one;
    if (!ways.some((other) => equal(isObject(other) ? withoutWords(other) : other, way)))
      ways.push(way);
  }
  delete node["patternProperties"];
  node["additionalProperties"] = ways.every(isShort) ? { anyOf: ways } : true;
}

/** It may be written twice. */
function isShort(schema: Json): boolean {
  return !isObject(schema) || !ofParts.some((name) => schema[name] !== undefined);
}

/** openapi-typescript knows no boolean schemas. */
export function asObject(schema: Json): Json {
  if (schema === true) return {};
  return schema === false ? { [never]: true } : schema;
}

/** The same for items and members, where only an enum without values becomes `never`. */
function asMember(schema: Json): Json {
  return schema === false ? { enum: [] } : asObject(schema);
}

/** A required name that is not among the properties would become a type error. */
function addRequired(node: JsonObject): void {
  const names = itemsOf(node["required"]).filter(
    (name): name is string => typeof name === "string",
  );
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const missing = names.filter((name) => !Object.hasOwn(properties, name));
  if (
    missing.length === 0 ||
    (node["properties"] === undefined && assertedTypes(node)?.has("object") !== true)
  )
    return;
  if (isObject(node["additionalProperties"])) return;
  const complete = copyEntries(properties);
  for (const name of missing) put(complete, name, {});
  put(node, "properties", complete);
}
