// A transaction with its signature: nobody's word counts for who has sent it and what it does.

import { keccak256, numberToHex, parseTransaction, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { encodeCollect, encodeTransfer } from "../../adapters/evm/calldata.ts";
import { readMinedTransaction } from "../../adapters/evm/mined-transactions.ts";
import { plainRecover } from "../../adapters/evm/signature.ts";
import { addressOf, hashOf } from "../support/scripted-signer.ts";

const chainNumber = 84_532n;
const account = privateKeyToAccount(hashOf("a key of ours") as Hex);
const token = addressOf("token");
const to = addressOf("a shop");
const wanted = { to, contractAddress: token, amountRaw: 5n };
const typical = {
  type: "eip1559",
  chainId: Number(chainNumber),
  nonce: 24,
  gas: 60_000n,
  maxFeePerGas: 30n,
  maxPriorityFeePerGas: 2n,
  ...encodeTransfer(wanted),
} as const;

/** Signed, and as a node describes it when it is mined. */
const nodes = addressOf("whoever the node says");

async function mined(change: object = {}) {
  const raw = await account.signTransaction({ ...typical, ...change });
  const read = parseTransaction(raw);
  const { r = "0x", s = "0x", yParity = 0 } = read;
  const answer = {
    hash: keccak256(raw),
    type: "0x2",
    chainId: numberToHex(read.chainId ?? 1),
    nonce: numberToHex(read.nonce ?? 0),
    gas: numberToHex(read.gas ?? 0n),
    maxFeePerGas: numberToHex(read.maxFeePerGas ?? 0n),
    maxPriorityFeePerGas: numberToHex(read.maxPriorityFeePerGas ?? 0n),
    to: read.to ?? null,
    value: numberToHex(read.value ?? 0n),
    input: read.data ?? "0x",
    accessList: read.accessList ?? [],
    r: numberToHex(BigInt(r)),
    s: numberToHex(BigInt(s)),
    yParity: numberToHex(yParity),
    // Somebody's word, which counts only for what no signer of ours makes.
    from: nodes,
    blockNumber: "0x9",
  };
  return { raw, answer };
}

const read = (answer: unknown, txHash: string) =>
  readMinedTransaction(
    { place: 1, call: () => Promise.resolve(answer) },
    { txHash, chainNumber, recover: plainRecover },
  );

async function readChanged(signed: object, said: object = {}) {
  const { answer } = await mined(signed);
  return await read({ ...answer, ...said }, answer.hash);
}

test("who has signed it, and all that it says", async () => {
  const { raw, answer } = await mined();
  const found = await read(answer, answer.hash);
  expect(found).toMatchObject({
    txHash: answer.hash,
    account: account.address,
    nonce: 24n,
    gasUnitsMax: 60_000n,
    fees: { maxFeePerGas: 30n, maxPriorityFeePerGas: 2n },
    blockNumber: 9n,
    transfer: wanted,
  });
  expect(`0x${Buffer.from(found?.raw ?? []).toString("hex")}`).toBe(raw);
  const coin = { to, contractAddress: null, amountRaw: 7n };
  expect((await readChanged(encodeTransfer(coin)))?.transfer).toEqual(coin);
});

/** What an address has signed, handed in by somebody else. */
const authorization = {
  method: "eip3009",
  contractAddress: token,
  from: addressOf("an address"),
  to,
  amountRaw: 5n,
  validAfter: 0n,
  validBefore: 1_800_000_000n,
  nonce: hashOf("an authorization"),
} as const;
const byAddress = `0x${"5".repeat(64)}${"6".repeat(64)}1c`;
const collecting = encodeCollect(authorization, byAddress);

test("an authorization that was handed in says whose it is, and all of it", async () => {
  const { method, ...collect } = authorization;
  expect(method).toBe("eip3009");
  expect(await readChanged(collecting)).toMatchObject({ transfer: undefined, collect });
  expect((await readChanged({}))?.collect).toBeUndefined();
});

test.each([
  ["bytes behind the call", { data: `${collecting.data}00` }],
  ["coin beside the call", { value: 1n }],
  ["another method", { data: `0xe3ee160f${collecting.data.slice(10)}` }],
  ["a call that is cut off", { data: collecting.data.slice(0, -2) }],
  ["a signature of another form", { data: collecting.data.replace(/(0+)1c/, "$101") }],
  [
    "half of a signature that nobody makes",
    { data: collecting.data.replace(/6{64}$/, "f".repeat(64)) },
  ],
] as const)("%s: no authorization of ours", async (_, change) => {
  const found = await readChanged({ ...collecting, ...change });
  expect([found?.account, found?.collect]).toEqual([account.address, undefined]);
});

test("numbers of a signature come without their leading zeros", async () => {
  let short = 0;
  for (let nonce = 0; nonce < 400; nonce++) {
    const { answer } = await mined({ nonce });
    if (answer.r.length < 66 || answer.s.length < 66) short += 1;
    expect((await read(answer, answer.hash))?.account).toBe(account.address);
  }
  expect(short).toBeGreaterThan(0);
});

test("the parity may be called v", async () => {
  const { answer } = await mined();
  const { yParity, ...rest } = answer;
  expect((await read({ ...rest, v: yParity }, answer.hash))?.account).toBe(account.address);
});

test("what waits or is not there is not found, and what no signer of ours makes is of another kind", async () => {
  expect(await read(null, hashOf("unknown"))).toBeUndefined();
  for (const said of [{ blockNumber: null }, { blockNumber: undefined }]) {
    expect(await readChanged({}, said)).toBeUndefined();
  }
  const others = {
    raw: undefined,
    nonce: 24n,
    blockNumber: 9n,
    transfer: undefined,
    collect: undefined,
  };
  for (const said of [
    { type: "0x0" },
    { type: "0x7e" },
    { to: null },
    { accessList: [{ address: token, storageKeys: [] }] },
  ]) {
    expect(await readChanged({}, said)).toEqual({ ...others, account: nodes });
  }
  expect(await readChanged({ chainId: 1 })).toMatchObject(others);
});

test.each([
  ["bytes behind the call", { data: `${typical.data}00` }],
  ["coin beside the call", { value: 1n }],
  ["another method", { data: `0x095ea7b3${typical.data.slice(10)}` }],
  ["a call that is cut off", { data: typical.data.slice(0, -2) }],
  ["more than an address", { data: `${typical.data.slice(0, 10)}01${typical.data.slice(12)}` }],
] as const)("%s: no transfer of ours", async (_, change) => {
  expect(await readChanged(change)).toMatchObject({
    account: account.address,
    transfer: undefined,
  });
});

test.each([
  ["nonce", "0x19"],
  ["gas", "0xea61"],
  ["maxFeePerGas", "0x1f"],
  ["maxPriorityFeePerGas", "0x3"],
  ["to", addressOf("a thief")],
  ["value", "0x1"],
  ["input", "0x"],
  ["r", "0x5"],
  ["s", "0x5"],
])("a node that lies about %s is not believed", async (name, value) => {
  await expect(readChanged({}, { [name]: value })).rejects.toThrow(
    "a transaction that is not the one of its hash",
  );
});

test("a parity of something else, and forms of something else", async () => {
  const { answer } = await mined();
  const flipped = answer.yParity === "0x0" ? "0x1" : "0x0";
  await expect(readChanged({}, { yParity: flipped })).rejects.toThrow("not the one of its hash");
  await expect(readChanged({}, { yParity: "0x1b" })).rejects.toThrow("a signature of another form");
  await expect(readChanged({}, { r: "0x0" })).rejects.toThrow("a signature of another form");
  await expect(readChanged({}, { nonce: `0x${"f".repeat(20)}` })).rejects.toThrow(
    "a nonce of no account",
  );
  await expect(readChanged({}, { input: 7 })).rejects.toThrow("the input of a transaction");
  await expect(read("0x", answer.hash)).rejects.toThrow("a transaction");
});
