// Alarms are for people: each is heard, and none drowns the others. One memory for all that a process
// alarms of, so that one thing is told once.

import type { Clock } from "./clock.ts";
import type { Logger } from "./logging.ts";

export type Alarm = (what: string, facts: Readonly<Record<string, unknown>>) => void;

/** The same again is not news: a withdrawal that waits for people is looked at every few seconds. */
const repeatedMilliseconds = 600_000;
/** What is remembered of that. */
const rememberedMax = 1_000;
/** What an alarm is about; what else it says may change from one time to the next. */
const subjectNames = [
  "withdrawal_id",
  "outgoing_id",
  "sweep_id",
  "settlement_id",
  "payment_id",
  "transfer",
  "address",
  "account",
  "chain_id",
] as const;

interface AlarmPorts {
  /** hears of each that people are told of */
  readonly onTold?: ((what: string) => void) | undefined;
  readonly log: Pick<Logger, "error">;
  readonly clock: Pick<Clock, "nowMilliseconds">;
}

const usualMessage = "something that is sent needs somebody to look";
/** Of those that are about something else. */
const messages: ReadonlyMap<string, string> = new Map([
  [
    "database_restored",
    "the signer remembers deposit addresses that this database does not: it seems to be restored from " +
      "a backup. No address is given twice; see docs/running/signer.md, After a restore, for what was lost",
  ],
]);

/** Tells people, through the log, and not all the time. */
export function buildAlarm({ log, clock, onTold }: AlarmPorts): Alarm {
  const told = new Map<string, number>();
  return (what, facts) => {
    const now = clock.nowMilliseconds();
    const subject = [what, ...subjectNames.map((name) => facts[name])].join(" ");
    const last = told.get(subject);
    if (last !== undefined && now - last < repeatedMilliseconds) return;
    if (told.size >= rememberedMax) told.clear();
    told.set(subject, now);
    onTold?.(what);
    log.error({ alarm: what, ...facts }, messages.get(what) ?? usualMessage);
  };
}
