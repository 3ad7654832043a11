// The chain's own coin, which has no logs: sent with a transaction, and paid out by contracts.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import type { EvmChainOptions } from "../../adapters/evm/chain.ts";
import { tracedTransfers } from "../../adapters/evm/coin-traces.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { localSigner } from "../support/local-signer.ts";
import { type Faults, type LogLine, collectingLog } from "./faulty-endpoint.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";

let local: TestChain;
let treasury: string;
let people = 0;

beforeAll(async () => {
  local = await startTestChain();
  treasury = await local.deploy("Payer");
  await local.transfer({
    from: payer(),
    to: treasury,
    amountRaw: 10n ** 18n,
    contractAddress: null,
  });
  await local.mine();
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

const payer = (): string => local.accounts[0].address;
const somebody = (): string => localSigner(`coin ${(people += 1)}`).address;

/** A contract pays, of its own coin or of what came with the call. */
function payOut(to: string, amountRaw: bigint): Promise<string> {
  return local.write(payer(), {
    contract: "Payer",
    address: treasury,
    functionName: "pay",
    parameters: [to, amountRaw],
  });
}

function without(...methods: readonly string[]): Faults {
  const error = { code: -32_601, message: "the method does not exist/is not available" };
  return {
    answer: ({ id, method }, reply) => (methods.includes(method) ? { id, error } : reply),
  };
}

async function chainOf(urls: readonly string[], more: Partial<EvmChainOptions> = {}) {
  const { log, lines } = collectingLog();
  const { chainId } = local;
  const limits = { pauseMilliseconds: 1, restMilliseconds: 0 };
  const chain = await openEvmChain({ chainId, urls, clock: systemClock, log, limits, ...more });
  return { chain, lines };
}

const debug = "debug_traceBlockByHash";
const parity = "trace_block";
const blockReceipts = "eth_getBlockReceipts";
const warnings = (lines: readonly LogLine[]) => lines.filter(({ level }) => level === "warn");

/** One block in which somebody gets coin both ways, and some payments fail. */
async function busyBlock() {
  const to = somebody();
  const sent = await local.transfer({ from: payer(), to, amountRaw: 5n, contractAddress: null });
  const paid = await payOut(to, 7n);
  // More than it has: the inner call fails, and with it the transaction.
  await payOut(to, 10n ** 20n);
  // A contract that takes no coin.
  await local.transfer({
    from: payer(),
    to: local.usdAddress,
    amountRaw: 9n,
    contractAddress: null,
  });
  await local.transfer({ from: payer(), to: somebody(), amountRaw: 0n, contractAddress: null });
  const { number, hash } = await local.mine();
  return { to, sent, paid, number, hash };
}

describe.each([
  ["debug traces", without()],
  ["the traces of Parity", without(debug)],
])("by %s", (_name, faults) => {
  test("both ways of being paid are seen, and nothing that failed", async () => {
    const { to, sent, paid, number } = await busyBlock();
    const { chain, lines } = await chainOf([(await faulty(faults)).url]);
    const block = await chain.block(number, [null]);
    const coin = { contractAddress: null };
    expect(block?.transfers).toEqual([
      { ...coin, txHash: sent, logIndex: -1, from: payer(), to, amountRaw: 5n },
      { ...coin, txHash: paid, logIndex: -2, from: treasury, to, amountRaw: 7n },
    ]);
    expect(await chain.block(number, [null])).toEqual(block);
    expect((await chain.block(number, []))?.transfers).toEqual([]);
    expect(warnings(lines)).toEqual([]);
  });
});

describe("without traces", () => {
  test("transactions are seen, and somebody hears once of what is not", async () => {
    const { to, sent, number } = await busyBlock();
    for (const methods of [
      [debug, parity],
      [debug, parity, blockReceipts],
    ]) {
      const { chain, lines } = await chainOf([(await faulty(without(...methods))).url]);
      for (let count = 0; count < 2; count++) {
        const block = await chain.block(number, [null]);
        expect(block?.transfers).toMatchObject([{ txHash: sent, logIndex: -1, to, amountRaw: 5n }]);
      }
      expect(warnings(lines).filter(({ text }) => text.includes("is not seen"))).toHaveLength(1);
    }
  });

  test("what contracts pay to watched addresses is seen by their balances", async () => {
    const watched = [somebody(), somebody()];
    const { to, number, hash } = await busyBlock();
    const both = [to, ...watched];
    const bad = await faulty(without(debug, parity));
    const { chain } = await chainOf([bad.url], {
      openAddresses: () => Promise.resolve(both),
    });
    const block = await chain.block(number, [null]);
    expect(block?.transfers).toMatchObject([
      { logIndex: -1, to, amountRaw: 5n },
      { txHash: hash, to, amountRaw: 7n, contractAddress: null },
    ]);
    expect(block?.transfers[1]?.logIndex).toBeLessThan(-1);
    expect(await chain.block(number, [null])).toEqual(block);
    // Whoever else is watched, it has the same name.
    both.reverse();
    expect(await chain.block(number, [null])).toEqual(block);
    const empty = await local.mine();
    expect((await chain.block(empty.number, [null]))?.transfers).toEqual([]);
  });

  test("what an address spends in the same block does not hide what it got", async () => {
    const [spender] = local.accounts.slice(5);
    const owner = spender?.address ?? "";
    await local.transfer({ from: owner, to: somebody(), amountRaw: 1_000n, contractAddress: null });
    await payOut(owner, 11n);
    const { number } = await local.mine();
    const bad = await faulty(without(debug, parity));
    const { chain } = await chainOf([bad.url], { openAddresses: () => Promise.resolve([owner]) });
    const block = await chain.block(number, [null]);
    expect(block?.transfers.filter(({ to }) => to === owner)).toMatchObject([{ amountRaw: 11n }]);
  });

  test("balances that nobody knows any more are a warning, and not the end", async () => {
    const { to, sent, number } = await busyBlock();
    const faults = without(debug, parity, "eth_getBalance");
    const { chain, lines } = await chainOf([(await faulty(faults)).url], {
      openAddresses: () => Promise.resolve([to]),
    });
    expect((await chain.block(number, [null]))?.transfers).toMatchObject([{ txHash: sent }]);
    expect(warnings(lines).some(({ text }) => text.includes("may be missed"))).toBe(true);
  });
});

test("where one endpoint gives traces and another does not, coin is read by traces alone", async () => {
  const { to, number } = await busyBlock();
  const plain = await faulty(without(debug, parity));
  const traced = await faulty();
  const { chain } = await chainOf([plain.url, traced.url], {
    openAddresses: () => Promise.resolve([to]),
  });
  const blocks = [await chain.block(number, [null]), await chain.block(number, [null])];
  expect(blocks[0]?.transfers).toHaveLength(2);
  expect(blocks[1]).toEqual(blocks[0]);
  expect(plain.calls).not.toContain("eth_getBalance");
  // Rather nothing than a name that the next reading would not give.
  traced.faults.exchange = (_messages, response) => Boolean(response.destroy());
  await expect(chain.block(number, [null])).rejects.toMatchObject({ code: "chain_unavailable" });
  expect((await chain.block(number, [local.usdAddress]))?.number).toBe(number);
});

test("threat 27: a high amount that a contract paid out is confirmed by another endpoint's traces", async () => {
  const { number } = await busyBlock();
  await local.mine(4);
  const second = await faulty();
  const highValueRaw = () => 7n;
  const open = async () => {
    const { chain } = await chainOf([local.url, second.url], { highValueRaw });
    await chain.head();
    return chain;
  };
  expect((await (await open()).block(number, [null]))?.transfers).toHaveLength(2);
  second.faults.answer = ({ method }, reply) => {
    if (method !== debug) return reply;
    // Traces of the real node, without what was called.
    const traces = reply.result as readonly { readonly result: object }[];
    return {
      ...reply,
      result: traces.map((one) => ({ ...one, result: { ...one.result, calls: [] } })),
    };
  };
  const chain = await open();
  await expect(chain.block(number, [null])).rejects.toMatchObject({ code: "chain_unavailable" });
});

describe("a block that cannot be traced", () => {
  const gone = "required historical state unavailable (reexec=128)";
  const inside: Faults = {
    answer: ({ method }, reply) =>
      method === debug ? { ...reply, result: [{ error: gone }, { error: gone }] } : reply,
  };
  const outside: Faults = {
    answer: ({ id, method }, reply) =>
      method === debug || method === parity
        ? { id, error: { code: -32_000, message: gone } }
        : reply,
  };

  /** One that shows on a young block that it gives traces. */
  async function tracingChain(faults: Faults, more: Partial<EvmChainOptions> = {}) {
    const to = somebody();
    const sent = await local.transfer({ from: payer(), to, amountRaw: 5n, contractAddress: null });
    const paid = await payOut(to, 7n);
    const { number } = await local.mine();
    await local.mine();
    const endpoint = await faulty();
    const { chain, lines } = await chainOf([endpoint.url], more);
    await chain.block(number + 1n, [null]);
    Object.assign(endpoint.faults, faults);
    const errors = () => lines.filter(({ level }) => level === "error");
    return { chain, endpoint, errors, number, to, sent, paid };
  }

  test("is read by traces of the other kind, if there are any", async () => {
    const { chain, errors, number, sent, paid } = await tracingChain(inside);
    expect((await chain.block(number, [null]))?.transfers).toMatchObject([
      { txHash: sent, logIndex: -1 },
      { txHash: paid, logIndex: -2 },
    ]);
    expect(errors()).toEqual([]);
  });

  test.each([
    ["in the middle of an answer", { ...without(parity), inside }],
    ["in place of an answer", { inside: outside }],
  ])(
    "because its state is gone, %s: holds nothing up, and is an error in the log",
    async (_n, at) => {
      const answer: Faults["answer"] = async (message, reply, ask) => {
        const without = (await at.inside.answer?.(message, reply, ask)) ?? reply;
        return ("answer" in at ? await at.answer(message, without, ask) : undefined) ?? without;
      };
      const { chain, errors, number, sent } = await tracingChain({ answer });
      const block = await chain.block(number, [null]);
      expect(block?.transfers).toMatchObject([{ txHash: sent, logIndex: -1, amountRaw: 5n }]);
      expect(errors()).toMatchObject([{ fields: { block: number } }]);
      expect((await chain.block(number, [null]))?.transfers).toEqual(block?.transfers);
    },
  );

  test("because there is too much in it: is tried a few times, and then holds nothing up", async () => {
    const limits = { answerBytesMax: 50_000, pauseMilliseconds: 1, restMilliseconds: 0 };
    const huge: Faults = {
      answer: ({ method }, reply) =>
        method === debug || method === parity ? { ...reply, result: "x".repeat(60_000) } : reply,
    };
    const { chain, errors, number, sent } = await tracingChain(huge, { limits });
    await expect(chain.block(number, [null])).rejects.toMatchObject({ code: "chain_unavailable" });
    expect(errors()).toEqual([]);
    expect((await chain.block(number, [null]))?.transfers).toMatchObject([{ txHash: sent }]);
    expect(errors()).toHaveLength(1);
  });

  test("at one endpoint is read from another", async () => {
    const { chain: _alone, endpoint, number, sent, paid } = await tracingChain(outside);
    const { chain, lines } = await chainOf([endpoint.url, local.url]);
    expect((await chain.block(number, [null]))?.transfers).toMatchObject([
      { txHash: sent },
      { txHash: paid },
    ]);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

test("both kinds of traces name a payment alike, whatever failed before it in its transaction", async () => {
  const hash = (digit: string): string => `0x${digit.repeat(64)}`;
  const block = { number: 1n, hash: hash("b"), txHashes: [hash("a")] };
  const [from, to] = [payer(), somebody()];
  const call = (parts: object) => ({ type: "CALL", from, to, value: "0x0", ...parts });
  const refused = call({ value: "0x5", error: "execution reverted", calls: [call({})] });
  const look = call({ type: "STATICCALL" });
  const root = call({ calls: [refused, look, call({ value: "0x7" }), call({ value: "0x8" })] });
  const action = { callType: "call", from, to, value: "0x0" };
  const one = (traceAddress: readonly number[], parts: object = {}, more: object = {}) => ({
    type: "call",
    traceAddress,
    action: { ...action, ...parts },
    transactionHash: hash("a"),
    blockHash: hash("b"),
    ...more,
  });
  // This kind lists what a failed call has called, and does not list all that looks only.
  const listed = [
    one([]),
    one([0], { value: "0x5" }, { error: "Reverted" }),
    one([0, 0]),
    one([2], { value: "0x7" }),
    one([3], { value: "0x8" }),
  ];
  const asked = (result: unknown) => ({ place: 1, call: () => Promise.resolve(result) });
  const byDebug = await tracedTransfers(asked([{ result: root }]), "debug", block);
  expect(byDebug.map(({ logIndex, amountRaw }) => [logIndex, amountRaw])).toEqual([
    [-2, 7n],
    [-3, 8n],
  ]);
  expect(await tracedTransfers(asked(listed), "parity", block)).toEqual(byDebug);
});

test("both kinds of traces name alike what a contract is made with, and what it leaves when it ends", async () => {
  const hash = (digit: string): string => `0x${digit.repeat(64)}`;
  const block = { number: 1n, hash: hash("b"), txHashes: [hash("a")] };
  const [from, to] = [payer(), somebody()];
  const made = `0x${"c0".repeat(20)}`;
  const debug = {
    type: "CALL",
    from,
    to,
    value: "0x1",
    calls: [
      { type: "CREATE", from, to: made, value: "0x2" },
      { type: "SELFDESTRUCT", from: made, to, value: "0x3" },
    ],
  };
  const place = (traceAddress: readonly number[]) => ({
    traceAddress,
    transactionHash: hash("a"),
    blockHash: hash("b"),
  });
  const parity = [
    { ...place([]), type: "call", action: { callType: "call", from, to, value: "0x1" } },
    { ...place([0]), type: "create", action: { from, value: "0x2" }, result: { address: made } },
    {
      ...place([1]),
      type: "suicide",
      action: { address: made, refundAddress: to, balance: "0x3" },
    },
  ];
  const asked = (result: unknown) => ({ place: 1, call: () => Promise.resolve(result) });
  const byDebug = await tracedTransfers(asked([{ result: debug }]), "debug", block);
  const moves = byDebug.map((one) => [one.from, one.to, one.amountRaw] as const);
  expect(moves.map(([a, b, amount]) => [a.toLowerCase(), b.toLowerCase(), amount])).toEqual([
    [from.toLowerCase(), to.toLowerCase(), 1n],
    [from.toLowerCase(), made, 2n],
    [made, to.toLowerCase(), 3n],
  ]);
  expect(await tracedTransfers(asked(parity), "parity", block)).toEqual(byDebug);
});
