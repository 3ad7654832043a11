// Who may call, and what a webhook comes with: of several requirements one is enough, and a requirement is all of its
// schemes.

import { itemsOf, isObject, type Json, type JsonObject } from "../json.ts";
import { type Both, type Found, type Pair, shown } from "./found.ts";
import type { Place } from "./parameters.ts";
import { type At, objectIn, objectsIn, type Revision } from "./revision.ts";
import { isSame } from "./same.ts";

type Requirement = ReadonlyMap<string, ReadonlySet<Json>>;

type Holder = Pick<Place, "revision" | "operation">;

interface Security {
  readonly ways: readonly Requirement[];
  readonly at: At;
}

/** What an operation asks for: where it says nothing, what the document says. */
function askedOf(place: Place): Security {
  const { revision, operation } = place;
  const isOwn = operation["security"] !== undefined;
  return securityOf(isOwn ? place : { revision, operation: revision.document }, operation);
}

/** `holder`: where it would be said. */
function securityOf({ revision, operation }: Holder, holder: JsonObject = operation): Security {
  const said = operation["security"];
  const list = itemsOf(said).filter((one) => isObject(one));
  const ways = list.map(
    (one): Requirement =>
      new Map(Object.entries(one).map(([name, scopes]) => [name, new Set(itemsOf(scopes))])),
  );
  const at: At =
    said === undefined
      ? { revision, node: holder }
      : { revision, node: operation, name: "security" };
  return { ways: ways.length === 0 ? [new Map()] : ways, at };
}

/** Whoever satisfies the one satisfies the other: by schemes of the same name, or that say the same. */
function satisfies(given: Requirement, wanted: Requirement, isSame: SameScheme): boolean {
  return Array.from(wanted).every(([name, scopes]) => {
    const had = given.get(name) ?? Array.from(given).find(([own]) => isSame(own, name))?.[1];
    return had !== undefined && [...scopes].every((scope) => had.has(scope));
  });
}

/** Of a name in the one revision and a name in the other. */
type SameScheme = (given: string, wanted: string) => boolean;

export function compareSecurity({ base, head }: Both<Place>): readonly Found[] {
  return compareWays(
    { base: askedOf(base), head: askedOf(head) },
    {
      lost: { rule: "security-narrowed", message: "was enough and is not any more" },
      gained: { rule: "security-widened", message: "is enough now" },
      scheme: "security-scheme",
    },
  );
}

/**
 * What a webhook is sent with, so that whoever receives it asks for it. Our choice: what the document says is asked of
 * its clients, so that a webhook has only what it says itself.
 */
export function compareSentSecurity({ base, head }: Both<Place>): readonly Found[] {
  return compareWays(
    { base: securityOf(base), head: securityOf(head) },
    {
      lost: { rule: "webhook-security-removed", message: "is not enough any more" },
      gained: { rule: "webhook-security-added", message: "may come now" },
      scheme: "webhook-security-scheme",
    },
  );
}

interface Told extends Readonly<
  Record<"lost" | "gained", { readonly rule: string; readonly message: string }>
> {
  /** the rule of a scheme that has changed */
  readonly scheme: string;
}

function compareWays(both: Both<Security>, told: Told): readonly Found[] {
  const pair: Pair = { base: both.base.at.revision, head: both.head.at.revision };
  return [...waysBetween(both, pair, told), ...compareSchemesOf(both.base, pair, told.scheme)];
}

/** What satisfies nothing of the newer revision, and what satisfied nothing of the older one. */
function waysBetween(
  { base: before, head: after }: Both<Security>,
  pair: Pair,
  { lost, gained }: Told,
): readonly Found[] {
  const isSame: SameScheme = (one, other) => isSameScheme(pair, { base: one, head: other });
  const where = { base: before.at, head: after.at };
  const found: Found[] = [];
  for (const way of before.ways) {
    if (after.ways.some((other) => satisfies(way, other, isSame))) continue;
    found.push({ ...where, rule: lost.rule, message: `${wordsOf(way)} ${lost.message}` });
  }
  for (const way of after.ways) {
    if (before.ways.some((other) => satisfies(way, other, (own, name) => isSame(name, own))))
      continue;
    found.push({ ...where, rule: gained.rule, message: `${wordsOf(way)} ${gained.message}` });
  }
  return found;
}

function compareSchemesOf({ ways }: Security, pair: Pair, rule: string): readonly Found[] {
  const names = new Set(ways.flatMap((way) => [...way.keys()]));
  return [...names].flatMap((name) => compareScheme(pair, name, rule));
}

function wordsOf(way: Requirement): string {
  if (way.size === 0) return "a request without credentials";
  const parts = Array.from(way, ([name, scopes]) =>
    scopes.size === 0 ? name : `${name} (${[...scopes].map(shown).join(", ")})`,
  );
  return parts.join(" and ");
}

/** Under another name it is the same on the wire. */
function isSameScheme(pair: Pair, names: Both<string>): boolean {
  const base = schemeOf(pair.base, names.base);
  const head = schemeOf(pair.head, names.head);
  if (base === undefined || head === undefined) return false;
  return compareSchemes({ base, head }, pair) !== "changed";
}

/** A scheme that is gone shows in the requirements. */
function compareScheme(pair: Pair, name: string, rule: string): readonly Found[] {
  const base = schemeOf(pair.base, name);
  const head = schemeOf(pair.head, name);
  if (base === undefined || head === undefined) return [];
  const change = compareSchemes({ base, head }, pair);
  if (change === "same") return [];
  const where = {
    base: { revision: pair.base, node: base },
    head: { revision: pair.head, node: head },
  };
  const message =
    change === "widened" ? `${name} has another flow now` : `${name} is another scheme now`;
  return [{ ...where, rule: `${rule}-${change}`, message }];
}

function compareSchemes(
  { base, head }: Both<JsonObject>,
  pair: Pair,
): "same" | "widened" | "changed" {
  if (!isSame(pair, { base: wayOf(base), head: wayOf(head) })) return "changed";
  const before = flowsOf(pair.base, base);
  const after = flowsOf(pair.head, head);
  for (const [name, flow] of before) {
    const other = after.get(name);
    const isKept =
      other !== undefined &&
      isSame(pair, { base: flow.way, head: other.way }) &&
      flow.scopes.every((one) => other.scopes.includes(one));
    if (!isKept) return "changed";
  }
  return after.size > before.size ? "widened" : "same";
}

function schemeOf(revision: Revision, name: string): JsonObject | undefined {
  return objectsIn(revision, revision.document["components"], "securitySchemes").get(name);
}

/** What is told to people, and how a token looks that only servers read. */
const notOnTheWire = new Set(["flows", "bearerFormat", "deprecated"]);

/** Without its flows, to which others may be added. */
function wayOf(scheme: JsonObject): JsonObject {
  const said = Object.entries(scheme).filter(([name]) => !notOnTheWire.has(name));
  // names of headers and of schemes of HTTP know no case
  const knowsNoCase = scheme["in"] === "header" ? "name" : "scheme";
  const written = said.map(([name, value]): [string, Json] => {
    const isFolded = name === knowsNoCase && typeof value === "string";
    return [name, isFolded ? value.toLowerCase() : value];
  });
  return Object.fromEntries(written);
}

interface Flow {
  /** all but the scopes, to which others may be added */
  readonly way: JsonObject;
  readonly scopes: readonly string[];
}

function flowsOf(revision: Revision, scheme: JsonObject): ReadonlyMap<string, Flow> {
  const flows = Array.from(objectsIn(revision, scheme, "flows"));
  return new Map(
    flows.map(([name, flow]) => {
      const scopes = Object.keys(objectIn(revision, flow, "scopes") ?? {});
      return [name, { way: { ...flow, scopes: null }, scopes }];
    }),
  );
}
