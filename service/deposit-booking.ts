// Deposits into the ledger when they are final, and out of it again when the chain takes them back.

import assert from "node:assert";
import { allocate } from "./allocation.ts";
import type { DepositAllocation, Received } from "./allocation.ts";
import { ledgerValues } from "./ledger.ts";
import type { LedgerPorts } from "./ledger.ts";
import type { AccountKind, Posting } from "./ledger-model.ts";
import type { Owner } from "./owner.ts";
import { isUnmatched } from "./payment-facts.ts";
import type { DepositRecord, PaymentRecord } from "./payment-facts.ts";
import { regularPart } from "./payment-rules.ts";
import type { Database } from "./ports/database.ts";
import {
  bookDeposit,
  readAllocated,
  readCredit,
  readMerchantBalances,
  reverseDeposit,
} from "./store/payment-progress.ts";

/** In the transaction that has the payment locked. */
export class DepositBooking {
  readonly #ports: LedgerPorts;
  readonly #database: Database;

  constructor(ports: LedgerPorts, database: Database) {
    this.#ports = ports;
    this.#database = database;
  }

  /** @returns the payment with the deposit booked */
  async book(payment: PaymentRecord, deposit: DepositRecord): Promise<PaymentRecord> {
    const { chainId, txHash, logIndex, deploymentId, amountRaw } = deposit;
    const bookings = deposit.bookings + 1;
    const owners = [payment.owner.merchantId, ...payment.splits.map((one) => one.merchantId)];
    const parts = partsOf(payment, deposit);
    const credits = isUnmatched(payment, deposit)
      ? [posting("merchant:unmatched", payment.owner, -amountRaw, deploymentId)]
      : this.#creditsOf(
          payment,
          await this.#allocationOf(payment, deposit, parts),
          await this.#balancesOf(owners, payment.owner, deploymentId),
        )(deploymentId);
    const now = this.#now();
    const rows = await this.#database.run(bookDeposit, {
      chainId,
      txHash,
      logIndex,
      ...parts,
      now,
      ...ledgerValues(this.#ports, {
        kind: "deposit_credited",
        reference: referenceOf(deposit, bookings),
        occurredAt: deposit.blockTime,
        postings: [
          posting("chain:deposit_addresses", null, amountRaw, deploymentId),
          ...credits.filter((one) => one.amountRaw !== 0n),
        ],
      }),
    });
    assert(rows.length === 1, "the payment is locked, and so are its deposits");
    return replaced(payment, deposit, { ...parts, bookings, isBooked: true });
  }

  /**
   * The exact opposite of what was written when it was booked; but what a merchant no longer has is
   * written down as its debt. @returns the payment with the deposit reversed
   */
  async reverse(payment: PaymentRecord, deposit: DepositRecord): Promise<PaymentRecord> {
    const { chainId, txHash, logIndex, bookings } = deposit;
    const reference = referenceOf(deposit, bookings);
    const credit = await this.#database.run(readCredit, { reference });
    assert(credit.length > 0, `${reference} was booked`);
    const owners = new Set(credit.flatMap(({ merchant_id: id }) => (id === null ? [] : [id])));
    // The deployment of the booking: the chain may say another one now.
    const deploymentId = credit[0]?.deployment_id ?? deposit.deploymentId;
    const balances = await this.#balancesOf([...owners], payment.owner, deploymentId);
    const postings = credit.flatMap((row): Posting[] => {
      const backRaw = -BigInt(row.amount);
      const { account_kind: account, merchant_id: merchantId } = row;
      if (merchantId === null) return [posting(account, null, backRaw, deploymentId)];
      const owner = { ...payment.owner, merchantId };
      if (account === "merchant:debt") return [posting(account, owner, backRaw, deploymentId)];
      const hasRaw = balances.of(account, merchantId);
      const takenRaw = hasRaw < backRaw ? hasRaw : backRaw;
      return [
        posting(account, owner, takenRaw, deploymentId),
        posting("merchant:debt", owner, backRaw - takenRaw, deploymentId),
      ];
    });
    const rows = await this.#database.run(reverseDeposit, {
      chainId,
      txHash,
      logIndex,
      ...ledgerValues(this.#ports, {
        kind: "deposit_reversed",
        reference,
        occurredAt: this.#now(),
        postings: postings.filter((one) => one.amountRaw !== 0n),
      }),
    });
    assert(rows.length === 1, "the payment is locked, and so are its deposits");
    return replaced(payment, deposit, { ...nothing, isBooked: false });
  }

  async #allocationOf(
    payment: PaymentRecord,
    { deploymentId }: DepositRecord,
    parts: Received,
  ): Promise<DepositAllocation> {
    const rows = await this.#database.run(readAllocated, { paymentId: payment.id, deploymentId });
    const given = new Map(rows.map((row) => [row.merchant_id, BigInt(row.amount)]));
    const feeRaw = given.get(null) ?? 0n;
    const sharesRaw = new Map(
      payment.splits.map(({ merchantId }) => [merchantId, given.get(merchantId) ?? 0n]),
    );
    const before = payment.deposits.filter((one) => one.deploymentId === deploymentId);
    const regularRaw = before.reduce((sum, one) => sum + one.regularRaw, 0n);
    const surplusRaw = before.reduce((sum, one) => sum + one.surplusRaw, 0n);
    return allocate(payment, { regularRaw, surplusRaw, feeRaw, sharesRaw }, parts);
  }

  /** Our choice: what a merchant gets pays its debt first; then its withdrawals are free again. */
  #creditsOf(payment: PaymentRecord, allocation: DepositAllocation, balances: Balances) {
    const { feeRaw, sharesRaw, creatorRaw } = allocation;
    const shares = [...sharesRaw, [payment.owner.merchantId, creatorRaw] as const];
    return (deploymentId: string): Posting[] => [
      ...shares.flatMap(([merchantId, shareRaw]) => {
        const owner = { ...payment.owner, merchantId };
        const debtRaw = balances.of("merchant:debt", merchantId);
        const paidRaw = shareRaw < debtRaw ? shareRaw : debtRaw;
        return [
          posting("merchant:available", owner, paidRaw - shareRaw, deploymentId),
          posting("merchant:debt", owner, -paidRaw, deploymentId),
        ];
      }),
      posting("platform:fees", null, -feeRaw, deploymentId),
    ];
  }

  async #balancesOf(
    merchantIds: readonly string[],
    { environment }: Owner,
    deploymentId: string,
  ): Promise<Balances> {
    const values = { merchantIds, environment, deploymentId };
    const rows = await this.#database.run(readMerchantBalances, values);
    const found = new Map(rows.map((row) => [`${row.kind} ${row.merchant_id}`, row.balance]));
    return { of: (kind, merchantId) => BigInt(found.get(`${kind} ${merchantId}`) ?? 0) };
  }

  #now(): Date {
    return new Date(this.#ports.clock.nowMilliseconds());
  }
}

interface Balances {
  readonly of: (kind: AccountKind, merchantId: string) => bigint;
}

type Parts = Received & { readonly unmatchedRaw: bigint };

const nothing: Parts = { regularRaw: 0n, surplusRaw: 0n, unmatchedRaw: 0n };

function partsOf(payment: PaymentRecord, deposit: DepositRecord): Parts {
  const { deploymentId, amountRaw } = deposit;
  if (isUnmatched(payment, deposit)) return { ...nothing, unmatchedRaw: amountRaw };
  const before = payment.deposits.map((one) => ({
    deploymentId: one.deploymentId,
    amountRaw: one.regularRaw,
  }));
  const regularRaw = regularPart(payment.quotes, before, { deploymentId, amountRaw });
  return { ...nothing, regularRaw, surplusRaw: amountRaw - regularRaw };
}

/** The same text is made in service/store/payment-progress.ts. */
function referenceOf({ chainId, txHash, logIndex }: DepositRecord, booking: number): string {
  return `${chainId}/${txHash}/${logIndex}#${booking}`;
}

function posting(
  account: AccountKind,
  owner: Owner | null,
  ...[amountRaw, deploymentId]: readonly [bigint, string]
): Posting {
  return { account, owner, amountRaw, deploymentId };
}

function replaced(
  payment: PaymentRecord,
  deposit: DepositRecord,
  change: Partial<DepositRecord>,
): PaymentRecord {
  const deposits = payment.deposits.map((one) =>
    one.chainId === deposit.chainId &&
    one.txHash === deposit.txHash &&
    one.logIndex === deposit.logIndex
      ? { ...one, ...change }
      : one,
  );
  return { ...payment, deposits };
}
