// What has changed between two revisions of a contract, in the eyes of its clients.

import type { Place } from "../problems.ts";
import type { Extension, Found, Pair } from "./found.ts";
import type { Notice } from "./lifecycle.ts";
import { comparePaths, compareWebhooks, type OperationRules } from "./operations.ts";
import { placeOf } from "./revision.ts";
import { rules, type Severity } from "./rules.ts";
import { SchemaComparison } from "./schemas.ts";
import { compareServers } from "./servers.ts";

export interface Change {
  readonly rule: string;
  readonly severity: Severity;
  /** in the newer revision; of what is gone, in the older one */
  readonly place: Place;
  readonly message: string;
  /** what to do instead, where there is something to do */
  readonly advice: string;
  /** the operations and webhooks that it was found in; none when it is of the whole document */
  readonly operations: readonly string[];
}

export interface Comparing {
  readonly extensions: readonly Extension[];
  readonly notice: Notice;
}

const order: readonly Severity[] = ["breaking", "warning", "info"];

/** Every change once, however many operations share it; the worst first. */
export function compareRevisions(pair: Pair, { extensions, notice }: Comparing): readonly Change[] {
  const operationRules: OperationRules = {
    schemas: new SchemaComparison(extensions),
    extensions,
    notice,
  };
  const servers = {
    base: pair.base.document["servers"],
    head: pair.head.document["servers"],
  };
  const found: readonly (Found & { readonly operation?: string })[] = [
    ...compareServers(servers, pair),
    ...comparePaths(pair, operationRules),
    ...compareWebhooks(pair, operationRules),
  ];
  const changes = new Map<string, Change & { readonly operations: string[] }>();
  for (const { rule, at, message, operation } of found) {
    const place = placeOf(at);
    const key = [rule, place.file, place.pointer, message].join("\n");
    const known = changes.get(key) ?? {
      rule,
      place,
      message,
      ...ruleOf(rule, extensions),
      operations: [],
    };
    if (operation !== undefined && !known.operations.includes(operation)) {
      known.operations.push(operation);
    }
    changes.set(key, known);
  }
  return [...changes.values()].toSorted(
    (a, b) =>
      order.indexOf(a.severity) - order.indexOf(b.severity) ||
      Number(a.place.file > b.place.file) - Number(a.place.file < b.place.file) ||
      (a.place.line ?? 0) - (b.place.line ?? 0) ||
      (a.place.column ?? 0) - (b.place.column ?? 0),
  );
}

function ruleOf(
  name: string,
  extensions: readonly Extension[],
): { readonly severity: Severity; readonly advice: string } {
  const own = extensions.flatMap(({ removed, added }) => [removed, added]);
  const rule = rules.get(name) ?? own.find(({ id }) => id === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  return { severity: rule.severity, advice: rule.advice };
}
