// What is known of the values of a schema, and how what two parts of it say is taken together.

import { isObject, type Json, type JsonObject } from "../json.ts";
import type { At } from "./revision.ts";
import { keyOf } from "./value-keys.ts";

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

export interface Types {
  readonly names: ReadonlySet<string>;
  readonly at: At;
  /** nobody says so: properties or items stand there */
  readonly isInferred?: boolean;
}

export interface Facts {
  readonly at: At;
  /** every node that takes part */
  readonly nodes: JsonObject[];
  /** undefined: every type */
  types: Types | undefined;
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

/** What holds once, whoever says it first; of everything else each part holds. */
const saidOnce = new Set(["default", "discriminator", "xml", "deprecated"]);

/** Where a schema itself stands that may be named by a reference. */
export function homeOf({ at, nodes }: Facts): At {
  const own = nodes.find((node) => node["$ref"] === undefined);
  return own === undefined ? at : { revision: at.revision, node: own };
}

export function placeOfAll(schemas: Schemas): At {
  const [first] = schemas;
  if (first === undefined) throw new Error("a property has at least one schema");
  return first.at;
}

export function addWhole(facts: Facts, name: string, whole: Whole): void {
  const known = facts.others.get(name);
  if (known === undefined) facts.others.set(name, whole);
  else if (!saidOnce.has(name)) {
    const all = new Set([known.value, ...known.also, whole.value, ...whole.also]);
    all.delete(known.value);
    facts.others.set(name, { ...known, also: [...all] });
  }
}

/** Its lists and maps may be changed. */
export function copyOf(facts: Facts): Facts {
  return {
    ...facts,
    nodes: [...facts.nodes],
    bounds: new Map(facts.bounds),
    patterns: new Map(facts.patterns),
    formats: new Map(facts.formats),
    properties: new Map(facts.properties),
    patternProperties: new Map(facts.patternProperties),
    required: new Map(facts.required),
    unions: [...facts.unions],
    others: new Map(facts.others),
  };
}

/** What is inferred counts where nothing is said. */
export function narrowTypes(facts: Facts, given: Types): void {
  const known = facts.types;
  const [wasInferred, isInferred] = [known, given].map((types) => types?.isInferred === true);
  if (known === undefined || (wasInferred && !isInferred)) facts.types = given;
  else if (wasInferred === isInferred) {
    const widest = new Set([...known.names, ...given.names]);
    const isBoth = (name: string): boolean =>
      allows(known.names, name) && allows(given.names, name);
    facts.types = { ...given, names: new Set([...widest].filter(isBoth)) };
  }
}

/** Every integer is a number. */
export function allows(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name) || (name === "integer" && names.has("number"));
}

export function narrowValues(facts: Facts, given: NonNullable<Facts["values"]>): void {
  const known = facts.values;
  if (known === undefined) facts.values = given;
  else {
    const keys = new Set(given.list.map(({ value }) => keyOf(value)));
    const list = known.list.filter(({ value }) => keys.has(keyOf(value)));
    facts.values = { list, at: given.at };
  }
}

/** Of several bounds the tightest holds. */
export function addBound(facts: Facts, name: string, bound: Bound): void {
  const known = facts.bounds.get(name);
  const sign = upperBounds.includes(name) ? -1 : 1;
  const isTighter =
    known === undefined ||
    sign * (bound.value - known.value) > 0 ||
    (bound.value === known.value && bound.isExclusive);
  if (isTighter) facts.bounds.set(name, bound);
}

/** Each part says something of each place. */
export function addPlaces(facts: Facts, more: readonly Schemas[]): void {
  const { prefixItems: known } = facts;
  const length = Math.max(known.length, more.length);
  facts.prefixItems = Array.from({ length }, (_, index) => [
    ...together(known[index] ?? [], more[index] ?? []),
  ]);
}

export function isNull(schema: Json): boolean {
  return isObject(schema) && (schema["type"] === "null" || schema["const"] === null);
}

/** Null, or all of what the facts say: each of them takes null as well, so do their alternatives. */
export function allowNull(facts: Facts, none: SchemaRef): void {
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
export function join(facts: Facts, more: Facts): void {
  for (const node of more.nodes) if (!facts.nodes.includes(node)) facts.nodes.push(node);
  if (more.types !== undefined) narrowTypes(facts, more.types);
  if (more.values !== undefined) narrowValues(facts, more.values);
  for (const [name, bound] of more.bounds) addBound(facts, name, bound);
  for (const [name, at] of more.patterns) facts.patterns.set(name, at);
  for (const [name, at] of more.formats) facts.formats.set(name, at);
  for (const [name, at] of more.required) facts.required.set(name, at);
  for (const kind of ["properties", "patternProperties"] as const) {
    for (const [name, schemas] of more[kind]) {
      facts[kind].set(name, together(facts[kind].get(name) ?? [], schemas));
    }
  }
  for (const kind of ["additional", "names", "items"] as const) {
    facts[kind] = together(facts[kind], more[kind]);
  }
  addPlaces(facts, more.prefixItems);
  for (const union of more.unions) {
    if (!facts.unions.some((one) => isTheSame(one, union))) facts.unions.push(union);
  }
  for (const [name, whole] of more.others) addWhole(facts, name, whole);
}

function isTheSame(one: Union, other: Union): boolean {
  const isOfOne = one.at.node === other.at.node && one.keyword === other.keyword;
  return isOfOne && one.members.length === other.members.length;
}

/** What is said twice holds once. */
function together(schemas: Schemas, more: Schemas): Schemas {
  const values = new Set(schemas.map(({ value }) => value));
  return [...schemas, ...more.filter(({ value }) => !values.has(value))];
}

/** What only all parts together say. */
export function settle(facts: Facts): void {
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
  } else if (facts.properties.size > 0)
    facts.types = { names: new Set(["object"]), at, isInferred: true };
  else if (facts.items.length > 0)
    facts.types = { names: new Set(["array"]), at, isInferred: true };
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
