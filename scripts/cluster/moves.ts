// What has become of x402 settlements and of sweeps, by facts that somebody has read: of the chain, of the database, and of
// those who asked. Nothing here asks anybody.

import type { Settlement } from "./settling.ts";

/** A transfer of the token. Addresses are in lower case. */
export interface Move {
  readonly txHash: string;
  readonly from: string;
  readonly to: string;
  readonly amountRaw: bigint;
}

/** A transfer that there has to be, once. */
export interface Cause extends Move {
  /** for people: what it is for */
  readonly what: string;
}

/** Every transfer has a cause of its own, and every cause its transfer. */
export function moveFaults(moves: readonly Move[], causes: readonly Cause[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const move of moves) counts.set(nameOf(move), (counts.get(nameOf(move)) ?? 0) + 1);
  const faults: string[] = [];
  for (const cause of causes) {
    const left = counts.get(nameOf(cause)) ?? 0;
    if (left === 0) faults.push(`${cause.what}: there is no transfer ${nameOf(cause)}`);
    else counts.set(nameOf(cause), left - 1);
  }
  const others = [...counts].filter(([, count]) => count > 0);
  return [...faults, ...others.map(([name, count]) => `nothing is the cause of ${count} ${name}`)];
}

function nameOf({ txHash, from, to, amountRaw }: Move): string {
  return `of ${amountRaw} from ${from} to ${to} by ${txHash}`;
}

/** What the database has of an authorization. */
export interface SettlementRow {
  readonly id: string;
  readonly nonce: string;
  readonly paymentId: string;
  readonly status: string;
  readonly txHash: string;
  readonly paymentStatus: string;
  /** what has gone back to the payer, or is to */
  readonly refundRaw: bigint;
  readonly isReleased: boolean;
  /** that name it, whatever became of them */
  readonly deposits: readonly {
    readonly txHash: string;
    readonly paymentId: string;
    readonly amountRaw: bigint;
    /** bookings less reversals */
    readonly booked: number;
  }[];
}

export type Asked = Omit<Settlement, "order"> & {
  /** its payment */
  readonly paymentId: string;
  /** who has handed it in */
  readonly merchantId: string;
};

type Answered = Pick<Asked, "txHashes" | "isReported">;

/** Nobody has heard what became of it, or of what was used: of "upto" both are answered. */
function isOpen({ txHashes, isReported }: Answered): boolean {
  return txHashes.length === 0 || !isReported;
}

/** Of what these have nobody can say how much it has to be. */
export function openMerchants(asked: readonly Asked[]): ReadonlySet<string> {
  return new Set(asked.filter(isOpen).map(({ merchantId }) => merchantId));
}

/** They are asked for until they are answered: in a run that has ended whole there is none. */
export function openFaults(asked: readonly Answered[]): readonly string[] {
  const count = asked.filter(isOpen).length;
  return count === 0 ? [] : [`${count} authorizations were never answered or reported`];
}

/** Of Permit2 only what was used is taken; by EIP-3009 all comes, and the rest goes back. */
export function comingRaw({ scheme, method, authorizedRaw, usedRaw }: Asked): bigint {
  return scheme === "upto" && method === "permit2" ? usedRaw : authorizedRaw;
}

/** What was answered is settled once, and its money is booked once, at its payment; nothing is there for nobody. */
export function settlementFaults(
  asked: readonly Asked[],
  rows: readonly SettlementRow[],
): readonly string[] {
  const byNonce = Map.groupBy(rows, ({ nonce }) => nonce);
  const faults = asked.flatMap((one) => {
    const found = byNonce.get(one.nonce) ?? [];
    byNonce.delete(one.nonce);
    return found.length > 1
      ? [`authorization ${one.nonce} was settled ${found.length} times`]
      : oneFaults(one, found[0]);
  });
  const others = [...byNonce.keys()].map((nonce) => `authorization ${nonce} is nobody's`);
  return [...faults, ...others];
}

function oneFaults(asked: Asked, row: SettlementRow | undefined): readonly string[] {
  const { nonce, txHashes, paymentId } = asked;
  const [txHash] = txHashes;
  if (new Set(txHashes).size > 1)
    return [`authorization ${nonce} was answered with ${txHashes.join(" and ")}`];
  // Of what was never answered nothing needs to be there, and if it is, it counts like any other one.
  if (row === undefined)
    return txHash === undefined ? [] : [`authorization ${nonce} was answered and is lost`];
  const isRight =
    row.paymentId === paymentId &&
    (txHash === undefined || row.txHash === txHash) &&
    ((isBooked(asked, row) && isCharged(asked, row)) || isWaiting(asked, row));
  return isRight ? [] : [`authorization ${nonce} of ${paymentId} is there as ${textOf(row)}`];
}

/** Its money, once, at its payment. */
function isBooked(asked: Asked, { status, txHash, deposits }: SettlementRow): boolean {
  const [deposit, ...others] = deposits;
  return (
    status === "final" &&
    others.length === 0 &&
    deposit?.txHash === txHash &&
    deposit.paymentId === asked.paymentId &&
    deposit.amountRaw === comingRaw(asked) &&
    deposit.booked === 1
  );
}

function isCharged(asked: Asked, { paymentStatus, refundRaw, isReleased }: SettlementRow): boolean {
  return (
    paymentStatus === "paid" &&
    refundRaw === comingRaw(asked) - asked.usedRaw &&
    isReleased === refundRaw > 0n
  );
}

/** For a usage of which nobody has heard that it was reported: all is held; by Permit2 nothing was sent. */
function isWaiting(asked: Asked, row: SettlementRow): boolean {
  if (asked.isReported || row.paymentStatus !== "authorized") return false;
  if (row.refundRaw > 0n || row.isReleased) return false;
  if (asked.method === "eip3009") return isBooked(asked, row);
  return asked.txHashes.length === 0 && row.status === "waiting" && row.deposits.length === 0;
}

/** One of a deposit address. */
export interface SweepRow {
  readonly id: string;
  readonly address: string;
  readonly status: string;
  readonly coveredRaw: bigint;
  readonly leftRaw: bigint;
  readonly arrivedRaw: bigint;
  /** what the address itself has paid for that; of a token nothing */
  readonly gasRaw: bigint;
}

/** What is set aside for gas is this many times what it costs, at most; what was not used stays at the address. */
const gasRoom = 20n;

export interface Received {
  readonly address: string;
  readonly amountRaw: bigint;
}

/** Each address that was paid is empty but for its gas, by as many sweeps as payments at most, of all that was paid there. */
export function sweepFaults(
  received: readonly Received[],
  sweeps: readonly SweepRow[],
  held: ReadonlyMap<string, bigint>,
): readonly string[] {
  const moved = Map.groupBy(
    sweeps.filter(({ status }) => status !== "failed"),
    ({ address }) => address,
  );
  const paid = Map.groupBy(received, ({ address }) => address);
  const faults = [...paid].flatMap(([address, payments]) => {
    const own = moved.get(address) ?? [];
    moved.delete(address);
    const paidRaw = sum(payments.map(({ amountRaw }) => amountRaw));
    const gasRaw = sum(own.map((one) => one.gasRaw));
    const hasRaw = held.get(address);
    const isRight =
      own.length <= payments.length &&
      own.every(({ status }) => status === "moved") &&
      sum(own.map(({ coveredRaw }) => coveredRaw)) === paidRaw &&
      own.every(({ leftRaw, arrivedRaw }) => leftRaw === arrivedRaw) &&
      hasRaw !== undefined &&
      hasRaw <= gasRaw * gasRoom &&
      hasRaw + gasRaw + sum(own.map(({ leftRaw }) => leftRaw)) === paidRaw;
    if (isRight) return [];
    const has = hasRaw ?? "an unknown amount";
    return [`${address} got ${paidRaw}, has ${has}, and was swept as ${textOf(own)}`];
  });
  const failed = sweeps.filter(({ status }) => status === "failed").map(({ id }) => `${id} failed`);
  const others = [...moved.keys()].map((address) => `${address} was swept, and nobody paid there`);
  return [...faults, ...failed, ...others];
}

/** What an account, or all addresses of payments, have of a deployment. */
export interface Holding {
  readonly deploymentId: string;
  /** such as `chain:hot` */
  readonly account: string;
  readonly heldRaw: bigint;
  readonly bookedRaw: bigint;
}

export function holdingFaults(holdings: readonly Holding[]): readonly string[] {
  return holdings
    .filter(({ heldRaw, bookedRaw }) => heldRaw !== bookedRaw)
    .map(
      ({ deploymentId, account, heldRaw, bookedRaw }) =>
        `${account} has ${heldRaw} of ${deploymentId}, and ${bookedRaw} by the ledger`,
    );
}

/** An account of ours that signs, and how many transactions it has sent. */
export interface Sender {
  readonly account: string;
  readonly mined: number;
  /** by the service, below that number */
  readonly known: number;
}

export function senderFaults(senders: readonly Sender[]): readonly string[] {
  return senders
    .filter(({ mined, known }) => mined !== known)
    .map(
      ({ account, mined, known }) => `${account} has sent ${mined}, of which ${known} are known`,
    );
}

/** What is on accounts where nothing stays, by the ledger. */
export interface Left {
  readonly kind: string;
  /** undefined: it is no merchant's */
  readonly merchantId: string | undefined;
  readonly balance: string;
}

/** Nothing of what was paid waits for anybody in the end, but for a usage of which nobody knows that it was reported. */
export function leftFaults(left: readonly Left[], asked: readonly Asked[]): readonly string[] {
  const unknown = openMerchants(asked);
  return left
    .filter(({ merchantId }) => merchantId === undefined || !unknown.has(merchantId))
    .map(
      ({ kind, merchantId, balance }) =>
        `${balance} is left on ${kind} of ${merchantId ?? "nobody"}`,
    );
}

/** By nonce. */
interface Uses {
  /** the transactions that the token names */
  readonly byToken: ReadonlyMap<string, readonly string[]>;
  /** Permit2 names none */
  readonly byPermit: ReadonlySet<string>;
}

/** What was answered as settled has used its authorization. */
export function useFaults(asked: readonly Asked[], { byToken, byPermit }: Uses): readonly string[] {
  return asked.flatMap(({ nonce, method, txHashes: [answered] }) => {
    if (answered === undefined) return [];
    if (method === "permit2")
      return byPermit.has(nonce)
        ? []
        : [`authorization ${nonce} was settled, and Permit2 has not used it`];
    const hashes = byToken.get(nonce) ?? [];
    if (hashes.join() === answered) return [];
    return [`authorization ${nonce} was used by ${hashes.join(" and ")}, and not by ${answered}`];
  });
}

/** Permit2 has 256 nonces in each word of its payer. */
export function wordOf(nonce: string): bigint {
  return BigInt(nonce) >> 8n;
}

export function isUsedIn(bits: bigint, nonce: string): boolean {
  return ((bits >> (BigInt(nonce) & 0xffn)) & 1n) === 1n;
}

/** How often something was told of a resource. */
export interface Told {
  readonly resourceId: string;
  readonly type: string;
  readonly count: number;
}

/** Each thing happens once to each of them. @param wanted by resource, what has to be told of it */
export function toldFaults(
  told: readonly Told[],
  wanted: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const twice = told.filter(({ count }) => count > 1);
  const all = new Set(told.map(({ resourceId, type }) => `${type} of ${resourceId}`));
  const due = [...wanted].flatMap(([id, types]) => types.map((type) => `${type} of ${id}`));
  return [
    ...twice.map((one) => `${one.type} of ${one.resourceId} happened ${one.count} times`),
    ...due.filter((one) => !all.has(one)).map((one) => `${one} has not happened`),
  ];
}

/** What those know who have done something. */
interface Doings {
  /** by id; undefined: it was never answered */
  readonly payments: readonly { readonly id?: string | undefined }[];
  readonly withdrawals: readonly { readonly id?: string | undefined }[];
  /** at an address */
  readonly paid: readonly { readonly paymentId: string }[];
  readonly asked: readonly Asked[];
}

/** By resource: the later lists are the longer ones. */
export function wantedOf({
  payments,
  withdrawals,
  paid,
  asked,
}: Doings): ReadonlyMap<string, readonly string[]> {
  const idsOf = (orders: Doings["payments"]): readonly string[] =>
    orders.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return new Map([
    ...idsOf(payments).map((id) => [id, ["payment.created"]] as const),
    ...paid.map(({ paymentId }) => [paymentId, ["payment.created", "payment.paid"]] as const),
    ...idsOf(withdrawals).map(
      (id) => [id, ["withdrawal.requested", "withdrawal.confirmed"]] as const,
    ),
    ...asked.filter((one) => !isOpen(one)).map((one) => [one.paymentId, eventsOf(one)] as const),
  ]);
}

/** What has to be told of a payment that was settled. */
export function eventsOf({ scheme, method }: Pick<Asked, "scheme" | "method">): readonly string[] {
  const always = ["payment.created", "x402.settled", "payment.paid"];
  if (scheme === "exact") return always;
  const used = [...always, "x402.authorized", "x402.usage_reported"];
  return method === "permit2" ? used : [...used, "x402.released"];
}

function sum(raws: readonly bigint[]): bigint {
  return raws.reduce((total, raw) => total + raw, 0n);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one));
}
