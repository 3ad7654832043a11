// Postings of what merchants get, and of what is taken back from them.

import type { DepositAllocation } from "./allocation.ts";
import type { Posting } from "../ledger/model.ts";
import type { Owner } from "../owner.ts";
import type { Database } from "../ports/database.ts";
import type { AccountKind, RefundBearer } from "../database/words.ts";
import { readMerchantBalances } from "./booking.sql.ts";

export interface Balances {
  readonly of: (kind: AccountKind, merchantId: string) => bigint;
}

/** As they stand in this transaction. */
export async function balancesOf(
  database: Database,
  merchantIds: readonly string[],
  { environment, deploymentId }: Pick<Owner, "environment"> & { readonly deploymentId: string },
): Promise<Balances> {
  const values = { merchantIds, environment, deploymentId };
  const rows = await database.run(readMerchantBalances, values);
  const found = new Map(rows.map((row) => [`${row.kind} ${row.merchant_id}`, row.balance]));
  return { of: (kind, merchantId) => BigInt(found.get(`${kind} ${merchantId}`) ?? 0) };
}

export function posting(
  account: AccountKind,
  owner: Owner | null,
  ...[amountRaw, deploymentId]: readonly [bigint, string]
): Posting {
  return { account, owner, amountRaw, deploymentId };
}

/** None is empty. */
export function withoutEmpty(postings: readonly Posting[]): readonly Posting[] {
  return postings.filter(({ amountRaw }) => amountRaw !== 0n);
}

interface Shares {
  readonly owner: Owner;
  readonly allocation: DepositAllocation;
  readonly deploymentId: string;
}

/**
 * The credits. Our choice: what a merchant gets pays its debt first; then its withdrawals are free
 * again.
 */
export function creditsOf(
  { owner, allocation, deploymentId }: Shares,
  balances: Balances,
): readonly Posting[] {
  const { feeRaw, sharesRaw, creatorRaw } = allocation;
  const shares = [...sharesRaw, [owner.merchantId, creatorRaw] as const];
  return [
    ...shares.flatMap(([merchantId, shareRaw]) =>
      changeOf({ ...owner, merchantId }, [shareRaw, deploymentId], balances),
    ),
    posting("platform:fees", null, -feeRaw, deploymentId),
  ];
}

/** So much more for a merchant, which pays its debt first; or less, and then what it lacks is one. */
export function changeOf(
  whose: Owner,
  [changeRaw, deploymentId]: readonly [bigint, string],
  balances: Balances,
): readonly Posting[] {
  const { merchantId } = whose;
  if (changeRaw < 0n) {
    return takenFrom("merchant:available", whose, [-changeRaw, deploymentId], balances);
  }
  const debtRaw = balances.of("merchant:debt", merchantId);
  const paidRaw = changeRaw < debtRaw ? changeRaw : debtRaw;
  return [
    posting("merchant:available", whose, paidRaw - changeRaw, deploymentId),
    posting("merchant:debt", whose, -paidRaw, deploymentId),
  ];
}

/** What was due of a settlement that is gone, and has not left: to the merchant, whose debt it became. */
export async function undueCredits(
  inside: Database,
  owner: Owner,
  { amountRaw, deploymentId }: { readonly amountRaw: bigint; readonly deploymentId: string },
): Promise<readonly Posting[]> {
  const place = { environment: owner.environment, deploymentId };
  const balances = await balancesOf(inside, [owner.merchantId], place);
  return withoutEmpty(changeOf(owner, [amountRaw, deploymentId], balances));
}

/**
 * Of a booking that has given the merchant what was due to the payer since before: as if it had been made
 * due by this booking. So whoever bears it then is found as in any other.
 */
export function asIfDue(
  posted: readonly PostedRow[],
  { merchantId }: Owner,
  refundRaw: bigint,
): readonly PostedRow[] {
  let leftRaw = refundRaw;
  const without = (account: AccountKind, row: PostedRow): PostedRow => {
    if (row.account_kind !== account || row.merchant_id !== merchantId) return row;
    const givenRaw = -BigInt(row.amount);
    // A balance gives the rest of it: a token may have brought less this time.
    const takenRaw = account === "merchant:debt" && givenRaw < leftRaw ? givenRaw : leftRaw;
    leftRaw -= takenRaw;
    return { ...row, amount: (takenRaw - givenRaw).toString() };
  };
  const of = (account: AccountKind, amount: bigint): PostedRow => ({
    account_kind: account,
    merchant_id: merchantId,
    amount: amount.toString(),
  });
  const hasBalance = posted.some(
    (row) => row.account_kind === "merchant:available" && row.merchant_id === merchantId,
  );
  const rows = hasBalance ? posted : [...posted, of("merchant:available", 0n)];
  return [
    ...rows
      .map((row) => without("merchant:debt", row))
      .map((row) => without("merchant:available", row)),
    of("payer:refund_due", -refundRaw),
  ];
}

/** What is not there is written down as a debt. */
function takenFrom(
  account: AccountKind,
  whose: Owner,
  ...[[backRaw, deploymentId], balances]: readonly [readonly [bigint, string], Balances]
): readonly Posting[] {
  const hasRaw = balances.of(account, whose.merchantId);
  const takenRaw = hasRaw < backRaw ? hasRaw : backRaw;
  return [
    posting(account, whose, takenRaw, deploymentId),
    posting("merchant:debt", whose, backRaw - takenRaw, deploymentId),
  ];
}

/** A posting of before, of one deployment. */
export interface PostedRow {
  readonly account_kind: AccountKind;
  readonly merchant_id: string | null;
  readonly amount: string;
}

/**
 * The exact opposite of what was written; but what a merchant no longer has is written down as its
 * debt.
 */
export function opposites(
  posted: readonly PostedRow[],
  {
    owner,
    deploymentId,
    refundBearer = "merchant",
  }: Pick<Shares, "owner" | "deploymentId"> & { readonly refundBearer?: RefundBearer },
  balances: Balances,
): readonly Posting[] {
  return posted.flatMap((row): readonly Posting[] => {
    const backRaw = -BigInt(row.amount);
    const { account_kind: account, merchant_id: merchantId } = row;
    // What is sent back to a payer is sent: the platform has lost it. Who has decided that is no merchant.
    if (account === "payer:refunding") {
      return [posting("platform:fees", null, backRaw, deploymentId)];
    }
    if (merchantId === null) return [posting(account, null, backRaw, deploymentId)];
    const whose = { ...owner, merchantId };
    if (account === "merchant:debt") return [posting(account, whose, backRaw, deploymentId)];
    if (account === "payer:refund_due") {
      return [refundPosting(refundBearer, whose, [backRaw, deploymentId])];
    }
    if (backRaw < 0n) return changeOf(whose, [-backRaw, deploymentId], balances);
    return takenFrom(account, whose, [backRaw, deploymentId], balances);
  });
}

/** A change of what is due to a payer, at whoever it is about. */
function refundPosting(
  bearer: RefundBearer,
  whose: Owner,
  ...[change]: readonly [readonly [bigint, string]]
): Posting {
  if (bearer === "platform") return posting("platform:fees", null, ...change);
  return posting(bearer === "due" ? "payer:refund_due" : "merchant:debt", whose, ...change);
}
