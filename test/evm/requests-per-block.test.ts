// How often a node is asked about a block that has nothing for us. Each number here is a promise: a protection
// that costs a call more has to say so.

import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";
import type { FaultyEndpoint } from "./faulty-endpoint.ts";
import { startBase, watchBase } from "./watched-world.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startBase();
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

const head = [
  "eth_chainId",
  "eth_getBlockByNumber",
  "eth_getBlockByNumber",
  "eth_getBlockByNumber",
];
const block = ["eth_getBlockByNumber", "eth_getLogs"];

/** Of a watcher that is up to date, at blocks that are not compared with their receipts. */
async function watching(endpoints: readonly FaultyEndpoint[]) {
  const world = await watchBase(
    local,
    await openDatabase("PostgreSQL"),
    endpoints.map(({ url }) => url),
  );
  const watcher = world.watcher();
  await world.mine(20 - (Number((await local.newestBlock()).number) % 16));
  await world.look(watcher);
  /** @param blocks all there when it looks */
  const lookAfter = async (blocks: number): Promise<void> => {
    await world.mine(blocks);
    for (const { calls, requests } of endpoints) {
      calls.splice(0);
      requests.splice(0);
    }
    await watcher.run();
  };
  return { ...world, lookAfter };
}

test("one block after another: two requests, one for the head and one for both looks", async () => {
  const node = await faulty();
  const { lookAfter } = await watching([node]);
  for (let count = 0; count < 3; count++) {
    await lookAfter(1);
    expect(node.requests).toEqual([4, 4]);
    expect(node.calls).toEqual([...head, ...block, ...block]);
  }
});

test("with two nodes the second look is another one's, and so is its request", async () => {
  const [one, other] = [await faulty(), await faulty()];
  const { lookAfter } = await watching([one, other]);
  // Who has given a block first is remembered from now on.
  await lookAfter(3);
  await lookAfter(1);
  await lookAfter(1);
  expect([one.calls, other.calls]).toEqual([[...head, ...block], block]);
  expect([one.requests, other.requests]).toEqual([[4, 2], [2]]);
});

test("several blocks together: their headers, and their logs, are one request each", async () => {
  const node = await faulty();
  const { lookAfter } = await watching([node]);
  await lookAfter(3);
  // The headers and the logs of the newest, with all of the second look; then the logs of the others.
  expect(node.requests).toEqual([4, 4 + 6, 2]);
});

test("the chain is asked again where another block has come in between", async () => {
  const node = await faulty();
  const world = await watching([node]);
  const { id, pay } = await world.newPayment();
  await pay();
  const { lookAfter, look, mine, told } = world;
  let isReplaced = false;
  node.faults.answer = async ({ method, params }, reply) => {
    if (isReplaced || method !== "eth_getBlockByNumber" || params[0] !== "latest") return reply;
    // Whoever asks for this hash now asks for a block that is gone.
    isReplaced = true;
    await local.rpc("anvil_reorg", [1, []]);
    return reply;
  };
  await lookAfter(1);
  expect(isReplaced).toBe(true);
  await pay();
  await mine(1);
  await look();
  expect(await told(id)).toEqual(["confirming"]);
});
