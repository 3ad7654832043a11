// The chain of this benchmark: what is in a block follows from its number and from what it is filled with, so
// whoever answers for it, whoever fills the database and whoever looks at the end say the same.

import { createHash } from "node:crypto";
import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";

export const chainNumber = 8_453;
export const chainId = `eip155:${chainNumber}`;
/** USDC in the shipped catalog. */
export const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
/** What each payment asks for, and each log brings: a thousand of them in a block are no high value yet. */
export const amountRaw = 1_000_000n;
export const secondsPerBlock = 2;
/** Past it a deposit is final: `safe` lies so far back, and the second look is done. */
export const finalBlocks = 12;

/** What is in a block beside transactions of others. */
export interface Filling {
  readonly number: number;
  /** transfers of the token to addresses of payments that are open */
  readonly ours: number;
  /** the index of the payment that the first of them pays; the others follow */
  readonly firstPayment: number;
  /** transfers of the token from and to strangers */
  readonly others: number;
}

export interface ChainShape {
  /** of a block, if it has no more transfers than these */
  readonly transactions: number;
  /** Unix time of block 0 */
  readonly genesisSeconds: number;
}

export function blockHash(number: number): string {
  return `0x${sha256(`block ${number}`)}`;
}

export function txHash(number: number, index: number): string {
  return `${blockHash(number).slice(0, 58)}${hex(index, 8)}`;
}

/**
 * Where the payment is paid to. Without letters the checksum of an address changes nothing, and the database
 * can make a million of them itself (`addressSql`).
 */
export function paymentAddress(index: number): string {
  const digits = createHash("md5").update(`payment ${index}`).digest("hex");
  return `0x${digits.replaceAll(/[a-f]/g, (letter) => String(letter.charCodeAt(0) - 97))}${hex8(index)}`;
}

export const addressSql = (index: string): string =>
  `'0x' || translate(md5('payment ' || ${index}), 'abcdef', '012345') || lpad(${index}::text, 8, '0')`;

function hex8(index: number): string {
  return String(index).padStart(8, "0");
}

/** As a header has it, but for its transactions. */
export function headerText(
  number: number,
  filling: Filling | undefined,
  shape: ChainShape,
): string {
  const count = transactionCount(filling, shape);
  const hashes = Array.from({ length: count }, (_, index) => `"${txHash(number, index)}"`);
  const seconds = shape.genesisSeconds + number * secondsPerBlock;
  return `{"number":"0x${number.toString(16)}","hash":"${blockHash(number)}",
"parentHash":"${blockHash(number - 1)}","timestamp":"0x${seconds.toString(16)}",
"logsBloom":"${filling === undefined ? strangersBloom : tokensBloom}",
"miner":"0x4200000000000000000000000000000000000011","gasLimit":"0x16e36000","gasUsed":"0x2d4cae0",
"baseFeePerGas":"0x4c4b40","difficulty":"0x0","size":"0x9c40","nonce":"0x0000000000000000",
"sha3Uncles":"${root}","stateRoot":"${root}","transactionsRoot":"${root}","receiptsRoot":"${root}",
"mixHash":"${root}","extraData":"0x","uncles":[],"transactions":[${hashes.join(",")}]}`;
}

export function logsText(filling: Filling | undefined): string {
  return `[${logsOf(filling).join(",")}]`;
}

export function receiptsText(
  number: number,
  filling: Filling | undefined,
  shape: ChainShape,
): string {
  const logs = logsOf(filling);
  const receipts = Array.from({ length: transactionCount(filling, shape) }, (_, index) => {
    const log = logs[index] ?? logText({ number, index, contract: stranger, from: "1", to: "2" });
    return `{"transactionHash":"${txHash(number, index)}","blockHash":"${blockHash(number)}",
"blockNumber":"0x${number.toString(16)}","transactionIndex":"0x${index.toString(16)}","type":"0x2",
"status":"0x1","gasUsed":"0xb41d","cumulativeGasUsed":"0xb41d","effectiveGasPrice":"0x4c4b41",
"logsBloom":"${strangersBloom}","logs":[${log}]}`;
  });
  return `[${receipts.join(",")}]`;
}

function transactionCount(filling: Filling | undefined, { transactions }: ChainShape): number {
  return Math.max(transactions, (filling?.ours ?? 0) + (filling?.others ?? 0));
}

/** One in each transaction. */
function logsOf(filling: Filling | undefined): readonly string[] {
  if (filling === undefined) return [];
  const { number, ours, firstPayment, others } = filling;
  return Array.from({ length: ours + others }, (_, index) => {
    const to =
      index < ours
        ? paymentAddress(firstPayment + index).slice(2)
        : person(`to ${number} ${index}`);
    return logText({ number, index, contract: token, from: person(`from ${number} ${index}`), to });
  });
}

interface LogWish {
  readonly number: number;
  readonly index: number;
  readonly contract: string;
  readonly from: string;
  readonly to: string;
}

function logText({ number, index, contract, from, to }: LogWish): string {
  return `{"address":"${contract.toLowerCase()}","topics":["${transferTopic}",
"0x${from.padStart(64, "0")}","0x${to.padStart(64, "0")}"],"data":"0x${hex(amountRaw, 64)}",
"blockNumber":"0x${number.toString(16)}","transactionHash":"${txHash(number, index)}",
"transactionIndex":"0x${index.toString(16)}","blockHash":"${blockHash(number)}",
"logIndex":"0x${index.toString(16)}","removed":false}`;
}

const root = `0x${"5".repeat(64)}`;
const stranger = "0x4444444444444444444444444444444444444444";
const transferTopic = `0x${hexOf(keccak256(Buffer.from("Transfer(address,address,uint256)")))}`;
const strangersBloom = bloomOf([stranger]);
const tokensBloom = bloomOf([stranger, token, transferTopic]);

/** Three bits for each, as the yellow paper has it. */
function bloomOf(entries: readonly string[]): string {
  let bits = 0n;
  for (const entry of entries) {
    const hash = hexOf(keccak256(new Uint8Array(Buffer.from(entry.slice(2), "hex"))));
    for (const at of [0, 4, 8]) bits |= 1n << (BigInt(`0x${hash.slice(at, at + 4)}`) % 2_048n);
  }
  return `0x${hex(bits, 512)}`;
}

/** Somebody who is met once. */
function person(name: string): string {
  return sha256(name).slice(0, 40);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hex(value: number | bigint, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
