// What the official x402 clients sign settles on the local chain, by our own call of the contract
// and through the official facilitator.

import { ExactEvmScheme as ExactClient } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactFacilitator } from "@x402/evm/exact/facilitator";
import { UptoEvmScheme as UptoClient } from "@x402/evm/upto/client";
import { UptoEvmScheme as UptoFacilitator } from "@x402/evm/upto/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { createWalletClient, defineChain, http, publicActions } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uptoProxyAddress } from "../../adapters/local-chain/contract-addresses.ts";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { testAccounts } from "../support/test-accounts.ts";

const [payer, relayer, shop] = testAccounts;
const network = "eip155:31337";

let chain: TestChain;

beforeAll(async () => {
  chain = await startTestChain();
  await chain.mint(payer.address, 1_000_000_000n);
  await approvePermit2(chain, payer.address);
});
afterAll(() => chain.close());

const requirements = (scheme: "exact" | "upto", extra: Record<string, unknown>) => ({
  scheme,
  network: network as `${string}:${string}`,
  asset: chain.usdAddress,
  amount: "1500000",
  payTo: shop.address,
  maxTimeoutSeconds: 300,
  extra: { name: "Test USD", version: "2", ...extra },
});

const methods = [
  { name: "exact, EIP-3009", scheme: "exact", extra: {} },
  { name: "exact, Permit2", scheme: "exact", extra: { assetTransferMethod: "permit2" } },
  { name: "upto, Permit2", scheme: "upto", extra: { facilitatorAddress: relayer.address } },
] as const;

function facilitators() {
  const local = defineChain({
    id: Number(chain.chainNumber),
    name: "local",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [chain.url] } },
  });
  const wallet = createWalletClient({
    account: relayer,
    chain: local,
    transport: http(chain.url),
    pollingInterval: 20,
  }).extend(publicActions);
  // The package asks for looser types than viem gives.
  const signer = toFacilitatorEvmSigner({
    address: relayer.address,
    ...(wallet as object),
  } as Parameters<typeof toFacilitatorEvmSigner>[0]);
  return { exact: new ExactFacilitator(signer), upto: new UptoFacilitator(signer) };
}

describe.each(methods)("$name", ({ scheme, extra }) => {
  const sign = async () => {
    const wanted = requirements(scheme, extra);
    const client = scheme === "exact" ? new ExactClient(payer) : new UptoClient(payer);
    const { payload } = await client.createPaymentPayload(2, wanted);
    return { wanted, payload: { x402Version: 2 as const, accepted: wanted, payload } };
  };

  test("the official facilitator takes and settles what the official client signs", async () => {
    const { wanted, payload } = await sign();
    const facilitator = facilitators()[scheme];
    expect(await facilitator.verify(payload, wanted)).toMatchObject({ isValid: true });
    const before = await chain.balanceOf(shop.address);
    await chain.setAutomine(true);
    const settled = await facilitator.settle(payload, wanted);
    await chain.setAutomine(false);
    expect(settled).toMatchObject({ success: true, payer: payer.address });
    expect((await chain.balanceOf(shop.address)) - before).toBe(1_500_000n);
    expect(await facilitator.verify(payload, wanted)).toMatchObject({ isValid: false });
  });
});

test("what the client signs for EIP-3009 settles by our own call", async () => {
  const wanted = requirements("exact", {});
  const { payload } = await new ExactClient(payer).createPaymentPayload(2, wanted);
  const { authorization, signature } = payload as {
    readonly authorization: Record<string, string>;
    readonly signature: string;
  };
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const before = await chain.balanceOf(shop.address);
  const hash = await chain.write(relayer.address, {
    contract: "TestUSD",
    address: chain.usdAddress,
    functionName: "transferWithAuthorization",
    parameters: [from, to, value, validAfter, validBefore, nonce, signature],
  });
  await chain.mine();
  expect((await chain.receipt(hash))?.isSuccess).toBe(true);
  expect((await chain.balanceOf(shop.address)) - before).toBe(1_500_000n);
});

test("what the client signs for upto settles by our own call, for less", async () => {
  const wanted = requirements("upto", { facilitatorAddress: relayer.address });
  const { payload } = await new UptoClient(payer).createPaymentPayload(2, wanted);
  const { permit2Authorization, signature } = payload as {
    readonly permit2Authorization: {
      readonly permitted: object;
      readonly nonce: string;
      readonly deadline: string;
      readonly witness: object;
    };
    readonly signature: string;
  };
  const { permitted, nonce, deadline, witness } = permit2Authorization;
  const before = await chain.balanceOf(shop.address);
  const hash = await chain.write(relayer.address, {
    contract: "LocalUptoProxy",
    address: uptoProxyAddress,
    functionName: "settle",
    parameters: [{ permitted, nonce, deadline }, 400_000n, payer.address, witness, signature],
  });
  await chain.mine();
  expect((await chain.receipt(hash))?.isSuccess).toBe(true);
  expect((await chain.balanceOf(shop.address)) - before).toBe(400_000n);
});
