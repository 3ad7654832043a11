// Which jobs this process may run, as far as it knows: what the database has said, and when that was by a clock
// of its own, which goes on while the process is frozen (not while its machine is: then it may begin a batch beside
// another process, which every batch bears). One statement every two seconds keeps what it has and finds what is free.

import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { jobLeaseMilliseconds } from "../../service/jobs/leases.sql.ts";
import { JobLeases } from "../../service/jobs/leases.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Random } from "../../service/ports/random.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { Clock } from "../system/clock.ts";
import type { Logger } from "../system/logging.ts";
import { processTimer } from "./job-loop.ts";
import type { Leases, Timer } from "./job-loop.ts";

export interface LeaseLimits {
  /** between two looks: at most so much later than it could be taken, a job is taken */
  readonly lookMilliseconds: number;
  /** between two looks when they fail, one after the other */
  readonly backOffMillisecondsMax: number;
  /** A batch that takes longer hangs, for all that anybody knows: another process may try. */
  readonly batchMillisecondsMax: number;
}

export const leaseLimits: LeaseLimits = {
  lookMilliseconds: 2_000,
  backOffMillisecondsMax: jobLeaseMilliseconds,
  batchMillisecondsMax: 60_000,
};

export interface LeaseKeeperPorts {
  readonly leases: Pick<JobLeases, "take" | "extend" | "release">;
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
  readonly log: Pick<Logger, "debug" | "info" | "error">;
  readonly limits?: LeaseLimits;
  readonly timer?: Timer;
}

/** An object of its own for each answer of the database. */
interface Held {
  /** surely not longer for the database: counted from before it was asked */
  readonly until: number;
}

export class LeaseKeeper implements Leases {
  readonly #ports: Required<LeaseKeeperPorts>;
  /** by job */
  readonly #held = new Map<string, Held>();
  /** by job: since when a batch is under way */
  readonly #busySince = new Map<string, number>();
  #looking: Promise<void> = Promise.resolve();
  #cancelLook: (() => void) | undefined;
  #isStopped = false;
  /** of looks, one after the other */
  #failures = 0;

  constructor(ports: LeaseKeeperPorts) {
    this.#ports = { limits: leaseLimits, timer: processTimer, ...ports };
  }

  isHeld(name: string): boolean {
    return this.#now() < (this.#held.get(name)?.until ?? -Infinity);
  }

  async take(name: string): Promise<boolean> {
    const { leases, log } = this.#ports;
    const askedAt = this.#now();
    const taken = await leases.take(name);
    if (taken === undefined) return false;
    this.#hold(name, askedAt);
    const { expiredHolder } = taken;
    if (expiredHolder !== undefined) {
      const text = "took over a job whose holder let its lease run out";
      log.info({ job: name, from: expiredHolder }, text);
    }
    // The answer may have come so late that it says nothing any more: then it is not kept either, and runs out.
    const isHeld = this.isHeld(name);
    if (!isHeld) this.#held.delete(name);
    return isHeld;
  }

  async during<Result>(name: string, batch: () => Promise<Result>): Promise<Result> {
    this.#busySince.set(name, this.#now());
    try {
      return await batch();
    } finally {
      this.#busySince.delete(name);
    }
  }

  async giveBack(name: string): Promise<void> {
    const { leases, log } = this.#ports;
    // First of all: what is not kept runs out by itself.
    if (!this.#held.delete(name)) return;
    try {
      await leases.release(name);
    } catch (error) {
      log.debug({ job: name, err: error }, "a lease was not given back, and runs out by itself");
    }
  }

  start(onLook: (others: ReadonlySet<string>) => void): void {
    this.#lookLater(onLook);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelLook?.();
    await this.#looking;
  }

  #now(): number {
    return this.#ports.clock.monotonicMilliseconds();
  }

  #hold(name: string, askedAt: number): void {
    this.#held.set(name, { until: askedAt + jobLeaseMilliseconds });
  }

  #lookLater(onLook: (others: ReadonlySet<string>) => void): void {
    if (this.#isStopped) return;
    const { limits, timer } = this.#ports;
    const milliseconds = limits.lookMilliseconds * 2 ** this.#failures;
    const wait = Math.min(milliseconds, limits.backOffMillisecondsMax);
    this.#cancelLook = timer(wait, () => {
      this.#looking = this.#tryToLook(onLook).then(() => this.#lookLater(onLook));
    });
  }

  async #tryToLook(onLook: (others: ReadonlySet<string>) => void): Promise<void> {
    try {
      onLook(await this.#look());
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      const fields = { failures: this.#failures, err: error };
      this.#ports.log.error(
        fields,
        "the leases of jobs were not extended, and are asked about again",
      );
    }
  }

  /** Gives what others have. */
  async #look(): Promise<ReadonlySet<string>> {
    const askedAt = this.#now();
    const before = new Map(this.#held);
    const kept = [...before.keys()].filter((name) => !this.#hangs(name));
    const { own, others } = await this.#ports.leases.extend(kept);
    for (const name of kept) {
      // What was taken or given back meanwhile is newer than the answer.
      if (this.#held.get(name) !== before.get(name)) continue;
      if (own.has(name)) this.#hold(name, askedAt);
      else this.#held.delete(name);
    }
    return others;
  }

  #hangs(name: string): boolean {
    const since = this.#busySince.get(name);
    return since !== undefined && this.#now() - since >= this.#ports.limits.batchMillisecondsMax;
  }
}

export interface SharedJobPorts extends Pick<LeaseKeeperPorts, "clock" | "log"> {
  /** in any order */
  readonly chains: readonly { readonly chainId: string }[];
  /** undefined: there is none */
  readonly actionSigner: object | undefined;
  readonly database: Database;
  readonly random: Random;
}

/** Undefined: the embedded database has a lock, and so one process, which need not wait for one before it. */
export function buildLeases(
  { databaseUrl }: Pick<Configuration, "databaseUrl">,
  ports: SharedJobPorts,
): Leases | undefined {
  if (databaseUrl === undefined) return undefined;
  const { database, random } = ports;
  const leases = new JobLeases({ database, setup: setupOf(ports), holder: holderOf(random) });
  return new LeaseKeeper({ ...ports, leases });
}

function setupOf({ chains, actionSigner }: SharedJobPorts): string {
  const chainIds = chains.map(({ chainId }) => chainId).toSorted();
  const text = [...chainIds, actionSigner === undefined ? "no signer" : "signer"].join(" ");
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** For people: where to look for the process. */
function holderOf(random: Random): string {
  const chance = Buffer.from(random.bytes(4)).toString("hex");
  return `${hostname().slice(0, 63)}/${process.pid}/${chance}`;
}
