// Endpoints that fail in every way there is: another one answers, nobody waits for ever, and what is
// secret in an address stays there (threats 27 and 65).

import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { EndpointFailure, NodeError } from "../../adapters/evm/answers.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { RpcEndpoint, endpointLimits } from "../../adapters/evm/endpoint.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { type Faults, collectingLog } from "./faulty-endpoint.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";

let local: TestChain;
const limits = {
  callMilliseconds: 400,
  answerBytesMax: 20_000,
  pauseMilliseconds: 1,
  restMilliseconds: 60_000,
};

beforeAll(async () => {
  local = await startTestChain();
  await local.mine(3);
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

async function chainOf(urls: readonly string[]) {
  const { log, lines } = collectingLog();
  const { chainId } = local;
  const chain = await openEvmChain({ chainId, urls, clock: systemClock, log, limits });
  return { chain, lines };
}

function answering(status: number, body: string, headers: Record<string, string> = {}) {
  return (_messages: unknown, response: ServerResponse): boolean => {
    response.writeHead(status, headers).end(body);
    return true;
  };
}

const secret = "s3cr3t-t0ken-of-the-provider";

/** Each as an endpoint that is there, and of no use. */
const failures: Readonly<Record<string, Faults>> = {
  "never answers": { exchange: () => true },
  "closes the connection": {
    exchange: (_messages, response) => {
      response.destroy();
      return true;
    },
  },
  "stops in the middle": {
    exchange: (_messages, response) => {
      response.writeHead(200, { "content-length": "1000" }).write('{"jsonrpc":');
      setImmediate(() => response.destroy());
      return true;
    },
  },
  "answers without an end": {
    exchange: (_messages, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(" ".repeat(10_000))) continue;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
      return true;
    },
  },
  "is broken": { exchange: answering(500, `error at https://x/${secret}`) },
  "has had enough": { exchange: answering(429, '{"error":{"code":-32005,"message":"limit"}}') },
  "wants another key": { exchange: answering(401, `{"error":{"code":1,"message":"${secret}"}}`) },
  "sends somewhere else": { exchange: answering(302, "", { location: "http://127.0.0.1:9/" }) },
  "speaks no JSON": { exchange: answering(200, `<html>${secret}</html>`) },
  "answers nothing": { exchange: answering(200, "") },
  "answers with a number": { exchange: answering(200, "7") },
  "answers to somebody else": { answer: (_message, reply) => ({ ...reply, id: 4_711 }) },
  "says something odd": { answer: ({ id }) => ({ id, result: { odd: ["\0", secret] } }) },
  "says something too large": { answer: ({ id }) => ({ id, result: `0x${"f".repeat(65)}` }) },
  "repeats the secret": {
    answer: ({ id }) => ({
      id,
      error: { code: -32_000, message: `no such key: ${secret}\0\u001b` },
    }),
  },
};

describe.each(Object.entries(failures))(
  "threats 27 and 65: an endpoint that %s",
  (_name, faults) => {
    test("is replaced by the next one", async () => {
      const bad = await faulty(faults);
      const { chain } = await chainOf([bad.url, local.url]);
      expect((await chain.head()).number).toBe((await local.newestBlock()).number);
      const asked = bad.calls.length;
      // It is at rest now: the other one is asked at once.
      expect(await chain.minedCount(local.ownerAddress)).toBeGreaterThan(0n);
      if (!JSON.stringify(faults).includes("error"))
        expect(bad.calls.length - asked).toBeLessThan(2);
    });

    test("alone makes the chain unavailable, and nobody learns its address", async () => {
      const bad = await faulty(faults);
      const { port } = new URL(bad.url);
      const url = `http://user:${secret}@127.0.0.1:${port}/v1/${secret}/rpc?key=${secret}`;
      const { chain, lines } = await chainOf([url]);
      const error: unknown = await chain.head().then(
        () => "nothing thrown",
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({
        code: "chain_unavailable",
        message: "The chain does not answer right now.",
      });
      const said = inspect([error, lines], { depth: 20 });
      expect(said).not.toContain(secret);
      expect(said).not.toContain(port);
      expect(said).toContain(`${local.chainId}: endpoint 1: `);
      expect(said.includes("\0") || said.includes("\u001b")).toBe(false);
    });
  },
);

test("an endpoint that nobody listens at is replaced, and one that is back is used again", async () => {
  const first = await faulty();
  const closed = new URL(first.url);
  await first.close();
  const { chain, lines } = await chainOf([closed.href, local.url]);
  expect((await chain.head()).number).toBeGreaterThan(0n);
  expect(lines).toMatchObject([{ level: "warn", fields: { endpoint: 1 } }]);
  expect(inspect(lines, { depth: 9 })).not.toContain(closed.port);
});

test("an address that is none is not repeated", async () => {
  const opening = chainOf([`htt p://${secret}`]);
  await expect(opening).rejects.toThrow(expect.not.objectContaining({ message: secret }));
});

describe("threat 27: an endpoint of another chain", () => {
  const foreign: Faults = {
    answer: ({ method }, reply) => (method === "eth_chainId" ? { ...reply, result: "0x1" } : reply),
  };

  test("is asked nothing else, and somebody hears of it once", async () => {
    const other = await faulty(foreign);
    const { chain, lines } = await chainOf([other.url, local.url]);
    for (let count = 0; count < 3; count++) {
      expect((await chain.head()).chainId).toBe(local.chainId);
      await chain.fees();
      await chain.send(new Uint8Array([1])).catch(() => undefined);
    }
    expect(new Set(other.calls)).toEqual(new Set(["eth_chainId"]));
    const alarms = lines.filter(({ level }) => level === "error");
    expect(alarms).toMatchObject([{ fields: { endpoint: 1, answers_for: "eip155:1" } }]);
  });

  test("alone makes the chain unavailable", async () => {
    const { chain } = await chainOf([(await faulty(foreign)).url]);
    for (const question of [chain.head, chain.fees, () => chain.block(1n, [null])]) {
      await expect(question()).rejects.toMatchObject({ code: "chain_unavailable" });
    }
  });

  test("is seen also when it comes to answer later, behind the same address", async () => {
    const endpoint = await faulty();
    const { chain, lines } = await chainOf([endpoint.url]);
    await chain.head();
    Object.assign(endpoint.faults, foreign);
    await expect(chain.head()).rejects.toMatchObject({ code: "chain_unavailable" });
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
    const asked = endpoint.calls.length;
    await expect(chain.minedCount(local.ownerAddress)).rejects.toMatchObject({
      code: "chain_unavailable",
    });
    expect(endpoint.calls.slice(asked)).toEqual([]);
  });
});

const countOf = (endpoint: RpcEndpoint, index: number): Promise<unknown> => {
  const account = `0x${(index + 1).toString(16).padStart(40, "f")}`;
  return endpoint.call("eth_getTransactionCount", [account, "latest"]);
};
const counts = (endpoint: RpcEndpoint, number: number): Promise<readonly unknown[]> =>
  Promise.all(Array.from({ length: number }, (_, index) => countOf(endpoint, index)));

describe("calls of one moment", () => {
  const answers = (number: number) => Array.from({ length: number }, () => "0x0");

  test("are one call where they ask the same, and a later one is another", async () => {
    const { url, requests, calls } = await faulty();
    const endpoint = new RpcEndpoint(url);
    const ask = () => Promise.all([1, 2, 3].map(() => endpoint.call("eth_chainId")));
    expect(await ask()).toEqual(["0x7a69", "0x7a69", "0x7a69"]);
    expect(requests).toEqual([1]);
    expect(await ask()).toEqual(["0x7a69", "0x7a69", "0x7a69"]);
    expect(calls).toEqual(["eth_chainId", "eth_chainId"]);
  });

  test("are one request, up to its limit", async () => {
    const { url, requests } = await faulty();
    const endpoint = new RpcEndpoint(url, { ...endpointLimits, batchMax: 20 });
    expect(await counts(endpoint, 45)).toEqual(answers(45));
    expect(requests.toSorted((one, other) => one - other)).toEqual([5, 20, 20]);
    expect(await counts(endpoint, 1)).toEqual(answers(1));
    expect(requests.at(-1)).toBe(1);
  });

  test("fail one by one", async () => {
    const { url } = await faulty();
    const endpoint = new RpcEndpoint(url);
    const [good, bad] = await Promise.allSettled([
      endpoint.call("eth_chainId"),
      endpoint.call("eth_nothing"),
    ]);
    expect(good).toMatchObject({ status: "fulfilled", value: "0x7a69" });
    expect(bad).toMatchObject({ reason: { name: "NodeError", code: -32_601 } });
    if (bad.status === "rejected") expect(bad.reason).toBeInstanceOf(NodeError);
  });

  const error = { code: -32_600, message: "batches are not for you" };
  const refusals: Readonly<Record<string, (most: number) => Faults>> = {
    "a status": (most) => ({
      exchange: (messages, response) => {
        if (messages.length <= most) return false;
        return answering(400, "no")(messages, response);
      },
    }),
    "one error": (most) => ({
      exchange: (messages, response) => {
        if (messages.length <= most) return false;
        return answering(200, JSON.stringify({ jsonrpc: "2.0", id: null, error }))(
          messages,
          response,
        );
      },
    }),
    "a list with one error": (most) => ({
      exchange: (messages, response) => {
        if (messages.length <= most) return false;
        const body = JSON.stringify([{ jsonrpc: "2.0", id: null, error }]);
        return answering(200, body)(messages, response);
      },
    }),
  };
  for (const [way, faults] of Object.entries(refusals)) {
    test.each([1, 10])(`are sent otherwise where ${way} refuses more than %d`, async (most) => {
      const { url, requests } = await faulty(faults(most));
      const endpoint = new RpcEndpoint(url);
      expect(await counts(endpoint, 30)).toEqual(answers(30));
      const before = requests.length;
      expect(await counts(endpoint, 30)).toEqual(answers(30));
      // What it does not take is not tried again.
      expect(Math.max(...requests.slice(before))).toBeLessThanOrEqual(most);
    });
  }

  test("that are left out of the answer have failed, and the others have not", async () => {
    const { url } = await faulty({
      exchange: (messages, response) => {
        const replies = messages.slice(1).map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x1" }));
        return answering(200, JSON.stringify(replies))(messages, response);
      },
    });
    const endpoint = new RpcEndpoint(url);
    const [first, second] = await Promise.allSettled([
      endpoint.call("eth_chainId"),
      endpoint.call("eth_gasPrice"),
    ]);
    expect(second).toMatchObject({ value: "0x1" });
    if (first.status === "rejected") expect(first.reason).toBeInstanceOf(EndpointFailure);
    expect(first.status).toBe("rejected");
  });
});

describe("calls of one moment that are too much", () => {
  const limits = { ...endpointLimits, callMilliseconds: 300, answerBytesMax: 2_000 };
  const logs = (endpoint: RpcEndpoint, number: number): Promise<readonly unknown[]> =>
    Promise.all(Array.from({ length: number }, (_, at) => endpoint.call("eth_getLogs", [{ at }])));

  test("are asked in smaller parts", async () => {
    const answer: Faults["answer"] = ({ id }) => ({ id, result: "0".repeat(500) });
    const { url, requests } = await faulty({ answer });
    expect(await logs(new RpcEndpoint(url, limits), 8)).toHaveLength(8);
    expect(requests.toSorted((one, other) => one - other)).toEqual([2, 2, 2, 2, 4, 4, 8]);
  });

  test("are tried again less and less often where they stay too much", async () => {
    const answer: Faults["answer"] = ({ id }) => ({ id, result: "0".repeat(500) });
    const { url, requests } = await faulty({ answer });
    const endpoint = new RpcEndpoint(url, limits);
    for (let count = 0; count < 60; count++) await logs(endpoint, 8);
    const tooMuch = requests.filter((calls) => calls > 2);
    expect(tooMuch.length).toBeGreaterThan(3);
    expect(tooMuch.length).toBeLessThan(requests.length / 10);
  });

  test("fail when they are late, and the next ones are fewer until they are in time", async () => {
    let most = 2;
    const exchange: Faults["exchange"] = (messages) => messages.length > most;
    const { url, requests } = await faulty({ exchange });
    const endpoint = new RpcEndpoint(url, { ...limits, batchMax: 8 });
    await expect(counts(endpoint, 8)).rejects.toThrow("no answer in time");
    await expect(counts(endpoint, 8)).rejects.toThrow("no answer in time");
    expect(requests).toEqual([8, 4, 4]);
    most = 8;
    requests.splice(0);
    for (let count = 0; count < 3; count++) await counts(endpoint, 8);
    expect(requests).toEqual([2, 2, 2, 2, 4, 4, 8]);
  });

  test("slow ones go alone, and nobody waits for them", async () => {
    const { url, requests } = await faulty({
      exchange: ([message]) => message?.method === "eth_getBlockReceipts",
    });
    const endpoint = new RpcEndpoint(url, { ...limits, slowMilliseconds: 400 });
    const slow = endpoint.call("eth_getBlockReceipts", ["0x0"]);
    const quick = endpoint.call("eth_chainId");
    const other = countOf(endpoint, 0);
    expect(await Promise.all([quick, other])).toEqual(["0x7a69", "0x0"]);
    await expect(slow).rejects.toThrow("no answer in time");
    expect(requests.toSorted((one, another) => one - another)).toEqual([1, 2]);
  });
});

test("an endpoint that fails many questions of one moment rests as after one of them", async () => {
  const bad = await faulty({ exchange: answering(500, "") });
  let now = 0;
  const clock = { now: () => new Date(now), nowMilliseconds: () => now };
  const { log } = collectingLog();
  const { chainId } = local;
  const urls = [bad.url, local.url];
  const short = { ...limits, restMilliseconds: 1_000, restMillisecondsMax: 60_000 };
  const chain = await openEvmChain({ chainId, urls, clock, log, limits: short });
  await Promise.all(Array.from({ length: 20 }, () => chain.minedCount(local.ownerAddress)));
  const asked = bad.requests.length;
  await chain.minedCount(local.ownerAddress);
  expect(bad.requests).toHaveLength(asked);
  now = 1_001;
  await chain.minedCount(local.ownerAddress);
  expect(bad.requests.length).toBeGreaterThan(asked);
});

test("an error to a single call counts without its id, and an answer does not", async () => {
  const saying = async (said: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: null, ...said });
    const { url } = await faulty({ exchange: answering(200, body) });
    return new RpcEndpoint(url).call("eth_call");
  };
  const error = { code: 3, message: "execution reverted" };
  await expect(saying({ error })).rejects.toMatchObject({ name: "NodeError", ...error });
  const nameless = saying({ result: "0x1" });
  await expect(nameless).rejects.toThrow("whose answer, to eth_call?");
  await expect(nameless).rejects.toBeInstanceOf(EndpointFailure);
});

test("raw control characters in an error are no reason to lose the answer", async () => {
  const { url } = await faulty({
    exchange: (messages, response) => {
      const [message] = messages;
      const body = `{"jsonrpc":"2.0","id":${message?.id ?? 0},"error":{"code":3,"message":"revert \0\x01\x02"}}`;
      return answering(200, body)(messages, response);
    },
  });
  await expect(new RpcEndpoint(url).call("eth_call")).rejects.toMatchObject({
    name: "NodeError",
    code: 3,
    message: "revert",
  });
});
