// Signing for the scripted chain. No cryptography: what is signed is the intent as JSON text, so a
// test can read it. Pure like a real one: the same intent gives the same bytes.

import { checksumAddress } from "../../service/evm-address.ts";
import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";
import type { ChainFees, DepositAddressSource, SignedTransfer } from "../../service/ports/chain.ts";

/** Which nonce of an account, what it costs at most. */
export interface TransferIntent {
  readonly nonce: bigint;
  readonly to: string;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  readonly amountRaw: bigint;
  readonly fees: ChainFees;
}

/** Signs transfers of one account, without asking anybody. */
export interface TransferSigner {
  readonly address: string;
  /** Pure: the same intent gives the same bytes. */
  readonly sign: (chainId: string, intent: TransferIntent) => Promise<SignedTransfer>;
}

/** What a payer has signed, as far as a chain looks at it. */
export interface ScriptedPermit {
  readonly nonce: string;
  /** in unix seconds; after that it is not taken */
  readonly validBefore: bigint;
}

/** What the bytes say. */
export interface DecodedTransfer {
  readonly chainId: string;
  readonly from: string;
  /** whose money moves: by an authorization somebody else's than that of the sender */
  readonly source: string;
  readonly permit?: ScriptedPermit | undefined;
  readonly intent: TransferIntent;
}

export function hashOf(text: string | Uint8Array): string {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  return `0x${Buffer.from(keccak256(bytes)).toString("hex")}`;
}

/** An address that nobody else has, the same for the same name. */
export function addressOf(name: string): string {
  return checksumAddress(`0x${hashOf(`address ${name}`).slice(-40)}`);
}

/** Whoever has the keys, and no rules. */
export class ScriptedKeys implements TransferSigner {
  readonly address: string;

  constructor(address: string = addressOf("hot wallet")) {
    this.address = address;
  }

  readonly sign = (chainId: string, intent: TransferIntent): Promise<SignedTransfer> =>
    Promise.resolve(encodeTransfer({ chainId, from: this.address, source: this.address, intent }));
}

export function encodeTransfer(decoded: DecodedTransfer): SignedTransfer {
  const { chainId, from, source, permit, intent } = decoded;
  const { nonce, to, contractAddress, amountRaw, fees } = intent;
  const text = JSON.stringify({
    chainId,
    from,
    ...(source === from ? {} : { source }),
    ...(permit && { permitNonce: permit.nonce, validBefore: permit.validBefore.toString() }),
    nonce: nonce.toString(),
    to,
    contractAddress,
    amountRaw: amountRaw.toString(),
    maxFeePerGas: fees.maxFeePerGas.toString(),
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
  });
  const raw = new Uint8Array(Buffer.from(text, "utf8"));
  return { txHash: hashOf(raw), raw };
}

/** The inverse of that. Throws for bytes that no scripted signer made. */
export function decodeTransfer(raw: Uint8Array): DecodedTransfer {
  // JSON.parse gives no type; these are the members that `sign` writes.
  const said = JSON.parse(Buffer.from(raw).toString("utf8")) as Readonly<Record<string, string>> & {
    readonly contractAddress: string | null;
  };
  const { chainId = "", from = "", source = from, to = "" } = said;
  const { permitNonce: nonce, validBefore } = said;
  return {
    chainId,
    from,
    source,
    permit:
      nonce === undefined || validBefore === undefined
        ? undefined
        : { nonce, validBefore: BigInt(validBefore) },
    intent: {
      nonce: BigInt(said["nonce"] ?? ""),
      to,
      contractAddress: said.contractAddress,
      amountRaw: BigInt(said["amountRaw"] ?? ""),
      fees: {
        maxFeePerGas: BigInt(said["maxFeePerGas"] ?? ""),
        maxPriorityFeePerGas: BigInt(said["maxPriorityFeePerGas"] ?? ""),
      },
    },
  };
}

/** Addresses without keys: the same index gives the same one. */
export class ScriptedAddressSource implements DepositAddressSource {
  /** in the order of the calls */
  readonly derived: bigint[] = [];
  readonly #name: string;

  constructor(name = "deposit") {
    this.#name = name;
  }

  readonly derive = (index: bigint): string => {
    this.derived.push(index);
    return addressOf(`${this.#name} ${index}`);
  };
}
