// The newest block, and how far back the chain calls itself safe or final.

import type { ChainBlock } from "../../service/ports/chain.ts";
import { EndpointFailure, NodeError } from "./answers.ts";
import { blockOf, readHeader } from "./headers.ts";
import type { Asked, Rpc } from "./rpc.ts";
import { quantity } from "./answers.ts";

export interface Head extends ChainBlock {
  readonly safeNumber: bigint | undefined;
  readonly finalizedNumber: bigint | undefined;
}

/** In one request, with the number of the chain: whoever answers has to say of which it is. */
export async function readHead(endpoint: Asked, { chainNumber }: Rpc): Promise<Head> {
  const [chain, latest, safeNumber, finalizedNumber] = await Promise.all([
    endpoint.call("eth_chainId"),
    readHeader(endpoint, "latest"),
    numberOf(endpoint, "safe"),
    numberOf(endpoint, "finalized"),
  ]);
  const answered = quantity(chain, "the number of the chain");
  if (answered !== chainNumber) throw new EndpointFailure(`it answers for eip155:${answered}`);
  if (latest === undefined) throw new EndpointFailure("it has no newest block");
  return { ...blockOf(latest), safeNumber, finalizedNumber };
}

/** Many chains, and young ones, have no such word. */
async function numberOf(endpoint: Asked, tag: "safe" | "finalized"): Promise<bigint | undefined> {
  try {
    return (await readHeader(endpoint, tag))?.number;
  } catch (error) {
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}
