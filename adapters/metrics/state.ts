// What the database says of the service as a whole: the same from every process, so that rules take the maximum over
// them. It is read when somebody asks, and not more often than every few seconds.

import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import { isFailing } from "../../service/jobs/jobs.ts";
import type { JobReport } from "../../service/jobs/jobs.ts";
import type { ServiceState } from "../../service/monitoring/monitoring.ts";
import type { Clock } from "../system/clock.ts";

/** Two who ask share one reading. */
const freshMilliseconds = 5_000;
/** As long as the next reading does not end, what was read before is shown. */
const shownMilliseconds = 60_000;
/** Whoever asks has an answer before Prometheus gives up (10 s). */
const usualPatienceMilliseconds = 5_000;

const gauges = {
  pay_database_takes_writes: [
    "1: the server that answered this process takes writes; 0: it follows another, or was told not to.",
  ],
  pay_open_payments: [
    "Payments that are not over. currency_id: that they can be paid in, or several.",
    "environment",
    "status",
    "currency_id",
  ],
  pay_open_withdrawals: [
    "Withdrawals that are not over. held: why one waits for an operator, or none.",
    "environment",
    "status",
    "held",
  ],
  pay_open_withdrawals_oldest_seconds: [
    "How long ago the oldest of them was asked for.",
    "environment",
    "status",
    "held",
  ],
  pay_open_transactions: [
    "Transactions that wait to be signed (queued), or are sent and not final (broadcast).",
    "chain_id",
    "purpose",
    "status",
  ],
  pay_open_transactions_oldest_seconds: [
    "How long ago the oldest of them was queued.",
    "chain_id",
    "purpose",
    "status",
  ],
  pay_webhook_deliveries_pending: ["Deliveries that were not made yet."],
  pay_webhook_overdue_seconds: [
    "How long the first of them should have been tried, of endpoints that are switched on.",
  ],
  pay_webhook_endpoints_off: [
    "Endpoints that are switched off. reason: merchant, or gone or failing where we have done it.",
    "reason",
  ],
  pay_suspense_items: ["Money that waits for an operator's decision."],
  pay_suspense_oldest_seconds: ["How long ago the first of it came."],
  pay_payment_troubles: ["Payments of which something could not be worked out."],
  pay_account_differences: [
    "Accounts of ours that hold something else than is booked: no dust, and found at two comparisons.",
  ],
  pay_ledger_differs: [
    "1: in the last two hours the ledger was found to differ from its postings.",
  ],
  pay_withdrawals_stopped: ["1: nothing is withdrawn on this chain; * is all of them.", "chain_id"],
  pay_deployment_frozen: [
    "1: the chain held less than is owed, and withdrawals of the deployment wait.",
    "deployment_id",
  ],
  pay_chain_block_number: ["The newest block that was read.", "chain_id"],
  pay_chain_behind_blocks: ["Blocks that the chain had and that were not read yet.", "chain_id"],
  pay_chain_block_age_seconds: ["How old the newest block is that was read.", "chain_id"],
  pay_chain_look_age_seconds: ["Since the chain last agreed with what was read.", "chain_id"],
  pay_chain_stale: ["1: nothing is decided by what did not happen on this chain.", "chain_id"],
  pay_job_last_success_timestamp_seconds: [
    "When a job last succeeded, in any process.",
    "job_name",
  ],
  pay_job_failing: ["1: the last run of the job has failed.", "job_name"],
  pay_job_lag_seconds: ["How long the oldest thing had been due when the job began.", "job_name"],
  pay_hot_account_amount: [
    "What the ledger has on the hot account, in units of the asset.",
    "deployment_id",
  ],
  pay_hot_account_float_amount: ["What it keeps at most.", "deployment_id"],
  pay_x402_gas_spent_raw: [
    "What settlements did cost since midnight UTC, or may cost at most, in smallest units of the chain's coin.",
    "chain_id",
  ],
  pay_x402_gas_budget_raw: ["What they may cost in a day; left out: no limit.", "chain_id"],
} as const satisfies Readonly<Record<string, readonly [help: string, ...labels: string[]]>>;

export type StateMetric = keyof typeof gauges;

export interface StatePorts {
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
  readonly log: { readonly warn: (fields: object, message: string) => void };
  /** in place of five seconds */
  readonly patienceMilliseconds?: number;
}

export class StateMetrics {
  readonly #ports: StatePorts;
  readonly #gauges: Readonly<Record<StateMetric, Gauge>>;
  readonly #up: Gauge;
  readonly #age: Gauge;
  #read: (() => Promise<ServiceState>) | undefined;
  #reading: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(registry: Registry, ports: StatePorts) {
    this.#ports = ports;
    const registers = [registry];
    const made = Object.entries(gauges).map(([name, [help, ...labelNames]]) => {
      return [name, new Gauge({ name, help, labelNames, registers })] as const;
    });
    // Made from the same names.
    this.#gauges = Object.fromEntries(made) as Record<StateMetric, Gauge>;
    this.#up = new Gauge({
      name: "pay_state_up",
      help: "1: the numbers that the database has were read; 0: they are missing, since it did not answer.",
      registers,
    });
    this.#age = new Gauge({
      name: "pay_state_age_seconds",
      help: "How long ago they were read: up to a minute where a reading takes long.",
      registers,
    });
    this.#clear();
  }

  /** From now on `refresh` reads it. */
  watch(read: () => Promise<ServiceState>): void {
    this.#read = read;
  }

  /** Never throws, and never takes long: what cannot be read is left out, and `pay_state_up` says so. */
  async refresh(): Promise<void> {
    if (this.#read === undefined || this.#readAgo() < freshMilliseconds) return this.#showAge();
    const reading = (this.#reading ??= this.#readOnce(this.#read));
    const { patienceMilliseconds = usualPatienceMilliseconds } = this.#ports;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), patienceMilliseconds);
    });
    const isLate = (await Promise.race([reading, late])) === "late";
    clearTimeout(timer);
    if (isLate && this.#readAgo() > shownMilliseconds) this.#clear();
    this.#showAge();
  }

  #readAgo(): number {
    return this.#ports.clock.monotonicMilliseconds() - this.#readAt;
  }

  #showAge(): void {
    const ago = this.#readAgo();
    if (Number.isFinite(ago)) this.#age.set(ago / 1000);
  }

  async #readOnce(read: () => Promise<ServiceState>): Promise<void> {
    try {
      const state = await read();
      this.#clear();
      this.#show(state);
      this.#up.set(1);
      this.#readAt = this.#ports.clock.monotonicMilliseconds();
    } catch (error) {
      this.#ports.log.warn(
        { err: error },
        "what the database says for Prometheus could not be read",
      );
      this.#clear();
    } finally {
      this.#reading = undefined;
    }
  }

  /** A number of before must not look like one of now. */
  #clear(): void {
    for (const gauge of Object.values(this.#gauges)) {
      gauge.reset();
      // One without labels is set to 0 by that, which would say that all is well.
      gauge.remove({});
    }
    this.#age.remove({});
    this.#up.set(0);
  }

  #show(state: ServiceState): void {
    this.#gauges.pay_database_takes_writes.set(state.database.takesWrites ? 1 : 0);
    this.#showOpen(state);
    this.#showAttention(state);
    this.#showChains(state);
    for (const job of state.jobs) this.#showJob(job);
    for (const { deploymentId: deployment_id, max, onHot } of state.floats) {
      this.#gauges.pay_hot_account_amount.set({ deployment_id }, Number(onHot));
      if (max === null) continue;
      this.#gauges.pay_hot_account_float_amount.set({ deployment_id }, Number(max));
    }
  }

  #showOpen({ payments, withdrawals, outgoing, deliveries, endpointsOff }: ServiceState): void {
    const of = this.#gauges;
    for (const { environment, status, currencyId, count } of payments) {
      of.pay_open_payments.set(
        { environment, status, currency_id: currencyId ?? "several" },
        count,
      );
    }
    for (const { environment, status, heldBecause, count, oldestMilliseconds } of withdrawals) {
      const labels = { environment, status, held: heldBecause ?? "none" };
      of.pay_open_withdrawals.set(labels, count);
      of.pay_open_withdrawals_oldest_seconds.set(labels, oldestMilliseconds / 1000);
    }
    for (const { chainId: chain_id, purpose, status, count, oldestMilliseconds } of outgoing) {
      const labels = { chain_id, purpose, status };
      of.pay_open_transactions.set(labels, count);
      of.pay_open_transactions_oldest_seconds.set(labels, oldestMilliseconds / 1000);
    }
    // Also where there are none: a rule looks for more of them than before.
    for (const reason of ["merchant", "gone", "failing"]) {
      of.pay_webhook_endpoints_off.set({ reason }, 0);
    }
    for (const { reason, count } of endpointsOff)
      of.pay_webhook_endpoints_off.set({ reason }, count);
    of.pay_webhook_deliveries_pending.set(deliveries.pending);
    of.pay_webhook_overdue_seconds.set(deliveries.overdueMilliseconds / 1000);
  }

  #showAttention({ attention }: ServiceState): void {
    const of = this.#gauges;
    of.pay_suspense_items.set(attention.suspense.count);
    of.pay_suspense_oldest_seconds.set(attention.suspense.oldestMilliseconds / 1000);
    of.pay_payment_troubles.set(attention.paymentTroubles);
    of.pay_account_differences.set(attention.accountDifferences);
    of.pay_ledger_differs.set(attention.isLedgerDifferent ? 1 : 0);
    for (const chain_id of attention.stoppedChainIds)
      of.pay_withdrawals_stopped.set({ chain_id }, 1);
    for (const deployment_id of attention.frozenDeploymentIds) {
      of.pay_deployment_frozen.set({ deployment_id }, 1);
    }
  }

  #showChains({ chains, gas }: ServiceState): void {
    const of = this.#gauges;
    for (const chain of chains) {
      const labels = { chain_id: chain.chainId };
      of.pay_chain_block_number.set(labels, Number(chain.blockNumber));
      of.pay_chain_behind_blocks.set(labels, Number(chain.behindBlocks));
      of.pay_chain_block_age_seconds.set(labels, chain.blockAgeMilliseconds / 1000);
      of.pay_chain_look_age_seconds.set(labels, chain.lookAgeMilliseconds / 1000);
      of.pay_chain_stale.set(labels, chain.isStale ? 1 : 0);
    }
    for (const { chainId: chain_id, spentRaw, budgetRaw } of gas) {
      of.pay_x402_gas_spent_raw.set({ chain_id }, Number(spentRaw));
      if (budgetRaw !== null) of.pay_x402_gas_budget_raw.set({ chain_id }, Number(budgetRaw));
    }
  }

  #showJob({ name: job_name, last }: JobReport): void {
    if (last === null) return;
    const of = this.#gauges;
    const succeeded = last.succeededAt?.getTime();
    if (succeeded !== undefined) {
      of.pay_job_last_success_timestamp_seconds.set({ job_name }, succeeded / 1000);
    }
    of.pay_job_failing.set({ job_name }, isFailing(last) ? 1 : 0);
    if (last.lagMilliseconds === null) return;
    of.pay_job_lag_seconds.set({ job_name }, last.lagMilliseconds / 1000);
  }
}
