// A clock that reads its time from a test.

import type { Clock } from "../../service/ports/clock.ts";

export function clockOf(nowMilliseconds: () => number): Clock {
  return { now: () => new Date(nowMilliseconds()), nowMilliseconds };
}
