// Which events a process records, by what it writes: the values of every statement that records one say which, and its
// rows whether it was.

import { memberOf } from "./committed.ts";
import type { Finding } from "./committed.ts";

/** What says in a row that nothing happened: what it was decided on has changed. */
const nothing = { is_finished: false, disabled_id: null } as const;

/** The type of the event. */
export const eventOf: Finding<string> = (_statement, values, rows) => {
  const type = memberOf(values, "eventType");
  if (typeof type !== "string" || rows.length === 0) return undefined;
  const isNothing = Object.entries(nothing).some(([name, no]) => memberOf(rows[0], name) === no);
  return isNothing ? undefined : type;
};
