import { describe, expect, test } from "vitest";
import { checksumAddress, domainSeparator } from "../../service/evm-address.ts";

describe("an EVM address", () => {
  // The examples of EIP-55.
  test.each([
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x27b1fdb04752bbc536007a920d24acb045561c26",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ])("%s has the checksum of EIP-55", (address) => {
    expect(checksumAddress(address.toLowerCase())).toBe(address);
  });

  // As the contracts answer on their chains.
  test.each([
    [
      "USDC on Ethereum",
      1n,
      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      "0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335",
    ],
    [
      "USDC on Base",
      8453n,
      "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      "0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f",
    ],
  ])("of %s gives the domain separator of its contract", (...row) => {
    const [, chainNumber, contractAddress, separator] = row;
    const domain = { name: "USD Coin", version: "2", chainNumber, contractAddress };
    expect(domainSeparator(domain)).toBe(separator);
  });
});
