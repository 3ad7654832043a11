// Where the contracts of the local chain stand. catalog.json names the same addresses.

import type { Hex } from "viem";

export const localChainNumber = 31_337n;

/**
 * An account of anvil's well-known phrase, so the chain itself signs for it and no key is held here.
 * It owns TestUSD and gives coin away.
 */
export const ownerAddress: Hex = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";

/** Of the first contract that the owner makes. */
export const testUsdAddress: Hex = "0x700b6A60ce7EaaEA56F065753d8dcB9653dbAD35";

export const permit2Address: Hex = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
export const exactProxyAddress: Hex = "0x402085c248EeA27D92E8b30b2C58ed07f9E20001";
export const uptoProxyAddress: Hex = "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002";
const multicall3Address: Hex = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Contracts that are not made by a transaction: their code is put where wallets look for it. */
export const standIns: ReadonlyMap<Hex, string> = new Map([
  [permit2Address, "LocalPermit2"],
  [exactProxyAddress, "LocalExactProxy"],
  [uptoProxyAddress, "LocalUptoProxy"],
  [multicall3Address, "LocalMulticall3"],
]);
