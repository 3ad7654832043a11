import { describe, expect, test } from "vitest";
import { checksumAddress, domainSeparator } from "../../service/evm-address.ts";
import { keccak256 } from "../../service/keccak.ts";

function hashOf(bytes: Uint8Array): string {
  return Buffer.from(keccak256(bytes)).toString("hex");
}

describe("keccak-256", () => {
  // The Keccak team's own vectors (ShortMsgKAT_256) and hashes that stand in Ethereum's documents.
  test.each([
    ["nothing", "", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
    ["one byte", "cc", "eead6dbfc7340a56caedc044696a168870549a6a7f6f56961e84a54bd9970b8a"],
    ["two bytes", "41fb", "a8eaceda4d47b3281a795ad9e1ea2122b407baf9aabcb9e18b5717b7873537d2"],
    ["abc", "616263", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
    [
      "the signature of Transfer",
      Buffer.from("Transfer(address,address,uint256)").toString("hex"),
      "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    ],
    [
      "the type of the EIP-712 domain",
      Buffer.from(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)",
      ).toString("hex"),
      "8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f",
    ],
  ])("of %s", (_, hex, hash) => {
    expect(hashOf(Buffer.from(hex, "hex"))).toBe(hash);
  });

  test("differs for every length around the size of a block", () => {
    const hashes = Array.from({ length: 300 }, (_, length) => hashOf(new Uint8Array(length)));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

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
