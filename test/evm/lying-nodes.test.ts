// Nodes that lie, lag, or leave something out, in front of a real chain (threats 27 and 28).

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import type { EvmChainOptions } from "../../adapters/evm/chain.ts";
import { topics } from "../../adapters/evm/logs.ts";
import { topicOfAddress } from "../../adapters/evm/answers.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { localSigner } from "../support/local-signer.ts";
import { type Faults, collectingLog } from "./faulty-endpoint.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";

let local: TestChain;
let people = 0;

beforeAll(async () => {
  local = await startTestChain();
  await local.mint(payer(), 10n ** 15n);
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

const payer = (): string => local.accounts[0].address;
const somebody = (): string => localSigner(`somebody ${(people += 1)}`).address;

async function chainOf(urls: readonly string[], more: Partial<EvmChainOptions> = {}) {
  const { log, lines } = collectingLog();
  const { chainId } = local;
  const limits = { callMilliseconds: 2_000, pauseMilliseconds: 1, restMilliseconds: 0 };
  const chain = await openEvmChain({ chainId, urls, clock: systemClock, log, limits, ...more });
  return { chain, lines };
}

/** Somebody new gets so much of the token, and of the coin, in one block with others. */
async function blockWithPayment(amountRaw = 1_000n) {
  const to = somebody();
  await local.transfer({ from: payer(), to: somebody(), amountRaw: 5n });
  await local.transfer({ from: payer(), to, amountRaw });
  await local.transfer({ from: payer(), to, amountRaw, contractAddress: null });
  const { number } = await local.mine();
  return { to, number, contracts: [local.usdAddress, null] };
}

const unavailable = { code: "chain_unavailable" };
const usual = { level: "error", text: "endpoints of a chain do not agree" };

/** Of the token's transfers in a block, what is left. */
function changedLogs(change: (logs: readonly object[]) => readonly object[]): Faults {
  return {
    answer: ({ method }, reply) => {
      if (method !== "eth_getLogs") return reply;
      // Logs of the real node.
      return { ...reply, result: change(reply.result as readonly object[]) };
    },
  };
}

describe("threat 28: what a node leaves out", () => {
  const leavingOut: Readonly<Record<string, Faults>> = {
    "all logs": changedLogs(() => []),
    "one log": changedLogs((logs) => logs.slice(1)),
  };
  for (const [what, faults] of Object.entries(leavingOut)) {
    test(`${what}: is missed, and found at another one`, async () => {
      const { to, number, contracts } = await blockWithPayment();
      const bad = await faulty(faults);
      const careful = { spotCheckEvery: 1n };
      const { chain } = await chainOf([bad.url], careful);
      await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
      const both = await chainOf([bad.url, local.url], careful);
      const block = await both.chain.block(number, contracts);
      expect(block?.transfers.filter((one) => one.to === to)).toMatchObject([
        { contractAddress: local.usdAddress, amountRaw: 1_000n },
        { contractAddress: null, amountRaw: 1_000n },
      ]);
    });
  }

  test("all logs: is missed by the header alone, without any spot check", async () => {
    const { number, contracts } = await blockWithPayment();
    const { chain } = await chainOf([(await faulty(changedLogs(() => []))).url], {
      spotCheckEvery: 10_000n,
    });
    await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
  });

  test("logs and receipts alike: is missed by the root in the header", async () => {
    const { number, contracts } = await blockWithPayment();
    const { chain } = await chainOf([
      (
        await faulty({
          answer: ({ method }, reply) => {
            if (method === "eth_getLogs") return { ...reply, result: [] };
            if (method !== "eth_getBlockReceipts") return reply;
            // Receipts of the real node.
            const receipts = reply.result as readonly object[];
            return { ...reply, result: receipts.map((one) => ({ ...one, logs: [] })) };
          },
        })
      ).url,
    ]);
    await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
  });

  test("traces, or one of them: is missed", async () => {
    const { number, contracts } = await blockWithPayment();
    for (const left of [0, 1, 2]) {
      const bad = await faulty({
        answer: ({ method }, reply) => {
          if (method !== "debug_traceBlockByHash") return reply;
          // Traces of the real node.
          return { ...reply, result: (reply.result as readonly object[]).slice(0, left) };
        },
      });
      const { chain } = await chainOf([bad.url]);
      await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
    }
  });
});

describe("threat 27: what a node makes up", () => {
  test("logs of a contract that the header does not know are not believed", async () => {
    const { number } = await local.mine();
    const { hash } = await local.block(number);
    const forged = {
      address: local.usdAddress,
      topics: [topics.transfer, topicOfAddress(payer()), topicOfAddress(somebody())],
      data: `0x${"1".padStart(64, "0")}`,
      blockHash: hash,
      transactionHash: hash,
      logIndex: "0x0",
    };
    const { chain } = await chainOf([(await faulty(changedLogs(() => [forged]))).url]);
    await expect(chain.block(number, [local.usdAddress])).rejects.toMatchObject(unavailable);
  });

  test.each([
    ["of another block", { blockHash: `0x${"1".repeat(64)}` }],
    ["of another contract", { address: `0x${"1".repeat(40)}` }],
    ["that were taken back", { removed: true }],
    ["without a place", { logIndex: null }],
  ])("logs %s are not believed", async (_name, change) => {
    const { number, contracts } = await blockWithPayment();
    const changed = changedLogs((logs) => logs.map((one) => ({ ...one, ...change })));
    const { chain } = await chainOf([(await faulty(changed)).url]);
    await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
  });

  test("a head behind what another node has told of is not the newest", async () => {
    let isBehind = false;
    const old = await faulty({
      answer: async ({ method, params }, reply, ask) => {
        if (!isBehind || method !== "eth_getBlockByNumber" || params[0] !== "latest") return reply;
        return { ...reply, result: await ask("eth_getBlockByNumber", "0x1", false) };
      },
    });
    const { chain, lines } = await chainOf([old.url, local.url]);
    await local.mine(20);
    const { number } = await chain.head();
    isBehind = true;
    expect((await chain.head()).number).toBe(number);
    await local.mine();
    expect((await chain.head()).number).toBe(number + 1n);
    expect(lines.map(({ text }) => text)).toEqual(["an endpoint lags behind"]);
  });

  test("a block that a lagging node does not have yet comes from another one", async () => {
    const lagging = await faulty();
    const { chain } = await chainOf([lagging.url, local.url]);
    const { number } = await local.mine();
    await chain.head();
    lagging.faults.answer = ({ method, params }, reply) =>
      method === "eth_getBlockByNumber" && params[0] === `0x${number.toString(16)}`
        ? { ...reply, result: null }
        : reply;
    expect((await chain.block(number, []))?.number).toBe(number);
    expect(await chain.block(number + 1n, [])).toBeUndefined();
  });

  test("a block is read the second time from another node than the first time", async () => {
    const { number, contracts } = await blockWithPayment();
    const [one, other] = [await faulty(), await faulty()];
    const { chain } = await chainOf([one.url, other.url]);
    await chain.block(number, contracts);
    const readers = () =>
      [one, other].map(({ calls }) => calls.filter((call) => call === "eth_getLogs").length);
    expect(readers()).toEqual([1, 0]);
    await chain.block(number, contracts);
    expect(readers()).toEqual([1, 1]);
  });
});

describe("threat 27: high values", () => {
  const high = 1_000_000n;
  const highValueRaw = (contract: string | null) => (contract === null ? undefined : high);
  /** So many blocks later both nodes have it. */
  const settled = 4;

  async function oldBlock(amountRaw: bigint) {
    const payment = await blockWithPayment(amountRaw);
    await local.mine(settled);
    return payment;
  }

  test("count when two nodes say the same", async () => {
    const { to, number, contracts } = await oldBlock(high);
    const { chain, lines } = await chainOf([local.url, (await faulty()).url], { highValueRaw });
    await chain.head();
    const block = await chain.block(number, contracts);
    expect(block?.transfers.filter((one) => one.to === to)).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  const other: Readonly<Record<string, Faults>> = {
    "does not have the transfer": {
      answer: ({ method }, reply) =>
        method === "eth_getTransactionReceipt" ? { ...reply, result: null } : reply,
    },
    "has less in it": {
      answer: ({ method }, reply) =>
        // A receipt of the real node.
        method === "eth_getTransactionReceipt"
          ? { ...reply, result: { ...(reply.result as object), logs: [] } }
          : reply,
    },
    "has another block": {
      answer: ({ method }, reply) => {
        if (method !== "eth_getBlockByNumber" || reply.result === null) return reply;
        // A block of the real node.
        return { ...reply, result: { ...(reply.result as object), hash: `0x${"1".repeat(64)}` } };
      },
    },
    "is away": {
      answer: ({ id }) => ({ id, error: { code: -32_005, message: "limit exceeded" } }),
    },
  };
  for (const [what, faults] of Object.entries(other)) {
    test(`do not count while the second node ${what}`, async () => {
      const { number, contracts } = await oldBlock(high);
      const less = await oldBlock(high - 10n);
      const second = await faulty(faults);
      const ports = { highValueRaw, spotCheckEvery: 10_000n };
      const { chain, lines } = await chainOf([local.url, second.url], ports);
      await chain.head();
      await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
      expect(lines).toContainEqual(expect.objectContaining(usual));
      expect((await chain.block(less.number, contracts))?.number).toBe(less.number);
      Object.assign(second.faults, { answer: undefined });
      expect((await chain.block(number, contracts))?.number).toBe(number);
    });
  }

  test.each([3, 30])("are one of %s small transfers to us in a block as well", async (count) => {
    const own = Array.from({ length: count }, () => somebody());
    for (const to of own) {
      await local.transfer({ from: payer(), to, amountRaw: high / BigInt(count) + 1n });
    }
    const { number } = await local.mine();
    await local.mine(settled);
    const second = await faulty(other["is away"]);
    const { chain } = await chainOf([local.url, second.url], {
      highValueRaw,
      ownAddresses: async () => await Promise.resolve(new Set(own)),
    });
    await chain.head();
    const contracts = [local.usdAddress, null];
    await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
    Object.assign(second.faults, { answer: undefined });
    expect((await chain.block(number, contracts))?.number).toBe(number);
  });

  test("of others hold nothing up", async () => {
    const { to, number, contracts } = await oldBlock(high);
    const away = await faulty(other["is away"]);
    const asked: string[][] = [];
    const own = new Set<string>();
    const { chain } = await chainOf([local.url, away.url], {
      highValueRaw,
      ownAddresses: async (addresses) => {
        asked.push([...addresses]);
        return await Promise.resolve(own);
      },
    });
    await chain.head();
    expect((await chain.block(number, contracts))?.number).toBe(number);
    expect(asked.map((addresses) => addresses.includes(to))).toEqual([true]);
    own.add(to);
    await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
  });
});

describe("threat 27: receipts", () => {
  /** A transfer, mined, and what the second node makes of its receipt. */
  async function receiptWith(change: (receipt: object) => object | null, blocks = 5) {
    const txHash = await local.transfer({ from: payer(), to: somebody(), amountRaw: 1n });
    await local.mine(blocks);
    const second = await faulty({
      answer: ({ method }, reply) => {
        if (method !== "eth_getTransactionReceipt") return reply;
        // A receipt of the real node.
        return { ...reply, result: change(reply.result as object) };
      },
    });
    const { chain } = await chainOf([local.url, second.url]);
    await chain.head();
    return { chain, txHash };
  }

  test("count when two nodes say the same", async () => {
    const { chain, txHash } = await receiptWith((receipt) => receipt);
    expect(await chain.receipt(txHash)).toMatchObject({ txHash, isSuccess: true });
  });

  test.each([
    ["that it failed", (receipt: object) => ({ ...receipt, status: "0x0" })],
    ["that it moved nothing", (receipt: object) => ({ ...receipt, logs: [] })],
    ["nothing, long after", () => null],
  ])("decide nothing while the second node says %s", async (_name, change) => {
    const { chain, txHash } = await receiptWith(change);
    await expect(chain.receipt(txHash)).rejects.toMatchObject(unavailable);
  });

  test("that only one node has yet are not there yet", async () => {
    const { chain, txHash } = await receiptWith(() => null, 1);
    expect(await chain.receipt(txHash)).toBeUndefined();
  });

  test("do not wait again and again for a second node that hangs", async () => {
    const txHash = await local.transfer({ from: payer(), to: somebody(), amountRaw: 1n });
    await local.mine();
    const hanging = await faulty({ exchange: () => true });
    const limits = { callMilliseconds: 200 };
    const { chain } = await chainOf([local.url, hanging.url], { limits });
    expect(await chain.receipt(txHash)).toMatchObject({ isSuccess: true });
    const asked = hanging.calls.length;
    expect(asked).toBeGreaterThan(0);
    for (let count = 0; count < 3; count++) await chain.receipt(txHash);
    expect(hanging.calls).toHaveLength(asked);
  });

  test("of a success count while the second node is away, of a failure they do not", async () => {
    const refusing = await local.deploy("RefusingToken");
    const good = await local.transfer({ from: payer(), to: somebody(), amountRaw: 1n });
    const contractAddress = refusing;
    const bad = await local.transfer({
      from: payer(),
      to: somebody(),
      amountRaw: 1n,
      contractAddress,
    });
    await local.mine();
    const away = await faulty({ exchange: (_messages, response) => Boolean(response.destroy()) });
    const { chain } = await chainOf([local.url, away.url]);
    expect(await chain.receipt(good)).toMatchObject({ isSuccess: true });
    await expect(chain.receipt(bad)).rejects.toMatchObject(unavailable);
    const { chain: alone } = await chainOf([local.url]);
    expect(await alone.receipt(bad)).toMatchObject({ isSuccess: false, transfers: [] });
  });
});

test("that there is no receipt is no fact while the second node is away, unless it waits", async () => {
  const mined = await local.transfer({ from: payer(), to: somebody(), amountRaw: 1n });
  await local.mine();
  const forgetful = await faulty({
    answer: ({ method, params }, reply) =>
      params[0] === mined && method.startsWith("eth_getTransaction")
        ? { ...reply, result: null }
        : reply,
  });
  const other = await faulty();
  const { chain } = await chainOf([forgetful.url, other.url]);
  await local.mine(4);
  await chain.head();
  await expect(chain.receipt(mined)).rejects.toMatchObject(unavailable);
  other.faults.exchange = (_messages, response) => Boolean(response.destroy());
  // Its count of mined transactions goes on, so this would read as if another one had been mined.
  await expect(chain.receipt(mined)).rejects.toMatchObject(unavailable);
  const waiting = await local.transfer({ from: payer(), to: somebody(), amountRaw: 2n });
  expect(await chain.receipt(waiting)).toBeUndefined();
  await local.mine();
  expect(await chain.receipt(waiting)).toMatchObject({ isSuccess: true });
});

test("a signed transaction goes to every node, and one that swallows it holds nothing up", async () => {
  const signer = localSigner("sender");
  await local.giveCoin(signer.address, 10n ** 18n);
  await local.mine();
  const silent = await faulty({ exchange: (messages) => messages[0]?.method !== "eth_chainId" });
  const { chain } = await chainOf([silent.url, local.url], {
    limits: { callMilliseconds: 30_000 },
  });
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
  const intent = { nonce: 0n, to: somebody(), contractAddress: null, amountRaw: 1n, fees };
  const { raw, txHash } = await signer.sign(local.chainId, intent);
  expect(await chain.send(raw)).toBe("accepted");
  await local.mine();
  expect(await local.receipt(`0x${txHash.slice(2)}`)).toMatchObject({ isSuccess: true });
  expect(silent.calls).toContain("eth_sendRawTransaction");
});
