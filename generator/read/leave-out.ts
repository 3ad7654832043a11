// What refers to nothing goes, where that is allowed, and with it what refers to it.

import type { Json, JsonObject } from "../json.ts";
import { isObject, textOf } from "../json.ts";
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
      if (inner === "Schema" || !isObject(value)) continue;
      if (path.length > 1 && Array.isArray(node[path[0] ?? ""])) continue;
      const reference = textOf(value["$ref"]);
      if (reference !== undefined && targetOf(document, reference) === undefined) found.add(value);
    }
  });
  return found;
}
