// Operations of two revisions: found by path and method, compared in all that a client can notice.

import type { Json } from "../json.ts";
import { compareContent } from "./content.ts";
import { type Both, type Found, type Pair } from "./found.ts";
import { compareDeprecation, isOver, type Notice } from "./lifecycle.ts";
import { compareExtensions, compareLocated, compareNames } from "./located.ts";
import { endsOf, operationsIn, partAt } from "./located.ts";
import type { Located, OperationChange, OperationRules } from "./located.ts";
import { compareParameters, operationAt } from "./parameters.ts";
import { compareResponses } from "./responses.ts";
import { type At, objectIn, objectsIn, type Revision } from "./revision.ts";
import type { SchemaComparison } from "./schemas.ts";
import { compareSecurity } from "./security.ts";
import { compareServers } from "./servers.ts";
import { compareCallbacks } from "./webhooks.ts";

/** The names in the braces of a path do not travel. */
const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

/** What an operation would stand in that is not there: its path, or else all of them. */
function aboveOf(revision: Revision, path: string): At {
  const paths = objectIn(revision, revision.document, "paths");
  const item = paths && objectIn(revision, paths, path);
  return { revision, node: item ?? paths ?? revision.document };
}

export function comparePaths(pair: Pair, rules: OperationRules): readonly OperationChange[] {
  const located = (revision: Revision) =>
    operationsIn(revision, objectsIn(revision, revision.document, "paths"), withoutNames);
  return compareLocated(
    { base: located(pair.base), head: located(pair.head) },
    {
      both: (both) => compareOperation(both, rules),
      gone: (base) => removal(base, pair.head, rules.notice),
      added: (head) => ({
        base: aboveOf(pair.base, head.path),
        head: operationAt(head),
        rule: "operation-added",
        message: `${head.method} ${head.path} is new`,
      }),
    },
  );
}

function removal(base: Located, head: Revision, notice: Notice): Found {
  const { method, path, operation } = base;
  const rule = isOver(operation, notice) ? "operation-removed-after-sunset" : "operation-removed";
  const where = { base: operationAt(base), head: aboveOf(head, path), isGone: true };
  return { ...where, rule, message: `${method} ${path} is gone` };
}

function compareOperation(both: Both<Located>, rules: OperationRules): readonly Found[] {
  return [
    ...compareNames(both),
    ...compareDeprecation(endsOf(both), rules.notice, "the operation"),
    ...compareSecurity(both),
    ...compareOwnServers(both),
    ...compareParameters(both, rules.schemas, rules.notice),
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
  return compareServers(lists, { base: operationAt(base), head: operationAt(head) });
}

function compareRequestBody(
  { base, head }: Both<Located>,
  schemas: SchemaComparison,
): readonly Found[] {
  const before = objectIn(base.revision, base.operation, "requestBody");
  const after = objectIn(head.revision, head.operation, "requestBody");
  if (before === undefined && after === undefined) return [];
  const needs = after?.["required"] === true;
  const needed = before?.["required"] === true;
  const where = partAt({ base, head }, { base: before, head: after });
  if (before === undefined) {
    const rule = needs ? "request-required-body-added" : "request-body-added";
    return [{ ...where, rule, message: "a body is new" }];
  }
  if (after === undefined) {
    const rule = needed ? "request-required-body-removed" : "request-body-removed";
    return [{ ...where, rule, message: "the body is gone" }];
  }
  const rule = needs ? "request-body-became-required" : "request-body-became-optional";
  const message = needs ? "the body must be sent now" : "the body may be left out now";
  const pair = { base: base.revision, head: head.revision, direction: "request" } as const;
  return [
    ...(needs === needed ? [] : [{ ...where, rule, message }]),
    ...compareContent({ base: before, head: after }, pair, schemas),
  ];
}
