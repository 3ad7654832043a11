// Whether a payment can be settled now, as far as its own state says, which is read here, and for how much.

import type { QuotedDeployment } from "../database/tables/payments.ts";
import type { X402SettlementsTable } from "../database/tables/x402.ts";
import { ServiceError } from "../errors.ts";
import type { Owner } from "../owner.ts";
import { depositFactOf } from "../payments/facts.ts";
import { isPaymentId } from "../payments/model.ts";
import { missingRaw } from "../payments/rules.ts";
import type { Database } from "../ports/database.ts";
import { kindOf } from "./checks.ts";
import type { SettlePlace } from "./checks.ts";
import { linkWayOf } from "./requirements.ts";
import type { SettleCommand } from "./model.ts";
import { requirementsMismatch, x402Refusal } from "./refusals.ts";
import { listSettlements, readUsage, readX402Payment } from "./settling.sql.ts";
import type { X402Scheme } from "../catalog/x402-capabilities.ts";

type MissingCode = "not_found" | "payment_not_found";

/** What is known of a payment that somebody wants to settle. */
export interface Facts {
  readonly payment: NonNullable<(typeof readX402Payment)["row"]>;
  readonly settlements: readonly X402SettlementsTable[];
  readonly usage: NonNullable<(typeof readUsage)["row"]> | undefined;
}

/** Throws `ServiceError` with the code `missing` if the owner has no such payment. */
export async function readFacts(
  database: Database,
  { merchantId, environment }: Owner,
  { paymentId, missing }: { readonly paymentId: string; readonly missing: MissingCode },
): Promise<Facts> {
  const of = { merchantId, environment, paymentId };
  const [payment] = isPaymentId(paymentId) ? await database.run(readX402Payment, of) : [];
  if (payment === undefined) {
    throw new ServiceError(missing, "There is no payment with this id.");
  }
  const settlements = await database.run(listSettlements, of);
  const [usage] = await database.run(readUsage, of);
  return { payment, settlements, usage };
}

/** What the payment's state forbids. */
export function stateRefusal({ payment, settlements }: Facts): ServiceError | undefined {
  const live = settlements.find(({ status }) => status !== "failed");
  if (live !== undefined) {
    const details = live.tx_hash === null ? {} : { tx_hash: live.tx_hash };
    const isDone = ["settled", "final", "unused"].includes(live.status);
    if (isDone) {
      const text = "Another authorization has settled this payment.";
      return new ServiceError("payment_already_settled", text, { details });
    }
    const text = "Another authorization is being settled for this payment.";
    return new ServiceError("settlement_in_progress", text, { details });
  }
  const { status } = payment;
  if (status === "pending" || status === "partially_paid") return undefined;
  const text = "Only a payment that waits for money can be settled.";
  return new ServiceError("payment_not_payable", text, { details: { status } });
}

export function overdue({ payment }: Facts): ServiceError {
  const details = { status: payment.status, expires_at: payment.expires_at.toISOString() };
  const text = "The payment has expired, by the time of the chain.";
  return new ServiceError("payment_not_payable", text, { details });
}

/** Throws where it was not offered so: the scheme is whatever its sender says, nobody has signed it. */
export function checkLinkWay(
  command: SettleCommand,
  { means }: SettlePlace,
  usage: Facts["usage"],
): void {
  if (command.isByLink !== true) return;
  const [way, kind] = [linkWayOf(means, usage), kindOf(command)];
  if (way?.scheme !== kind.scheme) throw requirementsMismatch(kind, "scheme");
  if (way.method !== kind.method) throw x402Refusal("x402_payload_scheme_mismatch", kind);
}

/**
 * The least that settles it. Our choice: what is missing of the price, by all that was seen of it; so
 * that nobody who sends a little keeps a payer from paying (threat 94). More is taken too, up to the
 * price: somebody may have sent that little after the payer has read the terms, and what is too much
 * is a surplus. Of up to the price the usage is charged, whatever came beside.
 */
export function leastRaw(
  { payment }: Pick<Facts, "payment">,
  quoted: QuotedDeployment,
  { scheme, usedIn }: Charging,
): bigint {
  if (scheme === "upto") return BigInt(quoted.rawAmount);
  const { quotes, expires_at: expiresAt } = payment;
  const deposits = payment.deposits
    .filter((one) => usedIn === undefined || one.tx_hash !== usedIn)
    .map((one) => depositFactOf(one, expiresAt));
  return missingRaw({ quotes, expiresAt, deposits }, quoted);
}

interface Charging {
  readonly scheme: X402Scheme;
  /**
   * The transaction in which the authorization was used already: what it brought is the very money that
   * has to be enough, and does not count a second time.
   */
  readonly usedIn?: string | undefined;
}
