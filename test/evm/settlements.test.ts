// What x402 asks of a chain, on a real one with the tokens, Permit2 and the proxies.

import { hexToBytes, keccak256 } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { encodeAction, hexOf, permit2Address } from "../../adapters/evm/calldata.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import type { PaymentAuthorization } from "../../service/ports/signer.ts";
import { signCancel } from "../local-chain/signing.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { testAccounts } from "../support/test-accounts.ts";
import { chainNumber, eip3009, permit2, signedBy, usdDomain, wordOf } from "./authorizations.ts";
import { type FaultyEndpoint, collectingLog, startFaultyEndpoint } from "./faulty-endpoint.ts";

const [payer, relayer, shop, stranger, poor] = testAccounts;
const { log } = collectingLog();
let local: TestChain;
let endpoint: FaultyEndpoint;
let chain: SettlementChain;
let nonces = 1_000;

beforeAll(async () => {
  local = await startTestChain();
  await local.mint(payer.address, 10n ** 12n);
  endpoint = await startFaultyEndpoint(local.url);
  const { chainId } = local;
  chain = await openEvmChain({ chainId, urls: [endpoint.url], clock: systemClock, log });
});
afterAll(async () => {
  await endpoint.close();
  await local.close();
});

/** With a nonce that nobody has used. */
const fresh = { eip3009, permit2, exact: () => permit2({ scheme: "exact" }) };
type Kind = keyof typeof fresh;
const kinds: readonly Kind[] = ["eip3009", "permit2", "exact"];

function authorizationOf(kind: Kind): PaymentAuthorization {
  const nonce = wordOf((nonces += 1));
  return { ...fresh[kind](), nonce };
}

async function actionOf(authorization: PaymentAuthorization, amountRaw = authorization.amountRaw) {
  const signed = await signedBy(payer, authorization);
  return { kind: "settle", signed, amountRaw } as const;
}

/** Mined, by whomever. */
async function settle(authorization: PaymentAuthorization, amountRaw?: bigint): Promise<string> {
  const { to, data } = encodeAction(await actionOf(authorization, amountRaw));
  const hash = await local.send({ from: relayer.address, to, data });
  await local.mine();
  return hash;
}

test("knows who has signed", async () => {
  for (const kind of kinds) {
    const signed = await signedBy(payer, authorizationOf(kind));
    expect(chain.signerOf(signed)).toBe(payer.address);
  }
});

describe.each(kinds)("an authorization by %s", (kind) => {
  beforeAll(() => approvePermit2(local, payer.address));

  test("can be settled: it has a state, costs gas, moves money and is used", async () => {
    const authorization = authorizationOf(kind);
    const { amountRaw } = authorization;
    const before = await chain.authorizationState(authorization);
    expect(before.isUsed).toBe(false);
    expect(before.balanceRaw).toBe(await local.balanceOf(payer.address));
    expect(before.allowanceRaw === null).toBe(kind === "eip3009");
    const action = await actionOf(authorization);
    const estimate = await chain.estimate(relayer.address, action);
    expect(estimate).toMatchObject({ isPossible: true });
    const { number } = await local.newestBlock();
    expect(await chain.useOf(authorization, number)).toBeUndefined();

    const { to, data, value } = encodeAction(action);
    const raw = await relayer.signTransaction({
      type: "eip1559",
      chainId: chainNumber,
      nonce: Number(await chain.minedCount(relayer.address)),
      gas: estimate.isPossible ? estimate.gasUnits : 0n,
      to,
      data,
      value,
      ...(await chain.fees()),
    });
    expect(await chain.settlementReceipt(keccak256(raw), authorization)).toBeUndefined();
    expect(await chain.send(hexToBytes(raw))).toBe("accepted");
    await local.mine();

    const receipt = await chain.settlementReceipt(keccak256(raw), authorization);
    expect(receipt).toMatchObject({
      isSuccess: true,
      isAuthorizationUsed: true,
      transfers: [
        { contractAddress: local.usdAddress, from: payer.address, to: shop.address, amountRaw },
      ],
    });
    expect(await chain.useOf(authorization, number)).toEqual({
      kind: "settled",
      txHash: keccak256(raw),
    });
    const after = await chain.authorizationState(authorization);
    expect(after).toMatchObject({ isUsed: true, balanceRaw: before.balanceRaw - amountRaw });
    expect(await chain.estimate(relayer.address, action)).toMatchObject({ isPossible: false });
  });

  test("that somebody else has settled is found, and only from its block on", async () => {
    const authorization = authorizationOf(kind);
    const { number } = await local.mine(2);
    const hash = await settle(authorization);
    await local.mine(2);
    expect(await chain.useOf(authorization, number)).toEqual({ kind: "settled", txHash: hash });
    expect(await chain.useOf(authorization, number + 2n)).toBeUndefined();
    // Another one of the same payer is not this one.
    const other = authorizationOf(kind);
    expect(await chain.useOf(other, 0n)).toBeUndefined();
    expect(await chain.settlementReceipt(hash, other)).toMatchObject({
      isSuccess: true,
      isAuthorizationUsed: false,
    });
  });

  test("in an abandoned block is not used", async () => {
    const authorization = authorizationOf(kind);
    const { number } = await local.mine();
    const hash = await settle(authorization);
    await local.reorg(1);
    expect(await chain.settlementReceipt(hash, authorization)).toBeUndefined();
    expect(await chain.useOf(authorization, number)).toBeUndefined();
    expect((await chain.authorizationState(authorization)).isUsed).toBe(false);
  });

  test("whose transaction fails is not used by it", async () => {
    const authorization = { ...authorizationOf(kind), amountRaw: 10n ** 30n };
    const hash = await settle(authorization);
    const receipt = await chain.settlementReceipt(hash, authorization);
    expect(receipt).toMatchObject({ isSuccess: false, isAuthorizationUsed: false, transfers: [] });
    const estimate = await chain.estimate(relayer.address, await actionOf(authorization));
    expect(estimate.isPossible).toBe(false);
    if (!estimate.isPossible) expect(estimate.text).toMatch(/^[^\p{Cc}]+$/u);
  });

  test("is a matter for another day when the chain does not answer", async () => {
    const authorization = authorizationOf(kind);
    const action = await actionOf(authorization);
    endpoint.faults.answer = ({ id }) => ({
      id,
      error: { code: -32_000, message: "header not found" },
    });
    try {
      for (const question of [
        () => chain.authorizationState(authorization),
        () => chain.estimate(relayer.address, action),
        () => chain.useOf(authorization, 0n),
        () => chain.settlementReceipt(wordOf(1), authorization),
      ]) {
        await expect(question()).rejects.toMatchObject({ code: "chain_unavailable" });
      }
    } finally {
      endpoint.faults.answer = (_message, reply) => reply;
    }
  });
});

test("of the scheme upto, less than the most is settled too", async () => {
  await approvePermit2(local, payer.address);
  const authorization = authorizationOf("permit2");
  const hash = await settle(authorization, 7n);
  expect(await chain.settlementReceipt(hash, authorization)).toMatchObject({
    isAuthorizationUsed: true,
    transfers: [{ amountRaw: 7n }],
  });
  expect(await chain.useOf(authorization, 0n)).toEqual({ kind: "settled", txHash: hash });
});

test("what a payer takes back is found as cancelled", async () => {
  const one = authorizationOf("eip3009");
  const cancelled = await local.write(stranger.address, {
    contract: "TestUSD",
    address: local.usdAddress,
    functionName: "cancelAuthorization",
    parameters: [payer.address, one.nonce, await signCancel(local, payer, hexOf(one.nonce))],
  });
  const other = authorizationOf("permit2");
  const number = BigInt(other.nonce);
  const invalidate = (nonce: bigint) =>
    local.write(payer.address, {
      contract: "LocalPermit2",
      address: permit2Address,
      functionName: "invalidateUnorderedNonces",
      parameters: [nonce >> 8n, 1n << (nonce & 255n)],
    });
  // Before it, another bit of the same word, and the same bit of another word.
  for (const step of [2n, 512n]) await invalidate(number + step);
  const invalidated = await invalidate(number);
  await local.mine();
  expect(await chain.useOf(one, 0n)).toEqual({ kind: "cancelled", txHash: cancelled });
  expect(await chain.useOf(other, 0n)).toEqual({ kind: "cancelled", txHash: invalidated });
  expect((await chain.authorizationState(other)).isUsed).toBe(true);
  // Another bit of the same word, and the same bit of another word.
  for (const step of [1n, 256n]) {
    const neighbour = { ...other, nonce: wordOf(number + step) };
    expect(await chain.useOf(neighbour, 0n)).toBeUndefined();
  }
});

test("a sweep by an authorization is estimated without its signature", async () => {
  const authorization = { ...eip3009(), from: payer.address, to: shop.address };
  const action = { kind: "collect", index: 0n, domain: usdDomain, authorization } as const;
  const estimate = await chain.estimate(relayer.address, action);
  expect(estimate).toMatchObject({ isPossible: true });
  const settled = await chain.estimate(relayer.address, await actionOf(authorizationOf("eip3009")));
  if (estimate.isPossible && settled.isPossible) {
    expect(estimate.gasUnits).toBeGreaterThan(settled.gasUnits);
  }
  const empty = { ...action, authorization: { ...authorization, from: poor.address } };
  expect(await chain.estimate(relayer.address, empty)).toMatchObject({ isPossible: false });
});

test("a node that gives logs of few blocks only is asked more often", async () => {
  const authorization = authorizationOf("eip3009");
  const hash = await settle(authorization);
  await local.mine(20);
  endpoint.faults.answer = ({ method, params, id }, reply) => {
    if (method !== "eth_getLogs") return reply;
    // A range as the adapter asks for it.
    const [{ fromBlock, toBlock }] = params as readonly [{ fromBlock: string; toBlock: string }];
    if (BigInt(toBlock) - BigInt(fromBlock) < 10n) return reply;
    return { id, error: { code: -32_600, message: "up to a 10 block range" } };
  };
  try {
    expect(await chain.useOf(authorization, 1n)).toEqual({ kind: "settled", txHash: hash });
  } finally {
    endpoint.faults.answer = (_message, reply) => reply;
  }
});

test("the state of an authorization is one request", async () => {
  endpoint.requests.length = 0;
  await chain.authorizationState(authorizationOf("permit2"));
  expect(endpoint.requests).toEqual([3]);
});
