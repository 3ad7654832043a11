// A mined transaction with its signature: who has sent it is worked out from that, and what it does from
// the bytes that were signed. Nothing but that it is mined is the node's word.

import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";
import { hexToBytes, serializeTransaction } from "viem/utils";
import type { MinedOfAnyKind } from "../../service/ports/chain.ts";
import { address, data, EndpointFailure, fieldsOf, quantity } from "./answers.ts";
import type { Fields } from "./answers.ts";
import { decodeCollect, decodeTransfer, hexOf } from "./calldata.ts";
import type { Call } from "./calldata.ts";
import type { Asked } from "./rpc.ts";
import { splitSignature } from "./signature.ts";
import type { Recover, SignatureParts } from "./signature.ts";

/** EIP-2718: the only type that the signer makes, of EIP-1559. */
const signedType = 2n;

interface Wish {
  readonly txHash: string;
  readonly chainNumber: bigint;
  readonly recover: Recover;
}

/**
 * Undefined: not mined. Without `raw`: of another type, for another chain, with an access list or without a
 * recipient, so no signer of ours has made it.
 */
export async function readMinedTransaction(
  endpoint: Asked,
  { txHash, chainNumber, recover }: Wish,
): Promise<MinedOfAnyKind | undefined> {
  const answer = await endpoint.call("eth_getTransactionByHash", [txHash]);
  if (answer === null || answer === undefined) return undefined;
  const fields = fieldsOf(answer, "a transaction");
  if (fields["blockNumber"] === null || fields["blockNumber"] === undefined) return undefined;
  const blockNumber = quantity(fields["blockNumber"], "the block of a transaction");
  if (!isOfOurKind(fields, chainNumber)) {
    const account = address(fields["from"], "the sender of a transaction");
    const nonce = quantity(fields["nonce"], "nonce of a transaction");
    return {
      raw: undefined,
      account,
      nonce,
      blockNumber,
      transfer: undefined,
      collect: undefined,
    };
  }
  const transaction = transactionOf(fields);
  const signature = signatureOf(fields);
  const { r, s, v } = signature;
  const raw = hexToBytes(serializeTransaction(transaction, { r, s, yParity: v - 27 }));
  if (hexOfBytes(keccak256(raw)) !== txHash) {
    throw new EndpointFailure("a transaction that is not the one of its hash");
  }
  const account = recover(keccak256(hexToBytes(serializeTransaction(transaction))), signature);
  if (account === undefined) throw new EndpointFailure("a transaction that nobody has signed");
  const { gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return {
    txHash,
    raw,
    account,
    nonce: BigInt(nonce),
    gasUnitsMax: gas,
    fees: { maxFeePerGas, maxPriorityFeePerGas },
    blockNumber,
    transfer: decodeTransfer(transaction),
    collect: decodeCollect(transaction),
  };
}

function isOfOurKind(fields: Fields, chainNumber: bigint): boolean {
  const { type, chainId, accessList, to } = fields;
  if (quantity(type, "the type of a transaction") !== signedType) return false;
  if (quantity(chainId, "the chain of a transaction") !== chainNumber) return false;
  const isPlain =
    accessList === undefined ||
    accessList === null ||
    (Array.isArray(accessList) && accessList.length === 0);
  return isPlain && to !== null && to !== undefined;
}

/** As the library writes it. */
interface Transaction extends Call {
  readonly type: "eip1559";
  readonly chainId: number;
  readonly nonce: number;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

function transactionOf(fields: Fields): Transaction {
  const read = (name: string) => quantity(fields[name], `${name} of a transaction`);
  const nonce = read("nonce");
  if (nonce > BigInt(Number.MAX_SAFE_INTEGER)) throw new EndpointFailure("a nonce of no account");
  return {
    type: "eip1559",
    chainId: Number(read("chainId")),
    nonce: Number(nonce),
    gas: read("gas"),
    maxFeePerGas: read("maxFeePerGas"),
    maxPriorityFeePerGas: read("maxPriorityFeePerGas"),
    to: hexOf(address(fields["to"], "the recipient of a transaction")),
    data: hexOf(data(fields["input"], "the input of a transaction")),
    value: read("value"),
  };
}

/** Nodes write its numbers without leading zeros, and the parity as `yParity`, as `v`, or as both. */
function signatureOf(fields: Fields): SignatureParts {
  const number = (name: string) =>
    quantity(fields[name], `${name} of a signature`).toString(16).padStart(64, "0");
  const parity = quantity(fields["yParity"] ?? fields["v"], "the parity of a signature");
  const parts = splitSignature(`0x${number("r")}${number("s")}0${parity === 0n ? "0" : "1"}`);
  if (parts === undefined || parity > 1n) throw new EndpointFailure("a signature of another form");
  return parts;
}

function hexOfBytes(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
