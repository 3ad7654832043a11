// Secrets at rest: AES-256-GCM under a key that never stands in the database. What a secret belongs
// to is authenticated with it, so that a sealed value copied to another row does not open there.

import { createCipheriv, createDecipheriv, createSecretKey, hash } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Random } from "../ports/random.ts";

const algorithm = "aes-256-gcm";
const formatVersion = 1;
const keyIdBytes = 4;
/** NIST SP 800-38D section 8.2.2: random, 96 bits; good for 2^32 values under one key. */
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes + nonceBytes;
/** AES-256 */
export const sealingKeyBytes = 32;

export interface SealingKey {
  /** first bytes of the key's SHA-256, in hex: says which key opens a value, and nothing about it */
  readonly id: string;
  readonly key: KeyObject;
}

export interface SealingRing {
  /** seals everything new */
  readonly current: SealingKey;
  /** only open what they sealed, until it has been sealed again */
  readonly older: readonly SealingKey[];
}

/** The context under which each kind of value is sealed. */
export const sealingContexts = {
  apiKey: (keyId: string, merchantId: string) => `api-key:${keyId}:${merchantId}`,
  webhookEndpoint: (endpointId: string) => `webhook-endpoint:${endpointId}`,
  idempotency: (merchantId: string, key: string) => `idempotency:${merchantId}:${key}`,
} as const;

export function sealingKey(bytes: Uint8Array): SealingKey {
  if (bytes.length !== sealingKeyBytes) {
    throw new Error(`a sealing key has ${sealingKeyBytes} bytes, not ${bytes.length}`);
  }
  const digest = hash("sha256", bytes, "hex");
  return { id: digest.slice(0, keyIdBytes * 2), key: createSecretKey(bytes) };
}

/** A sealed value does not open: another key, another context, or changed bytes. */
export class UnsealError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`a sealed value does not open: ${reason}`, { cause });
    this.name = "UnsealError";
  }
}

/** Layout: version (1 byte), key id (4), nonce (12), ciphertext, tag (16). */
export class Sealer {
  readonly #current: SealingKey;
  readonly #keys: ReadonlyMap<string, SealingKey>;
  readonly #random: Random;

  constructor(ring: SealingRing, random: Random) {
    this.#current = ring.current;
    this.#keys = new Map([...ring.older, ring.current].map((key) => [key.id, key]));
    this.#random = random;
  }

  seal(plain: string, context: string): Uint8Array {
    const nonce = this.#random.bytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#current.key, nonce);
    cipher.setAAD(Buffer.from(context, "utf8"));
    return Buffer.concat([
      Buffer.of(formatVersion),
      Buffer.from(this.#current.id, "hex"),
      nonce,
      cipher.update(plain, "utf8"),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
  }

  /** Throws `UnsealError`. */
  open(sealed: Uint8Array, context: string): string {
    const key = this.#keyOf(sealed);
    const nonce = sealed.subarray(1 + keyIdBytes, headBytes);
    const tagAt = sealed.length - tagBytes;
    const decipher = createDecipheriv(algorithm, key.key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context, "utf8"));
    decipher.setAuthTag(sealed.subarray(tagAt));
    try {
      // The plain text must not be looked at before `final` has checked the tag.
      const parts = [decipher.update(sealed.subarray(headBytes, tagAt)), decipher.final()];
      return Buffer.concat(parts).toString("utf8");
    } catch (error) {
      throw new UnsealError("it was changed, or belongs to something else", error);
    }
  }

  /** Of the key that seals everything new. */
  get currentKeyId(): string {
    return this.#current.id;
  }

  /** Whether there is a key with this id. */
  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Whether the value would be sealed under another key today. */
  isOutdated(sealed: Uint8Array): boolean {
    return this.#keyOf(sealed) !== this.#current;
  }

  #keyOf(sealed: Uint8Array): SealingKey {
    if (sealed.length < headBytes + tagBytes) throw new UnsealError("it is too short");
    if (sealed[0] !== formatVersion) throw new UnsealError("its format is unknown");
    const id = Buffer.from(sealed.subarray(1, 1 + keyIdBytes)).toString("hex");
    const key = this.#keys.get(id);
    if (key === undefined) throw new UnsealError(`there is no encryption key ${id}`);
    return key;
  }
}
