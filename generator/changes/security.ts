// Who may call: of several requirements one is enough, and a requirement is all of its schemes.

import { itemsOf, isObject, type Json, type JsonObject } from "../json.ts";
import { type Both, type Found, type Pair, shown } from "./found.ts";
import type { Place } from "./parameters.ts";
import { type At, objectIn, objectsIn, type Revision } from "./revision.ts";
import { isSame } from "./same.ts";

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
  const before = securityOf(base);
  const after = securityOf(head);
  const pair: Pair = { base: base.revision, head: head.revision };
  const isSame: SameScheme = (one, other) => isSameScheme(pair, { base: one, head: other });
  const where = { base: before.at, head: after.at };
  const found: Found[] = [];
  for (const way of before.ways) {
    if (after.ways.some((other) => satisfies(way, other, isSame))) continue;
    const message = `${wordsOf(way)} was enough and is not any more`;
    found.push({ ...where, rule: "security-narrowed", message });
  }
  for (const way of after.ways) {
    if (before.ways.some((other) => satisfies(way, other, (own, name) => isSame(name, own))))
      continue;
    const message = `${wordsOf(way)} is enough now`;
    found.push({ ...where, rule: "security-widened", message });
  }
  const names = new Set(before.ways.flatMap((way) => [...way.keys()]));
  return [...found, ...[...names].flatMap((name) => compareScheme(pair, name))];
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
function compareScheme(pair: Pair, name: string): readonly Found[] {
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
  return [{ ...where, rule: `security-scheme-${change}`, message }];
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
