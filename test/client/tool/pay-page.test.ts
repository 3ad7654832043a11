// merchant-payments pay: what it makes of a page that says nothing for now, and of one that asks for nothing more.

import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endChildren } from "../../programs/child.ts";
import { startReceiver } from "../../webhooks/receiver.ts";
import { installTool, type PackedTool } from "./packed-tool.ts";

let tool: PackedTool;
beforeAll(() => {
  tool = installTool();
});
afterAll(endChildren);

const hash = `0x${"ab".repeat(32)}`;
const results: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x7a69",
  eth_sendTransaction: hash,
  eth_getTransactionReceipt: { status: "0x1" },
};

/** As the local chain answers. */
function startChain() {
  return startReceiver((response, { body }) => {
    // A request of the tool.
    const { method } = JSON.parse(body) as { readonly method: string };
    response.writeHead(200).end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: results[method] }));
  });
}

const asks = `<b id="address">0x${"1".repeat(40)}</b><b id="amount">4.00</b>`;
type Turn = (response: ServerResponse) => unknown;
const page =
  (status: number, text = ""): Turn =>
  (response) =>
    response.writeHead(status).end(text);

/** A page that answers so, one after the other. */
async function payBy(turns: readonly Turn[]) {
  const left = [...turns];
  await using chain = await startChain();
  await using checkout = await startReceiver((response) => left.shift()?.(response));
  const ended = await tool.run(["pay", checkout.url, "--rpc", chain.url]);
  return { ...ended, left: left.length, sent: chain.received.length };
}

test("busy, broken or away for a moment it is asked again, until it asks for nothing more", async () => {
  const gone: Turn = (response) => response.destroy();
  const turns = [page(200, asks), page(429), gone, page(503), page(200, asks), page(200, "paid")];
  expect(await payBy(turns)).toMatchObject({ code: 0, errors: "", left: 0 });
});

test("busy from the start: nothing is paid, and it says to wait", async () => {
  const { code, output, errors, sent } = await payBy([page(429)]);
  expect({ code, output, sent }).toEqual({ code: 1, output: "", sent: 1 });
  expect(errors).toMatch(/asked too often: it answers 60 questions a minute\. Wait for one/);
});

test("a page that is not there any more has not seen it", async () => {
  const { code, errors } = await payBy([page(200, asks), page(404)]);
  expect(code).toBe(1);
  expect(errors).toMatch(/says neither where nor how much \(404\)/);
});
