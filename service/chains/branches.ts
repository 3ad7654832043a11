// Reading blocks so that two branches of a chain, two answers of a node, or two chains cannot mix:
// each block has to name the one before it by its hash.

import { ServiceError } from "../errors.ts";
import type { GroupSize } from "./group-size.ts";
import type { BlockContent, Chain } from "../ports/chain.ts";

/** A block that was read, or where the reading stands. */
export interface BlockPosition {
  readonly number: bigint;
  readonly hash: string;
}

/** The answers contradict each other. Nothing is decided; the next run asks again. */
export function contradiction(what: string): ServiceError {
  return new ServiceError("chain_unavailable", "The chain does not answer right now.", {
    cause: new Error(what),
  });
}

/**
 * The chain has no block of those that are kept: it was reorganised further back than anybody can
 * tell what to undo, or another chain answers. Nothing is written until a person has looked.
 */
export class ForkTooDeep extends Error {
  constructor(chainId: string, oldest: bigint) {
    super(`${chainId} has another block than the one read at ${oldest}, the oldest that is kept`);
    this.name = "ForkTooDeep";
  }
}

export interface ReadWish {
  readonly after: BlockPosition;
  readonly upTo: bigint;
  readonly contracts: readonly (string | null)[];
  readonly size: GroupSize;
}

export interface Linked {
  /** each follows from the one before, the first from where the reading stood */
  readonly blocks: readonly BlockContent[];
  /** The next one that the chain has follows from something else. */
  readonly isForked: boolean;
  /** Why the next one was not read, where its answer was a failure. */
  readonly failure: Failure | undefined;
}

export interface Failure {
  readonly reason: unknown;
}

/** What was read before a failure counts: whoever had enough gives the rest another time. */
export async function readLinked(chain: Chain, wish: ReadWish): Promise<Linked> {
  const { after, upTo, contracts, size } = wish;
  const blocks: BlockContent[] = [];
  const numbers = Array.from({ length: Number(upTo - after.number) }, (_, index) => {
    return after.number + BigInt(index) + 1n;
  });
  let last = after;
  for await (const { number, answer } of readTogether(chain, { numbers, contracts, size })) {
    if (answer.status === "rejected") return { blocks, isForked: false, failure: answer };
    const block = answer.value;
    // The chain became shorter, or another node answers: the next run will see.
    if (block === undefined) break;
    if (block.number !== number) throw contradiction(`asked for block ${number}`);
    if (block.parentHash !== last.hash) return { blocks, isForked: true, failure: undefined };
    blocks.push(block);
    last = block;
  }
  return { blocks, isForked: false, failure: undefined };
}

/** All of them or none, but in as many parts as the chain wants. */
export async function readWhole(chain: Chain, wish: ReadWish): Promise<readonly BlockContent[]> {
  const blocks: BlockContent[] = [];
  let { after } = wish;
  do {
    const asked = wish.size.of(wish.contracts);
    const next = await readLinked(chain, { ...wish, after });
    blocks.push(...next.blocks);
    after = next.blocks.at(-1) ?? after;
    const isAll = after.number === wish.upTo && !next.isForked;
    if (next.failure === undefined && (!isAll || blocks.length === 0)) {
      throw contradiction(`the branch after block ${wish.after.number} has changed`);
    }
    // Fewer at once, now: in another run what comes before would make the groups larger again.
    if (next.failure !== undefined && next.blocks.length === 0 && asked === 1) {
      throw next.failure.reason;
    }
  } while (after.number < wish.upTo);
  return blocks;
}

interface GroupWish {
  readonly numbers: readonly bigint[];
  readonly contracts: readonly (string | null)[];
  readonly size: GroupSize;
  /** for the second look */
  readonly isAgain?: boolean;
}

interface NumberedAnswer {
  readonly number: bigint;
  readonly answer: PromiseSettledResult<BlockContent | undefined>;
}

/** In their order, up to the first that fails. */
export async function* readTogether(
  chain: Chain,
  { numbers, contracts, size, isAgain = false }: GroupWish,
): AsyncGenerator<NumberedAnswer, void> {
  for (let from = 0; from < numbers.length;) {
    const some = numbers.slice(from, from + size.of(contracts));
    const answers = await Promise.allSettled(
      some.map((number) => chain.block(number, contracts, isAgain)),
    );
    const isFailed = answers.some(({ status }) => status === "rejected");
    size.note(some.length, isFailed);
    for (const [index, answer] of answers.entries()) {
      yield { number: numbers[from + index] ?? 0n, answer };
      if (answer.status === "rejected") return;
    }
    from += some.length;
  }
}

export interface KeptBlocks {
  readonly chainId: string;
  readonly oldest: bigint;
  readonly newest: BlockPosition;
  /** of one of them */
  readonly hashOf: (number: bigint) => Promise<string | undefined>;
}

/**
 * The newest kept block that the chain still has: back in steps that double, then in halves, since
 * all blocks up to the fork are the same and all after it are others. Throws `ForkTooDeep`.
 */
export async function findFork(chain: Chain, kept: KeptBlocks): Promise<BlockPosition> {
  const { oldest, newest } = kept;
  const sameAt = async (number: bigint): Promise<BlockPosition | undefined> => {
    const block = await chain.block(number, []);
    if (block?.number !== number) throw contradiction(`asked for block ${number} below the head`);
    const hash = await kept.hashOf(number);
    return block.hash === hash ? { number, hash } : undefined;
  };
  if ((await sameAt(newest.number)) !== undefined) {
    throw contradiction(`block ${newest.number} is still there, and the next has another parent`);
  }
  let other = newest.number;
  let step = 1n;
  for (;;) {
    if (other <= oldest) throw new ForkTooDeep(kept.chainId, oldest);
    const number = other - step < oldest ? oldest : other - step;
    const same = await sameAt(number);
    if (same !== undefined) return await narrow(same, other, sameAt);
    other = number;
    step *= 2n;
  }
}

/** `same` is on both branches, `other` is not. */
async function narrow(
  from: BlockPosition,
  upTo: bigint,
  sameAt: (number: bigint) => Promise<BlockPosition | undefined>,
): Promise<BlockPosition> {
  let same = from;
  let other = upTo;
  while (other - same.number > 1n) {
    const middle = (same.number + other) / 2n;
    const found = await sameAt(middle);
    if (found === undefined) other = middle;
    else same = found;
  }
  return same;
}

/** As the statements of the watcher take them. */
export function blocksText(blocks: readonly BlockContent[]): string {
  return JSON.stringify(
    blocks.map(({ number, hash, parentHash, time }) => ({
      number: number.toString(),
      hash,
      parent_hash: parentHash,
      time: time.toISOString(),
    })),
  );
}
