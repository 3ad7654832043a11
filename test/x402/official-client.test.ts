// What the official x402 clients make of our 402 settles here unchanged, and their facilitator takes
// on the same chain what we take.

import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as ExactClient } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactFacilitator } from "@x402/evm/exact/facilitator";
import { ExactEvmSchemeV1 as ExactClientV1 } from "@x402/evm/exact/v1/client";
import { UptoEvmScheme as UptoClient } from "@x402/evm/upto/client";
import { UptoEvmScheme as UptoFacilitator } from "@x402/evm/upto/facilitator";
import { createWalletClient, defineChain, http, publicActions } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SettleX402PaymentRequest } from "../../generated/types.ts";
import { commandOf } from "../../handlers/x402.ts";
import { paymentOf } from "../../service/payments/facts.ts";
import { x402BodyV1, x402BodyV2 } from "../../service/x402/requirements.ts";
import { makeDatabase, type MadeDatabase } from "../support/engines.ts";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { testAccounts } from "../support/test-accounts.ts";
import { settlementAddress } from "./action-signer.ts";
import { payer } from "./payers.ts";
import { deploymentId, localCurrencies, merchant, openScene, price } from "./scene.ts";
import type { Process, Scene } from "./scene.ts";
import { approvePermit2 } from "../support/permit2.ts";

const [, , , , , , , settlementAccount] = testAccounts;
const resource = {
  url: "https://pay.example/checkout/1",
  description: "An order",
  mimeType: "application/json",
};

let local: TestChain;
let made: MadeDatabase;
let scene: Scene;
let shop: Process;

beforeAll(async () => {
  // Clients of version 1 know named networks only.
  local = await startTestChain({ chainNumber: 84_532n });
  await local.mint(payer.address, 10n ** 12n);
  await approvePermit2(local, payer.address);
  made = await makeDatabase("PostgreSQL");
  const currencies = localCurrencies().map((currency) => ({
    ...currency,
    deployments: currency.deployments
      .filter(({ chainId }) => chainId !== local.chainId)
      .map((one) => (one.id === deploymentId ? { ...one, chainId: local.chainId } : one)),
  }));
  scene = await openScene(made.database, local, currencies);
  scene.clock.advance(Date.now() - scene.clock.nowMilliseconds());
  shop = scene.startProcess();
});
afterAll(async () => {
  await made.remove();
  await local.close();
});

/** Members of the payloads that the clients make, as text. */
type Members = Readonly<Record<string, string>>;

interface Payload {
  readonly signature: string;
  readonly authorization?: Members;
  readonly permit2Authorization?: {
    readonly permitted: Members;
    readonly from: string;
    readonly spender: string;
    readonly nonce: string;
    readonly deadline: string;
    readonly witness: Members;
  };
}

function payloadOf({ signature, authorization, permit2Authorization: permit }: Payload) {
  if (authorization !== undefined) {
    const { from = "", to = "", value = "", validAfter, validBefore, nonce = "" } = authorization;
    const times = { valid_after: Number(validAfter), valid_before: Number(validBefore) };
    return { signature, authorization: { from, to, value, ...times, nonce } };
  }
  if (permit === undefined) throw new Error("the client has signed neither");
  const { permitted, from, spender, nonce, deadline, witness } = permit;
  const { facilitator } = witness;
  return {
    signature,
    permit2_authorization: {
      permitted: { token: permitted["token"] ?? "", amount: permitted["amount"] ?? "" },
      from,
      spender,
      nonce,
      deadline: Number(deadline),
      witness: {
        to: witness["to"] ?? "",
        valid_after: Number(witness["validAfter"]),
        ...(facilitator === undefined ? {} : { facilitator }),
      },
    },
  };
}

/** As a merchant's server makes it of what the client has sent. */
function requestOf(
  paymentId: string,
  accepted: {
    readonly scheme: string;
    readonly network: string;
    readonly asset: string;
    readonly payTo: string;
  },
  more: { readonly amount: string; readonly payload: Payload },
): SettleX402PaymentRequest {
  const payload = payloadOf(more.payload);
  const signed =
    payload.permit2_authorization === undefined
      ? { nonce: payload.authorization.nonce, end: payload.authorization.valid_before }
      : { nonce: payload.permit2_authorization.nonce, end: payload.permit2_authorization.deadline };
  return {
    payment_id: paymentId,
    payment_payload: payload,
    payment_requirements: {
      scheme: accepted.scheme === "upto" ? "upto" : "exact",
      network: accepted.network,
      asset: accepted.asset,
      pay_to: accepted.payTo,
      max_amount_required: more.amount,
      resource: resource.url,
      nonce: signed.nonce,
      valid_before: signed.end,
    },
  };
}

async function offered() {
  const id = await scene.addPayment();
  const [row] = await scene.payments([id]);
  if (row === undefined) throw new Error("it was just made");
  const offers = await shop.x402.paymentRequirements(paymentOf(row));
  return { id, v1: x402BodyV1(offers, resource), v2: x402BodyV2(offers, resource) };
}

function found<One extends { readonly scheme: string }>(accepts: readonly One[], scheme: string) {
  const one = accepts.find((each) => each.scheme === scheme);
  if (one === undefined) throw new Error(`nothing is offered by ${scheme}`);
  return one;
}

async function signV2(scheme: "exact" | "upto", extra: Readonly<Record<string, unknown>> = {}) {
  const { id, v2 } = await offered();
  const offer = found(v2.accepts, "exact");
  const network = offer.network as `${string}:${string}`;
  // The link asks for exact: `upto` is the merchant's decision, by terms of its own.
  const upto = { assetTransferMethod: "permit2", facilitatorAddress: offer.payTo };
  const own = scheme === "upto" ? upto : {};
  const accepted = { ...offer, scheme, network, extra: { ...offer.extra, ...own, ...extra } };
  const client = scheme === "exact" ? new ExactClient(payer) : new UptoClient(payer);
  const { payload } = await client.createPaymentPayload(2, accepted);
  const body = requestOf(id, accepted, {
    amount: offer.amount,
    payload: payload as unknown as Payload,
  });
  return { id, accepted, body, payload: { x402Version: 2 as const, accepted, payload } };
}

function facilitators() {
  const chain = defineChain({
    id: Number(local.chainNumber),
    name: "local",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [local.url] } },
  });
  const wallet = createWalletClient({
    account: settlementAccount,
    chain,
    transport: http(local.url),
    pollingInterval: 20,
  }).extend(publicActions);
  // The package asks for looser types than viem gives.
  const signer = toFacilitatorEvmSigner({
    address: settlementAccount.address,
    ...(wallet as object),
  } as Parameters<typeof toFacilitatorEvmSigner>[0]);
  return { exact: new ExactFacilitator(signer), upto: new UptoFacilitator(signer) };
}

async function paid(id: string): Promise<void> {
  await scene.watch();
  await shop.reconcile();
  await scene.mine(4);
  await scene.watch();
  expect(await scene.status(id)).toBe("paid");
  expect(await scene.differences()).toEqual([]);
}

describe("version 2", () => {
  test.each([
    ["exact by EIP-3009", {}],
    ["exact by Permit2", { assetTransferMethod: "permit2" }],
  ])("%s settles unchanged, and the official facilitator verifies it", async (_name, extra) => {
    const { id, body, payload, accepted } = await signV2("exact", extra);
    const verdict = await facilitators().exact.verify(payload, accepted);
    expect(verdict).toMatchObject({ isValid: true });
    expect(await shop.x402.settle(merchant, commandOf(body))).toMatchObject({ isSettled: true });
    expect(await facilitators().exact.verify(payload, accepted)).toMatchObject({ isValid: false });
    await paid(id);
  });

  test("upto by Permit2 waits for its usage, and is charged so much", async () => {
    const { id, body, payload, accepted } = await signV2("upto");
    expect(await facilitators().upto.verify(payload, accepted)).toMatchObject({ isValid: true });
    const result = await shop.x402.settle(merchant, commandOf(body));
    expect(result).toMatchObject({ isSettled: false, txHash: "" });
    await scene.reportUsage(shop, id, "1.25");
    await scene.mine();
    await paid(id);
    const again = await shop.x402.settle(merchant, commandOf(body));
    expect(again.isSettled).toBe(true);
  });

  test.each(["exact", "upto"] as const)(
    "%s: what we take, the official facilitator settles",
    async (scheme) => {
      const { id, body, payload, accepted } = await signV2(scheme);
      const snapshot = await local.snapshot();
      await local.setAutomine(true);
      const before = await local.balanceOf(settlementAddress);
      const settled = await facilitators()[scheme].settle(payload, accepted);
      expect(settled).toMatchObject({ success: true, payer: payer.address });
      expect((await local.balanceOf(settlementAddress)) - before).toBe(price);
      await local.setAutomine(false);
      await local.revert(snapshot);
      const result = await shop.x402.settle(merchant, commandOf(body));
      expect(result.isSettled).toBe(scheme === "exact");
      expect(await scene.status(id)).toBe(scheme === "exact" ? "confirming" : "authorized");
    },
  );
});

describe("version 1", () => {
  test("exact settles unchanged, with the short name of its network", async () => {
    const { id, v1 } = await offered();
    const offer = found(v1.accepts, "exact");
    expect(offer.network).toBe("base-sepolia");
    const client = new ExactClientV1(payer);
    const made = await client.createPaymentPayload(1, offer as never);
    const { payload } = made as unknown as { readonly payload: Payload };
    const body = requestOf(id, offer, { amount: offer.maxAmountRequired, payload });
    expect(await shop.x402.settle(merchant, commandOf(body))).toMatchObject({ isSettled: true });
    await paid(id);
  });

  test("offers only exact by EIP-3009, on networks that it has a name for", async () => {
    const id = await scene.addPayment();
    const [row] = await scene.payments([id]);
    if (row === undefined) throw new Error("it was just made");
    const offers = await shop.x402.paymentRequirements(paymentOf(row));
    const one = offers.find(({ scheme, method }) => scheme === "exact" && method === "eip3009");
    if (one === undefined) throw new Error("x402 cannot pay it");
    const others = [
      { ...one, scheme: "upto" },
      { ...one, method: "permit2" },
      { ...one, chainId: "eip155:5" },
    ] as const;
    expect(x402BodyV1([...others, one], resource).accepts).toMatchObject([
      { scheme: "exact", network: "base-sepolia", maxAmountRequired: "25000000" },
    ]);
    expect(x402BodyV1(others, resource).accepts).toEqual([]);
  });
});
