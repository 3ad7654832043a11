// The stand-ins for Permit2 and the x402 proxies do what the originals do for a payment.

import { encodeErrorResult, encodeFunctionData, maxUint256, type Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  exactProxyAddress,
  permit2Address,
  uptoProxyAddress,
} from "../../adapters/local-chain/contract-addresses.ts";
import { LocalRpcError } from "../../adapters/local-chain/rpc.ts";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { testAccounts } from "../support/test-accounts.ts";
import {
  permitOf,
  piecesOf,
  signPermit,
  signPermit2,
  witnessOf,
  type Permit2Payment,
} from "./signing.ts";

const [payer, relayer, shop, stranger] = testAccounts;
const genesisSeconds = 1_800_000_000;
const later = BigInt(genesisSeconds + 3_600);

let chain: TestChain;
let start: unknown;

beforeAll(async () => {
  chain = await startTestChain({ genesisSeconds, secondsPerBlock: 1 });
  await chain.mint(payer.address, 1_000_000_000n);
  start = await chain.snapshot();
});
beforeEach(async () => {
  await chain.revert(start);
  start = await chain.snapshot();
});
afterAll(() => chain.close());

const payment = (more: Partial<Permit2Payment> = {}): Permit2Payment => ({
  token: chain.usdAddress,
  amount: 5_000_000n,
  nonce: 12_345n,
  deadline: later,
  to: shop.address,
  validAfter: 0n,
  ...more,
});
const uptoPayment = (more: Partial<Permit2Payment> = {}) =>
  payment({ facilitator: relayer.address, ...more });

const approve = () => approvePermit2(chain, payer.address);

interface Settling {
  readonly one: Permit2Payment;
  readonly signature: Hex;
  readonly owner?: Hex;
  readonly amount?: bigint;
  readonly from?: Hex;
}

const call = ({ one, signature, owner, amount }: Settling) => ({
  contract: one.facilitator === undefined ? "LocalExactProxy" : "LocalUptoProxy",
  address: one.facilitator === undefined ? exactProxyAddress : uptoProxyAddress,
  functionName: "settle",
  parameters: [
    permitOf(one),
    ...(one.facilitator === undefined ? [] : [amount ?? one.amount]),
    owner ?? payer.address,
    witnessOf(one),
    signature,
  ],
});

async function settles(settling: Settling): Promise<boolean | undefined> {
  const hash = await chain.write(settling.from ?? relayer.address, call(settling));
  await chain.mine();
  return (await chain.receipt(hash))?.isSuccess;
}

/** What the chain answers to it: the data of the error. */
async function refusal(settling: Settling): Promise<unknown> {
  const { contract, address, functionName, parameters } = call(settling);
  const data = encodeFunctionData({ abi: chain.abiOf(contract), functionName, args: parameters });
  const from = settling.from ?? relayer.address;
  try {
    await chain.rpc("eth_call", [{ from, to: address, data }]);
    return undefined;
  } catch (error) {
    return error instanceof LocalRpcError ? error.data : error;
  }
}

const errorData = (contract: string, errorName: string, parameters: readonly unknown[] = []) =>
  encodeErrorResult({ abi: chain.abiOf(contract), errorName, args: parameters });

describe("exact", () => {
  test("moves all that was signed, from anybody, once", async () => {
    await approve();
    const one = payment();
    const signature = await signPermit2(chain, payer, one);
    expect(await settles({ one, signature, from: stranger.address })).toBe(true);
    expect(await chain.balanceOf(shop.address)).toBe(one.amount);
    expect(await refusal({ one, signature })).toBe(errorData("LocalPermit2", "InvalidNonce"));
  });

  test("sends it to nobody else", async () => {
    await approve();
    const one = payment();
    const signature = await signPermit2(chain, payer, one);
    expect(await refusal({ one: { ...one, to: stranger.address }, signature })).toBe(
      errorData("LocalPermit2", "InvalidSigner"),
    );
  });

  test("moves nothing before its time or after its deadline", async () => {
    await approve();
    const early = payment({ validAfter: later });
    expect(await refusal({ one: early, signature: await signPermit2(chain, payer, early) })).toBe(
      errorData("LocalExactProxy", "PaymentTooEarly"),
    );
    const late = payment({ deadline: 1n });
    expect(await refusal({ one: late, signature: await signPermit2(chain, payer, late) })).toBe(
      errorData("LocalPermit2", "SignatureExpired", [1n]),
    );
  });

  test("moves nothing that the token does not let Permit2 move", async () => {
    const one = payment();
    expect(await settles({ one, signature: await signPermit2(chain, payer, one) })).toBe(false);
  });

  test("can bring the approval along, signed by EIP-2612", async () => {
    const one = payment();
    const approval = { spender: permit2Address, value: one.amount, nonce: 0n, deadline: later };
    const [v, r, s] = piecesOf(await signPermit(chain, payer, approval));
    const hash = await chain.write(stranger.address, {
      contract: "LocalExactProxy",
      address: exactProxyAddress,
      functionName: "settleWithPermit",
      parameters: [
        { value: one.amount, deadline: later, r, s, v },
        permitOf(one),
        payer.address,
        witnessOf(one),
        await signPermit2(chain, payer, one),
      ],
    });
    await chain.mine();
    expect((await chain.receipt(hash))?.isSuccess).toBe(true);
    expect(await chain.balanceOf(shop.address)).toBe(one.amount);
  });

  test("asks a wallet with code by ERC-1271", async () => {
    const wallet = await chain.deploy("OwnedWallet", [payer.address]);
    await chain.mint(wallet, 5_000_000n);
    const data = encodeFunctionData({
      abi: chain.abiOf("TestUSD"),
      functionName: "approve",
      args: [permit2Address, maxUint256],
    });
    await chain.write(payer.address, {
      contract: "OwnedWallet",
      address: wallet,
      functionName: "execute",
      parameters: [chain.usdAddress, data],
    });
    await chain.mine();
    const one = payment();
    const foreign = await signPermit2(chain, stranger, one);
    expect(await refusal({ one, signature: foreign, owner: wallet })).toBe(
      errorData("LocalPermit2", "InvalidContractSignature"),
    );
    const signature = await signPermit2(chain, payer, one);
    expect(await settles({ one, signature, owner: wallet })).toBe(true);
  });
});

describe("upto", () => {
  test("moves less than was signed, and the rest stays with the payer", async () => {
    await approve();
    const one = uptoPayment();
    const signature = await signPermit2(chain, payer, one);
    expect(await settles({ one, signature, amount: 2_000_000n })).toBe(true);
    expect(await chain.balanceOf(shop.address)).toBe(2_000_000n);
    expect(await refusal({ one, signature, amount: 1n })).toBe(
      errorData("LocalPermit2", "InvalidNonce"),
    );
  });

  test("never moves more than was signed", async () => {
    await approve();
    const one = uptoPayment();
    const signature = await signPermit2(chain, payer, one);
    expect(await refusal({ one, signature, amount: one.amount + 1n })).toBe(
      errorData("LocalUptoProxy", "AmountExceedsPermitted"),
    );
  });

  test("is settled by nobody but the facilitator whom the payer has signed for", async () => {
    await approve();
    const one = uptoPayment();
    const signature = await signPermit2(chain, payer, one);
    expect(await refusal({ one, signature, from: stranger.address })).toBe(
      errorData("LocalUptoProxy", "UnauthorizedFacilitator"),
    );
    const changed = { ...one, facilitator: stranger.address };
    expect(await refusal({ one: changed, signature, from: stranger.address })).toBe(
      errorData("LocalPermit2", "InvalidSigner"),
    );
  });
});

test("a payer can cancel a nonce of Permit2", async () => {
  await approve();
  const one = payment({ nonce: 256n * 7n + 3n });
  const signature = await signPermit2(chain, payer, one);
  await chain.write(payer.address, {
    contract: "LocalPermit2",
    address: permit2Address,
    functionName: "invalidateUnorderedNonces",
    parameters: [7n, 1n << 3n],
  });
  await chain.mine();
  expect(await refusal({ one, signature })).toBe(errorData("LocalPermit2", "InvalidNonce"));
});
