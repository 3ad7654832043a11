// How far the journal is, kept in a second file: a journal that was cut at the end of a line, deleted,
// or replaced by an older copy reads like a whole one, and would begin with fresh limits. Whoever
// takes away both files is found by the server, which is told the same (`SignerJournal`).

import type { JournalPosition } from "../../service/ports/signer.ts";
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

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
  if (text === "") return undefined;
  const [, head, count] = form.exec(text) ?? [];
  if (head === undefined || count === undefined) return "unreadable";
  return { head: head.replaceAll("-", ""), count: BigInt(count) };
}

/** One small write at the same place, so a process that dies leaves the old one or the new one. */
export class JournalHead {
  readonly #file: number;

  constructor(path: string) {
    // Never cut off: it is written over.
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /**
   * After the journal. Not forced to the disk each time: after a power cut it may be behind the
   * journal, never ahead of it.
   */
  write({ count, head }: JournalPosition): void {
    const text = `${head.padEnd(32, "-")} ${count.toString().padStart(20, "0")}\n`;
    writeSync(this.#file, text, 0);
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}
