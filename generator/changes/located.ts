// Operations as they are found in a document, with what they and webhooks have in common.

import { type JsonObject, itemsOf, textOf } from "../json.ts";
import { operationsOf } from "../read/operations.ts";
import {
  type Both,
  type Extension,
  extensionChanges,
  type Found,
  shown,
  type Where,
} from "./found.ts";
import type { Ending, Notice } from "./lifecycle.ts";
import { operationAt, type Place } from "./parameters.ts";
import { type At, objectAt, type Revision } from "./revision.ts";
import type { SchemaComparison } from "./schemas.ts";

export interface OperationRules {
  readonly schemas: SchemaComparison;
  readonly extensions: readonly Extension[];
  readonly notice: Notice;
}

/** A change, and the operation that it was found in. */
export interface OperationChange extends Found {
  readonly operation: string;
}

export interface Located extends Place {
  readonly method: string;
}

/** The operations of a map of path items; `keyOf` says when two paths are the same one. */
export function operationsIn(
  revision: Revision,
  items: ReadonlyMap<string, JsonObject>,
  keyOf: (path: string) => string,
): Map<string, Located> {
  const found = new Map<string, Located>();
  for (const [path, item] of items) {
    if (path.startsWith("x-")) continue;
    for (const { method, operation: written } of operationsOf(item)) {
      const operation = objectAt(revision, written);
      if (operation === undefined) continue;
      found.set(`${method} ${keyOf(path)}`, { revision, path, item, operation, method });
    }
  }
  return found;
}

interface Compared {
  readonly both: (both: Both<Located>) => readonly Found[];
  readonly gone: (base: Located) => Found;
  readonly added: (head: Located) => Found;
}

/** By the keys of `operationsIn`: first what was there before, then what is new. */
export function compareLocated(
  { base: before, head: after }: Both<ReadonlyMap<string, Located>>,
  { both, gone, added }: Compared,
): readonly OperationChange[] {
  const found: OperationChange[] = [];
  for (const [key, base] of before) {
    const head = after.get(key);
    const operation = nameOf(head ?? base);
    const changes = head === undefined ? [gone(base)] : both({ base, head });
    for (const change of changes) found.push({ ...change, operation });
  }
  for (const [key, head] of after) {
    if (!before.has(key)) found.push({ ...added(head), operation: nameOf(head) });
  }
  return found;
}

/** A part of an operation, or the operation where it has none. */
export function partAt(
  { base, head }: Both<Located>,
  { base: before, head: after }: Both<JsonObject | undefined>,
): Where {
  return {
    base: before === undefined ? operationAt(base) : { revision: base.revision, node: before },
    head: after === undefined ? operationAt(head) : { revision: head.revision, node: after },
    isGone: after === undefined,
  };
}

function nameOf({ method, path, operation }: Located): string {
  return textOf(operation["operationId"]) ?? `${method} ${path}`;
}

export function endsOf({ base, head }: Both<Located>): Both<Ending> {
  return {
    base: { revision: base.revision, node: base.operation },
    head: { revision: head.revision, node: head.operation },
  };
}

export function compareNames({ base, head }: Both<Located>): readonly Found[] {
  const found: Found[] = [];
  const { operation } = head;
  const at = (name: string): Both<At> => ({
    base: { ...operationAt(base), name },
    head: { ...operationAt(head), name },
  });
  const id = base.operation["operationId"];
  if (id !== undefined && id !== operation["operationId"]) {
    const message = `${shown(id)} became ${shown(operation["operationId"])}`;
    found.push({ ...at("operationId"), rule: "operation-id-changed", message });
  }
  const [tag] = itemsOf(base.operation["tags"]);
  const [other] = itemsOf(operation["tags"]);
  if (tag !== undefined && tag !== other) {
    const message = `${shown(tag)} became ${shown(other)}`;
    found.push({ ...at("tags"), rule: "operation-tag-changed", message });
  }
  return found;
}

export function compareExtensions(
  { base, head }: Both<Located>,
  { extensions }: OperationRules,
): readonly Found[] {
  return extensions
    .filter(({ on }) => on === "Operation")
    .flatMap((extension) => {
      const { name } = extension;
      const at = {
        base: { revision: base.revision, node: base.operation, name },
        head: { revision: head.revision, node: head.operation, name },
      };
      const nodes = { base: base.operation[name], head: head.operation[name] };
      return extensionChanges(at, nodes, extension);
    });
}
