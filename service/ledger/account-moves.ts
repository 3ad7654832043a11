// What transactions of ours have moved into or out of some accounts, by their receipts.

import type { StoredAction } from "../database/tables/outgoing.ts";
import type { ChainReceipt } from "../ports/chain.ts";

export interface MinedMove {
  /** that it was sent from */
  readonly account: string;
  readonly action: StoredAction;
  readonly sendsNothing: boolean;
  readonly receipt: ChainReceipt;
}

/** In lower case. */
type Addresses = ReadonlySet<string>;

/**
 * Above zero: more came than left. What a settlement of x402 brings is left out: it is a deposit.
 * @param contractAddress null: the chain's own coin
 */
export function movedRaw(
  { account, action, sendsNothing, receipt }: MinedMove,
  contractAddress: string | null,
  addresses: Addresses,
): bigint {
  if (contractAddress !== null) {
    return action.kind === "settle" ? 0n : tokensMoved(receipt, contractAddress, addresses);
  }
  const isSender = addresses.has(account.toLowerCase());
  let raw = isSender ? -receipt.gasCostRaw : 0n;
  // The chain's own coin moves with a successful transaction; no log says so.
  const isCoin = action.kind === "transfer" && action.contractAddress === null;
  if (!isCoin || sendsNothing || !receipt.isSuccess) return raw;
  if (isSender) raw -= BigInt(action.amountRaw);
  if (addresses.has(action.to.toLowerCase())) raw += BigInt(action.amountRaw);
  return raw;
}

function tokensMoved(
  { transfers }: ChainReceipt,
  contractAddress: string,
  addresses: Addresses,
): bigint {
  let raw = 0n;
  for (const one of transfers) {
    if (one.contractAddress?.toLowerCase() !== contractAddress.toLowerCase()) continue;
    if (addresses.has(one.from.toLowerCase())) raw -= one.amountRaw;
    if (addresses.has(one.to.toLowerCase())) raw += one.amountRaw;
  }
  return raw;
}
