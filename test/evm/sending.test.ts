// What nodes say of transactions, and what is offered for them at most.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { feeLimits, refusalOf } from "../../adapters/evm/sending.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { type FaultyEndpoint, collectingLog, startFaultyEndpoint } from "./faulty-endpoint.ts";

const gwei = 10n ** 9n;
let local: TestChain;
let node: FaultyEndpoint;
beforeAll(async () => {
  local = await startTestChain();
  node = await startFaultyEndpoint(local.url);
});
afterAll(async () => {
  await node.close();
  await local.close();
});
afterEach(() => {
  node.faults.answer = (_message, reply) => reply;
});

async function open(urls: readonly string[] = [node.url]) {
  const { log, lines } = collectingLog();
  const limits = { pauseMilliseconds: 1 };
  const { chainId } = local;
  return { chain: await openEvmChain({ chainId, urls, clock: systemClock, log, limits }), lines };
}

test.each([
  // Geth, Reth
  ["already known", "known"],
  ["nonce too low: next nonce 4, tx nonce 3", "nonce_used"],
  ["replacement transaction underpriced", "underpriced"],
  ["transaction underpriced: gas tip cap 1, minimum needed 1000000", "underpriced"],
  ["max fee per gas less than block base fee: address 0x00, maxFeePerGas: 1", "underpriced"],
  ["insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1", "unfunded"],
  // anvil
  ["transaction already imported", "known"],
  ["Insufficient funds for gas * price + value", "unfunded"],
  // Erigon
  ["existing tx with same hash", "known"],
  ["could not replace existing tx", "underpriced"],
  ["fee too low", "underpriced"],
  // Nethermind
  ["AlreadyKnown", "known"],
  ["OldNonce, Current nonce: 5, nonce of rejected tx: 4.", "nonce_used"],
  ["OwnNonceAlreadyUsed", "nonce_used"],
  ["FeeTooLow, MaxFeePerGas too low.", "underpriced"],
  ["FeeTooLowToCompete", "underpriced"],
  ["ReplacementNotAllowed", "underpriced"],
  ["InsufficientFunds, Account balance: 0, cumulative cost: 1", "unfunded"],
  // Besu
  ["Known transaction", "known"],
  ["Nonce too low", "nonce_used"],
  ["Gas price below configured minimum gas price", "underpriced"],
  ["Upfront cost exceeds account balance", "unfunded"],
  // about something else
  ["exceeds block gas limit", undefined],
  ["txpool is full", undefined],
  ["invalid sender", undefined],
  ["method handler crashed", undefined],
] as const)("%s: %s", (message, result) => {
  expect(refusalOf(message)).toBe(result);
});

describe("a transaction", () => {
  test("that a node refuses for another reason may be on its way: nothing is decided", async () => {
    node.faults.answer = ({ id, method }, reply) =>
      method === "eth_sendRawTransaction"
        ? { id, error: { code: -32_000, message: "txpool is full" } }
        : reply;
    const { chain } = await open();
    const error: unknown = await chain.send(new Uint8Array([2])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "chain_unavailable" });
    expect(error).toMatchObject({
      cause: { message: /endpoint 1: it says -32000 txpool is full/ },
    });
  });

  test("that one node refuses and another takes is accepted", async () => {
    const [account] = local.accounts;
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId: Number(local.chainNumber),
      nonce: 0,
      gas: 21_000n,
      to: account.address,
      maxFeePerGas: 10n * gwei,
    });
    node.faults.answer = ({ id, method }, reply) =>
      method === "eth_sendRawTransaction"
        ? { id, error: { code: -32_000, message: "transaction underpriced" } }
        : reply;
    const { chain } = await open([node.url, local.url]);
    const bytes = new Uint8Array(Buffer.from(raw.slice(2), "hex"));
    expect(["accepted", "known"]).toContain(await chain.send(bytes));
  });
});

describe("the fees", () => {
  const saying = (answers: Readonly<Record<string, unknown>>) => {
    node.faults.answer = ({ method, id }, reply) => {
      if (!(method in answers)) return reply;
      const result = answers[method];
      if (result === undefined) return { id, error: { code: -32_601, message: "no such method" } };
      return { ...reply, result };
    };
  };
  const header = async (change: object) => {
    // A block of the real node.
    const block = (await local.rpc("eth_getBlockByNumber", ["latest", false])) as object;
    return { ...block, ...change };
  };
  const hex = (value: bigint) => `0x${value.toString(16)}`;

  test("are twice the newest block's price, and what is usual for the miner", async () => {
    const baseFeePerGas = hex(30n * gwei);
    saying({
      eth_getBlockByNumber: await header({ baseFeePerGas }),
      eth_maxPriorityFeePerGas: hex(2n * gwei),
    });
    const { chain } = await open();
    expect(await chain.fees()).toEqual({
      maxFeePerGas: 62n * gwei,
      maxPriorityFeePerGas: 2n * gwei,
    });
    saying({ eth_maxPriorityFeePerGas: undefined });
    expect((await chain.fees()).maxPriorityFeePerGas).toBe(gwei);
  });

  test("are never more than the limits, whatever a node says", async () => {
    const { chain } = await open();
    saying({ eth_maxPriorityFeePerGas: hex(10n ** 30n) });
    expect((await chain.fees()).maxPriorityFeePerGas).toBe(feeLimits.maxPriorityFeePerGas);
    saying({
      eth_getBlockByNumber: await header({ baseFeePerGas: hex(10n ** 30n) }),
      eth_maxPriorityFeePerGas: hex(10n ** 30n),
    });
    expect(await chain.fees()).toEqual(feeLimits);
  });

  test("are one price on a chain without EIP-1559", async () => {
    const { chain } = await open();
    saying({
      eth_getBlockByNumber: await header({ baseFeePerGas: undefined }),
      eth_gasPrice: hex(5n * gwei),
    });
    expect(await chain.fees()).toEqual({
      maxFeePerGas: 5n * gwei,
      maxPriorityFeePerGas: 5n * gwei,
    });
  });
});

test("a chain that calls nothing safe or final has no such block", async () => {
  node.faults.answer = ({ id, method, params }, reply) => {
    if (method !== "eth_getBlockByNumber") return reply;
    if (params[0] === "safe")
      return { id, error: { code: -39_001, message: "safe block not found" } };
    return params[0] === "finalized" ? { ...reply, result: null } : reply;
  };
  const head = await (await open()).chain.head();
  expect(head).toMatchObject({ safeNumber: undefined, finalizedNumber: undefined });
  node.faults.answer = (_message, reply) => reply;
  await local.mine(10);
  const later = await (await open()).chain.head();
  expect(later).toMatchObject({
    safeNumber: later.number - 4n,
    finalizedNumber: later.number - 8n,
  });
});
