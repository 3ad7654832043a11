// The time of day, handed in: a rule that reads the machine's clock cannot be tested.

export interface Clock {
  readonly now: () => Date;
  /** the same as Unix time, where it is calculated with */
  readonly nowMilliseconds: () => number;
}
