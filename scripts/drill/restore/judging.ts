// What must be so after a restore. Each gives one sentence for each fault.

import type { Paid } from "../../cluster/load.ts";
import type { Shown } from "./customers.ts";
import type { Sent, Stray, Transfer } from "./finding.ts";

interface Addresses {
  readonly before: readonly Shown[];
  readonly after: readonly Shown[];
  /** payments to which the restored database had given an address */
  readonly kept: ReadonlySet<string>;
}

/** An address belongs to one payment for ever, also where the database has forgotten which. */
export function addressFaults({ before, after, kept }: Addresses): readonly string[] {
  const owners = new Map(before.map(({ address, paymentId }) => [address, paymentId]));
  const addresses = new Map(before.map(({ address, paymentId }) => [paymentId, address]));
  const faults: string[] = [];
  for (const { address, paymentId } of after) {
    const owner = owners.get(address);
    if (owner !== undefined && owner !== paymentId)
      faults.push(`${address} was given to ${owner}, and is given to ${paymentId}`);
    const showed = addresses.get(paymentId);
    if (showed !== undefined && showed !== address && kept.has(paymentId))
      faults.push(`${paymentId} showed ${showed}, and shows ${address}`);
    owners.set(address, paymentId);
  }
  return [...new Set(faults)];
}

export interface Asked {
  readonly number: string;
  /** no other one has it */
  readonly amountRaw: bigint;
  /** undefined: the service has none */
  readonly status: string | undefined;
}

/** Each was sent once, by the service or before the restore, and is known to be. */
export function withdrawalFaults(
  asked: readonly Asked[],
  sent: readonly Transfer[],
): readonly string[] {
  const counts = new Map<bigint, number>();
  for (const { amountRaw } of sent) counts.set(amountRaw, (counts.get(amountRaw) ?? 0) + 1);
  const faults = asked.flatMap(({ number, amountRaw, status }) => {
    const count = counts.get(amountRaw) ?? 0;
    counts.delete(amountRaw);
    if (count > 1) return [`withdrawal ${number} of ${amountRaw} was sent ${count} times`];
    if (status !== "confirmed")
      return [`withdrawal ${number} of ${amountRaw} is ${status ?? "nowhere"}`];
    return count === 1 ? [] : [`withdrawal ${number} of ${amountRaw} is ${status}, and not sent`];
  });
  return [...faults, ...[...counts.keys()].map((one) => `${one} was sent for no withdrawal`)];
}

/** What has left is known to the database, or it was found. */
export function unfoundSent(
  left: readonly Transfer[],
  known: ReadonlySet<string>,
  found: readonly Sent[],
): readonly string[] {
  const hashes = new Set(found.flatMap(({ mined }) => mined?.txHash ?? []));
  const unfound = left.filter(({ txHash }) => !known.has(txHash) && !hashes.has(txHash));
  const doubled = found.filter(({ mined }) => mined !== undefined && known.has(mined.txHash));
  return [
    ...unfound.map(({ txHash, amountRaw }) => `${txHash} has sent ${amountRaw}: nobody found it`),
    ...doubled.map(({ txHash }) => `${txHash} was found, and the database knows it`),
  ];
}

interface Money {
  readonly paid: readonly Paid[];
  /** by transaction: the payment that it was booked for, and how often */
  readonly booked: ReadonlyMap<string, { readonly paymentId: string; readonly times: number }>;
  readonly strays: readonly Stray[];
}

/** What payers sent is booked once, at its payment, or it was found at an address that nobody has. */
export function moneyFaults({ paid, booked, strays }: Money): readonly string[] {
  const found = new Map(strays.map((stray) => [stray.txHash, stray]));
  const faults = paid.flatMap(({ txHash, paymentId, amountRaw, address }) => {
    const what = `${txHash}, which paid ${amountRaw} for ${paymentId},`;
    const booking = booked.get(txHash);
    const stray = found.get(txHash);
    found.delete(txHash);
    if (booking === undefined && stray === undefined)
      return [`${what} is neither booked nor found`];
    if (booking !== undefined && stray !== undefined) return [`${what} is booked, and was found`];
    if (booking !== undefined && (booking.times !== 1 || booking.paymentId !== paymentId))
      return [`${what} is booked ${booking.times} times for ${booking.paymentId}`];
    if (stray === undefined) return [];
    const isSame =
      stray.amountRaw === amountRaw && stray.address.toLowerCase() === address.toLowerCase();
    return isSame ? [] : [`${what} was found as ${stray.amountRaw} at ${stray.address}`];
  });
  return [
    ...faults,
    ...[...found.keys()].map((txHash) => `${txHash} was found, and nobody paid it`),
  ];
}

/** By account and deployment, in the smallest unit. */
export function balanceFaults(
  held: ReadonlyMap<string, bigint>,
  booked: ReadonlyMap<string, bigint>,
): readonly string[] {
  return [...held].flatMap(([name, raw]) => {
    const books = booked.get(name) ?? 0n;
    return books === raw ? [] : [`${name}: ${raw} are held, and ${books} are booked`];
  });
}
