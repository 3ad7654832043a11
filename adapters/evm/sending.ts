// Handing over signed transactions, and what to offer for them.

import type { ChainFees, SendResult } from "../../service/ports/chain.ts";
import { EndpointFailure, NodeError, quantity } from "./answers.ts";
import { readHeader } from "./headers.ts";
import type { Asked, Rpc } from "./rpc.ts";

export interface FeeLimits {
  /** More is never offered, whatever a node says. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

const gwei = 1_000_000_000n;

export const feeLimits: FeeLimits = {
  maxFeePerGas: 2_000n * gwei,
  maxPriorityFeePerGas: 200n * gwei,
};

/** Where a node does not say what is usual. */
const usualPriorityFee = gwei;

/** Twice the price of the newest block: it holds for half a dozen full blocks. */
export async function readFees(endpoint: Asked, limits: FeeLimits): Promise<ChainFees> {
  const [header, tip] = await Promise.all([
    readHeader(endpoint, "latest"),
    priorityFee(endpoint, "eth_maxPriorityFeePerGas"),
  ]);
  if (header === undefined) throw new EndpointFailure("it has no newest block");
  const { baseFee } = header;
  if (baseFee === undefined) {
    // From before EIP-1559: one price, which is both.
    const price = (await priorityFee(endpoint, "eth_gasPrice")) ?? usualPriorityFee;
    const fee = least(price, limits.maxFeePerGas);
    return { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
  }
  const maxPriorityFeePerGas = least(tip ?? usualPriorityFee, limits.maxPriorityFeePerGas);
  const maxFeePerGas = least(2n * baseFee + maxPriorityFeePerGas, limits.maxFeePerGas);
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: least(maxPriorityFeePerGas, maxFeePerGas),
  };
}

async function priorityFee(endpoint: Asked, method: string): Promise<bigint | undefined> {
  try {
    return quantity(await endpoint.call(method), "a price of gas");
  } catch (error) {
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

/**
 * To all endpoints at once: one that swallows it does not hold it up. The first that has it decides;
 * the rest goes on by itself. If none takes it, the reason that comes first in the list.
 */
export async function sendEverywhere(rpc: Rpc, raw: Uint8Array): Promise<SendResult> {
  const hex = `0x${Buffer.from(raw).toString("hex")}`;
  const refusals: string[] = [];
  const question = async (endpoint: Asked): Promise<SendResult | undefined> => {
    const result = await sendTo(endpoint, hex);
    if (typeof result === "string") return result;
    refusals.push(`endpoint ${endpoint.place}: it says ${result.code} ${result.message}`);
    return undefined;
  };
  const taken = Promise.withResolvers<SendResult>();
  const all = rpc.askAll(async (endpoint) => {
    const result = await question(endpoint);
    if (result === "accepted" || result === "known") taken.resolve(result);
    return result;
  });
  const answered = all.then((results) => {
    const best = resultsInOrder.find((one) => results.includes(one));
    if (best === undefined) throw rpc.unavailable(refusals.join("; "));
    return best;
  });
  return await Promise.race([taken.promise, answered]);
}

const resultsInOrder: readonly SendResult[] = [
  "accepted",
  "known",
  "nonce_used",
  "underpriced",
  "unfunded",
];

/** An error of the node that says nothing about the transaction is given back. */
async function sendTo(endpoint: Asked, hex: string): Promise<SendResult | NodeError> {
  try {
    await endpoint.call("eth_sendRawTransaction", [hex]);
    return "accepted";
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return refusalOf(error.message) ?? error;
  }
}

/**
 * As Geth, Reth, Erigon, Nethermind, Besu and anvil put it. The order counts: "replacement
 * transaction underpriced" and "already known" are parts of longer texts.
 */
const refusals: readonly (readonly [RegExp, SendResult])[] = [
  [/already (?:known|imported|exists)|known transaction|same hash|alreadyknown/, "known"],
  [/nonce (?:is )?too low|old ?nonce|nonce.*already used|noncealreadyused/, "nonce_used"],
  [
    /underpriced|fee too low|feetoolow|could not replace|replacement ?not ?allowed|price (?:is )?too low|below (?:configured )?minimum|less than block base fee|below.*base ?fee|insufficient gas price/,
    "underpriced",
  ],
  [/insufficient (?:funds|balance)|insufficientfunds|exceeds (?:account )?balance/, "unfunded"],
];

/** Undefined: it is about something else. */
export function refusalOf(message: string): SendResult | undefined {
  const text = message.toLowerCase();
  return refusals.find(([form]) => form.test(text))?.[1];
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
