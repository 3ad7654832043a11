// The time of day, handed in: a rule that reads the machine's clock cannot be tested.

export interface Clock {
  /** Unix time */
  readonly nowMilliseconds: () => number;
}
