// Alternatives: anyOf and oneOf. Each way of the older revision looks for its like in the newer one,
// by its name first, by what it says second.

import type { Json } from "../json.ts";
import { allows, copyOf, type Facts, type Schemas, settle, type Union } from "./facts.ts";
import { addTo, type Both, type Found, type Where } from "./found.ts";
import { factsOf, withVariant } from "./gather.ts";
import type { Direction, Party } from "./judgement.ts";
import { isSame } from "./same.ts";
import { keyOf } from "./value-keys.ts";
import { counterparts, knownAs, nameOf, tagOf, type Variant } from "./variants.ts";
import { type Report, reporter } from "./values.ts";

interface Judge {
  readonly compare: (schemas: Both<Schemas>, direction: Direction) => readonly Found[];
  readonly judge: (facts: Both<Facts>, direction: Direction) => readonly Found[];
  readonly fits: (schemas: Both<Schemas>, direction: Direction, party: Party) => boolean;
  readonly fitsWhole: (facts: Both<Facts>, direction: Direction, party: Party) => boolean;
  readonly mayFit: (facts: Both<Facts>, direction: Direction) => boolean;
}

interface UnionChanges {
  readonly found: readonly Found[];
  /** pairs that are still to be compared */
  readonly below: readonly Both<Schemas>[];
  /** nothing is left to compare: all was said of the alternatives as a whole */
  readonly isAll: boolean;
}

export function compareUnions(
  facts: Both<Facts>,
  direction: Direction,
  comparison: Judge,
): UnionChanges {
  const { base, head } = facts;
  const found: Found[] = [];
  const below: Both<Schemas>[] = [];
  const report = reporter(found, direction);
  if (base.unions.length === head.unions.length) {
    for (const [index, before] of base.unions.entries()) {
      const after = head.unions[index];
      if (after === undefined || isKept(before, after)) continue;
      if (before.keyword !== after.keyword) {
        const where = { base: before.at, head: after.at };
        report("composition-changed", where, `${before.keyword} became ${after.keyword}`);
      }
      const own = { base: variantsOf(before), head: variantsOf(after) };
      const where = { base: before.at, head: after.at };
      const variants = compareVariants({ ...own, where }, direction, comparison);
      addTo(found, variants.found);
      below.push(...variants.below);
      const isOne = before.keyword === "oneOf" && after.keyword === "oneOf";
      if (isOne && direction === "request" && overlapNow(own, comparison)) {
        report("composition-changed", where, "what one alternative takes is taken by two now");
      }
    }
    return { found, below, isAll: false };
  }
  const variants = { base: allVariants(base, head), head: allVariants(head, base) };
  if (variants.base === undefined || variants.head === undefined) {
    const message = `${base.unions.length} lists of alternatives became ${head.unions.length}`;
    const where = { base: base.unions[0]?.at ?? base.at, head: head.unions[0]?.at ?? head.at };
    report("composition-changed", where, message);
    return { found, below, isAll: false };
  }
  const both = { base: variants.base, head: variants.head };
  const [union] = head.unions;
  if (base.unions.length === 0 && union?.keyword === "oneOf" && direction === "request") {
    const isTaken = ({ facts: one }: Variant): boolean =>
      comparison.fitsWhole({ base, head: one }, direction, "clients");
    if (overlap(both.head, isTaken)) {
      // exactly one must take a value, and what was sent so far is taken by several
      const where = { base: base.at, head: union.at };
      report("composition-changed", where, "one schema became alternatives that overlap");
    }
  }
  const where = { base: base.at, head: head.at };
  const whole = compareVariants({ ...both, where }, direction, comparison);
  addTo(found, whole.found);
  return { found, below: whole.below, isAll: true };
}

/** Where no name tells which is which, each would be held against each other, as deep as they go. */
function isKept(before: Union, after: Union): boolean {
  const isNameless = ({ members }: Union): boolean =>
    members.filter(({ value }) => nameOf(value) === undefined).length > 1;
  if (before.keyword !== after.keyword || !isNameless(before) || !isNameless(after)) return false;
  const whole = ({ members }: Union): Json => members.map(({ value }) => value);
  const revisions = { base: before.at.revision, head: after.at.revision };
  return isSame(revisions, { base: whole(before), head: whole(after) });
}

/** Something may be one that is taken whole, and another one. */
function overlap(ways: readonly Variant[], isTaken: (way: Variant) => boolean): boolean {
  return ways.some(
    (one) => isTaken(one) && ways.some((two) => two !== one && !areApart(one.facts, two.facts)),
  );
}

/** Exactly one must take a value, and what only one took so far a new one takes as well. */
function overlapNow({ base, head }: Both<readonly Variant[]>, comparison: Judge): boolean {
  const fits = (one: Variant, other: Variant): boolean =>
    isFitting({ base: one, head: other }, "request", comparison);
  const names = new Set(base.map(knownAs));
  const added = head.filter((one) => knownAs(one) === undefined || !names.has(knownAs(one)));
  return added.some((other) =>
    base.some(
      (one) =>
        fits(one, other) &&
        head.some((two) => two !== other && fits(one, two)) &&
        !base.some((two) => two !== one && fits(one, two)),
    ),
  );
}

/** Nothing can be both: by its type, by its values, or by a property that both must have. */
function areApart(one: Facts, other: Facts, depth = 0): boolean {
  const [types, others] = [one.types?.names, other.types?.names];
  if (types !== undefined && others !== undefined) {
    const isCommon = (name: string): boolean => allows(types, name) && allows(others, name);
    if (![...types, ...others].some(isCommon)) return true;
  }
  if (one.values !== undefined && other.values !== undefined) {
    const keys = new Set(one.values.list.map(({ value }) => keyOf(value)));
    if (other.values.list.every(({ value }) => !keys.has(keyOf(value)))) return true;
  }
  if (depth > 3) return false;
  return [...one.properties].some(([name, schemas]) => {
    const same = other.properties.get(name);
    const isThere = one.required.has(name) && other.required.has(name);
    return isThere && same !== undefined && areApart(factsOf(schemas), factsOf(same), depth + 1);
  });
}

/** What one alternative has not, and might have been absent before, another one may still have. */
function isElsewhere(
  { base, wasOptional }: Found,
  changes: readonly (readonly Found[])[],
): boolean {
  const isGone = (found: readonly Found[]): boolean =>
    found.some((one) => one.wasOptional === true && one.base.node === base.node);
  return wasOptional === true && !changes.every(isGone);
}

/** The alternatives by themselves: what stands beside them is compared by itself. */
function variantsOf({ members }: Union): readonly Variant[] {
  return members.map((member) => ({
    name: nameOf(member.value),
    facts: factsOf([member]),
    schemas: [member],
  }));
}

/** The whole schema once for each alternative; undefined where several lists of them meet. */
function allVariants(facts: Facts, other: Facts): readonly Variant[] | undefined {
  const [union, another] = facts.unions;
  if (another !== undefined) return undefined;
  if (union === undefined) return takenApart(facts, other.unions[0]);
  const list =
    other.unions.length === 0 && other.values !== undefined ? valuesOf(union) : undefined;
  if (list !== undefined) {
    const own: Facts = { ...copyOf(facts), values: { list, at: union.at }, unions: [] };
    settle(own);
    return [{ name: undefined, facts: own }];
  }
  return union.members.map((member) => ({
    name: nameOf(member.value),
    facts: withVariant(facts, union, member),
  }));
}

/** Undefined: not all alternatives are values. */
function valuesOf({ members }: Union): NonNullable<Facts["values"]>["list"] | undefined {
  const ways = members.map((member) => factsOf([member]));
  const isPlain = ({ values, unions }: Facts): boolean =>
    values !== undefined && unions.length === 0;
  return ways.every(isPlain) ? ways.flatMap(({ values }) => values?.list ?? []) : undefined;
}

/** A list of types is a union, too, where the other revision has one of types. */
function takenApart(facts: Facts, union: Union | undefined): readonly Variant[] {
  const whole = [{ name: facts.nodes.map(nameOf).find(Boolean), facts }];
  const { types, values } = facts;
  if (types === undefined || types.names.size < 2 || values !== undefined) return whole;
  const ways = union?.members.map((member) => factsOf([member])) ?? [];
  if (!ways.every((way) => way.types?.names.size === 1)) return whole;
  return Array.from(types.names, (name) => ({
    name: undefined,
    facts: { ...copyOf(facts), types: { ...types, names: new Set([name]) } },
  }));
}

function changesBetween(
  { base, head }: Both<Variant>,
  direction: Direction,
  comparison: Judge,
): readonly Found[] {
  return base.schemas === undefined || head.schemas === undefined
    ? comparison.judge({ base: base.facts, head: head.facts }, direction)
    : comparison.compare({ base: base.schemas, head: head.schemas }, direction);
}

function isFitting(
  { base, head, party = "clients" }: Both<Variant> & { readonly party?: Party },
  direction: Direction,
  comparison: Judge,
): boolean {
  return base.schemas === undefined || head.schemas === undefined
    ? comparison.fitsWhole({ base: base.facts, head: head.facts }, direction, party)
    : comparison.fits({ base: base.schemas, head: head.schemas }, direction, party);
}

function compareVariants(
  { base, head, where }: Both<readonly Variant[]> & { readonly where: Where },
  direction: Direction,
  comparison: Judge,
): Omit<UnionChanges, "isAll"> {
  const found: Found[] = [];
  const below: Both<Schemas>[] = [];
  const left = { base: new Set(base), head: new Set(head) };
  const changesOf = (one: Variant, other: Variant): readonly Found[] =>
    changesBetween({ base: one, head: other }, direction, comparison);
  const pair = (one: Variant, other: Variant): void => {
    if (one.schemas === undefined || other.schemas === undefined) {
      addTo(found, changesOf(one, other));
    } else below.push({ base: one.schemas, head: other.schemas });
    left.base.delete(one);
    left.head.delete(other);
  };
  const finish = (): Omit<UnionChanges, "isAll"> => {
    tellRest(left, where, reporter(found, direction));
    return { found, below };
  };
  const mayFit = ({ base: one, head: other }: Both<Variant>): boolean =>
    comparison.mayFit({ base: one.facts, head: other.facts }, direction);
  for (const one of counterparts({ base, head }, mayFit)) pair(one.base, one.head);
  const fits = (one: Variant, other: Variant, party: Party = "clients"): boolean =>
    isFitting({ base: one, head: other, party }, direction, comparison);
  // a variant may be taken in by one that says more, together with others
  const kept = new Set<Variant>();
  for (const one of left.base) {
    for (const other of head) if (fits(one, other)) kept.add(one).add(other);
  }
  for (const other of left.head) {
    for (const one of base) if (fits(one, other)) kept.add(one).add(other);
  }
  for (const one of kept) {
    left.base.delete(one);
    left.head.delete(one);
  }
  const isRequest = direction === "request";
  const asked = (isRequest ? head : base).filter((variant) => kept.has(variant));
  const likes = isRequest ? base : head;
  for (const one of asked) {
    const ways = likes.map((like) => (isRequest ? ([like, one] as const) : ([one, like] as const)));
    // what clients need not notice, a server may: it takes a variant that is as wide, or sends none that is narrower
    if (ways.some((way) => fits(...way, "servers"))) continue;
    const way = ways.find((two) => fits(...two));
    if (way !== undefined) addTo(found, changesOf(...way));
  }
  const [one, ...more] = left.base;
  const [other, ...others] = left.head;
  const [single] = base;
  if (single !== undefined && base.length === 1 && direction === "response") {
    const several = becameSeveral(single, left.head, { head, changesOf });
    // where it is none of them, it is gone
    if (several !== undefined) left.base.clear();
    addTo(found, several ?? []);
    return finish();
  }
  const isPair = more.length === 0 && others.length === 0;
  if (one !== undefined && other !== undefined && isPair && !isNull(one) && !isNull(other)) {
    pair(one, other);
  }
  return finish();
}

interface Several {
  readonly head: readonly Variant[];
  readonly changesOf: (one: Variant, other: Variant) => readonly Found[];
}

/**
 * One schema that became several: says what is wrong with each of them, and takes them off the list. Undefined: none
 * of them is of its kind.
 */
function becameSeveral(
  single: Variant,
  left: Set<Variant>,
  { head, changesOf }: Several,
): readonly Found[] | undefined {
  const changes: (readonly Found[])[] = [];
  for (const one of head) {
    const own = changesOf(single, one);
    const isOther = own.length === 1 && own[0]?.rule === "response-type-changed";
    if (isNull(one) || isOther) continue;
    changes.push(own);
    left.delete(one);
  }
  if (changes.length === 0) return undefined;
  return changes.flat().filter((change) => !isElsewhere(change, changes));
}

function tellRest({ base, head }: Both<ReadonlySet<Variant>>, where: Where, report: Report): void {
  for (const one of base) {
    const gone = { base: one.facts.at, head: where.head, isGone: true };
    if (isNull(one)) report("no-longer-nullable", gone, "null is gone");
    else report("variant-removed", gone, `${wordsOf(one)} is gone`);
  }
  for (const one of head) {
    const added = { base: where.base, head: one.facts.at };
    if (isNull(one)) report("became-nullable", added, "null is new");
    else report("variant-added", added, `${wordsOf(one)} is new`);
  }
}

function isNull({ facts }: Variant): boolean {
  const names = facts.types?.names;
  return names?.size === 1 && names.has("null");
}

function wordsOf({ name, facts }: Variant): string {
  return name?.replace(/^.*\/|^title /, "") ?? tagOf(facts) ?? "a variant without a name";
}
