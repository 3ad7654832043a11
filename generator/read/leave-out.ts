// What refers to nothing goes, where that is allowed, and with it what refers to it.

import type { Json, JsonObject } from "../json.ts";
import { at, escapeToken, isObject, itemsOf, pointerTokens, put, textOf } from "../json.ts";
import { targetOf } from "../normalise/references.ts";
import { decodeFragment } from "./locate.ts";
import { childrenOf, walk } from "./walk.ts";

/** OpenAPI has no such field of a document, and one that it does not have is said to be an error. */
const nowhere = "#/left out";

/**
 * Takes the nodes out of the document, which is changed in place. Items of lists stay where they are, since
 * others may be referred to by their numbers; whoever follows them finds nothing.
 */
export function leaveOut(lost: ReadonlySet<Json>, document: JsonObject): void {
  let going: ReadonlySet<Json> = lost;
  while (going.size > 0) {
    remove(going, document);
    going = danglingIn(document);
  }
}

/**
 * Of what is served: lists of parameters without what refers to nothing, but where a reference counts on the places of
 * a list. Others read it, and stop at that.
 */
export function leaveOutItems(document: JsonObject): void {
  const lists: { readonly node: JsonObject; readonly name: string }[] = [];
  walk(document, "Document", (node, kind) => {
    const names = childrenOf(node, kind)
      .filter(({ value, kind: inner }) => inner === "Parameter" && isDangling(document, value))
      .map(({ path }) => path[0] ?? "")
      .filter((name) => Array.isArray(node[name]));
    for (const name of new Set(names)) lists.push({ node, name });
  });
  if (lists.length === 0) return;
  const counted = listsOnTheWay(document);
  for (const { node, name } of lists) {
    const list = node[name] ?? [];
    if (counted.has(list)) continue;
    const left = itemsOf(list).filter((item) => !isDangling(document, item));
    put(node, name, left);
  }
}

/** Lists that some reference leads through, by a number. */
function listsOnTheWay(document: JsonObject): ReadonlySet<Json> {
  const found = new Set<Json>();
  const follow = (pointer: string): void => {
    let value: Json | undefined = document;
    for (const token of pointerTokens(pointer)) {
      if (Array.isArray(value)) found.add(value);
      value =
        isObject(value) || Array.isArray(value) ? at(value, `/${escapeToken(token)}`) : undefined;
    }
  };
  const visit = (value: Json): void => {
    if (typeof value === "string" && value.startsWith("#/")) follow(decodeFragment(value.slice(1)));
    else if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value)) Object.values(value).forEach(visit);
  };
  visit(document);
  return found;
}

function isDangling(document: JsonObject, value: Json): boolean {
  const reference = isObject(value) ? textOf(value["$ref"]) : undefined;
  return reference !== undefined && targetOf(document, reference) === undefined;
}

function remove(going: ReadonlySet<Json>, document: JsonObject): void {
  walk(document, "Document", (node, kind) => {
    for (const { value, path } of childrenOf(node, kind)) {
      if (!going.has(value)) continue;
      const [name = "", key] = path;
      const holder = key === undefined ? node : node[name];
      if (isObject(holder)) delete holder[key ?? name];
      // In another file it led to nothing; here there may be something of that name, or it is of another kind.
      else if (isObject(value)) put(value, "$ref", nowhere);
    }
  });
}

/** References that lead to what is gone, but for schemas and items of lists. */
function danglingIn(document: JsonObject): ReadonlySet<Json> {
  const found = new Set<Json>();
  walk(document, "Document", (node, kind) => {
    for (const { value, kind: inner, path } of childrenOf(node, kind)) {
      if (inner === "Schema") continue;
      if (path.length > 1 && Array.isArray(node[path[0] ?? ""])) continue;
      if (isDangling(document, value)) found.add(value);
    }
  });
  return found;
}
