// Everything that a simulation has: the database, the chains, the merchants and their servers, two
// processes of the service, and what the people outside remember.

import type { Owner } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { ServiceError } from "../../service/errors.ts";
import { Cuts } from "../support/cuts.ts";
import type { Call } from "./client.ts";
import { Dice } from "./dice.ts";
import { Gate } from "./gate.ts";
import { assets, startChains } from "./market.ts";
import type { SimulatedChain } from "./market.ts";
import { SimulatedSigner } from "./signer.ts";
import { orderedBy } from "./row-order.ts";
import { Receivers } from "./receivers.ts";
import type { Settling } from "./settling.ts";
import { startWorker } from "./worker.ts";
import type { Worker } from "./worker.ts";

/** Longer than a claim of a delivery counts. */
const lateMilliseconds = 70_000;
const startMilliseconds = Date.parse("2026-01-01T00:00:00.000Z");

export interface KnownPayment {
  readonly id: string;
  readonly owner: Owner;
  /** what was asked for, by deployment */
  readonly dues: ReadonlyMap<string, bigint>;
  /** where payers were told to pay */
  address?: string;
  /** others have a part of its price, and none of what is too much */
  readonly isPriceShared: boolean;
  isPaid?: boolean;
}

export interface KnownAddress {
  readonly id: string;
  readonly owner: Owner;
  readonly chainId: string;
  readonly address: string;
}

export interface Known {
  readonly id: string;
  readonly owner: Owner;
}

export interface Gift {
  readonly deploymentId: string;
  readonly account: string;
  readonly amountRaw: bigint;
}

/** A key is bound, or may be used from anywhere. */
export type KeyKind = "bound" | "anywhere";

export interface KnownKey extends Known {
  readonly kind: KeyKind;
}

export interface KnownEndpoint extends Known {
  readonly url: string;
}

/** Something is not as it must be. The message says how to see it again. */
export class SimulationError extends Error {
  constructor(problems: readonly string[], replay: string) {
    super(`${problems.slice(0, 20).join("\n")}\nTo see it again: ${replay}`);
    this.name = "SimulationError";
  }
}

export interface WorldOptions {
  readonly seed: number;
  /** both processes really at the same time: the same seed is no longer the same run */
  readonly isWild?: boolean;
  /** writes of which nobody hears what became of them; none when left out */
  readonly cuts?: Cuts;
}

export class World {
  readonly database: Database;
  readonly dice: Dice;
  readonly gate: Gate;
  readonly cuts: Cuts;
  readonly chains: readonly SimulatedChain[];
  readonly receivers: Receivers;
  nowMilliseconds = startMilliseconds;
  readonly signer = new SimulatedSigner(this);
  isHidingTransfers = false;
  isSuspended = new Set<string>();

  readonly owners: Owner[] = [];
  /** of each owner and kind the newest is used, the others are revoked */
  readonly keys: KnownKey[] = [];
  /** How often what they made had run when they were revoked for cause: never again. */
  readonly runsOfStolenKeys = new Map<string, number>();
  readonly payments: KnownPayment[] = [];
  readonly addresses: KnownAddress[] = [];
  readonly withdrawals: Known[] = [];
  readonly schedules: Known[] = [];
  readonly subscriptions: Known[] = [];
  readonly endpoints: KnownEndpoint[] = [];
  readonly calls: Call[] = [];
  /** transfers that are too small to be deposits: `chain hash` */
  readonly dustHashes = new Set<string>();
  /** transfers to accounts of ours that nobody books, by hash */
  readonly gifts = new Map<string, Gift>();
  /** chains on which the hot account has a past that this database does not know, with their stops until then */
  readonly unfoundPasts = new Map<string, number>();
  /** by chain: what the account had at an earlier block, it had before that past, which is booked already */
  readonly pastBlocks = new Map<string, bigint>();
  readonly #toldPasts = new Set<string>();
  /** what was signed for payments, by payer: each has signed once; and when a chain takes it */
  readonly signed = new Map<
    string,
    { readonly paymentId: string; readonly since: number; readonly until: number }
  >();
  readonly settling: Settling[] = [];
  /** tokens that failed for a while: `chain contract` */
  readonly hasFailed = new Set<string>();
  readonly problems: string[] = [];
  readonly counts = new Map<string, number>();
  readonly #workers: Worker[] = [];

  constructor(database: Database, { seed, isWild = false, cuts = new Cuts() }: WorldOptions) {
    this.database = orderedBy(seed, database);
    this.dice = new Dice(seed);
    this.gate = new Gate(this.dice, isWild);
    this.cuts = cuts;
    this.chains = startChains(startMilliseconds);
    this.receivers = new Receivers(() =>
      this.gate.pass(() => {
        this.nowMilliseconds += lateMilliseconds;
      }),
    );
  }

  /** One of the two processes, with nothing bad ahead; a dead one has been started again. */
  worker(index: 0 | 1): Worker {
    const found = this.#workers[index];
    if (found !== undefined && !found.life.isDead) {
      found.life.destine(undefined);
      return found;
    }
    // The clocks of two machines agree to some seconds, and now and then they do not.
    const apart = this.dice.chance(0.1) ? 90_000 : 3_000;
    const started = startWorker(this, index === 0 ? 0 : this.dice.between(-apart, apart));
    this.#workers[index] = started;
    return started;
  }

  anyWorker(): Worker {
    return this.worker(this.dice.pick([0, 1] as const));
  }

  /** All of them, with clocks that agree. */
  restart(): void {
    this.#workers.splice(0, 2, startWorker(this, 0), startWorker(this, 0));
  }

  keyOf(owner: Owner, kind: KeyKind): string {
    const found = this.keys.findLast(
      (key) =>
        key.kind === kind &&
        key.owner.merchantId === owner.merchantId &&
        key.owner.environment === owner.environment,
    );
    if (found === undefined) throw new Error(`${owner.merchantId} has no key`);
    return found.id;
  }

  /** Somebody who hears that the database was away, and does not know more, does it again. */
  async insist<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.cuts.during(work);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "service_unavailable") throw error;
      this.note("insisted");
      return await work();
    }
  }

  note(what: string, which = ""): void {
    const name = which === "" ? what : `${what}: ${which}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  complain(problem: string): void {
    this.problems.push(problem);
  }

  /** What the log says about the books: never of more than strangers have given. */
  error(facts: object, message: string): void {
    const said = new Map<string, unknown>(Object.entries(facts));
    if (message.startsWith("an account holds more than is booked")) {
      if (this.#isBeforePast(said)) return;
      this.note("alarms", "surplus");
      const aboveRaw =
        BigInt(String(said.get("held_raw"))) - BigInt(String(said.get("booked_raw")));
      let givenRaw = 0n;
      for (const { deploymentId, account, amountRaw } of this.gifts.values()) {
        const isThere =
          deploymentId === said.get("deployment_id") && account === said.get("account");
        if (isThere) givenRaw += amountRaw;
      }
      if (aboveRaw <= givenRaw) return;
    }
    this.complain(`${message} ${JSON.stringify(facts)}`);
  }

  #isBeforePast(said: ReadonlyMap<string, unknown>): boolean {
    const asset = assets.find(({ deployment }) => deployment.id === said.get("deployment_id"));
    const pastBlock = this.pastBlocks.get(asset?.deployment.chainId ?? "") ?? 0n;
    return said.get("account") === "hot" && BigInt(String(said.get("block_number"))) < pastBlock;
  }

  alarm(what: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.note("alarms", what);
    if (what === "account_used_by_others" && this.#isOfPast(facts)) return;
    if (seriousAlarms.has(what)) this.complain(`an alarm that must not be: ${what}`);
  }

  /** Told once; and the same again where whoever told it did not hear whether it was written down. */
  #isOfPast(facts: Readonly<Record<string, unknown>>): boolean {
    const found = JSON.stringify(facts);
    if (!this.unfoundPasts.delete(String(facts["chain_id"]))) return this.#toldPasts.has(found);
    this.#toldPasts.add(found);
    return true;
  }

  fault(one: SimulatedChain, ...[method, fault, times]: Parameters<FaultNext>): void {
    this.note("faults", `${method} ${fault.kind}`);
    one.chain.faults.next(method, fault, times);
  }

  /** Asked beside the service, which does not notice. */
  async rows<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    // The empty name: not kept as a prepared statement.
    const statement = { name: "", text, list: (given: readonly unknown[]) => given };
    return await this.database.run<readonly unknown[], Row>(statement, values);
  }
}

type FaultNext = SimulatedChain["chain"]["faults"]["next"];

/** Nothing that happens here can be their reason. */
const seriousAlarms: ReadonlySet<string> = new Set([
  "account_used_by_others",
  "nothing_moved",
  "unclear_transfer",
]);
