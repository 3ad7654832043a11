// An authorization that was used before we were asked, for a payment that cannot be settled any more in
// the usual way. Its money is here, and so it is the payment's: by the time of its block it is paid, paid
// late, too much, or kept apart for the merchant. What is answered follows from that.

import type { CatalogReader } from "../catalog/catalog.ts";
import type { PaymentStatus } from "../database/words.ts";
import { ServiceError } from "../errors.ts";
import { timingOf } from "../payments/rules.ts";
import { finalNumberOf } from "../sending/confirming.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import { recordArrived } from "./arriving.ts";
import type { ArrivingPorts } from "./arriving.ts";
import type { X402Chain } from "./chain-view.ts";
import { findUse, headOf } from "./chain-view.ts";
import type { CheckedAuthorization } from "./model.ts";
import { findNonces, storeNonces } from "./nonces.sql.ts";
import { verdictOf, withoutClaimed } from "./outcome.ts";
import { listClaims } from "./reconciler.sql.ts";
import { x402Refusal } from "./refusals.ts";
import type { SettleResult } from "./stored.ts";

export interface ArrivedPorts extends ArrivingPorts, RecordingPorts {
  readonly catalog: Pick<CatalogReader, "allDeployments">;
}

export interface ArrivedWish {
  readonly payment: {
    readonly id: string;
    readonly status: PaymentStatus;
    readonly expiresAt: Date;
  };
  readonly place: X402Chain;
  readonly checked: CheckedAuthorization;
  readonly fromBlock: bigint;
  /** what the payment lacks without what that transaction brought */
  readonly leastOf: (txHash: string) => bigint;
}

/**
 * Undefined: it has brought nothing here. Throws `payment_not_payable` with the hash where what came is
 * the merchant's, and pays nothing, or not all that is missing. Our choice: of the scheme exact only; what an upto authorization
 * brings is divided by its usage, and a payment that is over has none.
 */
export async function settleArrived(
  ports: ArrivedPorts,
  wish: ArrivedWish,
): Promise<SettleResult | undefined> {
  const { payment, place, checked, fromBlock } = wish;
  const { deploymentId, chainId } = checked;
  if (checked.scheme !== "exact") return undefined;
  const found = await findSettled(ports, { place, checked, fromBlock, paymentId: payment.id });
  if (found === undefined) return undefined;
  await rememberNonce(ports, wish);
  const { receipt } = found;
  await ports.database.transaction(async (inside) => {
    const owner = { chainId, deploymentId, paymentId: payment.id, settlementId: null };
    const isRecorded = await recordArrived(ports, inside, owner, found);
    if (isRecorded) await ports.progress.refresh(inside, [payment.id]);
  });
  const isTooLate = timingOf(payment, receipt.block.time) === "too_late";
  if (payment.status === "cancelled" || isTooLate) {
    const text = "The payment is over: what was sent for it is kept apart for the merchant.";
    const details = { status: payment.status, tx_hash: receipt.txHash };
    throw new ServiceError("payment_not_payable", text, { details });
  }
  if (checked.authorization.amountRaw < wish.leastOf(receipt.txHash)) {
    const text = "The payment is over, and what was sent for it is credited, but is not its price.";
    const details = { status: payment.status, tx_hash: receipt.txHash };
    throw new ServiceError("payment_not_payable", text, { details });
  }
  return { paymentId: payment.id, isSettled: true, txHash: receipt.txHash, isReplayed: false };
}

interface Looking extends Pick<ArrivedWish, "place" | "checked" | "fromBlock"> {
  readonly paymentId: string;
}

async function findSettled(ports: ArrivedPorts, { place, checked, fromBlock, paymentId }: Looking) {
  const { chain } = place;
  const { authorization, deploymentId, chainId } = checked;
  const { isUsed } = await chain.authorizationState(authorization);
  if (!isUsed) return undefined;
  const use = await findUse(ports.database, chain, { authorization, deploymentId, fromBlock });
  if (use?.kind !== "settled") return undefined;
  const receipt = await chain.settlementReceipt(use.txHash, authorization);
  const head = await headOf(chain);
  const { amountRaw } = authorization;
  const finalNumber = (await finalNumberOf(ports, { deploymentId, amountRaw }, head)) ?? -1n;
  const view = { receipt, use, cancelledAt: undefined, outgoing: undefined, head, finalNumber };
  const expected = { authorization, amountRaw, validBefore: 0n };
  const claims = await ports.database.run(listClaims, {
    id: "",
    paymentId,
    chainId,
    txHash: use.txHash,
  });
  const taken = new Set(claims.map(({ log_index: log }) => log));
  const verdict = withoutClaimed(verdictOf(expected, view), taken);
  return verdict.kind === "settled" ? verdict : undefined;
}

/**
 * So that the money finds its payment, also where the watcher has yet to read its block. Throws
 * `x402_authorization_used` where another payment was faster.
 */
async function rememberNonce(
  { database }: ArrivedPorts,
  { payment, checked }: ArrivedWish,
): Promise<void> {
  const { authorization, deploymentId, scheme } = checked;
  const { nonce, from: payer, amountRaw } = authorization;
  const row = { nonce, payer, payment_id: payment.id, deployment_id: deploymentId };
  const nonces = JSON.stringify([{ ...row, due_raw: amountRaw.toString() }]);
  await database.run(storeNonces, { nonces });
  const [first] = await database.run(findNonces, { nonces: [nonce], payer });
  if (first?.payment_id === payment.id) return;
  throw x402Refusal("x402_authorization_used", { scheme, method: authorization.method });
}
