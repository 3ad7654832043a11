// What refers to nothing goes, where that is allowed, and with it what refers to it.

import type { Json, JsonObject } from "../json.ts";
import { isObject, itemsOf, put, textOf } from "../json.ts";
import { targetOf } from "../normalise/references.ts";
import { childrenOf, walk } from "./walk.ts";

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
 * Of what is served, where nobody refers to an item by its number: a list without what refers to nothing. Others read
 * it, and stop at that.
 */
export function leaveOutItems(document: JsonObject): void {
  let hasNumbers = false;
  walk(document, "Document", (node) => {
    hasNumbers ||= /\/\d+(?:\/|$)/.test(textOf(node["$ref"]) ?? "");
  });
  if (hasNumbers) return;
  walk(document, "Document", (node, kind) => {
    const going = childrenOf(node, kind)
      .filter(({ kind: inner, path }) => inner !== "Schema" && Array.isArray(node[path[0] ?? ""]))
      .filter(({ value }) => isDangling(document, value));
    for (const name of new Set(going.map(({ path }) => path[0] ?? ""))) {
      const gone = new Set(going.map(({ value }) => value));
      put(
        node,
        name,
        itemsOf(node[name]).filter((item) => !gone.has(item)),
      );
    }
  });
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
