// Addresses for payments from an extended public key (BIP-32): address i is its child i. What could
// spend from them is not here, and cannot be worked out from what is.

import { HDKey } from "@scure/bip32";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { BoundedCache } from "../../service/bounded-cache.ts";
import { OperatorError } from "../../service/operator-error.ts";
import type { DepositAddressSource } from "../../service/ports/chain.ts";
import { addressOfKey } from "./signature.ts";

/** Hardened children begin there: no public key leads to them. */
const indexEnd = 2n ** 31n;

/** Each costs milliseconds, and is asked for again by retries. */
const keptMax = 1_000;

export function openDepositAddresses(extendedPublicKey: string): DepositAddressSource {
  const parent = parseKey(extendedPublicKey);
  const kept = new BoundedCache<bigint, string>(keptMax);
  return {
    publicKey: extendedPublicKey,
    derive: (index) => {
      if (index < 0n || index >= indexEnd) {
        throw new Error(`no deposit address has the index ${index}`);
      }
      const known = kept.get(index);
      if (known !== undefined) return known;
      const { publicKey } = parent.deriveChild(Number(index));
      if (publicKey === null) throw new Error("a public key has public children");
      const address = addressOfKey(secp256k1.ProjectivePoint.fromHex(publicKey).toRawBytes(false));
      kept.set(index, address);
      return address;
    },
  };
}

/** Never says what was given: by mistake that may be a key that spends. */
function parseKey(text: string): HDKey {
  const trimmed = text.trim();
  if (/^.prv/.test(trimmed)) {
    throw new OperatorError(
      "The key for deposit addresses is a private one (xprv): this process must not have it. " +
        "Give the extended public key (xpub).",
    );
  }
  const key = readKey(trimmed);
  if (key === undefined) {
    throw new OperatorError(
      "The key for deposit addresses is not an extended public key (BIP-32, xpub...).",
    );
  }
  if (key.privateKey !== null) {
    throw new OperatorError("The key for deposit addresses must be a public one.");
  }
  return key;
}

function readKey(text: string): HDKey | undefined {
  try {
    return HDKey.fromExtendedKey(text);
  } catch {
    return undefined;
  }
}
