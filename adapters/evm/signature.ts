// Signatures of 65 bytes: which forms count, and who made one.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";
import { checksumAddress } from "../../service/evm-address.ts";

export interface SignatureParts {
  readonly r: `0x${string}`;
  readonly s: `0x${string}`;
  readonly v: 27 | 28;
  /** r, s and v again, v as 27 or 28 */
  readonly whole: `0x${string}`;
}

const form = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})(00|01|1[bB]|1[cC])$/;
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * v as 0 or 1 is as good as 27 or 28. Undefined for every other form, and for s in its upper half:
 * such a twin can be made of any signature by anybody, and tokens refuse it.
 */
export function splitSignature(signature: string): SignatureParts | undefined {
  const [, r = "", s = "", v = ""] = form.exec(signature.toLowerCase()) ?? [];
  if (v === "") return undefined;
  const numbers = [BigInt(`0x${r}`), BigInt(`0x${s}`)] as const;
  if (numbers[0] === 0n || numbers[0] >= curveOrder) return undefined;
  if (numbers[1] === 0n || numbers[1] > curveOrder / 2n) return undefined;
  const isEven = v === "00" || v === "1b";
  const whole = `0x${r}${s}${isEven ? "1b" : "1c"}` as const;
  return { r: `0x${r}`, s: `0x${s}`, v: isEven ? 27 : 28, whole };
}

/** Makes an address of who has signed the hash. Undefined: no key gives this signature. */
export type Recover = (hash: Uint8Array, parts: SignatureParts) => string | undefined;

/** libsecp256k1 as WebAssembly, several times as fast; where it cannot be loaded, JavaScript. */
export async function loadRecover(): Promise<Recover> {
  return (await loadFastRecover()) ?? plainRecover;
}

export async function loadFastRecover(): Promise<Recover | undefined> {
  try {
    const { recoverFast } = await import("./fast-recovery.ts");
    return (hash, parts) =>
      quietly(() => recoverFast(hash, compact(parts), parts.v === 27 ? 0 : 1, false));
  } catch {
    // No WebAssembly here, or its file is missing.
    return undefined;
  }
}

export const plainRecover: Recover = (hash, parts) =>
  quietly(() =>
    secp256k1.Signature.fromCompact(compact(parts))
      .addRecoveryBit(parts.v - 27)
      .recoverPublicKey(hash)
      .toBytes(false),
  );

/** The libraries throw where no point of the curve fits: then nobody has signed. */
function quietly(recover: () => Uint8Array | null): string | undefined {
  try {
    const key = recover();
    return key === null ? undefined : addressOfKey(key);
  } catch {
    return undefined;
  }
}

function compact({ r, s }: SignatureParts): Uint8Array {
  return new Uint8Array(Buffer.from(r.slice(2) + s.slice(2), "hex"));
}

/** Of a key as 65 bytes, the first of which says so. */
export function addressOfKey(key: Uint8Array): string {
  const hash = keccak256(key.subarray(1));
  return checksumAddress(`0x${Buffer.from(hash.subarray(12)).toString("hex")}`);
}
