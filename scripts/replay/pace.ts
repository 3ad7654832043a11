// Waits where the server asks for it, and leaves a part of the key's rate to whoever else uses the key.

import { setTimeout as wait } from "node:timers/promises";
import { UsageError } from "./usage-error.ts";

/** Of each bucket a tenth is left alone. */
const reserveShare = 0.1;
const unnamedSeconds = 5;

export class Pace {
  readonly #patienceSeconds: number;
  readonly #until = new Map<string, number>();
  #waitedMilliseconds = 0;

  constructor(patienceSeconds: number) {
    this.#patienceSeconds = patienceSeconds;
  }

  /** Before a request that takes from the bucket. */
  async turn(bucket: string): Promise<void> {
    const milliseconds = (this.#until.get(bucket) ?? 0) - Date.now();
    if (milliseconds > 0) await this.#wait(milliseconds);
  }

  /** Of an answer: when the next one may be asked for. */
  learn(bucket: string, headers: Headers): void {
    const [, quota] = /;q=(\d+)/.exec(headers.get("RateLimit-Policy") ?? "") ?? [];
    const [, left, seconds] = /;r=(\d+);t=(\d+)/.exec(headers.get("RateLimit") ?? "") ?? [];
    if (quota === undefined || left === undefined || seconds === undefined) return;
    const isScarce = Number(left) < Number(quota) * reserveShare;
    if (isScarce) this.#until.set(bucket, Date.now() + Number(seconds) * 1000);
  }

  /** After an answer 429. */
  async refused(headers: Headers): Promise<void> {
    const seconds = Number(headers.get("Retry-After") ?? unnamedSeconds);
    await this.#wait((Number.isFinite(seconds) ? seconds : unnamedSeconds) * 1000);
  }

  async #wait(milliseconds: number): Promise<void> {
    if (this.#waitedMilliseconds + milliseconds > this.#patienceSeconds * 1000) {
      throw new UsageError(
        `the server's rate limits ask for more than ${this.#patienceSeconds} s of waiting: try again ` +
          `when the key is used less, or give more --patience`,
      );
    }
    this.#waitedMilliseconds += milliseconds;
    await wait(milliseconds);
  }
}
