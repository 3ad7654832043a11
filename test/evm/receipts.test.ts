// Receipts as nodes give them: all of a block or none, what they cost, and the root that a header has of them.

import { expect, test } from "vitest";
import { EndpointFailure } from "../../adapters/evm/answers.ts";
import { isWaiting, readReceipt } from "../../adapters/evm/receipt-reading.ts";
import { gasCostOf, readReceipts, receiptsRoot } from "../../adapters/evm/receipts.ts";
import { addressOf, hashOf } from "../support/scripted-signer.ts";

const [first, second] = [hashOf("first"), hashOf("second")];
const block = { hash: hashOf("block"), txHashes: [first, second] };
const cost = { gasUsed: "0x5208", effectiveGasPrice: "0x3b9aca00" };
const receipt = {
  blockHash: block.hash,
  blockNumber: "0x7",
  transactionHash: first,
  status: "0x1",
  type: "0x2",
  cumulativeGasUsed: "0x5208",
  logsBloom: `0x${"0".repeat(512)}`,
  logs: [],
  ...cost,
};
const other = { ...receipt, transactionHash: second };

test("a transaction costs its gas at its price, and what a chain below takes for it", () => {
  expect(gasCostOf(cost)).toBe(21_000_000_000_000n);
  expect(gasCostOf({ ...cost, l1Fee: "0x64" })).toBe(21_000_000_000_100n);
  expect(gasCostOf({ ...cost, l1Fee: null })).toBe(21_000_000_000_000n);
  expect(() => gasCostOf({ ...cost, l1Fee: "much" })).toThrow(EndpointFailure);
  for (const name of ["gasUsed", "effectiveGasPrice"]) {
    expect(() => gasCostOf({ ...cost, [name]: undefined })).toThrow(EndpointFailure);
  }
});

test("there is one for each transaction of the block, in their order, and no other", () => {
  const read = readReceipts([receipt, { ...other, status: "0x0" }], block);
  expect(read.map(({ txHash, isSuccess }) => [txHash, isSuccess])).toEqual([
    [first, true],
    [second, false],
  ]);
  expect(read.map(({ gasCostRaw }) => gasCostRaw)).toEqual([
    21_000_000_000_000n,
    21_000_000_000_000n,
  ]);
  const third = { ...receipt, transactionHash: hashOf("third") };
  for (const some of [[], [receipt], [other], [other, receipt], [receipt, other, third]]) {
    expect(() => readReceipts(some, block)).toThrow("receipts are missing");
  }
  for (const one of [third, receipt]) {
    expect(() => readReceipts([receipt, one], block)).toThrow("receipts are missing");
  }
  const elsewhere = { ...other, blockHash: hashOf("another block") };
  expect(() => readReceipts([receipt, elsewhere], block)).toThrow("receipts of another block");
  expect(() => readReceipts({}, block)).toThrow(EndpointFailure);
});

test("the root of no receipts is that of an empty trie, and there is none of a kind nobody knows", () => {
  const read = (change: object) => readReceipts([{ ...receipt, ...change }, other], block);
  // Yellow Paper, appendix D: the hash of RLP of nothing.
  expect(receiptsRoot([])).toBe(
    "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  );
  const roots = ["0x0", "0x1", "0x2", "0x3", "0x4", undefined].map((type) =>
    receiptsRoot(read({ type })),
  );
  expect(roots.every((root) => /^0x[0-9a-f]{64}$/.test(root ?? ""))).toBe(true);
  // Without a kind it is of the first, and that is the only one of two that are the same.
  expect(new Set(roots).size).toBe(5);
  expect(roots[5]).toBe(roots[0]);
  for (const type of ["0x5", "0x7e"]) expect(receiptsRoot(read({ type }))).toBeUndefined();
  // Each of these is in what is hashed.
  for (const change of [
    { status: "0x0" },
    { cumulativeGasUsed: "0x0" },
    { cumulativeGasUsed: "0x15208" },
    { logsBloom: `0x1${"0".repeat(511)}` },
  ]) {
    expect(roots).not.toContain(receiptsRoot(read(change)));
  }
});

const header = {
  number: "0x7",
  hash: block.hash,
  parentHash: hashOf("parent"),
  timestamp: "0x10",
  transactions: [first],
};
const transaction = { hash: first, from: addressOf("payer"), to: addressOf("us"), value: "0x9" };

/** A node that answers so. */
function node(change: Readonly<Record<string, unknown>>) {
  const answers: Readonly<Record<string, unknown>> = {
    eth_getTransactionReceipt: receipt,
    eth_getTransactionByHash: transaction,
    eth_getBlockByNumber: header,
    ...change,
  };
  return { call: (method: string) => Promise.resolve(answers[method]), place: 1 };
}

test("what became of a transaction is read with its block, and is of one piece", async () => {
  const found = await readReceipt(node({}), first);
  expect(found?.receipt).toEqual({
    txHash: first,
    block: {
      number: 7n,
      hash: block.hash,
      parentHash: header.parentHash,
      time: new Date(16_000),
    },
    isSuccess: true,
    gasCostRaw: 21_000_000_000_000n,
    transfers: [expect.objectContaining({ contractAddress: null, amountRaw: 9n })],
  });
  const failed = node({ eth_getTransactionReceipt: { ...receipt, status: "0x0" } });
  expect((await readReceipt(failed, first))?.receipt).toMatchObject({
    isSuccess: false,
    transfers: [],
  });
  for (const nothing of [null, undefined]) {
    const unmined = node({ eth_getTransactionReceipt: nothing });
    expect(await readReceipt(unmined, first)).toBeUndefined();
  }
  for (const [change, message] of [
    [{ eth_getTransactionReceipt: other }, "a receipt of another transaction"],
    [{ eth_getTransactionByHash: { ...transaction, hash: second } }, "another transaction"],
    [{ eth_getTransactionByHash: null }, "a receipt of a block that does not count"],
    [{ eth_getBlockByNumber: null }, "a receipt of a block that does not count"],
    [
      { eth_getBlockByNumber: { ...header, hash: hashOf("another block") } },
      "a receipt of a block that does not count",
    ],
  ] as const) {
    await expect(readReceipt(node(change), first)).rejects.toThrow(message);
  }
});

test("a transaction waits while a node has it in no block", async () => {
  const asked = (answer: unknown) => isWaiting(node({ eth_getTransactionByHash: answer }), first);
  expect(await asked({ ...transaction, blockHash: null })).toBe(true);
  expect(await asked(transaction)).toBe(true);
  expect(await asked({ ...transaction, blockHash: block.hash })).toBe(false);
  for (const nothing of [null, undefined]) expect(await asked(nothing)).toBe(false);
});
