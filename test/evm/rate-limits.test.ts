// A node, or whoever sells its answers, that refuses what is too much at once, in the ways there are. After a
// pause there is much to ask for: it is asked for in groups that the node takes.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import type { Faults } from "./faulty-endpoint.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";
import { startBase, watchBase } from "./watched-world.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startBase();
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

const blocksAway = 45;
/** The head alone is four calls. */
const most = 4;

function refusing(status: number): Faults["exchange"] {
  return (messages, response) => {
    if (messages.length <= most) return false;
    response.writeHead(status).end("too many requests");
    return true;
  };
}

const tired = { code: -32_005, message: "rate limit" };
const saying: Faults["exchange"] = (messages, response) => {
  if (messages.length <= most) return false;
  const errors = messages.map(({ id }) => ({ jsonrpc: "2.0", id, error: tired }));
  response.writeHead(200).end(JSON.stringify(errors));
  return true;
};

describe.each<[string, Faults["exchange"]]>([
  ["with the status 429", refusing(429)],
  ["with the status 500", refusing(500)],
  ["in the answer to each call", saying],
])("a node that refuses more than four calls %s", (_way, exchange) => {
  test("is caught up with, and asked for more when it takes more", async () => {
    const node = await faulty();
    const world = await watchBase(local, await openDatabase("PostgreSQL"), [node.url]);
    const watcher = world.watcher();
    const catchUp = async (): Promise<number> => {
      let failed = 0;
      for (let count = 0; count < 100; count++) {
        const run = await watcher.run().catch((error: unknown) => {
          expect(error).toMatchObject({ code: "chain_unavailable" });
          failed += 1;
          return { isMore: true };
        });
        if (!run.isMore) return failed;
      }
      throw new Error("it does not catch up");
    };
    await catchUp();
    const { id, pay } = await world.newPayment();
    await pay();
    await world.mine(blocksAway);
    if (exchange !== undefined) node.faults.exchange = exchange;
    expect(await catchUp()).toBeGreaterThan(0);
    expect(await world.told(id)).toEqual(["confirming", "paid"]);
    delete node.faults.exchange;
    node.requests.splice(0);
    for (let count = 0; count < 2; count++) {
      await world.mine(blocksAway);
      expect(await catchUp()).toBe(0);
    }
    // Where coins are watched: four headers, and two calls for each of three blocks of the second look.
    expect(Math.max(...node.requests)).toBe(10);
  });
});

test("a node that has had enough of a likely block's logs is not asked for them again at once", async () => {
  const node = await faulty();
  const world = await watchBase(local, await openDatabase("PostgreSQL"), [node.url]);
  const watcher = world.watcher();
  await world.mine(1);
  await world.look(watcher);
  await world.mine(1);
  node.faults.answer = ({ id, method }, reply) =>
    method === "eth_getLogs" ? { id, error: tired } : reply;
  node.calls.splice(0);
  await expect(watcher.run()).rejects.toMatchObject({ code: "chain_unavailable" });
  const counts = (method: string) => node.calls.filter((one) => one === method).length;
  // The head has three headers; of each block, and each attempt, its header and its logs once.
  expect(counts("eth_getLogs")).toBe(counts("eth_getBlockByNumber") - 3);
});
