// What was signed, on the disk before anybody gets a signature. A file that only grows: a line is the
// beginning of a SHA-256 over everything before it and itself, and a record as JSON. A line that a
// crash cut off is the last one, and its signature never left; anything else that does not fit was
// done by somebody, and the signer does not start. The first record says how many there were before.

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
import { JournalHead, readHead } from "./journal-head.ts";
import type { JournalPosition } from "../../service/ports/signer.ts";
import { SignerStartError } from "./start-error.ts";

const sumDigits = 32;

interface Content {
  readonly records: readonly unknown[];
  /** of each line */
  readonly sums: readonly string[];
  /** of the lines that are whole */
  readonly bytes: number;
}

export class Journal {
  readonly #path: string;
  #file: number;
  readonly #head: JournalHead;
  #sum: string;
  #lines: number;
  #count: bigint;
  /** a write that failed may have left half a line, behind which nothing could be read again */
  #isBroken = false;

  private constructor(path: string, file: number, content: Content) {
    this.#path = path;
    this.#file = file;
    this.#head = new JournalHead(headPathOf(path));
    this.#sum = content.sums.at(-1) ?? "";
    this.#lines = content.records.length;
    this.#count = countOf(content);
    this.#head.write(this.position);
  }

  /**
   * With what stands in the file; none: it is new. `isTaken`: as it is, because an operator says so;
   * else it has to go on from where it was when it was written last.
   */
  static open(
    path: string,
    { isTaken = false } = {},
  ): { readonly journal: Journal; readonly records: readonly unknown[] } {
    const file = openSync(path, "a+", 0o600);
    const content = readContent(path);
    if (!isTaken) checkHead(path, content);
    ftruncateSync(file, content.bytes);
    fsyncSync(file);
    syncFolderOf(path);
    return { journal: new Journal(path, file, content), records: content.records };
  }

  /** How far it is, whatever was made short of it. */
  get position(): JournalPosition {
    return { count: this.#count, head: this.#sum };
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
    this.#count += 1n;
    this.#head.write(this.position);
  }

  /** In place of all that stands there: the old file or the new one is there, never a part. */
  replace(records: readonly unknown[]): void {
    if (this.#isBroken) throw new Error("the journal could not be written, and is closed");
    const draft = `${this.#path}.new`;
    const file = openSync(draft, "w", 0o600);
    let sum = "";
    // One more, so that it is another place than before.
    const made: Made = { madeAt: (this.#count + 1n).toString(), madeWith: records.length };
    try {
      for (const [at, given] of records.entries()) {
        const next = lineOf(sum, at === 0 ? { ...Object(given), ...made } : given);
        writeWhole(file, next.line);
        sum = next.sum;
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
    this.#count += 1n;
    this.#head.write(this.position);
  }

  close(): void {
    this.#isBroken = true;
    closeSync(this.#file);
    this.#head.close();
  }
}

function headPathOf(path: string): string {
  return `${path}.head`;
}

/** In the first record of a file that was made short. */
interface Made {
  /** how many had been written then */
  readonly madeAt: string;
  /** how many of them are what is left of all others */
  readonly madeWith: number;
}

function madeOf({ records }: Content): { readonly count: bigint; readonly lines: number } {
  const [first] = records as readonly [Partial<Made>?];
  return { count: BigInt(first?.madeAt ?? 0), lines: first?.madeWith ?? 0 };
}

function countOf(content: Content): bigint {
  const { count, lines } = madeOf(content);
  return count + BigInt(content.records.length - lines);
}

/** Throws `SignerStartError` for a journal that was longer, or another one, when it was written last. */
function checkHead(path: string, content: Content): void {
  const head = readHead(headPathOf(path));
  if (head === undefined) return;
  const count = countOf(content);
  if (head !== "unreadable" && count >= head.count) {
    const made = madeOf(content);
    // What was made short since is no longer there to be compared.
    if (head.count < made.count) return;
    const line = made.lines + Number(head.count - made.count);
    if ((content.sums[line - 1] ?? "") === head.head) return;
  }
  const was = head === "unreadable" ? "what nobody can read" : `${head.count} records`;
  throw new SignerStartError(
    `${path} has ${count} records, and ${headPathOf(path)} says ${was}, or others: it was cut off, ` +
      "deleted, or replaced by an older copy, and the limits and numbers of what is missing are " +
      "forgotten. Restore it; if it is lost for good: npm run signer -- journal EVIDENCE " +
      "(docs/running/signer.md)",
  );
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
  const sums: string[] = [];
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
    sums.push(sum);
    bytes += Buffer.byteLength(line) + 1;
  }
  return { records, sums, bytes };
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
