// The statements of payout schedules by themselves: which are due, which have ended, and each step, with schedules
// of others beside it.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eventValues } from "../../service/events/events.ts";
import type { Owner } from "../../service/owner.ts";
import {
  listDueSchedules,
  listEndedSchedules,
  lockDueSchedule,
  readSchedulesWaitingSince,
  recordPayoutRun,
} from "../../service/payouts/runner.sql.ts";
import {
  findOpenSchedule,
  findSchedule,
  listSchedules,
  retireSchedule,
} from "../../service/payouts/schedules.sql.ts";
import { anyEvent } from "../support/any-event.ts";
import { type Engine, engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { contentsOf, expectStep, putRow, type Row } from "../support/table-steps.ts";
import { openWorld } from "../support/world.ts";
import { chainId, usdc } from "../withdrawals/scene.ts";

const start = Date.parse("2026-01-01T00:00:00.000Z");
const at = (seconds: number): Date => new Date(start + seconds * 1000);
const otherChain = "eip155:8453";
const retired = { status: "retired", retired_at: at(0) };

async function open(engine: Engine) {
  const world = await openWorld(engine);
  const { database } = world;
  const [owner, other] = [await world.newOwner(), await world.newOwner()];
  const made = await world.schedule(owner);
  const [base] = await query(database)<{ row: Row }>`
    select to_jsonb(s) as row from payout_schedules s where id = ${made.id}`;
  await query(database)`delete from payout_schedules`;
  /** To an address of its own. */
  const put = async (id: string, row: Row = {}, whose: Owner = owner) => {
    const { id: addressId } = await world.register(whose);
    const place = { merchant_id: whose.merchantId, withdraw_address_id: addressId };
    const key = {
      idempotency_key: id,
      api_key_id: whose === owner ? base?.row["api_key_id"] : null,
    };
    await putRow(database, "payout_schedules", { ...base?.row, id, ...place, ...key, ...row });
    return addressId;
  };
  return { ...world, owner, other, put, madeBy: made.keyId };
}

describe.each(engines)("on %s", (engine) => {
  test("due is what is active, from its time on, on these chains, of active merchants: the longest overdue first", async () => {
    const { database, put, other } = await open(engine);
    await put("pos_now", { next_run_at: at(0) });
    await put("pos_b", { next_run_at: at(-5) });
    await put("pos_a", { next_run_at: at(-5) });
    await put("pos_old", { next_run_at: at(-9), chain_id: otherChain });
    await put("pos_later", { next_run_at: at(1) });
    await put("pos_paused", { next_run_at: at(-20), status: "paused" });
    await put("pos_retired", { next_run_at: at(-20), ...retired });
    await put("pos_elsewhere", { next_run_at: at(-30), chain_id: "eip155:1" });
    await put("pos_suspended", { next_run_at: at(-40) }, other);
    await put("pos_suspended_too", { next_run_at: at(-40), chain_id: "eip155:1" }, other);
    await query(database)`update merchants set status = 'suspended' where id = ${other.merchantId}`;
    const due = async (chainIds: readonly string[], rowsMax = 9) =>
      (await database.run(listDueSchedules, { now: at(0), chainIds, rowsMax })).map(({ id }) => id);
    const all = ["pos_old", "pos_a", "pos_b", "pos_now"];
    expect(await due([chainId, otherChain])).toEqual(all);
    expect(await due([chainId, otherChain], 2)).toEqual(all.slice(0, 2));
    expect(await due([otherChain])).toEqual(["pos_old"]);
    const waiting = async (chainIds: readonly string[], seconds = 0) =>
      (await database.run(readSchedulesWaitingSince, { now: at(seconds), chainIds }))[0]?.since;
    expect(await waiting([chainId, otherChain])).toEqual(at(-30));
    expect(await waiting([chainId, "eip155:1"])).toEqual(at(-9));
    expect(await waiting([otherChain, "eip155:1"])).toEqual(at(-5));
    expect(await waiting([otherChain, "eip155:1"], -5)).toEqual(at(-5));
    expect(await waiting([otherChain, "eip155:1"], -6)).toBeNull();
    expect(await waiting([chainId, otherChain, "eip155:1"])).toBeNull();
  });

  test("ended is what nothing can make run again, whatever its status", async () => {
    const { database, put, other, owner, newKey, keys } = await open(engine);
    const run = (text: string) => query(database, sql.raw(text));
    const revoked = await newKey(owner);
    const replaced = await newKey(owner);
    await keys.revoke(revoked);
    await keys.revoke(replaced, { isForCause: false });
    await put("pos_fine");
    await put("pos_other", {}, other);
    await put("pos_replaced", { api_key_id: replaced });
    await put("pos_revoked", { api_key_id: revoked });
    await put("pos_paused", { api_key_id: revoked, status: "paused" });
    await put("pos_retired", { api_key_id: revoked, ...retired });
    const disabled = await put("pos_disabled");
    await run(`update withdraw_addresses set disabled_at = now() where id = '${disabled}'`);
    const mine = await put("pos_ours");
    await run(`insert into own_accounts
      select lower(address), 'treasury', now() from withdraw_addresses where id = '${mine}'`);
    // A main network, where a key has to be bound.
    const main = { deployment_id: "dep_usdc_base", chain_id: otherChain };
    await put("pos_bound", main);
    await put("pos_unbound", { ...main, is_key_bound: false });
    await put("pos_delisted", { deployment_id: "dep_dai_ethereum", chain_id: "eip155:1" });
    await run(`update deployments set listing_status = 'delisted', delisting_since = now(),
      deposit_enabled = false where id = 'dep_dai_ethereum'`);
    const ended = async (rowsMax: number) =>
      (await database.run(listEndedSchedules, { rowsMax })).map(({ id }) => id);
    const all = [
      "pos_delisted",
      "pos_disabled",
      "pos_ours",
      "pos_paused",
      "pos_revoked",
      "pos_unbound",
    ];
    expect(await ended(9)).toEqual(all);
    expect(await ended(2)).toEqual(all.slice(0, 2));
  });

  test("one that is due is locked at the point of its grid, if it may run", async () => {
    const { database, put, other } = await open(engine);
    await put("pos_due", { next_run_at: at(0), version: 7 });
    await put("pos_paused", { next_run_at: at(0), status: "paused" });
    await put("pos_suspended", { next_run_at: at(0) }, other);
    await query(database)`update merchants set status = 'suspended' where id = ${other.merchantId}`;
    const lock = (id: string, seconds = 0) =>
      database.run(lockDueSchedule, { id, nextRunAt: at(seconds) });
    expect(await lock("pos_due")).toEqual([{ version: 7n }]);
    for (const seconds of [-1, 1]) expect(await lock("pos_due", seconds)).toEqual([]);
    for (const id of ["pos_paused", "pos_suspended", "pos_none"])
      expect(await lock(id)).toEqual([]);
  });

  test("a run is written down, and its schedule moves on", async () => {
    const { database, put, owner, ...world } = await open(engine);
    await put("pos_1", { next_run_at: at(-5), version: 7 });
    await put("pos_2", { next_run_at: at(-5), version: 7 });
    const tables = {
      payout_schedules: "t.id",
      payout_runs: "t.schedule_id",
      events: "t.resource_id",
    };
    const resource = { type: "payout_schedule", id: "pos_1" };
    const event = { ...owner, type: "payout_schedule.due", resource, data: {} } as const;
    const grid = { scheduleId: "pos_1", slot: at(-5), missed: 3, nextRunAt: at(95), now: at(1) };
    const outcome = { outcome: "due", reason: null, withdrawalId: null } as const;
    await expectStep(
      {
        database,
        key: "payout_schedules pos_1",
        prepare: () => Promise.resolve(),
        contents: () => contentsOf(database, tables),
      },
      {
        statement: recordPayoutRun,
        before: {},
        values: { ...grid, ...outcome, ...eventValues(world, anyEvent(event)) },
        changes: { next_run_at: at(95), version: 8, updated_at: at(1) },
        writes: {
          "payout_runs pos_1": { slot: at(-5), ran_at: at(1), missed: 3, outcome: "due" },
          "events pos_1": { type: "payout_schedule.due" },
        },
      },
    );
  });

  test("one is retired as it was read, once, and no other one is touched", async () => {
    const { database, put, owner, other, ...world } = await open(engine);
    const tables = { payout_schedules: "t.id", events: "t.resource_id || ' ' || t.type" };
    const resource = { type: "payout_schedule", id: "pos_1" };
    const event = { ...owner, type: "payout_schedule.retired", resource, data: {} } as const;
    const row = { version: 7 };
    await expectStep(
      {
        database,
        key: "payout_schedules pos_1",
        prepare: async (before) => {
          await query(database)`delete from payout_schedules`;
          await put("pos_1", before);
          await put("pos_2", row);
          await put("pos_3", row, other);
        },
        contents: () => contentsOf(database, tables),
      },
      {
        statement: retireSchedule,
        before: row,
        values: {
          ...owner,
          id: "pos_1",
          versionRead: 7n,
          now: at(1),
          ...eventValues(world, anyEvent(event)),
        },
        wrongValues: [
          { id: "pos_none" },
          { versionRead: 6n },
          { environment: "live" },
          { merchantId: other.merchantId },
        ],
        wrongBefore: [{ ...row, ...retired }],
        changes: { status: "retired", version: 8, updated_at: at(1), retired_at: at(1) },
        writes: { "events pos_1 payout_schedule.retired": {} },
      },
    );
  });

  test("a schedule is found by its owner, and its twin by deployment and address", async () => {
    const { database, put, owner, other } = await open(engine);
    const withdrawAddressId = await put("pos_1");
    await put("pos_2");
    await put("pos_3", {}, other);
    const find = async (more: Partial<Owner>, id = "pos_1") =>
      (await database.run(findSchedule, { ...owner, ...more, id })).map((row) => row.id);
    expect(await find({})).toEqual(["pos_1"]);
    expect(await find({ environment: "live" })).toEqual([]);
    expect(await find({ merchantId: other.merchantId })).toEqual([]);
    expect(await find({}, "pos_none")).toEqual([]);
    const { deploymentId } = usdc;
    const twin = async (more: object) => {
      const values = { ...owner, deploymentId, withdrawAddressId, ...more };
      return (await database.run(findOpenSchedule, values)).map((row) => row.id);
    };
    expect(await twin({})).toEqual(["pos_1"]);
    expect(await twin({ environment: "live" })).toEqual([]);
    expect(await twin({ merchantId: other.merchantId })).toEqual([]);
    expect(await twin({ deploymentId: "dep_usdc_base" })).toEqual([]);
    expect(await twin({ withdrawAddressId: "wad_none" })).toEqual([]);
    await query(database)`update payout_schedules set status = 'paused' where id = 'pos_1'`;
    expect(await twin({})).toEqual(["pos_1"]);
    await query(database)`update payout_schedules set status = 'retired', retired_at = now()
      where id = 'pos_1'`;
    expect(await twin({})).toEqual([]);
  });

  test("a list has the newest first, by each filter and from each place", async () => {
    const { database, put, owner, other } = await open(engine);
    await put("pos_1", { created_at: at(1) });
    await put("pos_2", { created_at: at(2), status: "paused" });
    await put("pos_3", { created_at: at(2) });
    const main = {
      deployment_id: "dep_dai_ethereum",
      chain_id: "eip155:1",
      currency_id: "cur_dai",
    };
    await put("pos_4", { created_at: at(3), ...main });
    await put("pos_5", { created_at: at(4) }, other);
    const list = async (more: object) => {
      const any = { status: null, currencyId: null, chainId: null, rowsMax: 9 };
      const values = { ...owner, ...any, afterCreatedAt: null, afterId: null, ...more };
      return (await database.run(listSchedules, values)).map((row) => row.id);
    };
    expect(await list({})).toEqual(["pos_4", "pos_3", "pos_2", "pos_1"]);
    expect(await list({ rowsMax: 2 })).toEqual(["pos_4", "pos_3"]);
    expect(await list({ status: "paused" })).toEqual(["pos_2"]);
    expect(await list({ currencyId: "cur_dai" })).toEqual(["pos_4"]);
    expect(await list({ chainId })).toEqual(["pos_3", "pos_2", "pos_1"]);
    expect(await list({ afterCreatedAt: at(2), afterId: "pos_3" })).toEqual(["pos_2", "pos_1"]);
    expect(await list({ environment: "live" })).toEqual([]);
    expect(await list({ merchantId: other.merchantId })).toEqual(["pos_5"]);
  });
});
