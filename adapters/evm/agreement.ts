// Where several endpoints are configured: which of them is believed, and when two have to say the
// same (threat 27). With one endpoint there is nothing to compare, and its word counts.

import { createHash } from "node:crypto";
import { BoundedCache } from "../../service/bounded-cache.ts";
import type { BlockContent } from "../../service/ports/chain.ts";
import { readBalanceAt } from "./authorization-uses.ts";
import type { BalanceWish } from "./authorization-uses.ts";
import type { BlockWish, ReadBlock } from "./blocks.ts";
import type { Head } from "./heads.ts";
import { apart, confirmAll, confirmHigh, confirmIfPossible, textOf } from "./high-values.ts";
import type { AgreementOptions } from "./high-values.ts";
import { isWaiting, readReceipt } from "./receipt-reading.ts";
import type { ReadReceipt } from "./receipt-reading.ts";
import type { Question } from "./rpc.ts";

/** Within so many blocks of the newest one, endpoints may honestly differ. Older than that is what
 * is read a second time. */
const unsettledBlocks = 3n;
/** Longer than any honest delay. */
const farBehindBlocks = 20n;
/** Blocks of which it is remembered who gave them. */
const rememberedBlocks = 4_096;

/** A reading of a block that was believed. */
interface Reading {
  readonly place: number;
  readonly hash: string;
  /** of what was in it, a digest; empty with one endpoint, which nobody is compared with */
  readonly said: string;
}

export class Agreement {
  readonly #options: AgreementOptions;
  /** by number */
  readonly #readings = new BoundedCache<bigint, Reading>(rememberedBlocks);
  #newest = 0n;
  #newestHash: string | undefined;
  #isLagTold = false;

  constructor(options: AgreementOptions) {
    this.#options = options;
  }

  /** An endpoint that falls behind what another one has said is not the one to ask. */
  async highest(question: Question<Head>): Promise<Head> {
    const { rpc, log, chainId } = this.#options;
    const first = await rpc.ask(question);
    let head = first;
    if (head.number < this.#newest && rpc.endpointCount > 1) {
      for (const other of await rpc.askAll(question)) {
        if (other.number > head.number) head = other;
      }
    }
    const isFarBehind = head.number - first.number >= farBehindBlocks;
    if (isFarBehind && !this.#isLagTold) {
      log.warn(
        { chain_id: chainId, blocks: head.number - first.number },
        "an endpoint lags behind",
      );
    }
    this.#isLagTold = isFarBehind;
    // Also back: after a reorganisation, the shorter branch may be the one that all have.
    this.#newest = head.number;
    this.#newestHash = head.hash;
    return head;
  }

  /**
   * Asked a second time, it is read from another endpoint than the first time, if one answers. Where that one
   * says something else of the same block, it needs a second one for what is ours in it: or whoever made
   * something up would be believed when it is asked for the third time. So it does where nobody here remembers who gave
   * it before: that was another process, or this one before it was started again, and it may be the same endpoint that
   * is asked now. Where no other one has the block, its word counts, as at any second look.
   */
  async block(
    number: bigint,
    contracts: readonly (string | null)[],
    isAgain = false,
  ): Promise<BlockContent | undefined> {
    const { rpc, reader } = this.#options;
    const able = contracts.includes(null) ? await reader.placesForCoin() : undefined;
    const before = this.#readings.get(number);
    const places = this.#without(before?.place, able);
    const likelyHash = before?.hash ?? (number === this.#newest ? this.#newestHash : undefined);
    const found = await this.#readFrom(places, { number, contracts, likelyHash });
    if (found === undefined) return undefined;
    const { hash } = found.content;
    const { place } = found;
    if (rpc.endpointCount === 1) {
      this.#readings.set(number, { place, hash, said: "" });
    } else {
      const reading = { place, hash, said: digestOf(found.content) };
      const isOther =
        before?.hash === hash && before.place !== place && before.said !== reading.said;
      if (isOther) await confirmAll(this.#options, { ...found, contracts, able });
      if (isAgain && before === undefined) {
        await confirmIfPossible(this.#options, { ...found, contracts, able });
      }
      this.#readings.set(number, reading);
      if (number + unsettledBlocks <= this.#newest) {
        await confirmHigh(this.#options, { ...found, contracts, able });
      }
    }
    return found.content;
  }

  /**
   * Our choice: a receipt is asked of two endpoints, since what it says ends the reservation of
   * money. If the second one is away, a success counts all the same. A failure does not, and neither
   * does that there is none, unless the transaction waits: after both the money is paid out again.
   */
  async receipt(txHash: string): Promise<ReadReceipt | undefined> {
    const { rpc } = this.#options;
    if (rpc.endpointCount === 1) return await rpc.ask((one) => readReceipt(one, txHash));
    const found = await rpc.ask(async (endpoint) => {
      const receipt = await readReceipt(endpoint, txHash);
      return { receipt, place: endpoint.place };
    });
    const others = rpc.placesBut(found.place);
    const other = await rpc.askOther(others, (endpoint) => readReceipt(endpoint, txHash));
    const [one, two] = [found.receipt, other === "away" ? undefined : other];
    if (other === "away") {
      if (one?.receipt.isSuccess === false)
        throw apart(this.#options, `only one endpoint says ${txHash} failed`);
      if (one !== undefined) return one;
      const question: Question<boolean> = (endpoint) => isWaiting(endpoint, txHash);
      if (await rpc.ask(question, [found.place])) return undefined;
      throw rpc.unavailable(`only one endpoint says that it does not know ${txHash}`);
    }
    if (one === undefined || two === undefined) {
      const known = one ?? two;
      if (known === undefined) return undefined;
      // One of them is behind.
      if (known.receipt.block.number + unsettledBlocks > this.#newest) return undefined;
      throw apart(this.#options, `only one of two endpoints knows ${txHash}`);
    }
    const isSame =
      one.receipt.block.hash === two.receipt.block.hash &&
      one.receipt.isSuccess === two.receipt.isSuccess &&
      textOf(one.receipt.transfers) === textOf(two.receipt.transfers);
    if (!isSame) throw apart(this.#options, `two endpoints differ on what became of ${txHash}`);
    return one;
  }

  /**
   * Our choice: the first that two endpoints say; where only one answers, or no two say the same, nothing
   * is known.
   */
  async balanceAt(wish: BalanceWish): Promise<bigint> {
    const { rpc } = this.#options;
    const question: Question<bigint> = (endpoint) => readBalanceAt(endpoint, wish);
    if (rpc.endpointCount === 1) return await rpc.ask(question);
    const first = await rpc.ask(async (one) => ({ raw: await question(one), place: one.place }));
    const said = [first.raw];
    for (const place of rpc.placesBut(first.place)) {
      const raw = await rpc.askOther([place], question);
      if (raw === "away") continue;
      if (said.includes(raw)) return raw;
      said.push(raw);
    }
    const where = `what ${wish.address} had in block ${wish.blockHash}`;
    const text = said.length === 1 ? `nobody confirms ${where}` : `endpoints differ on ${where}`;
    throw apart(this.#options, text);
  }

  async #readFrom(
    places: readonly number[] | undefined,
    wish: BlockWish,
  ): Promise<ReadBlock | undefined> {
    const { rpc, reader } = this.#options;
    const question: Question<ReadBlock | { readonly place: number }> = async (endpoint) =>
      (await reader.read(endpoint, wish)) ?? { place: endpoint.place };
    const found = await rpc.ask(question, places);
    if ("content" in found) return found;
    if (rpc.endpointCount === 1 || wish.number > this.#newest) return undefined;
    // One that lags has not the blocks that another one has told of.
    const others = (places ?? rpc.placesBut(0)).filter((place) => place !== found.place);
    if (others.length === 0) return undefined;
    const again = await rpc.askOther(others, question);
    return again !== "away" && "content" in again ? again : undefined;
  }

  /** Undefined: all of them, in their order. */
  #without(
    place: number | undefined,
    able: readonly number[] | undefined,
  ): readonly number[] | undefined {
    if (place === undefined) return able;
    const others = (able ?? this.#options.rpc.placesBut(place)).filter((one) => one !== place);
    return [...others, place];
  }
}

/** What contracts paid out is left out: not all endpoints can say it, nor all in the same way. */
function digestOf({ transfers }: BlockContent): string {
  const plain = transfers.filter(({ logIndex }) => logIndex >= -1);
  return createHash("sha256").update(textOf(plain)).digest("base64");
}
