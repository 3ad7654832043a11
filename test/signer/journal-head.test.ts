// A journal that was cut where a line ends, deleted, or replaced by an older copy reads like a whole
// one: how far it was stands in a second file, and at the server.

import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listMends, mendJournal } from "../../adapters/signer/mending.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { chainId, intentOf, noon, openDesk } from "./desk.ts";
import type { OpenedDesk } from "./desk.ts";

let folder: string;
let journal: string;
beforeEach(async () => {
  folder = join(makeFolder(), "signer");
  const opened = openDesk(folder);
  ({ journal } = opened);
  await signTwo(opened);
  opened.close();
});

const close: (() => void)[] = [];
afterEach(async () => {
  for (const one of close.splice(0)) one();
  await endChildren();
});

function open(): OpenedDesk {
  const opened = openDesk(folder);
  close.push(opened.close);
  return opened;
}

async function signTwo({ desk }: OpenedDesk, first = 0n): Promise<void> {
  for (const nonce of [first, first + 1n]) await desk.sign(chainId, intentOf({ nonce }));
}

/** As the end of a line stood there. */
function cutLines(count: number): void {
  const text = readFileSync(journal);
  let size = text.length;
  for (let left = count; left > 0; left--) size = text.lastIndexOf("\n", size - 2) + 1;
  truncateSync(journal, size);
}

describe("a journal that is not as far as it was is refused", () => {
  test.each([1, 2])("when its last %d lines were cut off", (count) => {
    cutLines(count);
    expect(open).toThrow(/it was cut off, deleted, or replaced by an older copy/);
  });

  test("when nobody can read how far it was", () => {
    rmSync(`${journal}.head`);
    mkdirSync(`${journal}.head`);
    expect(open).toThrow(/EISDIR/);
  });

  test("when it is empty, or gone", () => {
    truncateSync(journal, 0);
    expect(open).toThrow(/has 0 records/);
    rmSync(journal);
    expect(open).toThrow(/has 0 records/);
  });

  test("when an older copy took its place, also one that was signed with since", async () => {
    const copy = join(makeFolder(), "copy");
    const head = `${journal}.head`;
    copyFileSync(journal, copy);
    copyFileSync(head, `${copy}.head`);
    const later = openDesk(folder);
    await signTwo(later, 2n);
    later.close();
    const newest = readFileSync(head);
    copyFileSync(copy, journal);
    expect(open).toThrow(/replaced by an older copy/);
    // Elsewhere, with the head of that time.
    copyFileSync(`${copy}.head`, head);
    const other = openDesk(folder);
    const action = { ...intentOf().action, amountRaw: 7n };
    await other.desk.sign(chainId, intentOf({ nonce: 2n, action }));
    await other.desk.sign(chainId, intentOf({ nonce: 3n, action }));
    other.close();
    writeFileSync(head, newest);
    expect(open).toThrow(/replaced by an older copy/);
  });

  test("and taken when an operator says why, which stays written down", async () => {
    cutLines(1);
    const settings = parseSettings({ SIGNER_DIR: folder });
    expect(() => mendJournal(settings, ["journal"], noon)).toThrow(/Write: npm run signer/);
    mendJournal(settings, ["journal", "the disk was lost, see ticket 12"], noon);
    expect(listMends(settings)).toContain("the disk was lost, see ticket 12");
    const opened = open();
    // What is forgotten is signed only after somebody has said how far the chain is.
    const far = opened.desk.sign(chainId, intentOf({ nonce: 2n }));
    await expect(far).rejects.toThrow(/is not the next one, which is 1/);
  });
});

describe("a journal that is as it was is taken", () => {
  test("also when its last line was cut off in the middle, whose signature never left", async () => {
    const size = readFileSync(journal).length;
    const later = openDesk(folder);
    later.close();
    expect(readFileSync(journal).length).toBeGreaterThan(0);
    writeFileSync(journal, Buffer.concat([readFileSync(journal), Buffer.from("0123456789abc")]));
    expect(size).toBeGreaterThan(0);
    await signTwo(open(), 2n);
  });

  test("also when the second file is behind, as after a power cut, or was never there", async () => {
    const head = `${journal}.head`;
    const before = readFileSync(head);
    const later = openDesk(folder);
    await signTwo(later, 2n);
    later.close();
    writeFileSync(head, before);
    const again = openDesk(folder);
    await signTwo(again, 4n);
    again.close();
    // Made, and not yet on the disk when the power went: some file systems leave the length alone.
    writeFileSync(head, Buffer.alloc(before.length));
    const unwritten = openDesk(folder);
    await signTwo(unwritten, 6n);
    unwritten.close();
    rmSync(head);
    await signTwo(open(), 8n);
  });

  test("and its count never goes back, however often it is made short", async () => {
    let last = 0n;
    for (let restart = 0n; restart < 4n; restart++) {
      const opened = openDesk(folder);
      await signTwo(opened, 2n + 2n * restart);
      const { count } = opened.desk.position;
      expect(count).toBeGreaterThan(last);
      last = count;
      opened.close();
    }
  });
});
