// What the database says of the service, as gauges: read when somebody asks and no oftener, gone when it cannot be read.

import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { StateMetrics } from "../../adapters/metrics/state.ts";
import type { ServiceState } from "../../service/monitoring/monitoring.ts";
import { samplesOf } from "./exposition.ts";

const time = new Date("2026-11-28T10:00:00Z");

const state: ServiceState = {
  database: { serverVersion: "15.18", takesWrites: true, migration: "0043_replica_marks.sql" },
  payments: [
    { environment: "live", status: "pending", currencyId: "USDC", count: 3 },
    { environment: "live", status: "pending", currencyId: null, count: 4 },
  ],
  withdrawals: [
    {
      environment: "live",
      status: "pending",
      heldBecause: "above_single_limit",
      count: 2,
      oldestMilliseconds: 90_500,
    },
    {
      environment: "test",
      status: "broadcast",
      heldBecause: null,
      count: 1,
      oldestMilliseconds: 0,
    },
  ],
  outgoing: [
    {
      chainId: "eip155:1",
      purpose: "sweep",
      status: "queued",
      count: 4,
      oldestMilliseconds: 7_000,
    },
  ],
  deliveries: { pending: 12, overdueMilliseconds: 1_500 },
  endpointsOff: [{ reason: "failing", count: 6 }],
  attention: {
    suspense: { count: 1, oldestMilliseconds: 60_000 },
    paymentTroubles: 2,
    accountDifferences: 3,
    isLedgerDifferent: false,
    stoppedChainIds: ["*"],
    frozenDeploymentIds: ["dep_usdc_base"],
  },
  chains: [
    {
      chainId: "eip155:1",
      blockNumber: 100n,
      blockTime: time,
      behindBlocks: 5n,
      blockAgeMilliseconds: 12_000,
      lookAgeMilliseconds: 3_000,
      isStale: true,
    },
  ],
  jobs: [
    { name: "never-run", heldBy: null, last: null },
    {
      name: "watch-eip155-1",
      heldBy: "one",
      last: {
        startedAt: time,
        succeededAt: time,
        failedAt: new Date(time.getTime() + 1),
        error: "Error",
        runs: 2n,
        failures: 1n,
        done: 1n,
        lagMilliseconds: 250,
      },
    },
  ],
  floats: [
    { deploymentId: "dep_usdc_base", max: "1000", onHot: "1250.5" },
    { deploymentId: "dep_eth_base", max: null, onHot: "1" },
  ],
  gas: [
    { chainId: "eip155:1", spentRaw: 5n, budgetRaw: 10n },
    { chainId: "eip155:8453", spentRaw: 6n, budgetRaw: null },
  ],
};

const shown: Readonly<Record<string, number>> = {
  pay_database_takes_writes: 1,
  'pay_open_payments{environment="live",status="pending",currency_id="USDC"}': 3,
  'pay_open_payments{environment="live",status="pending",currency_id="several"}': 4,
  'pay_open_withdrawals{environment="live",status="pending",held="above_single_limit"}': 2,
  'pay_open_withdrawals{environment="test",status="broadcast",held="none"}': 1,
  'pay_open_withdrawals_oldest_seconds{environment="live",status="pending",held="above_single_limit"}': 90.5,
  'pay_open_withdrawals_oldest_seconds{environment="test",status="broadcast",held="none"}': 0,
  'pay_open_transactions{chain_id="eip155:1",purpose="sweep",status="queued"}': 4,
  'pay_open_transactions_oldest_seconds{chain_id="eip155:1",purpose="sweep",status="queued"}': 7,
  pay_webhook_deliveries_pending: 12,
  pay_webhook_overdue_seconds: 1.5,
  'pay_webhook_endpoints_off{reason="merchant"}': 0,
  'pay_webhook_endpoints_off{reason="gone"}': 0,
  'pay_webhook_endpoints_off{reason="failing"}': 6,
  pay_suspense_items: 1,
  pay_suspense_oldest_seconds: 60,
  pay_payment_troubles: 2,
  pay_account_differences: 3,
  pay_ledger_differs: 0,
  'pay_withdrawals_stopped{chain_id="*"}': 1,
  'pay_deployment_frozen{deployment_id="dep_usdc_base"}': 1,
  'pay_chain_block_number{chain_id="eip155:1"}': 100,
  'pay_chain_behind_blocks{chain_id="eip155:1"}': 5,
  'pay_chain_block_age_seconds{chain_id="eip155:1"}': 12,
  'pay_chain_look_age_seconds{chain_id="eip155:1"}': 3,
  'pay_chain_stale{chain_id="eip155:1"}': 1,
  'pay_job_last_success_timestamp_seconds{job_name="watch-eip155-1"}': 1_795_860_000,
  'pay_job_failing{job_name="watch-eip155-1"}': 1,
  'pay_job_lag_seconds{job_name="watch-eip155-1"}': 0.25,
  'pay_hot_account_amount{deployment_id="dep_usdc_base"}': 1250.5,
  'pay_hot_account_amount{deployment_id="dep_eth_base"}': 1,
  'pay_hot_account_float_amount{deployment_id="dep_usdc_base"}': 1000,
  'pay_x402_gas_spent_raw{chain_id="eip155:1"}': 5,
  'pay_x402_gas_spent_raw{chain_id="eip155:8453"}': 6,
  'pay_x402_gas_budget_raw{chain_id="eip155:1"}': 10,
  pay_state_up: 1,
  pay_state_age_seconds: 0,
};

function watched(read: () => Promise<ServiceState>) {
  const registry = new Registry();
  const warnings: object[] = [];
  let now = 0;
  const metrics = new StateMetrics(registry, {
    clock: { monotonicMilliseconds: () => now },
    log: { warn: (fields) => void warnings.push(fields) },
    patienceMilliseconds: 20,
  });
  metrics.watch(read);
  return {
    metrics,
    warnings,
    pass: (milliseconds: number) => void (now += milliseconds),
    samples: async () => {
      await metrics.refresh();
      return Object.fromEntries(samplesOf(await registry.metrics()));
    },
  };
}

test("each of its numbers is a gauge", async () => {
  const { samples } = watched(() => Promise.resolve(state));
  expect(await samples()).toEqual(shown);
});

test("who asks again within five seconds gets what was read", async () => {
  let reads = 0;
  const { samples, pass } = watched(() => {
    reads += 1;
    return Promise.resolve(state);
  });
  await Promise.all([samples(), samples()]);
  pass(4_999);
  await samples();
  expect(reads).toBe(1);
  pass(1);
  await samples();
  expect(reads).toBe(2);
});

test("what cannot be read is gone, and the log says why", async () => {
  const answers = [() => Promise.resolve(state), () => Promise.reject(new Error("away"))];
  const { samples, pass, warnings } = watched(() => answers.shift()?.() ?? Promise.resolve(state));
  await samples();
  pass(5_000);
  expect(await samples()).toEqual({ pay_state_up: 0, pay_state_age_seconds: 5 });
  expect(warnings).toHaveLength(1);
  expect(await samples()).toEqual(shown);
});

test("nobody has a number before it was read", async () => {
  const hanging = Promise.withResolvers<ServiceState>();
  const { samples, metrics } = watched(() => hanging.promise);
  expect(await samples()).toEqual({ pay_state_up: 0 });
  hanging.resolve(state);
  await metrics.refresh();
  expect(await samples()).toEqual(shown);
});

test("while a reading takes long, what was read before is shown for a minute", async () => {
  const hanging = Promise.withResolvers<ServiceState>();
  const answers = [() => Promise.resolve(state), () => hanging.promise];
  const { samples, pass } = watched(() => answers.shift()?.() ?? Promise.resolve(state));
  await samples();
  pass(60_000);
  expect(await samples()).toEqual({ ...shown, pay_state_age_seconds: 60 });
  pass(1);
  expect(await samples()).toEqual({ pay_state_up: 0, pay_state_age_seconds: 60.001 });
  hanging.resolve(state);
  await hanging.promise;
  await vi.waitUntil(async () => (await samples())["pay_state_up"] === 1);
});
