// An EVM chain behind the ports: its blocks, its accounts, its transactions, and what x402 asks.

import type { Clock } from "../../service/ports/clock.ts";
import type {
  BlockContent,
  ChainFees,
  ChainHead,
  ChainReceipt,
  MinedOfAnyKind,
  SendResult,
} from "../../service/ports/chain.ts";
import type {
  AuthorizationState,
  AuthorizationUse,
  Estimate,
  SettlementChain,
  SettlementReceipt,
  UsedAuthorization,
  X402Proxy,
} from "../../service/ports/settlement-chain.ts";
import type {
  ChainAction,
  PaymentAuthorization,
  SignedAuthorization,
} from "../../service/ports/signer.ts";
import { Agreement } from "./agreement.ts";
import { quantity } from "./answers.ts";
import { findUse, readBalance, readBalanceAt, readState, useLimits } from "./authorization-uses.ts";
import { BlockReader } from "./blocks.ts";
import { estimateAction } from "./estimates.ts";
import { readHead } from "./heads.ts";
import { readMinedTransaction } from "./mined-transactions.ts";
import { Rpc } from "./rpc.ts";
import type { Question, RpcLimits, RpcLog, RpcObserver } from "./rpc.ts";
import { feeLimits, readFees, sendEverywhere } from "./sending.ts";
import type { FeeLimits } from "./sending.ts";
import { loadRecover } from "./signature.ts";
import type { Recover } from "./signature.ts";
import { isUsedIn, transferLogOf, usesOf } from "./transaction-uses.ts";
import { signerOf } from "./typed-data.ts";

export interface EvmChainOptions {
  /** CAIP-2 */
  readonly chainId: string;
  /** at least one; they may hold secrets */
  readonly urls: readonly string[];
  readonly clock: Clock;
  /** `error` is for what a person has to look at */
  readonly log: RpcLog;
  /**
   * From which amount on a transfer counts only if two endpoints say the same, where there are two;
   * undefined: none of this contract does.
   */
  readonly highValueRaw?: (contractAddress: string | null) => bigint | undefined;
  /** Which of these addresses are ours; all of them when left out. Others' high values may be lies. */
  readonly ownAddresses?: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Looked at by their balances where no node gives traces. An address must stay among them until the
   * blocks with its payments were read a second time; a day is enough.
   */
  readonly openAddresses?: () => Promise<readonly string[]>;
  readonly limits?: Partial<RpcLimits>;
  readonly observer?: RpcObserver | undefined;
  readonly feeLimits?: FeeLimits;
  /** 16 when left out: each sixteenth block is compared with its receipts */
  readonly spotCheckEvery?: bigint;
}

const usualSpotCheckEvery = 16n;

/** Asks nobody yet: a chain that is away at the start is one that is away for a while. */
export async function openEvmChain(options: EvmChainOptions): Promise<SettlementChain> {
  return new EvmChain(options, await loadRecover());
}

class EvmChain implements SettlementChain {
  readonly chainId: string;
  readonly #rpc: Rpc;
  readonly #agreement: Agreement;
  readonly #fees: FeeLimits;
  readonly #recover: Recover;

  constructor(options: EvmChainOptions, recover: Recover) {
    const { chainId, clock, log, openAddresses, spotCheckEvery = usualSpotCheckEvery } = options;
    this.chainId = chainId;
    this.#recover = recover;
    this.#fees = options.feeLimits ?? feeLimits;
    this.#rpc = new Rpc(options);
    const rpc = this.#rpc;
    const reader = new BlockReader({ rpc, chainId, clock, log, spotCheckEvery, openAddresses });
    this.#agreement = new Agreement({ ...options, rpc, reader });
  }

  readonly head = async (): Promise<ChainHead> => {
    const head = await this.#agreement.highest((endpoint) => readHead(endpoint, this.#rpc));
    return { ...head, chainId: this.chainId };
  };

  readonly block = (
    number: bigint,
    contracts: readonly (string | null)[],
    isAgain = false,
  ): Promise<BlockContent | undefined> => this.#agreement.block(number, contracts, isAgain);

  readonly balance = (address: string, contractAddress: string | null): Promise<bigint> =>
    this.#rpc.ask(async (endpoint) =>
      contractAddress === null
        ? quantity(await endpoint.call("eth_getBalance", [address, "latest"]), "a balance")
        : await readBalance(endpoint, contractAddress, address),
    );

  readonly balanceAt = (
    address: string,
    contractAddress: string | null,
    blockHash: string,
  ): Promise<bigint> =>
    this.#rpc.ask((endpoint) => readBalanceAt(endpoint, { contractAddress, address, blockHash }));

  readonly agreedBalanceAt = (
    address: string,
    contractAddress: string | null,
    blockHash: string,
  ): Promise<bigint> => this.#agreement.balanceAt({ address, contractAddress, blockHash });

  readonly minedCount = (address: string): Promise<bigint> =>
    this.#rpc.ask(async (endpoint) =>
      quantity(await endpoint.call("eth_getTransactionCount", [address, "latest"]), "a count"),
    );

  readonly fees = (): Promise<ChainFees> =>
    this.#rpc.ask((endpoint) => readFees(endpoint, this.#fees));

  readonly send = (raw: Uint8Array): Promise<SendResult> => sendEverywhere(this.#rpc, raw);

  readonly receipt = async (txHash: string): Promise<ChainReceipt | undefined> =>
    (await this.#agreement.receipt(txHash))?.receipt;

  readonly minedTransaction = (txHash: string): Promise<MinedOfAnyKind | undefined> => {
    const { chainNumber } = this.#rpc;
    const wish = { txHash, chainNumber, recover: this.#recover };
    return this.#rpc.ask((endpoint) => readMinedTransaction(endpoint, wish));
  };

  readonly signerOf = (signed: SignedAuthorization): string | undefined =>
    signerOf(this.#rpc.chainNumber, signed, this.#recover);

  readonly authorizationState = (
    authorization: PaymentAuthorization,
  ): Promise<AuthorizationState> => this.#rpc.ask((endpoint) => readState(endpoint, authorization));

  readonly estimate = (from: string, action: ChainAction): Promise<Estimate> =>
    this.#rpc.ask((endpoint) => estimateAction(endpoint, from, action));

  readonly useOf = (
    authorization: PaymentAuthorization,
    fromBlock: bigint,
  ): Promise<AuthorizationUse | undefined> =>
    this.#rpc.ask((endpoint) => findUse(endpoint, { authorization, fromBlock, limits: useLimits }));

  readonly settlementReceipt = async (
    txHash: string,
    authorization: PaymentAuthorization,
  ): Promise<SettlementReceipt | undefined> => {
    const found = await this.#agreement.receipt(txHash);
    if (found === undefined) return undefined;
    const ask = (question: Question<boolean>) => this.#rpc.ask(question);
    const isAuthorizationUsed = await isUsedIn(ask, found, authorization);
    const transferLog = transferLogOf(found, authorization);
    return { ...found.receipt, isAuthorizationUsed, transferLog };
  };

  readonly usesIn = async (
    txHash: string,
    proxies: readonly X402Proxy[],
  ): Promise<readonly UsedAuthorization[] | undefined> => {
    const found = await this.#agreement.receipt(txHash);
    return found && usesOf(found, proxies);
  };
}
