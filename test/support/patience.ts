// Time in tests. What only ends a test that hangs is so long that a machine ten times slower, or a busy one,
// never meets it; and how quick something is, is compared with what the same machine does meanwhile.

/** For whoever waits for what comes within a second on an idle machine. */
export const patienceMilliseconds = 120_000;

const unitRounds = 3_000_000;
/** of this machine, measured once */
let unit: number | undefined;

/**
 * How much of a processor the work takes: 1 is a plain loop that takes about ten milliseconds on a machine of
 * 2024. Processor time, since others may use the machine too; and the least of three, since one may fall together
 * with the collection of what other tests have left in the memory of this process.
 *
 * @param work the same each time
 */
export async function effortOf(work: () => unknown): Promise<number> {
  unit ??= Math.min(...[1, 2, 3].map(unitMicroseconds));
  const taken: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    await work();
    taken.push(microseconds(process.cpuUsage(before)));
  }
  return Math.min(...taken) / unit;
}

function unitMicroseconds(seed: number): number {
  const before = process.cpuUsage();
  let sum = seed;
  for (let round = 0; round < unitRounds; round++) sum = (sum * 31 + round) % 1_000_003;
  // Nobody else reads the sum, and what nobody reads need not be computed.
  if (sum < 0) throw new Error("a remainder is never below 0");
  return Math.max(1_000, microseconds(process.cpuUsage(before)));
}

function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}
