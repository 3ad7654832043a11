// Threat 79: whatever goes around the database's own rules is found, and named.

import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Jobs } from "../../service/jobs/jobs.ts";
import { ledgerVerifyJob } from "../../service/ledger/verify-job.ts";
import { verdictLines, verifyLedger } from "../../service/ledger/verifier.ts";
import type { LedgerVerdict, VerifierLimits } from "../../service/ledger/verifier.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, makeDatabase, openDatabase } from "../support/engines.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import { alice, bob, buildLedger, credited, moved, usdc } from "./fixture.ts";
import type { LedgerFixture } from "./fixture.ts";

/** As somebody with a console would: without triggers, foreign keys and our code. */
async function corruptInside(inside: Database, texts: readonly string[]): Promise<void> {
  await query(inside, sql.raw<object>("set local session_replication_role = replica"));
  for (const text of texts) await query(inside, sql.raw<object>(text));
}

async function corrupt({ database }: LedgerFixture, ...texts: readonly string[]): Promise<void> {
  await database.transaction((inside) => corruptInside(inside, texts));
}

async function openLedger(engine: (typeof engines)[number]): Promise<LedgerFixture> {
  return await fillLedger(await openDatabase(engine));
}

async function fillLedger(database: Database): Promise<LedgerFixture> {
  const ledger = await buildLedger(database);
  await ledger.post("deposit_credited", "a", credited(100n));
  await ledger.post("test", "b", moved(30n, alice, bob));
  return ledger;
}

const aliceKey = `merchant:available ${usdc} mer_alice live`;
const bobKey = `merchant:available ${usdc} mer_bob live`;
const chainKey = `chain:deposit_addresses ${usdc}`;
const ofA = "transaction_id = (select id from ledger_transactions where reference = 'a')";

/** What somebody does, and what is said of it; ids are written as ltx. */
const corruptions: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    "an amount is changed",
    [`update ledger_postings set amount = 101 where ${ofA} and position = 0`],
    [
      `transaction ltx (deposit_credited a) sums to 1 instead of 0 for ${usdc}`,
      `account ${chainKey} has 100, but its postings sum to 101`,
    ],
  ],
  [
    "two amounts are changed so that they still sum to zero",
    [`update ledger_postings set amount = amount * 2 where ${ofA}`],
    [
      `account ${chainKey} has 100, but its postings sum to 200`,
      `account ${aliceKey} has 70, but its postings sum to 170`,
    ],
  ],
  [
    "a balance is changed",
    [`update ledger_accounts set balance = 1000070 where key = '${aliceKey}'`],
    [
      `account ${aliceKey} has 1000070, but its postings sum to 70`,
      `the accounts of ${usdc} sum to -1000000 instead of 0`,
    ],
  ],
  [
    "one merchant's balance is given to another",
    [
      `update ledger_accounts set balance = 0 where key = '${aliceKey}'`,
      `update ledger_accounts set balance = 100 where key = '${bobKey}'`,
    ],
    [
      `account ${aliceKey} has 0, but its postings sum to 70`,
      `account ${bobKey} has 100, but its postings sum to 30`,
    ],
  ],
  [
    "a version is changed",
    [`update ledger_accounts set version = 9 where key = '${aliceKey}'`],
    [`account ${aliceKey} has version 9, but is part of 2 transactions`],
  ],
  [
    "a posting is deleted",
    [`delete from ledger_postings where ${ofA} and position = 1`],
    [
      `transaction ltx (deposit_credited a) sums to 100 instead of 0 for ${usdc}`,
      `account ${aliceKey} has 70, but its postings sum to -30`,
      `account ${aliceKey} has version 2, but is part of 1 transactions`,
    ],
  ],
  [
    "a transaction loses all its postings",
    [`delete from ledger_postings where ${ofA}`],
    [
      "transaction ltx (deposit_credited a) has no postings",
      `account ${chainKey} has no postings`,
      `account ${chainKey} has 100, but its postings sum to 0`,
      `account ${chainKey} has version 1, but is part of 0 transactions`,
      `account ${aliceKey} has 70, but its postings sum to -30`,
      `account ${aliceKey} has version 2, but is part of 1 transactions`,
    ],
  ],
  [
    "a transaction is deleted, and its postings stay",
    ["delete from ledger_transactions where reference = 'a'"],
    ["posting 0 of ltx has no transaction", "posting 1 of ltx has no transaction"],
  ],
  [
    "an account is deleted",
    [`delete from ledger_accounts where key = '${bobKey}'`],
    [`posting 1 of ltx has no account ${bobKey}`, `the accounts of ${usdc} sum to 30 instead of 0`],
  ],
  [
    "an account is made up",
    [
      `insert into ledger_accounts (kind, deployment_id, merchant_id, environment)
       values ('merchant:debt', '${usdc}', 'mer_bob', 'live')`,
    ],
    [`account merchant:debt ${usdc} mer_bob live has no postings`],
  ],
  [
    "a posting is moved to another coin",
    [`update ledger_postings set deployment_id = 'dep_eth_one' where ${ofA} and position = 1`],
    [
      `transaction ltx (deposit_credited a) sums to 100 instead of 0 for ${usdc}`,
      "transaction ltx (deposit_credited a) sums to -100 instead of 0 for dep_eth_one",
      "posting 1 of ltx has no account merchant:available dep_eth_one mer_alice live",
      `account ${aliceKey} has 70, but its postings sum to -30`,
      `account ${aliceKey} has version 2, but is part of 1 transactions`,
    ],
  ],
];

describe.each(engines)("on %s", (engine) => {
  test("a ledger that is right has nothing to say, also when it is empty", async () => {
    const empty = await buildLedger(await openDatabase(engine));
    expect(verdictLines(await empty.verify())).toEqual([
      "0 transactions, 0 postings, 0 accounts: all agree",
    ]);
    const ledger = await openLedger(engine);
    expect(verdictLines(await ledger.verify())).toEqual([
      "2 transactions, 4 postings, 3 accounts: all agree",
    ]);
  });

  describe("what is broken is named:", () => {
    let ledger: LedgerFixture;
    let remove: () => Promise<void>;
    beforeAll(async () => {
      const made = await makeDatabase(engine);
      ({ remove } = made);
      ledger = await fillLedger(made.database);
    });
    afterAll(() => remove());

    test.each(corruptions)("%s", async (_, texts, expected) => {
      const found: LedgerVerdict[] = [];
      const undo = new Error("as it was");
      const broken = ledger.database.transaction(async (inside) => {
        await corruptInside(inside, texts);
        const ports = { database: inside, clock: ledger.clock };
        const limits = { rowsMax: 1, accountTransactionsMax: 0 };
        found.splice(0, 2, await verifyLedger(ports), await verifyLedger({ ...ports, limits }));
        throw undo;
      });
      await expect(broken).rejects.toBe(undo);
      expect(found).toHaveLength(2);
      for (const { differences, differencesCount } of found) {
        const lines = differences.map((line) => line.replaceAll(/ltx_\w+/g, "ltx"));
        expect(lines.toSorted()).toEqual(expected.toSorted());
        expect(differencesCount).toBe(expected.length);
      }
      expect((await ledger.verify()).differences).toEqual([]);
    });
  });

  test("a merchant below zero is named, whoever took the rule away", async () => {
    const ledger = await openLedger(engine);
    await query(
      ledger.database,
      sql.raw<object>("alter table ledger_accounts drop constraint ledger_accounts_not_negative"),
    );
    await ledger.post("test", "too much", moved(71n, alice, bob));
    expect((await ledger.verify()).differences).toEqual([`account ${aliceKey} is below zero: -1`]);
  });

  test("pages of any size find the same, also in the middle of a transaction", async () => {
    const ledger = await openLedger(engine);
    for (let index = 0; index < 12; index++) {
      // Twice the same account in one transaction; half of them long ago.
      await ledger.post("test", String(index), [...credited(3n), ...moved(1n, alice, bob)]);
      if (index === 5) ledger.clock.advance(hourMilliseconds);
    }
    const verify = (limits: VerifierLimits) => verifyLedger({ ...ledger, limits });
    const right = await verify({ rowsMax: 1000, accountTransactionsMax: 1000 });
    expect(right).toMatchObject({ transactions: 14, postings: 52, accounts: 3, differences: [] });
    for (const rowsMax of [1, 2, 3, 7]) {
      for (const accountTransactionsMax of [0, 12, 1000]) {
        expect(await verify({ rowsMax, accountTransactionsMax })).toEqual(right);
      }
    }
    const change = "update ledger_postings set amount = amount - 5 where position = 1 and ";
    const last = "(select id from ledger_transactions where reference = '11')";
    await corrupt(ledger, `${change} ${ofA}`, `${change} transaction_id = ${last}`);
    const wrong = await verify({ rowsMax: 2, accountTransactionsMax: 0 });
    expect(wrong.differencesCount).toBe(3);
    expect(wrong.differences).toContain(`account ${aliceKey} has 94, but its postings sum to 104`);
  });

  test("who posts meanwhile is no difference", async () => {
    const ledger = await openLedger(engine);
    const limits = { rowsMax: 4, accountTransactionsMax: 5 };
    const posting = async (worker: string) => {
      for (let index = 0; index < 40; index++) {
        await ledger.post("test", `${worker}/${index}`, [
          ...credited(3n),
          ...moved(1n, alice, bob),
        ]);
        if (index === 20) ledger.clock.advance(hourMilliseconds);
      }
    };
    const posted = Promise.all(["one", "two", "three"].map(posting));
    let overlapping = 0;
    // Again and again, and once more after the last one is posted.
    for (;;) {
      const [before] = await ledger.counts();
      expect((await verifyLedger({ ...ledger, limits })).differences).toEqual([]);
      if (before === 122) break;
      overlapping += 1;
    }
    await posted;
    expect(overlapping).toBeGreaterThan(0);
    expect(await verifyLedger({ ...ledger, limits })).toMatchObject({ transactions: 122 });
  });

  test("at night: once a day, and an alarm that stays until somebody has repaired it", async () => {
    const ledger = await openLedger(engine);
    const { database, clock } = ledger;
    const said: (readonly string[])[] = [];
    const job = ledgerVerifyJob({
      database,
      clock,
      limits: { rowsMax: 1, accountTransactionsMax: 100 },
      onDifference: (lines) => said.push(lines),
    });
    const jobs = new Jobs({ database, clock }, [job]);
    expect(await jobs.run(job)).toEqual({ done: 13, isMore: false });
    await corrupt(ledger, `update ledger_accounts set version = 9 where key = '${aliceKey}'`);
    expect(await jobs.run(job)).toEqual({ done: 0, isMore: false });
    clock.advance(24 * hourMilliseconds);
    await expect(jobs.run(job)).rejects.toThrow("1 differences in the ledger");
    // It is tried again soon, and stays what it is without reading everything again.
    await expect(jobs.run(job)).rejects.toThrow("1 differences in the ledger");
    expect(said).toEqual([
      [
        `account ${aliceKey} has version 9, but is part of 2 transactions`,
        "2 transactions, 4 postings, 3 accounts: 1 differences",
      ],
    ]);
    await corrupt(ledger, `update ledger_accounts set version = 2 where key = '${aliceKey}'`);
    clock.advance(hourMilliseconds);
    expect(await jobs.run(job)).toMatchObject({ isMore: false });
    const [report] = await jobs.list();
    expect(report?.last).toMatchObject({ error: "LedgerDifference", failures: 2n });
  });

  test("a batch of the job is bounded, and the next one goes on where it ended", async () => {
    const ledger = await openLedger(engine);
    for (let index = 0; index < 10; index++) await ledger.post("t", String(index), credited(1n));
    const limits = { rowsMax: 1, accountTransactionsMax: 100 };
    const job = ledgerVerifyJob({ ...ledger, limits, onDifference: () => expect.fail() });
    const runs = [await job.run(), await job.run(), await job.run()];
    // 12 + 24 + 3 rows, the ends of the three lists, and the totals.
    expect(runs).toEqual([
      { done: 20, isMore: true },
      { done: 20, isMore: true },
      { done: 3, isMore: false },
    ]);
  });
});
