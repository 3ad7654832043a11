// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Values inside values in queries and forms, by names in brackets.
//
// OpenAPI leaves open how a deepObject writes what is no text (3.1.1, section 4.8.12.3). Read is what most
// clients write: `a[b][c]=1`, and of a list `a[b][]=1`, `a[b][0]=1` or `a[b]=1&a[b]=2`.

import type { Tree } from "./runtime.ts";
import { Misread, repeated, scalar } from "./text.ts";
import { put, type Values } from "./values.ts";

const wrongPlace = new Misread("style", "is not written in the style of the contract");

const unknownName = new Misread("unknown", "is not known");

const gap = new Misread("style", "must number the items of a list from 0 on, without gaps");

const bracketed = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

export interface TreePath {
  readonly root: string;
  /** what stands in the brackets */
  readonly tokens: readonly string[];
}

/** Undefined: its brackets do not match. */
export function treePath(name: string): TreePath | undefined {
  const match = bracketed.exec(name);
  if (match === null) return undefined;
  const [, root = "", brackets = ""] = match;
  const tokens = brackets === "" ? [] : brackets.slice(1, -1).split("][");
  return { root, tokens };
}

/** A value that others stand in, and which of them is meant. */
interface Place {
  readonly holder: Values | unknown[];
  readonly key: string | number;
  readonly tree: Tree;
}

/** Puts the value of one name where it belongs; what was wrong with it. */
export function readTree(
  values: Values,
  { path: { root, tokens }, tree }: { readonly path: TreePath; readonly tree: Tree },
  text: string,
): Misread | undefined {
  let place: Place = { holder: values, key: root, tree };
  for (const [index, token] of tokens.entries()) {
    const next = stepInto(place, token, index === tokens.length - 1);
    if (next instanceof Misread) return next;
    place = next;
  }
  const { scalar: kinds, items } = place.tree;
  if (kinds !== undefined) {
    if (valueAt(place) !== undefined) return repeated;
    set(place, scalar(text, kinds));
    return undefined;
  }
  if (items?.scalar === undefined) return wrongPlace;
  const list = valueAt(place) ?? [];
  if (!Array.isArray(list)) return wrongPlace;
  list.push(scalar(text, items.scalar));
  set(place, list);
  return undefined;
}

function stepInto(place: Place, token: string, isLast: boolean): Place | Misread {
  const { items, object = {}, others } = place.tree;
  const before = valueAt(place);
  if (items !== undefined && /^(?:|0|[1-9][0-9]{0,8})$/.test(token)) {
    // "a[][b]" does not say whether it begins a new item
    if (token === "" && !isLast) return wrongPlace;
    const list = before ?? [];
    if (!Array.isArray(list)) return wrongPlace;
    const index = token === "" ? list.length : Number(token);
    if (index > list.length) return gap;
    set(place, list);
    return { holder: list, key: index, tree: items };
  }
  const tree = Object.hasOwn(object, token) ? object[token] : others;
  if (tree === undefined) return unknownName;
  const inner = before ?? {};
  if (typeof inner !== "object" || Array.isArray(inner)) return wrongPlace;
  set(place, inner);
  // only this file writes what stands in a tree
  return { holder: inner as Values, key: token, tree };
}

function valueAt({ holder, key }: Place): unknown {
  return Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
}

function set({ holder, key }: Place, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else put(holder, String(key), value);
}
