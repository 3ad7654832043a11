// What an operator hears of, and from which moment on.

import { describe, expect, test } from "vitest";
import type { JobRecord } from "../../service/jobs/jobs.ts";
import type { ServiceState } from "../../service/monitoring/monitoring.ts";
import { problemsOf } from "../../service/monitoring/problems.ts";

const now = Date.UTC(2026, 10, 28, 10);
const hour = 3_600_000;

const well: ServiceState = {
  database: { serverVersion: "15.18", takesWrites: true, migration: "0043_replica_marks.sql" },
  payments: [{ environment: "live", status: "pending", currencyId: null, count: 1_000 }],
  withdrawals: [
    {
      environment: "live",
      status: "pending",
      heldBecause: "above_daily_limit",
      count: 1,
      oldestMilliseconds: hour,
    },
    {
      environment: "live",
      status: "broadcast",
      heldBecause: null,
      count: 1,
      oldestMilliseconds: 5 * hour,
    },
  ],
  outgoing: [
    {
      chainId: "eip155:1",
      purpose: "sweep",
      status: "queued",
      count: 1,
      oldestMilliseconds: hour,
    },
  ],
  deliveries: { pending: 9_000, overdueMilliseconds: 300_000 },
  endpointsOff: [{ reason: "gone", count: 2 }],
  attention: {
    suspense: { count: 3, oldestMilliseconds: 24 * hour },
    paymentTroubles: 0,
    accountDifferences: 0,
    isLedgerDifferent: false,
    stoppedChainIds: [],
    frozenDeploymentIds: [],
  },
  chains: [
    {
      chainId: "eip155:1",
      blockNumber: 1n,
      blockTime: new Date(now),
      behindBlocks: 0n,
      blockAgeMilliseconds: 0,
      lookAgeMilliseconds: 0,
      isStale: false,
    },
  ],
  jobs: [job({ succeededAt: new Date(now - 3 * hour), failedAt: new Date(now - 4 * hour) })],
  floats: [],
  gas: [
    { chainId: "eip155:1", spentRaw: 80n, budgetRaw: 100n },
    { chainId: "eip155:8453", spentRaw: 80n, budgetRaw: null },
  ],
};

function job(last: Partial<JobRecord> | null) {
  const record: JobRecord = {
    startedAt: new Date(now),
    succeededAt: null,
    failedAt: null,
    error: null,
    runs: 1n,
    failures: 0n,
    done: 0n,
    lagMilliseconds: null,
  };
  return { name: "sweep", heldBy: null, last: last === null ? null : { ...record, ...last } };
}

const words = (change: Partial<ServiceState>): readonly string[] =>
  problemsOf({ ...well, ...change }, now).map(({ what }) => what);

test("nothing up to the bounds", () => {
  expect(problemsOf(well, now)).toEqual([]);
  const [one] = well.outgoing;
  const settling = { ...one, purpose: "x402_settlement", oldestMilliseconds: 9 * hour } as const;
  expect(
    words({ outgoing: [{ chainId: "eip155:1", count: 1, ...settling, status: "queued" }] }),
  ).toEqual([]);
  expect(
    words({ outgoing: [{ chainId: "eip155:1", count: 1, ...settling, status: "broadcast" }] }),
  ).toEqual(["transaction_old eip155:1 x402_settlement broadcast"]);
  // Of no job that was never run, or runs for the first time.
  expect(words({ jobs: [job(null), job({})] })).toEqual([]);
});

const { attention } = well;

describe("beyond them:", () => {
  test.each<[string, Partial<ServiceState>]>([
    ["chain_stale eip155:1", { chains: well.chains.map((one) => ({ ...one, isStale: true })) }],
    ["gas_budget eip155:1", { gas: [{ chainId: "eip155:1", spentRaw: 81n, budgetRaw: 100n }] }],
    ["job_failing sweep", { jobs: [job({ failedAt: new Date(now) })] }],
    [
      "job_failing sweep",
      { jobs: [job({ succeededAt: new Date(now - 1), failedAt: new Date(now) })] },
    ],
    ["job_silent sweep", { jobs: [job({ succeededAt: new Date(now - 3 * hour - 1) })] }],
    ["deployment_frozen dep_x", { attention: { ...attention, frozenDeploymentIds: ["dep_x"] } }],
    ["withdrawals_stopped *", { attention: { ...attention, stoppedChainIds: ["*"] } }],
    ["accounts_differ", { attention: { ...attention, accountDifferences: 1 } }],
    ["ledger_differs", { attention: { ...attention, isLedgerDifferent: true } }],
    ["payment_troubles", { attention: { ...attention, paymentTroubles: 1 } }],
    [
      "suspense_old",
      { attention: { ...attention, suspense: { count: 1, oldestMilliseconds: 24 * hour + 1 } } },
    ],
    ["webhooks_overdue", { deliveries: { pending: 1, overdueMilliseconds: 300_001 } }],
    [
      "transaction_old eip155:1 sweep queued",
      { outgoing: well.outgoing.map((one) => ({ ...one, oldestMilliseconds: hour + 1 })) },
    ],
    [
      "withdrawal_held live above_daily_limit",
      { withdrawals: well.withdrawals.map((one) => ({ ...one, oldestMilliseconds: hour + 1 })) },
    ],
  ])("%s", (what, change) => {
    expect(words(change)).toEqual([what]);
  });
});
