import { permit2Address } from "../../adapters/local-chain/contract-addresses.ts";
import type { TestChain } from "./local-chain.ts";

/** Once for a payer who uses Permit2: it may move all of their TestUSD. */
export async function approvePermit2(
  chain: Pick<TestChain, "write" | "mine" | "usdAddress">,
  payer: string,
): Promise<void> {
  await chain.write(payer, {
    contract: "TestUSD",
    address: chain.usdAddress,
    functionName: "approve",
    parameters: [permit2Address, 2n ** 255n],
  });
  await chain.mine();
}
