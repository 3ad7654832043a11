// Who may call: of several requirements one is enough, and a requirement is all of its schemes.

import { itemsOf, isObject, type Json, type JsonObject } from "../json.ts";
import { type Both, canonical, type Found, type Pair, shown } from "./found.ts";
import type { Place } from "./parameters.ts";
import { type At, objectIn, objectsIn, type Revision } from "./revision.ts";

type Requirement = ReadonlyMap<string, ReadonlySet<Json>>;

interface Security {
  readonly ways: readonly Requirement[];
  readonly at: At;
}

function securityOf({ revision, operation }: Place): Security {
  const holder = operation["security"] === undefined ? revision.document : operation;
  const list = itemsOf(holder["security"]).filter((one) => isObject(one));
  const ways = list.map(
    (one): Requirement =>
      new Map(Object.entries(one).map(([name, scopes]) => [name, new Set(itemsOf(scopes))])),
  );
  const isSaid = holder["security"] !== undefined;
  const at: At = isSaid
    ? { revision, node: holder, name: "security" }
    : { revision, node: operation };
  return { ways: ways.length === 0 ? [new Map()] : ways, at };
}

/** Whoever satisfies the one satisfies the other. */
function satisfies(given: Requirement, wanted: Requirement): boolean {
  return Array.from(wanted).every(([name, scopes]) => {
    const had = given.get(name);
    return had !== undefined && [...scopes].every((scope) => had.has(scope));
  });
}

export function compareSecurity({ base, head }: Both<Place>): readonly Found[] {
  const before = securityOf(base);
  const after = securityOf(head);
  const found: Found[] = [];
  for (const way of before.ways) {
    if (after.ways.some((other) => satisfies(way, other))) continue;
    const message = `${wordsOf(way)} was enough and is not any more`;
    found.push({ rule: "security-narrowed", at: after.at, message });
  }
  for (const way of after.ways) {
    if (before.ways.some((other) => satisfies(way, other))) continue;
    const message = `${wordsOf(way)} is enough now`;
    found.push({ rule: "security-widened", at: after.at, message });
  }
  const names = new Set(before.ways.flatMap((way) => [...way.keys()]));
  const pair: Pair = { base: base.revision, head: head.revision };
  return [...found, ...[...names].flatMap((name) => compareScheme(pair, name))];
}

function wordsOf(way: Requirement): string {
  if (way.size === 0) return "a request without credentials";
  const parts = Array.from(way, ([name, scopes]) =>
    scopes.size === 0 ? name : `${name} (${[...scopes].map(shown).join(", ")})`,
  );
  return parts.join(" and ");
}

/** A scheme that is gone shows in the requirements. */
function compareScheme(pair: Pair, name: string): readonly Found[] {
  const [base, head] = [pair.base, pair.head].map((revision) => schemeOf(revision, name));
  if (base === undefined || head === undefined) return [];
  const isKept =
    wayOf(pair.base, base) === wayOf(pair.head, head) &&
    [...scopesOf(pair.base, base)].every((scope) => scopesOf(pair.head, head).has(scope));
  if (isKept) return [];
  const at = { revision: pair.head, node: head };
  return [{ rule: "security-scheme-changed", at, message: `${name} is another scheme now` }];
}

function schemeOf(revision: Revision, name: string): JsonObject | undefined {
  return objectsIn(revision, revision.document["components"], "securitySchemes").get(name);
}

/** Without the scopes, to which others may be added. */
function wayOf(revision: Revision, scheme: JsonObject): string {
  const flows = objectsIn(revision, scheme, "flows");
  const bare = Array.from(flows, ([name, flow]): readonly [string, Json] => [
    name,
    { ...flow, scopes: null },
  ]);
  return canonical(revision, { ...scheme, flows: Object.fromEntries(bare) });
}

function scopesOf(revision: Revision, scheme: JsonObject): ReadonlySet<string> {
  const flows = Array.from(objectsIn(revision, scheme, "flows"));
  return new Set(
    flows.flatMap(([name, flow]) =>
      Object.keys(objectIn(revision, flow, "scopes") ?? {}).map((scope) => `${name} ${scope}`),
    ),
  );
}
