// What a wallet reads to fill in its form: EIP-681.

import type { QuotedDeployment } from "../../service/database/tables/payments.ts";

/** Undefined: there is no such form for this chain, and a wallet gets the address alone. */
export function paymentUri(
  { chainFamily, chainId, contractAddress }: QuotedDeployment,
  address: string,
  amountRaw: bigint,
): string | undefined {
  const chain = /^eip155:([1-9]\d*)$/.exec(chainId)?.[1];
  if (chainFamily !== "evm" || chain === undefined) return undefined;
  if (contractAddress === null) return `ethereum:${address}@${chain}?value=${amountRaw}`;
  const call = `address=${address}&uint256=${amountRaw}`;
  return `ethereum:${contractAddress}@${chain}/transfer?${call}`;
}
