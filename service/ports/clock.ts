// The time of day, handed in: a rule that reads the machine's clock cannot be tested.

export interface Clock {
  readonly now: () => Date;
  /** the same as Unix time, where it is calculated with */
  readonly nowMilliseconds: () => number;
}

export const dayMilliseconds = 86_400_000;

/** Midnight UTC, from which what is allowed in a day is counted. */
export function startOfDay(nowMilliseconds: number): Date {
  return new Date(nowMilliseconds - (nowMilliseconds % dayMilliseconds));
}
