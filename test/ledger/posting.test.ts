// Posting: money and state change together, nothing is spent twice, nothing is forgotten.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { debitKinds, kindsBelowZero } from "../../service/ledger/model.ts";
import { CheckViolation, UniqueViolation } from "../../service/ports/database.ts";
import { recordingPostings } from "../../service/ledger/ledger.sql.ts";
import type { LedgerValues } from "../../service/ledger/ledger.sql.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { alice, aliceTest, bob, buildLedger, credited, ether, moved, usdc } from "./fixture.ts";
import { accountKinds } from "../../service/database/words.ts";
import type { Leg } from "./fixture.ts";

/** Posts for each merchant with that name: none, one, or more than there may be. */
const postForName = statement<LedgerValues & { readonly name: string }>("test_post_for_name")((p) =>
  recordingPostings(
    queries.with("cause", (q) => q.selectFrom("merchants").select("id").where("name", "=", p.name)),
    "cause",
    p,
  )
    .selectFrom("cause")
    .select("id"),
);

/** 2^256-1: nothing of the chain is larger. */
const largest = 2n ** 256n - 1n;

const openLedger = async (engine: (typeof engines)[number]) =>
  buildLedger(await openDatabase(engine));

describe.each(engines)("on %s", (engine) => {
  test("postings become balances, each half of a merchant and each deployment by itself", async () => {
    const ledger = await openLedger(engine);
    await ledger.post("deposit_credited", "a", [
      ["chain:deposit_addresses", 100n, null],
      ["merchant:available", -79n, alice],
      ["merchant:available", -20n, bob],
      ["platform:fees", -1n, null],
    ]);
    await ledger.post("deposit_credited", "b", credited(7n, aliceTest));
    await ledger.post("deposit_credited", "c", credited(largest, alice, ether));
    expect(await ledger.balances()).toEqual({
      [`chain:deposit_addresses ${usdc}`]: 107n,
      [`chain:deposit_addresses ${ether}`]: largest,
      [`merchant:available ${usdc} mer_alice live`]: 79n,
      [`merchant:available ${usdc} mer_alice test`]: 7n,
      [`merchant:available ${usdc} mer_bob live`]: 20n,
      [`merchant:available ${ether} mer_alice live`]: largest,
      [`platform:fees ${usdc}`]: 1n,
    });
    expect((await ledger.verify()).differences).toEqual([]);
  });

  test("two deployments in one transaction balance each by itself, or nothing is written", async () => {
    const ledger = await openLedger(engine);
    const legs = [...credited(5n), ...credited(9n, bob, ether)];
    await ledger.post("deposit_credited", "both", legs);
    // Equal sums of different coins are not equal.
    const mixed: Leg[] = [
      ["chain:hot", 5n, null, usdc],
      ["platform:capital", -5n, null, ether],
    ];
    expect(() => ledger.values(ledger.transaction("funding", "mixed", mixed))).toThrow(
      /does not sum to zero for dep_usdc_one/,
    );
    const values = {
      ...ledger.values(ledger.transaction("funding", "mixed", credited(1n))),
      ledgerPostings: JSON.stringify(
        mixed.map(([account_kind, amount, , deployment_id], position) => ({
          position,
          account_kind,
          deployment_id,
          amount: amount.toString(),
        })),
      ),
    };
    await expect(ledger.database.run(postForName, { ...values, name: "mer_bob" })).rejects.toEqual(
      new CheckViolation("ledger_postings_sum_zero"),
    );
    expect(await ledger.counts()).toEqual([1, 4]);
  });

  test("a transaction without postings, or with an empty one, is a fault of ours", async () => {
    const ledger = await openLedger(engine);
    const values = (legs: readonly Leg[]) => () =>
      ledger.values(ledger.transaction("funding", "x", legs));
    expect(values([])).toThrow(/has no postings/);
    expect(values([["chain:hot", 0n, null]])).toThrow(/has an empty posting/);
    expect(values([["chain:hot", 1n, null]])).toThrow(/does not sum to zero/);
  });

  test("raw SQL cannot post what does not sum to zero, nor add to a transaction later", async () => {
    const ledger = await openLedger(engine);
    await ledger.post("deposit_credited", "a", credited(100n));
    const run = (text: string) => query(ledger.database, sql.raw<object>(text));
    const posting = (position: number, kind: string, amount: number) =>
      `((select id from ledger_transactions), ${position}, '${kind}', '${usdc}', ${amount})`;
    const insert = (...rows: readonly string[]) =>
      run(
        `insert into ledger_postings
          (transaction_id, position, account_kind, deployment_id, amount) values ${rows.join(", ")}`,
      );
    await expect(insert(posting(2, "chain:hot", 1))).rejects.toEqual(
      new CheckViolation("ledger_postings_sum_zero"),
    );
    await expect(
      insert(posting(2, "chain:hot", 1), posting(3, "platform:capital", -1)),
    ).rejects.toEqual(new CheckViolation("ledger_postings_at_once"));
    await expect(
      insert(posting(0, "chain:hot", 1), posting(1, "platform:capital", -1)),
    ).rejects.toEqual(new UniqueViolation("ledger_postings_pkey"));
    expect(await ledger.counts()).toEqual([1, 2]);
    expect((await ledger.verify()).differences).toEqual([]);
  });

  test("nothing of the ledger can be changed, deleted or truncated", async () => {
    const ledger = await openLedger(engine);
    await ledger.post("deposit_credited", "a", credited(100n));
    const before = await ledger.balances();
    const run = (text: string) => query(ledger.database, sql.raw<object>(text));
    for (const text of [
      "update ledger_transactions set reference = 'b'",
      "delete from ledger_transactions",
      "truncate ledger_transactions cascade",
      "update ledger_postings set amount = amount * 2",
      "delete from ledger_postings",
      "truncate ledger_postings",
    ]) {
      await expect(run(text)).rejects.toThrow(/append-only/);
    }
    for (const text of [
      "update ledger_accounts set balance = 1000",
      "delete from ledger_accounts",
      "truncate ledger_accounts",
      `insert into ledger_accounts (kind, deployment_id, balance)
       values ('chain:hot', '${usdc}', 1000)`,
    ]) {
      await expect(run(text)).rejects.toThrow(/by postings only/);
    }
    expect(await ledger.balances()).toEqual(before);
    expect(await ledger.counts()).toEqual([1, 2]);
  });

  test("who spends what is not there writes nothing, however many try at once", async () => {
    const ledger = await openLedger(engine);
    await ledger.post("deposit_credited", "a", credited(100n));
    const spend = (reference: string) =>
      ledger.post("withdrawal_reserved", reference, [
        ["merchant:available", 100n, alice],
        ["merchant:withdrawing", -100n, alice],
      ]);
    const tries = Array.from({ length: 20 }, (_, index) => spend(`wdr_${index}`));
    const outcomes = await Promise.allSettled(tries);
    const refusals = outcomes.filter((one) => one.status === "rejected");
    expect(refusals.map(({ reason }: PromiseRejectedResult): unknown => reason)).toEqual(
      Array.from({ length: 19 }, () => new CheckViolation("ledger_accounts_not_negative")),
    );
    expect(await ledger.counts()).toEqual([2, 4]);
    expect((await ledger.balances())[`merchant:available ${usdc} mer_alice live`]).toBeUndefined();
    expect((await ledger.verify()).differences).toEqual([]);
  });

  test("an account goes below zero only where the model says so", async () => {
    const ledger = await openLedger(engine);
    for (const kind of accountKinds) {
      const isMerchants = kind.startsWith("merchant:") || kind === "payer:refund_due";
      const lessening = debitKinds.has(kind) ? -1n : 1n;
      const tried = ledger.post("test", kind, [
        [kind, lessening, isMerchants ? alice : null],
        // Something that has room.
        [kind === "chain:hot" ? "chain:gas" : "chain:hot", -lessening, null],
      ]);
      if (kindsBelowZero.has(kind)) await tried;
      else {
        await expect(tried).rejects.toEqual(new CheckViolation("ledger_accounts_not_negative"));
      }
    }
    expect(await ledger.counts()).toEqual([kindsBelowZero.size, 2 * kindsBelowZero.size]);
  });

  test("two at once may both be the first to post to an account", async () => {
    const ledger = await openLedger(engine);
    const posts = Array.from({ length: 12 }, (_, index) =>
      ledger.post("deposit_credited", String(index), credited(1n)),
    );
    await Promise.all(posts);
    expect(await ledger.balances()).toEqual({
      [`chain:deposit_addresses ${usdc}`]: 12n,
      [`merchant:available ${usdc} mer_alice live`]: 12n,
    });
    expect((await ledger.verify()).differences).toEqual([]);
  });

  test("50 at once over the same two accounts in opposite order all get through", async () => {
    const ledger = await openLedger(engine);
    await ledger.post("deposit_credited", "a", [...credited(1000n), ...credited(1000n, bob)]);
    const posts = Array.from({ length: 50 }, (_, index) => {
      const legs = index % 2 === 0 ? moved(1n, alice, bob) : moved(2n, bob, alice);
      return ledger.post("test", String(index), index % 3 === 0 ? legs.toReversed() : legs);
    });
    await Promise.all(posts);
    expect(await ledger.balances()).toMatchObject({
      [`merchant:available ${usdc} mer_alice live`]: 1000n - 25n + 50n,
      [`merchant:available ${usdc} mer_bob live`]: 1000n + 25n - 50n,
    });
    const verdict = await ledger.verify();
    expect(verdict).toMatchObject({ transactions: 51, postings: 104, accounts: 3 });
    expect(verdict.differences).toEqual([]);
  });

  test("the same thing happens once: kind and reference are taken for ever", async () => {
    const ledger = await openLedger(engine);
    await ledger.post("withdrawal_settled", "wdr_1", credited(5n));
    await expect(ledger.post("withdrawal_settled", "wdr_1", credited(5n))).rejects.toEqual(
      new UniqueViolation("ledger_transactions_once"),
    );
    await ledger.post("withdrawal_released", "wdr_1", credited(5n));
    expect(await ledger.counts()).toEqual([2, 4]);
    const ten = Array.from({ length: 10 }, () => ledger.post("test", "same", credited(1n)));
    const done = (await Promise.allSettled(ten)).filter((one) => one.status === "fulfilled");
    expect(done).toHaveLength(1);
    expect((await ledger.balances())[`merchant:available ${usdc} mer_alice live`]).toBe(11n);
  });

  test("without a cause nothing is posted; in a transaction that fails, nothing either", async () => {
    const ledger = await openLedger(engine);
    const values = ledger.values(ledger.transaction("test", "x", credited(5n)));
    const { database } = ledger;
    expect(await database.run(postForName, { ...values, name: "nobody" })).toEqual([]);
    expect(await ledger.counts()).toEqual([0, 0]);
    const failing = database.transaction(async (inside) => {
      await inside.run(postForName, { ...values, name: "mer_bob" });
      throw new Error("second thoughts");
    });
    await expect(failing).rejects.toThrow("second thoughts");
    expect(await ledger.balances()).toEqual({});
    expect(await database.run(postForName, { ...values, name: "mer_bob" })).toHaveLength(1);
    expect(await ledger.counts()).toEqual([1, 2]);
  });

  test("the database and the rules name the same sides and the same limits", async () => {
    const { database } = await openLedger(engine);
    for (const kind of accountKinds) {
      const [row] = await query(database)<{
        side: number;
      }>`select ledger_side(${sql.lit(kind)}) as side`;
      expect([kind, row?.side]).toEqual([kind, debitKinds.has(kind) ? 1 : -1]);
    }
  });
});
