// Alternatives: anyOf and oneOf. Each way of the older revision looks for its like in the newer one,
// by its name first, by what it says second.

import { isObject, itemsOf, textOf } from "../json.ts";
import { allows, type Facts, factsOf, type Schemas, type Union, withVariant } from "./facts.ts";
import type { Both, Found } from "./found.ts";
import { type Direction, rules } from "./rules.ts";
import { type Report, reporter } from "./values.ts";

interface Variant {
  /** what it is known by, if anything */
  readonly name: string | undefined;
  readonly facts: Facts;
  /** where the alternative stands by itself */
  readonly schemas?: Schemas;
}

interface Judge {
  readonly compare: (schemas: Both<Schemas>, direction: Direction) => readonly Found[];
  readonly judge: (facts: Both<Facts>, direction: Direction) => readonly Found[];
}

interface UnionChanges {
  readonly found: readonly Found[];
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
  const report = reporter(found, direction);
  if (base.unions.length === head.unions.length) {
    for (const [index, before] of base.unions.entries()) {
      const after = head.unions[index];
      if (after === undefined) continue;
      if (before.keyword !== after.keyword) {
        report("composition-changed", after.at, `${before.keyword} became ${after.keyword}`);
      }
      const own = { base: variantsOf(before), head: variantsOf(after) };
      found.push(...compareVariants(own, direction, comparison));
    }
    return { found, isAll: false };
  }
  const variants = { base: allVariants(base), head: allVariants(head) };
  if (variants.base === undefined || variants.head === undefined) {
    const message = `${base.unions.length} lists of alternatives became ${head.unions.length}`;
    report("composition-changed", head.unions[0]?.at ?? head.at, message);
    return { found, isAll: false };
  }
  const both = { base: variants.base, head: variants.head };
  const [union] = head.unions;
  if (base.unions.length === 0 && union?.keyword === "oneOf" && direction === "request") {
    const isTaken = ({ facts: one }: Variant): boolean =>
      !breaks(comparison.judge({ base, head: one }, direction));
    if (overlap(both.head, isTaken)) {
      // exactly one must take a value, and what was sent so far is taken by several
      report("composition-changed", union.at, "one schema became alternatives that overlap");
    }
  }
  return { found: [...found, ...compareVariants(both, direction, comparison)], isAll: true };
}

/** Something may be one that is taken whole, and another one. */
function overlap(ways: readonly Variant[], isTaken: (way: Variant) => boolean): boolean {
  return ways.some(
    (one) => isTaken(one) && ways.some((two) => two !== one && !areApart(one.facts, two.facts)),
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
    const texts = new Set(one.values.list.map(({ value }) => JSON.stringify(value)));
    if (other.values.list.every(({ value }) => !texts.has(JSON.stringify(value)))) return true;
  }
  if (depth > 3) return false;
  return [...one.properties].some(([name, schemas]) => {
    const same = other.properties.get(name);
    const isThere = one.required.has(name) && other.required.has(name);
    return isThere && same !== undefined && areApart(factsOf(schemas), factsOf(same), depth + 1);
  });
}

/** What one alternative has not, and might have been absent before, another one may still have. */
function isElsewhere({ at, wasOptional }: Found, changes: readonly (readonly Found[])[]): boolean {
  const isGone = (found: readonly Found[]): boolean =>
    found.some((one) => one.wasOptional === true && one.at.node === at.node);
  return wasOptional === true && !changes.every(isGone);
}

function breaks(found: readonly Found[]): boolean {
  return found.some(({ rule }) => rules.get(rule)?.severity === "breaking");
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
function allVariants(facts: Facts): readonly Variant[] | undefined {
  const [union, another] = facts.unions;
  if (another !== undefined) return undefined;
  if (union === undefined) return [{ name: facts.nodes.map(nameOf).find(Boolean), facts }];
  return union.members.map((member) => ({
    name: nameOf(member.value),
    facts: withVariant(facts, union, member),
  }));
}

/** A variant is known by its component, its title, or a property with one value. */
function nameOf(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const value = Reflect.get(schema, "$ref") as unknown;
  if (typeof value === "string") return value;
  const title: unknown = Reflect.get(schema, "title");
  return typeof title === "string" ? `title ${title}` : undefined;
}

function compareVariants(
  { base, head }: Both<readonly Variant[]>,
  direction: Direction,
  comparison: Judge,
): readonly Found[] {
  const found: Found[] = [];
  const left = { base: new Set(base), head: new Set(head) };
  const changesOf = (one: Variant, other: Variant): readonly Found[] =>
    one.schemas === undefined || other.schemas === undefined
      ? comparison.judge({ base: one.facts, head: other.facts }, direction)
      : comparison.compare({ base: one.schemas, head: other.schemas }, direction);
  const pair = (one: Variant, other: Variant): void => {
    found.push(...changesOf(one, other));
    left.base.delete(one);
    left.head.delete(other);
  };
  const finish = (): readonly Found[] => {
    tellRest(left, reporter(found, direction));
    return found;
  };
  for (const one of base) {
    const name = one.name ?? tagOf(one.facts);
    const other = [...left.head].find(
      (two) => name !== undefined && (two.name ?? tagOf(two.facts)) === name,
    );
    if (other !== undefined) pair(one, other);
  }
  const fits = (one: Variant, other: Variant): boolean => !breaks(changesOf(one, other));
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
  const [one, ...more] = left.base;
  const [other, ...others] = left.head;
  // one schema that became several: say what is wrong with each of them
  const [single] = base;
  if (single !== undefined && base.length === 1 && direction === "response") {
    const changes: (readonly Found[])[] = [];
    for (const two of head) {
      const own = changesOf(single, two);
      const isOther = own.length === 1 && own[0]?.rule === "response-type-changed";
      if (isNull(two) || isOther) continue;
      changes.push(own);
      left.head.delete(two);
    }
    left.base.clear();
    found.push(...changes.flat().filter((change) => !isElsewhere(change, changes)));
    return finish();
  }
  const isPair = more.length === 0 && others.length === 0;
  if (one !== undefined && other !== undefined && isPair && !isNull(one) && !isNull(other)) {
    pair(one, other);
  }
  return finish();
}

function tellRest({ base, head }: Both<ReadonlySet<Variant>>, report: Report): void {
  for (const one of base) {
    if (isNull(one)) report("no-longer-nullable", one.facts.at, "null is gone");
    else report("variant-removed", one.facts.at, `${wordsOf(one)} is gone`);
  }
  for (const one of head) {
    if (isNull(one)) report("became-nullable", one.facts.at, "null is new");
    else report("variant-added", one.facts.at, `${wordsOf(one)} is new`);
  }
}

function isNull({ facts }: Variant): boolean {
  const names = facts.types?.names;
  return names?.size === 1 && names.has("null");
}

function wordsOf({ name, facts }: Variant): string {
  return name?.replace(/^.*\/|^title /, "") ?? tagOf(facts) ?? "a variant without a name";
}

/** The property with one value that tells a variant from the others. */
function tagOf({ properties }: Facts): string | undefined {
  for (const [name, [schema]] of properties) {
    const value = schema?.value;
    if (!isObject(value)) continue;
    const only =
      value["const"] ??
      (itemsOf(value["enum"]).length === 1 ? itemsOf(value["enum"])[0] : undefined);
    const text = textOf(only);
    if (text !== undefined) return `${name}=${text}`;
  }
  return undefined;
}
