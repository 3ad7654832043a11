// Two deployments, two merchants, and short words for what tests post.

import type { LedgerTransaction, Posting } from "../../service/ledger/model.ts";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { LedgerOperations } from "../../service/ledger/operations.ts";
import { verifyLedger } from "../../service/ledger/verifier.ts";
import type { LedgerVerdict } from "../../service/ledger/verifier.ts";
import type { Owner } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { coinOn, currencyOf, tokenOn } from "../catalog/fixtures.ts";
import { putCatalog } from "../support/catalog.ts";
import { addMerchant, buildServiceParts, query } from "../support/service-parts.ts";
import type { AccountKind } from "../../service/database/words.ts";
import type { TestClock } from "../support/service-parts.ts";

export const usdc = "dep_usdc_one";
export const ether = "dep_eth_one";
export const alice: Owner = { merchantId: "mer_alice", environment: "live" };
export const aliceTest: Owner = { merchantId: "mer_alice", environment: "test" };
export const bob: Owner = { merchantId: "mer_bob", environment: "live" };

const token = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const catalog = [
  currencyOf("cur_eth", [coinOn(1, { id: ether })]),
  currencyOf("cur_usdc", [tokenOn(1, token, { id: usdc })]),
];

export type Leg = readonly [AccountKind, bigint, Owner | null, string?];

export function postingsOf(legs: readonly Leg[]): readonly Posting[] {
  return legs.map(([account, amountRaw, owner, deploymentId = usdc]) => ({
    account,
    deploymentId,
    owner,
    amountRaw,
  }));
}

/** Money arrives for a merchant: that of the chain and that of the merchant. */
export function credited(amountRaw: bigint, owner: Owner = alice, deploymentId = usdc): Leg[] {
  return [
    ["chain:deposit_addresses", amountRaw, null, deploymentId],
    ["merchant:available", -amountRaw, owner, deploymentId],
  ];
}

/** Money moves from one merchant to another. */
export function moved(amountRaw: bigint, from: Owner, to: Owner): Leg[] {
  return [
    ["merchant:available", amountRaw, from],
    ["merchant:available", -amountRaw, to],
  ];
}

export interface LedgerFixture {
  readonly database: Database;
  readonly clock: TestClock;
  readonly operations: LedgerOperations;
  readonly post: (kind: string, reference: string, legs: readonly Leg[]) => Promise<void>;
  readonly transaction: (
    kind: string,
    reference: string,
    legs: readonly Leg[],
  ) => LedgerTransaction;
  readonly values: (transaction: LedgerTransaction) => ReturnType<typeof ledgerValues>;
  /** by account key, only what is not zero */
  readonly balances: () => Promise<Readonly<Record<string, bigint>>>;
  readonly counts: () => Promise<readonly [transactions: number, postings: number]>;
  readonly verify: () => Promise<LedgerVerdict>;
}

export async function buildLedger(database: Database): Promise<LedgerFixture> {
  const parts = buildServiceParts(database);
  const { clock } = parts;
  await putCatalog(parts, catalog);
  await addMerchant(database, alice.merchantId);
  await addMerchant(database, bob.merchantId);
  const transaction = (
    kind: string,
    reference: string,
    legs: readonly Leg[],
  ): LedgerTransaction => ({
    kind,
    reference,
    occurredAt: clock.now(),
    postings: postingsOf(legs),
  });
  const values = (one: LedgerTransaction) => ledgerValues(parts, one);
  return {
    database,
    clock,
    operations: new LedgerOperations(parts),
    transaction,
    values,
    post: async (kind, reference, legs) => {
      await database.run(postTransaction, values(transaction(kind, reference, legs)));
    },
    balances: () => readBalances(database),
    counts: async () => {
      const [row] = await query(database)<{ transactions: number; postings: number }>`select
        (select count(*)::integer from ledger_transactions) as transactions,
        (select count(*)::integer from ledger_postings) as postings`;
      return [row?.transactions ?? -1, row?.postings ?? -1];
    },
    verify: () => verifyLedger({ database, clock }),
  };
}

async function readBalances(database: Database): Promise<Readonly<Record<string, bigint>>> {
  const rows = await query(database)<{ key: string; balance: string }>`
    select key, balance from ledger_accounts where balance <> 0 order by key`;
  return Object.fromEntries(rows.map(({ key, balance }) => [key, BigInt(balance)]));
}
