// Who waits for a batch that is on its way.

import { notAvailable } from "./failures.ts";

/** A server that hangs must not keep a crowd waiting, some batches at a time, for minutes. */
const waitedMillisecondsMax = 15_000;

export interface InLine {
  readonly sinceMilliseconds: number;
  readonly reject: (error: unknown) => void;
}

/** Takes those out of the line: they are in the order they came, and nothing of them was written. */
export function refuseTooOld(line: InLine[], nowMilliseconds: number): void {
  const limit = nowMilliseconds - waitedMillisecondsMax;
  const firstInTime = line.findIndex((one) => one.sinceMilliseconds >= limit);
  const count = firstInTime === -1 ? line.length : firstInTime;
  for (const { reject } of line.splice(0, count)) reject(notAvailable());
}
