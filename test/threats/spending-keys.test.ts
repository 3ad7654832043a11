// Threat 66: the process that serves HTTP never has a spending key, not even for a moment: neither in
// its memory, nor in its environment, nor in a file that it has open. Its signer has them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { afterEach, expect, test } from "vitest";
import { openKeys } from "../../adapters/signer/keys.ts";
import {
  endChildren,
  makeDataDirectory,
  makeFolder,
  projectRoot,
  startServerChild,
} from "../programs/child.ts";
import { environmentOf, findInMemory, openFilesOf } from "./process-memory.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0)) step();
  await endChildren();
});

/** As bytes, and as the text that a library would hold. */
function secretsOf(seedText: string): Readonly<Record<string, Buffer>> {
  const root = HDKey.fromMasterSeed(Buffer.from(seedText, "hex"));
  const keys: Readonly<Record<string, Uint8Array | null>> = {
    seed: Buffer.from(seedText, "hex"),
    master: root.privateKey,
    "deposit branch": root.derive("m/44'/60'/0'").privateKey,
    "deposit 0": root.derive("m/44'/60'/0'/0").privateKey,
    hot: root.derive("m/44'/60'/1'/0/0").privateKey,
    settlement: root.derive("m/44'/60'/2'/0/0").privateKey,
  };
  return Object.fromEntries(
    Object.entries(keys).flatMap(([name, bytes]) => {
      const key = Buffer.from(bytes ?? []);
      expect(key).toHaveLength(32);
      return [
        [name, key],
        [`${name} in hex`, Buffer.from(key.toString("hex"))],
      ];
    }),
  );
}

function expectNoKey(pid: number, seedText: string, dataDirectory: string): void {
  const secrets = secretsOf(seedText);
  const marker = Buffer.from(openKeys(Buffer.from(seedText, "hex")).accounts.hotAddress);
  const found = findInMemory(pid, { ...secrets, "the hot address": marker });
  if (found === undefined) {
    process.stderr.write("memory was not looked at: this user may not read /proc/PID/mem\n");
  } else {
    // It does hold what it may know, so the search finds what is there.
    expect([...found]).toEqual(["the hot address"]);
  }
  const environment = environmentOf(pid);
  const texts = Object.values(secrets).map((one) => Buffer.from(one).toString("latin1"));
  expect(texts.filter((text) => environment.includes(text))).toEqual([]);
  const files = openFilesOf(pid).filter((path) => path.startsWith(join(dataDirectory, "signer")));
  expect(files).toEqual([]);
}

test("a process with a signer as its child holds no spending key, and the signer does", async () => {
  const folder = join(makeFolder(), "signer");
  const parent = spawn(process.execPath, [join(projectRoot, "test/signer/parent.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanUp.push(() => parent.kill("SIGKILL"));
  const [text] = (await once(parent.stdout.setEncoding("utf8"), "data")) as [string];
  const seedText = readFileSync(join(folder, "seed"), "utf8").trim();
  expectNoKey(parent.pid ?? 0, seedText, join(folder, ".."));
  const held = findInMemory(Number(text), secretsOf(seedText));
  if (held !== undefined) expect([...held]).toContain("hot in hex");
});

test("the server itself holds no spending key of its data folder", async () => {
  const dataDirectory = await makeDataDirectory();
  const server = await startServerChild({ DATA_DIR: dataDirectory, LOCAL_CHAIN: "on" });
  const seedFile = join(dataDirectory, "signer", "seed");
  expect(existsSync(seedFile)).toBe(true);
  expectNoKey(server.pid, readFileSync(seedFile, "utf8").trim(), dataDirectory);
});
