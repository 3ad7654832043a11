// The scripted chain and signer for what is sent. Of authorizations they know as
// much as that they move somebody else's money.

import type { ChainFees, SignedTransfer } from "../../service/ports/chain.ts";
import type {
  AuthorizationState,
  Estimate,
  SettlementChain,
  UsedAuthorization,
} from "../../service/ports/settlement-chain.ts";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type {
  ActionIntent,
  ActionSigner,
  ChainAction,
  PayingRole,
  PaymentAuthorization,
  SignerAccounts,
  SigningAccount,
} from "../../service/ports/signer.ts";
import { ScriptedChain } from "./scripted-chain.ts";
import { addressOf, encodeTransfer } from "./scripted-signer.ts";

interface Move {
  readonly source: string;
  readonly to: string;
  readonly contractAddress: string | null;
  readonly amountRaw: bigint;
}

/** What an action moves, sent from an account. */
function moveOf(from: string, action: ChainAction): Move {
  if (action.kind === "transfer") return { source: from, ...action };
  const authorization =
    action.kind === "collect" ? action.authorization : action.signed.authorization;
  const { from: source, to, contractAddress } = authorization;
  const amountRaw = action.kind === "settle" ? action.amountRaw : authorization.amountRaw;
  return { source, to, contractAddress, amountRaw };
}

/** An authorization, and who hands it in. */
export interface SignedWish {
  readonly to: string;
  readonly amountRaw: bigint;
  readonly contractAddress: string;
  readonly from: string;
  readonly nonce: string;
  readonly isByContract: boolean;
}

export class ScriptedOutgoingChain extends ScriptedChain implements SettlementChain {
  /** in the order of the calls */
  readonly estimated: ChainAction[] = [];
  /** what the next estimates say instead */
  readonly impossible: string[] = [];
  /** nobody can say what a transfer to these would take */
  readonly silent = new Set<string>();

  /** what a transfer to these takes, by address */
  readonly gasUnits = new Map<string, bigint>();

  /** addresses whose balance was asked for */
  readonly asked: string[] = [];

  override readonly balance = (address: string, contractAddress: string | null) => {
    this.asked.push(address);
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
    const isReverting = this.reverting.has(contractAddress ?? "coin");
    if (isReverting || (await this.balanceNow(source, contractAddress)) < amountRaw) {
      return { isPossible: false, text: "execution reverted" };
    }
    const usual = contractAddress === null ? 21_000n : 50_000n;
    const to = action.kind === "transfer" ? action.to : "";
    return { isPossible: true, gasUnits: this.gasUnits.get(to) ?? usual };
  };

  readonly #signed = new Map<string, SignedWish>();

  /** Somebody hands in what a payer has signed, with the next block. Gives its hash. */
  submitSigned(wish: SignedWish): string {
    const hash = this.deposit(wish);
    this.#signed.set(hash, wish);
    return hash;
  }

  /** What a contract hands on is not seen. */
  readonly usesIn = (txHash: string): Promise<readonly UsedAuthorization[] | undefined> => {
    const signed = this.#signed.get(txHash);
    if (!this.isMined(txHash)) return Promise.resolve(undefined);
    if (signed === undefined || signed.isByContract) return Promise.resolve([]);
    const { contractAddress, from, nonce } = signed;
    return Promise.resolve([{ contractAddress, from, nonce, transferLog: null }]);
  };

  readonly authorizationState = ({
    from,
    nonce,
  }: PaymentAuthorization): Promise<AuthorizationState> => {
    const isUsed = [...this.#signed].some(
      ([hash, one]) => one.from === from && one.nonce === nonce && this.isMined(hash),
    );
    return Promise.resolve({ balanceRaw: 0n, allowanceRaw: null, isUsed });
  };

  // What only the rules of x402 ask for: test/x402 has a real chain for that.
  readonly signerOf = (): string | undefined => undefined;
  readonly useOf = () => Promise.reject(new Error("not scripted"));
  readonly settlementReceipt = () => Promise.reject(new Error("not scripted"));
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
  return encodeTransfer({ chainId, from, source, intent: { ...moved, nonce, fees } });
}
