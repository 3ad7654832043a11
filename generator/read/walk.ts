// Walks a document along the table of shapes, whatever state the document is in.

import type { Json, JsonObject } from "../json.ts";
import { copyEntries, isObject, itemsOf, put } from "../json.ts";
import type { Origins } from "./origins.ts";
import type { Field, Kind } from "./shapes.ts";
import { shapes } from "./shapes.ts";

export interface Child {
  readonly value: Json;
  readonly kind: Kind;
  /** the tokens that lead from the parent to this child */
  readonly path: readonly string[];
}

/** The children of a node that have a kind of their own. `$ref` objects have none but a schema's. */
export function childrenOf(node: JsonObject, kind: Kind): Child[] {
  const found: Child[] = [];
  eachField(node, kind, (name, value, field) => {
    if (field.many === undefined) found.push({ value, kind: field.kind, path: [name] });
    else
      for (const [key, item] of heldIn(value, field))
        found.push({ value: item, kind: field.kind, path: [name, key] });
  });
  return found;
}

export type Visitor = (node: JsonObject, kind: Kind) => void;

/** Visits every object that has a kind, parents first. References are not followed. */
export function walk(node: Json, kind: Kind, visit: Visitor): void {
  if (!isObject(node)) return;
  visit(node, kind);
  // every object of a document comes through here a dozen times: nothing is made on the way
  for (const name of Object.keys(node)) {
    const field = holderOf(name, kind);
    if (field === undefined) continue;
    const value = node[name] ?? null;
    if (field.many === undefined) walk(value, field.kind, visit);
    else if (field.many === "list")
      for (const item of itemsOf(value)) walk(item, field.kind, visit);
    else if (isObject(value))
      for (const key of keysOf(value, field)) walk(value[key] ?? null, field.kind, visit);
  }
}

/** A field that holds something with a kind of its own. */
type Holder = Field & { readonly kind: Kind };

function eachField(
  node: JsonObject,
  kind: Kind,
  visit: (name: string, value: Json, field: Holder) => void,
): void {
  for (const name of Object.keys(node)) {
    const field = holderOf(name, kind);
    if (field !== undefined) visit(name, node[name] ?? null, field);
  }
}

/** What a field of that name holds in an object of that kind; nothing where that has no kind of its own. */
function holderOf(name: string, kind: Kind): Holder | undefined {
  const { fields, others } = shapes[kind];
  if (name === "$ref" || name.startsWith("x-")) return undefined;
  const field = Object.hasOwn(fields, name) ? fields[name] : others;
  return field !== undefined && isHolder(field) ? field : undefined;
}

function isHolder(field: Field): field is Holder {
  return field.kind !== undefined;
}

/** By name or index. */
function heldIn(value: Json, field: Field): readonly (readonly [string, Json])[] {
  if (field.many === "list") return itemsOf(value).map((item, index) => [String(index), item]);
  if (!isObject(value)) return [];
  return keysOf(value, field).map((key) => [key, value[key] ?? null]);
}

/** Of a map, without what only extends it. */
function keysOf(map: JsonObject, { isExtended }: Field): string[] {
  const keys = Object.keys(map);
  return isExtended === true ? keys.filter((key) => !key.startsWith("x-")) : keys;
}

export interface Rewriting {
  readonly origins: Origins;
  /** rewrites a node whose children have been rewritten already */
  readonly rewriter: (node: JsonObject, kind: Kind) => Json;
}

/** A rewritten deep copy: children first, then the node itself; origins follow. */
export function rewrite(node: Json, kind: Kind, rewriting: Rewriting): Json {
  if (!isObject(node)) return node;
  const copy = copyObject(node, rewriting.origins);
  eachField(node, kind, (name, value, field) => {
    const rewritten =
      field.many === undefined
        ? rewrite(value, field.kind, rewriting)
        : rewriteHeld(value, field, rewriting);
    put(copy, name, rewritten);
  });
  return rewriting.rewriter(copy, kind);
}

/** The list or map below a property becomes the copy's own. */
function rewriteHeld(value: Json, field: Holder, rewriting: Rewriting): Json {
  const { origins } = rewriting;
  if (field.many === "list") {
    if (!Array.isArray(value)) return value;
    return origins.copy(
      value,
      value.map((item) => rewrite(item, field.kind, rewriting)),
    );
  }
  if (!isObject(value)) return value;
  const copy = copyObject(value, origins);
  for (const key of keysOf(value, field)) {
    put(copy, key, rewrite(value[key] ?? null, field.kind, rewriting));
  }
  return copy;
}

export function copyObject(from: JsonObject, origins: Origins): JsonObject {
  return origins.copy(from, copyEntries(from));
}
