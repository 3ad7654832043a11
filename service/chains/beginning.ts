// Where the reading of a chain begins, when it is connected for the first time.

import { contradiction } from "./branches.ts";
import type { BlockContent, Chain, ChainHead } from "../ports/chain.ts";

/** The clock of a chain is not ours. */
const clocksApartMilliseconds = 300_000;

export interface BeginWish {
  /** so many blocks before the head */
  readonly firstBlocks: bigint;
  /** When the first payment that can be paid here got its address, if there is one already. */
  readonly since: Date | null;
}

/**
 * A little before the head, or before the first address that somebody may have paid to: payments
 * can be made before their chain is connected, and what was sent to them is not lost.
 */
export async function firstBlock(
  chain: Pick<Chain, "block">,
  head: ChainHead,
  { firstBlocks, since }: BeginWish,
): Promise<BlockContent> {
  const blockAt = async (number: bigint): Promise<BlockContent> => {
    const block = await chain.block(number, []);
    if (block?.number !== number) throw contradiction(`asked for block ${number} below the head`);
    return block;
  };
  const recent = await blockAt(head.number > firstBlocks ? head.number - firstBlocks : 0n);
  if (since === null) return recent;
  const before = since.getTime() - clocksApartMilliseconds;
  if (recent.time.getTime() <= before) return recent;
  // Time only grows along a chain: the newest block that is old enough, by halves.
  let found = await blockAt(0n);
  let young = recent.number;
  while (young - found.number > 1n) {
    const middle = await blockAt((found.number + young) / 2n);
    if (middle.time.getTime() <= before) found = middle;
    else young = middle.number;
  }
  return found;
}
