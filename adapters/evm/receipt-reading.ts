// What became of one transaction.

import type { ChainReceipt } from "../../service/ports/chain.ts";
import { EndpointFailure, fieldsOf, hash, quantity } from "./answers.ts";
import { blockOf, coinTransferOf, readHeader, transactionOf } from "./headers.ts";
import type { CoinTransaction } from "./headers.ts";
import { readLogs, transferOf } from "./logs.ts";
import type { TokenLog } from "./logs.ts";
import { gasCostOf } from "./receipts.ts";
import type { Asked } from "./rpc.ts";

export interface ReadReceipt {
  readonly receipt: ChainReceipt;
  readonly logs: readonly TokenLog[];
  readonly transaction: CoinTransaction;
}

/** The node has it and could mine it. */
export async function isWaiting(endpoint: Asked, txHash: string): Promise<boolean> {
  const answer = await endpoint.call("eth_getTransactionByHash", [txHash]);
  if (answer === null || answer === undefined) return false;
  const fields = fieldsOf(answer, "a transaction");
  return fields["blockHash"] === null || fields["blockHash"] === undefined;
}

/** Undefined: not mined, or not in a block of the branch that counts. */
export async function readReceipt(
  endpoint: Asked,
  txHash: string,
): Promise<ReadReceipt | undefined> {
  const [answer, mined] = await Promise.all([
    endpoint.call("eth_getTransactionReceipt", [txHash]),
    endpoint.call("eth_getTransactionByHash", [txHash]),
  ]);
  if (answer === null || answer === undefined) return undefined;
  const fields = fieldsOf(answer, "a receipt");
  if (hash(fields["transactionHash"], "the transaction of a receipt") !== txHash) {
    throw new EndpointFailure("a receipt of another transaction");
  }
  const blockHash = hash(fields["blockHash"], "the block of a receipt");
  const number = quantity(fields["blockNumber"], "the block of a receipt");
  const block = await readHeader(endpoint, number);
  // Between two answers the branch may change; what is asked again will be of one piece.
  if (block?.hash !== blockHash || mined === null) {
    throw new EndpointFailure("a receipt of a block that does not count");
  }
  const logs = readLogs(fields["logs"]);
  if (logs.some((log) => log.blockHash !== blockHash || log.txHash !== txHash)) {
    throw new EndpointFailure("logs of something else in a receipt");
  }
  const transaction = transactionOf(mined);
  if (transaction.txHash !== txHash) throw new EndpointFailure("another transaction");
  const isSuccess = quantity(fields["status"], "the status of a receipt") === 1n;
  const moved = isSuccess
    ? [...coinTransferOf(transaction), ...logs.flatMap((one) => transferOf(one) ?? [])]
    : [];
  const receipt = {
    txHash,
    block: blockOf(block),
    isSuccess,
    gasCostRaw: gasCostOf(fields),
    transfers: moved,
  };
  return { receipt, logs, transaction };
}
