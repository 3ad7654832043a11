// The chain's own coin moves without logs: with a transaction, and when a contract pays out. Traces
// show both; this reads them in the two forms that nodes have.

import type { ChainTransfer } from "../../service/ports/chain.ts";
import {
  address,
  EndpointFailure,
  fieldsOf,
  hash,
  hexNumber,
  listOf,
  NodeError,
  printable,
  quantity,
} from "./answers.ts";
import type { Fields } from "./answers.ts";
import type { Asked } from "./rpc.ts";

export type TraceWay = "debug" | "parity" | "none";

/** What a reading is about. */
export interface TracedBlock {
  readonly number: bigint;
  readonly hash: string;
  readonly txHashes: readonly string[];
}

/** Deeper than contracts can call each other. */
const depthMax = 1_100;

/** The node has the method, and cannot tell of a transaction of the block. */
export class TraceMissing extends NodeError {
  constructor(message: string) {
    super(0, message);
    this.name = "TraceMissing";
  }
}

/** Which of the two the node has, found out on a block of its own. */
export async function findTraceWay(endpoint: Asked, block: TracedBlock): Promise<TraceWay> {
  for (const way of ["debug", "parity"] as const) {
    try {
      await tracedTransfers(endpoint, way, block);
      return way;
    } catch (error) {
      if (error instanceof TraceMissing) return way;
      // Its "no" has many codes and texts. What it cannot do for another reason, it can do later.
      if (!(error instanceof NodeError) || isPassing(error)) throw error;
    }
  }
  return "none";
}

function isPassing({ code, message }: NodeError): boolean {
  if (code === -32_005 || code === 429) return true;
  return /rate limit|too many|timeout|timed out|unknown block|block not found|header not found/i.test(
    message,
  );
}

/**
 * Of all of the block, oldest first; a failed call, and what it had called, moved nothing. What a
 * transaction moves by itself is in place -1, what contracts pay out in it in -2 and so on: both ways
 * of reading count the same, although they do not list the same calls.
 */
export async function tracedTransfers(
  endpoint: Asked,
  way: "debug" | "parity",
  block: TracedBlock,
): Promise<readonly ChainTransfer[]> {
  if (way === "debug") {
    const wish = { tracer: "callTracer" };
    const answer = await endpoint.call("debug_traceBlockByHash", [block.hash, wish]);
    return debugTransfers(listOf(answer, "traces"), block);
  }
  const answer = await endpoint.call("trace_block", [hexNumber(block.number)]);
  return parityTransfers(listOf(answer, "traces"), block);
}

function debugTransfers(traces: readonly unknown[], { txHashes }: TracedBlock) {
  if (traces.length !== txHashes.length) throw new EndpointFailure("traces are missing");
  return traces.flatMap((one, index) => {
    const fields = fieldsOf(one, "a trace");
    // In the middle of an answer that is none: how Geth and anvil say that they cannot.
    const { error } = fields;
    if (typeof error === "string" && fields["result"] === undefined) {
      throw new TraceMissing(printable(error));
    }
    const said = fields["txHash"];
    const txHash = txHashes[index] ?? "";
    if (said !== undefined && hash(said, "the transaction of a trace") !== txHash) {
      throw new EndpointFailure("traces in another order than the transactions");
    }
    const transfers: ChainTransfer[] = [];
    collect(fieldsOf(fields["result"], "a trace"), { txHash, transfers, depth: 0 });
    return transfers;
  });
}

interface Walk {
  readonly txHash: string;
  /** of this transaction */
  readonly transfers: ChainTransfer[];
  readonly depth: number;
}

/** Of the next transfer in a transaction. */
function nextPlace(transfers: readonly ChainTransfer[], isItself: boolean): number {
  if (isItself) return -1;
  // The first place is kept free for what the transaction moves, even if that is nothing.
  return transfers[0]?.logIndex === -1 ? -1 - transfers.length : -2 - transfers.length;
}

/** Those that run another contract's code in their own name move nothing. */
const movesCoin = /^(?:CALL|CREATE|CREATE2|SELFDESTRUCT|SUICIDE)$/i;

function collect(frame: Fields, walk: Walk): void {
  const { txHash, transfers, depth } = walk;
  if (depth > depthMax) throw new EndpointFailure("a trace that is too deep");
  if (frame["error"] !== undefined && frame["error"] !== null) return;
  const value = frame["value"];
  const amountRaw = typeof value === "string" ? quantity(value, "the value of a call") : 0n;
  if (amountRaw > 0n && movesCoin.test(String(frame["type"]))) {
    const from = address(frame["from"], "the sender of a call");
    const to = address(frame["to"], "the recipient of a call");
    const logIndex = nextPlace(transfers, depth === 0);
    transfers.push({ txHash, logIndex, contractAddress: null, from, to, amountRaw });
  }
  const calls = frame["calls"];
  if (calls === undefined || calls === null) return;
  for (const call of listOf(calls, "calls")) {
    collect(fieldsOf(call, "a call"), { ...walk, depth: depth + 1 });
  }
}

function parityTransfers(traces: readonly unknown[], block: TracedBlock) {
  const transfers: ChainTransfer[] = [];
  const known = new Set(block.txHashes);
  const moves = new Map<string, ChainTransfer[]>();
  const failed = new Map<string, string[]>();
  for (const one of traces) {
    const fields = fieldsOf(one, "a trace");
    if (hash(fields["blockHash"], "the block of a trace") !== block.hash) {
      throw new EndpointFailure("traces of another block");
    }
    // What the block itself gives has no transaction.
    if (typeof fields["transactionHash"] !== "string") continue;
    const txHash = hash(fields["transactionHash"], "the transaction of a trace");
    if (!known.has(txHash)) throw new EndpointFailure("a trace of no transaction of the block");
    const own = moves.get(txHash) ?? [];
    moves.set(txHash, own);
    const path = `${listOf(fields["traceAddress"], "a place of a trace").join(".")}.`;
    const failures = failed.get(txHash) ?? [];
    failed.set(txHash, failures);
    if (fields["error"] !== undefined && fields["error"] !== null) failures.push(path);
    // They come in the order of the calls: the caller before what it calls.
    if (failures.some((above) => above === "." || path.startsWith(above))) continue;
    const moved = parityMove(fields);
    if (moved === undefined) continue;
    const logIndex = nextPlace(own, path === ".");
    const transfer = { txHash, logIndex, contractAddress: null, ...moved };
    own.push(transfer);
    transfers.push(transfer);
  }
  const isComplete = block.txHashes.every((txHash) => moves.has(txHash));
  if (!isComplete) throw new EndpointFailure("traces are missing");
  return transfers;
}

function parityMove(fields: Fields) {
  const action = fieldsOf(fields["action"], "what a trace is about");
  const type = fields["type"];
  const isCall = type === "call" && action["callType"] === "call";
  if (!isCall && type !== "create" && type !== "suicide") return undefined;
  const isEnd = type === "suicide";
  const amountRaw = quantity(action[isEnd ? "balance" : "value"], "the value of a call");
  if (amountRaw === 0n) return undefined;
  const from = address(action[isEnd ? "address" : "from"], "the sender of a call");
  const made =
    type === "create" ? fieldsOf(fields["result"], "what was made")["address"] : undefined;
  const to = address(made ?? action[isEnd ? "refundAddress" : "to"], "the recipient of a call");
  return { from, to, amountRaw };
}
