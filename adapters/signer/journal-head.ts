// How far the journal is, kept in a second file: a journal that was cut at the end of a line, deleted,
// or replaced by an older copy reads like a whole one, and would begin with fresh limits. Whoever
// takes away both files is found by the server, which is told the same (`SignerJournal`).

import type { JournalPosition } from "../../service/ports/signer.ts";
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const form = /^([0-9a-f]{32}|-{32}) ([0-9]{20})\n$/;

/** Undefined: it was never written. */
export function readHead(path: string): JournalPosition | "unreadable" | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  // Made, and never forced to the disk before the power went.
  if (/^\0*$/.test(text)) return undefined;
  const [, head, count] = form.exec(text) ?? [];
  if (head === undefined || count === undefined) return "unreadable";
  return { head: head.replaceAll("-", ""), count: BigInt(count) };
}

/** One small write at the same place, so a process that dies leaves the old one or the new one. */
export class JournalHead {
  readonly #path: string;
  readonly #file: number;
  #isOnDisk = false;

  constructor(path: string) {
    this.#path = path;
    // Never cut off: it is written over.
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /**
   * After the journal. Forced to the disk the first time only, with its place in the folder: after a
   * power cut it may be behind the journal, never ahead of it, and is whole.
   */
  write({ count, head }: JournalPosition): void {
    const text = `${head.padEnd(32, "-")} ${count.toString().padStart(20, "0")}\n`;
    writeSync(this.#file, text, 0);
    if (this.#isOnDisk) return;
    fsyncSync(this.#file);
    const folder = openSync(dirname(this.#path), constants.O_RDONLY);
    fsyncSync(folder);
    closeSync(folder);
    this.#isOnDisk = true;
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}
