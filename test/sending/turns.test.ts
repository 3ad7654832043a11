// Who gets a turn of the queue, in which order, and what holds back what.

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type { OutgoingPurpose } from "../../service/database/words.ts";
import type { Database } from "../../service/ports/database.ts";
import { outgoingInFlightRaw } from "../../service/sending/confirmer.ts";
import { listSentOutgoing } from "../../service/sending/confirmer.sql.ts";
import {
  listOutgoingAccounts,
  listQueuedOutgoing,
  listUnminedOutgoing,
  reserveNonce,
  storeSignedOutgoing,
} from "../../service/sending/sender.sql.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import type { Row } from "../support/table-steps.ts";
import { at, broadcast, ended, openQueue, otherChain, others, ours } from "./queue-rows.ts";
import { put, putNeighbours, putNonce, queued, reserved } from "./queue-rows.ts";
import { chainId, usdc } from "./scene.ts";

const lease = { chainId, account: ours, leaseToken: "mine" };
const bytes = { raw: Buffer.from("bytes"), maxFeePerGas: 3n, maxPriorityFeePerGas: 2n };
const attempt = { ...bytes, attempt: 3, signedAtBlock: 9n, now: at(1) };
const purposes = ["x402_settlement", "x402_release", "refund", "withdrawal", "sweep"] as const;

describe.each(engines)("on %s", (engine) => {
  let database: Database;
  beforeEach(async () => {
    ({ database } = await openQueue(engine));
  });

  test("what is not mined is handed over in the order of the nonces, each as it was signed last", async () => {
    await putNeighbours(database);
    await put(database, "out_8", ended);
    await putNonce(database, "out_8", { chain_id: chainId, account: ours, nonce: 2 });
    await put(database, "out_9", broadcast);
    await putNonce(database, "out_9", { chain_id: chainId, account: others, nonce: 5 });
    const list = async (minedCount: bigint, rowsMax = 9) => {
      const values = { chainId, account: ours, minedCount, rowsMax };
      const rows = await database.run(listUnminedOutgoing, values);
      return rows.map((row) => [row.id, row.attempt, Buffer.from(row.raw).toString()]);
    };
    const all = [
      ["out_8", 2, "out_8 2"],
      ["out_5", 2, "out_5 2"],
    ];
    expect(await list(0n)).toEqual(all);
    expect(await list(2n)).toEqual(all);
    expect(await list(3n)).toEqual(all.slice(1));
    expect(await list(4n)).toEqual([]);
    expect(await list(0n, 1)).toEqual(all.slice(0, 1));
  });

  test("what has its nonce comes first, then the settlements, then the oldest; the unanswered last", async () => {
    await putNeighbours(database);
    const purpose = "x402_settlement";
    const silent = { ...queued, last_problem: "unanswered: nobody is there" };
    await put(database, "out_silent", { ...silent, created_at: at(-95) });
    await put(database, "out_quiet", { ...silent, purpose, created_at: at(-30) });
    const beside = { ...queued, last_problem: "beside unanswered: nobody is there" };
    await put(database, "out_beside", { ...beside, created_at: at(-94) });
    const poor = { ...queued, last_problem: "account_cannot_pay" };
    await put(database, "out_poor", { ...poor, created_at: at(-92) });
    await put(database, "out_z_old", { ...queued, created_at: at(-90) });
    await put(database, "out_a_old", { ...queued, created_at: at(-90), not_before: at(1) });
    await put(database, "out_later", { ...queued, created_at: at(-90), not_before: at(2) });
    await put(database, "out_settle", { ...queued, purpose, created_at: at(-10) });
    await put(database, "out_early", { ...queued, purpose, created_at: at(-20) });
    await put(database, "out_nonce", { ...reserved, not_before: at(99), created_at: at(0) });
    const list = async (rowsMax: number) => {
      const values = { chainId, account: ours, now: at(1), rowsMax };
      return (await database.run(listQueuedOutgoing, values)).map(({ id }) => id);
    };
    const settlements = ["out_early", "out_settle", "out_quiet"];
    const others = ["out_poor", "out_a_old", "out_z_old", "out_2"];
    const all = ["out_nonce", ...settlements, ...others, "out_beside", "out_silent"];
    expect(await list(10)).toEqual(all);
    expect(await list(2)).toEqual(all.slice(0, 2));
  });

  test("an account has its turn for what is due, and for what was not looked after for a while", async () => {
    const account = (name: string) => `account ${name}`;
    const rows: readonly (readonly [string, Row])[] = [
      ["due", { ...queued, created_at: at(-30), not_before: at(1) }],
      ["not due", { ...queued, not_before: at(2) }],
      ["stopped", { ...queued, purpose: "refund" }],
      ["never looked after", { ...broadcast, created_at: at(-20) }],
      ["looked after long ago", { ...broadcast, created_at: at(-40), looked_at: at(-15) }],
      ["looked after just now", { ...broadcast, looked_at: at(-14) }],
      ["ended", ended],
      ["taken out", { ...queued, status: "withdrawn" }],
      ["elsewhere", { ...queued, chain_id: otherChain }],
    ];
    for (const [index, [name, row]] of rows.entries()) {
      await put(database, `out_${index}`, { ...row, account: account(name) });
    }
    const twice = { account: account("due"), created_at: at(-25) };
    await put(database, "out_twice", { ...queued, ...twice });
    await query(database)`insert into deployment_freezes values (${usdc.deploymentId}, 'x', now())`;
    const list = async (rowsMax: number) => {
      const values = { chainId, now: at(1), lookedBefore: at(-15), behind: [], rowsMax };
      return database.run(listOutgoingAccounts, values);
    };
    // While the deployment is frozen its money to payers stays: here a release that is due.
    expect(await list(9)).toEqual([
      { account: account("never looked after"), is_deposit: false, oldest: null },
      { account: account("looked after long ago"), is_deposit: false, oldest: null },
    ]);
    await query(database)`delete from deployment_freezes`;
    const all = ["stopped", "due", "never looked after", "looked after long ago"].map((name) => ({
      account: account(name),
      is_deposit: false,
      // Of all of them, whoever is listed.
      oldest: at(-60),
    }));
    expect(await list(9)).toEqual(all);
    expect(await list(2)).toEqual(all.slice(0, 2));
  });

  test("accounts of ours have their turn before addresses of payments, and those that failed go behind", async () => {
    const deposit = { ...queued, purpose: "sweep", account_role: "deposit" };
    const rows: Readonly<Record<string, Row>> = {
      d1: { ...deposit, account_index: 1, created_at: at(-95) },
      d2: { ...deposit, account_index: 2, created_at: at(-94) },
      d3: { ...deposit, account_index: 3, created_at: at(-93) },
      d4: { ...deposit, account_index: 4, created_at: at(-92) },
      hot: { ...queued, account_role: "hot", created_at: at(-50) },
      settlement: { ...queued, created_at: at(-40) },
    };
    for (const [account, row] of Object.entries(rows)) {
      await put(database, `out_${account}`, { ...row, account });
    }
    const list = async (behind: readonly string[], rowsMax = 9) => {
      const values = { chainId, now: at(1), lookedBefore: at(-15), behind, rowsMax };
      return await database.run(listOutgoingAccounts, values);
    };
    const names = async (...values: Parameters<typeof list>) =>
      (await list(...values)).map(({ account }) => account);
    expect(await names([])).toEqual(["hot", "settlement", "d1", "d2", "d3", "d4"]);
    expect(await names([], 3)).toEqual(["hot", "settlement", "d1"]);
    const behind = ["d3", "hot", "d1", "nobody"];
    expect(await names(behind)).toEqual(["settlement", "hot", "d2", "d4", "d3", "d1"]);
    expect(await list(behind, 3)).toEqual([
      { account: "settlement", is_deposit: false, oldest: at(-95) },
      { account: "hot", is_deposit: false, oldest: at(-95) },
      { account: "d2", is_deposit: true, oldest: at(-95) },
    ]);
  });

  test("what was sent is asked about: first what never was, then what was asked about longest ago", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["later", { checked_at: at(-6) }],
      ["earlier", { checked_at: at(-7) }],
      ["just_now", { checked_at: at(-4) }],
      ["long_enough_ago", { checked_at: at(-5) }],
      ["never", {}],
      ["never_before", { account: "a" }],
      ["ended", { status: "reverted" }],
      ["elsewhere", { chain_id: otherChain }],
      // Waits since 20 seconds, was asked 10 seconds ago: then as long again, and at most so long.
      ["unmeasured", { checked_at: at(-10), unmeasured_at: at(-20) }],
      ["unmeasured_yet", { checked_at: at(-10), unmeasured_at: at(-21) }],
      ["unmeasured_long", { checked_at: at(-30), unmeasured_at: at(-3000) }],
      ["unmeasured_too_long", { checked_at: at(-29), unmeasured_at: at(-3000) }],
    ];
    for (const [nonce, [name, more]] of rows.entries()) {
      const row = { ...broadcast, ...more };
      await put(database, `out_${name}`, row);
      const place = { chain_id: row.chain_id, account: row.account };
      await query(database)`insert into sender_accounts (chain_id, account)
        values (${place.chain_id}, ${place.account}) on conflict do nothing`;
      await putNonce(database, `out_${name}`, { ...place, nonce: 20 - nonce });
    }
    const list = (rowsMax: number) =>
      database.run(listSentOutgoing, {
        chainId,
        now: at(0),
        checkedBefore: at(-5),
        unmeasuredSecondsMax: 30,
        rowsMax,
      });
    const expected = [
      "out_never_before",
      "out_never",
      "out_unmeasured_long",
      "out_unmeasured",
      "out_earlier",
      "out_later",
      "out_long_enough_ago",
    ];
    const all = await list(20);
    expect(all.map(({ id }) => id)).toEqual(expected);
    expect(all[0]?.tx_hashes).toEqual(["out_never_before 2", "out_never_before 1"]);
    expect((await list(2)).map(({ id }) => id)).toEqual(expected.slice(0, 2));
  });

  test("of one account they are asked about in the order of their nonces", async () => {
    for (const nonce of [3, 1, 2]) {
      await put(database, `out_${nonce}`, broadcast);
      await putNonce(database, `out_${nonce}`, { chain_id: chainId, account: ours, nonce });
    }
    const values = { chainId, now: at(0), checkedBefore: at(-5), unmeasuredSecondsMax: 30 };
    const rows = await database.run(listSentOutgoing, { ...values, rowsMax: 9 });
    expect(rows.map(({ nonce }) => nonce)).toEqual([1n, 2n, 3n]);
  });

  test("what is in flight is all that leaves us of a deployment, whatever its account", async () => {
    const rows: readonly Row[] = [
      { ...broadcast, amount_raw: 1 },
      { ...broadcast, amount_raw: 10, purpose: "withdrawal", account: others },
      { ...broadcast, amount_raw: 100, purpose: "refund" },
      { ...broadcast, amount_raw: 1000, purpose: "sweep" },
      { ...broadcast, amount_raw: 2000, purpose: "x402_settlement" },
      { ...broadcast, amount_raw: 3000, purpose: "consolidation" },
      { ...broadcast, amount_raw: 4000, purpose: "refund", sends_nothing: true },
      { ...broadcast, amount_raw: 5000, deployment_id: "dep_dai_ethereum" },
      { ...queued, amount_raw: 6000 },
      { ...ended, amount_raw: 7000 },
    ];
    expect(await outgoingInFlightRaw(database, usdc.deploymentId)).toBe(0n);
    for (const [index, row] of rows.entries()) await put(database, `out_${index}`, row);
    expect(await outgoingInFlightRaw(database, usdc.deploymentId)).toBe(111n);
  });

  test.each<readonly [string, string, readonly OutgoingPurpose[]]>([
    ["nothing", "select", purposes],
    [
      "a stop elsewhere",
      `insert into withdrawal_stops values ('${otherChain}', 'x', now())`,
      purposes,
    ],
    [
      "a stop there",
      `insert into withdrawal_stops values ('${chainId}', 'x', now())`,
      ["x402_settlement"],
    ],
    ["a stop of all", "insert into withdrawal_stops values ('*', 'x', now())", ["x402_settlement"]],
    [
      "another frozen deployment",
      "insert into deployment_freezes values ('dep_dai_ethereum', 'x', now())",
      purposes,
    ],
    [
      "a frozen deployment",
      `insert into deployment_freezes values ('${usdc.deploymentId}', 'x', now())`,
      ["x402_settlement", "withdrawal", "sweep"],
    ],
  ])(
    "held back by %s: what gets a nonce, and what is stored once it is signed",
    async (_, cause, free) => {
      await query(database, sql.raw(cause));
      const account = { chainId, account: ours };
      for (const purpose of purposes) {
        await put(database, `out_${purpose}`, { ...queued, purpose });
      }
      const values = { ...account, now: at(1), rowsMax: 9 };
      const listed = await database.run(listQueuedOutgoing, values);
      expect(listed.map(({ purpose }) => purpose).toSorted()).toEqual(free.toSorted());
      for (const purpose of purposes) {
        const id = `out_${purpose}`;
        const isFree = free.includes(purpose);
        const nonces = await database.run(reserveNonce, { ...lease, id, nonce: 4n });
        expect(nonces).toEqual(isFree ? [{ id }] : []);
        await query(database)`update outgoing_transactions set reserved_nonce = 4 where id = ${id}`;
        const [first] = await database.run(listQueuedOutgoing, values);
        expect(first).toMatchObject({ id, is_free: isFree });
        const storing = { ...lease, ...attempt, id, txHash: id, nonce: 4n, gasUnitsMax: 50n };
        const stored = await database.run(storeSignedOutgoing, { ...storing, sendsNothing: false });
        expect(stored).toEqual(isFree ? [{ id }] : []);
        await query(database)`update outgoing_transactions set sends_nothing = true
        where id = ${id} and status = 'queued'`;
        // For nothing it may be used, whatever is held back.
        if (!isFree) {
          expect(
            await database.run(storeSignedOutgoing, { ...storing, sendsNothing: true }),
          ).toEqual([{ id }]);
        }
        await query(database)`delete from outgoing_attempts`;
        await query(database)`delete from sender_nonces`;
      }
    },
  );
});
