// Logs and receipts as nodes tell them: read whole, or the node is not believed.

import { keccak256, toEventSelector, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import { EndpointFailure, topicOfAddress } from "../../adapters/evm/answers.ts";
import { openBloom, readLogs, topics, transferOf } from "../../adapters/evm/logs.ts";
import { isWaiting, readReceipt } from "../../adapters/evm/receipt-reading.ts";
import { addressOf, hashOf } from "../support/scripted-signer.ts";

const [token, payer, us] = ["token", "payer", "us"].map(addressOf) as [string, string, string];
const [txHash, blockHash] = [hashOf("transaction"), hashOf("block")];
const nine = `0x${"9".padStart(64, "0")}`;
const log = {
  address: token.toLowerCase(),
  topics: [topics.transfer, topicOfAddress(payer), topicOfAddress(us)],
  data: nine,
  blockHash,
  transactionHash: txHash,
  logIndex: "0x3",
};
const transfer = {
  txHash,
  logIndex: 3,
  contractAddress: token,
  from: payer,
  to: us,
  amountRaw: 9n,
};

describe("logs", () => {
  test("are transfers where they have one amount, two addresses and nothing else", () => {
    const [one] = readLogs([log]);
    if (one === undefined) throw new Error("no log");
    expect(transferOf(one)).toEqual(transfer);
    const [kind = "", from = "", to = ""] = one.topics;
    for (const change of [
      { topics: [topics.authorizationUsed, from, to] },
      { topics: [kind, from] },
      { topics: [kind] },
      { topics: [] },
      { topics: [kind, from, to, nine] },
      { data: "0x" },
      { data: `${nine}00` },
    ]) {
      expect([change, transferOf({ ...one, ...change })]).toEqual([change, undefined]);
    }
  });

  test("in one place, taken back or of another form are not believed", () => {
    const next = { ...log, logIndex: "0x4" };
    expect(readLogs([log, next, { ...log, blockHash: hashOf("other") }])).toHaveLength(3);
    expect(readLogs([{ ...log, removed: false }])).toHaveLength(1);
    expect(() => readLogs([log, next, log])).toThrow("two logs in one place");
    expect(() => readLogs([{ ...log, removed: true }])).toThrow("a log that was taken back");
    for (const name of Object.keys(log)) {
      expect(() => readLogs([{ ...log, [name]: "no" }])).toThrow(EndpointFailure);
    }
    expect(() => readLogs({})).toThrow("logs has another form than it should");
    const one = { ...log, topics: "no" };
    expect(() => readLogs([one])).toThrow("topics has another form than it should");
  });

  test("are each looked at, whatever the one before was like", () => {
    const next = { ...log, logIndex: "0x4" };
    const last = { ...log, logIndex: "0x5" };
    for (const [name, value] of Object.entries({
      address: log.address.slice(0, -1),
      blockHash: `${blockHash}0`,
      transactionHash: txHash.slice(1),
      logIndex: "4",
      data: `${nine}0`,
    })) {
      for (const odd of [value, undefined, null, 7, {}, ""]) {
        expect(() => readLogs([log, { ...next, [name]: odd }, last])).toThrow(EndpointFailure);
      }
    }
    for (const at of [0, 1, 2]) {
      const odd = log.topics.map((topic, index) => (index === at ? topic.slice(0, -1) : topic));
      expect(() => readLogs([log, { ...next, topics: odd }, last])).toThrow("a topic has another");
    }
    // A place is a number, however it is written, and small.
    for (const spelled of ["0x3", "0x03", `0x${"3".padStart(64, "0")}`]) {
      expect(() => readLogs([log, { ...log, logIndex: spelled }])).toThrow("two logs in one place");
    }
    expect(readLogs([log, { ...log, logIndex: "0x7fffffff" }])[1]?.logIndex).toBe(2 ** 31 - 1);
    for (const spelled of ["0x", "0x80000000", `0x${"3".padStart(65, "0")}`]) {
      expect(() => readLogs([{ ...log, logIndex: spelled }])).toThrow(EndpointFailure);
    }
  });

  test("name no sender or recipient that is longer than an address", () => {
    const [kind = "", from = "", to = ""] = log.topics;
    const long = `0x${"1".padStart(24, "0").padEnd(64, "1")}`;
    for (const odd of [
      [kind, long, to],
      [kind, from, long],
    ]) {
      const [one] = readLogs([{ ...log, topics: odd }]);
      if (one === undefined) throw new Error("no log");
      expect(() => transferOf(one)).toThrow(EndpointFailure);
    }
  });

  test("are the same in capital letters", () => {
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
    const loud = {
      ...log,
      address: upper(log.address),
      topics: log.topics.map(upper),
      blockHash: upper(blockHash),
      transactionHash: upper(txHash),
    };
    expect(readLogs([loud])).toEqual(readLogs([log]));
  });

  test("have the topics of their standards", () => {
    // ERC-20, EIP-3009 and Permit2.
    expect(topics).toEqual({
      transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      authorizationUsed: "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5",
      authorizationCanceled: "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81",
      nonceInvalidation: "0x3704902f963766a4e561bbaab6e6cdc1b1dd12f6e9e99648da8843b3f46b918d",
    });
  });
});

/** As the yellow paper makes it (4.3.1): three bits for each entry, from pairs of bytes of its hash. */
function filterOf(entries: readonly Hex[]) {
  let bits = 0n;
  for (const hash of entries.map((entry) => keccak256(entry))) {
    for (const at of [2, 6, 10]) bits |= 1n << (BigInt(`0x${hash.slice(at, at + 4)}`) % 2048n);
  }
  return openBloom(`0x${bits.toString(16).padStart(512, "0")}`);
}

describe("the filter of a header", () => {
  const filter = (digits: string) => openBloom(`0x${digits}`);

  test("is one of 2048 bits, and says how full it is", () => {
    expect(filter("0".repeat(512))?.fullness).toBe(0);
    expect(filter("f".repeat(512))?.fullness).toBe(1);
    expect(filter(`8001${"0".repeat(507)}7`)?.fullness).toBe(5 / 2048);
    for (const other of ["", "0".repeat(511), "0".repeat(513), `g${"0".repeat(511)}`]) {
      expect(filter(other)).toBeUndefined();
    }
    expect([openBloom(null), openBloom("0".repeat(514))]).toEqual([undefined, undefined]);
  });

  test("an empty one has no transfers, and a full one may have all", () => {
    expect(filter("0".repeat(512))?.mayHaveTransfersOf(token)).toBe(false);
    expect(filter("F".repeat(512))?.mayHaveTransfersOf(token)).toBe(true);
  });

  test("has transfers of a contract if it has both the contract and the word for them", () => {
    const has = (...entries: readonly Hex[]) => filterOf(entries)?.mayHaveTransfersOf(token);
    const transfers = toEventSelector("Transfer(address,address,uint256)");
    const contract: Hex = `0x${token.slice(2)}`;
    expect(has(contract, transfers)).toBe(true);
    expect([has(contract), has(transfers), has(`0x${us.slice(2)}`, transfers)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

const transaction = { hash: txHash, from: payer, to: token, value: "0x0", input: "0xab" };
const receipt = {
  transactionHash: txHash,
  blockHash,
  blockNumber: "0x7",
  status: "0x1",
  gasUsed: "0x5",
  effectiveGasPrice: "0x3",
  logs: [log],
};
const block = {
  number: "0x7",
  hash: blockHash,
  parentHash: hashOf("parent"),
  timestamp: "0x10",
  transactions: [txHash],
};

describe("a receipt", () => {
  interface Said {
    readonly receipt?: object | null;
    readonly transaction?: object | null;
    readonly block?: object | null;
  }
  const ask = (said: Said = {}) => {
    const answers: Readonly<Record<string, unknown>> = {
      eth_getTransactionReceipt: said.receipt === null ? null : { ...receipt, ...said.receipt },
      eth_getTransactionByHash:
        said.transaction === null ? null : { ...transaction, ...said.transaction },
      eth_getBlockByNumber: said.block === null ? null : { ...block, ...said.block },
    };
    const call = (method: string) => Promise.resolve(answers[method]);
    return readReceipt({ call, place: 1 }, txHash);
  };

  test("has its block, its cost and what was moved", async () => {
    const found = await ask({ transaction: { value: "0x2" } });
    const coin = { txHash, logIndex: -1, contractAddress: null, from: payer, to: token };
    expect(found).toMatchObject({
      transaction: { txHash, amountRaw: 2n },
      logs: [{ logIndex: 3 }],
    });
    expect(found?.receipt).toEqual({
      txHash,
      block: { number: 7n, hash: blockHash, parentHash: block.parentHash, time: new Date(16_000) },
      isSuccess: true,
      gasCostRaw: 15n,
      transfers: [{ ...coin, amountRaw: 2n }, transfer],
    });
    const failed = await ask({ receipt: { status: "0x0" } });
    expect(failed?.receipt).toMatchObject({ isSuccess: false, transfers: [], gasCostRaw: 15n });
    expect(await ask({ receipt: null })).toBeUndefined();
  });

  const [other, elsewhere] = [hashOf("other"), "a receipt of a block that does not count"];
  test.each([
    ["another transaction's", { receipt: { transactionHash: other } }, "a receipt of another"],
    ["of another block", { receipt: { blockHash: other, logs: [] } }, elsewhere],
    ["of no block", { block: null }, elsewhere],
    ["without its transaction", { transaction: null }, elsewhere],
    ["with another transaction", { transaction: { hash: other } }, "another transaction"],
    [
      "with logs of another block",
      { receipt: { logs: [{ ...log, blockHash: other }] } },
      "logs of",
    ],
    [
      "with logs of another transaction",
      { receipt: { logs: [log, { ...log, logIndex: "0x4", transactionHash: other }] } },
      "logs of something else",
    ],
  ])("%s is not believed", async (_what, said, problem) => {
    await expect(ask(said)).rejects.toThrow(problem);
  });
});

test("a transaction waits while it is known and in no block", async () => {
  const ask = (answer: unknown) =>
    isWaiting({ call: () => Promise.resolve(answer), place: 1 }, txHash);
  expect(await Promise.all([ask(transaction), ask({ ...transaction, blockHash: null })])).toEqual([
    true,
    true,
  ]);
  expect(await Promise.all([ask(null), ask({ ...transaction, blockHash })])).toEqual([
    false,
    false,
  ]);
  expect(await ask(undefined)).toBe(false);
});
