// Keeps the dispatcher going: asks for work every second, and at once when there is reason to think
// that there is some; a bounded number of attempts at a time. Whoever answers slowly takes nothing from the others.

import { perMerchantMax } from "../../service/webhooks/dispatcher.ts";
import type { ClaimedDelivery, Dispatcher } from "../../service/webhooks/dispatcher.ts";
import type { Logger } from "../system/logging.ts";

export interface LoopLimits {
  /** attempts that have not become slow */
  readonly inFlightMax: number;
  /** An attempt that takes longer gives its place to the next: receivers that hang hold nobody up. */
  readonly slowMilliseconds: number;
  /** Slow ones at the same time. They wait for receivers, which costs a socket and at most some 20 KB of payload each. */
  readonly slowMax: number;
  readonly idleMilliseconds: number;
  /** After a claim it rests as long as that took, but no longer: what ends or comes meanwhile is claimed together. */
  readonly restMillisecondsMax: number;
  /** after the first error of the database; doubled with each further one */
  readonly backOffMilliseconds: number;
  readonly backOffMillisecondsMax: number;
}

export const loopLimits: LoopLimits = {
  inFlightMax: 4 * perMerchantMax,
  slowMilliseconds: 1_000,
  slowMax: 32 * perMerchantMax,
  idleMilliseconds: 1_000,
  restMillisecondsMax: 50,
  backOffMilliseconds: 1_000,
  backOffMillisecondsMax: 60_000,
};

export interface LoopPorts {
  readonly dispatcher: Pick<Dispatcher, "claim" | "deliver" | "hasMore">;
  readonly log: Pick<Logger, "debug" | "error">;
  readonly limits?: LoopLimits;
}

export class DispatcherLoop {
  readonly #ports: LoopPorts;
  readonly #limits: LoopLimits;
  readonly #inFlight = new Set<Promise<void>>();
  /** of those */
  #slow = 0;
  #state: "new" | "running" | "stopping" = "new";
  /** the loop itself; there is never a second one */
  #loop: Promise<void> = Promise.resolve();
  #isWoken = false;
  #endPause: (() => void) | undefined;
  #endRest: (() => void) | undefined;
  #errors = 0;

  constructor(ports: LoopPorts) {
    this.#ports = ports;
    this.#limits = ports.limits ?? loopLimits;
  }

  /** Starting twice is the same as starting once. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "running";
    this.#loop = this.#run();
  }

  /** There may be something due: called after each commit that recorded an event. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause?.();
  }

  /**
   * Takes nothing more, and waits for what is under way. False: the deadline came first; what was
   * left is sent again by somebody, once its claim has run out.
   */
  async stop(deadlineMilliseconds: number): Promise<boolean> {
    this.#state = "stopping";
    this.wake();
    this.#endRest?.();
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), deadlineMilliseconds);
    const done = this.#finish().then(() => true);
    const isClean = await Promise.race([done, late.promise]);
    clearTimeout(timer);
    return isClean;
  }

  async #finish(): Promise<void> {
    await this.#loop;
    await Promise.all(this.#inFlight);
  }

  async #run(): Promise<void> {
    while (this.#state === "running") {
      this.#isWoken = false;
      const room = this.#room();
      // Without room the end of an attempt wakes us.
      const pauseMilliseconds =
        room === 0 ? this.#limits.idleMilliseconds : await this.#round(room);
      if (pauseMilliseconds > 0) await this.#pause(pauseMilliseconds);
    }
  }

  /**
   * How long to wait until the next round. A claim costs about the same for one as for many, so under load half of
   * the time at most goes into claiming; the first after a quiet time is claimed at once.
   */
  async #round(room: number): Promise<number> {
    const begun = performance.now();
    try {
      const claimed = await this.#ports.dispatcher.claim(room);
      this.#errors = 0;
      for (const one of claimed) this.#begin(one);
      await this.#rest(performance.now() - begun);
      const isMore = claimed.length === room || this.#ports.dispatcher.hasMore;
      return isMore ? 0 : this.#limits.idleMilliseconds;
    } catch (error) {
      this.#ports.log.error({ err: error }, "webhook deliveries cannot be claimed");
      const { backOffMilliseconds, backOffMillisecondsMax } = this.#limits;
      return Math.min(backOffMilliseconds * 2 ** this.#errors++, backOffMillisecondsMax);
    }
  }

  #room(): number {
    const { inFlightMax, slowMax } = this.#limits;
    // Beyond as many slow ones as there may be, the others take up places like any attempt; and so do those that
    // have been answered, until that is recorded, also where the places are taken meanwhile.
    return Math.max(0, inFlightMax - (this.#inFlight.size - Math.min(this.#slow, slowMax)));
  }

  #begin(claimed: ClaimedDelivery): void {
    let isSlow = false;
    const becomeSlow = (): void => {
      isSlow = true;
      this.#slow++;
      if (this.#errors === 0) this.wake();
    };
    const timer = setTimeout(becomeSlow, this.#limits.slowMilliseconds).unref();
    // A database that is slow to record it is no reason to claim more.
    const onAttempted = (): void => {
      clearTimeout(timer);
      if (isSlow) this.#slow--;
      isSlow = false;
    };
    const attempt = this.#deliver(claimed, onAttempted).finally(() => {
      onAttempted();
      this.#inFlight.delete(attempt);
      // There is room again, and the next event of the same resource may be waiting for this one.
      if (this.#errors === 0) this.wake();
    });
    this.#inFlight.add(attempt);
  }

  async #deliver(claimed: ClaimedDelivery, onAttempted: () => void): Promise<void> {
    const { log, dispatcher } = this.#ports;
    const fields = { delivery_id: claimed.row.id, endpoint_id: claimed.row.endpoint_id };
    try {
      const isRecorded = await dispatcher.deliver(claimed, onAttempted);
      log.debug({ ...fields, isRecorded }, "webhook delivery attempted");
    } catch (error) {
      // Nothing is lost: the claim runs out, and the delivery is tried again.
      log.error({ ...fields, err: error }, "a webhook delivery attempt cannot be recorded");
    }
  }

  /** Ends early when the loop is stopped, and not when it is woken. */
  async #rest(milliseconds: number): Promise<void> {
    const rest = Math.min(milliseconds, this.#limits.restMillisecondsMax);
    if (rest <= 0 || this.#state !== "running") return;
    await breakOf(rest, (end) => (this.#endRest = end));
    this.#endRest = undefined;
  }

  /** Ends early when woken. The timer alone does not keep the process alive. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#isWoken) return;
    await breakOf(milliseconds, (end) => (this.#endPause = end));
    this.#endPause = undefined;
  }
}

/** Ends after that time, or when somebody calls what is handed to `take`. The timer keeps no process alive. */
async function breakOf(milliseconds: number, take: (end: () => void) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds).unref();
    take(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
