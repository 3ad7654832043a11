import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSealingRing } from "../../adapters/configuration/encryption-key.ts";

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "merchant-key-"));
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

const open = (encryptionKey?: Uint8Array) =>
  openSealingRing({ encryptionKey, encryptionKeysOlder: [], dataDirectory });

test("a folder gets its key once, whole, and for its owner alone", () => {
  const first = open();
  expect(open().current.id).toBe(first.current.id);
  expect(readdirSync(dataDirectory)).toEqual(["encryption.key"]);
  expect(statSync(join(dataDirectory, "encryption.key")).mode & 0o777).toBe(0o600);
});

test("a key from the environment is used, and nothing is written", () => {
  const key = randomBytes(32);
  expect(open(key).current.key.export()).toEqual(key);
  expect(readdirSync(dataDirectory)).toEqual([]);
});

test("older keys open what they sealed", () => {
  const encryptionKeysOlder = [randomBytes(32), randomBytes(32)];
  const ring = openSealingRing({
    encryptionKey: randomBytes(32),
    encryptionKeysOlder,
    dataDirectory,
  });
  expect(ring.older.map(({ key }) => key.export())).toEqual(encryptionKeysOlder);
});

test("a broken file is not replaced: it may be all that opens the secrets", () => {
  writeFileSync(join(dataDirectory, "encryption.key"), "half a k");
  expect(() => open()).toThrow(/does not hold 32 bytes in base64: restore it/);
});
