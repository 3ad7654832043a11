// What each merchant has to have by what was paid to it and what it has withdrawn, as those know it who did that, and what
// the ledger says it has.

import { coin, usd } from "../client/tool/test-usd.ts";
import type { Load } from "./load.ts";
import type { Asked, Holding } from "./moves.ts";
import { query } from "./querying.ts";

/** A hundredth, where no operator has said otherwise; what it does not divide is the merchant's. */
function lessFee(amountRaw: bigint): bigint {
  return amountRaw - amountRaw / 100n;
}

interface Known {
  readonly load: Pick<Load, "paid" | "paidInCoin" | "withdrawals">;
  readonly url: string;
}

/** None, where nobody has heard what became of a settlement. */
export async function readEarnings(
  { load, url }: Known,
  asked: readonly Asked[],
): Promise<readonly Holding[]> {
  if (asked.some(({ isReported, txHashes }) => !isReported || txHashes.length === 0)) return [];
  const owners = await ownersOf(url, "select id as name, merchant_id from payments");
  const withdrawers = await ownersOf(
    url,
    "select idempotency_key as name, merchant_id from withdrawals",
  );
  const inTokens = [
    ...load.paid.map(({ paymentId, amountRaw }) => ({ paymentId, amountRaw })),
    ...asked.map(({ paymentId, usedRaw }) => ({ paymentId, amountRaw: usedRaw })),
  ];
  const earned = [
    ...inTokens.map((one) => ({ ...one, deploymentId: usd.deploymentId })),
    ...load.paidInCoin.map((one) => ({ ...one, deploymentId: coin.deploymentId })),
  ];
  // One that was never answered and is there counts all the same.
  const withdrawn = load.withdrawals.filter(({ number }) => withdrawers.has(number));
  const moved = [
    ...earned.map(({ deploymentId, paymentId, amountRaw }) => {
      return { deploymentId, merchant: owners.get(paymentId), raw: lessFee(amountRaw) };
    }),
    ...withdrawn.map(({ number, amountRaw }) => {
      return { deploymentId: usd.deploymentId, merchant: withdrawers.get(number), raw: -amountRaw };
    }),
  ];
  const sums = new Map<string, bigint>();
  for (const { deploymentId, merchant = "nobody", raw } of moved) {
    const name = `${merchant} ${deploymentId}`;
    sums.set(name, (sums.get(name) ?? 0n) + raw);
  }
  const books = await readBooks(url);
  return [...new Set([...sums.keys(), ...books.keys()])].map((name) => {
    const [account = "", deploymentId = ""] = name.split(" ");
    const [heldRaw, bookedRaw] = [sums.get(name) ?? 0n, books.get(name) ?? 0n];
    return { account, deploymentId, heldRaw, bookedRaw };
  });
}

async function ownersOf(url: string, statement: string): Promise<ReadonlyMap<string, string>> {
  const rows = await query(url, statement);
  return new Map(rows.map((row) => [String(row["name"]), String(row["merchant_id"])]));
}

async function readBooks(url: string): Promise<ReadonlyMap<string, bigint>> {
  const rows = await query(
    url,
    `select merchant_id || ' ' || deployment_id as name, sum(balance)::text as balance from ledger_accounts
    where kind in ('merchant:available', 'merchant:withdrawing') group by 1`,
  );
  return new Map(rows.map((row) => [String(row["name"]), BigInt(String(row["balance"]))]));
}
