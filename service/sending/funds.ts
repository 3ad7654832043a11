// What the account that money is sent from can still pay for. Something signed that it cannot pay for
// would keep its nonce, and hold up everything behind it.

import type { Chain, ChainFees } from "../ports/chain.ts";

export interface Spending {
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  readonly amountRaw: bigint;
  /** at most */
  readonly gasUnits: bigint;
}

/** What is signed. */
export interface Promised extends Spending {
  readonly nonce: bigint;
}

export interface PayingAccount {
  readonly chain: Pick<Chain, "balance" | "minedCount">;
  readonly account: string;
  readonly fees: ChainFees;
}

/** Of one turn of the sender, which is alone with the account. */
export class SenderFunds {
  readonly #chain: PayingAccount["chain"];
  readonly #account: string;
  readonly #feePerGas: bigint;
  /** signed and not mined, so the chain does not know of it yet */
  #promised: readonly Promised[];
  /** what the chain said in this turn; nobody else spends it meanwhile */
  readonly #balances = new Map<string | null, Promise<bigint>>();
  /** A balance was asked for since it was known how many are mined. */
  #isBehind = false;

  constructor({ chain, account, fees }: PayingAccount, unmined: readonly Promised[]) {
    this.#chain = chain;
    this.#account = account;
    this.#feePerGas = fees.maxFeePerGas;
    this.#promised = unmined;
  }

  /** Throws `chain_unavailable`. */
  async cover(spending: Spending): Promise<boolean> {
    while (!(await this.#covers(spending))) if (!(await this.#isMoreMined())) return false;
    return true;
  }

  promise(promised: Promised): void {
    this.#promised = [...this.#promised, promised];
  }

  async #covers(spending: Spending): Promise<boolean> {
    const { contractAddress, amountRaw } = spending;
    const gasUnits = [...this.#promised, spending].reduce((sum, one) => sum + one.gasUnits, 0n);
    const gasRaw = gasUnits * this.#feePerGas;
    const coinRaw = contractAddress === null ? gasRaw + amountRaw : gasRaw;
    if ((await this.#left(null)) < coinRaw) return false;
    return contractAddress === null || (await this.#left(contractAddress)) >= amountRaw;
  }

  /**
   * What was not mined when the turn began may be by now, and so be gone from a balance that was asked for after that: it would
   * be missed twice. Where no more is mined than was known, nothing is; else the balances are asked for anew. As at the
   * beginning of the turn the two are questions by themselves: of a node that lags the balance may be an older one.
   */
  async #isMoreMined(): Promise<boolean> {
    if (!this.#isBehind || this.#promised.length === 0) return false;
    const minedCount = await this.#chain.minedCount(this.#account);
    this.#isBehind = false;
    const left = this.#promised.filter(({ nonce }) => nonce >= minedCount);
    if (left.length === this.#promised.length) return false;
    this.#promised = left;
    this.#balances.clear();
    return true;
  }

  async #left(contractAddress: string | null): Promise<bigint> {
    const same = this.#promised.filter((one) => one.contractAddress === contractAddress);
    const promisedRaw = same.reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
    return (await this.#balance(contractAddress)) - promisedRaw;
  }

  #balance(contractAddress: string | null): Promise<bigint> {
    const known = this.#balances.get(contractAddress);
    if (known !== undefined) return known;
    this.#isBehind = true;
    const balance = this.#chain.balance(this.#account, contractAddress);
    this.#balances.set(contractAddress, balance);
    balance.catch(() => this.#balances.delete(contractAddress));
    return balance;
  }
}
