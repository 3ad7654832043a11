// What a process that was taken over can do to the signer for later: numbers far ahead, all indexes at
// once, a clock that jumped. None of it is for ever, and what an operator mends stays written down.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectSigner } from "../../adapters/signer-client/client.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { listMends, mendJournal } from "../../adapters/signer/mending.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import type { ActionIntent } from "../../service/ports/signer.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { chainId, customer, day, gwei, intentOf, limits, noon, openDesk } from "./desk.ts";
import { policyOf, transferOf } from "./desk.ts";
import type { OpenedDesk } from "./desk.ts";
import { startSigner } from "./process.ts";

let folder: string;
let opened: OpenedDesk;
beforeEach(() => {
  folder = join(makeFolder(), "signer");
  opened = openDesk(folder);
});
afterEach(async () => {
  opened.close();
  await endChildren();
});

async function outcome(intent: ActionIntent): Promise<string> {
  return opened.desk.sign(chainId, intent).then(
    () => "signed",
    (error: unknown) => String(error),
  );
}
const withdrawal = (nonce: bigint, amountRaw = 1n) =>
  intentOf({ nonce, action: transferOf({ amountRaw }) });
/** It costs next to nothing. */
const nothing = (nonce: bigint) =>
  intentOf({
    nonce,
    action: transferOf({ to: opened.hotAddress, contractAddress: null, amountRaw: 0n }),
    gasUnitsMax: 21_000n,
    fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  });
const mend = (...words: readonly string[]): string => {
  opened.close();
  const said = mendJournal(parseSettings({ SIGNER_DIR: folder }), words, opened.time.now);
  const { now } = opened.time;
  opened = openDesk(folder);
  opened.time.now = now;
  return said;
};
const evidence = "the chain counts as many, see block 123";

describe("numbers", () => {
  test("none is signed before its turn, so none waits for the day when nobody looks", async () => {
    expect(await outcome(withdrawal(0n))).toBe("signed");
    for (const far of [2n, 65n, 5_000n]) {
      expect(await outcome(withdrawal(far))).toMatch(/is not the next one, which is 1: .*next/);
      expect(await outcome(nothing(far))).toMatch(/is not the next one/);
    }
    expect(await outcome(withdrawal(1n))).toBe("signed");
  });

  test("those that were signed for nothing are signed for what comes next", async () => {
    expect(await outcome(withdrawal(0n))).toBe("signed");
    for (let nonce = 1n; nonce <= 40n; nonce++)
      expect(await outcome(nothing(nonce))).toBe("signed");
    opened.close();
    opened = openDesk(folder);
    expect(await outcome(withdrawal(1n))).toBe("signed");
    // From now on it is its own.
    expect(await outcome(withdrawal(1n, 2n))).toMatch(/was signed for something else/);
    expect(await outcome(nothing(1n))).toBe("signed");
    expect(await outcome(withdrawal(1n, 2n))).toMatch(/was signed for something else/);
  });

  test("so many in 24 hours, and what was signed before can be signed again", async () => {
    opened.close();
    opened = openDesk(folder, policyOf({ ...limits, transactions_per_day: "3" }));
    for (let nonce = 0n; nonce < 3n; nonce++) expect(await outcome(nothing(nonce))).toBe("signed");
    expect(await outcome(nothing(3n))).toMatch(/one too many: 3 are signed in 24 hours/);
    expect(await outcome(withdrawal(0n))).toBe("signed");
    opened.time.now += day + 600_000;
    expect(await outcome(withdrawal(3n))).toBe("signed");
  });

  test("an operator says how many are used, with evidence that stays", async () => {
    expect(mend("next", chainId, "hot", "500", evidence)).toMatch(/500 .* is the next one/);
    expect(await outcome(withdrawal(499n))).toBe("signed");
    expect(await outcome(withdrawal(500n))).toBe("signed");
    expect(await outcome(withdrawal(502n))).toMatch(/the next one, which is 501/);
    // Back again: what was signed from there on is not mined.
    mend("next", chainId, "hot", "2", evidence);
    expect(await outcome(withdrawal(2n, 7n))).toBe("signed");
    expect(await outcome(withdrawal(500n))).toMatch(/the next one, which is 3/);
    opened.close();
    const listed = listMends(parseSettings({ SIGNER_DIR: folder }));
    expect(listed.split("\n")).toEqual([
      `2026-03-14T12:00:00.000Z  next ${chainId} hot 500  ${evidence}`,
      `2026-03-14T12:00:00.000Z  next ${chainId} hot 2  ${evidence}`,
    ]);
    opened = openDesk(folder);
    expect(() => mend("next", chainId, "hot", "5")).toThrow(/Write: npm run signer -- next/);
    opened = openDesk(folder);
  });
});

describe("indexes of deposit addresses", () => {
  test("one claim does not take all of them", () => {
    expect(opened.desk.claimIndexes(0n, 1_000n)).toBe(0n);
    const all = () => opened.desk.claimIndexes(1_000n, 2n ** 31n - 1_000n);
    expect(all).toThrow(/1000000 may be/);
    expect(() => opened.desk.claimIndexes(2n ** 30n, 1_000n)).toThrow(/1000000 may be/);
    expect(opened.desk.claimIndexes(1_000n, 1_000n)).toBe(1_000n);
    expect(opened.desk.claimIndexes(0n, 0n)).toBe(2_000n);
  });

  test("nor do many, and after a day there are more", () => {
    for (let first = 0n; first < 1_000_000n; first += 100_000n) {
      expect(opened.desk.claimIndexes(first, 100_000n)).toBe(first);
    }
    opened.close();
    opened = openDesk(folder);
    expect(() => opened.desk.claimIndexes(1_000_000n, 1n)).toThrow(/1000000 were claimed/);
    opened.time.now += day + 600_000;
    expect(opened.desk.claimIndexes(1_000_000n, 1n)).toBe(1_000_000n);
  });
});

describe("the clock", () => {
  const future = Date.UTC(2036, 0, 1);

  test("that jumps to 2036 signs nothing, and its limits go on when it is right again", async () => {
    expect(await outcome(withdrawal(0n, 1000n))).toBe("signed");
    opened.time.now = future;
    expect(await outcome(withdrawal(1n, 1000n))).toMatch(/far ahead of 2026-03-14.*operator/);
    opened.time.now = noon + 60_000;
    expect(await outcome(withdrawal(1n, 1000n))).toBe("signed");
    expect(await outcome(withdrawal(2n, 501n))).toMatch(/2000 of 2500/);
    opened.time.now = noon + day + 1_200_000;
    for (const nonce of [2n, 3n]) expect(await outcome(withdrawal(nonce, 1000n))).toBe("signed");
    opened.time.now += 2 * day;
    expect(await outcome(withdrawal(4n, 1000n))).toBe("signed");
  });

  test("may be a week ahead of what was counted last, and not a moment more", async () => {
    expect(await outcome(withdrawal(0n))).toBe("signed");
    opened.time.now = noon + 7 * day + 1;
    expect(await outcome(withdrawal(1n))).toMatch(/far ahead of 2026-03-14/);
    opened.time.now = noon + 7 * day;
    expect(await outcome(withdrawal(1n))).toBe("signed");
    // What the process has seen pass itself is no part of it.
    opened.time.monotonic += 3 * day;
    opened.time.now += 10 * day + 1;
    expect(await outcome(withdrawal(2n))).toMatch(/far ahead/);
    opened.time.now -= 1;
    expect(await outcome(withdrawal(2n))).toBe("signed");
  });

  test("that really was away is confirmed by an operator, who looks at the date", async () => {
    expect(await outcome(withdrawal(0n, 1000n))).toBe("signed");
    opened.time.now = noon + 30 * day;
    expect(await outcome(withdrawal(1n))).toMatch(/far ahead/);
    expect(() => mend("clock", "2026-03-14", evidence)).toThrow(/The clock says 2026-04-13/);
    opened = openDesk(folder);
    opened.time.now = noon + 30 * day;
    expect(mend("clock", "2026-04-13", evidence)).toMatch(/counted from 2026-04-13/);
    expect(await outcome(withdrawal(1n, 1000n))).toBe("signed");
  });

  test("that was confirmed wrongly is brought back, and forgets nothing of what was used", async () => {
    opened.time.now = future;
    expect(await outcome(withdrawal(0n, 1000n))).toBe("signed");
    opened.time.now = noon;
    mend("clock", "2026-03-14", evidence);
    expect(await outcome(withdrawal(1n, 1501n))).toMatch(/1000 of 2500|may move/);
    expect(await outcome(withdrawal(1n, 1000n))).toBe("signed");
    opened.time.now = noon + day + 600_000;
    expect(await outcome(withdrawal(2n, 1000n))).toBe("signed");
    expect(await outcome(withdrawal(3n, 1000n))).toBe("signed");
  });

  test("of a process that ran all the time is right, however long nobody asked", async () => {
    expect(await outcome(withdrawal(0n))).toBe("signed");
    opened.time.now += 90 * day;
    opened.time.monotonic += 90 * day;
    expect(await outcome(withdrawal(1n))).toBe("signed");
  });
});

test("each signature and each claim is a line of the log", async () => {
  const signer = await startSigner();
  const { socketPath } = signer;
  const log = { warn: () => undefined, error: () => undefined };
  const client = await connectSigner({ socketPath, clock: systemClock, log });
  const fees = { maxFeePerGas: gwei, maxPriorityFeePerGas: gwei };
  const { txHash } = await client.signAction("eip155:84532", intentOf({ fees }));
  await client.claimIndexes(0n, 1_000n);
  // Asks how far it is, and claims nothing.
  await client.claimIndexes(1_000n, 0n);
  client.close();
  signer.kill("SIGTERM");
  await signer.ended;
  const lines = signer
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const facts = { chain_id: "eip155:84532", account: "hot", number: "0", to: customer };
  expect(lines.filter(({ msg }) => msg === "signed")).toMatchObject([
    { ...facts, kind: "transfer", amount_raw: "100", tx_hash: txHash },
  ]);
  expect(lines.filter(({ msg }) => msg === "indexes claimed")).toMatchObject([
    { first: "0", count: "1000" },
  ]);
  const seed = readFileSync(join(signer.folder, "seed"), "utf8").trim();
  expect(signer.output()).not.toContain(seed);
});
