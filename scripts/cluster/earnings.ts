// What each merchant has to have by what was paid to it and what it has withdrawn, as those know it who did that, and what
// the ledger says it has. Whose money it is nobody asks the database.

import { coin, usd } from "../client/tool/test-usd.ts";
import type { Load, PaidTo } from "./load.ts";
import { openMerchants } from "./moves.ts";
import type { Asked, Holding } from "./moves.ts";
import { query } from "./querying.ts";

/** A hundredth, where no operator has said otherwise; what it does not divide is the merchant's. */
function lessFee(amountRaw: bigint): bigint {
  return amountRaw - amountRaw / 100n;
}

type Payment = Pick<PaidTo, "merchantId" | "amountRaw">;

/** What happened, by those who did it. */
export interface Earned {
  readonly paid: readonly Payment[];
  readonly paidInCoin: readonly Payment[];
  readonly asked: readonly Asked[];
  /** those that there are */
  readonly withdrawn: readonly Payment[];
}

/** What the ledger has for a merchant. */
export interface Book {
  readonly merchantId: string;
  readonly deploymentId: string;
  readonly balanceRaw: bigint;
}

/** Without the merchants of whom nobody has heard what became of a settlement. */
export function earningHoldings(earned: Earned, books: readonly Book[]): readonly Holding[] {
  const { paid, paidInCoin, asked, withdrawn } = earned;
  const used = asked.map(({ merchantId, usedRaw }) => ({ merchantId, amountRaw: usedRaw }));
  const rows = [
    ...[...paid, ...used].map((one) => rowOf(usd, one, { heldRaw: lessFee(one.amountRaw) })),
    ...paidInCoin.map((one) => rowOf(coin, one, { heldRaw: lessFee(one.amountRaw) })),
    ...withdrawn.map((one) => rowOf(usd, one, { heldRaw: -one.amountRaw })),
    ...books.map((one) => rowOf(one, one, { bookedRaw: one.balanceRaw })),
  ];
  const unknown = openMerchants(asked);
  const known = rows.filter(({ account }) => !unknown.has(account));
  const groups = Map.groupBy(known, ({ account, deploymentId }) => `${account} ${deploymentId}`);
  return [...groups.values()].map((group) =>
    group.reduce((sum, one) => ({
      ...one,
      heldRaw: sum.heldRaw + one.heldRaw,
      bookedRaw: sum.bookedRaw + one.bookedRaw,
    })),
  );
}

function rowOf(
  { deploymentId }: Pick<Book, "deploymentId">,
  { merchantId: account }: Pick<Book, "merchantId">,
  { heldRaw = 0n, bookedRaw = 0n }: Partial<Holding>,
): Holding {
  return { account, deploymentId, heldRaw, bookedRaw };
}

interface Known {
  readonly load: Pick<Load, "paid" | "paidInCoin" | "withdrawals">;
  readonly url: string;
}

export async function readEarnings(
  { load, url }: Known,
  asked: readonly Asked[],
): Promise<readonly Holding[]> {
  const rows = await query(url, "select idempotency_key as number from withdrawals");
  const there = new Set(rows.map(({ number }) => String(number)));
  // One that was never answered and is there counts all the same.
  const withdrawn = load.withdrawals
    .filter(({ number, id }) => id !== undefined || there.has(number))
    .map(({ amountRaw, asked: { merchant } }) => ({ merchantId: merchant.id, amountRaw }));
  const { paid, paidInCoin } = load;
  return earningHoldings({ paid, paidInCoin, asked, withdrawn }, await readBooks(url));
}

async function readBooks(url: string): Promise<readonly Book[]> {
  const rows = await query(
    url,
    `select merchant_id, deployment_id, sum(balance)::text as balance from ledger_accounts
    where kind in ('merchant:available', 'merchant:withdrawing') group by 1, 2`,
  );
  return rows.map((row) => ({
    merchantId: String(row["merchant_id"]),
    deploymentId: String(row["deployment_id"]),
    balanceRaw: BigInt(String(row["balance"])),
  }));
}
