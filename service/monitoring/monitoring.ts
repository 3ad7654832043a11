// What an operator looks at to see whether all is well: how much is open, for how long, and what waits for a person.
// It only reads, and what it reads is bounded: somebody asks every few seconds, also when nothing is well.

import assert from "node:assert";
import { ChainHealth } from "../chains/health.ts";
import type { ChainReport } from "../chains/health.ts";
import type {
  HoldReason,
  OutgoingPurpose,
  OutgoingStatus,
  PaymentStatus,
  WithdrawalStatus,
} from "../database/words.ts";
import type { Jobs, JobReport } from "../jobs/jobs.ts";
import { listFreezes } from "../ledger/reserve.sql.ts";
import { ledgerDifferenceName, ledgerVerifyName } from "../ledger/verify-job.ts";
import type { Environment } from "../owner.ts";
import { startOfDay } from "../ports/clock.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { WatchedChains } from "../ports/watched-chains.ts";
import { sumSettlementGas } from "../sending/gas.sql.ts";
import { ChainSettings } from "../sweeps/settings.ts";
import type { ShownFloat } from "../sweeps/settings.ts";
import {
  countAttention,
  countEndpointsOff,
  countOpenOutgoing,
  countOpenPayments,
  countOpenWithdrawals,
  countPendingDeliveries,
  readServer,
} from "./monitoring.sql.ts";

/** More of one kind are not counted: who has so many knows what to look at. */
export const countedMax = 50_000;

/** Of so many endpoints with something pending it is known when the first was due. */
const endpointsMax = 2_000;
/** What was spent is added up no oftener: there may be many settlements in a day. */
const gasMilliseconds = 60_000;
/** It is read again every hour as long as it differs. */
const differentMilliseconds = 7_200_000;
/** No job comes less often than every hour. */
export const silentMilliseconds = 10_800_000;
/** One that has not ended is told of for so long after it began. */
const unendedMilliseconds = 86_400_000;

/** A number of things that are open. */
export interface Open {
  /** `countedMax`: so many or more */
  readonly count: number;
}

/** The same, and for how long the oldest of them has been. */
export interface OpenSince extends Open {
  readonly oldestMilliseconds: number;
}

export interface OpenPayments extends Open {
  readonly environment: Environment;
  readonly status: PaymentStatus;
  /** null: several, of which the payer may choose one */
  readonly currencyId: string | null;
}

export interface OpenWithdrawals extends OpenSince {
  readonly environment: Environment;
  readonly status: WithdrawalStatus;
  /** null: it waits for no operator */
  readonly heldBecause: HoldReason | null;
}

export interface OpenOutgoing extends OpenSince {
  readonly chainId: string;
  readonly purpose: OutgoingPurpose;
  readonly status: OutgoingStatus;
}

export interface EndpointsOff extends Open {
  /** merchant: by its owner; gone and failing: by us, since the receiver said so or did not answer for days */
  readonly reason: "merchant" | "gone" | "failing";
}

export interface PendingDeliveries {
  readonly pending: number;
  /** how long the first of them should have been tried; 0: none should have */
  readonly overdueMilliseconds: number;
}

/** What waits for a person. */
export interface Attention {
  readonly suspense: OpenSince;
  readonly paymentTroubles: number;
  /** of accounts of ours, those that people were told of: no dust, and found at two comparisons */
  readonly accountDifferences: number;
  /** In the last two hours the ledger was found to differ from its postings. */
  readonly isLedgerDifferent: boolean;
  /** CAIP-2, or `*` for all: nothing is withdrawn there until an operator says so */
  readonly stoppedChainIds: readonly string[];
  /** deployments whose withdrawals are frozen */
  readonly frozenDeploymentIds: readonly string[];
}

/**
 * What the settlements of x402 did cost since midnight UTC, or may cost at most while that is not known, in smallest units
 * of the chain's own coin; up to a minute old.
 */
export interface GasOfDay {
  readonly chainId: string;
  readonly spentRaw: bigint;
  /** null: no limit */
  readonly budgetRaw: bigint | null;
}

export interface DatabaseState {
  readonly serverVersion: string;
  /** false: it follows another server */
  readonly takesWrites: boolean;
  /** the newest */
  readonly migration: string;
}

export interface ServiceState {
  readonly database: DatabaseState;
  readonly payments: readonly OpenPayments[];
  readonly withdrawals: readonly OpenWithdrawals[];
  readonly outgoing: readonly OpenOutgoing[];
  readonly deliveries: PendingDeliveries;
  readonly endpointsOff: readonly EndpointsOff[];
  readonly attention: Attention;
  readonly chains: readonly ChainReport[];
  /** those that this process knows, and those that another one has or has run of late */
  readonly jobs: readonly JobReport[];
  /** only of deployments that have money on the hot account, or a float */
  readonly floats: readonly ShownFloat[];
  readonly gas: readonly GasOfDay[];
}

export interface MonitoringPorts extends StoragePorts, WatchedChains {
  readonly jobs: Pick<Jobs, "all" | "list">;
  /** CAIP-2, where x402 settles, and the account that pays for it there; none: not by this process */
  readonly settling: readonly { readonly chainId: string; readonly account: string }[];
}

export class Monitoring {
  readonly #ports: MonitoringPorts;
  readonly #health: ChainHealth;
  readonly #settings: ChainSettings;
  #gas: readonly GasOfDay[] = [];
  #gasReadAt = Number.NEGATIVE_INFINITY;

  constructor(ports: MonitoringPorts) {
    this.#ports = ports;
    this.#health = new ChainHealth(ports);
    this.#settings = new ChainSettings(ports);
  }

  /** Several statements, one after the other: it takes no more than one connection. Throws `service_unavailable`. */
  async read(): Promise<ServiceState> {
    const jobs = await this.#jobs();
    return {
      database: await this.#database(),
      payments: await this.#payments(),
      withdrawals: await this.#withdrawals(),
      outgoing: await this.#outgoing(),
      deliveries: await this.#deliveries(),
      endpointsOff: await this.#ports.database.run(countEndpointsOff, { countedMax }),
      attention: await this.#attention(jobs),
      chains: await this.#chains(),
      jobs,
      floats: await this.#settings.floats(),
      gas: await this.#gasOfDay(),
    };
  }

  /** Not those that nobody runs any more: of a version before, or of a chain that was taken out. */
  async #jobs(): Promise<readonly JobReport[]> {
    const { jobs } = this.#ports;
    const names = new Set(jobs.all.map(({ name }) => name));
    return (await jobs.list()).filter((job) => names.has(job.name) || this.#isRun(job));
  }

  /** By another process. One that fails has no holder, since its lease is given back, nor has one that each runs. */
  #isRun({ heldBy, last }: JobReport): boolean {
    if (heldBy !== null) return true;
    if (last === null) return false;
    const { startedAt, succeededAt, failedAt } = last;
    const hasEnded = [succeededAt, failedAt].some((end) => end !== null && end >= startedAt);
    return this.#since(startedAt) <= (hasEnded ? silentMilliseconds : unendedMilliseconds);
  }

  async #database(): Promise<DatabaseState> {
    const [row] = await this.#ports.database.run(readServer, {});
    assert(row !== undefined, "the statement has one row");
    const { server_version: serverVersion, takes_writes: takesWrites, migration } = row;
    return { serverVersion, takesWrites, migration };
  }

  async #payments(): Promise<readonly OpenPayments[]> {
    const rows = await this.#ports.database.run(countOpenPayments, { countedMax });
    return rows.map(({ currency_id: currencyId, ...row }) => ({ ...row, currencyId }));
  }

  async #withdrawals(): Promise<readonly OpenWithdrawals[]> {
    const rows = await this.#ports.database.run(countOpenWithdrawals, { countedMax });
    return rows.map(({ environment, status, held_because: heldBecause, count, oldest }) => {
      const oldestMilliseconds = this.#since(oldest);
      return { environment, status, heldBecause, count, oldestMilliseconds };
    });
  }

  async #outgoing(): Promise<readonly OpenOutgoing[]> {
    const rows = await this.#ports.database.run(countOpenOutgoing, { countedMax });
    return rows.map(({ chain_id: chainId, purpose, status, count, oldest }) => {
      return { chainId, purpose, status, count, oldestMilliseconds: this.#since(oldest) };
    });
  }

  async #deliveries(): Promise<PendingDeliveries> {
    const [row] = await this.#ports.database.run(countPendingDeliveries, {
      countedMax,
      endpointsMax,
    });
    const overdueMilliseconds = this.#since(row?.due_since ?? null);
    return { pending: row?.pending ?? 0, overdueMilliseconds };
  }

  /** Not those that somebody watched once: what is known of them stays as it is. */
  async #chains(): Promise<readonly ChainReport[]> {
    const { watchedChainIds } = this.#ports;
    return (await this.#health.list()).filter(({ chainId }) => watchedChainIds.has(chainId));
  }

  async #attention(jobs: readonly JobReport[]): Promise<Attention> {
    const { database } = this.#ports;
    const [row] = await database.run(countAttention, { countedMax });
    const freezes = await database.run(listFreezes, {});
    const oldestMilliseconds = this.#since(row?.suspense_since ?? null);
    return {
      suspense: { count: row?.suspense_items ?? 0, oldestMilliseconds },
      paymentTroubles: row?.payment_troubles ?? 0,
      accountDifferences: row?.account_differences ?? 0,
      isLedgerDifferent: jobs.some((job) => this.#isLedgerDifferent(job)),
      stoppedChainIds: row?.stopped_chain_ids ?? [],
      frozenDeploymentIds: freezes.map(({ deployment_id: id }) => id),
    };
  }

  /** The job succeeds again in between, with the pages before the one that differs. */
  #isLedgerDifferent({ name, last }: JobReport): boolean {
    if (name !== ledgerVerifyName || last?.error !== ledgerDifferenceName) return false;
    return last.failedAt !== null && this.#since(last.failedAt) < differentMilliseconds;
  }

  async #gasOfDay(): Promise<readonly GasOfDay[]> {
    const now = this.#ports.clock.nowMilliseconds();
    if (now - this.#gasReadAt < gasMilliseconds) return this.#gas;
    this.#gas = await this.#readGas(startOfDay(now));
    this.#gasReadAt = now;
    return this.#gas;
  }

  async #readGas(since: Date): Promise<readonly GasOfDay[]> {
    const { database, settling } = this.#ports;
    const days: GasOfDay[] = [];
    for (const { chainId, account } of settling) {
      const [row] = await database.run(sumSettlementGas, { chainId, account, since });
      const budgetRaw = await this.#settings.gasBudgetRaw(chainId);
      days.push({ chainId, spentRaw: BigInt(row?.raw ?? 0), budgetRaw });
    }
    return days;
  }

  /** 0 too where the clocks of two machines do not agree. */
  #since(time: Date | null): number {
    return time === null ? 0 : Math.max(0, this.#ports.clock.nowMilliseconds() - time.getTime());
  }
}
