// A process of its own that answers for the chain of this benchmark, and counts what it is asked.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  blockHash,
  chainNumber,
  finalBlocks,
  headerText,
  logsText,
  receiptsText,
} from "./prepared-chain.ts";
import type { ChainShape, Filling } from "./prepared-chain.ts";

/** What it is told. */
export type NodeOrder =
  | { readonly do: "shape"; readonly shape: ChainShape }
  /** The newest block, and what those up to it are filled with; all others have nothing for us. */
  | { readonly do: "grow"; readonly head: number; readonly fillings: readonly Filling[] }
  | { readonly do: "count" };

/** Since it was asked last; what it says to the other orders tells nothing. */
export interface NodeCounts {
  readonly requests: number;
  readonly calls: Readonly<Record<string, number>>;
}

export interface NodeReady {
  readonly url: string;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const fillings = new Map<number, Filling>();
const logs = new Map<string, string>();
/** by hash, of the headers that were given */
const numbers = new Map<string, number>();
let shape: ChainShape = { transactions: 0, genesisSeconds: 0 };
let head = 0;
let requests = 0;
let calls: Record<string, number> = {};

function obey(order: NodeOrder): NodeCounts {
  const said = { requests, calls };
  if (order.do === "shape") shape = order.shape;
  else if (order.do === "count") [requests, calls] = [0, {}];
  else {
    head = order.head;
    for (const filling of order.fillings) {
      fillings.set(filling.number, filling);
      // Before anybody asks: what is measured waits for nothing.
      logs.set(blockHash(filling.number), logsText(filling));
    }
  }
  return said;
}

function answer({ method, params }: Call): string {
  calls[method] = (calls[method] ?? 0) + 1;
  switch (method) {
    case "eth_chainId":
      return `"0x${chainNumber.toString(16)}"`;
    case "eth_getBlockByNumber": {
      const number = numberOf(String(params[0]));
      if (number > head) return "null";
      numbers.set(blockHash(number), number);
      return headerText(number, fillings.get(number), shape);
    }
    case "eth_getLogs": {
      // What the adapter sends.
      const [wish] = params as readonly [{ readonly blockHash: string }];
      return logs.get(wish.blockHash) ?? "[]";
    }
    case "eth_getBlockReceipts":
      return receiptsOf(String(params[0]));
    default:
      throw new Error(`nobody has prepared an answer to ${method}`);
  }
}

function numberOf(place: string): number {
  if (place === "latest") return head;
  if (place === "safe") return Math.max(0, head - finalBlocks);
  if (place === "finalized") return Math.max(0, head - 4 * finalBlocks);
  return Number(place);
}

function receiptsOf(hash: string): string {
  const number = numbers.get(hash);
  if (number === undefined) throw new Error(`nobody has asked for block ${hash}`);
  return receiptsText(number, fillings.get(number), shape);
}

const server = createServer((request, response) => {
  void text(request).then((body) => {
    requests += 1;
    // What the adapter sends.
    const said = JSON.parse(body) as Call | readonly Call[];
    const several = Array.isArray(said) ? (said as readonly Call[]) : undefined;
    const replies = (several ?? [said as Call]).map(
      (call) => `{"jsonrpc":"2.0","id":${call.id},"result":${answer(call)}}`,
    );
    response.setHeader("content-type", "application/json");
    response.end(several === undefined ? replies.join("") : `[${replies.join(",")}]`);
  });
});
process.on("message", (order: NodeOrder) => process.send?.(obey(order)));
process.once("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => {
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` } satisfies NodeReady);
});
