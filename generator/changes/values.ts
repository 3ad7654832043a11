// What changed about single values: types, enums, formats, patterns and bounds.

import { entriesOf, isObject, type Json } from "../json.ts";
import {
  allows,
  type Bound,
  type Facts,
  homeOf,
  lowerBounds,
  upperBounds,
  type Whole,
} from "./facts.ts";
import { type Both, type Found, shown, type Where } from "./found.ts";
import type { Direction } from "./judgement.ts";
import { lengthsOf } from "./pattern-length.ts";
import { type At, schemaAt } from "./revision.ts";
import { isSame } from "./same.ts";
import type { SchemaRuleName } from "./schema-rules.ts";
import { keyOf } from "./value-keys.ts";

/** Adds a change of a schema to the list. */
export type Report = (rule: SchemaRuleName, where: Where, message: string) => void;

export function reporter(found: Found[], direction: Direction): Report {
  return (rule, where, message) => {
    found.push({ ...where, rule: `${direction}-${rule}`, message });
  };
}

/** Of a keyword that one of two schemas may lack. */
function placed({ base, head }: Both<At | undefined>, facts: Both<Facts>): Where {
  const isGone = head === undefined;
  return { base: base ?? homeOf(facts.base), head: head ?? homeOf(facts.head), isGone };
}

/** False when nothing of the one is a value of the other: all else is no news then. */
export function compareTypes({ base, head }: Both<Facts>, report: Report): boolean {
  if (base.values !== undefined && head.values !== undefined) return true;
  const before = base.types?.names;
  const after = head.types?.names;
  if (before === undefined && after === undefined) return true;
  const at = placed({ base: base.types?.at, head: head.types?.at }, { base, head });
  const message = `${listed(before)} became ${listed(after)}`;
  if (before === undefined || after === undefined) {
    report(before === undefined ? "type-narrowed" : "type-widened", at, message);
    return true;
  }
  const lost = [...before].filter((name) => !allows(after, name));
  const gained = [...after].filter((name) => !allows(before, name));
  const lostTypes = lost.filter((name) => name !== "null");
  const gainedTypes = gained.filter((name) => name !== "null");
  if (lostTypes.length > 0 && gainedTypes.length > 0) report("type-changed", at, message);
  else if (lostTypes.length > 0) report("type-narrowed", at, message);
  else if (gainedTypes.length > 0) report("type-widened", at, message);
  if (lost.includes("null")) report("no-longer-nullable", at, "null is gone");
  if (gained.includes("null")) report("became-nullable", at, "null is new");
  const stays = [...before].some((name) => name !== "null" && allows(after, name));
  const widens = [...after].some((name) => name !== "null" && allows(before, name));
  return stays || widens;
}

function listed(names: ReadonlySet<string> | undefined): string {
  if (names === undefined) return "any type";
  return names.size === 0 ? "no type" : [...names].join(" or ");
}

export function compareValues({ base, head }: Both<Facts>, report: Report): void {
  const before = base.values;
  const after = head.values;
  if (after === undefined) {
    if (before === undefined) return;
    const where = { base: before.at, head: homeOf(head), isGone: true };
    report("enum-removed", where, "any value may stand here now");
    return;
  }
  if (before === undefined) {
    const list = after.list.map(({ value }) => shown(value)).join(", ");
    report("enum-added", { base: homeOf(base), head: after.at }, `only ${list} may stand here now`);
    return;
  }
  const had = new Set(before.list.map(({ value }) => keyOf(value)));
  const has = new Set(after.list.map(({ value }) => keyOf(value)));
  const lost = before.list.filter(({ value }) => !has.has(keyOf(value)));
  const gained = after.list.filter(({ value }) => !had.has(keyOf(value)));
  const [only] = before.list;
  const [other] = after.list;
  if (had.size === 1 && has.size === 1 && lost.length === 1) {
    const where = { base: before.at, head: after.at };
    report("const-changed", where, `${shown(only?.value)} became ${shown(other?.value)}`);
    return;
  }
  for (const { value, at } of lost) {
    const where = { base: at, head: after.at, isGone: true };
    if (value === null) report("no-longer-nullable", where, "null is gone");
    else report("enum-value-removed", where, `${shown(value)} is gone`);
  }
  for (const { value, at } of gained) {
    const where = { base: before.at, head: at };
    if (value === null) report("became-nullable", where, "null is new");
    else report("enum-value-added", where, `${shown(value)} is new`);
  }
}

/** Each has all values of those before it. */
const growing = [
  ["int32", "int64"],
  ["float", "double"],
];

export function compareFormats(facts: Both<Facts>, report: Report): void {
  for (const { before, after, where } of textChanges("formats", facts)) {
    if (before === undefined) report("format-added", where, `${after} is new`);
    else if (after === undefined) report("format-removed", where, `${before} is gone`);
    else {
      const order = growing.find((one) => one.includes(before) && one.includes(after));
      const isMore = order !== undefined && order.indexOf(before) < order.indexOf(after);
      const kind = isMore ? "format-widened" : "format-narrowed";
      report(order === undefined ? "format-changed" : kind, where, `${before} became ${after}`);
    }
  }
}

export function comparePatterns(facts: Both<Facts>, report: Report): void {
  for (const { before, after, where } of textChanges("patterns", facts)) {
    if (before === undefined) report("pattern-added", where, `${shown(after)} is new`);
    else if (after === undefined) report("pattern-removed", where, `${shown(before)} is gone`);
    else report("pattern-changed", where, `${shown(before)} became ${shown(after)}`);
  }
}

interface TextChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly where: Where;
}

/** Usually there is one on each side; allOf may bring more. */
function textChanges(kind: "formats" | "patterns", facts: Both<Facts>): readonly TextChange[] {
  const { [kind]: base } = facts.base;
  const { [kind]: head } = facts.head;
  const lost = [...base].filter(([text]) => !head.has(text));
  const gained = [...head].filter(([text]) => !base.has(text));
  return Array.from({ length: Math.max(lost.length, gained.length) }, (_, index) => {
    const [before, was] = lost[index] ?? [];
    const [after, is] = gained[index] ?? [];
    return { before, after, where: placed({ base: was, head: is }, facts) };
  });
}

export function compareBounds(facts: Both<Facts>, report: Report): void {
  const { base, head } = facts;
  for (const name of [...lowerBounds, ...upperBounds]) {
    const isContaining = [base, head].every(({ others }) => others.has("contains"));
    const [before, after] = [base, head].map((one) =>
      name === "minContains" && isContaining ? countOf(one) : boundOf(name, one),
    );
    const sign = upperBounds.includes(name) ? -1 : 1;
    const order = tightness(after, sign) - tightness(before, sign) || exclusive(after, before);
    if (Number.isNaN(order) || order === 0) continue;
    // what a pattern binds on both sides is told of as the pattern
    const isWritten = [before, after].some((one) => one !== undefined && one.at.name !== "pattern");
    if (!isWritten) continue;
    const message = `${name} ${boundText(before)} became ${boundText(after)}`;
    const where = placed({ base: before?.at, head: after?.at }, facts);
    report(order > 0 ? "bound-tightened" : "bound-widened", where, message);
  }
}

/** Where `contains` stands alone, one has to be there. */
function countOf(facts: Facts): Bound {
  const { at } = facts;
  return facts.bounds.get("minContains") ?? { value: 1, isExclusive: false, at };
}

/** As it is written, or as a pattern says it; the written one counts where both are equal. */
function boundOf(name: string, facts: Facts): Bound | undefined {
  const written = significant(name, facts.bounds.get(name));
  if (name !== "minLength" && name !== "maxLength") return written;
  const bounds = written === undefined ? [] : [written];
  for (const [pattern, at] of facts.patterns) {
    const lengths = lengthsOf(pattern);
    const value = name === "minLength" ? lengths?.least : lengths?.most;
    if (value === undefined || !Number.isFinite(value)) continue;
    const bound = significant(name, { value, isExclusive: false, at });
    if (bound !== undefined) bounds.push(bound);
  }
  const sign = name === "maxLength" ? -1 : 1;
  return bounds.toSorted((a, b) => tightness(b, sign) - tightness(a, sign))[0];
}

/** `minLength: 0` binds nothing. */
function significant(name: string, bound: Bound | undefined): Bound | undefined {
  return /^min[A-Z]/.test(name) && bound?.value === 0 ? undefined : bound;
}

function tightness(bound: Bound | undefined, sign: number): number {
  return bound === undefined ? Number.NEGATIVE_INFINITY : sign * bound.value;
}

function exclusive(after: Bound | undefined, before: Bound | undefined): number {
  return Number(after?.isExclusive ?? false) - Number(before?.isExclusive ?? false);
}

function boundText(bound: Bound | undefined): string {
  if (bound === undefined) return "(none)";
  return `${bound.value}${bound.isExclusive ? " (exclusive)" : ""}`;
}

/** Keywords that are equal or not: what a change of them means is known for some. */
export function compareWholes(facts: Both<Facts>, report: Report): void {
  const { base, head } = facts;
  for (const name of new Set([...base.others.keys(), ...head.others.keys()])) {
    const before = base.others.get(name);
    const after = head.others.get(name);
    if (name === "deprecated") continue;
    const [lost, gained] = differences(before, after, name);
    if (lost.length === 0 && gained.length === 0) continue;
    const message = `${name} ${shown(lost[0])} became ${shown(gained[0])}`;
    const isOne = [before, after].every((one) => (one?.also.length ?? 0) === 0);
    const kind = lost.length === 0 ? "added" : gained.length === 0 ? "removed" : "changed";
    const rule = isOne ? ruleOfWhole(name, before, after) : (`condition-${kind}` as const);
    if (rule !== undefined) report(rule, placed({ base: before, head: after }, facts), message);
  }
}

/** What only the one says, and what only the other one. */
function differences(
  before: Whole | undefined,
  after: Whole | undefined,
  name: string,
): readonly [lost: readonly Json[], gained: readonly Json[]] {
  const [was, is] = [before, after].map((whole) =>
    whole === undefined ? [] : [whole.value, ...whole.also],
  );
  if (before === undefined || after === undefined) return [was ?? [], is ?? []];
  const revisions = { base: before.revision, head: after.revision };
  const same = (base: Json, head: Json): boolean => isSame(revisions, { base, head }, name);
  return [
    (was ?? []).filter((one) => !(is ?? []).some((other) => same(one, other))),
    (is ?? []).filter((other) => !(was ?? []).some((one) => same(one, other))),
  ];
}

function ruleOfWhole(
  name: string,
  was: Whole | undefined,
  is: Whole | undefined,
): SchemaRuleName | undefined {
  const [before, after] = [was?.value, is?.value];
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  if (name === "default") return `default-${change}`;
  if (name === "xml") return "xml-changed";
  if (name === "discriminator")
    return isDiscriminatorKept(was, is) ? undefined : "discriminator-changed";
  if (name === "uniqueItems") {
    if ((before === true) === (after === true)) return undefined;
    return after === true ? "bound-tightened" : "bound-widened";
  }
  if (name === "multipleOf") {
    if (before === undefined || isMultiple(after, before)) return "bound-tightened";
    if (after === undefined || isMultiple(before, after)) return "bound-widened";
  }
  return `condition-${change}`;
}

function isMultiple(value: Json | undefined, step: Json): boolean {
  if (typeof value !== "number" || typeof step !== "number") return false;
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
}

/** A new tag comes with a new variant, which is told of by itself. */
function isDiscriminatorKept(was: Whole | undefined, is: Whole | undefined): boolean {
  const [before, after] = [was?.value, is?.value];
  if (before === undefined) return true;
  if (is === undefined || !isObject(before) || !isObject(after)) return false;
  if (before["propertyName"] !== after["propertyName"]) return false;
  const fallback = before["defaultMapping"];
  if (fallback !== undefined && fallback !== after["defaultMapping"]) return false;
  const tags = new Map(entriesOf(after["mapping"]));
  return entriesOf(before["mapping"]).every(([tag, target]) => {
    const other = tags.get(tag);
    if (other === undefined) return false;
    const [one, two] = [target, other].map(referenceOf);
    // a component that is not there any more may have another name
    return one === two || one === undefined || schemaAt(is.revision, one) === undefined;
  });
}

/** Mappings name a component, or refer to it. */
function referenceOf(target: Json): string | undefined {
  if (typeof target !== "string") return undefined;
  return /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target;
}
