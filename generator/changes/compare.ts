// What has changed between two revisions of a contract, in the eyes of its clients and of its servers.

import type { Place } from "../problems.ts";
import type { Extension, Found, Pair } from "./found.ts";
import { type Party, type Rule, severities } from "./judgement.ts";
import type { Notice } from "./lifecycle.ts";
import type { OperationRules } from "./located.ts";
import { comparePaths } from "./operations.ts";
import { placeOf } from "./revision.ts";
import { rules } from "./rules.ts";
import { SchemaComparison } from "./schemas.ts";
import { compareServers } from "./servers.ts";
import { compareVersions } from "./version.ts";
import { compareWebhooks } from "./webhooks.ts";

/** How bad it is for clients and for servers, and what each does. */
export interface Change extends Rule {
  readonly rule: string;
  /** where to look: in the newer revision; of what is gone, in the older one */
  readonly place: Place;
  /** in each revision; where it is not, what it would stand in */
  readonly places: { readonly base: Place; readonly head: Place };
  readonly message: string;
  /** the operations and webhooks that it was found in; none when it is of the whole document */
  readonly operations: readonly string[];
}

export interface Comparing {
  readonly extensions: readonly Extension[];
  readonly notice: Notice;
}

type FoundIn = Found & { readonly operation?: string };

/** Every change once, however many operations share it; what breaks clients first, then what breaks servers. */
export function compareRevisions(pair: Pair, { extensions, notice }: Comparing): readonly Change[] {
  const operationRules: OperationRules = {
    schemas: new SchemaComparison(extensions, notice),
    extensions,
    notice,
  };
  const { base, head } = pair;
  const lists = { base: base.document["servers"], head: head.document["servers"] };
  const documents = {
    base: { revision: base, node: base.document },
    head: { revision: head, node: head.document },
  };
  const changes = changesOf(
    [
      ...compareServers(lists, documents),
      ...comparePaths(pair, operationRules),
      ...compareWebhooks(pair, operationRules),
    ],
    extensions,
  );
  const breaks = changes.some(({ clients }) => clients.severity === "breaking");
  const versions = changesOf(compareVersions(pair, breaks), extensions);
  return [...versions, ...changes].toSorted(
    (a, b) =>
      bySeverity(a, b, "clients") ||
      bySeverity(a, b, "servers") ||
      Number(a.place.file > b.place.file) - Number(a.place.file < b.place.file) ||
      (a.place.line ?? 0) - (b.place.line ?? 0) ||
      (a.place.column ?? 0) - (b.place.column ?? 0),
  );
}

function bySeverity(one: Change, other: Change, party: Party): number {
  return severities.indexOf(one[party].severity) - severities.indexOf(other[party].severity);
}

function changesOf(found: readonly FoundIn[], extensions: readonly Extension[]): readonly Change[] {
  const changes = new Map<string, Change & { readonly operations: string[] }>();
  for (const { rule, base, head, isGone, message, operation } of found) {
    const places = { base: placeOf(base), head: placeOf(head) };
    const place = isGone === true ? places.base : places.head;
    const key = [rule, place.file, place.pointer, message].join("\n");
    const { clients, servers } = ruleOf(rule, extensions);
    const known = changes.get(key) ?? {
      rule,
      clients,
      servers,
      place,
      places,
      message,
      operations: [],
    };
    if (operation !== undefined && !known.operations.includes(operation)) {
      known.operations.push(operation);
    }
    changes.set(key, known);
  }
  return [...changes.values()];
}

function ruleOf(name: string, extensions: readonly Extension[]): Rule {
  const own = extensions.flatMap(({ removed, added }) => [removed, added]);
  const rule = rules.get(name) ?? own.find(({ id }) => id === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  return rule;
}
