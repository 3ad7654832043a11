// Durations and dates as people type them.

import type { Clock } from "../../service/ports/clock.ts";
import { UsageError, type Word, word } from "./words.ts";

const millisecondsPerUnit = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** `90d`, `24h`, `30m`, `45s`, `0`; undefined for anything else. */
export function parseDurationMilliseconds(text: string): number | undefined {
  if (text === "0") return 0;
  const [, count = "", unit = ""] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  const size = millisecondsPerUnit.get(unit);
  return size === undefined ? undefined : Number(count) * size;
}

/** A duration from now (of before: with `sign` -1), a day (its beginning in UTC), or a date-time with its zone. */
export function parseMoment(text: string, nowMilliseconds: number, sign = 1): Date | undefined {
  const duration = parseDurationMilliseconds(text);
  if (duration !== undefined) return new Date(nowMilliseconds + sign * duration);
  const form = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2}))?$/;
  if (!form.test(text)) return undefined;
  const moment = new Date(text);
  // Date accepts a 30th of February and means another day.
  const isReal = !Number.isNaN(moment.getTime()) && isDayOfMonth(text);
  return isReal ? moment : undefined;
}

function isDayOfMonth(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** In milliseconds. */
export const duration = (shown: string, says = ""): Word<number> =>
  word(shown, says, (given, name) => {
    const milliseconds = parseDurationMilliseconds(given);
    if (milliseconds !== undefined) return milliseconds;
    throw new UsageError(`--${name} is a duration such as 24h, 7d or 0.`);
  });

/** @param name of the option, for who has to write it better */
export function momentOf(given: string | undefined, name: string, clock: Clock): Date | undefined {
  if (given === undefined) return undefined;
  const moment = parseMoment(given, clock.nowMilliseconds());
  if (moment !== undefined) return moment;
  throw new UsageError(`--${name} is a duration such as 90d, or a date such as 2027-01-31.`);
}

/** The same of what has been: a duration is so long ago. */
export function pastMomentOf(
  given: string | undefined,
  name: string,
  clock: Clock,
): Date | undefined {
  if (given === undefined) return undefined;
  const moment = parseMoment(given, clock.nowMilliseconds(), -1);
  if (moment !== undefined) return moment;
  throw new UsageError(`--${name} is how long ago, such as 7d, or a date such as 2027-01-31.`);
}
