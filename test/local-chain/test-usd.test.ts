// TestUSD keeps the rules of USDC that can turn a payment away.

import { encodeErrorResult, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalRpcError } from "../../adapters/local-chain/rpc.ts";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { testAccounts } from "../support/test-accounts.ts";
import {
  nonceOf,
  partsOf,
  piecesOf,
  signCancel,
  signPermit,
  signTransfer,
  type Authorization,
} from "./signing.ts";

const [payer, relayer, shop, stranger] = testAccounts;
const genesisSeconds = 1_800_000_000;
const later = BigInt(genesisSeconds + 3_600);
/** Both forms: which one is meant follows from the parameters. */
const transferSigned = "transferWithAuthorization";

let chain: TestChain;
let nonces = 0;

beforeAll(async () => {
  chain = await startTestChain({ genesisSeconds, secondsPerBlock: 1 });
  await chain.mint(payer.address, 1_000_000_000n);
});
afterAll(() => chain.close());

function authorization(more: Partial<Authorization> = {}): Authorization {
  nonces += 1;
  return {
    from: payer.address,
    to: shop.address,
    value: 1_000_000n,
    validAfter: 0n,
    validBefore: later,
    nonce: nonceOf(nonces),
    ...more,
  };
}

const usd = (functionName: string, parameters: readonly unknown[]) => ({
  contract: "TestUSD",
  address: chain.usdAddress,
  functionName,
  parameters,
});

/** Sends, mines, and answers whether it went through. */
async function runs(from: string, functionName: string, parameters: readonly unknown[]) {
  const hash = await chain.write(from, usd(functionName, parameters));
  await chain.mine();
  return (await chain.receipt(hash))?.isSuccess;
}

/** The name of the error that the token answers to a call. */
async function refusal(functionName: string, parameters: readonly unknown[]): Promise<unknown> {
  try {
    await chain.read(usd(functionName, parameters));
    return undefined;
  } catch (error) {
    return error instanceof LocalRpcError ? error.data : error;
  }
}

const errorData = (errorName: string, parameters: readonly unknown[] = []): Hex =>
  encodeErrorResult({ abi: chain.abiOf("TestUSD"), errorName, args: parameters });

describe("money moves by a signature", () => {
  test("given as bytes or in pieces, to whom it was signed for, once", async () => {
    const before = await chain.balanceOf(shop.address);
    const one = authorization();
    const signed = await signTransfer(chain, payer, one);
    expect(await runs(relayer.address, transferSigned, [...partsOf(one), signed])).toBe(true);
    expect(await refusal(transferSigned, [...partsOf(one), signed])).toBe(
      errorData("ERC3009UsedAuthorization", [one.from, one.nonce]),
    );
    const two = authorization();
    const pieces = piecesOf(await signTransfer(chain, payer, two));
    expect(await runs(relayer.address, transferSigned, [...partsOf(two), ...pieces])).toBe(true);
    expect((await chain.balanceOf(shop.address)) - before).toBe(2_000_000n);
  });

  test("and not with another amount, another recipient, or another signer", async () => {
    const one = authorization();
    const signed = await signTransfer(chain, payer, one);
    for (const changed of [{ value: 2_000_000n }, { to: stranger.address }]) {
      const parameters = [...partsOf({ ...one, ...changed }), signed];
      expect(await refusal(transferSigned, parameters)).toBe(errorData("ERC3009InvalidSignature"));
    }
    const foreign = await signTransfer(chain, stranger, one);
    expect(await refusal(transferSigned, [...partsOf(one), foreign])).toBe(
      errorData("ERC3009InvalidSignature"),
    );
  });

  test("between its two times only, both left out", async () => {
    const { timestamp } = await chain.newestBlock();
    const next = timestamp + 1n;
    const cases = [
      { validAfter: next, validBefore: later, isTaken: false },
      { validAfter: next, validBefore: later, isTaken: true },
      { validAfter: 0n, validBefore: next + 2n, isTaken: false },
    ];
    for (const { isTaken, ...times } of cases) {
      const one = authorization(times);
      const signed = await signTransfer(chain, payer, one);
      const result = await runs(relayer.address, transferSigned, [...partsOf(one), signed]);
      expect({ ...times, result }).toEqual({ ...times, result: isTaken });
    }
  });

  test("until the payer cancels it", async () => {
    const one = authorization();
    const signed = await signTransfer(chain, payer, one);
    const cancel = await signCancel(chain, payer, one.nonce);
    expect(
      await runs(stranger.address, "cancelAuthorization", [payer.address, one.nonce, cancel]),
    ).toBe(true);
    expect(await refusal(transferSigned, [...partsOf(one), signed])).toBe(
      errorData("ERC3009UsedAuthorization", [one.from, one.nonce]),
    );
  });

  test("and a permit lets somebody move it, under the version 2 of the domain", async () => {
    const approval = { spender: relayer.address, value: 77n, nonce: 0n, deadline: later };
    const signed = await signPermit(chain, payer, approval);
    const parameters = [payer.address, relayer.address, 77n, later, signed];
    expect(await runs(stranger.address, "permit", parameters)).toBe(true);
    expect(await chain.read(usd("allowance", [payer.address, relayer.address]))).toBe(77n);
    expect(await runs(stranger.address, "permit", parameters)).toBe(false);
  });
});

describe("an address with code", () => {
  test("is asked by ERC-1271, in both forms", async () => {
    const wallet = await chain.deploy("OwnedWallet", [payer.address]);
    await chain.mint(wallet, 3_000_000n);
    const one = authorization({ from: wallet });
    const signed = await signTransfer(chain, payer, one);
    expect(await runs(relayer.address, transferSigned, [...partsOf(one), signed])).toBe(true);
    const two = authorization({ from: wallet });
    const pieces = piecesOf(await signTransfer(chain, payer, two));
    expect(await runs(relayer.address, transferSigned, [...partsOf(two), ...pieces])).toBe(true);
    const three = authorization({ from: wallet });
    const foreign = await signTransfer(chain, stranger, three);
    expect(await refusal(transferSigned, [...partsOf(three), foreign])).toBe(
      errorData("ERC3009InvalidSignature"),
    );
  });

  test("cannot sign with its key, as after a delegation by EIP-7702", async () => {
    const delegate = await chain.deploy("Payer");
    await chain.mint(stranger.address, 5_000_000n);
    const one = authorization({ from: stranger.address });
    const signed = await signTransfer(chain, stranger, one);
    expect(await refusal(transferSigned, [...partsOf(one), signed])).toBeUndefined();
    await chain.rpc("anvil_setCode", [stranger.address, `0xef0100${delegate.slice(2)}`]);
    expect(await refusal(transferSigned, [...partsOf(one), signed])).toBe(
      errorData("ERC3009InvalidSignature"),
    );
    await chain.rpc("anvil_setCode", [stranger.address, "0x"]);
  });
});

describe("the owner", () => {
  test.each(["payer", "shop"] as const)("can block the %s", async (who) => {
    const blocked = { payer, shop }[who].address;
    expect(await runs(chain.ownerAddress, "setBlocked", [blocked, true])).toBe(true);
    const one = authorization();
    const signed = await signTransfer(chain, payer, one);
    const answer = errorData("Blocked", [blocked]);
    expect(await refusal(transferSigned, [...partsOf(one), signed])).toBe(answer);
    expect(await runs(payer.address, "transfer", [shop.address, 1n])).toBe(false);
    expect(await runs(chain.ownerAddress, "setBlocked", [blocked, false])).toBe(true);
    expect(await runs(payer.address, "transfer", [shop.address, 1n])).toBe(true);
  });

  test("can pause it all", async () => {
    expect(await runs(chain.ownerAddress, "setPaused", [true])).toBe(true);
    const one = authorization();
    const signed = await signTransfer(chain, payer, one);
    expect(await refusal(transferSigned, [...partsOf(one), signed])).toBe(errorData("Paused"));
    expect(await runs(payer.address, "transfer", [shop.address, 1n])).toBe(false);
    expect(await runs(payer.address, "approve", [shop.address, 1n])).toBe(false);
    expect(await runs(chain.ownerAddress, "setPaused", [false])).toBe(true);
    expect(await refusal(transferSigned, [...partsOf(one), signed])).toBeUndefined();
  });

  test("alone makes money, blocks and pauses", async () => {
    for (const [name, parameters] of [
      ["mint", [stranger.address, 1n]],
      ["setBlocked", [payer.address, true]],
      ["setPaused", [true]],
    ] as const) {
      const isDone = await runs(stranger.address, name, parameters);
      expect({ name, isDone }).toEqual({ name, isDone: false });
    }
  });
});

test("a log of the transfer and one of the authorization come with it", async () => {
  const one = authorization();
  const signed = await signTransfer(chain, payer, one);
  const hash = await chain.send({
    from: relayer.address,
    to: chain.usdAddress,
    data: encodeFunctionData({
      abi: chain.abiOf("TestUSD"),
      functionName: transferSigned,
      args: [...partsOf(one), signed],
    }),
  });
  await chain.mine();
  const topics = (await chain.receipt(hash))?.logs.map((log) => log.topics);
  expect(topics).toEqual([
    [
      "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5",
      `0x${payer.address.slice(2).toLowerCase().padStart(64, "0")}`,
      one.nonce,
    ],
    [
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      `0x${payer.address.slice(2).toLowerCase().padStart(64, "0")}`,
      `0x${shop.address.slice(2).toLowerCase().padStart(64, "0")}`,
    ],
  ]);
});
