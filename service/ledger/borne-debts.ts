// Debts that the platform has borne. The money behind such a debt can come again: a reorganisation took
// its block, and its transaction is mined once more, or its payer sends it again.
//
// Our choice: then the platform is paid back first, out of what comes and up to what it has borne, and
// people hear of it; so no sale is paid twice. A payment gives no more for it than lacked of it when the
// debt was borne, and lacks still. What a merchant has paid itself is not among these: the money is the
// merchant's when it comes again. A transaction of the ledger of its own says it, so what
// follows a reorganisation after that is what follows from any credit: the merchant owes it again.

import assert from "node:assert";
import { doPage } from "../jobs/batch.ts";
import type { Job } from "../jobs/jobs.ts";
import type { Environment } from "../owner.ts";
import type { Database } from "../ports/database.ts";
import type { StampPorts, StoragePorts } from "../ports/recording.ts";
import * as store from "./borne-debts.sql.ts";
import { ledgerValues } from "./ledger.ts";
import { postTransaction } from "./ledger.sql.ts";
import type { Posting } from "./model.ts";

const toldMax = 50;
const everyMilliseconds = 30_000;

export type PaidBackAlarm = "debt_paid_back";

export interface PaidBackPorts extends StoragePorts {
  readonly alarm: (what: PaidBackAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

/** What merchants have just got. */
export interface Income {
  /** of the ledger; pays back once */
  readonly reference: string;
  readonly environment: Environment;
  readonly deploymentId: string;
  /** null: of no payment */
  readonly paymentId: string | null;
  readonly chainId: string;
  readonly txHash: string;
  /** those that credit merchants' balances are looked at */
  readonly postings: readonly Posting[];
  readonly occurredAt: Date;
}

interface PayingBack {
  readonly postings: readonly Posting[];
  readonly parts: readonly { readonly id: string; readonly paidRaw: bigint }[];
}

/** What of it the platform gets, with the rows locked; nothing is written. */
async function payingBackOf(inside: Database, income: Income): Promise<PayingBack> {
  const { reference, environment, deploymentId, paymentId, chainId, txHash } = income;
  const left = new Map<string, bigint>();
  for (const { account, owner, amountRaw } of income.postings) {
    if (account !== "merchant:available" || owner === null || amountRaw >= 0n) continue;
    left.set(owner.merchantId, (left.get(owner.merchantId) ?? 0n) - amountRaw);
  }
  const merchantIds = [...left.keys()];
  if (merchantIds.length === 0) return { postings: [], parts: [] };
  const place = { reference, environment, deploymentId, paymentId, chainId, txHash };
  const postings: Posting[] = [];
  const parts: { id: string; paidRaw: bigint }[] = [];
  const given = new Map<string, bigint>();
  for (const row of await inside.run(store.lockBorneDebts, { merchantIds, ...place })) {
    const { id, merchant_id: merchantId } = row;
    const hasRaw = left.get(merchantId) ?? 0n;
    // What lacks may stand behind several debts, and comes again once.
    const givenRaw = given.get(merchantId) ?? 0n;
    const paidRaw = least(BigInt(row.left_raw), BigInt(row.missing_raw) - givenRaw, hasRaw);
    if (paidRaw <= 0n) continue;
    left.set(merchantId, hasRaw - paidRaw);
    given.set(merchantId, givenRaw + paidRaw);
    parts.push({ id, paidRaw });
    const owner = { merchantId, environment };
    postings.push(
      { account: "merchant:available", owner, amountRaw: paidRaw, deploymentId },
      { account: "platform:fees", owner: null, amountRaw: -paidRaw, deploymentId },
    );
  }
  return { postings, parts };
}

function least(first: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((one, other) => (other < one ? other : one), first);
}

/** In the transaction in which they got it, after that was posted. @returns what the platform got */
export async function payBack(
  ports: StampPorts,
  inside: Database,
  income: Income,
): Promise<readonly Posting[]> {
  const { postings, parts } = await payingBackOf(inside, income);
  if (parts.length === 0) return [];
  const { reference, occurredAt } = income;
  const transaction = { kind: "debt_paid_back", reference, occurredAt, postings };
  await inside.run(postTransaction, ledgerValues(ports, transaction));
  for (const part of parts) {
    const rows = await inside.run(store.addPaidBack, part);
    assert(rows.length === 1, "the debt is locked");
  }
  return postings;
}

/** Tells people: before it is written down that they were told. */
export function paidBackJob({ database, clock, alarm }: PaidBackPorts): Job {
  const run = async () => {
    const rows = await database.run(store.listUntoldDebts, { rowsMax: toldMax });
    const page = { rows, rowsMax: toldMax, now: clock.now() };
    return doPage({ ...page, since: (row) => row.borne_at }, async (row) => {
      const { id, merchant_id, environment, deployment_id, told_raw, paid_back_raw } = row;
      alarm("debt_paid_back", {
        merchant_id,
        environment,
        deployment_id,
        amount_raw: (BigInt(paid_back_raw) - BigInt(told_raw)).toString(),
        paid_back_raw,
        written_off_raw: row.borne_raw,
      });
      const values = { id, toldBeforeRaw: told_raw, toldRaw: paid_back_raw };
      return (await database.run(store.markDebtTold, values)).length > 0;
    });
  };
  return { name: "tell-debts-paid-back", everyMilliseconds, run };
}
