// How an operation ends: it is deprecated with a day in `x-sunset`, and gone after that day.

import { type JsonObject, textOf } from "../json.ts";
import type { Both, Found } from "./found.ts";
import type { Place } from "./parameters.ts";

export interface Notice {
  /** 2030-01-31 */
  readonly today: string;
  /** how long before its end a client hears of it, at least */
  readonly months: number;
}

/** The day on which an operation ends, where it says one. */
export function sunsetOf(operation: JsonObject): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(textOf(operation["x-sunset"]) ?? "")?.[0];
}

export function compareDeprecation({ base, head }: Both<Place>, notice: Notice): readonly Found[] {
  const { revision, operation: node } = head;
  const before = sunsetOf(base.operation);
  const after = sunsetOf(node);
  const at = { revision, node, name: after === undefined ? "deprecated" : "x-sunset" };
  if (node["deprecated"] !== true) return [];
  const found: Found[] = [];
  const isNew = base.operation["deprecated"] !== true;
  if (isNew) {
    const message = "the operation is deprecated now";
    found.push({ rule: "deprecated", at: { ...at, name: "deprecated" }, message });
  }
  const earliest = monthsAfter(notice);
  if (after === undefined) {
    if (!isNew && before === undefined) return found;
    const message = "no day is said on which it ends";
    found.push({ rule: "deprecated-without-sunset", at, message });
  } else if (before === undefined && after < earliest) {
    const message = `it ends on ${after}, and ${notice.months} months of notice end on ${earliest}`;
    found.push({ rule: "sunset-too-soon", at, message });
  } else if (before !== undefined && after < before) {
    found.push({ rule: "sunset-moved-earlier", at, message: `${before} became ${after}` });
  }
  return found;
}

function monthsAfter({ today, months }: Notice): string {
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() + months);
  return day.toISOString().slice(0, 10);
}
