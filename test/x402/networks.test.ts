// What x402 calls chains: all short names that the official client of version 1 knows, and no others.

import { getEvmChainIdV1, NETWORKS } from "@x402/evm/v1";
import { expect, test } from "vitest";
import { chainIdOfNetwork, shortNetworkName } from "../../service/x402/networks.ts";

test.each(NETWORKS)("%s is the chain that the official client takes it for", (name) => {
  const chainId = `eip155:${getEvmChainIdV1(name)}`;
  expect(chainIdOfNetwork(name)).toBe(chainId);
  expect(shortNetworkName(chainId)).toBe(name);
});

test("what has no short name is named by CAIP-2 alone", () => {
  expect(chainIdOfNetwork("eip155:31337")).toBe("eip155:31337");
  expect(shortNetworkName("eip155:31337")).toBeUndefined();
  expect(chainIdOfNetwork("basement")).toBe("basement");
});
