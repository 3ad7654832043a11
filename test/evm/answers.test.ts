// What nodes answer is believed only in the form it has to have: everything else is the fault of the endpoint.

import { expect, test } from "vitest";
import * as answers from "../../adapters/evm/answers.ts";
import {
  coinTransferOf,
  readHeader,
  readTransactions,
  transactionOf,
} from "../../adapters/evm/headers.ts";
import { addressOf, hashOf } from "../support/scripted-signer.ts";

const word = (digit: string, count = 64): string => `0x${digit.repeat(count)}`;
const what = "it";
const odd = new answers.EndpointFailure("it has another form than it should");

type Reader = (value: unknown, what: string) => unknown;
type Row = readonly [
  name: string,
  read: Reader,
  good: readonly (readonly [unknown, unknown])[],
  bad: readonly unknown[],
];

const readers: readonly Row[] = [
  [
    "a quantity",
    answers.quantity,
    [
      ["0x0", 0n],
      ["0xfF", 255n],
      [word("f"), 2n ** 256n - 1n],
    ],
    ["0x", "1", "0xg", "1x0", "0x1 ", " 0x1", word("1", 65), 1, null],
  ],
  [
    "a count",
    answers.count,
    [
      ["0x0", 0],
      ["0x7fffffff", 2_147_483_647],
    ],
    ["0x80000000", word("1"), 7],
  ],
  ["a hash", answers.hash, [[word("A"), word("a")]], [word("a", 63), word("a", 65), "", 1]],
  [
    "data",
    answers.data,
    [
      ["0x", "0x"],
      ["0xAB", "0xab"],
    ],
    ["", "0xa", "0xabc", "0xgg", "0xab ", null],
  ],
  ["a word", answers.word, [[`0x${"0".repeat(62)}ff`, 255n]], ["0xff", word("0", 65)]],
  ["fields", answers.fieldsOf, [[{ a: 1 }, { a: 1 }]], [null, [], "a", undefined, 1]],
  ["a list", answers.listOf, [[[1], [1]]], [{}, null, "a", { length: 0 }]],
  [
    "an address",
    answers.address,
    [
      [addressOf("one").toLowerCase(), addressOf("one")],
      [addressOf("one"), addressOf("one")],
    ],
    [word("a", 39), word("a", 41), word("a"), "", null, 7],
  ],
];

test.each(readers)(
  "%s is read in its form, and refused in every other one",
  (...[, read, good, bad]) => {
    for (const [value, expected] of good) expect(read(value, what)).toEqual(expected);
    for (const value of bad) expect(() => read(value, what)).toThrow(odd);
  },
);

test("an address stands in a topic behind zeros, and in none without them", () => {
  const somebody = addressOf("somebody");
  const topic = answers.topicOfAddress(somebody);
  expect(topic).toMatch(/^0x0{24}[0-9a-f]{40}$/);
  expect(answers.addressOfTopic(topic, what)).toBe(somebody);
  for (const wrong of [`0x1${topic.slice(3)}`, `${topic.slice(0, 25)}1${topic.slice(26)}`]) {
    expect(() => answers.addressOfTopic(wrong, what)).toThrow(odd);
  }
  expect([answers.hexNumber(0n), answers.hexNumber(255n)]).toEqual(["0x0", "0xff"]);
});

test("what contracts say is kept short, and without what breaks a line", () => {
  expect(answers.printable(" a\u0000\n b\u2028c\u200Bd ")).toBe("a  b c d");
  expect(answers.printable("x".repeat(400))).toBe("x".repeat(300));
  expect(new answers.AnswerTooMuch("too late")).toBeInstanceOf(answers.EndpointFailure);
  expect(new answers.NodeError(-32_000, "no")).toMatchObject({ code: -32_000, name: "NodeError" });
});

/** A node that gives this one answer. */
function nodeSaying(answer: unknown) {
  const calls: unknown[] = [];
  const call = (method: string, parameters: readonly unknown[] = []) => {
    calls.push([method, ...parameters]);
    return Promise.resolve(answer);
  };
  return { endpoint: { call, place: 1 }, calls };
}

const [first, second] = [hashOf("first"), hashOf("second")];
const block = {
  number: "0x7",
  hash: hashOf("block"),
  parentHash: hashOf("parent"),
  timestamp: "0x10",
  transactions: [first, second],
};
const header = {
  number: 7n,
  hash: block.hash,
  parentHash: block.parentHash,
  time: new Date(16_000),
  txHashes: [first, second],
  bloom: undefined,
  receiptsRoot: undefined,
  baseFee: undefined,
};

test("a block is asked for by its number or its name, without its transactions", async () => {
  const { endpoint, calls } = nodeSaying(block);
  expect(await readHeader(endpoint, 7n)).toEqual(header);
  expect(await readHeader(endpoint, "safe")).toEqual(header);
  expect(calls).toEqual([
    ["eth_getBlockByNumber", "0x7", false],
    ["eth_getBlockByNumber", "safe", false],
  ]);
  const more = { ...block, baseFeePerGas: "0x5", receiptsRoot: hashOf("root") };
  expect(await readHeader(nodeSaying(more).endpoint, 7n)).toEqual({
    ...header,
    baseFee: 5n,
    receiptsRoot: hashOf("root"),
  });
  for (const nothing of [null, undefined]) {
    expect(await readHeader(nodeSaying(nothing).endpoint, 7n)).toBeUndefined();
  }
});

test("a block of another number, or of no time, is none", async () => {
  const ask = (change: object, place: bigint | "latest" = 7n) =>
    readHeader(nodeSaying({ ...block, ...change }).endpoint, place);
  await expect(ask({}, 8n)).rejects.toThrow("another block than the one that was asked for");
  expect((await ask({ timestamp: "0x10000000000" }))?.time).toEqual(new Date(2 ** 40 * 1000));
  await expect(ask({ timestamp: "0x10000000001" })).rejects.toThrow("a block of no time");
  for (const name of ["number", "hash", "parentHash", "timestamp", "transactions"]) {
    await expect(ask({ [name]: "no" }, "latest")).rejects.toThrow(answers.EndpointFailure);
  }
  await expect(ask({ transactions: [{ hash: first }] })).rejects.toThrow(answers.EndpointFailure);
  const formless = "transactions has another form than it should";
  await expect(ask({ transactions: "no" })).rejects.toThrow(formless);
  const asked = readTransactions(nodeSaying({ transactions: "no" }).endpoint, header);
  await expect(asked).rejects.toThrow(formless);
});

const transaction = { hash: first, from: addressOf("payer"), to: addressOf("us"), value: "0x9" };
const read = { txHash: first, from: transaction.from, to: transaction.to, amountRaw: 9n };

test("the transactions of a block are all of them, in their order", async () => {
  const others = [transaction, { ...transaction, hash: second, input: "0xab" }];
  const { endpoint, calls } = nodeSaying({ transactions: others });
  expect(await readTransactions(endpoint, header)).toEqual([
    { ...read, input: "0x" },
    { ...read, txHash: second, input: "0xab" },
  ]);
  expect(calls).toEqual([["eth_getBlockByHash", block.hash, true]]);
  const third = { ...transaction, hash: hashOf("third") };
  for (const transactions of [
    [],
    others.slice(1),
    others.slice(0, 1),
    others.toReversed(),
    [...others, third],
    [transaction, third],
  ]) {
    const asked = readTransactions(nodeSaying({ transactions }).endpoint, header);
    await expect(asked).rejects.toThrow("transactions are missing");
  }
  const gone = readTransactions(nodeSaying(null).endpoint, header);
  await expect(gone).rejects.toThrow("it does not have a block that it had");
});

test("a transaction moves what it is worth to its recipient, if it has one", () => {
  const moved = transactionOf(transaction);
  const { txHash, from, to, amountRaw } = moved;
  const transfer = { txHash, logIndex: -1, contractAddress: null, from, to, amountRaw };
  expect(coinTransferOf(moved)).toEqual([transfer]);
  expect(coinTransferOf(transactionOf({ ...transaction, value: "0x0" }))).toEqual([]);
  for (const nobody of [null, undefined]) {
    const making = transactionOf({ ...transaction, to: nobody });
    expect([making.to, coinTransferOf(making)]).toEqual([null, []]);
  }
  for (const name of ["hash", "from", "to", "value"]) {
    expect(() => transactionOf({ ...transaction, [name]: "no" })).toThrow(answers.EndpointFailure);
  }
});
