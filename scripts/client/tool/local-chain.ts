// Money on the local chain: its test USDC, from the account that may make it. The chain signs for that account itself, so
// no key and no library is needed here, and nothing of it works on another network.

import { setTimeout as pause } from "node:timers/promises";
import { reasonOf, ToolFailure, UsageError } from "./failures.ts";
import { inline } from "./printable.ts";
import { usd } from "./test-usd.ts";

/** Of anvil's well-known accounts the one that owns the token, see adapters/local-chain/contract-addresses.ts. */
const owner = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";
/** First four bytes of the hash of `mint(address,uint256)` and `transfer(address,uint256)` (Solidity ABI). */
const selectors = { mint: "0x40c10f19", transfer: "0xa9059cbb" } as const;
const answerMillisecondsMax = 10_000;
const receiptMillisecondsMax = 30_000;
const askMilliseconds = 100;
/** What the chain says where another program has sent from the same account at the same moment. */
const takenNonce = /nonce too low|transaction already imported|replacement transaction underpriced/;
const takenMax = 50;

export class LocalChain {
  readonly #rpcUrl: string;

  private constructor(rpcUrl: string) {
    this.#rpcUrl = rpcUrl;
  }

  /**
   * @throws {UsageError} it is another chain
   * @throws {ToolFailure} nobody answers there, or no chain does
   */
  static async open(rpcUrl: string): Promise<LocalChain> {
    const chain = new LocalChain(rpcUrl);
    const answer = await chain.#ask("eth_chainId", []);
    if (typeof answer !== "string" || !/^0x[0-9a-f]+$/i.test(answer)) {
      throw new ToolFailure(`${rpcUrl} is no chain: npm start says where the local one listens`);
    }
    if (BigInt(answer) !== BigInt(usd.chainNumber)) {
      throw new UsageError(
        `${rpcUrl} is chain ${BigInt(answer)}, and only the local chain (${usd.chainNumber}) is paid on: npm start says where it listens`,
      );
    }
    return chain;
  }

  /**
   * Test USDC, made for it.
   *
   * @param amountRaw in millionths
   * @returns the hash of the mined transaction
   */
  async pay(to: string, amountRaw: bigint): Promise<string> {
    await this.#send(callOf("mint", owner, amountRaw));
    return this.#send(callOf("transfer", to, amountRaw));
  }

  /** Blocks, which this chain makes at once for a transaction, and otherwise every half minute. */
  async makeBlocks(): Promise<void> {
    await this.#send({ to: owner });
  }

  async #send(call: Readonly<Record<string, string>>): Promise<string> {
    const hash = await this.#sent({ from: owner, ...call });
    const giveUpAt = performance.now() + receiptMillisecondsMax;
    while (performance.now() < giveUpAt) {
      const receipt = await this.#ask("eth_getTransactionReceipt", [hash]);
      if (receipt === null) {
        await pause(askMilliseconds);
        continue;
      }
      const { status } = Object(receipt) as { readonly status?: unknown };
      if (status === "0x1") return hash;
      throw new ToolFailure(`the local chain has turned ${hash} back`);
    }
    throw new ToolFailure(`the local chain has made no block with ${hash} within 30 s`);
  }

  /** The chain gives the nonce. Where somebody else got it nothing was sent, and the next one is free. */
  async #sent(transaction: Readonly<Record<string, string>>): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return String(await this.#ask("eth_sendTransaction", [transaction]));
      } catch (error) {
        const isTaken = error instanceof ToolFailure && takenNonce.test(error.message);
        if (!isTaken || attempt >= takenMax) throw error;
        await pause(Math.random() * askMilliseconds);
      }
    }
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    let answer: { readonly result?: unknown; readonly error?: { readonly message: string } };
    try {
      const response = await fetch(this.#rpcUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        signal: AbortSignal.timeout(answerMillisecondsMax),
      });
      // As JSON-RPC 2.0 has it, section 5: one of the two is there.
      answer = (await response.json()) as typeof answer;
    } catch (error) {
      throw new ToolFailure(
        `no chain answers at ${this.#rpcUrl} (${reasonOf(error)}).\nSay by --rpc where the local chain listens: npm start says so.`,
      );
    }
    if (answer.error === undefined) return answer.result;
    throw new ToolFailure(
      `the chain at ${this.#rpcUrl} says to ${method}: ${inline(answer.error.message)}`,
    );
  }
}

/** A call of the token: both parameters in 32 bytes each (Solidity ABI). */
function callOf(name: keyof typeof selectors, to: string, amountRaw: bigint) {
  const words = [to.slice(2).toLowerCase(), amountRaw.toString(16)];
  return {
    to: usd.address,
    data: selectors[name] + words.map((one) => one.padStart(64, "0")).join(""),
  };
}
