// What the server sends to its clients, by webhooks and callbacks: its request is theirs to read, its response theirs
// to write, so that either is judged in the other direction.

import type { JsonObject } from "../json.ts";
import { compareContent } from "./content.ts";
import { addTo, type Both, type Found, type Pair } from "./found.ts";
import { compareDeprecation, isOver } from "./lifecycle.ts";
import { compareExtensions, compareLocated, compareNames } from "./located.ts";
import { endsOf, operationsIn, partAt } from "./located.ts";
import type { Located, OperationChange, OperationRules } from "./located.ts";
import { compareHeaders, operationAt, sentBeside } from "./parameters.ts";
import { type At, objectIn, objectsIn } from "./revision.ts";
import type { SchemaComparison } from "./schemas.ts";
import { compareSentSecurity } from "./security.ts";

/** Callbacks are webhooks whose address the request says. */
export function compareCallbacks(both: Both<Located>, rules: OperationRules): readonly Found[] {
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
  const above = { base: operationAt(both.base), head: operationAt(both.head) };
  return compareSent(items, above, rules);
}

export function compareWebhooks(pair: Pair, rules: OperationRules): readonly OperationChange[] {
  const items = {
    base: objectsIn(pair.base, pair.base.document, "webhooks"),
    head: objectsIn(pair.head, pair.head.document, "webhooks"),
  };
  const above = {
    base: { revision: pair.base, node: pair.base.document },
    head: { revision: pair.head, node: pair.head.document },
  };
  return compareSent(items, above, rules);
}

/** `above`: what webhooks stand in, or would. */
function compareSent(
  items: Both<ReadonlyMap<string, JsonObject>>,
  above: Both<At>,
  rules: OperationRules,
): readonly OperationChange[] {
  const located = {
    base: operationsIn(above.base.revision, items.base, (name) => name),
    head: operationsIn(above.head.revision, items.head, (name) => name),
  };
  return compareLocated(located, {
    both: (both) => compareWebhook(both, rules),
    gone: (base) => removal(base, above.head, rules),
    added: (head) => ({
      base: above.base,
      head: operationAt(head),
      rule: "webhook-added",
      message: `${head.path} is new`,
    }),
  });
}

function removal(base: Located, head: At, { notice }: OperationRules): Found {
  const isTold = isOver(base.operation, notice);
  const rule = isTold ? "webhook-removed-after-sunset" : "webhook-removed";
  return { base: operationAt(base), head, isGone: true, rule, message: `${base.path} is gone` };
}

function compareWebhook(both: Both<Located>, rules: OperationRules): readonly Found[] {
  const { base, head } = both;
  const { schemas, notice } = rules;
  const pair: Pair = { base: base.revision, head: head.revision };
  const beside = { base: sentBeside(base), head: sentBeside(head) };
  return [
    ...compareNames(both),
    ...compareDeprecation(endsOf(both), notice, "the webhook"),
    ...compareSentSecurity(both),
    ...compareHeaders(beside, pair, schemas),
    ...compareExtensions(both, rules),
    ...compareBody(both, schemas),
    ...compareAnswers(both, schemas),
  ];
}

function compareBody({ base, head }: Both<Located>, schemas: SchemaComparison): readonly Found[] {
  const before = objectIn(base.revision, base.operation, "requestBody");
  const after = objectIn(head.revision, head.operation, "requestBody");
  const where = partAt({ base, head }, { base: before, head: after });
  if (before === undefined) {
    return after === undefined
      ? []
      : [{ ...where, rule: "webhook-body-added", message: "a body is new" }];
  }
  if (after === undefined) {
    return [{ ...where, rule: "webhook-body-removed", message: "the body is gone" }];
  }
  const pair = { base: base.revision, head: head.revision, direction: "response" } as const;
  const found = compareContent({ base: before, head: after }, pair, schemas);
  const had = before["required"] === true;
  const has = after["required"] === true;
  if (had === has) return found;
  const rule = has ? "webhook-body-became-required" : "webhook-body-became-optional";
  const message = has ? "the body always comes now" : "the body may be absent now";
  return [...found, { ...where, rule, message }];
}

/** What clients may answer: by status, its class, or else. */
function compareAnswers(both: Both<Located>, schemas: SchemaComparison): readonly Found[] {
  const { base, head } = both;
  const pair = { base: base.revision, head: head.revision, direction: "request" } as const;
  const known = objectsIn(base.revision, base.operation, "responses");
  const taken = objectsIn(head.revision, head.operation, "responses");
  const found: Found[] = [];
  for (const status of new Set([...known.keys(), ...taken.keys()])) {
    const before = answerFor(known, status);
    const after = answerFor(taken, status);
    const where = partAt(both, { base: before, head: after });
    if (before === undefined) {
      found.push({ ...where, rule: "webhook-status-added", message: `${status} is new` });
    } else if (after === undefined) {
      found.push({ ...where, rule: "webhook-status-removed", message: `${status} is gone` });
    } else {
      addTo(found, compareContent({ base: before, head: after }, pair, schemas));
    }
  }
  return found;
}

function answerFor(
  responses: ReadonlyMap<string, JsonObject>,
  status: string,
): JsonObject | undefined {
  return responses.get(status) ?? responses.get(`${status[0] ?? ""}XX`) ?? responses.get("default");
}
