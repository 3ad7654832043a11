// Receipts of a whole block, and the proof that none is missing: the root in the block's header.

import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";
import { toRlp } from "viem/utils";
import { count, data, EndpointFailure, fieldsOf, hash, listOf, quantity } from "./answers.ts";
import { hexOf } from "./calldata.ts";
import type { Hex } from "./calldata.ts";
import { readLogs } from "./logs.ts";
import type { TokenLog } from "./logs.ts";

export interface BlockReceipt {
  readonly txHash: string;
  readonly isSuccess: boolean;
  readonly gasCostRaw: bigint;
  readonly logs: readonly TokenLog[];
  /** as it is hashed; undefined: of a kind that only its own chain knows how to hash */
  readonly encoded: Hex | undefined;
}

/** Throws `EndpointFailure` unless there is one for each transaction, in their order. */
export function readReceipts(
  answer: unknown,
  block: { readonly hash: string; readonly txHashes: readonly string[] },
): readonly BlockReceipt[] {
  const receipts = listOf(answer, "receipts").map((one) => {
    const fields = fieldsOf(one, "a receipt");
    if (hash(fields["blockHash"], "the block of a receipt") !== block.hash) {
      throw new EndpointFailure("receipts of another block");
    }
    const logs = readLogs(fields["logs"]);
    const isSuccess = quantity(fields["status"], "the status of a receipt") === 1n;
    const txHash = hash(fields["transactionHash"], "the transaction of a receipt");
    const encoded = encode(fields, isSuccess, logs);
    return { txHash, isSuccess, gasCostRaw: gasCostOf(fields), logs, encoded };
  });
  const isWhole =
    receipts.length === block.txHashes.length &&
    receipts.every(({ txHash }, index) => txHash === block.txHashes[index]);
  if (!isWhole) throw new EndpointFailure("receipts are missing");
  return receipts;
}

/** Chains above another one add what that one takes. */
export function gasCostOf(receipt: Readonly<Record<string, unknown>>): bigint {
  const used = quantity(receipt["gasUsed"], "the gas of a receipt");
  const price = quantity(receipt["effectiveGasPrice"], "the price of gas of a receipt");
  const below = receipt["l1Fee"];
  return used * price + (typeof below === "string" ? quantity(below, "the fee below") : 0n);
}

/** The kinds of transactions whose receipts are the same on every chain. */
const plainKinds = 4;

function encode(
  fields: Readonly<Record<string, unknown>>,
  isSuccess: boolean,
  logs: readonly TokenLog[],
): Hex | undefined {
  const kind = fields["type"] === undefined ? 0 : count(fields["type"], "the kind of a receipt");
  if (kind > plainKinds) return undefined;
  const gas = quantity(fields["cumulativeGasUsed"], "the gas of a receipt");
  const body = toRlp([
    isSuccess ? "0x01" : "0x",
    compact(gas),
    hexOf(data(fields["logsBloom"], "the filter of a receipt")),
    logs.map((log) => [
      hexOf(log.contractAddress.toLowerCase()),
      log.topics.map(hexOf),
      hexOf(log.data),
    ]),
  ]);
  return kind === 0 ? body : `0x0${kind}${body.slice(2)}`;
}

/** Without zeros before it, as RLP has numbers. */
function compact(value: bigint): Hex {
  if (value === 0n) return "0x";
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

/** Undefined: there is one that cannot be hashed here. */
export function receiptsRoot(receipts: readonly BlockReceipt[]): string | undefined {
  const leaves: Leaf[] = [];
  for (const [index, { encoded }] of receipts.entries()) {
    if (encoded === undefined) return undefined;
    const key = toRlp(compact(BigInt(index))).slice(2);
    leaves.push({ path: key, value: encoded });
  }
  if (leaves.length === 0) return hashHex("0x80");
  return hashHex(toRlp(nodeOf(leaves)));
}

/** A value, and what is left of the way to it, in hexadecimal digits. */
interface Leaf {
  readonly path: string;
  readonly value: Hex;
}

type Rlp = Hex | readonly Rlp[];
const hexDigits = Array.from({ length: 16 }, (_, digit) => digit.toString(16));

/** A node of the Merkle Patricia trie above these leaves. */
function nodeOf(leaves: readonly Leaf[]): readonly Rlp[] {
  const [first] = leaves;
  if (first === undefined) throw new Error("a node has something below it");
  if (leaves.length === 1) return [pathOf(first.path, true), first.value];
  const shared = sharedLength(leaves);
  if (shared > 0) {
    const rest = leaves.map(({ path, value }) => ({ path: path.slice(shared), value }));
    return [pathOf(first.path.slice(0, shared), false), referenceTo(nodeOf(rest))];
  }
  const here = leaves.find(({ path }) => path === "");
  const branches = hexDigits.map((digit): Rlp => {
    const below = leaves
      .filter(({ path }) => path.startsWith(digit))
      .map(({ path, value }) => ({ path: path.slice(1), value }));
    return below.length === 0 ? "0x" : referenceTo(nodeOf(below));
  });
  return [...branches, here?.value ?? "0x"];
}

function referenceTo(node: readonly Rlp[]): Rlp {
  const encoded = toRlp(node);
  // Shorter than a hash, a node stands for itself.
  return encoded.length < 2 + 64 ? node : hashHex(encoded);
}

function sharedLength(leaves: readonly Leaf[]): number {
  const [{ path }, ...others] = leaves.length > 0 ? leaves : [{ path: "" }];
  let length = path.length;
  for (const other of others) {
    let same = 0;
    while (same < length && path[same] === other.path[same]) same += 1;
    length = same;
  }
  return length;
}

/** An even number of digits, of which the first says what it is. */
function pathOf(digits: string, isLeaf: boolean): Hex {
  const isOdd = digits.length % 2 === 1;
  const flag = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0);
  return `0x${flag}${isOdd ? "" : "0"}${digits}`;
}

function hashHex(encoded: Hex): Hex {
  const bytes = Buffer.from(encoded.slice(2), "hex");
  return `0x${Buffer.from(keccak256(new Uint8Array(bytes))).toString("hex")}`;
}
