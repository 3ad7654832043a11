// A database belongs to one signer: addresses of another one's keys, and money that leaves from
// another one's account, would be a loss that nobody sees.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import {
  endChildren,
  giveToPlainUser,
  makeFolder,
  startAsPlainUser,
  startChild,
} from "../programs/child.ts";
import type { Child } from "../programs/child.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { endedSigner, startSigner } from "./process.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  await endChildren();
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function makeEnvironment() {
  const { url, remove } = await makePostgresDatabase();
  cleanUp.push(remove);
  return {
    DATABASE_URL: url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    // Nobody is there: a chain that is away keeps no server from starting.
    EVM_RPC_URLS: "eip155:84532=http://127.0.0.1:9",
  };
}

type Environment = Awaited<ReturnType<typeof makeEnvironment>>;

const startServer = (environment: Environment, socketPath: string): Child =>
  startChild(["adapters/main.ts"], { ...environment, PORT: "0", SIGNER_SOCKET: socketPath });

const program = "adapters/signer/main.ts";
const listens = /listening on http/;

async function admin(environment: Environment, line: string) {
  const child = startChild(["adapters/admin.ts", ...line.split(" ")], environment);
  const { code } = await child.ended;
  return { code, text: child.output() + child.errors() };
}

describe("two signers and one database", () => {
  test("the second one is refused, with the way out, until an operator accepts it", async () => {
    const environment = await makeEnvironment();
    const [first, second] = [await startSigner(), await startSigner()];
    const server = startServer(environment, first.socketPath);
    await server.waitFor(listens);

    const refused = startServer(environment, second.socketPath);
    expect(await refused.ended).toMatchObject({ code: 1 });
    expect(refused.errors()).not.toMatch(/\n {4}at /);
    expect(refused.errors()).toMatch(/belongs to another signer/);
    const [, fingerprint = ""] = /signer accept ([0-9a-f]{32})/.exec(refused.errors()) ?? [];
    expect(fingerprint).not.toBe("");

    const shown = await admin(environment, "signer show");
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.text).toMatch(/accepted[^\n]*0x[0-9a-fA-F]{40}/);
    expect(shown.text).toContain(fingerprint);
    expect(shown.text).not.toContain("xpub");

    expect(await admin(environment, `signer accept ${"0".repeat(32)} --yes`)).toMatchObject({
      code: 1,
    });
    expect(await admin(environment, `signer accept ${fingerprint} --yes`)).toMatchObject({
      code: 0,
    });
    const audit = await admin(environment, "audit list");
    expect(audit.text).toMatch(/system +signer\.accepted/);
    expect(audit.text).toMatch(/operator +signer\.accepted/);
    const accepted = startServer(environment, second.socketPath);
    await accepted.waitFor(listens);
    // And the one of before is the stranger now.
    const old = startServer(environment, first.socketPath);
    expect(await old.ended).toMatchObject({ code: 1 });
  });

  test("the same signer is taken again, after a restart of both", async () => {
    const environment = await makeEnvironment();
    const first = await startSigner();
    const server = startServer(environment, first.socketPath);
    await server.waitFor(listens);
    server.kill("SIGTERM");
    first.kill("SIGTERM");
    await Promise.all([server.ended, first.ended]);
    const { socketPath } = await startSigner({ SIGNER_DIR: first.folder });
    await startServer(environment, socketPath).waitFor(listens);
  });

  test("a folder of another user is refused with a sentence", async () => {
    const folder = makeFolder();
    chmodSync(folder, 0o000);
    const SIGNER_DIR = join(folder, "signer");
    const refused = startAsPlainUser(["adapters/signer/main.ts"], { SIGNER_DIR });
    const { code } = await refused.ended;
    chmodSync(folder, 0o700);
    expect(code).toBe(2);
    expect(refused.errors()).toMatch(
      /^The folder \S+ cannot be used by this user: EACCES: [^\n]+ SIGNER_DIR\.\n$/,
    );
  });

  test("a folder that is empty by mistake gets no seed in production, and init makes one", async () => {
    const folder = join(giveToPlainUser(makeFolder()), "signer");
    const environment = { SIGNER_DIR: folder, NODE_ENV: "production" };
    const refused = startAsPlainUser(["adapters/signer/main.ts"], environment);
    expect(await refused.ended).toMatchObject({ code: 2 });
    expect(refused.errors()).toMatch(/There is no seed in .*npm run signer -- init/s);
    // What is wrong is said before there is a seed, so that init can be called again.
    const wrong = { ...environment, SIGNER_POLICY: join(folder, "no-policy.json") };
    const without = startAsPlainUser(["adapters/signer/main.ts", "init"], wrong);
    expect(await without.ended).toMatchObject({ code: 2 });
    const made = startAsPlainUser(["adapters/signer/main.ts", "init"], environment);
    expect(await made.ended).toMatchObject({ code: 0 });
    expect(made.output()).toMatch(/0x[0-9a-fA-F]{40}/);
    expect(made.output()).not.toMatch(/[0-9a-f]{64}/);
    const running = startAsPlainUser(["adapters/signer/main.ts"], environment);
    await running.waitFor(/the signer listens/);
    running.kill("SIGTERM");
    await running.ended;
    const again = startAsPlainUser(["adapters/signer/main.ts", "init"], environment);
    expect(await again.ended).toMatchObject({ code: 2 });
    expect(again.errors()).toMatch(/There is a seed already/);
  });

  test("nor does one get a seed whose policy names a main network, wherever it runs", async () => {
    const folder = join(makeFolder(), "signer");
    const policyFile = join(makeFolder(), "policy.json");
    const chain = { gas_per_transaction_raw: "0", gas_per_day_raw: "0", limits: [] };
    const write = (chainId: string) =>
      writeFileSync(policyFile, JSON.stringify({ chains: { [chainId]: chain } }));
    const environment = { SIGNER_DIR: folder, SIGNER_POLICY: policyFile };
    const start = (...words: string[]) => startChild([program, ...words], environment);
    write("eip155:8453");
    const refused = start();
    expect(await refused.ended).toMatchObject({ code: 2 });
    expect(refused.errors()).toMatch(/There is no seed in .*npm run signer -- init/s);
    expect(existsSync(join(folder, "seed"))).toBe(false);
    expect(await start("init").ended).toMatchObject({ code: 0 });
    await start().waitFor(/the signer listens/);
    // Where nothing is worth anything, it is made by itself.
    write("eip155:84532");
    const ofTests = { ...environment, SIGNER_DIR: join(makeFolder(), "signer") };
    await startChild([program], ofTests).waitFor(/the signer listens/);
  });

  test("nor beside a chain that may begin anew, on which nothing is worth anything", async () => {
    const folder = join(makeFolder(), "signer");
    const policyFile = join(makeFolder(), "policy.json");
    const chain = { gas_per_transaction_raw: "0", gas_per_day_raw: "0", limits: [] };
    const chains = { "eip155:31337": { ...chain, may_restart: true }, "eip155:8453": chain };
    writeFileSync(policyFile, JSON.stringify({ chains }));
    const refused = startChild([program], { SIGNER_DIR: folder, SIGNER_POLICY: policyFile });
    expect(await refused.ended).toMatchObject({ code: 2 });
    expect(refused.errors()).toMatch(/There is no seed in .*npm run signer -- init/s);
    expect(existsSync(join(folder, "seed"))).toBe(false);
  });

  test("no seed is made beside a journal, which belongs to one that is lost", async () => {
    const first = await startSigner();
    first.kill("SIGTERM");
    await first.ended;
    const moved = join(makeFolder(), "signer");
    mkdirSync(moved, { mode: 0o700 });
    renameSync(join(first.folder, "journal"), join(moved, "journal"));
    for (const words of [[], ["init"]]) {
      const refused = startChild(["adapters/signer/main.ts", ...words], { SIGNER_DIR: moved });
      expect(await refused.ended).toMatchObject({ code: 2 });
      expect(refused.errors()).toMatch(/journal .* restore its seed/is);
    }
    rmSync(moved, { recursive: true });
  });
});

describe("a cell", () => {
  /** What it says when it listens. */
  async function hotAddressOf(environment: Readonly<Record<string, string>>): Promise<string> {
    const signer = await startSigner(environment);
    const [, address = ""] = /"hot_address":"(0x\w+)"/.exec(signer.output()) ?? [];
    signer.kill("SIGTERM");
    await signer.ended;
    return address;
  }

  test("one seed gives each cell accounts of its own, for good", async () => {
    const seedFile = join(makeFolder(), "seed");
    writeFileSync(seedFile, `${"5a".repeat(32)}\n`, { mode: 0o600 });
    const of = (CELL: string) =>
      hotAddressOf({ SIGNER_SEED_FILE: seedFile, ...(CELL === "" ? {} : { CELL }) });
    expect([await of(""), await of("east"), await of("west")]).toEqual([
      "0x7fD5297C07FA528Af9Df59d253E00Ee50F30F8cC",
      "0x569256b3b1115bcE731F0fCF8868011554fFfcBe",
      "0x7bB79cEadaa8E2545634b2b744F09b8bc0851951",
    ]);
  });

  test("has its own journal, also where init has made the seed, and where files were restored", async () => {
    const folder = join(makeFolder(), "signer");
    const environment = { SIGNER_DIR: folder, CELL: "east" };
    const init = startChild([program, "init"], environment);
    expect(await init.ended).toMatchObject({ code: 0 });
    expect(init.output()).toMatch(/^Cell +east: its keys come from both$/m);
    const address = await hotAddressOf(environment);
    expect(init.output()).toContain(address);
    const other = await endedSigner({ ...environment, CELL: "west" });
    expect(other.errors).toContain("is that of the cell east, and CELL says west");

    const seedAlone = join(makeFolder(), "signer");
    mkdirSync(seedAlone, { mode: 0o700 });
    copyFileSync(join(folder, "seed"), join(seedAlone, "seed"));
    expect(await hotAddressOf({ ...environment, SIGNER_DIR: seedAlone })).toBe(address);

    const all = join(makeFolder(), "signer");
    mkdirSync(all, { mode: 0o700 });
    for (const name of ["seed", "journal", "journal.head"])
      copyFileSync(join(folder, name), join(all, name));
    const without = await endedSigner({ ...environment, SIGNER_DIR: all });
    expect(without.errors).toContain(
      `restore the file "cell" with it, or: echo east > ${all}/cell`,
    );
    writeFileSync(join(all, "cell"), "east\n");
    expect(await hotAddressOf({ ...environment, SIGNER_DIR: all })).toBe(address);
  });
});
