// A chain in this process, which does nothing by itself: blocks are mined on command with a time of
// the test's choice, branches are abandoned on command, answers fail on command. Everything follows
// from the calls, so a run with the same calls has the same hashes.

import type {
  BlockContent,
  Chain,
  ChainFees,
  ChainHead,
  ChainReceipt,
  ChainTransfer,
  MinedOfAnyKind,
  SendResult,
} from "../../service/ports/chain.ts";
import { foreign, headerOf, isTenthMore, orderOf, partition, withLess } from "./scripted-blocks.ts";
import type { Executed, ScriptedBlock } from "./scripted-blocks.ts";
import { type ChainFault, chainUnavailable, ScriptedFaults } from "./scripted-faults.ts";
import {
  type Execution,
  gasOf,
  minedOf,
  type OutsideTransaction,
  ScriptedLedger,
  type ScriptedTransaction,
  type WalletTransaction,
} from "./scripted-ledger.ts";
import { addressOf, decodeTransfer, hashOf } from "./scripted-signer.ts";

export interface ScriptedChainOptions {
  /** CAIP-2; the local test network when left out */
  readonly chainId?: string;
  readonly genesisTime?: Date;
  /** by how many blocks the chain's words lag behind its head; undefined: it has no such word */
  readonly safeLag?: bigint;
  readonly finalizedLag?: bigint;
}

export interface DepositWish {
  readonly to: string;
  readonly amountRaw: bigint;
  /** the chain's own coin when left out */
  readonly contractAddress?: string | null;
  readonly from?: string;
}

export interface ReorgWish {
  /**
   * What becomes of the transactions of the abandoned blocks. same: mined again at the same height;
   * later: each one block later; dropped: gone, as on a chain that does not take them back to its
   * pool; pool: those of our wallets wait again. `same` when left out.
   */
  readonly transactions?: "same" | "later" | "dropped" | "pool";
  /** Hashes of transactions that are gone whatever the rest does. */
  readonly drop?: readonly string[];
  /** Other people's logs come first, so that the log indexes move by this. */
  readonly logsBefore?: number;
  /** Blocks of the new branch; as many as are abandoned when left out, one more for `later`. */
  readonly length?: number;
}

interface NextBlock {
  readonly time: Date;
  readonly transactions: readonly ScriptedTransaction[];
  readonly logsBefore: number;
}

export const blockSeconds = 12;
const gwei = 1_000_000_000n;

export class ScriptedChain implements Chain {
  readonly chainId: string;
  readonly faults = new ScriptedFaults();
  /** for each unit of gas; what offers less waits */
  baseFee = 10n * gwei;
  /** what offers less at most is not even taken in */
  acceptedFeeMin = 0n;
  /** how many transactions of our wallets fit in a block */
  perBlockMax = Number.POSITIVE_INFINITY;
  /** hashes of transactions and addresses of contracts (`coin`: the chain's own) that fail when mined */
  readonly reverting = new Set<string>();

  readonly #options: ScriptedChainOptions;
  #blocks: ScriptedBlock[];
  readonly #pool = new Map<string, WalletTransaction>();
  #outside: OutsideTransaction[] = [];
  /** of deposits, and of branches: two of them are never the same */
  #deposits = 0;
  #branches = 0;

  constructor(options: ScriptedChainOptions = {}) {
    this.#options = options;
    this.chainId = options.chainId ?? "eip155:31337";
    const time = options.genesisTime ?? new Date("2026-01-01T00:00:00Z");
    const parentHash = `0x${"0".repeat(64)}`;
    const hash = hashOf(`${this.chainId} genesis`);
    const genesis = { number: 0n, hash, parentHash, time };
    this.#blocks = [{ ...genesis, executions: [], after: new ScriptedLedger() }];
  }

  // What a test does to the chain.

  /** As if it had always been there: no transaction, and no reorganisation takes it away. */
  mint(address: string, contractAddress: string | null, amountRaw: bigint): void {
    for (const { after } of this.#blocks) after.mint(address, contractAddress, amountRaw);
  }

  /** Somebody pays, with the next block; several transfers are one transaction. Gives its hash. */
  deposit(...wishes: readonly DepositWish[]): string {
    return this.handIn(wishes);
  }

  protected handIn(wishes: readonly DepositWish[], permit?: OutsideTransaction["permit"]): string {
    this.#deposits += 1;
    const hash = hashOf(`${this.chainId} deposit ${this.#deposits}`);
    const transfers = wishes.map(({ to, amountRaw, contractAddress = null, from }) => {
      return { contractAddress, from: from ?? addressOf("a payer"), to, amountRaw };
    });
    this.#outside.push({ kind: "outside", hash, transfers, permit });
    return hash;
  }

  /** Each block 12 seconds after the one before, or at the time handed in. */
  mine(count = 1, time?: Date): void {
    for (let mined = 0; mined < count; mined++) {
      const transactions = [...this.#outside, ...this.#pool.values()];
      this.#outside = [];
      this.#append({ time: time ?? this.#timeAfterTip(), transactions, logsBefore: 0 });
    }
  }

  /** Abandons the newest blocks for another branch. */
  reorg(depth: number, wish: ReorgWish = {}): void {
    const abandoned = this.#blocks.splice(Math.max(1, this.#blocks.length - depth));
    this.#branches += 1;
    const how = wish.transactions ?? "same";
    const dropped = new Set(wish.drop);
    const lists = abandoned.map(({ executions }) =>
      executions
        .map(({ transaction }) => transaction)
        .filter(({ hash }) => how !== "dropped" && !dropped.has(hash)),
    );
    if (how === "later") lists.unshift([]);
    if (how === "pool") {
      const [wallet, outside] = partition(lists.flat());
      for (const transaction of wallet) this.#pool.set(transaction.hash, transaction);
      this.#outside.unshift(...outside);
      lists.splice(0, lists.length, ...lists.map(() => []));
    }
    for (let index = 0; index < (wish.length ?? lists.length); index++) {
      const time = abandoned[index]?.time ?? this.#timeAfterTip();
      const transactions = lists[index] ?? [];
      this.#append({ time, transactions, logsBefore: wish.logsBefore ?? 0 });
    }
  }

  /** The nodes forget what waits. */
  dropPool(): void {
    this.#pool.clear();
    this.#outside = [];
  }

  /** Hashes of what waits, our wallets' only. */
  get waiting(): readonly string[] {
    return [...this.#pool.keys()];
  }

  /** All successful transfers to an address on the branch that counts, oldest first. */
  transfersTo(address: string): readonly ChainTransfer[] {
    return this.#blocks
      .flatMap(({ executions }) => executions.flatMap(({ transfers }) => transfers))
      .filter(({ to }) => to === address);
  }

  /** On the branch that counts, all there is was made once, and but for burned gas is still there. */
  assertConserved(): void {
    this.#tip.after.assertConserved();
  }

  // The port.

  readonly head = (): Promise<ChainHead> =>
    this.faults.answer(
      "head",
      () => this.#headAt(this.#tip.number),
      (fault, head) => {
        if (fault.kind === "old") return this.#headAt(head.number - BigInt(fault.blocks));
        if (fault.kind !== "other_chain") return head;
        return { ...head, ...foreign(head), chainId: "eip155:666" };
      },
    );

  readonly block = (
    number: bigint,
    contracts: readonly (string | null)[],
  ): Promise<BlockContent | undefined> =>
    this.faults.answer(
      "block",
      () => this.#contentOf(number, contracts),
      (fault, block) => block && this.#altered(fault, block, contracts),
    );

  readonly balance = (address: string, contractAddress: string | null): Promise<bigint> =>
    this.balanceNow(address, contractAddress);

  protected readonly balanceNow = (
    address: string,
    contractAddress: string | null,
  ): Promise<bigint> =>
    this.faults.answer("balance", () => this.#tip.after.balance(address, contractAddress));

  readonly balanceAt = (
    address: string,
    contractAddress: string | null,
    blockHash: string,
  ): Promise<bigint> =>
    this.faults.answer("balanceAt", () => {
      const block = this.#blocks.find(({ hash }) => hash === blockHash);
      if (block === undefined) throw chainUnavailable();
      return block.after.balance(address, contractAddress);
    });

  /** It is one node. */
  readonly agreedBalanceAt = this.balanceAt;

  readonly minedCount = (address: string): Promise<bigint> =>
    this.faults.answer("minedCount", () => this.#tip.after.nonce(address));

  readonly fees = (): Promise<ChainFees> =>
    this.faults.answer("fees", () => {
      const maxPriorityFeePerGas = gwei;
      return { maxFeePerGas: 2n * this.baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas };
    });

  readonly send = (raw: Uint8Array): Promise<SendResult> =>
    this.faults.answer("send", () => this.#take(raw));

  readonly receipt = (txHash: string): Promise<ChainReceipt | undefined> =>
    this.faults.answer(
      "receipt",
      () => this.#receiptOf(txHash),
      (fault, receipt) => (fault.kind === "less" && receipt ? withLess(receipt) : receipt),
    );

  readonly minedTransaction = (txHash: string): Promise<MinedOfAnyKind | undefined> =>
    this.faults.answer("minedTransaction", () => {
      const found = this.executed(({ transaction }) => transaction.hash === txHash);
      return found && minedOf(found.transaction, found.block.number);
    });

  /** What the chain itself knows, without its faults. */
  isMined(txHash: string): boolean {
    return this.#receiptOf(txHash) !== undefined;
  }

  #receiptOf(txHash: string): ChainReceipt | undefined {
    return this.executed(({ transaction }) => transaction.hash === txHash);
  }

  /** The first on the branch that counts. */
  protected executed(fits: (execution: Execution) => boolean): Executed | undefined {
    for (const block of this.#blocks) {
      const found = block.executions.find(fits);
      if (found === undefined) continue;
      const { transaction, isSuccess, gasCostRaw, transfers } = found;
      const txHash = transaction.hash;
      return { txHash, block: headerOf(block), isSuccess, gasCostRaw, transfers, transaction };
    }
    return undefined;
  }

  /** Of a payer's authorization, in the newest block. */
  protected isUsed(payer: string, nonce: string): boolean {
    return this.#tip.after.isUsed(payer, nonce);
  }

  get #tip(): ScriptedBlock {
    const tip = this.#blocks.at(-1);
    if (tip === undefined) throw new Error("there is always a first block");
    return tip;
  }

  #timeAfterTip(): Date {
    return new Date(this.#tip.time.getTime() + blockSeconds * 1000);
  }

  #append({ time, transactions, logsBefore }: NextBlock): void {
    const { number: parentNumber, hash: parentHash, after: before } = this.#tip;
    const after = new ScriptedLedger(before);
    const executions: Execution[] = [];
    let logIndex = logsBefore;
    let wallets = 0;
    // In the order of the numbers of each account, whatever the order in which they came.
    const inOrder = transactions.toSorted((one, other) => Number(orderOf(one) - orderOf(other)));
    for (const transaction of inOrder) {
      if (transaction.kind === "wallet" && wallets === this.perBlockMax) continue;
      const rules = { time, baseFee: this.baseFee, reverting: this.reverting, logIndex };
      const execution = after.execute(transaction, rules);
      if (execution === undefined) continue;
      executions.push(execution);
      logIndex += execution.transfers.filter(({ contractAddress }) => contractAddress).length;
      if (transaction.kind === "wallet") wallets += 1;
    }
    const number = parentNumber + 1n;
    const hashes = executions.map(({ transaction }) => transaction.hash);
    const said = [this.chainId, number, parentHash, time.toISOString(), this.#branches, ...hashes];
    const block = { number, hash: hashOf(said.join(" ")), parentHash, time };
    this.#blocks.push({ ...block, executions, after });
    this.#forgetUsedNumbers();
  }

  /** What was mined, and what lost against another transaction of its number. */
  #forgetUsedNumbers(): void {
    for (const [hash, { from, intent }] of this.#pool) {
      if (intent.nonce < this.#tip.after.nonce(from)) this.#pool.delete(hash);
    }
  }

  #take(raw: Uint8Array): SendResult {
    const decoded = decodeTransfer(raw);
    const { chainId, from, intent } = decoded;
    if (chainId !== this.chainId) throw new Error(`signed for ${chainId}`);
    const hash = hashOf(raw);
    const { after } = this.#tip;
    if (intent.nonce < after.nonce(from)) return "nonce_used";
    if (this.#pool.has(hash)) return "known";
    const { maxFeePerGas, maxPriorityFeePerGas } = intent.fees;
    if (maxFeePerGas < this.acceptedFeeMin) return "underpriced";
    const value = intent.contractAddress === null ? intent.amountRaw : 0n;
    if (after.balance(from, null) < value + gasOf(decoded) * maxFeePerGas) return "unfunded";
    const rival = [...this.#pool.values()].find(
      (one) => one.from === from && one.intent.nonce === intent.nonce,
    );
    if (rival !== undefined) {
      const isMore =
        isTenthMore(maxFeePerGas, rival.intent.fees.maxFeePerGas) &&
        isTenthMore(maxPriorityFeePerGas, rival.intent.fees.maxPriorityFeePerGas);
      if (!isMore) return "underpriced";
      this.#pool.delete(rival.hash);
    }
    this.#pool.set(hash, { kind: "wallet", hash, ...decoded });
    return "accepted";
  }

  #headAt(number: bigint): ChainHead {
    const block = this.#blocks[Number(number < 0n ? 0n : number)] ?? this.#tip;
    const { safeLag, finalizedLag } = this.#options;
    const behind = (lag: bigint | undefined): bigint | undefined => {
      if (lag === undefined) return undefined;
      return block.number > lag ? block.number - lag : 0n;
    };
    return {
      ...headerOf(block),
      chainId: this.chainId,
      safeNumber: behind(safeLag),
      finalizedNumber: behind(finalizedLag),
    };
  }

  #contentOf(number: bigint, contracts: readonly (string | null)[]): BlockContent | undefined {
    const block = this.#blocks[Number(number)];
    if (block === undefined) return undefined;
    const transfers = block.executions
      .flatMap((execution) => execution.transfers)
      .filter(({ contractAddress }) => contracts.includes(contractAddress));
    return { ...headerOf(block), transfers };
  }

  #altered(
    fault: ChainFault,
    block: BlockContent,
    contracts: readonly (string | null)[],
  ): BlockContent | undefined {
    switch (fault.kind) {
      case "old":
        return this.#contentOf(block.number - BigInt(fault.blocks), contracts);
      case "other_chain":
        return { ...block, ...foreign(block) };
      case "no_transfers":
        return { ...block, transfers: [] };
      case "forged":
        return { ...block, transfers: [...block.transfers, fault.transfer] };
      default:
        return block;
    }
  }
}
