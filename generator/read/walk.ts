// Walks a document along the table of shapes, whatever state the document is in.

import type { Json, JsonObject } from "../json.ts";
import { copyEntries, entriesOf, isObject, itemsOf, put } from "../json.ts";
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
  eachChild(node, kind, (value, inner, name, key) => {
    found.push({ value, kind: inner, path: key === undefined ? [name] : [name, key] });
  });
  return found;
}

/** @param visit with the name of the property, and the name or index in the map or list that it holds */
function eachChild(
  node: JsonObject,
  kind: Kind,
  visit: (value: Json, kind: Kind, name: string, key?: string) => void,
): void {
  const shape = shapes[kind];
  for (const [name, value] of Object.entries(node)) {
    if (name.startsWith("x-")) continue;
    const field: Field | undefined = Object.hasOwn(shape.fields, name)
      ? shape.fields[name]
      : shape.others;
    if (field?.kind === undefined || name === "$ref") continue;
    const child = field.kind;
    if (field.many === undefined) visit(value, child, name);
    else if (field.many === "map") {
      for (const [key, item] of entriesOf(value)) {
        const isExtension = field.isExtended === true && key.startsWith("x-");
        if (!isExtension) visit(item, child, name, key);
      }
    } else {
      for (const [index, item] of itemsOf(value).entries()) {
        visit(item, child, name, String(index));
      }
    }
  }
}

export type Visitor = (node: JsonObject, kind: Kind) => void;

/** Visits every object that has a kind, parents first. References are not followed. */
export function walk(node: Json, kind: Kind, visit: Visitor): void {
  if (!isObject(node)) return;
  visit(node, kind);
  eachChild(node, kind, (value, inner) => {
    walk(value, inner, visit);
  });
}

export interface Rewriting {
  readonly origins: Origins;
  /** rewrites a node whose children have been rewritten already */
  readonly rewriter: (node: JsonObject, kind: Kind) => Json;
}

/** A rewritten deep copy: children first, then the node itself; origins follow. */
export function rewrite(node: Json, kind: Kind, rewriting: Rewriting): Json {
  const { origins, rewriter } = rewriting;
  if (!isObject(node)) return node;
  const copy = copyObject(node, origins);
  const copied = new Set<string>();
  for (const child of childrenOf(node, kind)) {
    const value = rewrite(child.value, child.kind, rewriting);
    const [name, key] = child.path;
    if (name === undefined) continue;
    if (key === undefined) put(copy, name, value);
    else {
      if (!copied.has(name)) copyContainer(copy, name, origins);
      copied.add(name);
      const container = copy[name];
      if (Array.isArray(container)) container[Number(key)] = value;
      else if (isObject(container)) put(container, key, value);
    }
  }
  return rewriter(copy, kind);
}

/** The list or map below a property becomes this copy's own. */
function copyContainer(copy: JsonObject, name: string, origins: Origins): void {
  const container = copy[name];
  if (Array.isArray(container)) put(copy, name, origins.copy(container, [...container]));
  else if (isObject(container)) put(copy, name, copyObject(container, origins));
}

export function copyObject(from: JsonObject, origins: Origins): JsonObject {
  return origins.copy(from, copyEntries(from));
}
