// After a deposit was taken back, what is left of the payment is divided as if the deposit had never
// come: what was a surplus may be the price now, and then the fee and the shares are of it.

import { allocate } from "./allocation.ts";
import type { Allocation } from "./allocation.ts";
import { allocatedOf, replaced } from "./booking.ts";
import type { BookingPorts } from "./booking.ts";
import { usedOf } from "./charging.ts";
import type { DepositRecord, PaymentRecord } from "./facts.ts";
import { regularPart } from "./rules.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Posting } from "../ledger/model.ts";
import { balancesOf, changeOf, posting, withoutEmpty } from "./share-postings.ts";
import * as store from "./booking.sql.ts";

/** In the transaction of the reversals. @returns the payment as it is divided now */
export async function divideAnew(ports: BookingPorts, read: PaymentRecord): Promise<PaymentRecord> {
  const payment = await classifyAnew(ports, read);
  const deploymentIds = new Set(
    payment.deposits.filter(({ bookings }) => bookings > 0).map((one) => one.deploymentId),
  );
  const postings: Posting[] = [];
  for (const id of deploymentIds) postings.push(...(await correctionsOf(ports, payment, id)));
  if (postings.length === 0) return payment;
  const divisions = payment.divisions + 1;
  const now = ports.clock.now();
  await ports.database.run(store.changeShares, {
    id: payment.id,
    ...ledgerValues(ports, {
      kind: "payment_divided_anew",
      reference: `${payment.id}#${divisions}`,
      occurredAt: now,
      postings,
    }),
  });
  return { ...payment, divisions };
}

/** In the order in which they count: first what pays the price, then what is too much. */
async function classifyAnew(ports: BookingPorts, read: PaymentRecord): Promise<PaymentRecord> {
  // What is held for an upto authorization is divided by its usage, and is no more than that.
  const regular = read.deposits
    .filter((one) => one.isBooked && one.purpose === "held")
    .map(({ deploymentId, regularRaw }) => ({
      deploymentId,
      amountRaw: usedOf(read, regularRaw),
    }));
  let payment = read;
  const changed: DepositRecord[] = [];
  for (const deposit of read.deposits.filter(isShared)) {
    const { deploymentId } = deposit;
    const amountRaw = deposit.regularRaw + deposit.surplusRaw;
    const regularRaw = regularPart(payment.quotes, regular, { deploymentId, amountRaw });
    regular.push({ deploymentId, amountRaw: regularRaw });
    if (regularRaw === deposit.regularRaw) continue;
    const parts = { regularRaw, surplusRaw: amountRaw - regularRaw };
    changed.push({ ...deposit, ...parts });
    payment = replaced(payment, deposit, parts);
  }
  if (changed.length === 0) return read;
  const deposits = changed.map(({ chainId, txHash, logIndex, regularRaw, surplusRaw }) => ({
    chain_id: chainId,
    tx_hash: txHash,
    log_index: logIndex,
    regular_raw: regularRaw.toString(),
    surplus_raw: surplusRaw.toString(),
  }));
  await ports.database.run(store.markDepositParts, { deposits: JSON.stringify(deposits) });
  return payment;
}

/** What has to move so that everybody has what the whole of what is left gives. */
async function correctionsOf(
  ports: BookingPorts,
  payment: PaymentRecord,
  deploymentId: string,
): Promise<readonly Posting[]> {
  const { owner } = payment;
  const given = await allocatedOf(ports.database, payment, deploymentId);
  const left = payment.deposits.filter((one) => one.deploymentId === deploymentId && isShared(one));
  const regularRaw = left.reduce((sum, one) => sum + one.regularRaw, 0n);
  const surplusRaw = left.reduce((sum, one) => sum + one.surplusRaw, 0n);
  const before: Allocation = { feeRaw: 0n, sharesRaw: new Map() };
  const due = allocate(
    payment,
    { regularRaw: 0n, surplusRaw: 0n, ...before },
    { regularRaw, surplusRaw },
  );
  const dues = new Map([...due.sharesRaw, [owner.merchantId, due.creatorRaw] as const]);
  const place = { environment: owner.environment, deploymentId };
  const balances = await balancesOf(ports.database, [...dues.keys()], place);
  return withoutEmpty([
    ...[...dues].flatMap(([merchantId, dueRaw]) => {
      const changeRaw = dueRaw - (given.get(merchantId) ?? 0n);
      return changeOf({ ...owner, merchantId }, [changeRaw, deploymentId], balances);
    }),
    posting("platform:fees", null, (given.get(null) ?? 0n) - due.feeRaw, deploymentId),
  ]);
}

function isShared({ isBooked, purpose, unmatchedRaw }: DepositRecord): boolean {
  return isBooked && purpose !== "held" && unmatchedRaw === 0n;
}
