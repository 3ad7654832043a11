// How something ends: it is deprecated with a day in `x-sunset`, and gone after that day.

import { type JsonObject, textOf } from "../json.ts";
import type { Both, Found, Where } from "./found.ts";
import type { At, Revision } from "./revision.ts";

export interface Notice {
  /** 2030-01-31 */
  readonly today: string;
  /** how long before its end a client hears of it, at least */
  readonly months: number;
}

/** Something that may end: an operation, a parameter, a property. */
export interface Ending {
  readonly revision: Revision;
  readonly node: JsonObject;
}

/** The day on which it ends, where it says one. */
function sunsetOf(node: JsonObject): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(textOf(node["x-sunset"]) ?? "")?.[0];
}

/** Whoever was told the day may not be surprised after it. */
export function isOver(node: JsonObject, { today }: Notice): boolean {
  const sunset = sunsetOf(node);
  return node["deprecated"] === true && sunset !== undefined && sunset <= today;
}

/** An operation has to say when it ends, once it is deprecated. */
export function compareDeprecation(
  both: Both<Ending>,
  notice: Notice,
  what: string,
): readonly Found[] {
  const { base, head } = both;
  if (head.node["deprecated"] !== true) return [];
  const found: Found[] = [];
  const isNew = base.node["deprecated"] !== true;
  const where = at(both, "deprecated");
  if (isNew) found.push({ ...where, rule: "deprecated", message: `${what} is deprecated now` });
  const isMissing = sunsetOf(head.node) === undefined;
  if (isMissing && (isNew || sunsetOf(base.node) !== undefined)) {
    const message = "no day is said on which it ends";
    found.push({ ...where, rule: "deprecated-without-sunset", message });
  }
  return [...found, ...compareSunset(both, notice)];
}

/** The day itself, where one is said of what is deprecated. */
export function compareSunset(both: Both<Ending>, notice: Notice): readonly Found[] {
  const before = sunsetOf(both.base.node);
  const after = sunsetOf(both.head.node);
  if (both.head.node["deprecated"] !== true || after === undefined) return [];
  const where = at(both, "x-sunset");
  const earliest = monthsAfter(notice);
  if (before === undefined && after < earliest) {
    const message = `it ends on ${after}, and ${notice.months} months of notice end on ${earliest}`;
    return [{ ...where, rule: "sunset-too-soon", message }];
  }
  if (before === undefined || after >= before) return [];
  return [{ ...where, rule: "sunset-moved-earlier", message: `${before} became ${after}` }];
}

function at({ base, head }: Both<Ending>, name: string): Where {
  const named = ({ revision, node }: Ending): At =>
    node[name] === undefined ? { revision, node } : { revision, node, name };
  return { base: named(base), head: named(head) };
}

function monthsAfter({ today, months }: Notice): string {
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() + months);
  return day.toISOString().slice(0, 10);
}
