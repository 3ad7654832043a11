// What becomes of a payment, from its terms and from what the chains say about its deposits. Pure:
// the same facts always give the same answer, so the rules may be asked as often as anybody likes.

import type { PaymentEdge } from "./states.ts";
import type { QuotedCurrency, QuotedDeployment } from "../database/tables/payments.ts";
import type { PaymentStatus } from "../database/words.ts";
import { paymentEdge } from "./states.ts";

const dayMilliseconds = 86_400_000;
/** The longest that a payment can be open. */
export const openSecondsMax = 604_800;
/** How long after its end a payment can still become complete. */
export const graceMilliseconds = 7 * dayMilliseconds;
/**
 * Our choice: a deposit sum below one part in this many of the price is dust. It does not change the
 * status of a payment (threat 77), though it is booked and counts like any other. Sums and not single
 * deposits are compared: who pays in many small parts loses nothing.
 */
const dustParts = 100n;
/** Our choice: what need not be paid is never more than one part in this many of the price. */
const toleranceParts = 100n;
/** No payment takes more steps at once; to take more would be a circle, and a fault of ours. */
const stepsMax = 5;

export interface PaymentTerms {
  readonly status: PaymentStatus;
  readonly quotes: readonly QuotedCurrency[];
  readonly expiresAt: Date;
}

export interface DepositFact {
  readonly deploymentId: string;
  readonly amountRaw: bigint;
  readonly blockTime: Date;
  /** what the chain says */
  readonly state: "seen" | "final" | "orphaned";
  /** The ledger has it. One that was reorganised into another block stays booked meanwhile. */
  readonly isBooked: boolean;
  /**
   * It is no part of the price, whatever it is: an upto authorization was charged by it, or an
   * authorization brought something else than it said. Left out: it is.
   */
  readonly isApart?: boolean;
}

/** What x402 has to do with a payment. */
export interface X402Fact {
  /** Accepted, and to be seen on the chain soon: until then it counts as seen. */
  readonly expected: readonly Amount[];
  /**
   * Of an upto authorization. open: it waits for its usage, or for the chain; used: what was used is
   * charged and final; released: nothing was used. Undefined: there is none, or it failed.
   */
  readonly upto: "open" | "used" | "released" | undefined;
  /** An authorization has just failed for good. */
  readonly isFailing: boolean;
}

export interface PaymentFacts extends PaymentTerms {
  readonly deposits: readonly DepositFact[];
  /** Its time is over, and whatever was sent in time was seen. */
  readonly isTimeOver: boolean;
  readonly x402?: X402Fact;
  /**
   * Another try to bill the same period is complete, or has money on its way: once this one is over, it
   * is not completed any more.
   */
  readonly isReplaced?: boolean;
}

/** The edges that it takes now, in their order; none: it stays what it is. */
export function stepsOf(facts: PaymentFacts): readonly PaymentEdge[] {
  const sums = sumsOf(facts);
  const steps: PaymentEdge[] = [];
  let { status } = facts;
  while (steps.length < stepsMax) {
    const step = nextStep(status, sums);
    if (step === undefined) return steps;
    steps.push(step);
    status = step.to;
  }
  throw new Error(`a payment goes in a circle: ${steps.map(({ to }) => to).join(", ")}`);
}

/** How much of the price is there: nothing worth mentioning, some, all, or more than all. */
export type Coverage = "none" | "part" | "price" | "surplus";

interface Sums {
  /** in time and not gone, whether final or not */
  readonly seen: Coverage;
  /** of that, what is final */
  readonly final: Coverage;
  /** final, in time or late, but not too late to count */
  readonly finalWithGrace: Coverage;
  /** The ledger has a deposit that the chain no longer has. */
  readonly isFinalGone: boolean;
  readonly isTimeOver: boolean;
  readonly upto: X402Fact["upto"];
  readonly isFailing: boolean;
  readonly isReplaced: boolean;
}

function sumsOf(facts: PaymentFacts): Sums {
  const { deposits, quotes, isTimeOver, x402 } = facts;
  const there = deposits.filter(({ state, isApart }) => state !== "orphaned" && isApart !== true);
  const inTime = there.filter((one) => timingOf(facts, one.blockTime) === "in_time");
  const counted = there.filter((one) => timingOf(facts, one.blockTime) !== "too_late");
  return {
    seen: coverageOf(quotes, [...inTime, ...(x402?.expected ?? [])]),
    final: coverageOf(quotes, inTime.filter(isFinal)),
    finalWithGrace: coverageOf(quotes, counted.filter(isFinal)),
    isFinalGone: deposits.some(isGone),
    isTimeOver,
    upto: x402?.upto,
    isFailing: x402?.isFailing ?? false,
    isReplaced: facts.isReplaced ?? false,
  };
}

/** The time of the block counts, never the time at which we heard of it (threat 29). */
export function timingOf(
  { expiresAt }: Pick<PaymentTerms, "expiresAt">,
  blockTime: Date,
): "in_time" | "late" | "too_late" {
  const lateBy = blockTime.getTime() - expiresAt.getTime();
  if (lateBy <= 0) return "in_time";
  return lateBy <= graceMilliseconds ? "late" : "too_late";
}

function isFinal({ state, isBooked }: DepositFact): boolean {
  return state === "final" || (state === "seen" && isBooked);
}

/** The ledger has it, and the chain no longer. */
export function isGone({ state, isBooked }: Pick<DepositFact, "state" | "isBooked">): boolean {
  return state === "orphaned" && isBooked;
}

function nextStep(status: PaymentStatus, sums: Sums): PaymentEdge | undefined {
  switch (status) {
    case "pending":
    case "partially_paid":
      return nextOfOpen(status, sums);
    case "confirming":
      return nextOfConfirming(sums);
    case "expired":
    case "underpaid":
      if (!isComplete(sums.finalWithGrace) || sums.isReplaced) return undefined;
      return paymentEdge(status, "late_price_final", "paid_late");
    case "paid":
    case "overpaid":
    case "paid_late":
      // Our choice: if only a surplus is gone, the merchant still has its price, and must not take
      // back what it has sold.
      if (!sums.isFinalGone || isComplete(sums.finalWithGrace)) return undefined;
      // Nor where what is gone came beside an upto authorization that is charged and still there.
      if (sums.upto === "used") return undefined;
      return paymentEdge(status, "final_deposit_gone", "reversed");
    case "reversed":
      return sums.isReplaced ? undefined : nextOfReversed(sums);
    case "authorized":
      return nextOfAuthorized(sums);
    // The others are over for good.
    default:
      return undefined;
  }
}

/** The chain may include again what it has undone, or the payer sends it once more. */
function nextOfReversed({ final, finalWithGrace, upto }: Sums): PaymentEdge | undefined {
  if (final === "price" || upto === "used") return paymentEdge("reversed", "price_back", "paid");
  if (final === "surplus") return paymentEdge("reversed", "price_back", "overpaid");
  if (!isComplete(finalWithGrace)) return undefined;
  return paymentEdge("reversed", "price_back", "paid_late");
}

/** It waits for usage, whatever arrives beside. */
function nextOfAuthorized({ upto, isFailing }: Sums): PaymentEdge | undefined {
  if (upto === "used") return paymentEdge("authorized", "used", "paid");
  if (upto === "released") return paymentEdge("authorized", "released", "expired");
  if (!isFailing) return undefined;
  return paymentEdge("authorized", "settlement_failed", "pending");
}

function nextOfOpen(
  status: "pending" | "partially_paid",
  { seen, isTimeOver, upto }: Sums,
): PaymentEdge | undefined {
  if (upto !== undefined) return paymentEdge(status, "authorized", "authorized");
  if (isComplete(seen)) return paymentEdge(status, "price_seen", "confirming");
  if (status === "pending" && seen === "part") {
    return paymentEdge(status, "part_seen", "partially_paid");
  }
  if (status === "partially_paid" && seen === "none") {
    return paymentEdge(status, "deposit_gone", "pending");
  }
  if (!isTimeOver) return undefined;
  return paymentEdge(status, "time_over", status === "pending" ? "expired" : "underpaid");
}

/** It does not expire, however long its chain takes: the customer has done what was asked for. */
function nextOfConfirming({ seen, final, isFailing }: Sums): PaymentEdge | undefined {
  if (final === "price") return paymentEdge("confirming", "price_final", "paid");
  if (final === "surplus") return paymentEdge("confirming", "surplus_final", "overpaid");
  if (isComplete(seen)) return undefined;
  const trigger = isFailing ? "settlement_failed" : "deposit_gone";
  return paymentEdge("confirming", trigger, seen === "part" ? "partially_paid" : "pending");
}

function isComplete(coverage: Coverage): boolean {
  return coverage === "price" || coverage === "surplus";
}

/** An exact number, denominator above zero. */
interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const nothing: Rational = { numerator: 0n, denominator: 1n };

function plus(one: Rational, other: Rational): Rational {
  if (one.denominator === other.denominator) {
    return { ...one, numerator: one.numerator + other.numerator };
  }
  return {
    numerator: one.numerator * other.denominator + other.numerator * one.denominator,
    denominator: one.denominator * other.denominator,
  };
}

function isLess(one: Rational, other: Rational): boolean {
  return one.numerator * other.denominator < other.numerator * one.denominator;
}

/** What a deployment is paid with, from the prices that were agreed. */
interface Due {
  readonly dueRaw: bigint;
  readonly toleranceRaw: bigint;
}

/** By deployment. Each is a full price of the whole order. */
export function duesOf(quotes: readonly QuotedCurrency[]): ReadonlyMap<string, Due> {
  return new Map(
    quotes.flatMap(({ accountingDecimals, deployments }) =>
      deployments.map(({ deploymentId, decimals, rawAmount }) => {
        const dueRaw = BigInt(rawAmount);
        // The smallest amount that people see.
        const visibleRaw = 10n ** BigInt(Math.max(0, decimals - accountingDecimals));
        const mostRaw = dueRaw / toleranceParts;
        return [
          deploymentId,
          { dueRaw, toleranceRaw: visibleRaw < mostRaw ? visibleRaw : mostRaw },
        ] as const;
      }),
    ),
  );
}

type Amount = Pick<DepositFact, "deploymentId" | "amountRaw">;

/** Amounts in deployments that were not quoted pay nothing. */
export function coverageOf(
  quotes: readonly QuotedCurrency[],
  amounts: readonly Amount[],
): Coverage {
  const dues = duesOf(quotes);
  let paid = nothing;
  // Our choice: of several currencies, the one that people see least exactly says what is exact.
  let tolerance = nothing;
  for (const [deploymentId, amountRaw] of totalsOf(amounts)) {
    const due = dues.get(deploymentId);
    if (due === undefined) continue;
    paid = plus(paid, { numerator: amountRaw, denominator: due.dueRaw });
    const one = { numerator: due.toleranceRaw, denominator: due.dueRaw };
    if (isLess(tolerance, one)) tolerance = one;
  }
  const price = { numerator: 1n, denominator: 1n };
  if (isLess(plus(price, tolerance), paid)) return "surplus";
  if (!isLess(plus(paid, tolerance), price)) return "price";
  return isLess(paid, { numerator: 1n, denominator: dustParts }) ? "none" : "part";
}

/** By deployment: there is no other sum of amounts, since each has units of its own (threat 34). */
export function totalsOf(amounts: readonly Amount[]): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { deploymentId, amountRaw } of amounts) {
    totals.set(deploymentId, (totals.get(deploymentId) ?? 0n) + amountRaw);
  }
  return totals;
}

/**
 * How much of `deposit` pays the price, after `regular` has paid some of it; the rest is too much.
 * Rounded up: whole units make the price complete or they do not.
 */
export function regularPart(
  quotes: readonly QuotedCurrency[],
  regular: readonly Amount[],
  { deploymentId, amountRaw }: Amount,
): bigint {
  const dues = duesOf(quotes);
  const due = dues.get(deploymentId);
  if (due === undefined) return 0n;
  let paid = nothing;
  for (const [id, total] of totalsOf(regular)) {
    const other = dues.get(id);
    if (other !== undefined) paid = plus(paid, { numerator: total, denominator: other.dueRaw });
  }
  const { numerator, denominator } = paid;
  const missing = (denominator - numerator) * due.dueRaw;
  if (missing <= 0n) return 0n;
  const missingRaw = (missing + denominator - 1n) / denominator;
  return amountRaw < missingRaw ? amountRaw : missingRaw;
}

/** What was asked for, and what has come. */
export interface PartlyPaid {
  readonly quotes: readonly QuotedCurrency[];
  readonly expiresAt: Date;
  readonly deposits: readonly DepositFact[];
}

/** What counts for the price, whether final or not. */
function countedDeposits({ deposits, expiresAt }: PartlyPaid): readonly DepositFact[] {
  return deposits.filter(
    ({ state, isApart, blockTime }) =>
      state !== "orphaned" && isApart !== true && timingOf({ expiresAt }, blockTime) !== "too_late",
  );
}

/**
 * What would complete the price in this deployment, by the exact fractions that the rules add up;
 * 0: nothing is missing.
 */
export function missingRaw(
  payment: PartlyPaid,
  { deploymentId, rawAmount }: Pick<QuotedDeployment, "deploymentId" | "rawAmount">,
): bigint {
  const whole = { deploymentId, amountRaw: BigInt(rawAmount) };
  return regularPart(payment.quotes, countedDeposits(payment), whole);
}
