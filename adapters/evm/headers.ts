// Blocks as nodes describe them.

import type { ChainBlock, ChainTransfer } from "../../service/ports/chain.ts";
import {
  address,
  EndpointFailure,
  fieldsOf,
  hash,
  hexNumber,
  listOf,
  quantity,
} from "./answers.ts";
import { openBloom } from "./logs.ts";
import type { Bloom } from "./logs.ts";
import type { Asked } from "./rpc.ts";

export interface Header extends ChainBlock {
  readonly txHashes: readonly string[];
  readonly bloom: Bloom | undefined;
  readonly receiptsRoot: string | undefined;
  /** undefined: a chain from before EIP-1559 */
  readonly baseFee: bigint | undefined;
}

export type BlockTag = "latest" | "safe" | "finalized";

/** Undefined: the node has no such block. */
export async function readHeader(
  endpoint: Asked,
  place: bigint | BlockTag,
): Promise<Header | undefined> {
  const at = typeof place === "bigint" ? hexNumber(place) : place;
  const answer = await endpoint.call("eth_getBlockByNumber", [at, false]);
  if (answer === null || answer === undefined) return undefined;
  const header = headerOf(answer);
  if (typeof place === "bigint" && header.number !== place) {
    throw new EndpointFailure("another block than the one that was asked for");
  }
  return header;
}

/** Far beyond what any of us will see, and within what a date can be. */
const secondsMax = 2n ** 40n;

function headerOf(answer: unknown): Header {
  const fields = fieldsOf(answer, "a block");
  const seconds = quantity(fields["timestamp"], "the time of a block");
  if (seconds > secondsMax) throw new EndpointFailure("a block of no time");
  const { receiptsRoot: root, baseFeePerGas: baseFee } = fields;
  return {
    number: quantity(fields["number"], "the number of a block"),
    hash: hash(fields["hash"], "the hash of a block"),
    parentHash: hash(fields["parentHash"], "the parent of a block"),
    time: new Date(Number(seconds) * 1000),
    txHashes: listOf(fields["transactions"], "transactions").map((one) =>
      hash(one, "a transaction"),
    ),
    bloom: openBloom(fields["logsBloom"]),
    receiptsRoot: typeof root === "string" ? hash(root, "the root of receipts") : undefined,
    baseFee: typeof baseFee === "string" ? quantity(baseFee, "the base fee") : undefined,
  };
}

export function blockOf({ number, hash: blockHash, parentHash, time }: Header): ChainBlock {
  return { number, hash: blockHash, parentHash, time };
}

/** A transaction as what it moves of the chain's own coin, if it succeeds. */
export interface CoinTransaction {
  readonly txHash: string;
  readonly from: string;
  /** null: it makes a contract */
  readonly to: string | null;
  readonly amountRaw: bigint;
  readonly input: string;
}

/** Of a block with this very hash, in their order. */
export async function readTransactions(
  endpoint: Asked,
  block: Header,
): Promise<readonly CoinTransaction[]> {
  const answer = await endpoint.call("eth_getBlockByHash", [block.hash, true]);
  if (answer === null) throw new EndpointFailure("it does not have a block that it had");
  const list = listOf(fieldsOf(answer, "a block")["transactions"], "transactions");
  const transactions = list.map(transactionOf);
  const isWhole =
    transactions.length === block.txHashes.length &&
    transactions.every(({ txHash }, index) => txHash === block.txHashes[index]);
  if (!isWhole) throw new EndpointFailure("transactions are missing");
  return transactions;
}

export function transactionOf(answer: unknown): CoinTransaction {
  const fields = fieldsOf(answer, "a transaction");
  const { to, input } = fields;
  const hasRecipient = to !== null && to !== undefined;
  return {
    txHash: hash(fields["hash"], "the hash of a transaction"),
    from: address(fields["from"], "the sender of a transaction"),
    to: hasRecipient ? address(to, "the recipient of a transaction") : null,
    amountRaw: quantity(fields["value"], "the value of a transaction"),
    input: typeof input === "string" ? input : "0x",
  };
}

/** What a successful transaction moves by itself. */
export function coinTransferOf(transaction: CoinTransaction): readonly ChainTransfer[] {
  const { txHash, from, to, amountRaw } = transaction;
  if (to === null || amountRaw === 0n) return [];
  return [{ txHash, logIndex: -1, contractAddress: null, from, to, amountRaw }];
}
