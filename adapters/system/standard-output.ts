// Standard output without waiting for it: a slow reader of the log must not slow payments down, and one
// that stays away must not fill the memory. What matters most is dropped last.

import { pino } from "pino";

const mebibyte = 1024 * 1024;

/**
 * How much may wait before a line is dropped. Our choice: minutes of a busy log. Whoever floods it fills
 * the first part only; the second is for warnings and for what the signer has signed, the last for alarms.
 */
const waitingBytesMax = {
  ordinary: 6 * mebibyte,
  kept: 7 * mebibyte,
  alarm: 8 * mebibyte,
} as const;

type Weight = keyof typeof waitingBytesMax;

const weights: Readonly<Record<string, Weight>> = { warn: "kept", error: "alarm", fatal: "alarm" };

export interface StandardOutput {
  readonly write: (line: string) => void;
  /** for lines that weigh as much as a warning, whatever their level */
  readonly keep: (line: string) => void;
  /** resolves when everything is written, or nobody can read it any more */
  readonly flush: () => Promise<void>;
}

/**
 * What does not fit is dropped, and counted by level in a line of its own once there is room again.
 * `flushSync` of pino would overtake what is under way.
 */
export function openStandardOutput(): StandardOutput {
  // At least one byte: with none, pino writes as soon but `flush` does not wait for anything.
  const destination = pino.destination({ dest: 1, sync: false, minLength: 1 });
  const dropped = new Map<string, number>();
  let waitingBytes = 0;
  destination.on("write", (bytes: number) => {
    waitingBytes -= bytes;
  });
  const put = (line: string, weight: Weight): boolean => {
    const bytes = Buffer.byteLength(line);
    if (waitingBytes + bytes > waitingBytesMax[weight]) return false;
    waitingBytes += bytes;
    destination.write(line);
    return true;
  };
  const tell = (): void => {
    // Not from what is kept free for others: the next line would be dropped, and told again.
    if (dropped.size > 0 && put(droppedLine(dropped), "ordinary")) dropped.clear();
  };
  // Also when nothing more is written.
  destination.on("drain", tell);
  const write = (line: string, least: Weight): void => {
    tell();
    const level = /^\{"level":"(\w+)"/.exec(line)?.[1] ?? "info";
    const weight = weights[level] ?? least;
    if (!put(line, weight)) dropped.set(level, (dropped.get(level) ?? 0) + 1);
  };
  return {
    write: (line) => write(line, "ordinary"),
    keep: (line) => write(line, "kept"),
    flush: () =>
      new Promise((resolve) => {
        // A reader that is gone is no reason to stay: the error counts as done.
        destination.flush(() => resolve());
      }),
  };
}

function droppedLine(byLevel: ReadonlyMap<string, number>): string {
  const dropped = [...byLevel.values()].reduce((sum, count) => sum + count, 0);
  const counts = { dropped, dropped_by_level: Object.fromEntries(byLevel) };
  const about = { level: "warn", time: new Date().toISOString(), pid: process.pid, ...counts };
  const msg = "lines of the log were dropped: nobody read it quickly enough";
  return `${JSON.stringify({ ...about, msg })}\n`;
}
