// What transactions of ours have moved into or out of some accounts, by their receipts, or by balances.

import type { StoredAction } from "../database/tables/outgoing.ts";
import { checksumAddress } from "../evm-address.ts";
import type { Chain, ChainReceipt } from "../ports/chain.ts";
import { arrivedBy, measureMoves, minedBlock } from "./measured-moves.ts";
import type { MeasuringPorts } from "./measured-moves.ts";

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

interface MeasuredPorts extends MeasuringPorts {
  readonly chain: MeasuringPorts["chain"] & Pick<Chain, "block">;
}

interface MeasuredWish {
  readonly contractAddress: string;
  readonly addresses: Addresses;
}

/** The same of a token whose logs are not believed. Throws `chain_unavailable`. */
export async function measuredRaw(
  ports: MeasuredPorts,
  { action, receipt }: MinedMove,
  { contractAddress, addresses }: MeasuredWish,
): Promise<bigint> {
  const isTouched = tokensTouched(receipt, contractAddress, addresses);
  if (action.kind === "settle" || !receipt.isSuccess || !isTouched) return 0n;
  const block = await minedBlock(ports.chain, receipt, contractAddress);
  let raw = 0n;
  for (const one of addresses) {
    const address = checksumAddress(one);
    const moves = await measureMoves(ports, block, { address, contractAddress });
    raw += arrivedBy(moves, receipt.txHash) - (moves.left.get(receipt.txHash) ?? 0n);
  }
  return raw;
}

function tokensTouched(
  { transfers }: ChainReceipt,
  contractAddress: string,
  addresses: Addresses,
): boolean {
  return transfers.some(
    (one) =>
      one.contractAddress?.toLowerCase() === contractAddress.toLowerCase() &&
      (addresses.has(one.from.toLowerCase()) || addresses.has(one.to.toLowerCase())),
  );
}
