// Logs of tokens, and what a header says of them in its Bloom filter.

import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";
import type { ChainTransfer } from "../../service/ports/chain.ts";
import {
  address,
  addressOfTopic,
  count,
  data,
  EndpointFailure,
  fieldsOf,
  hash,
  listOf,
  rememberingLast,
} from "./answers.ts";

export const topics = {
  transfer: topicOf("Transfer(address,address,uint256)"),
  authorizationUsed: topicOf("AuthorizationUsed(address,bytes32)"),
  authorizationCanceled: topicOf("AuthorizationCanceled(address,bytes32)"),
  nonceInvalidation: topicOf("UnorderedNonceInvalidation(address,uint256,uint256)"),
};

export interface TokenLog {
  readonly contractAddress: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockHash: string;
  readonly txHash: string;
  readonly logIndex: number;
}

/** Throws `EndpointFailure` for what is no list of logs of mined transactions. */
export function readLogs(answer: unknown): readonly TokenLog[] {
  const [contract, kind] = [rememberingLast(address), rememberingLast(hash)];
  const [block, transaction] = [rememberingLast(hash), rememberingLast(hash)];
  const logs = listOf(answer, "logs").map((one): TokenLog => {
    const fields = fieldsOf(one, "a log");
    if (fields["removed"] === true) throw new EndpointFailure("a log that was taken back");
    return {
      contractAddress: contract(fields["address"], "the contract of a log"),
      topics: listOf(fields["topics"], "topics").map((topic, index) =>
        index === 0 ? kind(topic, "a topic") : hash(topic, "a topic"),
      ),
      data: data(fields["data"], "the data of a log"),
      blockHash: block(fields["blockHash"], "the block of a log"),
      txHash: transaction(fields["transactionHash"], "the transaction of a log"),
      logIndex: count(fields["logIndex"], "the place of a log"),
    };
  });
  if (!areInPlacesOfTheirOwn(logs)) throw new EndpointFailure("two logs in one place");
  return logs;
}

function areInPlacesOfTheirOwn(logs: readonly TokenLog[]): boolean {
  const taken = new Map<string, Set<number>>();
  for (const { blockHash, logIndex } of logs) {
    const places = taken.get(blockHash) ?? new Set<number>();
    if (places.size === 0) taken.set(blockHash, places);
    if (places.has(logIndex)) return false;
    places.add(logIndex);
  }
  return true;
}

const oneWord = 2 + 64;

/** Undefined: no transfer of a token with amounts, such as one of a single thing (ERC-721). */
export function transferOf(log: TokenLog): ChainTransfer | undefined {
  const [kind, from, to, more] = log.topics;
  if (kind !== topics.transfer || from === undefined || to === undefined) return undefined;
  if (more !== undefined || log.data.length !== oneWord) return undefined;
  const { txHash, logIndex, contractAddress } = log;
  return {
    txHash,
    logIndex,
    contractAddress,
    from: addressOfTopic(from, "the sender of a transfer"),
    to: addressOfTopic(to, "the recipient of a transfer"),
    amountRaw: BigInt(log.data),
  };
}

/** Undefined where the header has none that can be used. */
export function openBloom(header: unknown): Bloom | undefined {
  if (typeof header !== "string" || !/^0x[0-9a-fA-F]{512}$/.test(header)) return undefined;
  return new Bloom(Buffer.from(header.slice(2), "hex"));
}

const bloomBits = 2048;

/** Says of what is in it always yes, and of other things sometimes. */
export class Bloom {
  readonly #bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Both would be there if the contract had moved something. */
  mayHaveTransfersOf(contractAddress: string): boolean {
    return this.#mayHave(contractAddress) && this.#mayHave(topics.transfer);
  }

  /** The fuller it is, the less its yes says. */
  get fullness(): number {
    let bits = 0;
    for (const byte of this.#bytes) {
      for (let rest = byte; rest > 0; rest &= rest - 1) bits += 1;
    }
    return bits / bloomBits;
  }

  #mayHave(hex: string): boolean {
    const hashed = keccak256(new Uint8Array(Buffer.from(hex.slice(2), "hex")));
    return [0, 2, 4].every((at) => {
      const bit = (((hashed[at] ?? 0) << 8) | (hashed[at + 1] ?? 0)) % bloomBits;
      // The lowest bit is in the last byte.
      const byte = this.#bytes[this.#bytes.length - 1 - (bit >> 3)] ?? 0;
      return ((byte >> (bit & 7)) & 1) === 1;
    });
  }
}

function topicOf(signature: string): string {
  return `0x${Buffer.from(keccak256(Buffer.from(signature, "utf8"))).toString("hex")}`;
}
