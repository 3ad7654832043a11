// What accounts of the scripted chain hold after a block, and what a transaction does to them.

import assert from "node:assert";
import type { ChainTransfer, MinedOfAnyKind } from "../../service/ports/chain.ts";
import { addressOf, encodeTransfer } from "./scripted-signer.ts";
import type { DecodedTransfer, ScriptedPermit } from "./scripted-signer.ts";

/** Signed by one of our wallets. */
export interface WalletTransaction extends DecodedTransfer {
  readonly kind: "wallet";
  readonly hash: string;
}

/** From the rest of the world, whose money comes from nowhere and whose gas is not our business. */
export interface OutsideTransaction {
  readonly kind: "outside";
  readonly hash: string;
  readonly transfers: readonly Omit<ChainTransfer, "txHash" | "logIndex">[];
  /** what a payer has signed, and by whom it was */
  readonly permit?: (ScriptedPermit & { readonly payer: string }) | undefined;
}

export type ScriptedTransaction = WalletTransaction | OutsideTransaction;

/** A mined one. */
export interface Execution {
  readonly transaction: ScriptedTransaction;
  readonly isSuccess: boolean;
  readonly gasCostRaw: bigint;
  readonly transfers: readonly ChainTransfer[];
}

export interface ExecutionRules {
  /** of the block */
  readonly time: Date;
  readonly baseFee: bigint;
  /** hashes of transactions, and addresses of contracts whose transfers all fail */
  readonly reverting: ReadonlySet<string>;
  /** of the first log of the transaction */
  readonly logIndex: number;
}

const nativeGas = 21_000n;
const tokenGas = 50_000n;
const coin = "coin";

export function gasOf({ intent }: DecodedTransfer): bigint {
  return intent.contractAddress === null ? nativeGas : tokenGas;
}

export class ScriptedLedger {
  /** by contract (or `coin`) and address */
  readonly #balances: Map<string, bigint>;
  readonly #nonces: Map<string, bigint>;
  /** by contract (or `coin`): all that ever was made */
  readonly #minted: Map<string, bigint>;
  #burned: bigint;
  /** by payer and nonce */
  readonly #used: Set<string>;

  constructor(before?: ScriptedLedger) {
    this.#balances = new Map(before === undefined ? [] : before.#balances);
    this.#nonces = new Map(before === undefined ? [] : before.#nonces);
    this.#minted = new Map(before === undefined ? [] : before.#minted);
    this.#burned = before === undefined ? 0n : before.#burned;
    this.#used = new Set(before === undefined ? [] : before.#used);
  }

  balance(address: string, contractAddress: string | null): bigint {
    return this.#balances.get(`${contractAddress ?? coin} ${address}`) ?? 0n;
  }

  nonce(address: string): bigint {
    return this.#nonces.get(address) ?? 0n;
  }

  isUsed(payer: string, nonce: string): boolean {
    return this.#used.has(`${payer} ${nonce}`);
  }

  mint(address: string, contractAddress: string | null, amountRaw: bigint): void {
    const asset = contractAddress ?? coin;
    this.#minted.set(asset, (this.#minted.get(asset) ?? 0n) + amountRaw);
    this.#add(address, contractAddress, amountRaw);
  }

  /** Undefined: it has to wait. */
  execute(transaction: ScriptedTransaction, rules: ExecutionRules): Execution | undefined {
    if (transaction.kind === "wallet") return this.#executeWallet(transaction, rules);
    const { permit } = transaction;
    const isReverting = rules.reverting.has(transaction.hash);
    if (isReverting || (permit !== undefined && !this.#use(permit.payer, permit, rules))) {
      return { transaction, isSuccess: false, gasCostRaw: 0n, transfers: [] };
    }
    let logIndex = rules.logIndex;
    let internal = 0;
    const transfers = transaction.transfers.map((transfer) => {
      this.mint(transfer.to, transfer.contractAddress, transfer.amountRaw);
      const index = transfer.contractAddress === null ? --internal : logIndex++;
      return { txHash: transaction.hash, logIndex: index, ...transfer };
    });
    return { transaction, isSuccess: true, gasCostRaw: 0n, transfers };
  }

  /** All there is was made once, and but for burned gas it is still there. */
  assertConserved(): void {
    const sums = new Map<string, bigint>([[coin, this.#burned]]);
    for (const [key, amountRaw] of this.#balances) {
      const [asset = ""] = key.split(" ");
      assert(amountRaw >= 0n, `${key} is below zero`);
      sums.set(asset, (sums.get(asset) ?? 0n) + amountRaw);
    }
    for (const [asset, sum] of sums) {
      const minted = this.#minted.get(asset) ?? 0n;
      assert(sum === minted, `of ${asset} there were made ${minted}, and there are ${sum}`);
    }
  }

  #executeWallet(transaction: WalletTransaction, rules: ExecutionRules): Execution | undefined {
    const { baseFee, reverting, logIndex } = rules;
    const { hash, from, source, permit, intent } = transaction;
    const { to, contractAddress, amountRaw, fees } = intent;
    const offered = baseFee + fees.maxPriorityFeePerGas;
    const price = offered < fees.maxFeePerGas ? offered : fees.maxFeePerGas;
    const gasCostRaw = gasOf(transaction) * price;
    const isCoin = contractAddress === null;
    if (intent.nonce !== this.nonce(from) || fees.maxFeePerGas < baseFee) return undefined;
    if (this.balance(from, null) < gasCostRaw + (isCoin ? amountRaw : 0n)) return undefined;
    this.#nonces.set(from, intent.nonce + 1n);
    this.#add(from, null, -gasCostRaw);
    this.#burned += gasCostRaw;
    const isSuccess =
      !reverting.has(hash) &&
      !reverting.has(contractAddress ?? coin) &&
      this.balance(source, contractAddress) >= amountRaw &&
      (permit === undefined || this.#use(source, permit, rules));
    if (!isSuccess) return { transaction, isSuccess, gasCostRaw, transfers: [] };
    this.#add(source, contractAddress, -amountRaw);
    this.#add(to, contractAddress, amountRaw);
    const transfer = { txHash: hash, contractAddress, from: source, to, amountRaw };
    const transfers = [{ ...transfer, logIndex: isCoin ? -1 : logIndex }];
    return { transaction, isSuccess, gasCostRaw, transfers };
  }

  /** False: it was used before, or it is too late. */
  #use(payer: string, { nonce, validBefore }: ScriptedPermit, { time }: ExecutionRules): boolean {
    if (this.isUsed(payer, nonce) || BigInt(Math.floor(time.getTime() / 1000)) > validBefore) {
      return false;
    }
    this.#used.add(`${payer} ${nonce}`);
    return true;
  }

  #add(address: string, contractAddress: string | null, amountRaw: bigint): void {
    const key = `${contractAddress ?? coin} ${address}`;
    this.#balances.set(key, (this.#balances.get(key) ?? 0n) + amountRaw);
  }
}

/** As a chain says it to whoever asks for the transaction. */
export function minedOf(transaction: ScriptedTransaction, blockNumber: bigint): MinedOfAnyKind {
  if (transaction.kind !== "wallet") {
    const account = addressOf("the rest of the world");
    const nothing = { raw: undefined, transfer: undefined, collect: undefined };
    return { ...nothing, account, nonce: 0n, blockNumber };
  }
  const { from, source, permit, intent } = transaction;
  const { nonce, fees, to, contractAddress, amountRaw } = intent;
  const isCollected = permit !== undefined && contractAddress !== null;
  return {
    ...encodeTransfer(transaction),
    account: from,
    nonce,
    gasUnitsMax: gasOf(transaction),
    fees,
    blockNumber,
    transfer: source === from ? { to, contractAddress, amountRaw } : undefined,
    collect: isCollected
      ? { ...permit, validAfter: 0n, contractAddress, from: source, to, amountRaw }
      : undefined,
  };
}
