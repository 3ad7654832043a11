// The only place that reads the machine's clock.

export interface Clock {
  readonly now: () => Date;
  /** the same as Unix time */
  readonly nowMilliseconds: () => number;
  /** for durations: never goes back, unlike the time of day */
  readonly monotonicMilliseconds: () => number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMilliseconds: () => Date.now(),
  monotonicMilliseconds: () => performance.now(),
};
