// Moves of the operator's own money, as commands: what has happened on a chain is booked, once.

import { describe, expect, test } from "vitest";
import { openDatabase, engines } from "../support/engines.ts";
import { Audit } from "../../service/audit/audit.ts";
import { query } from "../support/service-parts.ts";
import { runLedgerCommand } from "./commands.ts";
import { buildLedger, ether, usdc } from "./fixture.ts";
import { buildServiceParts } from "../support/service-parts.ts";
import type { Engine } from "../support/engines.ts";

const hash = `0x${"Ab".repeat(32)}`;
const other = `0x${"12".repeat(32)}`;

async function openBooks(engine: Engine) {
  const database = await openDatabase(engine);
  const ledger = await buildLedger(database);
  const parts = buildServiceParts(database, ledger.clock);
  const admin = (line: string) => runLedgerCommand(parts, line);
  const actions = async () => {
    const entries = await new Audit({ database }).list({ after: 0n, limit: 50 });
    return entries.map(({ action }) => action).filter((action) => action.startsWith("ledger."));
  };
  return { ...ledger, admin, actions };
}

const earned = [
  ["chain:treasury", 100_000_000n, null],
  ["platform:fees", -40_000_000n, null],
  ["platform:capital", -60_000_000n, null],
] as const;

describe.each(engines)("on %s", (engine) => {
  test("from the treasury to the hot account: both change, and nobody's share does", async () => {
    const { admin, balances, post, actions, database } = await openBooks(engine);
    await post("test", "earned", earned);
    const move = `ledger move --deployment ${usdc} --amount 25 --from treasury --to hot`;
    const shown = await admin(`${move} --reference ${hash} --dry-run`);
    expect(shown).toMatchObject({ exitCode: 0, errors: "" });
    const lines = shown.output.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^Dry run: nothing was changed\./);
    expect(lines.slice(2).map((line) => line.split(/ {2,}/))).toEqual([
      ["chain:hot", usdc, "-", "25000000", "25"],
      ["chain:treasury", usdc, "-", "-25000000", "-25"],
    ]);
    expect(await balances()).not.toHaveProperty(`chain:hot ${usdc}`);
    expect(await actions()).toEqual([]);

    expect((await admin(`${move} --reference ${hash}`)).output).toMatch(/^Move {8}ltx_\w+\n/);
    expect(await balances()).toEqual({
      [`chain:hot ${usdc}`]: 25_000_000n,
      [`chain:treasury ${usdc}`]: 75_000_000n,
      [`platform:fees ${usdc}`]: 40_000_000n,
      [`platform:capital ${usdc}`]: 60_000_000n,
    });
    const entry = (await new Audit({ database }).list({ after: 0n, limit: 50 })).find(
      ({ action }) => action === "ledger.moved",
    );
    expect(entry).toMatchObject({ actor: "operator", subject: { type: "deployment", id: usdc } });
    expect(JSON.parse(entry?.details ?? "")).toMatchObject({
      amount_raw: "25000000",
      from: "treasury",
      to: "hot",
      reference: hash.toLowerCase(),
    });
  });

  test("one transaction of a chain counts once, however it is spelled and whatever it is called", async () => {
    const { admin, balances, post, actions } = await openBooks(engine);
    await post("test", "earned", earned);
    const words = `--deployment ${usdc} --amount 1`;
    const lines = [
      `ledger fund ${words} --reference ${hash}`,
      `ledger move ${words} --from treasury --to hot --reference ${hash}`,
      `ledger take ${words} --account treasury --of fees --reference ${hash}`,
    ];
    const answers = await Promise.all(lines.map((line) => admin(line)));
    expect(answers.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    const before = await balances();
    for (const line of lines.flatMap((one) => [one, `${one} --dry-run`])) {
      for (const again of [line, line.replace(hash, hash.toLowerCase())]) {
        expect(await admin(again)).toEqual({
          exitCode: 1,
          output: "",
          errors: `${hash.toLowerCase()} is booked for ${usdc} already.\n`,
        });
      }
    }
    expect(await balances()).toEqual(before);
    expect(await actions()).toHaveLength(1);
    // One transaction may make several transfers, and costs something in the coin of the chain.
    await post("test", "coin", [
      ["chain:treasury", 9n, null, ether],
      ["platform:capital", -9n, null, ether],
    ]);
    for (const line of [
      `ledger take ${words} --account treasury --of fees --reference ${hash}/7`,
      `ledger take --deployment ${ether} --amount 0.000000000000000004 --account treasury --of gas --reference ${hash}`,
    ]) {
      expect(await admin(line)).toMatchObject({ exitCode: 0 });
      expect(await admin(line)).toMatchObject({ exitCode: 1 });
    }
    expect(await balances()).toMatchObject({
      [`chain:treasury ${ether}`]: 5n,
      [`platform:gas ${ether}`]: 4n,
    });
  });

  test("earned fees and capital are taken out, each no further than it goes", async () => {
    const { admin, balances, post, verify } = await openBooks(engine);
    await post("test", "earned", earned);
    const take = (amount: string, of: string, reference = other) =>
      admin(
        `ledger take --deployment ${usdc} --amount ${amount} --account treasury --of ${of} --reference ${reference}`,
      );
    const refused = await take("40.000001", "fees");
    expect(refused).toMatchObject({ exitCode: 1, output: "" });
    expect(refused.errors).toContain(
      `platform:fees of ${usdc} has 40000000 units, and that are 40000001.`,
    );
    expect(await take("60.000001", "capital")).toMatchObject({ exitCode: 1 });
    expect(await take("40", "fees")).toMatchObject({ exitCode: 0 });
    expect(await take("59", "capital", `${other}/2`)).toMatchObject({ exitCode: 0 });
    expect(await balances()).toEqual({
      [`chain:treasury ${usdc}`]: 1_000_000n,
      [`platform:capital ${usdc}`]: 1_000_000n,
    });
    expect((await verify()).differences).toEqual([]);
  });

  test("two that take the same fees at once do not both", async () => {
    const { admin, balances, post } = await openBooks(engine);
    await post("test", "earned", earned);
    const answers = await Promise.all(
      [hash, other].map((reference) =>
        admin(
          `ledger take --deployment ${usdc} --amount 30 --account treasury --of fees --reference ${reference}`,
        ),
      ),
    );
    expect(answers.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    expect(await balances()).toMatchObject({ [`platform:fees ${usdc}`]: 10_000_000n });
  });

  test("an account gives no more than the books say it has; gas of the hot account counts there", async () => {
    const { admin, post } = await openBooks(engine);
    await post("test", "hot", [
      ["chain:hot", 10n, null, ether],
      ["platform:capital", -10n, null, ether],
    ]);
    await post("test", "gas", [
      ["platform:gas", 4n, null, ether],
      ["chain:gas", -4n, null, ether],
    ]);
    const move = (units: number) =>
      admin(
        `ledger move --deployment ${ether} --amount 0.00000000000000000${units} --from hot --to treasury --reference ${hash}`,
      );
    const refused = await move(7);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.errors).toContain(`chain:hot and chain:gas of ${ether} has 6 units`);
    expect(await move(6)).toMatchObject({ exitCode: 0 });
  });

  test("what says nothing of a transaction is refused with what to do, and leaves no entry", async () => {
    const { admin, actions, counts } = await openBooks(engine);
    const move = `ledger move --deployment ${usdc} --amount 1 --from treasury`;
    const refusals = [
      [`${move} --to hot --reference yesterday`, "The reference is the hash of the transaction"],
      [`${move} --to treasury --reference ${hash}`, "Both accounts are the same"],
      [`${move} --to hot --reference ${hash}`, "book first what is missing there"],
    ];
    for (const [line = "", reason] of refusals) {
      const answer = await admin(line);
      expect(answer).toMatchObject({ exitCode: 1, output: "" });
      expect(answer.errors).toContain(reason);
    }
    expect(await admin(`${move} --to hot`)).toMatchObject({ exitCode: 2 });
    expect(await counts()).toEqual([0, 0]);
    expect(await actions()).toEqual([]);
  });

  test("the database itself refuses a second booking of one hash", async () => {
    const { database } = await openBooks(engine);
    const insert = (kind: string) => query(database)`
      insert into ledger_transactions values (${`ltx_${kind}`}, ${kind}, 'dep/0x1', now(), now())`;
    await insert("funding");
    await expect(insert("own_move")).rejects.toMatchObject({
      constraint: "ledger_transactions_own_once",
    });
  });
});
