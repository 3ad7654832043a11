// A schema as one plain list of rules: references followed, what several schemas say of one value put together,
// and of alternatives the chosen one.

import { type Contract, type Place, targetOf } from "./contract.ts";
import {
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textOf,
  unescapeToken,
} from "./json.ts";

export interface Flat {
  /** undefined: any */
  readonly types: readonly string[] | undefined;
  /** undefined: any */
  readonly values: readonly Json[] | undefined;
  readonly patterns: readonly string[];
  /** bounds and the like, the narrower one where two are said */
  readonly rules: Readonly<Record<string, number>>;
  readonly format: string | undefined;
  readonly isUnique: boolean;
  readonly properties: ReadonlyMap<string, readonly Place[]>;
  readonly required: ReadonlySet<string>;
  readonly byPattern: readonly (readonly [string, Place])[];
  /** of members that are not named; empty: anything */
  readonly others: readonly Place[];
  readonly isClosed: boolean;
  readonly names: readonly Place[];
  readonly dependent: Readonly<Record<string, readonly string[]>>;
  readonly prefix: readonly (readonly Place[])[];
  readonly items: readonly Place[];
  readonly hasNoMoreItems: boolean;
  /** one for each item that must be so */
  readonly contains: readonly Place[];
  readonly examples: readonly Json[];
  readonly hasAlternatives: boolean;
  /** how many ways there are through its alternatives and conditions: whoever judges a value tries them all */
  readonly ways: number;
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
  /** pointers of the schemas that say all this */
  readonly from: readonly string[];
}

export interface Choices {
  /** one of several alternatives; undefined: none */
  readonly pick: (alternatives: readonly Place[]) => Place | undefined;
  /** whether what is under a condition is to be met; left out: conditions do not count */
  readonly isMet?: () => boolean;
}

/** Bounds of which the greater one is the narrower. */
const lower = new Set(["minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties"]);
const upper = new Set(["maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties"]);
const containsMax = 1_000;

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

function nothing(): Mutable<Flat> {
  return {
    types: undefined,
    values: undefined,
    patterns: [],
    rules: {},
    format: undefined,
    isUnique: false,
    properties: new Map(),
    required: new Set(),
    byPattern: [],
    others: [],
    isClosed: false,
    names: [],
    dependent: {},
    prefix: [],
    items: [],
    hasNoMoreItems: false,
    contains: [],
    examples: [],
    hasAlternatives: false,
    ways: 1,
    isReadOnly: false,
    isWriteOnly: false,
    from: [],
  };
}

export function flatten(contract: Contract, places: readonly Place[], choices: Choices): Flat {
  const flat = nothing();
  const work = { contract, flat, choices, seen: new Set<string>() };
  for (const place of places) add(work, place);
  return flat;
}

/** The schema at a pointer: `true` says nothing, `false` forbids. */
export function schemaPlace(contract: Contract, pointer: string): Place {
  return placeFrom(contract.document, pointer.split("/").slice(1), pointer);
}

/** `tokens`: the way from a node, each as it stands in a pointer. */
function placeFrom(start: Json, tokens: readonly string[], pointer: string): Place {
  let node: Json | undefined = start;
  for (const token of tokens) {
    const name = unescapeToken(token);
    node = Array.isArray(node) ? node[Number(name)] : isObject(node) ? node[name] : undefined;
  }
  if (isObject(node)) return { node, pointer };
  return { node: node === false ? { not: {} } : {}, pointer };
}

interface Work {
  readonly contract: Contract;
  readonly flat: Mutable<Flat>;
  readonly choices: Choices;
  /** pointers: what is said twice is said, and of a way that leads back to itself nothing more comes */
  readonly seen: Set<string>;
}

function add(work: Work, place: Place): void {
  const { contract, flat, choices, seen } = work;
  const { node, pointer } = place;
  if (seen.has(pointer)) return;
  seen.add(pointer);
  flat.from = [...flat.from, pointer];
  const below = (...names: readonly string[]): Place =>
    placeFrom(node, names, [pointer, ...names].join("/"));
  const reference = node["$ref"];
  if (typeof reference === "string") {
    const target = schemaPlace(contract, targetOf(reference));
    add(work, target);
  }
  for (const index of listAt(node, "allOf").keys()) {
    add(work, below("allOf", String(index)));
  }
  for (const list of ["oneOf", "anyOf"]) {
    const all = listAt(node, list).map((_, index) => below(list, String(index)));
    if (all.length === 0) continue;
    flat.hasAlternatives = true;
    flat.ways *= all.length;
    const chosen = choices.pick(all);
    if (chosen !== undefined) add(work, chosen);
  }
  if (node["if"] !== undefined) flat.ways *= 2;
  for (const condition of conditionsOf(work, node)) {
    add(work, below(...condition));
  }
  addRules(flat, node);
  addMembers(flat, node, below);
}

/** `if` with its `then`, or `else`; and what the presence of a member asks for. */
function conditionsOf(
  { choices: { isMet } }: Work,
  node: JsonObject,
): readonly (readonly string[])[] {
  if (isMet === undefined) return [];
  const found: (readonly string[])[] = [];
  if (node["if"] !== undefined) {
    const names = isMet() ? ["if", "then"] : ["else"];
    found.push(...names.filter((name) => node[name] !== undefined).map((name) => [name]));
  }
  for (const name of Object.keys(objectAt(node, "dependentSchemas"))) {
    if (isMet()) found.push(["dependentSchemas", escapeToken(name)]);
  }
  return found;
}

function addRules(flat: Mutable<Flat>, node: JsonObject): void {
  const types = typesOf(node);
  if (types !== undefined) flat.types = flat.types ? both(flat.types, types) : types;
  const listed = Array.isArray(node["enum"]) ? node["enum"] : undefined;
  const values = node["const"] === undefined ? listed : [node["const"]];
  if (values !== undefined) flat.values = flat.values ? shared(flat.values, values) : values;
  if (typeof node["pattern"] === "string") flat.patterns = [...flat.patterns, node["pattern"]];
  if (typeof node["format"] === "string") flat.format ??= node["format"];
  if (node["uniqueItems"] === true) flat.isUnique = true;
  if (node["readOnly"] === true) flat.isReadOnly = true;
  if (node["writeOnly"] === true) flat.isWriteOnly = true;
  const shown = node["example"] === undefined ? [] : [node["example"]];
  // what is said nearer to the value comes first
  flat.examples = [...shown, ...listAt(node, "examples"), ...flat.examples];
  const rules: Record<string, number> = { ...flat.rules };
  for (const [name, bound] of Object.entries(node)) {
    if (typeof bound !== "number") continue;
    const before = rules[name];
    if (lower.has(name)) rules[name] = Math.max(before ?? bound, bound);
    if (upper.has(name)) rules[name] = Math.min(before ?? bound, bound);
    if (name === "multipleOf") rules[name] = commonMultiple(before, bound);
  }
  flat.rules = rules;
}

/** The least of both; of numbers that have none within reason the second one. */
function commonMultiple(one: number | undefined, other: number): number {
  if (one === undefined) return other;
  const multiples = Array.from({ length: 1_000 }, (_, at) => (at + 1) * other);
  return multiples.find((multiple) => Number.isInteger(multiple / one)) ?? other;
}

function typesOf({ type, nullable }: JsonObject): readonly string[] | undefined {
  const found = typeof type === "string" ? [type] : Array.isArray(type) ? type.map(textOf) : [];
  if (found.length === 0) return undefined;
  return nullable === true ? [...found, "null"] : found;
}

function addMembers(
  flat: Mutable<Flat>,
  node: JsonObject,
  below: (...names: readonly string[]) => Place,
): void {
  const properties = new Map(flat.properties);
  for (const name of Object.keys(objectAt(node, "properties"))) {
    const own = below("properties", escapeToken(name));
    properties.set(name, [...(properties.get(name) ?? []), own]);
  }
  flat.properties = properties;
  flat.required = new Set([...flat.required, ...listAt(node, "required").map(textOf)]);
  for (const pattern of Object.keys(objectAt(node, "patternProperties"))) {
    const own = below("patternProperties", escapeToken(pattern));
    flat.byPattern = [...flat.byPattern, [pattern, own]];
  }
  for (const name of ["additionalProperties", "unevaluatedProperties"]) {
    if (node[name] === false) flat.isClosed = true;
    if (isObject(node[name])) flat.others = [...flat.others, below(name)];
  }
  if (isObject(node["propertyNames"])) flat.names = [...flat.names, below("propertyNames")];
  for (const [name, list] of Object.entries(objectAt(node, "dependentRequired"))) {
    const wanted = Array.isArray(list) ? list.map(textOf) : [];
    flat.dependent = { ...flat.dependent, [name]: wanted };
  }
  if (isObject(node["items"])) flat.items = [...flat.items, below("items")];
  if (node["items"] === false || node["unevaluatedItems"] === false) flat.hasNoMoreItems = true;
  if (isObject(node["contains"])) {
    const { minContains = 1 } = node;
    const length = typeof minContains === "number" ? Math.min(minContains, containsMax) : 1;
    flat.contains = [...flat.contains, ...Array.from({ length }, () => below("contains"))];
  }
  for (const index of listAt(node, "prefixItems").keys()) {
    const own = below("prefixItems", String(index));
    flat.prefix = withAt(flat.prefix, index, own);
  }
}

function withAt(
  prefix: readonly (readonly Place[])[],
  index: number,
  place: Place,
): readonly (readonly Place[])[] {
  const copy = [...prefix];
  copy[index] = [...(copy[index] ?? []), place];
  return copy;
}

/** An integer is a number. */
function both(one: readonly string[], other: readonly string[]): readonly string[] {
  const isIn = (list: readonly string[], type: string): boolean =>
    list.includes(type) || (type === "integer" && list.includes("number"));
  return [
    ...new Set([
      ...one.filter((type) => isIn(other, type)),
      ...other.filter((type) => isIn(one, type)),
    ]),
  ];
}

function shared(one: readonly Json[], other: readonly Json[]): readonly Json[] {
  const texts = new Set(other.map((value) => JSON.stringify(value)));
  return one.filter((value) => texts.has(JSON.stringify(value)));
}
