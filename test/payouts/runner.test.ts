// What a run of a recurring payout does, and what keeps it from doing anything.

import { describe, expect, test } from "vitest";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { chainId, usdc, whole } from "../withdrawals/scene.ts";
import {
  dayMilliseconds,
  daySeconds,
  failingAt,
  openFunded,
  openSchedule,
  openWorld,
} from "../support/world.ts";
import type { World } from "../support/world.ts";

const minute = 60_000;
const at = (text: string): Date => new Date(text);

/** Until what is due, with the chain read. */
async function pass(world: World, milliseconds: number): Promise<void> {
  world.clock.advance(milliseconds);
  await world.readChain();
}

describe.each(engines)("on %s", (engine) => {
  test("a run withdraws what is available less the fee, and tells it", async () => {
    const { world, owner } = await openFunded(engine);
    await world.policy.setFee(usdc.deploymentId, "0.5");
    const schedule = await world.schedule(owner);
    const { payOut } = world.startProcess();
    await pass(world, dayMilliseconds - 1);
    expect(await payOut()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
    await pass(world, 1 + minute);
    expect(await payOut()).toEqual({ done: 1, isMore: false, lagMilliseconds: minute });
    expect(await payOut()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
    const [withdrawal, ...more] = await world.withdrawalsOf(owner);
    expect([withdrawal, more]).toMatchObject([
      { send_amount_raw: "99500000", status: "pending" },
      [],
    ]);
    expect(await world.balance(owner, "merchant:available")).toBe(0n);
    expect(await world.balance(owner, "merchant:withdrawing")).toBe(100n * whole);
    expect(await world.isLedgerWhole()).toBe(true);
    expect(await world.runsOf(schedule.id)).toEqual([
      {
        slot: at("2026-01-02T00:00:00Z"),
        missed: 0,
        outcome: "requested",
        reason: null,
        withdrawal_id: withdrawal?.id,
      },
    ]);
    const events = await world.eventsAbout(schedule.id);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ["payout_schedule.created", 1n],
      ["payout_schedule.run_requested", 2n],
    ]);
    expect(events[1]?.data).toMatchObject({
      id: schedule.id,
      status: "active",
      slot: "2026-01-02T00:00:00.000Z",
      next_run_at: "2026-01-03T00:00:00.000Z",
      missed_runs: 0,
      withdrawal_id: withdrawal?.id,
      send_amount_raw: "99500000",
      withdrawal_fee_raw: "500000",
    });
    expect(await world.eventsOf(withdrawal?.id ?? "")).toEqual(["withdrawal.requested"]);
  });

  test("notify_only tells once for each slot what could be withdrawn, and moves nothing", async () => {
    const { world, owner } = await openFunded(engine);
    await world.policy.setFee(usdc.deploymentId, "0.5");
    const { id } = await world.schedule(owner, { mode: "notify_only" });
    const { payOut } = world.startProcess();
    for (const _ of [1, 2]) {
      await pass(world, dayMilliseconds);
      expect([(await payOut()).done, (await payOut()).done]).toEqual([1, 0]);
    }
    const [, ...due] = await world.eventsAbout(id);
    const amounts = { send_amount_raw: "99500000", withdrawal_fee_raw: "500000" };
    expect(due).toMatchObject([
      { type: "payout_schedule.due", data: { slot: "2026-01-02T00:00:00.000Z", ...amounts } },
      { type: "payout_schedule.due", data: { slot: "2026-01-03T00:00:00.000Z", ...amounts } },
    ]);
    expect(await world.withdrawalsOf(owner)).toEqual([]);
    expect(await world.balance(owner, "merchant:available")).toBe(100n * whole);
  });

  test.each(["auto_request", "notify_only"] as const)(
    "a run with less than the minimum after the fee is skipped, and the next one is not (%s)",
    async (mode) => {
      const world = await openWorld(engine);
      const owner = await world.newOwner();
      await world.policy.setFee(usdc.deploymentId, "0.5");
      const { id } = await world.schedule(owner, { mode });
      const { payOut } = world.startProcess();
      await world.fund(owner, 10n * whole);
      await pass(world, dayMilliseconds);
      expect((await payOut()).done).toBe(1);
      await world.fund(owner, whole / 2n);
      await pass(world, dayMilliseconds);
      expect((await payOut()).done).toBe(1);
      const skipped = { outcome: "skipped", reason: "amount_too_small", withdrawal_id: null };
      const outcome = mode === "auto_request" ? "requested" : "due";
      expect(await world.runsOf(id)).toMatchObject([skipped, { outcome, reason: null }]);
      const [, first] = await world.eventsAbout(id);
      expect(first).toMatchObject({
        type: "payout_schedule.run_skipped",
        data: { reason: "amount_too_small", slot: "2026-01-02T00:00:00.000Z" },
      });
      expect((await world.withdrawalsOf(owner)).map((one) => one.send_amount_raw)).toEqual(
        mode === "auto_request" ? ["10000000"] : [],
      );
    },
  );

  test("withdrawals that are off for a while let the runs be skipped, and do not end them", async () => {
    const { world, id } = await openSchedule(engine);
    const { payOut, retire } = world.startProcess();
    const set = (isOn: boolean) =>
      query(
        world.database,
      )`update deployments set withdrawal_enabled = ${isOn} where id = ${usdc.deploymentId}`;
    await set(false);
    await pass(world, dayMilliseconds);
    expect([(await payOut()).done, (await retire()).done]).toEqual([1, 0]);
    await set(true);
    await pass(world, dayMilliseconds);
    await payOut();
    expect(await world.runsOf(id)).toMatchObject([
      { outcome: "skipped", reason: "withdrawals_disabled" },
      { outcome: "requested" },
    ]);
  });

  test("threat 69: of ten missed runs there is one, and the next is on the grid", async () => {
    const { world, id } = await openSchedule(engine, { mode: "notify_only" });
    const { payOut } = world.startProcess();
    await pass(world, 10 * dayMilliseconds + 7 * minute);
    expect(await payOut()).toEqual({
      done: 1,
      isMore: false,
      lagMilliseconds: 9 * dayMilliseconds + 7 * minute,
    });
    expect((await payOut()).done).toBe(0);
    expect(await world.runsOf(id)).toMatchObject([
      { slot: at("2026-01-11T00:00:00Z"), missed: 9, outcome: "due" },
    ]);
    expect((await world.eventsAbout(id))[1]?.data).toMatchObject({ missed_runs: 9 });
    expect((await world.scheduleRow(id)).next_run_at).toEqual(at("2026-01-12T00:00:00Z"));
  });

  test("the grid stays in UTC, however late the runs are and whatever the clocks of people do", async () => {
    const world = await openWorld(engine);
    const owner = await world.newOwner();
    // The hour that summer time leaves out in Europe, and the one it repeats.
    for (const first of ["2026-03-28T01:30:00Z", "2026-10-24T01:30:00Z"]) {
      const firstRunAt = at(first);
      const { id } = await world.schedule(owner, { mode: "notify_only", firstRunAt });
      const { payOut } = world.startProcess();
      await pass(world, firstRunAt.getTime() - world.clock.nowMilliseconds());
      for (const late of [7, 0, 59]) {
        await pass(world, late * minute);
        await payOut();
        await pass(world, dayMilliseconds - late * minute);
      }
      const slots = (await world.runsOf(id)).map(({ slot }) => slot.getTime());
      const start = firstRunAt.getTime();
      expect(slots).toEqual([start, start + dayMilliseconds, start + 2 * dayMilliseconds]);
      await world.pause(owner, id);
    }
  });

  test("a chain that is stale, or was never read, stops the runs, and the lag shows it", async () => {
    const { world, owner, id } = await openSchedule(engine);
    const { payOut } = world.startProcess();
    const lagMilliseconds = minute;
    world.clock.advance(dayMilliseconds + minute);
    expect(await payOut()).toEqual({ done: 0, isMore: false, lagMilliseconds });
    await world.readChain();
    world.clock.advance(dayMilliseconds);
    expect(await payOut()).toEqual({
      done: 0,
      isMore: false,
      lagMilliseconds: lagMilliseconds + dayMilliseconds,
    });
    expect(await world.withdrawalsOf(owner)).toEqual([]);
    await world.readChain();
    expect((await payOut()).done).toBe(1);
    expect(await world.runsOf(id)).toMatchObject([{ missed: 1, outcome: "requested" }]);
  });

  test("a suspended merchant is paid nothing, and once when it is active again", async () => {
    const { world, owner, id } = await openSchedule(engine);
    const { payOut } = world.startProcess();
    const set = (status: string) =>
      query(world.database)`update merchants set status = ${status} where id = ${owner.merchantId}`;
    await set("suspended");
    await pass(world, 3 * dayMilliseconds);
    expect(await payOut()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
    await set("active");
    expect((await payOut()).done).toBe(1);
    expect(await world.runsOf(id)).toMatchObject([{ missed: 2, outcome: "requested" }]);
  });

  test("a disabled address retires its schedules, the paused one too, whatever the chain does", async () => {
    const { world, owner } = await openFunded(engine);
    const due = await world.schedule(owner);
    const paused = await world.schedule(owner);
    const other = await world.schedule(owner, { mode: "notify_only" });
    await world.pause(owner, paused.id);
    await pass(world, dayMilliseconds);
    for (const { withdrawAddressId } of [due, paused]) {
      await world.addresses.disable(withdrawAddressId);
    }
    const { payOut, retire } = world.startProcess();
    expect((await payOut()).done).toBe(2);
    world.clock.advance(dayMilliseconds);
    expect(await retire()).toEqual({ done: 1, isMore: false });
    expect(await retire()).toEqual({ done: 0, isMore: false });
    expect(await world.withdrawalsOf(owner)).toEqual([]);
    for (const { id } of [due, paused]) {
      expect(await world.runsOf(id)).toEqual([]);
      expect((await world.eventsAbout(id)).at(-1)).toMatchObject({
        type: "payout_schedule.retired",
        data: { status: "retired", enabled: false, reason: "withdraw_address_disabled" },
      });
    }
    expect((await world.scheduleRow(other.id)).status).toBe("active");
    const { retiredAt } = await world.pause(owner, due.id);
    expect(retiredAt).toEqual(at("2026-01-02T00:00:00Z"));
  });

  test("threat 21: an address that became ours retires its schedules, the paused one too", async () => {
    const { world, owner } = await openFunded(engine);
    const [due, paused] = [await world.schedule(owner), await world.schedule(owner)];
    await world.pause(owner, paused.id);
    const rows = await query(world.database)<{ account: string }>`
      select address as account from withdraw_addresses`;
    const treasuries = rows.map(({ account }) => ({ account, role: "treasury" }) as const);
    await rememberOwnAccounts(world, treasuries);
    await pass(world, dayMilliseconds);
    const { payOut, retire } = world.startProcess();
    expect([(await payOut()).done, (await retire()).done]).toEqual([1, 1]);
    for (const { id } of [due, paused]) {
      expect((await world.eventsAbout(id)).at(-1)?.data).toMatchObject({
        status: "retired",
        reason: "withdraw_address_not_allowed",
      });
    }
    expect(await world.withdrawalsOf(owner)).toEqual([]);
  });

  test("a delisted deployment retires its schedules", async () => {
    const world = await openWorld(engine);
    const owner = await world.newOwner();
    const [one, other] = [await world.schedule(owner), await world.schedule(owner)];
    await query(
      world.database,
    )`update deployments set listing_status = 'delisted', delisting_since = ${world.clock.now()},
        deposit_enabled = false where id = ${usdc.deploymentId}`;
    expect((await world.startProcess().retire()).done).toBe(2);
    for (const { id } of [one, other]) {
      expect((await world.eventsAbout(id)).at(-1)?.data).toMatchObject({
        reason: "deployment_delisted",
        target_chain_id: chainId,
      });
    }
  });

  test("one that fails does not keep the others waiting, and the job says that it failed", async () => {
    const world = await openWorld(engine);
    const [broken, sound] = [await world.newOwner(), await world.newOwner()];
    for (const owner of [broken, sound]) await world.fund(owner, 100n * whole);
    await world.schedule(broken, { firstRunAt: world.clock.now() });
    const { id } = await world.schedule(sound);
    await pass(world, dayMilliseconds);
    const { payOut } = world.startProcess({
      withdrawals: {
        requestInTransaction: (database, command) => {
          if (command.owner.merchantId === broken.merchantId) throw new Error("a fault of ours");
          return world.withdrawals.requestInTransaction(database, command);
        },
        lookInTransaction: (database, command) =>
          world.withdrawals.lookInTransaction(database, command),
      },
    });
    await expect(payOut()).rejects.toThrow("a fault of ours");
    expect(await world.runsOf(id)).toMatchObject([{ outcome: "requested" }]);
    expect(await world.withdrawalsOf(broken)).toEqual([]);
    expect((await world.startProcess().payOut()).done).toBe(1);
  });

  test("a process that dies at any step leaves nothing, and the next one does all of it", async () => {
    const { world, owner, id } = await openSchedule(engine, { intervalSeconds: daySeconds });
    await pass(world, dayMilliseconds);
    const before = await world.counts();
    let steps = 0;
    for (let step = 1; ; step++) {
      const database = failingAt(world.database, step);
      const run = world.startProcess({ database }).payOut();
      if ((await Promise.allSettled([run]))[0].status === "fulfilled") break;
      steps = step;
      expect({ step, counts: await world.counts() }).toEqual({ step, counts: before });
    }
    expect(steps).toBeGreaterThanOrEqual(5);
    expect(await world.runsOf(id)).toHaveLength(1);
    expect(await world.withdrawalsOf(owner)).toHaveLength(1);
    const events = await world.eventsAbout(id);
    expect(events.map(({ sequence }) => sequence)).toEqual([1n, 2n]);
    expect(await world.isLedgerWhole()).toBe(true);
  });

  test("a batch is bounded, and the rest follows at once", async () => {
    const world = await openWorld(engine);
    const owner = await world.newOwner();
    const { id, withdrawAddressId } = await world.schedule(owner, { mode: "notify_only" });
    await query(
      world.database,
    )`insert into withdraw_addresses (id, merchant_id, environment, chain_id, chain_family,
          address, destination_type, created_at, activates_at, idempotency_key)
        select 'wad_x' || n, merchant_id, environment, chain_id, chain_family, '0x' || n,
          destination_type, created_at, activates_at, 'x' || n
        from withdraw_addresses, generate_series(1, 59) n where id = ${withdrawAddressId}`;
    await query(
      world.database,
    )`insert into payout_schedules (id, merchant_id, environment, currency_id, deployment_id,
          chain_id, withdraw_address_id, interval_seconds, min_send_raw, mode, next_run_at,
          created_at, updated_at, idempotency_key)
        select 'pos_x' || n, merchant_id, environment, currency_id, deployment_id, chain_id,
          'wad_x' || n, interval_seconds, min_send_raw, mode, next_run_at, created_at, updated_at,
          'x' || n
        from payout_schedules, generate_series(1, 59) n where id = ${id}`;
    await pass(world, dayMilliseconds);
    const { payOut } = world.startProcess();
    expect(await payOut()).toMatchObject({ done: 50, isMore: true });
    expect(await payOut()).toMatchObject({ done: 10, isMore: false });
  });
});
