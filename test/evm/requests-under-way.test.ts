// How many answers of one endpoint may be in the memory at once, each of them as large as an answer may be.

import { describe, expect, test } from "vitest";
import { endpointLimits, RpcEndpoint } from "../../adapters/evm/endpoint.ts";
import type { Faults } from "./faulty-endpoint.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";

// Nothing is asked of a node behind it.
const faulty = useFaultyEndpoints(() => "http://127.0.0.1:9");

describe("requests under way", () => {
  /** How many were open at once, of a node that takes a moment for each. */
  function watchingOpen(body: string) {
    const open = { now: 0, most: 0 };
    const exchange: Faults["exchange"] = (_messages, response) => {
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      response.once("close", () => (open.now -= 1));
      setTimeout(() => response.writeHead(200).end(body), 10);
      return true;
    };
    return { open, exchange };
  }
  const answer = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: 3, message: "no" } });
  const ask = (endpoint: RpcEndpoint, method: string, number: number) =>
    Promise.allSettled(Array.from({ length: number }, (_, at) => endpoint.call(method, [{ at }])));

  test.each([8, 60])("are few where every answer is too much, for %d calls", async (number) => {
    const { open, exchange } = watchingOpen(" ".repeat(200_000));
    const { url, requests } = await faulty({ exchange });
    const endpoint = new RpcEndpoint(url, { ...endpointLimits, answerBytesMax: 1_000 });
    // Of several moments, and with slow ones among them.
    const moments = [ask(endpoint, "eth_getLogs", number), ask(endpoint, "trace_block", number)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    moments.push(ask(endpoint, "eth_getBlockByNumber", number));
    const answers = (await Promise.all(moments)).flat();
    expect(answers.every(({ status }) => status === "rejected")).toBe(true);
    expect(open.most).toBeLessThanOrEqual(8);
    expect(requests.filter((calls) => calls === 1)).toHaveLength(3 * number);
  });

  test("are few where a moment has many slow calls, and leave room for quick ones", async () => {
    const { open, exchange } = watchingOpen(answer);
    const { url, calls } = await faulty({ exchange });
    const endpoint = new RpcEndpoint(url);
    const slow = ask(endpoint, "debug_traceBlockByHash", 30);
    const quick = ask(endpoint, "eth_chainId", 1);
    await quick;
    expect(calls.length).toBeLessThan(15);
    expect(await slow).toHaveLength(30);
    expect(calls).toHaveLength(31);
    expect(open.most).toBeLessThanOrEqual(8);
    expect(open.most).toBeGreaterThan(4);
  });
});
