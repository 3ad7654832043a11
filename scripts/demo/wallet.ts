// A wallet on a developer's chain.

import { createPublicClient, createWalletClient, defineChain, http, parseAbi } from "viem";
import type { Address, Chain, Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";

/** The words that every developer's chain is made with; what they open is worth nothing. */
const words = "test test test test test test test test test test test junk";

const tokenAbi = parseAbi([
  "function transfer(address to, uint256 amount) returns (bool)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "function balanceOf(address owner) view returns (uint256)",
  "function mint(address to, uint256 value)",
]);

/** Where Permit2 is on every chain. */
const permit2: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

export class Wallet {
  readonly #account: ReturnType<typeof mnemonicToAccount>;
  readonly #chain: Chain;
  readonly #rpcUrl: string;

  /** `index`: which of the accounts that the chain was made with */
  constructor(rpcUrl: string, chainNumber: number, index: number) {
    this.#rpcUrl = rpcUrl;
    this.#account = mnemonicToAccount(words, { addressIndex: index });
    this.#chain = defineChain({
      id: chainNumber,
      name: "local chain",
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    });
  }

  /** signs typed data, too */
  get account() {
    return this.#account;
  }

  get address(): Address {
    return this.#account.address;
  }

  /** @returns the hash of the mined transaction */
  async sendToken(token: Address, to: Address, amountRaw: bigint): Promise<Hex> {
    const call = { address: token, abi: tokenAbi, functionName: "transfer" } as const;
    return this.#mined(await this.#wallet().writeContract({ ...call, args: [to, amountRaw] }));
  }

  /** @returns the hash of the mined transaction */
  async sendCoin(to: Address, amountRaw: bigint): Promise<Hex> {
    return this.#mined(await this.#wallet().sendTransaction({ to, value: amountRaw }));
  }

  /** Only the owner of a test token can. */
  async mint(token: Address, to: Address, amountRaw: bigint): Promise<Hex> {
    const call = { address: token, abi: tokenAbi, functionName: "mint" } as const;
    return this.#mined(await this.#wallet().writeContract({ ...call, args: [to, amountRaw] }));
  }

  /** What payments by Permit2 need once for each token. */
  async allowPermit2(token: Address): Promise<Hex> {
    const call = { address: token, abi: tokenAbi, functionName: "approve" } as const;
    return this.#mined(
      await this.#wallet().writeContract({ ...call, args: [permit2, 2n ** 256n - 1n] }),
    );
  }

  balance(token: Address, owner: Address = this.address): Promise<bigint> {
    const call = { address: token, abi: tokenAbi, functionName: "balanceOf" } as const;
    return this.#reader().readContract({ ...call, args: [owner] });
  }

  #wallet() {
    const { url, chain } = { url: this.#rpcUrl, chain: this.#chain };
    return createWalletClient({ account: this.#account, chain, transport: http(url) });
  }

  #reader() {
    return createPublicClient({ chain: this.#chain, transport: http(this.#rpcUrl) });
  }

  async #mined(hash: Hex): Promise<Hex> {
    const receipt = await this.#reader().waitForTransactionReceipt({
      hash,
      pollingInterval: 100,
      timeout: 30_000,
    });
    if (receipt.status !== "success") throw new Error(`${hash} was mined and reverted`);
    return hash;
  }
}
