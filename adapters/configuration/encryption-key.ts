// The key that seals secrets in the database: from the environment, or for the embedded database
// from a file beside it, which is made at the first start.

import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync } from "node:fs";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealingKey, sealingKeyBytes } from "../../service/secrets/sealing.ts";
import { encryptionKeyForm, parseEncryptionKey } from "./encryption-key-form.ts";
import type { SealingRing } from "../../service/secrets/sealing.ts";

export const encryptionKeyFile = "encryption.key";

interface KeySource {
  /** absent: the one in the data folder */
  readonly encryptionKey: Uint8Array | undefined;
  /** with which older rows are sealed still */
  readonly encryptionKeysOlder: readonly Uint8Array[];
  readonly dataDirectory: string;
}

export function openSealingRing(source: KeySource): SealingRing {
  const { encryptionKey, encryptionKeysOlder, dataDirectory } = source;
  const current = encryptionKey ?? keyFromFile(dataDirectory);
  return { current: sealingKey(current), older: encryptionKeysOlder.map(sealingKey) };
}

/** Thrown with a text for whoever starts the server. */
export class EncryptionKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EncryptionKeyError";
  }
}

/** The file of a data folder, made when it is not there. Losing it makes every secret unreadable. */
function keyFromFile(dataDirectory: string): Uint8Array {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const path = join(dataDirectory, encryptionKeyFile);
  const text = readKey(path) ?? makeKey(path);
  if (encryptionKeyForm(text)) return parseEncryptionKey(text);
  throw new EncryptionKeyError(`${path} does not hold 32 bytes in base64: restore it.`);
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/**
 * Either the whole key is there under its name and on the disk, or nothing is: secrets sealed with a
 * key that a power cut took away could never be read again.
 */
function makeKey(path: string): string {
  const text = randomBytes(sealingKeyBytes).toString("base64");
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path); // unlike a rename, never replaces the key of another process
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    return readKey(path) ?? "";
  } finally {
    rmSync(draft);
  }
  const folder = openSync(join(path, ".."), "r");
  fsyncSync(folder);
  closeSync(folder);
  return text;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
