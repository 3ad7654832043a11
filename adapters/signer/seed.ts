// The seed that every key comes from: a file that only the signer's user can read, made at the first
// start. Never an argument or a variable, which other programs of the machine may see.

import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { writeOnce } from "./durable-file.ts";
import { SignerStartError } from "./start-error.ts";

const seedBytes = 32;
/** BIP-32 takes 16 to 64 bytes; who brings a seed of his own brings a whole one. */
const seedForm = /^(?:[0-9a-f]{64}|[0-9a-f]{128})$/;

export function readSeed(path: string): Uint8Array {
  const text = read(path);
  if (text !== undefined) return parse(text, path);
  throw new SignerStartError(
    `The seed file ${path} of SIGNER_SEED_FILE is not there. Make one with: ` +
      `(umask 077; openssl rand -hex ${seedBytes} > ${path})`,
  );
}

export function makeSeed(path: string): Uint8Array {
  return parse(make(path), path);
}

/** What the journal counts is of a seed that was here. */
export function seedIsLost(folder: string): SignerStartError {
  return new SignerStartError(
    `${folder} has a journal and no seed: restore its seed. Another seed would have none of the money, ` +
      "and needs a folder of its own.",
  );
}

function parse(text: string, path: string): Uint8Array {
  if (!seedForm.test(text)) {
    throw new SignerStartError(`${path} does not hold 32 or 64 bytes in hex: restore it.`);
  }
  return Buffer.from(text, "hex");
}

function read(path: string): string | undefined {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o077) !== 0) {
      throw new SignerStartError(`Others may read the seed file ${path}: chmod 600 ${path}`);
    }
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    if (isCode(error, "EACCES")) {
      throw new SignerStartError(`The seed file ${path} may not be read by this user.`);
    }
    throw error;
  }
}

/** Money goes to what is derived from it: that of another process stays. */
function make(path: string): string {
  const text = randomBytes(seedBytes).toString("hex");
  return writeOnce(path, `${text}\n`) ? text : (read(path) ?? "");
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
