// What a schema says, all of it together: references followed, the members of allOf and what stands
// beside a reference taken into one. Two schemas that are written differently compare by this.

import { entriesOf, isObject, itemsOf, type Json, type JsonObject, textOf } from "../json.ts";
import {
  addBound,
  addPlaces,
  addWhole,
  allowNull,
  copyOf,
  type Facts,
  isNull,
  join,
  lowerBounds,
  narrowTypes,
  narrowValues,
  type SchemaRef,
  type Schemas,
  settle,
  type Union,
  upperBounds,
} from "./facts.ts";
import { type At, type Revision, schemaAt } from "./revision.ts";

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

/** Of alternatives that are the only ones. Deeper than any contract: only circles of references get there. */
const depthMax = 100;

/** Of schemas by themselves, which many pairs ask for. */
const factsOfNodes = new WeakMap<object, Facts>();

/** Not to be changed. */
export function factsOf(schemas: Schemas): Facts {
  const [only, ...others] = schemas;
  if (others.length > 0 || !isObject(only?.value)) return gathered(schemas, 0);
  const facts = factsOfNodes.get(only.value) ?? gathered(schemas, 0);
  factsOfNodes.set(only.value, facts);
  return facts;
}

function gathered(schemas: Schemas, depth: number): Facts {
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
  const met = new Set<object>();
  for (const schema of schemas) take(schema, facts, { depth, met });
  settle(facts);
  return facts;
}

interface Way {
  /** of alternatives that are the only ones */
  readonly depth: number;
  /** nodes that were taken already */
  readonly met: Set<object>;
}

/** What a reference stands for, the members of allOf, then what the schema says itself: without recursion. */
function take(schema: SchemaRef, facts: Facts, { depth, met }: Way): void {
  const open: (SchemaRef & { readonly isOwn?: true })[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, at, isOwn } = next;
    if (value === false) narrowTypes(facts, { names: new Set(), at });
    if (!isObject(value)) continue;
    if (isOwn === true) takeOwn(value, { facts, revision: at.revision, depth });
    if (met.has(value)) continue;
    met.add(value);
    facts.nodes.push(value);
    open.push({ value, at, isOwn: true });
    for (const part of partsOf(value, at).toReversed()) open.push(part);
  }
}

function partsOf(node: JsonObject, at: At): Schemas {
  const { revision } = at;
  const reference = textOf(node["$ref"]);
  const target = reference === undefined ? undefined : schemaAt(revision, reference);
  const parts = listOf(revision, node, "allOf");
  if (target === undefined) return parts;
  const place = isObject(target) ? { revision, node: target } : at;
  return [{ value: target, at: place }, ...parts];
}

interface Taking {
  readonly facts: Facts;
  readonly revision: Revision;
  readonly depth: number;
}

function takeOwn(value: JsonObject, taking: Taking): void {
  const { facts, revision } = taking;
  takeValues(value, facts, revision);
  takeNumbers(value, facts, revision);
  takeMembers(value, facts, revision);
  for (const keyword of ["anyOf", "oneOf"] as const) takeUnion(value, keyword, taking);
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

/** With a variant of its own, beside what it says itself. */
export function withVariant(facts: Facts, union: Union, variant: SchemaRef): Facts {
  const own: Facts = {
    ...copyOf(facts),
    at: variant.at,
    unions: facts.unions.filter((one) => one !== union),
  };
  own.others.delete("discriminator");
  take(variant, own, { depth: 0, met: new Set(own.nodes) });
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

/** The place of a schema is the schema itself, so that it is the same on every way to it. */
function refTo(at: At, value: Json): SchemaRef {
  return { value, at: isObject(value) ? { revision: at.revision, node: value } : at };
}

function listOf(revision: Revision, node: JsonObject, name: string): Schemas {
  const list = itemsOf(node[name]);
  return list.map((value, index) => refTo({ revision, node: list, name: index }, value));
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
  const inner = factsOfOnly(only, depth + 1);
  const none = members.find(({ value }) => isNull(value));
  if (none !== undefined) allowNull(inner, none);
  join(facts, inner);
}

/** By what it stands in, or what a reference alone stands for, since many ways may lead to it. */
const factsOfSources = new WeakMap<object, Facts>();

function factsOfOnly(only: SchemaRef, depth: number): Facts {
  const source = sourceOf(only);
  if (!isObject(source)) return gathered([only], depth);
  const facts = factsOfSources.get(source) ?? gathered([only], depth);
  factsOfSources.set(source, facts);
  return { ...copyOf(facts), at: only.at };
}

function sourceOf({ value, at }: SchemaRef): Json {
  if (!isObject(value) || Object.keys(value).length !== 1) return value;
  const reference = textOf(value["$ref"]);
  return (reference === undefined ? undefined : schemaAt(at.revision, reference)) ?? value;
}
