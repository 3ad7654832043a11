// Connecting the chains of a configuration: what a machine cannot have, and what is left when it fails.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { connectChains } from "../../adapters/assembly/chains.ts";
import type { ChainKnowledge } from "../../adapters/assembly/chains.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { startProblem } from "../../adapters/assembly/start-problem.ts";
import { isAlive } from "../local-chain/processes.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { openDatabase } from "../support/engines.ts";

afterEach(endChildren);

/** For what gets not so far as to ask the database. */
const nobody: ChainKnowledge["database"] = {
  run: () => Promise.reject(new Error("no database")),
  transaction: () => Promise.reject(new Error("no database")),
};
const catalog = { allDeployments: () => Promise.reject(new Error("no catalog")) };

function connecting(environment: Readonly<Record<string, string>>, database = nobody) {
  const knowledge: ChainKnowledge = { database, catalog };
  const lines: string[] = [];
  const output = { write: (line: string) => void lines.push(line) };
  const log = buildLogger("info", output);
  const configuration = parseConfiguration(environment);
  const connected = connectChains(
    { configuration, clock: systemClock, log, signerOutput: output },
    knowledge,
  );
  return { connected, lines };
}

test("a machine that cannot have a local chain goes on without, and says so", async () => {
  const DATA_DIR = makeFolder();
  // What would be its folder is none; a program that is missing takes the same way.
  writeFileSync(join(DATA_DIR, "local-chain"), "");
  const { connected, lines } = connecting({ DATA_DIR });
  expect(await connected).toBeUndefined();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/"warn".*there is no local chain: no payment can be made/);
  expect(existsSync(join(DATA_DIR, "signer"))).toBe(false);
});

test("where somebody has asked for it, that is the end, in words for people", async () => {
  const DATA_DIR = makeFolder();
  writeFileSync(join(DATA_DIR, "local-chain"), "");
  const error = await failure(connecting({ DATA_DIR, LOCAL_CHAIN: "on" }).connected);
  expect(startProblem(error)).toMatch(/local-chain/);
});

test("a path that is too long for the signer's socket is named, and no chain stays behind", async () => {
  const DATA_DIR = join(makeFolder(), "d".repeat(90));
  mkdirSync(DATA_DIR);
  const error = await failure(connecting({ DATA_DIR }).connected);
  expect(startProblem(error)).toMatch(/^The path .* is too long .*: name a shorter DATA_DIR\.$/);
  const processId = Number(readFileSync(join(DATA_DIR, "local-chain", "anvil.pid"), "utf8"));
  expect(processId).toBeGreaterThan(0);
  expect(isAlive(processId)).toBe(false);
});

test("what was started ends when the catalog cannot be read", async () => {
  const DATA_DIR = makeFolder();
  const chains = { EVM_RPC_URLS: "eip155:84532=http://127.0.0.1:1" };
  // It remembers the signer before the catalog is read.
  const { connected } = connecting({ DATA_DIR, ...chains }, await openDatabase("PostgreSQL"));
  await expect(connected).rejects.toThrow("no catalog");
  // The signer has given its folder back, as it does last.
  expect(existsSync(join(DATA_DIR, "signer", "journal"))).toBe(true);
  expect(existsSync(join(DATA_DIR, "signer", "signer.sock"))).toBe(false);
  expect(existsSync(join(DATA_DIR, "signer", "server.pid"))).toBe(false);
});

function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
