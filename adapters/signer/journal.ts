// What was signed, on the disk before anybody gets a signature. A file that only grows: a line is the
// beginning of a SHA-256 over everything before it and itself, and a record as JSON. A line that a
// crash cut off is the last one, and its signature never left; anything else that does not fit was
// done by somebody, and the signer does not start.

import { createHash } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { SignerStartError } from "./start-error.ts";

const sumDigits = 32;

interface Content {
  readonly records: readonly unknown[];
  readonly sum: string;
  /** of the lines that are whole */
  readonly bytes: number;
}

export class Journal {
  readonly #path: string;
  #file: number;
  #sum: string;
  #lines: number;
  /** a write that failed may have left half a line, behind which nothing could be read again */
  #isBroken = false;

  private constructor(path: string, file: number, { records, sum }: Content) {
    this.#path = path;
    this.#file = file;
    this.#sum = sum;
    this.#lines = records.length;
  }

  /** With what stands in the file; none: it is new. */
  static open(path: string): { readonly journal: Journal; readonly records: readonly unknown[] } {
    const file = openSync(path, "a+", 0o600);
    const content = readContent(path);
    ftruncateSync(file, content.bytes);
    fsyncSync(file);
    syncFolderOf(path);
    return { journal: new Journal(path, file, content), records: content.records };
  }

  get lines(): number {
    return this.#lines;
  }

  /** On the disk when it returns. */
  append(record: unknown): void {
    if (this.#isBroken) throw new Error("the journal could not be written, and is closed");
    const { line, sum } = lineOf(this.#sum, record);
    this.#isBroken = true;
    writeWhole(this.#file, line);
    fdatasyncSync(this.#file);
    this.#isBroken = false;
    this.#sum = sum;
    this.#lines += 1;
  }

  /** In place of all that stands there: the old file or the new one is there, never a part. */
  replace(records: readonly unknown[]): void {
    if (this.#isBroken) throw new Error("the journal could not be written, and is closed");
    const draft = `${this.#path}.new`;
    const file = openSync(draft, "w", 0o600);
    let sum = "";
    try {
      for (const record of records) {
        const made = lineOf(sum, record);
        writeWhole(file, made.line);
        sum = made.sum;
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#isBroken = true;
    renameSync(draft, this.#path);
    syncFolderOf(this.#path);
    closeSync(this.#file);
    this.#file = openSync(this.#path, "a", 0o600);
    this.#isBroken = false;
    this.#sum = sum;
    this.#lines = records.length;
  }

  close(): void {
    this.#isBroken = true;
    closeSync(this.#file);
  }
}

function lineOf(before: string, record: unknown) {
  const text = JSON.stringify(record);
  const sum = createHash("sha256").update(before).update(text).digest("hex").slice(0, sumDigits);
  return { line: Buffer.from(`${sum} ${text}\n`), sum };
}

function readContent(path: string): Content {
  const text = readFileSync(path, "utf8");
  const lines = text.split("\n");
  const records: unknown[] = [];
  let sum = "";
  let bytes = 0;
  for (const [at, line] of lines.entries()) {
    const record = recordOf(sum, line);
    const isLast = at >= lines.length - 2 && (at === lines.length - 1 || lines.at(-1) === "");
    if (record === undefined || at === lines.length - 1) {
      if (isLast) break;
      throw new SignerStartError(
        `Line ${at + 1} of ${path} is not what was written there. The limits of today and the ` +
          "numbers that were signed cannot be known: restore the file, or see docs/running/signer.md.",
      );
    }
    records.push(record.value);
    sum = line.slice(0, sumDigits);
    bytes += Buffer.byteLength(line) + 1;
  }
  return { records, sum, bytes };
}

function recordOf(before: string, line: string): { readonly value: unknown } | undefined {
  const text = line.slice(sumDigits + 1);
  const sum = createHash("sha256").update(before).update(text).digest("hex").slice(0, sumDigits);
  return line.slice(0, sumDigits + 1) === `${sum} ` ? { value: JSON.parse(text) } : undefined;
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(file, bytes, written);
  }
}

function syncFolderOf(path: string): void {
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}
