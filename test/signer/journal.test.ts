// What was signed is remembered, whatever happens to the process or to the last line it wrote.

import { existsSync, chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { signerClientLimits, connectSigner } from "../../adapters/signer-client/client.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { SigningDesk } from "../../adapters/signer/desk.ts";
import { Journal } from "../../adapters/signer/journal.ts";
import { mendJournal } from "../../adapters/signer/mending.ts";
import { SignerStartError } from "../../adapters/signer/start-error.ts";
import { openSigner } from "../../adapters/signer/open.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { JournaledUsage } from "../../adapters/signer/usage.ts";
import { endChildren, makeFolder, startChild } from "../programs/child.ts";
import { chainId, day, intentOf, noon, noonClock, openDesk } from "./desk.ts";
import { policyOf, token, transferOf } from "./desk.ts";
import { startSigner } from "./process.ts";

afterEach(endChildren);

const log = { warn: () => undefined, error: () => undefined };
const program = "test/signer/dying-signer.ts";
const limits = { ...signerClientLimits, answerMilliseconds: 1_000 };

const withdrawal = (nonce: bigint, amountRaw: bigint) =>
  intentOf({ nonce, action: transferOf({ amountRaw }) });

describe("a signer that is killed", () => {
  test.each(["judged", "journaled", "signed"] as const)(
    "when it has just %s: nothing is forgotten, and the same intent gives the same bytes",
    async (point) => {
      const folder = join(makeFolder(), "signer");
      const first = openDesk(folder);
      const signed = await first.desk.sign(chainId, withdrawal(0n, 1000n));
      first.close();

      const doomed = await startSigner({ SIGNER_DIR: folder, DIE_AT: point }, program);
      const { socketPath } = doomed;
      const client = await connectSigner({ socketPath, clock: systemClock, log, limits });
      const asking = client.signAction(chainId, withdrawal(1n, 1000n));
      await expect(asking).rejects.toMatchObject({ code: "chain_unavailable" });
      expect(await doomed.ended).toMatchObject({ signal: "SIGKILL" });
      client.close();

      const heir = openDesk(folder);
      expect(await heir.desk.sign(chainId, withdrawal(0n, 1000n))).toEqual(signed);
      const other = heir.desk.sign(chainId, withdrawal(1n, 499n));
      const above = heir.desk.sign(chainId, withdrawal(2n, 501n));
      if (point === "judged") {
        await Promise.all([other, above]);
      } else {
        // It counts, although nobody got an answer.
        await expect(other).rejects.toThrow(/was signed for something else/);
        await expect(above).rejects.toThrow(/2000 of 2500 are used/);
      }
      heir.close();
    },
  );
});

describe("the file", () => {
  const records = [{ first: 1 }, { second: "zwei" }, { third: null }];

  const written = (): string => {
    const path = join(makeFolder(), "journal");
    const { journal } = Journal.open(path);
    for (const record of records) journal.append(record);
    journal.close();
    return path;
  };

  test("opened again and written on, it is read to its end", () => {
    const path = written();
    const { journal } = Journal.open(path);
    journal.append({ fourth: 4 });
    journal.close();
    expect(Journal.open(path).records).toEqual([...records, { fourth: 4 }]);
  });

  test("cut off anywhere in its last line it is read without that line, and goes on", () => {
    const path = written();
    const whole = readFileSync(path);
    const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let size = lastLine; size < whole.length; size++) {
      writeFileSync(path, whole.subarray(0, size));
      // That is written after the line.
      rmSync(`${path}.head`);
      const opened = Journal.open(path);
      expect(opened.records).toEqual(records.slice(0, 2));
      opened.journal.append({ fourth: 4 });
      opened.journal.close();
      const again = Journal.open(path);
      expect(again.records).toEqual([...records.slice(0, 2), { fourth: 4 }]);
      again.journal.close();
    }
  });

  test("with its last line broken it is read without that line, and with one before it refused", () => {
    const path = written();
    const [first = "", second = "", third = ""] = readFileSync(path, "utf8").split("\n");
    rmSync(`${path}.head`);
    writeFileSync(path, [first, second, third.slice(0, -1), ""].join("\n"));
    const { records: read, journal } = Journal.open(path);
    expect(read).toEqual(records.slice(0, 2));
    journal.close();
    writeFileSync(path, [first, second.slice(0, -1), third.slice(0, 9)].join("\n"));
    expect(() => Journal.open(path)).toThrow(/Line 2 of .* is not what was written/);
  });

  test("without a line that was written it is refused, unless it is said to be taken as it is", () => {
    const path = written();
    writeFileSync(path, readFileSync(path, "utf8").split("\n").slice(0, 2).join("\n") + "\n");
    expect(() => Journal.open(path)).toThrow(SignerStartError);
    const { records: read, journal } = Journal.open(path, { isTaken: true });
    expect(read).toEqual(records.slice(0, 2));
    journal.close();
  });

  test("once closed it takes nothing more: its number may be another file's by then", () => {
    const { journal } = Journal.open(join(makeFolder(), "journal"));
    journal.append({ first: 1 });
    journal.close();
    expect(() => journal.append({ second: 2 })).toThrow("is closed");
    expect(() => journal.replace([])).toThrow("is closed");
  });

  test.each([
    ["another digit", (text: string) => text.replace('"first":1', '"first":2')],
    ["a line that is gone", (text: string) => text.split("\n").toSpliced(0, 1).join("\n")],
    ["two lines in another order", (text: string) => reordered(text)],
    ["an empty line between", (text: string) => text.replace("\n", "\n\n")],
    [
      "zeros in place of a line",
      (text: string) => text.replace(/^.*/, (line) => "\0".repeat(line.length)),
    ],
  ])("with %s it is refused, with its place", (_name, change) => {
    const path = written();
    writeFileSync(path, change(readFileSync(path, "utf8")));
    expect(() => Journal.open(path)).toThrow(/Line [12] of .* is not what was written/);
  });

  const reordered = (text: string): string => {
    const [first = "", second = "", ...rest] = text.split("\n");
    return [second, first, ...rest].join("\n");
  };

  test("of another seed it is refused", () => {
    const folder = join(makeFolder(), "signer");
    openSigner(parseSettings({ SIGNER_DIR: folder })).close();
    writeFileSync(join(folder, "seed"), `${"ab".repeat(32)}\n`);
    expect(() => openSigner(parseSettings({ SIGNER_DIR: folder }))).toThrow(/another seed/);
  });

  test("it does not grow for ever: a new day leaves what is still needed", async () => {
    const opened = openDesk(makeFolder());
    for (let nonce = 0n; nonce < 15n; nonce++) {
      const account = { role: "deposit", index: nonce } as const;
      const action = transferOf({ to: opened.hotAddress });
      await opened.desk.sign(chainId, intentOf({ account, action }));
    }
    await opened.desk.sign(chainId, intentOf());
    const before = statSync(opened.journal).size;
    opened.time.now = noon + day + 600_000;
    await opened.desk.sign(chainId, intentOf({ nonce: 1n }));
    expect(statSync(opened.journal).size).toBeLessThan(before / 4);
    const other = intentOf({ action: transferOf({ amountRaw: 1n }) });
    await expect(opened.desk.sign(chainId, other)).rejects.toThrow(/something else/);
    opened.close();
  });
});

test("a busy day does not make it grow without an end, and nothing of the day is forgotten", async () => {
  const opened = openDesk(makeFolder());
  const { keys, hotAddress, journal, close } = opened;
  close();
  const open = () => {
    const file = Journal.open(journal);
    return { file, usage: new JournaledUsage(file, hotAddress, { spareLinesMax: 10 }) };
  };
  const policy = policyOf(roomy);
  const { file, usage } = open();
  const desk = new SigningDesk({ keys, policy, usage, clock: noonClock });
  // The fees of one number are raised again and again: each time a line, and one number to remember.
  for (let at = 1n; at <= 200n; at++) {
    const fees = { maxFeePerGas: at, maxPriorityFeePerGas: 1n };
    await desk.sign(chainId, intentOf({ nonce: (at - 1n) % 3n, fees }));
  }
  expect(file.journal.lines).toBeLessThan(40);
  file.journal.close();
  const again = open();
  expect(again.usage.amountRaw(noon, spent)).toBe(300n);
  expect(again.usage.gasRaw(noon, chainId)).toBe((198n + 199n + 200n) * 100_000n);
  again.file.journal.close();
});

test("on a chain that begins anew no number is too old", async () => {
  const { keys, hotAddress, journal, close } = openDesk(makeFolder());
  close();
  const file = Journal.open(journal);
  const usage = new JournaledUsage(file, hotAddress, { numbersMax: 2 });
  const policy = policyOf({ ...roomy, may_restart: true });
  const desk = new SigningDesk({ keys, policy, usage, clock: noonClock });
  for (const nonce of [0n, 1n, 2n, 3n, 0n]) await desk.sign(chainId, intentOf({ nonce }));
  file.journal.close();
});

const spent = { chainId, role: "hot", contractAddress: token.toLowerCase() } as const;
const roomy = {
  gas_per_transaction_raw: "unlimited",
  gas_per_day_raw: "unlimited",
  limits: [
    {
      account: "hot",
      contract_address: "any",
      per_transaction_raw: "unlimited",
      per_day_raw: "unlimited",
    },
  ],
};

describe("the start", () => {
  const complaint = (environment: Readonly<Record<string, string>>): string => {
    try {
      openSigner(parseSettings(environment)).close();
    } catch (error) {
      if (error instanceof SignerStartError) return error.message;
      throw error;
    }
    return "it starts";
  };

  test("the seed is made once, for its user alone, and stays", () => {
    const folder = join(makeFolder(), "signer");
    const first = openSigner(parseSettings({ SIGNER_DIR: folder }));
    first.close();
    const seed = readFileSync(join(folder, "seed"), "utf8");
    expect(seed).toMatch(/^[0-9a-f]{64}\n$/);
    for (const name of ["seed", "journal"]) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const second = openSigner(parseSettings({ SIGNER_DIR: folder }));
    expect(second.keys.accounts).toEqual(first.keys.accounts);
    second.close();
    expect(readFileSync(join(folder, "seed"), "utf8")).toBe(seed);
    chmodSync(join(folder, "seed"), 0o640);
    expect(complaint({ SIGNER_DIR: folder })).toMatch(/Others may read the seed file/);
  });

  test("what is wrong is one text for people, and never shows a seed", async () => {
    const folder = makeFolder();
    const seedFile = join(folder, "my-seed");
    const named = { SIGNER_DIR: join(folder, "signer"), SIGNER_SEED_FILE: seedFile };
    expect(complaint(named)).toMatch(/is not there. Make one with: \(umask 077;/);
    writeFileSync(seedFile, `${"ab".repeat(31)}\n`, { mode: 0o600 });
    expect(complaint(named)).toMatch(/does not hold 32 or 64 bytes/);
    expect(complaint(named)).not.toContain("abab");
    expect(complaint({ SIGNER_SEED: "ab".repeat(32) })).toMatch(/SIGNER_SEED is not read/);
    const policyFile = join(folder, "policy.json");
    const wrong = { chains: { "eip155:1": { gas_per_day_raw: 5, limits: [{ account: "cold" }] } } };
    writeFileSync(policyFile, JSON.stringify(wrong));
    const child = startChild(["adapters/signer/main.ts"], { SIGNER_POLICY: policyFile });
    expect(await child.ended).toMatchObject({ code: 2 });
    expect(child.errors()).not.toMatch(/\n {4}at /);
    for (const place of [
      "gas_per_transaction_raw is missing",
      "limits/0/account",
      "/gas_per_day",
    ]) {
      expect(child.errors()).toContain(place);
    }
  });

  test("a word that is no command starts nothing", async () => {
    const folder = join(makeFolder(), "signer");
    const child = startChild(["adapters/signer/main.ts", "start"], { SIGNER_DIR: folder });
    expect(await child.ended).toMatchObject({ code: 2 });
    expect(child.errors()).toBe(
      '"start" is no command; there are: init, release, next, clock, journal, mended\n',
    );
    expect(child.output()).toBe("");
    expect(existsSync(folder)).toBe(false);
  });

  test("a socket on which somebody else listens stays theirs", async () => {
    const first = await startSigner();
    const second = startChild(["adapters/signer/main.ts"], {
      SIGNER_DIR: join(makeFolder(), "signer"),
      SIGNER_SOCKET: first.socketPath,
    });
    expect(await second.ended).toMatchObject({ code: 2 });
    expect(second.errors()).toMatch(/^Another process listens on .*: stop that one/);
    const { socketPath } = first;
    const client = await connectSigner({ socketPath, clock: systemClock, log, limits });
    expect(client.accounts.hotAddress).toMatch(/^0x/);
    client.close();
  });

  test("an operator frees a number while no signer runs, and only then", async () => {
    const folder = join(makeFolder(), "signer");
    const opened = openDesk(folder);
    await opened.desk.sign(chainId, intentOf());
    const settings = parseSettings({ SIGNER_DIR: folder });
    const words = ["release", chainId, "hot", "0", "0xab has it, see block 123"];
    const release = (given: readonly string[]) => () => mendJournal(settings, given, noon);
    // Two signers never share a folder.
    expect(release(words)).toThrow(/used by another signer/);
    opened.close();
    const parameters = ["adapters/signer/main.ts", ...words];
    const child = startChild(parameters, { SIGNER_DIR: folder });
    expect(await child.ended).toMatchObject({ code: 0 });
    expect(child.output()).toMatch(/may be signed anew/);
    expect(release(words)).toThrow(/was not signed here/);
    for (const wrong of [
      ["release", "hot", "0"],
      words.slice(0, 4),
      words.toSpliced(2, 1, "deposit"),
      words.toSpliced(4, 1, "because"),
    ]) {
      expect(release(wrong)).toThrow(/Write: npm run signer -- release/);
    }
  });
});
