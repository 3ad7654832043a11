// Responses by status: what stands under its number, its class ("4XX") or `default`.

import { itemsOf, type JsonObject } from "../json.ts";
import { compareContent } from "./content.ts";
import {
  addTo,
  type Both,
  type Extension,
  extensionChanges,
  type Found,
  type Pair,
} from "./found.ts";
import type { DocumentRuleName } from "./document-rules.ts";
import { compareHeaders, headersOf, operationAt, type Place } from "./parameters.ts";
import { objectsIn } from "./revision.ts";
import type { SchemaComparison } from "./schemas.ts";

interface Responses {
  readonly declared: ReadonlyMap<string, JsonObject>;
  /** the statuses behind `default`, where the operation names them; undefined: any */
  readonly named: ReadonlySet<string> | undefined;
}

function responsesOf({ revision, operation }: Place): Responses {
  const list = operation["x-default-statuses"];
  return {
    declared: new Map(
      Array.from(objectsIn(revision, operation, "responses"))
        .filter(([status]) => !status.startsWith("x-"))
        .map(([status, response]) => [status.toUpperCase(), response]),
    ),
    named: Array.isArray(list) ? new Set(itemsOf(list).map(String)) : undefined,
  };
}

/** The statuses that a client has been told of one by one. */
function statusesOf({ declared, named }: Responses): ReadonlySet<string> {
  const own = [...declared.keys()].filter((status) => status !== "DEFAULT" || named === undefined);
  return new Set([...own, ...(declared.has("DEFAULT") ? (named ?? []) : [])]);
}

function responseFor({ declared, named }: Responses, status: string): JsonObject | undefined {
  const own = declared.get(status) ?? declared.get(`${status[0] ?? ""}XX`);
  if (own !== undefined) return own;
  return named === undefined || named.has(status) ? declared.get("DEFAULT") : undefined;
}

export interface ResponseRules {
  readonly schemas: SchemaComparison;
  readonly extensions: readonly Extension[];
}

export function compareResponses(
  places: Both<Place>,
  { schemas, extensions }: ResponseRules,
): readonly Found[] {
  const { base, head } = places;
  const pair: Pair = { base: base.revision, head: head.revision };
  const before = responsesOf(base);
  const after = responsesOf(head);
  const found: Found[] = [];
  for (const status of new Set([...statusesOf(before), ...statusesOf(after)])) {
    const one = responseFor(before, status);
    const other = responseFor(after, status);
    if (one !== undefined && other !== undefined) {
      const own = { base: one, head: other };
      addTo(found, compareResponse(own, pair, schemas));
      for (const extension of extensions) addTo(found, ofResponse(own, pair, extension));
    } else if (one !== undefined) {
      const at = { revision: base.revision, node: one };
      const where = { base: at, head: operationAt(head), isGone: true };
      found.push({ ...where, rule: "response-status-removed", message: `${status} is gone` });
    } else if (other !== undefined) {
      const rule: DocumentRuleName = /^[123]/.test(status)
        ? "response-success-status-added"
        : "response-error-status-added";
      const where = { base: operationAt(base), head: { revision: head.revision, node: other } };
      found.push({ ...where, rule, message: `${status} is new` });
    }
  }
  return found;
}

function ofResponse({ base, head }: Both<JsonObject>, pair: Pair, extension: Extension) {
  const { name } = extension;
  const at = {
    base: { revision: pair.base, node: base, name },
    head: { revision: pair.head, node: head, name },
  };
  return extensionChanges(at, { base: base[name], head: head[name] }, extension);
}

function compareResponse(
  both: Both<JsonObject>,
  pair: Pair,
  schemas: SchemaComparison,
): readonly Found[] {
  const { base, head } = both;
  const headers = { base: headersOf(pair.base, base), head: headersOf(pair.head, head) };
  const links = objectsIn(pair.head, head, "links");
  const lost = [...objectsIn(pair.base, base, "links")].filter(([name]) => !links.has(name));
  return [
    ...compareHeaders(headers, pair, schemas),
    ...compareContent(both, { ...pair, direction: "response" }, schemas),
    ...lost.map(([name, link]) => ({
      rule: "response-link-removed",
      base: { revision: pair.base, node: link },
      head: { revision: pair.head, node: head },
      isGone: true,
      message: `the link ${name} is gone`,
    })),
  ];
}
