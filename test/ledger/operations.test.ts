// What an operator does with the ledger, as commands.

import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { runAdmin } from "../../adapters/operator/command.ts";
import { openService } from "../../adapters/assembly/service.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { Audit } from "../../service/audit/audit.ts";
import { reserveCheckJob } from "../../service/ledger/reserve.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { aliceTest, bob, buildLedger, credited, ether, usdc } from "./fixture.ts";

async function openAdmin(engine: Engine) {
  const database = await openDatabase(engine);
  const ledger = await buildLedger(database);
  const { clock } = ledger;
  const service = await openService(
    parseConfiguration({ ENCRYPTION_KEY: randomBytes(32).toString("base64") }),
    {
      clock: {
        now: clock.now,
        nowMilliseconds: clock.nowMilliseconds,
        monotonicMilliseconds: () => 0,
      },
      log: buildLogger("silent", { write: () => undefined }),
      database,
    },
  );
  onTestFinished(service.close);
  const admin = (line: string) => runAdmin({ words: line.split(" ") }, service.operator);
  return { ...ledger, admin };
}

const rows = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

describe.each(engines)("on %s", (engine) => {
  test("coins that the operator sent to the hot wallet are booked, once for each reference", async () => {
    const { admin, balances, database, counts } = await openAdmin(engine);
    const hash = `0x${randomBytes(32).toString("hex")}`;
    const fund = `ledger fund --deployment ${usdc} --amount 1250.50`;
    const done = await admin(`${fund} --reference ${hash}`);
    expect(done).toMatchObject({ exitCode: 0, errors: "" });
    expect(done.output).toMatch(/^Funding {5}ltx_\w+\nACCOUNT .*\nchain:hot .* 1250\.5\n/);
    const expected = {
      [`chain:hot ${usdc}`]: 1_250_500_000n,
      [`platform:capital ${usdc}`]: 1_250_500_000n,
    };
    expect(await balances()).toEqual(expected);
    expect(await admin(`${fund} --reference ${hash}`)).toEqual({
      exitCode: 1,
      output: "",
      errors: `${hash} is booked for ${usdc} already.\n`,
    });
    expect(await balances()).toEqual(expected);
    // Without a reference nobody can know.
    expect(await admin(fund)).toMatchObject({ exitCode: 0 });
    expect(await admin(fund)).toMatchObject({ exitCode: 0 });
    expect(await counts()).toEqual([3, 6]);
    // The settlement account pays gas, and needs coins of its own.
    const coins = `ledger fund --deployment ${ether} --amount 2 --account settlement`;
    expect(await admin(coins)).toMatchObject({ exitCode: 0 });
    expect(await balances()).toMatchObject({ [`chain:settlement ${ether}`]: 2n * 10n ** 18n });
    // Tokens are booked when the watcher sees them.
    const twice = await admin(`${fund} --account settlement`);
    expect(twice).toMatchObject({ exitCode: 1, output: "" });
    expect(twice.errors).toContain("booked by the watcher, as payer:unmatched");
    expect(await balances()).not.toHaveProperty(`chain:settlement ${usdc}`);
    expect(await admin(`${fund} --account moon`)).toMatchObject({ exitCode: 2 });
    const entries = await new Audit({ database }).list({ after: 0n, limit: 10 });
    const funded = entries.filter(({ action }) => action === "ledger.funded");
    expect(funded).toHaveLength(4);
    expect(funded[0]).toMatchObject({ actor: "operator", subject: { id: usdc } });
    expect(funded[0]?.details).toContain('"amount_raw":"1250500000"');
  });

  test("what cannot be booked is refused with its reason, and leaves no entry", async () => {
    const { admin, database, counts } = await openAdmin(engine);
    const refusals: readonly (readonly [string, string])[] = [
      ["--deployment dep_none --amount 1", "There is no deployment dep_none."],
      [`--deployment ${usdc} --amount 0.0000001`, "The amount has 7 fraction digits"],
      [`--deployment ${usdc} --amount 0.0`, "The amount must be above zero."],
      [`--deployment ${usdc} --amount 1e3`, "An amount is written like"],
      [`--deployment ${usdc} --amount=-5`, "An amount is written like"],
      [`--deployment ${usdc} --amount ${"9".repeat(78)}`, "The amount is above 2^256-1 units."],
      [
        `--deployment ${usdc} --amount 1 --reference ${"x".repeat(129)}`,
        "A reference has 1 to 128",
      ],
    ];
    for (const [words, reason] of refusals) {
      const answer = await admin(`ledger fund ${words}`);
      expect(answer).toMatchObject({ exitCode: 1, output: "" });
      expect(answer.errors).toContain(reason);
    }
    expect(await admin("ledger fund --amount 1")).toMatchObject({ exitCode: 2 });
    expect(await admin(`ledger fund --deployment ${usdc}`)).toMatchObject({ exitCode: 2 });
    expect(await admin("ledger unfreeze")).toMatchObject({ exitCode: 2 });
    expect(await counts()).toEqual([0, 0]);
    const entries = await new Audit({ database }).list({ after: 0n, limit: 10 });
    expect(entries.filter(({ action }) => action === "ledger.funded")).toEqual([]);
  });

  test("balances are shown raw and as people write them, all added up or of one merchant", async () => {
    const { admin, post } = await openAdmin(engine);
    const heading = ["DEPLOYMENT", "ACCOUNT", "RAW", "AMOUNT"];
    expect(rows((await admin("ledger balances")).output)).toEqual([heading]);
    await post("deposit_credited", "a", credited(1_500_000n));
    await post("deposit_credited", "b", credited(7n, aliceTest));
    await post("deposit_credited", "c", credited(10n ** 18n, bob, ether));
    await post("gas_spent", "d", [
      ["platform:gas", 5n, null, ether],
      ["chain:gas", -5n, null, ether],
    ]);
    expect(rows((await admin("ledger balances")).output)).toEqual([
      heading,
      [ether, "chain:deposit_addresses", "1000000000000000000", "1"],
      [ether, "chain:gas", "-5", "-0.000000000000000005"],
      [ether, "merchant:available", "1000000000000000000", "1"],
      [ether, "platform:gas", "5", "0.000000000000000005"],
      [usdc, "chain:deposit_addresses", "1500007", "1.500007"],
      [usdc, "merchant:available", "1500007", "1.500007"],
    ]);
    expect(rows((await admin("ledger balances --merchant mer_alice")).output)).toEqual([
      ["ENVIRONMENT", ...heading],
      ["live", usdc, "merchant:available", "1500000", "1.5"],
      ["test", usdc, "merchant:available", "7", "0.000007"],
    ]);
  });

  test("verify says that all agree, or what differs, with exit code 1", async () => {
    const { admin, post, database } = await openAdmin(engine);
    await post("deposit_credited", "a", credited(100n));
    expect(await admin("ledger verify")).toEqual({
      exitCode: 0,
      output: "1 transactions, 2 postings, 2 accounts: all agree\n",
      errors: "",
    });
    await database.transaction(async (inside) => {
      for (const text of [
        "alter table ledger_accounts disable trigger user",
        "update ledger_accounts set version = 3 where kind = 'merchant:available'",
        "alter table ledger_accounts enable trigger user",
      ]) {
        await query(inside, sql.raw<object>(text));
      }
    });
    expect(await admin("ledger verify")).toEqual({
      exitCode: 1,
      output:
        `account merchant:available ${usdc} mer_alice live has version 3, but is part of 1 transactions\n` +
        "1 transactions, 2 postings, 2 accounts: 1 differences\n",
      errors: "",
    });
  });

  test("what is frozen is shown with its reason, and unfreeze ends it", async () => {
    const { admin, post, database, clock } = await openAdmin(engine);
    await post("deposit_credited", "a", credited(100n));
    await reserveCheckJob({
      database,
      clock,
      holdings: () => Promise.resolve({ raw: 99n }),
      inFlightRaw: () => Promise.resolve(0n),
      onGap: () => undefined,
      onUnknown: () => undefined,
    }).run();
    const shown = (await admin("ledger balances")).output;
    expect(shown).toMatch(
      /FROZEN {6}dep_usdc_one since 2026-01-01T00:00:00.000Z: The chain holds 99 and 0 .* 100 are owed/,
    );
    const lifted = await admin(`ledger unfreeze --deployment ${usdc}`);
    expect(lifted).toMatchObject({ exitCode: 0, errors: "" });
    expect(lifted.output).toMatch(
      /go on\. It was frozen:\n.*\nSince {7}2026-01-01T00:00:00\.000Z\n.*\nReason {6}The chain/,
    );
    expect(await admin(`ledger unfreeze --deployment ${usdc}`)).toMatchObject({ exitCode: 1 });
    expect((await admin("ledger balances")).output).not.toContain("FROZEN");
  });
});
