// An authorization that was used before we were asked, for a payment that cannot be settled any more in
// the usual way. Its money is here, and so it is the payment's: by the time of its block it is paid, paid
// late, too much, or kept apart for the merchant. What is answered follows from that.

import type { CatalogReader } from "../catalog/catalog.ts";
import type { PaymentStatus } from "../database/words.ts";
import { ServiceError } from "../errors.ts";
import { timingOf } from "../payments/rules.ts";
import { finalNumberOf } from "../sending/confirming.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import { findArrivalOf } from "./arrivals.sql.ts";
import { recordArrived } from "./arriving.ts";
import type { ArrivingPorts } from "./arriving.ts";
import type { X402Chain } from "./chain-view.ts";
import { findUse, headOf, unclaimed } from "./chain-view.ts";
import type { CheckedAuthorization } from "./model.ts";
import { checkOwner } from "./chain-checks.ts";
import { storeNonces } from "./nonces.sql.ts";
import { verdictOf } from "./outcome.ts";
import type { SettlementVerdict } from "./outcome.ts";
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
 * Undefined: it has brought nothing here. Open, with its hash, where the watcher has yet to read its block. Throws
 * `payment_not_payable` with the hash where what came is the merchant's, and pays nothing, or not all that is missing. Our
 * choice: of the scheme exact only; what an upto authorization brings is divided by its usage, and a payment that is over
 * has none.
 */
export async function settleArrived(
  ports: ArrivedPorts,
  wish: ArrivedWish,
): Promise<SettleResult | undefined> {
  const { payment, place, checked, fromBlock } = wish;
  if (checked.scheme !== "exact") return undefined;
  const found = await findSettled(ports, { place, checked, fromBlock, paymentId: payment.id });
  if (found === undefined) return undefined;
  const { txHash, block } = found.receipt;
  const state = await ports.database.transaction((inside) => record(ports, inside, wish, found));
  if (state === "taken" || state === "nothing") return undefined;
  const open = { paymentId: payment.id, isSettled: false, txHash, isReplayed: false };
  // Who is told of money has a row of it: what nobody has yet may still become another authorization's.
  if (state === "unread") return open;
  const isTooLate = timingOf(payment, block.time) === "too_late";
  if (payment.status === "cancelled" || isTooLate) {
    const text = "The payment is over: what was sent for it is kept apart for the merchant.";
    const details = { status: payment.status, tx_hash: txHash };
    throw new ServiceError("payment_not_payable", text, { details });
  }
  if (checked.authorization.amountRaw < wish.leastOf(txHash)) {
    const text = "The payment is over, and what was sent for it is credited, but is not its price.";
    const details = { status: payment.status, tx_hash: txHash };
    throw new ServiceError("payment_not_payable", text, { details });
  }
  return { ...open, isSettled: true };
}

/**
 * `taken`: it has become another's meanwhile. `unread`: the watcher has yet to read its block, or to hear what came.
 * `nothing`: the token kept all of it.
 */
type Recording = "recorded" | "taken" | "unread" | "nothing";

async function record(
  ports: ArrivedPorts,
  inside: Database,
  ...[{ payment, checked }, found]: readonly [ArrivedWish, Settled]
): Promise<Recording> {
  const { deploymentId, chainId } = checked;
  const paymentId = payment.id;
  await rememberNonce(inside, { payment, checked });
  const settlement = { id: "", payment_id: paymentId, chain_id: chainId };
  const left = await unclaimed(inside, settlement, found);
  if (left.kind !== "settled") return "taken";
  const owner = { chainId, deploymentId, paymentId, settlementId: null };
  if (await recordArrived(ports, inside, owner, left)) {
    await ports.progress.refresh(inside, [paymentId]);
    return "recorded";
  }
  const { txHash, block } = left.receipt;
  const logIndexes = left.transfers.map(({ logIndex }) => String(logIndex));
  const of = { chainId, txHash, blockHash: block.hash, paymentId, logIndexes };
  const [known] = await inside.run(findArrivalOf, of);
  if (known === undefined) return "unread";
  return known.is_there ? "recorded" : "nothing";
}

type Settled = Extract<SettlementVerdict, { readonly kind: "settled" }>;

interface Looking extends Pick<ArrivedWish, "place" | "checked" | "fromBlock"> {
  readonly paymentId: string;
}

async function findSettled(
  ports: ArrivedPorts,
  { place, checked, fromBlock, paymentId }: Looking,
): Promise<Settled | undefined> {
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
  const of = { id: "", payment_id: paymentId, chain_id: chainId };
  const verdict = await unclaimed(ports.database, of, verdictOf(expected, view));
  return verdict.kind === "settled" ? verdict : undefined;
}

/**
 * So that the money finds its payment, also where the watcher has yet to read its block. Throws as `checkOwner`: who
 * accepts the authorization for another payment writes the same row, so that one of two sees the other.
 */
async function rememberNonce(
  inside: Database,
  { payment, checked }: Pick<ArrivedWish, "payment" | "checked">,
): Promise<void> {
  const { authorization, deploymentId } = checked;
  const { nonce, from: payer, amountRaw } = authorization;
  const row = { nonce, payer, payment_id: payment.id, deployment_id: deploymentId };
  const nonces = JSON.stringify([{ ...row, due_raw: amountRaw.toString() }]);
  await inside.run(storeNonces, { nonces });
  await checkOwner(inside, checked, payment.id);
}
