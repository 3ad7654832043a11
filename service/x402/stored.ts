// What is stored of an authorization, told as the answer to whoever asks for it.

import type { X402SettlementsTable } from "../database/tables/x402.ts";
import { isSameAddress, nonceWord } from "./model.ts";
import type { CheckedAuthorization, SettleCommand } from "./model.ts";
import { chainIdOfNetwork } from "./networks.ts";
import { isX402Code, x402Refusal } from "./refusals.ts";

type Row = X402SettlementsTable;

export interface SettleResult {
  readonly paymentId: string;
  /** False: the outcome is open, and the same request may be sent again. */
  readonly isSettled: boolean;
  /** empty: nothing was sent */
  readonly txHash: string;
  /** It was accepted by an earlier request. */
  readonly isReplayed: boolean;
}

/** Undefined: nothing is decided on the chain. Throws the refusal that it ended with. */
export function resultOf(row: Row): Omit<SettleResult, "isReplayed"> | undefined {
  const { payment_id: paymentId, status, scheme, method } = row;
  const txHash = row.tx_hash ?? "";
  const kind = { scheme, method };
  if (status === "queued") return undefined;
  if (status === "waiting") return { paymentId, isSettled: false, txHash: "" };
  if (status === "settled" || status === "final") return { paymentId, isSettled: true, txHash };
  if (status === "unused") {
    // Its deadline came before its usage, in releases that ended the payment with it.
    if (row.amount_raw === null) throw x402Refusal("x402_expired", kind);
    return { paymentId, isSettled: true, txHash: "" };
  }
  const code = isX402Code(row.reason) ? row.reason : "x402_reverted";
  throw x402Refusal(code, kind, txHash === "" ? {} : { tx_hash: txHash });
}

export function openResultOf(row: Row): Omit<SettleResult, "isReplayed"> {
  return { paymentId: row.payment_id, isSettled: false, txHash: row.tx_hash ?? "" };
}

/** By what names it, whatever its signature looks like. */
export function isOfAuthorization(row: Row, { payload, requirements }: SettleCommand): boolean {
  return (
    row.chain_id === chainIdOfNetwork(requirements.network) &&
    row.method === payload.method &&
    isSameAddress(row.asset, requirements.asset) &&
    isSameAddress(row.payer, payload.from) &&
    row.nonce === nonceWord(payload.nonce)
  );
}

/** And in everything else that was signed or required. Both signatures of a twin mean the same. */
export function isSameRequest(row: Row, command: SettleCommand): boolean {
  const { payload, requirements } = command;
  const authorizedRaw = BigInt(row.authorized_raw);
  return (
    isOfAuthorization(row, command) &&
    row.scheme === requirements.scheme &&
    isSameAddress(row.pay_to, requirements.payTo) &&
    isSameAddress(row.pay_to, payload.to) &&
    authorizedRaw === requirements.maxAmountRaw &&
    authorizedRaw === payload.amountRaw &&
    row.nonce === nonceWord(requirements.nonce) &&
    row.valid_after === payload.validAfter &&
    row.valid_before === payload.validBefore &&
    isSamePermit(row, payload)
  );
}

function isSamePermit(row: Row, payload: SettleCommand["payload"]): boolean {
  if (payload.method === "eip3009") return true;
  const isSameFacilitator =
    row.facilitator === null
      ? payload.facilitator === null
      : isSameAddress(row.facilitator, payload.facilitator);
  return (
    isSameAddress(row.asset, payload.token) &&
    isSameAddress(row.spender, payload.spender) &&
    isSameFacilitator
  );
}

/** The columns that say what was signed. */
export function columnsOf(checked: CheckedAuthorization) {
  const { authorization, domain, signature, scheme, chainId, deploymentId } = checked;
  const isPermit = authorization.method === "permit2";
  return {
    deploymentId,
    chainId,
    scheme,
    method: authorization.method,
    asset: authorization.contractAddress,
    payer: authorization.from,
    nonce: authorization.nonce,
    payTo: authorization.to,
    authorizedRaw: authorization.amountRaw,
    validAfter: authorization.validAfter,
    validBefore: isPermit ? authorization.deadline : authorization.validBefore,
    spender: isPermit ? authorization.spender : null,
    facilitator: isPermit ? authorization.facilitator : null,
    domainName: domain?.name ?? null,
    domainVersion: domain?.version ?? null,
    evidenceVersion: checked.evidenceVersion,
    signature,
  };
}
