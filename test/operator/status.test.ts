// `admin status`: what somebody has to do first, to the last character, and the same for programs.

import { expect, test } from "vitest";
import { resultJson, resultText } from "../../adapters/operator/results.ts";
import { statusResult } from "../../adapters/operator/status.ts";
import type { ServiceState } from "../../service/monitoring/monitoring.ts";

const state: ServiceState = {
  database: { serverVersion: "15.18", takesWrites: true, migration: "0043_replica_marks.sql" },
  payments: [
    { environment: "live", status: "pending", currencyId: null, count: 10 },
    { environment: "test", status: "confirming", currencyId: "USDC", count: 2 },
  ],
  withdrawals: [
    {
      environment: "live",
      status: "pending",
      heldBecause: "above_single_limit",
      count: 1,
      oldestMilliseconds: 7_200_000,
    },
    {
      environment: "live",
      status: "broadcast",
      heldBecause: null,
      count: 2,
      oldestMilliseconds: 60_000,
    },
  ],
  outgoing: [
    {
      chainId: "eip155:1",
      purpose: "sweep",
      status: "queued",
      count: 4,
      oldestMilliseconds: 180_000,
    },
  ],
  deliveries: { pending: 5, overdueMilliseconds: 2_000 },
  endpointsOff: [
    { reason: "merchant", count: 4 },
    { reason: "failing", count: 3 },
  ],
  attention: {
    suspense: { count: 0, oldestMilliseconds: 0 },
    paymentTroubles: 0,
    accountDifferences: 0,
    isLedgerDifferent: false,
    stoppedChainIds: [],
    frozenDeploymentIds: [],
  },
  chains: [
    {
      chainId: "eip155:1",
      blockNumber: 100n,
      blockTime: new Date(0),
      behindBlocks: 3n,
      blockAgeMilliseconds: 12_000,
      lookAgeMilliseconds: 1_000,
      isStale: false,
    },
  ],
  jobs: [
    { name: "one", heldBy: "here", last: null },
    { name: "two", heldBy: null, last: null },
  ],
  floats: [
    { deploymentId: "dep_usdc_base", max: "1000", onHot: "1250.5" },
    { deploymentId: "dep_eth_base", max: null, onHot: "1" },
  ],
  gas: [],
};

const now = `WHAT           NOW
database       15.18, takes writes, 0043_replica_marks.sql
payments       12 open
withdrawals    3 open, 1 waiting for an operator
transactions   4 not final, the oldest for 3m
webhooks       5 pending, 2s overdue
endpoints      7 switched off, 3 of them since their receivers fail
suspense       0 items
eip155:1       block 100, 12s old, 3 behind
dep_usdc_base  1250.5 on the hot account, which keeps 1000
dep_eth_base   1 on the hot account
jobs           2, 0 of them failing
`;

const statusText = (status: Parameters<typeof statusResult>[0]) => resultText(statusResult(status));

test("all is well", () => {
  expect(statusText({ missing: [], problems: [], state })).toBe(
    `Nothing is missing: payments can be taken.\n\nAll is well.\n\n${now}`,
  );
});

test("what is missing, and what is not well, comes first", () => {
  const missing = [{ need: "merchant", text: "There is none." }] as const;
  expect(statusText({ missing, problems: [], state })).toBe(
    `MISSING   WHAT TO DO\nmerchant  There is none.\n\nNothing else is wrong.\n\n${now}`,
  );
  const problems = [{ what: "payment_troubles", text: "Look." }];
  expect(statusText({ missing, problems, state })).toBe(
    `MISSING   WHAT TO DO\nmerchant  There is none.\n\nNOT WELL          WHAT TO DO\npayment_troubles  Look.\n\n${now}`,
  );
});

test("a database that follows another one is said to", () => {
  const database = { ...state.database, takesWrites: false };
  const shown = statusText({ missing: [], problems: [], state: { ...state, database } });
  expect(shown).toContain("database       15.18, takes no writes, 0043_replica_marks.sql\n");
});

test("for programs, with numbers of any size as text", () => {
  const json = resultJson(statusResult({ missing: [], problems: [], state }));
  expect(json).toMatchObject({
    is_well: true,
    missing: [],
    problems: [],
    state: {
      payments: [{ count: 10 }, { count: 2 }],
      chains: [{ block_number: "100", behind_blocks: "3", block_time: "1970-01-01T00:00:00.000Z" }],
      floats: [{ max: "1000" }, { max: null }],
    },
  });
});
