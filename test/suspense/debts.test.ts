// What a merchant owes in a deployment that brings nothing any more is paid in another way, by commands
// (threat 107).

import { describe, expect, test } from "vitest";
import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { rehearsing } from "../../adapters/operator/rehearsal.ts";
import type { SuspenseOperator } from "../../adapters/operator/suspense.ts";
import { Audit } from "../../service/audit/audit.ts";
import type { Database } from "../../service/ports/database.ts";
import { Debts } from "../../service/suspense/debts.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { alice, aliceTest, buildLedger, credited, ether, usdc } from "../ledger/fixture.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { buildServiceParts, query } from "../support/service-parts.ts";

const of = `--merchant ${alice.merchantId} --environment live --deployment ${usdc}`;

/** Alice owes 30 USDC, and has 2 ether. */
async function openBooks(engine: Engine) {
  const database = await openDatabase(engine);
  const ledger = await buildLedger(database);
  const parts = { ...buildServiceParts(database, ledger.clock) };
  // The commands of debts touch nothing else.
  const build = (inside: Database): Operator => {
    const own = { ...parts, database: inside };
    const operator: Omit<SuspenseOperator, "forgottenRefunds" | "rehearse"> = {
      suspense: new Suspense({ ...own, progress: new PaymentProgress(own) }),
      debts: new Debts(own),
      clock: ledger.clock,
    };
    return { ...operator, rehearse: rehearsing(inside, build) } as Operator;
  };
  await ledger.post("test", "owed", [
    ["merchant:debt", 30_000_000n, alice],
    ["chain:hot", -30_000_000n, null],
  ]);
  await ledger.post("test", "has", credited(2n * 10n ** 18n, alice, ether));
  const admin = (line: string) =>
    runAdmin(
      { words: Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word) },
      build(database),
    );
  const audited = async () => {
    const entries = await new Audit({ database }).list({ after: 0n, limit: 50 });
    return entries.filter(({ action }) => action.startsWith("debt."));
  };
  return { ...ledger, admin, audited };
}

const owed = {
  [`chain:deposit_addresses ${ether}`]: 2n * 10n ** 18n,
  [`chain:hot ${usdc}`]: -30_000_000n,
};

describe.each(engines)("on %s", (engine) => {
  test("a debt is paid from the balance in another deployment, at the rate that was said", async () => {
    const { admin, balances, audited, clock, verify, post } = await openBooks(engine);
    clock.advance(86_400_000);
    // As old as what it came from, whatever else the merchant has had since.
    await post("test", "has more", credited(10n ** 18n, alice, ether));
    await post("test", "spent again", credited(-(10n ** 18n), alice, ether));
    clock.advance(2 * 86_400_000);
    expect((await admin("suspense list")).output).toMatch(/mer_alice live +3d +dep_usdc_one +30\n/);
    const before = await balances();
    const wish = `debt settle ${of} --amount 20 --from ${ether} --rate 0.00035 --evidence "rate of 22 November"`;
    const shown = await admin(`${wish} --dry-run`);
    expect(shown.output.split("\n")[0]).toMatch(/^Dry run: nothing was changed\./);
    expect(await balances()).toEqual(before);
    expect(await audited()).toEqual([]);
    expect(await admin(wish)).toMatchObject({ exitCode: 0, errors: "" });
    // 20 x 0.00035 ether.
    expect(await balances()).toEqual({
      ...owed,
      [`merchant:debt ${usdc} mer_alice live`]: 10_000_000n,
      [`merchant:available ${ether} mer_alice live`]: 1_993_000_000_000_000_000n,
      [`platform:fees ${ether}`]: 7_000_000_000_000_000n,
      [`platform:fees ${usdc}`]: -20_000_000n,
    });
    const [entry] = await audited();
    expect(entry).toMatchObject({ action: "debt.settled", actor: "operator" });
    expect(JSON.parse(entry?.details ?? "")).toMatchObject({
      amount_raw: "20000000",
      from: ether,
      rate: "0.00035",
      evidence: "rate of 22 November",
    });
    expect((await verify()).differencesCount).toBe(0);
  });

  test("what was paid outside counts once, and no more is paid than is owed", async () => {
    const { admin, balances, audited, verify } = await openBooks(engine);
    const wish = `debt settle ${of} --amount 20 --evidence "bank transfer 4711"`;
    const answers = await Promise.all([admin(wish), admin(wish), admin(wish)]);
    expect(answers.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    expect(await balances()).toMatchObject({
      [`merchant:debt ${usdc} mer_alice live`]: 10_000_000n,
      [`platform:fees ${usdc}`]: -20_000_000n,
    });
    const smaller = await admin(`debt settle ${of} --amount 1 --evidence "bank transfer 4711"`);
    expect(smaller.errors).toBe("bank transfer 4711 has paid a debt in dep_usdc_one already.\n");
    const more = await admin(`debt settle ${of} --amount 10.000001 --evidence "another"`);
    expect(more.errors).toContain("is 10000000 units, and that are 10000001.");
    expect(await audited()).toHaveLength(1);
    expect((await verify()).differencesCount).toBe(0);
  });

  test("is borne by the platform when it is written off", async () => {
    const { admin, balances, audited } = await openBooks(engine);
    expect(await admin(`debt write-off ${of} --amount 30 --evidence "insolvent"`)).toMatchObject({
      exitCode: 0,
    });
    expect(await balances()).toEqual({
      ...owed,
      [`merchant:available ${ether} mer_alice live`]: 2n * 10n ** 18n,
      [`platform:fees ${usdc}`]: -30_000_000n,
    });
    expect((await audited()).map(({ action }) => action)).toEqual(["debt.written_off"]);
    expect((await admin("suspense list")).output).not.toContain("mer_alice");
  });

  test("takes no more than the merchant has there, and rounds against whoever owes", async () => {
    const { admin, balances } = await openBooks(engine);
    const settle = (amount: string, rate: string, from = ether) =>
      admin(
        `debt settle ${of} --amount ${amount} --from ${from} --rate ${rate} --evidence ${rate}`,
      );
    expect((await settle("30", "0.1")).errors).toContain("merchant:available of mer_alice live");
    expect((await settle("1", "0")).errors).toContain("A rate is written like");
    expect((await settle("1", "-1")).exitCode).not.toBe(0);
    expect((await settle("1", "1", usdc)).errors).toContain("whose income pays it by itself");
    expect((await admin(`debt settle ${of} --amount 1 --from ${ether} --evidence x`)).errors).toBe(
      "--from and --rate belong together; neither: it was paid outside.\n",
    );
    expect(await balances()).toEqual({
      ...owed,
      [`merchant:available ${ether} mer_alice live`]: 2n * 10n ** 18n,
      [`merchant:debt ${usdc} mer_alice live`]: 30_000_000n,
    });
    // A smallest unit of the debt costs 0.3 of the smallest unit there: one whole unit is taken.
    expect(await settle("0.000001", "0.0000000000003")).toMatchObject({ exitCode: 0 });
    expect(await balances()).toMatchObject({
      [`merchant:available ${ether} mer_alice live`]: 2n * 10n ** 18n - 1n,
    });
  });

  test("is not paid in coins of a test network, unless it is one in such coins (threat 25)", async () => {
    const { admin, balances, post, database } = await openBooks(engine);
    const whose = `--merchant ${alice.merchantId} --environment test --deployment ${usdc}`;
    await post("test", "owed in the test half", [
      ["merchant:debt", 1_000_000n, aliceTest],
      ["chain:hot", -1_000_000n, null],
    ]);
    await post("test", "has in the test half", credited(10n ** 18n, aliceTest, ether));
    const settle = () =>
      admin(`debt settle ${whose} --amount 1 --from ${ether} --rate 1 --evidence "as agreed"`);
    await query(database)`update deployments set is_test_network = true where id = ${ether}`;
    const before = await balances();
    expect((await settle()).errors).toBe("Coins of a test network pay no debt in real ones.\n");
    expect(await balances()).toEqual(before);
    await query(database)`update deployments set is_test_network = true`;
    expect(await settle()).toMatchObject({ exitCode: 0 });
    expect(await balances()).not.toHaveProperty([`merchant:debt ${usdc} mer_alice test`]);
  });
});
