// What a chain says now of blocks that were read long ago, for whoever compares it with what is
// stored: each block by its parent's hash, and of what is in it only what can be about us.

import { contradiction, readTogether } from "./branches.ts";
import { contractsOf, findDeposits, isAsStored } from "./deposits.ts";
import type { FoundDeposit, WatchedChain } from "./deposits.ts";
import { GroupSize } from "./group-size.ts";
import { measureDeposits } from "./measuring.ts";
import type { MeasuredTransfer } from "./measuring.ts";
import type {
  BlockContent,
  Chain,
  ChainBlock,
  ChainReceipt,
  ChainTransfer,
} from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import { readDepositsOfBlocks } from "./watcher.sql.ts";
import type { readDepositsFromBlock } from "./rescan.sql.ts";

/** What is in them is in the memory together. */
const blocksAtOnce = 16n;

export type StoredDeposit = NonNullable<(typeof readDepositsFromBlock)["row"]>;

type StoredPlace = Pick<StoredDeposit, "block_hash" | "tx_hash" | "log_index" | "logged_raw">;

export interface ReadingPorts {
  readonly database: Database;
  readonly chain: Chain;
  readonly watched: WatchedChain;
  readonly fromNumber: bigint;
}

export class RescanReading {
  readonly blocks = new Map<bigint, ChainBlock>();
  /** those that count, each with what it counts for */
  readonly found: FoundDeposit[] = [];
  /** also what nothing has changed of */
  readonly measured: MeasuredTransfer[] = [];
  /** of transactions that brought money to a settlement account; undefined: not mined now */
  readonly receipts = new Map<string, ChainReceipt | undefined>();
  readonly #ports: ReadingPorts;
  readonly #size = new GroupSize();
  /** by block, transaction and place in it */
  readonly #transfers = new Map<string, ChainTransfer>();
  readonly #arrived = new Map<string, bigint>();
  #last: ChainBlock | undefined;

  constructor(ports: ReadingPorts) {
    this.#ports = ports;
  }

  /** Throws `chain_unavailable`, also where the chain has another branch by now than it began with. */
  async readTo(number: bigint): Promise<ChainBlock> {
    const { fromNumber } = this.#ports;
    let next = this.#last === undefined ? fromNumber : this.#last.number + 1n;
    while (next <= number) {
      const end = next + blocksAtOnce - 1n;
      next = await this.#readSome(next, end < number ? end : number);
    }
    if (this.#last === undefined) throw contradiction(`no block from ${fromNumber} to ${number}`);
    return this.#last;
  }

  /** Whether the deposit is still where it is stored, as it is stored. */
  has(deposit: StoredDeposit): boolean {
    const { block_hash: hash, tx_hash: tx, log_index: log } = deposit;
    const transfer = this.#transfers.get(`${hash} ${tx} ${log}`);
    return transfer !== undefined && this.isAsStored(transfer, deposit);
  }

  /** See `isAsStored`. */
  isAsStored(transfer: ChainTransfer, deposit: StoredDeposit): boolean {
    return isAsStored(this.#ports.watched, transfer, deposit);
  }

  /** What it has brought, measured anew; undefined: it is no such token, or the chain does not say it. */
  arrivedRaw(deposit: StoredDeposit): bigint | undefined {
    return this.#arrived.get(placeIn(deposit));
  }

  async readReceipts(stored: readonly StoredDeposit[]): Promise<void> {
    for (const { source, tx_hash: hash } of stored) {
      if (source === "address" || this.receipts.has(hash)) continue;
      this.receipts.set(hash, await this.#ports.chain.receipt(hash));
    }
  }

  async #readSome(from: bigint, to: bigint): Promise<bigint> {
    const { database, watched } = this.#ports;
    const linked = await this.#readLinked(from, to);
    const found = await findDeposits(database, watched, linked);
    const range = { chainId: watched.chainId, fromNumber: from, toNumber: to };
    const stored = await database.run(readDepositsOfBlocks, range);
    // Not of strangers: there are many. And also what is too little now: once it may have been enough.
    const ours = new Set([
      ...found.map(({ transfer }) => `${transfer.txHash} ${transfer.logIndex}`),
      ...stored.map((row) => `${row.tx_hash} ${row.log_index}`),
    ]);
    for (const { hash, transfers } of linked) {
      for (const transfer of transfers) {
        const place = `${transfer.txHash} ${transfer.logIndex}`;
        if (ours.has(place)) this.#transfers.set(`${hash} ${place}`, transfer);
      }
    }
    await this.#measure(found, stored);
    return to + 1n;
  }

  /** All of them, but in as many parts as the chain wants: a node may refuse for ever what is too much for it. */
  async #readLinked(from: bigint, to: bigint): Promise<readonly BlockContent[]> {
    const { chain, watched } = this.#ports;
    const contracts = contractsOf(watched);
    const size = this.#size;
    const blocks: BlockContent[] = [];
    for (let next = from; next <= to;) {
      const asked = size.of(contracts);
      const first = next;
      const numbers = Array.from({ length: Number(to - next) + 1 }, (_, at) => first + BigInt(at));
      for await (const { number, answer } of readTogether(chain, { numbers, contracts, size })) {
        if (answer.status === "rejected") {
          if (next === first && asked === 1) throw answer.reason;
          break;
        }
        blocks.push(this.#link(answer.value, number));
        next = number + 1n;
      }
    }
    return blocks;
  }

  /** What is stored with this very block stays where the chain does not say it any more. */
  async #measure(found: readonly FoundDeposit[], stored: readonly StoredPlace[]): Promise<void> {
    const known = new Set(stored.map(placeIn));
    const ports = { ...this.#ports, isAnew: true };
    const { deposits, measured } = await measureDeposits(ports, this.#ports.watched, found);
    this.found.push(...deposits);
    for (const one of measured) {
      const place = placeOfFound(one.found);
      if (one.arrivedRaw !== null) this.#arrived.set(place, one.arrivedRaw);
      if (one.arrivedRaw !== null || !known.has(place)) this.measured.push(one);
    }
  }

  #link(block: BlockContent | undefined, number: bigint): BlockContent {
    if (block?.number !== number) throw contradiction(`asked for block ${number}`);
    if (this.#last !== undefined && block.parentHash !== this.#last.hash) {
      throw contradiction(`block ${number} does not follow from the one before; try again`);
    }
    const { hash, parentHash, time } = block;
    this.#last = { number, hash, parentHash, time };
    this.blocks.set(number, this.#last);
    return block;
  }
}

function placeIn({ block_hash: hash, tx_hash: tx, log_index: log, logged_raw: raw }: StoredPlace) {
  return `${hash} ${tx} ${log} ${raw}`;
}

function placeOfFound({ block, transfer: { txHash, logIndex, amountRaw } }: FoundDeposit): string {
  return `${block.hash} ${txHash} ${logIndex} ${amountRaw}`;
}
