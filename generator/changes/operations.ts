// Operations of two revisions: found by path and method, compared in all that a client can notice.

import { type Json, type JsonObject, itemsOf, textOf } from "../json.ts";
import { operationsOf } from "../read/operations.ts";
import { compareContent } from "./content.ts";
import {
  type Both,
  type Extension,
  extensionChanges,
  type Found,
  type Pair,
  shown,
} from "./found.ts";
import { compareDeprecation, type Notice, sunsetOf } from "./lifecycle.ts";
import { compareHeaders, compareParameters, type Place, sentHeaders } from "./parameters.ts";
import { compareResponses } from "./responses.ts";
import { objectAt, objectIn, objectsIn, type Revision } from "./revision.ts";
import type { SchemaComparison } from "./schemas.ts";
import { compareSecurity } from "./security.ts";
import { compareServers } from "./servers.ts";

export interface OperationRules {
  readonly schemas: SchemaComparison;
  readonly extensions: readonly Extension[];
  readonly notice: Notice;
}

/** A change, and the operation that it was found in. */
export interface OperationChange extends Found {
  readonly operation: string;
}

interface Located extends Place {
  readonly method: string;
}

/** The operations of a map of path items; `keyOf` says when two paths are the same one. */
function operationsIn(
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

function nameOf({ method, path, operation }: Located): string {
  return textOf(operation["operationId"]) ?? `${method} ${path}`;
}

/** The names in the braces of a path do not travel. */
const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

export function comparePaths(pair: Pair, rules: OperationRules): readonly OperationChange[] {
  const located = (revision: Revision) =>
    operationsIn(revision, objectsIn(revision, revision.document, "paths"), withoutNames);
  const before = located(pair.base);
  const after = located(pair.head);
  const found: OperationChange[] = [];
  for (const [key, base] of before) {
    const head = after.get(key);
    const operation = nameOf(head ?? base);
    const changes =
      head === undefined ? [removal(base, rules.notice)] : compareOperation({ base, head }, rules);
    found.push(...changes.map((change) => ({ ...change, operation })));
  }
  for (const [key, head] of after) {
    if (before.has(key)) continue;
    const message = `${head.method} ${head.path} is new`;
    const at = { revision: head.revision, node: head.operation };
    found.push({ rule: "operation-added", at, message, operation: nameOf(head) });
  }
  return found;
}

/** Whoever was told the day may not be surprised after it. */
function removal({ revision, method, path, operation }: Located, { today }: Notice): Found {
  const sunset = sunsetOf(operation);
  const isTold = operation["deprecated"] === true && sunset !== undefined && sunset <= today;
  const rule = isTold ? "operation-removed-after-sunset" : "operation-removed";
  const message = `${method} ${path} is gone`;
  return { rule, at: { revision, node: operation }, message };
}

function compareOperation(both: Both<Located>, rules: OperationRules): readonly Found[] {
  return [
    ...compareNames(both),
    ...compareDeprecation(both, rules.notice),
    ...compareSecurity(both),
    ...compareOwnServers(both),
    ...compareParameters(both, rules.schemas),
    ...compareRequestBody(both, rules.schemas),
    ...compareResponses(both, {
      schemas: rules.schemas,
      extensions: rules.extensions.filter(({ on }) => on === "Response"),
    }),
    ...compareCallbacks(both, rules),
    ...compareExtensions(both, rules),
  ];
}

/** Where neither says its own, the servers of the document are compared once for all. */
function compareOwnServers({ base, head }: Both<Located>): readonly Found[] {
  const own = ({ operation, item }: Located): Json | undefined =>
    operation["servers"] ?? item["servers"];
  if (own(base) === undefined && own(head) === undefined) return [];
  const lists = {
    base: own(base) ?? base.revision.document["servers"],
    head: own(head) ?? head.revision.document["servers"],
  };
  return compareServers(lists, { base: base.revision, head: head.revision });
}

function compareNames({ base, head }: Both<Located>): readonly Found[] {
  const found: Found[] = [];
  const { revision, operation } = head;
  const id = base.operation["operationId"];
  if (id !== undefined && id !== operation["operationId"]) {
    const at = { revision, node: operation, name: "operationId" };
    const message = `${shown(id)} became ${shown(operation["operationId"])}`;
    found.push({ rule: "operation-id-changed", at, message });
  }
  const [tag] = itemsOf(base.operation["tags"]);
  const [other] = itemsOf(operation["tags"]);
  if (tag !== undefined && tag !== other) {
    const at = { revision, node: operation, name: "tags" };
    found.push({
      rule: "operation-tag-changed",
      at,
      message: `${shown(tag)} became ${shown(other)}`,
    });
  }
  return found;
}

function compareExtensions({ base, head }: Both<Located>, { extensions }: OperationRules) {
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

function compareRequestBody(
  { base, head }: Both<Located>,
  schemas: SchemaComparison,
): readonly Found[] {
  const before = objectIn(base.revision, base.operation, "requestBody");
  const after = objectIn(head.revision, head.operation, "requestBody");
  if (before === undefined && after === undefined) return [];
  const needs = after?.["required"] === true;
  if (before === undefined || after === undefined) {
    const rule =
      after === undefined
        ? "request-body-removed"
        : needs
          ? "request-required-body-added"
          : "request-body-added";
    const { revision } = after === undefined ? base : head;
    const node = after ?? before ?? head.operation;
    const message = after === undefined ? "the body is gone" : "a body is new";
    return [{ rule, at: { revision, node }, message }];
  }
  const needed = before["required"] === true;
  const at = { revision: head.revision, node: after };
  const rule = needs ? "request-body-became-required" : "request-body-became-optional";
  const message = needs ? "the body must be sent now" : "the body may be left out now";
  const pair = { base: base.revision, head: head.revision, direction: "request" } as const;
  return [
    ...(needs === needed ? [] : [{ rule, at, message }]),
    ...compareContent({ base: before, head: after }, pair, schemas),
  ];
}

/** Callbacks are webhooks whose address the request says. */
function compareCallbacks(both: Both<Located>, rules: OperationRules): readonly Found[] {
  const callbacks = ({ revision, operation }: Located): ReadonlyMap<string, JsonObject> => {
    const named = Array.from(objectsIn(revision, operation, "callbacks"));
    return new Map(
      named.flatMap(([name, callback]) =>
        Array.from(objectsIn(revision, { callback }, "callback"), ([expression, item]) => {
          return [`${name} ${expression}`, item] as const;
        }),
      ),
    );
  };
  const items = { base: callbacks(both.base), head: callbacks(both.head) };
  return compareSent(items, { base: both.base.revision, head: both.head.revision }, rules);
}

export function compareWebhooks(pair: Pair, rules: OperationRules): readonly OperationChange[] {
  const items = {
    base: objectsIn(pair.base, pair.base.document, "webhooks"),
    head: objectsIn(pair.head, pair.head.document, "webhooks"),
  };
  return compareSent(items, pair, rules);
}

/** What the server sends to its clients: its request is theirs to read, its response theirs to write. */
function compareSent(
  items: Both<ReadonlyMap<string, JsonObject>>,
  pair: Pair,
  rules: OperationRules,
): readonly OperationChange[] {
  const before = operationsIn(pair.base, items.base, (name) => name);
  const after = operationsIn(pair.head, items.head, (name) => name);
  const found: OperationChange[] = [];
  for (const [key, base] of before) {
    const head = after.get(key);
    const operation = nameOf(head ?? base);
    const at = { revision: base.revision, node: base.operation };
    const gone = { rule: "webhook-removed", at, message: `${base.path} is gone` };
    const changes = head === undefined ? [gone] : compareWebhook({ base, head }, rules);
    found.push(...changes.map((change) => ({ ...change, operation })));
  }
  for (const [key, head] of after) {
    if (before.has(key)) continue;
    const at = { revision: head.revision, node: head.operation };
    found.push({
      rule: "webhook-added",
      at,
      message: `${head.path} is new`,
      operation: nameOf(head),
    });
  }
  return found;
}

function compareWebhook(
  both: Both<Located>,
  { schemas, notice, extensions }: OperationRules,
): readonly Found[] {
  const { base, head } = both;
  const pair: Pair = { base: base.revision, head: head.revision };
  const found: Found[] = [
    ...compareNames(both),
    ...compareDeprecation(both, notice),
    ...compareHeaders({ base: sentHeaders(base), head: sentHeaders(head) }, pair, schemas),
    ...compareExtensions(both, { schemas, notice, extensions }),
  ];
  const before = objectIn(base.revision, base.operation, "requestBody");
  const after = objectIn(head.revision, head.operation, "requestBody");
  if (before !== undefined && after !== undefined) {
    const own = { base: before, head: after };
    found.push(...compareContent(own, { ...pair, direction: "response" }, schemas));
  } else if (before !== undefined) {
    const at = { revision: base.revision, node: before };
    found.push({ rule: "webhook-body-removed", at, message: "the body is gone" });
  }
  const taken = objectsIn(head.revision, head.operation, "responses");
  const known = objectsIn(base.revision, base.operation, "responses");
  for (const [status, response] of known) {
    const other = taken.get(status) ?? taken.get(`${status[0] ?? ""}XX`) ?? taken.get("default");
    if (other !== undefined) {
      const own = { base: response, head: other };
      found.push(...compareContent(own, { ...pair, direction: "request" }, schemas));
      continue;
    }
    const at = { revision: base.revision, node: response };
    found.push({ rule: "webhook-status-removed", at, message: `${status} is gone` });
  }
  for (const [status, response] of taken) {
    if (known.has(status)) continue;
    const at = { revision: head.revision, node: response };
    found.push({ rule: "webhook-status-added", at, message: `${status} is new` });
  }
  return found;
}
