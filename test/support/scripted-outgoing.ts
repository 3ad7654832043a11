// The scripted chain and signer for what is sent. Of authorizations they know who has signed which one,
// that each is used once, and until when.

import type { ChainFees, SignedTransfer } from "../../service/ports/chain.ts";
import type {
  AuthorizationState,
  AuthorizationUse,
  Estimate,
  SettlementChain,
  SettlementReceipt,
  UsedAuthorization,
} from "../../service/ports/settlement-chain.ts";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type {
  ActionIntent,
  ActionSigner,
  ChainAction,
  PayingRole,
  PaymentAuthorization,
  SignedAuthorization,
  SignerAccounts,
  SigningAccount,
} from "../../service/ports/signer.ts";
import type { Executed } from "./scripted-blocks.ts";
import { ScriptedChain } from "./scripted-chain.ts";
import { addressOf, encodeTransfer, hashOf } from "./scripted-signer.ts";
import type { ScriptedPermit } from "./scripted-signer.ts";

interface Move {
  readonly source: string;
  readonly to: string;
  readonly contractAddress: string | null;
  readonly amountRaw: bigint;
}

/** What an action moves, sent from an account. */
function moveOf(from: string, action: ChainAction): Move {
  if (action.kind === "transfer") return { source: from, ...action };
  const authorization = authorizationOf(action);
  const { from: source, to, contractAddress } = authorization;
  const amountRaw = action.kind === "settle" ? action.amountRaw : authorization.amountRaw;
  return { source, to, contractAddress, amountRaw };
}

function authorizationOf(action: Exclude<ChainAction, { kind: "transfer" }>): PaymentAuthorization {
  return action.kind === "collect" ? action.authorization : action.signed.authorization;
}

/** An authorization, and who hands it in. */
export interface SignedWish {
  readonly to: string;
  readonly amountRaw: bigint;
  readonly contractAddress: string;
  readonly from: string;
  readonly nonce: string;
  readonly validBefore: bigint;
  readonly isByContract: boolean;
}

/** 65 bytes of the form of a signature: whoever signed, signed all of it, for one chain. */
export function scriptedSignature(chainId: string, authorization: PaymentAuthorization): string {
  const parts = Object.entries(authorization).map(([name, value]) => `${name} ${String(value)}`);
  return `${hashOf([chainId, ...parts.toSorted()].join())}${"1".repeat(64)}1b`;
}

function endOf(authorization: PaymentAuthorization): bigint {
  return authorization.method === "eip3009" ? authorization.validBefore : authorization.deadline;
}

function permitOf({ transaction }: Pick<Executed, "transaction">) {
  const { kind, permit } = transaction;
  if (permit === undefined) return undefined;
  return { nonce: permit.nonce, payer: kind === "wallet" ? transaction.source : permit.payer };
}

export class ScriptedOutgoingChain extends ScriptedChain implements SettlementChain {
  /** in the order of the calls */
  readonly estimated: ChainAction[] = [];
  /** what the next estimates say instead */
  readonly impossible: string[] = [];
  /** nobody can say what a transfer to these would take */
  readonly silent = new Set<string>();
  /** nobody can say anything about these contracts of tokens */
  readonly silentTokens = new Set<string>();

  /** what a transfer to these takes, by address */
  readonly gasUnits = new Map<string, bigint>();

  /** addresses whose balance was asked for */
  readonly asked: string[] = [];

  override readonly balance = async (address: string, contractAddress: string | null) => {
    this.asked.push(address);
    this.#isAnswered(contractAddress);
    return this.balanceNow(address, contractAddress);
  };

  readonly estimate = async (from: string, action: ChainAction): Promise<Estimate> => {
    this.estimated.push(action);
    if (action.kind === "transfer" && this.silent.has(action.to)) {
      throw new Error("the node does not know");
    }
    const text = this.impossible.shift();
    if (text !== undefined) return { isPossible: false, text };
    const { source, contractAddress, amountRaw } = moveOf(from, action);
    this.#isAnswered(contractAddress);
    const nonce = action.kind === "settle" ? action.signed.authorization.nonce : "";
    const isReverting = this.reverting.has(contractAddress ?? "coin") || this.isUsed(source, nonce);
    if (isReverting || (await this.balanceNow(source, contractAddress)) < amountRaw) {
      return { isPossible: false, text: "execution reverted" };
    }
    const usual = contractAddress === null ? 21_000n : 50_000n;
    const to = action.kind === "transfer" ? action.to : "";
    return { isPossible: true, gasUnits: this.gasUnits.get(to) ?? usual };
  };

  #isAnswered(contractAddress: string | null): void {
    if (this.silentTokens.has(contractAddress ?? "")) throw new Error("the token does not answer");
  }

  readonly #byContract = new Set<string>();

  /** Somebody hands in what a payer has signed, with the next block. Gives its hash. */
  submitSigned(wish: SignedWish): string {
    const { from: payer, nonce, validBefore, isByContract } = wish;
    const hash = this.handIn([wish], { payer, nonce, validBefore });
    if (isByContract) this.#byContract.add(hash);
    return hash;
  }

  /** What a contract hands on is not seen. */
  readonly usesIn = (txHash: string): Promise<readonly UsedAuthorization[] | undefined> => {
    const found = this.executed(({ transaction }) => transaction.hash === txHash);
    if (found === undefined) return Promise.resolve(undefined);
    const permit = permitOf(found);
    const contractAddress = found.transfers[0]?.contractAddress;
    if (permit === undefined || !contractAddress || this.#byContract.has(txHash)) {
      return Promise.resolve([]);
    }
    const { payer: from, nonce } = permit;
    return Promise.resolve([{ contractAddress, from, nonce, transferLog: null }]);
  };

  readonly authorizationState = async ({
    from,
    nonce,
    contractAddress,
  }: PaymentAuthorization): Promise<AuthorizationState> => {
    const balanceRaw = await this.balanceNow(from, contractAddress);
    return { balanceRaw, allowanceRaw: null, isUsed: this.isUsed(from, nonce) };
  };

  readonly signerOf = ({ authorization, signature }: SignedAuthorization): string | undefined =>
    signature === scriptedSignature(this.chainId, authorization) ? authorization.from : undefined;

  readonly useOf = (
    authorization: PaymentAuthorization,
    fromBlock: bigint,
  ): Promise<AuthorizationUse | undefined> => {
    const found = this.#useOf(authorization);
    const isThere = found !== undefined && found.block.number >= fromBlock;
    return Promise.resolve(isThere ? { kind: "settled", txHash: found.txHash } : undefined);
  };

  readonly settlementReceipt = async (
    txHash: string,
    authorization: PaymentAuthorization,
  ): Promise<SettlementReceipt | undefined> => {
    const receipt = await this.receipt(txHash);
    const isAuthorizationUsed = this.#useOf(authorization)?.txHash === txHash;
    return receipt && { ...receipt, isAuthorizationUsed, transferLog: null };
  };

  #useOf({ from, nonce }: PaymentAuthorization): Executed | undefined {
    return this.executed((execution) => {
      const permit = permitOf(execution);
      return execution.isSuccess && permit?.payer === from && permit.nonce === nonce;
    });
  }
}

/** Like the real one: it signs a nonce for one thing only, besides for nothing. */
export class ScriptedActionSigner implements ActionSigner {
  readonly accounts: SignerAccounts;
  /** what is left to be refused */
  refusals = 0;
  /** what was signed, in the order of the calls */
  readonly intents: ActionIntent[] = [];
  readonly #signed = new Map<string, string>();

  constructor(hotName = "hot wallet") {
    this.accounts = {
      hotAddress: addressOf(hotName),
      settlementAddress: addressOf("settlement"),
      depositPublicKey: "xpub of nobody",
    };
  }

  readonly addressOf = (account: SigningAccount): string => {
    if (account.role === "hot") return this.accounts.hotAddress;
    if (account.role === "settlement") return this.accounts.settlementAddress;
    return addressOf(`deposit ${account.index}`);
  };

  readonly nextNonce = (chainId: string, role: PayingRole): Promise<bigint> => {
    const start = `${chainId} ${this.addressOf({ role })} `;
    const nonces = [...this.#signed.keys()]
      .filter((key) => key.startsWith(start))
      .map((key) => BigInt(key.slice(start.length)) + 1n);
    return Promise.resolve(nonces.reduce((most, one) => (one > most ? one : most), 0n));
  };

  readonly signAction = (chainId: string, intent: ActionIntent): Promise<SignedTransfer> => {
    if (this.refusals > 0) {
      this.refusals -= 1;
      return Promise.reject(new SignerRefusal("the limit of the day is used up"));
    }
    const from = this.addressOf(intent.account);
    const key = `${chainId} ${from} ${intent.nonce}`;
    const action = JSON.stringify(intent.action, (_, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    );
    const before = this.#signed.get(key) ?? action;
    if (before !== action && !isForNothing(from, intent.action)) {
      return Promise.reject(new NonceTaken(`${key} was signed for something else: ${before}`));
    }
    this.#signed.set(key, before);
    this.intents.push(intent);
    return Promise.resolve(encodeAction(chainId, from, intent));
  };
}

function isForNothing(from: string, action: ChainAction): boolean {
  if (action.kind !== "transfer" || action.contractAddress !== null) return false;
  return action.amountRaw === 0n && action.to === from;
}

function encodeAction(
  chainId: string,
  from: string,
  { nonce, action, fees }: { nonce: bigint; action: ChainAction; fees: ChainFees },
): SignedTransfer {
  const { source, ...moved } = moveOf(from, action);
  const permit = action.kind === "transfer" ? undefined : permitIn(authorizationOf(action));
  return encodeTransfer({ chainId, from, source, permit, intent: { ...moved, nonce, fees } });
}

function permitIn(authorization: PaymentAuthorization): ScriptedPermit {
  return { nonce: authorization.nonce, validBefore: endOf(authorization) };
}
