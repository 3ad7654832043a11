// What keeps a folder from being used is told as such, and anything else as what it is.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  DataDirectoryClosed,
  DataDirectoryEmpty,
  DataDirectoryInUse,
  demandEmbeddedDatabase,
  embeddedFolder,
  takeDataDirectory,
} from "../../adapters/configuration/data-directory.ts";
import { endChildren, makeFolder } from "../programs/child.ts";

afterEach(endChildren);

test("is one process's until it gives it back, and giving it back twice is once", () => {
  const folder = makeFolder();
  const taken = takeDataDirectory(folder);
  const take = () => takeDataDirectory(folder);
  expect(take).toThrow(DataDirectoryInUse);
  expect(take).toThrow(`is used by another server (process ${process.pid}).`);
  taken.release();
  const again = takeDataDirectory(folder);
  taken.release();
  expect(take).toThrow(DataDirectoryInUse);
  again.release();
});

test("a file in its place is said by the system, and is no folder", () => {
  const file = join(makeFolder(), "file");
  writeFileSync(file, "");
  expect(() => takeDataDirectory(file)).toThrow(DataDirectoryClosed);
  expect(() => takeDataDirectory(join(file, "below"))).toThrow(DataDirectoryClosed);
});

test("a lock that cannot be opened is said by SQLite", () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "server.lock"));
  expect(() => takeDataDirectory(folder)).toThrow(DataDirectoryClosed);
});

test("what has nothing to do with rights is not told as if it had", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "server.lock"), "no database".repeat(100));
  const take = () => takeDataDirectory(folder);
  expect(take).toThrow("file is not a database");
  expect(take).not.toThrow(DataDirectoryClosed);
});

test("an embedded database is demanded, and not made", () => {
  const folder = makeFolder();
  const demand = () => {
    demandEmbeddedDatabase(folder);
  };
  expect(demand).toThrow(DataDirectoryEmpty);
  mkdirSync(embeddedFolder(folder));
  demand();
});
