// What a schema says, all of it together: references followed, the members of allOf and what stands
// beside a reference taken into one. Two schemas that are written differently compare by this.

import { entriesOf, isObject, itemsOf, type Json, type JsonObject, textOf } from "../json.ts";
import { type At, type Revision, schemaAt } from "./revision.ts";

export interface SchemaRef {
  readonly value: Json;
  readonly at: At;
}

/** A schema as a list: what all of its members say. */
export type Schemas = readonly SchemaRef[];

export interface Union {
  readonly keyword: "anyOf" | "oneOf";
  readonly members: Schemas;
  readonly at: At;
}

export interface Bound {
  readonly value: number;
  readonly isExclusive: boolean;
  readonly at: At;
}

export interface Facts {
  readonly at: At;
  /** every node that takes part */
  readonly nodes: JsonObject[];
  /** undefined: every type */
  types: { readonly names: ReadonlySet<string>; readonly at: At } | undefined;
  /** of enum and const; undefined: every value */
  values:
    | { readonly list: readonly { readonly value: Json; readonly at: At }[]; readonly at: At }
    | undefined;
  readonly bounds: Map<string, Bound>;
  readonly patterns: Map<string, At>;
  readonly formats: Map<string, At>;
  readonly properties: Map<string, Schemas>;
  readonly patternProperties: Map<string, Schemas>;
  readonly required: Map<string, At>;
  /** additionalProperties and unevaluatedProperties */
  additional: Schemas;
  names: Schemas;
  items: Schemas;
  prefixItems: readonly Schemas[];
  readonly unions: Union[];
  /** keywords that are compared as a whole */
  readonly others: Map<string, Whole>;
}

/** A keyword as a whole, as each part of the schema says it. */
export type Whole = At & { readonly value: Json; readonly also: readonly Json[] };

/** Keywords of one number, and which way they bind. */
export const lowerBounds = ["minimum", "minLength", "minItems", "minProperties", "minContains"];
export const upperBounds = ["maximum", "maxLength", "maxItems", "maxProperties", "maxContains"];

/** What is compared as a whole: it is equal, or it has changed. */
const wholeKeywords = [
  "not",
  "if",
  "contains",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "unevaluatedItems",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "multipleOf",
  "uniqueItems",
  "default",
  "discriminator",
  "xml",
  "deprecated",
];

/** What holds once, whoever says it first; of everything else each part holds. */
const saidOnce = new Set(["default", "discriminator", "xml", "deprecated"]);

/** Deeper than any contract: only circles of references get there. */
const depthMax = 100;

export function factsOf(schemas: Schemas, depth = 0): Facts {
  const [first] = schemas;
  if (first === undefined) throw new Error("a schema has at least one node");
  const facts: Facts = {
    at: first.at,
    nodes: [],
    types: undefined,
    values: undefined,
    bounds: new Map(),
    patterns: new Map(),
    formats: new Map(),
    properties: new Map(),
    patternProperties: new Map(),
    required: new Map(),
    additional: [],
    names: [],
    items: [],
    prefixItems: [],
    unions: [],
    others: new Map(),
  };
  for (const schema of schemas) take(schema, facts, depth);
  settle(facts);
  return facts;
}

/** Where a schema itself stands that may be named by a reference. */
export function homeOf({ at, nodes }: Facts): At {
  const own = nodes.find((node) => node["$ref"] === undefined);
  return own === undefined ? at : { revision: at.revision, node: own };
}

function take({ value, at }: SchemaRef, facts: Facts, depth: number): void {
  if (value === false) narrowTypes(facts, { names: new Set(), at });
  if (!isObject(value) || facts.nodes.includes(value) || depth > depthMax) return;
  facts.nodes.push(value);
  const { revision } = at;
  const reference = textOf(value["$ref"]);
  const target = reference === undefined ? undefined : schemaAt(revision, reference);
  if (target !== undefined) {
    const place = isObject(target) ? { revision, node: target } : at;
    take({ value: target, at: place }, facts, depth + 1);
  }
  for (const part of listOf(revision, value, "allOf")) take(part, facts, depth + 1);
  takeValues(value, facts, revision);
  takeNumbers(value, facts, revision);
  takeMembers(value, facts, revision);
  for (const keyword of ["anyOf", "oneOf"] as const)
    takeUnion(value, keyword, { facts, revision, depth });
  for (const name of wholeKeywords) {
    const whole = wholeOf(value, name);
    if (whole !== undefined) {
      addWhole(facts, name, { revision, node: value, name, value: whole, also: [] });
    }
  }
}

/** A condition is one with what follows from it. */
function wholeOf(node: JsonObject, name: string): Json | undefined {
  const value = node[name];
  if (name === "uniqueItems") return value === true ? true : undefined;
  if (name !== "if" || value === undefined) return value;
  return { if: value, then: node["then"] ?? true, else: node["else"] ?? true };
}

function addWhole(facts: Facts, name: string, whole: Whole): void {
  const known = facts.others.get(name);
  if (known === undefined) facts.others.set(name, whole);
  else if (!saidOnce.has(name)) {
    facts.others.set(name, { ...known, also: [...known.also, whole.value, ...whole.also] });
  }
}

/** With a variant of its own, beside what it says itself. */
export function withVariant(facts: Facts, union: Union, variant: SchemaRef): Facts {
  const own: Facts = {
    ...facts,
    at: variant.at,
    nodes: [...facts.nodes],
    bounds: new Map(facts.bounds),
    patterns: new Map(facts.patterns),
    formats: new Map(facts.formats),
    properties: new Map(facts.properties),
    patternProperties: new Map(facts.patternProperties),
    required: new Map(facts.required),
    unions: facts.unions.filter((one) => one !== union),
    others: new Map(Array.from(facts.others).filter(([name]) => name !== "discriminator")),
  };
  take(variant, own, 0);
  settle(own);
  return own;
}

function takeValues(node: JsonObject, facts: Facts, revision: Revision): void {
  const named = itemsOf(typeof node["type"] === "string" ? [node["type"]] : node["type"]);
  const names = named.filter((name): name is string => typeof name === "string");
  if (names.length > 0)
    narrowTypes(facts, { names: new Set(names), at: { revision, node, name: "type" } });
  const list = node["enum"];
  if (Array.isArray(list)) {
    const hasPlace = revision.origins.pointerOf(list) !== undefined;
    const values = list.map((value, index): { value: Json; at: At } => ({
      value,
      at: hasPlace ? { revision, node: list, name: index } : { revision, node, name: "enum" },
    }));
    narrowValues(facts, { list: values, at: { revision, node, name: "enum" } });
  }
  const fixed = node["const"];
  if (fixed !== undefined) {
    const at: At = { revision, node, name: "const" };
    narrowValues(facts, { list: [{ value: fixed, at }], at });
  }
  const pattern = textOf(node["pattern"]);
  if (pattern !== undefined) facts.patterns.set(pattern, { revision, node, name: "pattern" });
  const format = textOf(node["format"]);
  if (format !== undefined) facts.formats.set(format, { revision, node, name: "format" });
}

function narrowTypes(facts: Facts, given: NonNullable<Facts["types"]>): void {
  const known = facts.types?.names;
  if (known === undefined) facts.types = given;
  else {
    const widest = new Set([...known, ...given.names]);
    const names = [...widest].filter((name) => allows(known, name) && allows(given.names, name));
    facts.types = { names: new Set(names), at: given.at };
  }
}

/** Every integer is a number. */
export function allows(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name) || (name === "integer" && names.has("number"));
}

function narrowValues(facts: Facts, given: NonNullable<Facts["values"]>): void {
  const known = facts.values;
  if (known === undefined) facts.values = given;
  else {
    const texts = new Set(given.list.map(({ value }) => JSON.stringify(value)));
    const list = known.list.filter(({ value }) => texts.has(JSON.stringify(value)));
    facts.values = { list, at: given.at };
  }
}

function takeNumbers(node: JsonObject, facts: Facts, revision: Revision): void {
  const tighten = (bound: string, name: string, isExclusive: boolean): void => {
    const value = node[name];
    if (typeof value !== "number") return;
    addBound(facts, bound, { value, isExclusive, at: { revision, node, name } });
  };
  for (const bound of [...lowerBounds, ...upperBounds]) tighten(bound, bound, false);
  tighten("minimum", "exclusiveMinimum", true);
  tighten("maximum", "exclusiveMaximum", true);
}

/** Of several bounds the tightest holds. */
function addBound(facts: Facts, name: string, bound: Bound): void {
  const known = facts.bounds.get(name);
  const sign = upperBounds.includes(name) ? -1 : 1;
  const isTighter =
    known === undefined ||
    sign * (bound.value - known.value) > 0 ||
    (bound.value === known.value && bound.isExclusive);
  if (isTighter) facts.bounds.set(name, bound);
}

function takeMembers(node: JsonObject, facts: Facts, revision: Revision): void {
  const add = (map: Map<string, Schemas>, keyword: string): void => {
    const group = node[keyword];
    for (const [name, value] of entriesOf(group)) {
      if (!isObject(group)) continue;
      map.set(name, [...(map.get(name) ?? []), refTo({ revision, node: group, name }, value)]);
    }
  };
  add(facts.properties, "properties");
  add(facts.patternProperties, "patternProperties");
  for (const name of itemsOf(node["required"])) {
    if (typeof name === "string") facts.required.set(name, { revision, node, name: "required" });
  }
  const one = (name: string): Schemas => {
    const value = node[name];
    return value === undefined ? [] : [refTo({ revision, node, name }, value)];
  };
  facts.additional = [
    ...facts.additional,
    ...one("additionalProperties"),
    ...one("unevaluatedProperties"),
  ];
  facts.names = [...facts.names, ...one("propertyNames")];
  facts.items = [...facts.items, ...one("items")];
  addPlaces(
    facts,
    listOf(revision, node, "prefixItems").map((schema) => [schema]),
  );
}

/** Each part says something of each place. */
function addPlaces(facts: Facts, more: readonly Schemas[]): void {
  const { prefixItems: known } = facts;
  const length = Math.max(known.length, more.length);
  facts.prefixItems = Array.from({ length }, (_, index) => [
    ...(known[index] ?? []),
    ...(more[index] ?? []),
  ]);
}

/** The place of a schema is the schema itself, so that it is the same on every way to it. */
function refTo(at: At, value: Json): SchemaRef {
  return { value, at: isObject(value) ? { revision: at.revision, node: value } : at };
}

function listOf(revision: Revision, node: JsonObject, name: string): Schemas {
  const list = itemsOf(node[name]);
  return list.map((value, index) => refTo({ revision, node: list, name: index }, value));
}

interface Taking {
  readonly facts: Facts;
  readonly revision: Revision;
  readonly depth: number;
}

/** `anyOf: [X, null]` is X that may be null. */
function takeUnion(
  node: JsonObject,
  keyword: Union["keyword"],
  { facts, revision, depth }: Taking,
): void {
  const members = listOf(revision, node, keyword);
  if (members.length === 0) return;
  const at: At = { revision, node, name: keyword };
  const rest = members.filter(({ value }) => !isNull(value));
  const [only] = rest;
  if (only === undefined || rest.length > 1 || depth > depthMax) {
    facts.unions.push({ keyword, members, at });
    return;
  }
  const inner = factsOf([only], depth + 1);
  const none = members.find(({ value }) => isNull(value));
  if (none !== undefined) allowNull(inner, none);
  join(facts, inner);
}

function isNull(schema: Json): boolean {
  return isObject(schema) && (schema["type"] === "null" || schema["const"] === null);
}

/** Null, or all of what the facts say: each of them takes null as well, so do their alternatives. */
function allowNull(facts: Facts, none: SchemaRef): void {
  for (const [index, union] of facts.unions.entries()) {
    if (union.members.some(({ value }) => isNull(value))) continue;
    facts.unions[index] = { ...union, members: [...union.members, none] };
  }
  if (facts.types !== undefined) {
    facts.types = { ...facts.types, names: new Set([...facts.types.names, "null"]) };
  }
  if (facts.values !== undefined && !facts.values.list.some(({ value }) => value === null)) {
    const { list, at } = facts.values;
    facts.values = { list: [...list, { value: null, at }], at };
  }
}

/** Both must hold from now on. */
function join(facts: Facts, more: Facts): void {
  facts.nodes.push(...more.nodes);
  if (more.types !== undefined) narrowTypes(facts, more.types);
  if (more.values !== undefined) narrowValues(facts, more.values);
  for (const [name, bound] of more.bounds) addBound(facts, name, bound);
  for (const [name, at] of more.patterns) facts.patterns.set(name, at);
  for (const [name, at] of more.formats) facts.formats.set(name, at);
  for (const [name, at] of more.required) facts.required.set(name, at);
  for (const kind of ["properties", "patternProperties"] as const) {
    for (const [name, schemas] of more[kind]) {
      facts[kind].set(name, [...(facts[kind].get(name) ?? []), ...schemas]);
    }
  }
  for (const kind of ["additional", "names", "items"] as const) {
    facts[kind] = [...facts[kind], ...more[kind]];
  }
  addPlaces(facts, more.prefixItems);
  facts.unions.push(...more.unions);
  for (const [name, whole] of more.others) addWhole(facts, name, whole);
}

/** What only all parts together say. */
function settle(facts: Facts): void {
  inferTypes(facts);
  const { types, values } = facts;
  if (types === undefined || values === undefined) return;
  // a value of another type is listed, and refused all the same
  const list = values.list.filter(({ value }) => allows(types.names, typeOf(value)));
  facts.values = { ...values, list };
}

/** Many contracts leave `type: object` out where properties say it, and the type beside an enum. */
function inferTypes(facts: Facts): void {
  if (facts.types !== undefined) return;
  const { at } = facts;
  if (facts.values !== undefined) {
    facts.types = { names: new Set(facts.values.list.map(({ value }) => typeOf(value))), at };
  } else if (facts.properties.size > 0) facts.types = { names: new Set(["object"]), at };
  else if (facts.items.length > 0) facts.types = { names: new Set(["array"]), at };
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
