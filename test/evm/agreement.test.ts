// One lie at a time, among answers that are true: what a node says of a receipt or of a block is held
// against its other answers, and against what a second node says (threats 27 and 28).

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import type { EvmChainOptions } from "../../adapters/evm/chain.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { localSigner } from "../support/local-signer.ts";
import { type Faults, type Reply, collectingLog } from "./faulty-endpoint.ts";
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
const somebody = (): string => localSigner(`agreed ${(people += 1)}`).address;
const unavailable = { code: "chain_unavailable" };
const wrongHash = `0x${"1".repeat(64)}`;

async function chainOf(urls: readonly string[], more: Partial<EvmChainOptions> = {}) {
  const { chainId } = local;
  const { log } = collectingLog();
  const limits = { callMilliseconds: 2_000, pauseMilliseconds: 1, restMilliseconds: 0 };
  const chain = await openEvmChain({ chainId, urls, clock: systemClock, log, limits, ...more });
  await chain.head();
  return chain;
}

type Fields = Readonly<Record<string, unknown>>;

/** Changes what the node says to this method. */
function lying(method: string, change: (said: Fields) => unknown): Faults {
  return {
    answer: (message, reply): Reply => {
      if (message.method !== method || reply.result === null) return reply;
      // An object of the real node.
      return { ...reply, result: change(reply.result as Fields) };
    },
  };
}

/** Of each log that is in the answer. */
function withLogs(change: (log: Fields) => Fields): (said: Fields) => Fields {
  // Logs of the real node.
  return (said) => ({ ...said, logs: (said["logs"] as readonly Fields[]).map(change) });
}

describe("a receipt", () => {
  /** Of the token or of the coin, and deep enough that two nodes have to have it. */
  async function mined(contractAddress: string | null = local.usdAddress): Promise<string> {
    const transfer = { from: payer(), to: somebody(), amountRaw: 7n, contractAddress };
    const txHash = await local.transfer(transfer);
    await local.mine(6);
    return txHash;
  }

  const receipts = "eth_getTransactionReceipt";
  test.each([
    ["another transaction", receipts, (said: Fields) => ({ ...said, transactionHash: wrongHash })],
    ["another block", receipts, (said: Fields) => ({ ...said, blockHash: wrongHash })],
    ["another height", receipts, (said: Fields) => ({ ...said, blockNumber: "0x1" })],
    ["no block", receipts, (said: Fields) => ({ ...said, blockHash: null })],
    ["no price", receipts, (said: Fields) => ({ ...said, effectiveGasPrice: null })],
    [
      "logs of another block",
      receipts,
      withLogs((log: Fields) => ({ ...log, blockHash: wrongHash })),
    ],
    [
      "logs of another transaction",
      receipts,
      withLogs((log: Fields) => ({ ...log, transactionHash: wrongHash })),
    ],
    [
      "another transaction beside it",
      "eth_getTransactionByHash",
      (said: Fields) => ({ ...said, hash: wrongHash }),
    ],
    ["no transaction beside it", "eth_getTransactionByHash", () => null],
    [
      "a block that is another one now",
      "eth_getBlockByNumber",
      (said: Fields) => ({ ...said, hash: wrongHash }),
    ],
  ])("that says %s is not believed", async (_what, method, change) => {
    const txHash = await mined();
    const liar = await faulty();
    const chain = await chainOf([liar.url]);
    expect(await chain.receipt(txHash)).toMatchObject({ txHash, isSuccess: true });
    Object.assign(liar.faults, lying(method, change));
    await expect(chain.receipt(txHash)).rejects.toMatchObject(unavailable);
  });

  const other = (value: unknown): string => String(value).replace(/.$/, "0");
  test.each([
    ["whether it succeeded", (said: Fields) => ({ ...said, status: "0x0" })],
    ["of which token it was", withLogs((log) => ({ ...log, address: payer() }))],
    [
      "whom it came from",
      withLogs((log) => ({ ...log, topics: at(log["topics"], 1, (one) => other(one)) })),
    ],
    [
      "whom it went to",
      withLogs((log) => ({ ...log, topics: at(log["topics"], 2, (one) => other(one)) })),
    ],
    ["how much it was", withLogs((log) => ({ ...log, data: `0x${"8".padStart(64, "0")}` }))],
    ["where it was", withLogs((log) => ({ ...log, logIndex: "0x7" }))],
  ] as const)("of which two nodes differ on %s decides nothing", async (_what, change) => {
    const txHash = await mined();
    const second = await faulty(lying("eth_getTransactionReceipt", change));
    for (const urls of [
      [local.url, second.url],
      [second.url, local.url],
    ]) {
      const chain = await chainOf(urls);
      await expect(chain.receipt(txHash)).rejects.toMatchObject(unavailable);
    }
  });

  test("of which two nodes differ on its success alone decides nothing", async () => {
    // It moves nothing, whether it succeeds or not.
    const call = { contract: "TestUSD", address: local.usdAddress, functionName: "approve" };
    const txHash = await local.write(payer(), { ...call, parameters: [somebody(), 0n] });
    await local.mine(6);
    const change = (said: Fields): Fields => ({ ...said, status: "0x0" });
    const second = await faulty(lying("eth_getTransactionReceipt", change));
    for (const urls of [
      [local.url, second.url],
      [second.url, local.url],
    ]) {
      const chain = await chainOf(urls);
      await expect(chain.receipt(txHash)).rejects.toMatchObject(unavailable);
    }
    Object.assign(second.faults, { answer: undefined });
    const chain = await chainOf([local.url, second.url]);
    expect(await chain.receipt(txHash)).toMatchObject({ isSuccess: true, transfers: [] });
  });

  test("of which two nodes differ on its block alone decides nothing", async () => {
    const txHash = await mined(null);
    const { blockHash, blockNumber } = (await local.receipt(`0x${txHash.slice(2)}`)) ?? {};
    // All that the second one says is of one piece: a block of its own in place of the real one.
    const second = await faulty({
      answer: (_message, reply) => {
        const text = JSON.stringify(reply).replaceAll(String(blockHash), wrongHash);
        // The same answer, but for the hash.
        return JSON.parse(text) as Reply;
      },
    });
    const alone = await chainOf([second.url]);
    expect(await alone.receipt(txHash)).toMatchObject({
      block: { number: blockNumber, hash: wrongHash },
    });
    const chain = await chainOf([local.url, second.url]);
    await expect(chain.receipt(txHash)).rejects.toMatchObject(unavailable);
  });
});

describe("a block", () => {
  const amountRaw = 1_000_000n;
  const highValueRaw = (contract: string | null) => (contract === null ? undefined : amountRaw);

  /** One high transfer to each of so many. */
  async function blockWith(count: number) {
    for (let sent = 0; sent < count; sent++) {
      await local.transfer({ from: payer(), to: somebody(), amountRaw });
    }
    const { number } = await local.mine();
    await local.mine(4);
    return number;
  }

  // Of more than eight transactions the block is compared, of fewer the receipt of each.
  test.each([2, 9])(
    "of which one of %i high transfers is forged is not believed for the others",
    async (count) => {
      const number = await blockWith(count);
      const contracts = [local.usdAddress];
      for (let forged = 0; forged < count; forged++) {
        const change = (log: Fields, index: number): Fields =>
          index === forged ? { ...log, data: `0x${"f".repeat(16).padStart(64, "0")}` } : log;
        const liar = await faulty({
          answer: ({ method }, reply) => {
            if (method !== "eth_getLogs") return reply;
            // Logs of the real node.
            return { ...reply, result: (reply.result as readonly Fields[]).map(change) };
          },
        });
        const ports = { highValueRaw, spotCheckEvery: 10_000n };
        const chain = await chainOf([liar.url, local.url], ports);
        await expect(chain.block(number, contracts)).rejects.toMatchObject(unavailable);
        Object.assign(liar.faults, { answer: undefined });
        expect((await chain.block(number, contracts))?.transfers).toHaveLength(count);
      }
    },
  );

  test.each([
    ["another block", { blockHash: wrongHash }],
    ["another transaction", { transactionHash: wrongHash }],
  ])("that is compared with receipts of %s is not believed", async (_what, change) => {
    const number = await blockWith(2);
    const liar = await faulty({
      answer: ({ method }, reply) => {
        if (method !== "eth_getBlockReceipts") return reply;
        // Receipts of the real node, of which the last one is changed.
        const said = reply.result as readonly Fields[];
        return {
          ...reply,
          result: at(said, said.length - 1, () => ({ ...said.at(-1), ...change })),
        };
      },
    });
    const chain = await chainOf([liar.url], { spotCheckEvery: 1n });
    await expect(chain.block(number, [local.usdAddress])).rejects.toMatchObject(unavailable);
    Object.assign(liar.faults, { answer: undefined });
    expect((await chain.block(number, [local.usdAddress]))?.transfers).toHaveLength(2);
  });
});

/** The same list with one of them changed. */
function at(list: unknown, index: number, change: (one: unknown) => unknown): readonly unknown[] {
  // Lists of the real node.
  return (list as readonly unknown[]).map((one, place) => (place === index ? change(one) : one));
}
