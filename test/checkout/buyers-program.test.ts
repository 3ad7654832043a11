// A buyer's program pays a link by itself, with the official packages as they come from npm (threat 102).

import { x402Client as axiosClient, wrapAxiosWithPayment } from "@x402/axios";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { toClientEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import axios from "axios";
import { createPublicClient, getAddress, http } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { makeDatabase, type MadeDatabase } from "../support/engines.ts";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { query } from "../support/service-parts.ts";
import { settlementAddress, testActionSigner } from "../x402/action-signer.ts";
import { payer, stranger } from "../x402/payers.ts";
import { deploymentId, localCurrencies } from "../x402/scene.ts";
import { type CheckoutServer, startCheckout } from "./checkout-server.ts";

const network = "eip155:84532";
const json = { headers: { Accept: "application/json" } };
const quote = { currencyId: "cur_usdc", amount: "25", chainIds: [network] };

let local: TestChain;
let euroAddress: string;
let made: MadeDatabase;
let server: CheckoutServer;

/** The token by EIP-3009, or only by Permit2; and another one of the same rules as EURC. */
function currencies(isPermitOnly: boolean) {
  const all = localCurrencies();
  const found = all.flatMap(({ deployments }) => deployments).find(({ id }) => id === deploymentId);
  if (found === undefined) throw new Error("the catalog has no local token");
  const capabilities = found.capabilities.filter(({ key }) => !isPermitOnly || key !== "eip3009");
  const dollar = { ...found, chainId: network, capabilities };
  const euro = {
    ...dollar,
    id: "dep_eurc_local",
    assetLocator: `${network}/erc20:${euroAddress}`,
    contractAddress: euroAddress,
  };
  const here = new Map([
    ["cur_usdc", [dollar]],
    ["cur_eurc", [euro]],
  ]);
  return all.map((currency) => ({
    ...currency,
    deployments: [
      ...currency.deployments.filter(({ chainId, id }) => chainId !== network && id !== found.id),
      ...(here.get(currency.id) ?? []),
    ],
  }));
}

async function start(isPermitOnly = false, database = made.database): Promise<CheckoutServer> {
  const log = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const chain = await openEvmChain({
    chainId: network,
    urls: [local.url],
    clock: systemClock,
    log,
  });
  const settling = { settlementChains: [chain], actionSigner: testActionSigner() };
  const catalog = currencies(isPermitOnly);
  return startCheckout({ database, chains: [chain], settling, catalog, isClockReal: true });
}

beforeAll(async () => {
  // Clients of version 1 know named networks only.
  local = await startTestChain({ chainNumber: 84_532n });
  await local.giveCoin(settlementAddress, 10n ** 20n);
  for (const { address } of [payer, stranger]) {
    await local.giveCoin(address, 10n ** 20n);
    await local.mint(address, 10n ** 12n);
    await approvePermit2(local, address);
  }
  euroAddress = getAddress(await local.deploy("TestUSD"));
  await local.mint(payer.address, 10n ** 12n, euroAddress);
  await local.setAutomine(true);
  made = await makeDatabase("PostgreSQL");
  server = await start();
});

afterAll(async () => {
  await server.close();
  await made.remove();
  await local.close();
});

/** As the packages say: any account of viem with a client beside it. */
function signerOfPayer() {
  return toClientEvmSigner(payer, createPublicClient({ transport: http(local.url) }));
}

/** Of the terms it takes the first ones, or those for a token. */
function clientFor(asset?: string): x402Client {
  return new x402Client((_version, accepts) => {
    const wanted = accepts.find((one) => asset === undefined || one.asset === asset);
    if (wanted === undefined) throw new Error("that is not asked for");
    return wanted;
  })
    .register(network, new ExactEvmScheme(signerOfPayer()))
    .registerV1("base-sepolia", new ExactEvmSchemeV1(signerOfPayer()))
    .setSpendControls(false);
}

/** A server before version 2 of the protocol, as far as the client can see. */
const withoutHeader: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const headers = new Headers(answer.headers);
  headers.delete("PAYMENT-REQUIRED");
  return new Response(answer.body, { status: answer.status, headers });
};

const newLink = () => server.newPayment({ environment: "test", quotes: [quote] });

async function balance(): Promise<bigint> {
  return local.balanceOf(settlementAddress);
}

test.each([
  ["2", fetch, "PAYMENT-RESPONSE"],
  ["1", withoutHeader, "X-PAYMENT-RESPONSE"],
] as const)("@x402/fetch pays by version %s", async (_version, plain, name) => {
  const { id, url } = await newLink();
  const before = await balance();
  const answer = await wrapFetchWithPayment(plain, clientFor())(url, json);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ payment_id: id, status: "confirming" });
  const said = decodePaymentResponseHeader(answer.headers.get(name) ?? "");
  expect(said).toMatchObject({ success: true, payer: payer.address });
  expect(await local.receipt(said.transaction as `0x${string}`)).toMatchObject({ isSuccess: true });
  expect((await balance()) - before).toBe(25_000_000n);
});

test("@x402/axios pays", async () => {
  const { id, url } = await newLink();
  const client = new axiosClient().register(network, new ExactEvmScheme(signerOfPayer()));
  const answer = await wrapAxiosWithPayment(axios.create(), client).get<unknown>(url);
  expect(answer.status).toBe(200);
  expect(answer.data).toMatchObject({ payment_id: id, status: "confirming" });
  expect(decodePaymentResponseHeader(String(answer.headers["payment-response"]))).toMatchObject({
    success: true,
  });
});

test("@x402/fetch pays by Permit2", async () => {
  const own = await makeDatabase("PostgreSQL");
  const permits = await start(true, own.database);
  try {
    const { id, url } = await permits.newPayment({ environment: "test", quotes: [quote] });
    const answer = await wrapFetchWithPayment(fetch, clientFor())(url, json);
    expect([answer.status, await answer.json()]).toMatchObject([200, { payment_id: id }]);
  } finally {
    await permits.close();
    await own.remove();
  }
});

test("what is refused is 402 with the protocol's reason, and the terms again", async () => {
  const { url } = await newLink();
  const poor = new Proxy(fetch, {
    apply: (target, _this, [request]: [Request]) => {
      const text = request.headers.get("PAYMENT-SIGNATURE");
      if (text === null) return target(request);
      const said = JSON.parse(Buffer.from(text, "base64").toString()) as {
        payload: { signature: string };
      };
      said.payload.signature = `0x${"11".repeat(64)}1b`;
      const forged = Buffer.from(JSON.stringify(said)).toString("base64");
      return target(request, { headers: { ...json.headers, "PAYMENT-SIGNATURE": forged } });
    },
  });
  const answer = await wrapFetchWithPayment(poor, clientFor())(url, json);
  expect(answer.status).toBe(402);
  const errorReason = "invalid_exact_evm_signature";
  expect(await answer.json()).toMatchObject({ x402Version: 1, error: errorReason });
  expect(answer.headers.get("PAYMENT-REQUIRED")).not.toBeNull();
  const said = decodePaymentResponseHeader(answer.headers.get("PAYMENT-RESPONSE") ?? "");
  expect(said).toMatchObject({ success: false, errorReason });
});

test.each([
  ["nonsense", 400],
  [Buffer.from('{"x402Version":2,"payload":{}}').toString("base64"), 400],
])("a header that is no payment is refused", async (text, status) => {
  const { url } = await newLink();
  const answer = await fetch(url, { headers: { ...json.headers, "PAYMENT-SIGNATURE": text } });
  expect(answer.status).toBe(status);
});

test.each([
  ["2", fetch, "PAYMENT-SIGNATURE"],
  ["1", withoutHeader, "X-PAYMENT"],
] as const)(
  "the server dies with the answer: the same request again is settled once, by version %s",
  async (_version, plain, name) => {
    await server.watch();
    const { id, url } = await newLink();
    const sent: Request[] = [];
    const dying: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.headers.get(name) === null) return plain(request);
      sent.push(request.clone());
      await (await fetch(request)).body?.cancel();
      throw new TypeError("the connection broke");
    };
    const before = await balance();
    await expect(wrapFetchWithPayment(dying, clientFor())(url, json)).rejects.toThrow("broke");
    await server.close();
    server = await start();
    const [request] = sent;
    if (request === undefined) throw new Error("nothing was signed");
    const again = new URL(request.url);
    again.port = new URL(server.url).port;
    await server.watch();
    // The first one writes down what came: by the second one nothing is missing any more.
    for (const time of ["first", "second"]) {
      const answer = await fetch(again, { headers: request.headers });
      expect([time, answer.status, await answer.json()]).toMatchObject([
        time,
        200,
        { payment_id: id },
      ]);
      const deposits = await query(made.database)`select from deposits where payment_id = ${id}`;
      expect(deposits).toHaveLength(1);
    }
    expect((await balance()) - before).toBe(25_000_000n);
    const rows = await query(
      made.database,
    )`select id from x402_settlements where payment_id = ${id}`;
    expect(rows).toHaveLength(1);
  },
);

test.each([
  ["of the same price", "25"],
  ["that costs less", "20"],
  ["that costs more", "30"],
])(
  "one of two tokens of a network, %s, is paid and asked for again by version 1",
  async (_, amount) => {
    const euro = { currencyId: "cur_eurc", amount, chainIds: [network] };
    for (const quotes of [
      [quote, euro],
      [euro, quote],
    ]) {
      const { id, url } = await server.newPayment({ environment: "test", quotes });
      const sent: Request[] = [];
      const noting: typeof fetch = async (input, init) => {
        const request = new Request(input, init);
        if (request.headers.has("X-PAYMENT")) sent.push(request.clone());
        return withoutHeader(request);
      };
      const before = await local.balanceOf(settlementAddress, euroAddress);
      const paid = await wrapFetchWithPayment(noting, clientFor(euroAddress))(url, json);
      expect([paid.status, await paid.json()]).toMatchObject([200, { payment_id: id }]);
      await server.watch();
      for (const { headers } of sent) {
        const again = await fetch(url, { headers });
        expect([again.status, await again.json()]).toMatchObject([200, { payment_id: id }]);
      }
      expect(sent).toHaveLength(1);
      const came = (await local.balanceOf(settlementAddress, euroAddress)) - before;
      expect(came).toBe(BigInt(amount) * 1_000_000n);
    }
  },
);

type Accepts = Parameters<UptoEvmScheme["createPaymentPayload"]>[1];

/** What the page asks for by version 2. */
async function termsOf(url: string): Promise<readonly Accepts[]> {
  const text = (await fetch(url, json)).headers.get("PAYMENT-REQUIRED") ?? "";
  return (JSON.parse(Buffer.from(text, "base64").toString()) as { accepts: Accepts[] }).accepts;
}

/** What a stranger makes of the terms: the scheme is their own word, whatever they have signed. */
async function asUpto(terms: Accepts, method: "eip3009" | "permit2") {
  if (method === "eip3009") {
    const { payload } = await new ExactEvmScheme(stranger).createPaymentPayload(2, terms);
    return { x402Version: 2, accepted: { ...terms, scheme: "upto" }, payload };
  }
  const extra = { assetTransferMethod: "permit2", facilitatorAddress: terms.payTo };
  const accepted = { ...terms, scheme: "upto", maxTimeoutSeconds: 60, extra };
  const { payload } = await new UptoEvmScheme(stranger).createPaymentPayload(2, accepted);
  return { x402Version: 2, accepted, payload };
}

test.each(["eip3009", "permit2"] as const)(
  "whoever has the link does not make its payment wait for a usage, by %s",
  async (method) => {
    const { id, url } = await newLink();
    const accepts = await termsOf(url);
    const [terms] = accepts;
    if (terms === undefined) throw new Error("the page asks for nothing");
    const [before, had] = [await balance(), await local.balanceOf(stranger.address)];
    const text = Buffer.from(JSON.stringify(await asUpto(terms, method))).toString("base64");
    const headers = { ...json.headers, "PAYMENT-SIGNATURE": text };
    const answer = await fetch(url, { headers });
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({ error: "invalid_upto_evm_scheme" });
    const rows = await query(
      made.database,
    )`select id from x402_settlements where payment_id = ${id}`;
    expect(rows).toEqual([]);
    expect([await balance(), await local.balanceOf(stranger.address)]).toEqual([before, had]);
    expect(accepts.map(({ scheme }) => scheme)).toEqual(["exact"]);
    // The buyer is not kept out by it.
    const paid = await wrapFetchWithPayment(fetch, clientFor())(url, json);
    expect([paid.status, await paid.json()]).toMatchObject([200, { status: "confirming" }]);
  },
);
