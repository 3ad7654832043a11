// The clock of this machine, put right by what the service says of its own.

export class ServiceClock {
  readonly #nowMilliseconds: () => number;
  #offsetSeconds = 0;

  constructor(nowMilliseconds: () => number) {
    this.#nowMilliseconds = nowMilliseconds;
  }

  /** unix seconds */
  seconds(): number {
    return Math.floor(this.#nowMilliseconds() / 1000) + this.#offsetSeconds;
  }

  /**
   * From then on this is the time.
   *
   * @param sentSeconds the time that was refused: a neighbour may have put the clock right since
   * @returns whether it is another one
   */
  learn(serverSeconds: number, sentSeconds: number): boolean {
    this.#offsetSeconds += serverSeconds - this.seconds();
    return serverSeconds !== sentSeconds;
  }
}

/** Ten digits, as a timestamp has to have: from 2001 to 2286. */
export function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1e9 && Number(value) < 1e10;
}

/** TLS says that it is the service, or it is on this machine: anybody between could tell any time. */
export function isTrusted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(hostname);
}
