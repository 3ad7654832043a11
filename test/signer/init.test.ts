// What an operator is told of a new seed, and where none is made.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { initSigner } from "../../adapters/signer/init.ts";
import { openSigner } from "../../adapters/signer/open.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { SignerStartError } from "../../adapters/signer/start-error.ts";
import { endChildren, makeFolder } from "../programs/child.ts";

afterEach(endChildren);

const newFolder = () => join(makeFolder(), "signer");

test.each([
  [undefined, ["Seed", "Hot", "Settlement"]],
  ["east", ["Seed", "Cell", "Hot", "Settlement"]],
])("of the cell %s, it says where the seed is and which accounts it has", (cell, names) => {
  const folder = newFolder();
  const settings = parseSettings({ SIGNER_DIR: folder, CELL: cell });
  const lines = initSigner(settings, []).split("\n");
  expect(lines.map((line) => line.slice(0, 12).trim())).toEqual(names);
  const said = (name: string) => lines.find((line) => line.startsWith(name))?.slice(12);
  expect(said("Seed")).toBe(`${join(folder, "seed")}: copy it to a place that is offline`);
  expect(said("Cell")).toBe(cell && `${cell}: its keys come from both`);
  const { keys, close } = openSigner(settings);
  close();
  expect([said("Hot"), said("Settlement")]).toEqual([
    keys.accounts.hotAddress,
    keys.accounts.settlementAddress,
  ]);
});

test("makes none where there is one, where one was lost, and where another one is named", () => {
  const folder = newFolder();
  const settings = parseSettings({ SIGNER_DIR: folder });
  const refused = (change: object, why: string, words: readonly string[] = []) => {
    const init = () => initSigner({ ...settings, ...change }, words);
    expect(init).toThrow(SignerStartError);
    expect(init).toThrow(why);
  };
  refused({}, "Write: npm run signer -- init", ["now"]);
  refused({ seedFile: "/seed" }, "SIGNER_SEED_FILE names /seed");
  refused({ policyFile: join(folder, "nowhere") }, "nowhere");
  expect(existsSync(join(folder, "seed"))).toBe(false);

  initSigner(settings, []);
  const seed = readFileSync(join(folder, "seed"), "utf8");
  refused({}, "There is a seed already");
  expect(readFileSync(join(folder, "seed"), "utf8")).toBe(seed);

  const lost = newFolder();
  mkdirSync(lost, { mode: 0o700 });
  writeFileSync(join(lost, "journal"), "");
  refused({ folder: lost }, lost);
  expect(existsSync(join(lost, "seed"))).toBe(false);
});
