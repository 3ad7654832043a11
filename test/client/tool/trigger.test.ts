// merchant-payments trigger and pay: each event that they bring about is one that the merchant hears of.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalChain } from "../../../scripts/client/tool/local-chain.ts";
import { ways } from "../../../scripts/client/tool/triggered-events.ts";
import { type Child, endChildren } from "../../programs/child.ts";
import { startReceiver } from "../../webhooks/receiver.ts";
import { endOf, installTool, type PackedTool, recordsIn } from "./packed-tool.ts";
import { startToolService, type ToolService, type ToolShop } from "./tool-service.ts";

let tool: PackedTool;
let service: ToolService;
let shop: ToolShop;
let listening: Child;
beforeAll(async () => {
  tool = installTool();
  service = await startToolService();
  shop = await service.newShop();
  const words = ["listen", "--json", "--forward-to", "http://127.0.0.1:2/"];
  listening = tool.start(words, shop.environment);
  await listening.waitFor(/"kind":"ready"/);
});
afterAll(endChildren);

/** Waits until the merchant has heard of it. */
function heard(type: string, payment: unknown): Promise<string> {
  return listening.waitFor(
    new RegExp(
      `"type":"${type.replace(".", String.raw`\.`)}"[^\n]*"resource":[^}]*"${String(payment)}"`,
    ),
  );
}

// Three of them wait for a payment to expire.
test.concurrent.for(Array.from(ways.keys()))("%s", async (event) => {
  const words = ["trigger", event, "--rpc", service.rpcUrl, "--amount", "3.00", "--json"];
  const { code, output, errors } = await tool.run(words, shop.environment);
  expect({ code, errors: errors.replace(/^waiting .*\n/, "") }).toEqual({ code: 0, errors: "" });
  const [first, ...others] = recordsIn(output);
  expect(first).toMatchObject({ kind: "payment" });
  const payment = first?.["payment"];
  expect(others.at(-1)).toMatchObject({ kind: "done", event, payment });
  await heard(event, payment);
});

test("in words it says what it did, and with other money than is asked for", async () => {
  const words = ["trigger", "payment.partially_paid", "--rpc", service.rpcUrl, "--amount", "0.5"];
  const { code, output } = await tool.run(words, shop.environment);
  expect(code).toBe(0);
  expect(output).toMatch(
    /^created pay_\w+: http\S+\npaid 0\.25 test USDC: 0x\w{64}\npayment\.partially_paid has happened: pay_\w+ is partially_paid\n$/,
  );
});

test("pay pays a page in parts, and says what is left to pay when nothing is", async () => {
  const payment = await shop.client.payments.createPayment({
    merchant_order_no: "pay-in-parts",
    quotes: { cur_usdc: { amount: "5.00" } },
  });
  const pay = (...words: readonly string[]) =>
    tool.run(["pay", payment.checkout_url, "--rpc", service.rpcUrl, ...words]);
  const part = await pay("--amount", "2.00", "--json");
  expect(part).toMatchObject({ code: 0, errors: "" });
  expect(recordsIn(part.output)).toMatchObject([{ kind: "transaction", amount: "2.00" }]);
  const rest = await pay();
  expect(rest).toMatchObject({ code: 0, errors: "" });
  expect(rest.output).toMatch(/^Paid 3 test USDC to 0x\w{40}: 0x\w{64}\n$/);
  await heard("payment.paid", payment.id);
  const nothing = await pay();
  expect(nothing).toMatchObject({ code: 1, output: "" });
  expect(nothing.errors).toMatch(/neither where nor how much.*\n.*still ask for money/);
});

test("payers at the same moment do not take each other's place", async () => {
  const chain = await LocalChain.open(service.rpcUrl);
  const paid = await Promise.all(
    Array.from({ length: 10 }, () => chain.pay("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", 1n)),
  );
  expect(new Set(paid).size).toBe(10);
});

describe("money is never asked for elsewhere:", () => {
  test("another chain is refused before anything is made", async () => {
    await using chain = await startReceiver((response) => {
      response.writeHead(200).end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" }));
    });
    const words = ["trigger", "payment.paid", "--rpc", chain.url];
    const { code, output, errors } = await tool.run(words, shop.environment);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toMatch(/is chain 1, and only the local chain \(31337\) is paid on/);
    expect(chain.received.map(({ body }) => body).join("")).not.toContain("eth_send");
  });

  test("and a chain that is away is said with its address", async () => {
    const words = ["trigger", "payment.paid", "--rpc", "http://127.0.0.1:2"];
    const { code, errors } = await tool.run(words, shop.environment);
    expect(code).toBe(1);
    expect(errors).toMatch(/no chain answers at http:\/\/127\.0\.0\.1:2 \(.*ECONNREFUSED/);
  });

  test("a live key is refused", async () => {
    const keys = { ...shop.environment, MERCHANT_API_KEY: "mk_live_0123456789" };
    for (const words of [
      ["trigger", "payment.created"],
      ["listen", "--forward-to", "http://127.0.0.1:2/"],
    ]) {
      const { code, output, errors } = await endOf(tool.start(words, keys));
      expect({ code, output }).toEqual({ code: 2, output: "" });
      expect(errors).toMatch(/no test key/);
    }
  });
});
