// Several processes and merchants at the same moment: a payout runs once, and not after a pause.

import { describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import { usdc, whole } from "../withdrawals/scene.ts";
import {
  beforeTransaction,
  dayMilliseconds,
  openFunded,
  openSchedule,
  openWorld,
} from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Clocks that differ by an hour must not make a chain stale here: that is not what is tested. */
const limits = {
  blockAgeMillisecondsMax: 2 * hourMilliseconds,
  lookAgeMillisecondsMax: 2 * hourMilliseconds,
};
const skews = [0, hourMilliseconds, -hourMilliseconds];

function startSkewed(world: World, isOnDatabaseClock = false) {
  return skews.map((skewMilliseconds) =>
    world.startProcess({ skewMilliseconds, limits, isOnDatabaseClock }),
  );
}

describe.each(engines)("on %s", (engine) => {
  test("threat 68: processes at once, with clocks an hour apart, pay out once for each slot", async () => {
    const world = await openWorld(engine);
    const owner = await world.newOwner();
    const { id } = await world.schedule(owner);
    const processes = startSkewed(world);
    for (let day = 1; day <= 5; day++) {
      await world.fund(owner, 100n * whole);
      world.clock.advance(dayMilliseconds - 1);
      await world.readChain();
      const early = await Promise.all(processes.map(({ payOut }) => payOut()));
      expect(early.map(({ done }) => done)).toEqual([0, 0, 0]);
      world.clock.advance(1);
      const runs = await Promise.all(processes.map(({ payOut }) => payOut()));
      expect(runs.reduce((sum, { done }) => sum + done, 0)).toBe(1);
      expect(await world.withdrawalsOf(owner)).toHaveLength(day);
    }
    const slots = (await world.runsOf(id)).map(({ slot }) => slot.toISOString().slice(0, 10));
    expect(slots).toEqual(["02", "03", "04", "05", "06"].map((day) => `2026-01-${day}`));
    const sequences = (await world.eventsAbout(id)).map(({ sequence }) => sequence);
    expect(sequences).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
    expect(await world.isLedgerWhole()).toBe(true);
  });

  test("threat 68: what is due is said by the clock of the database alone", async () => {
    const { world, owner, id } = await openSchedule(engine);
    // The clocks of these processes are years behind it.
    const processes = startSkewed(world, true);
    const setNext = (minutes: number) =>
      query(world.database)`update payout_schedules
        set next_run_at = date_trunc('milliseconds', clock_timestamp())
          + make_interval(mins => ${minutes})
        where id = ${id}`;
    await world.readChain();
    await setNext(30);
    const early = await Promise.all(processes.map(({ payOut }) => payOut()));
    expect(early.map(({ done }) => done)).toEqual([0, 0, 0]);
    await setNext(-1);
    const runs = await Promise.all(processes.map(({ payOut }) => payOut()));
    expect(runs.reduce((sum, { done }) => sum + done, 0)).toBe(1);
    expect(await world.withdrawalsOf(owner)).toHaveLength(1);
  });

  test("paused between the search and the lock: nothing is sent", async () => {
    const { world, owner, id } = await openSchedule(engine);
    world.clock.advance(dayMilliseconds);
    await world.readChain();
    const database = beforeTransaction(world.database, () => world.pause(owner, id));
    expect((await world.startProcess({ database }).payOut()).done).toBe(0);
    expect(await world.withdrawalsOf(owner)).toEqual([]);
    expect((await world.eventsAbout(id)).map(({ type }) => type)).toEqual([
      "payout_schedule.created",
      "payout_schedule.paused",
    ]);
  });

  test("a pause and a run at once: either the run came first, or it never came", async () => {
    const world = await openWorld(engine);
    const { payOut } = world.startProcess();
    for (let round = 0; round < 8; round++) {
      const owner = await world.newOwner();
      await world.fund(owner, 100n * whole);
      const { id } = await world.schedule(owner);
      world.clock.advance(dayMilliseconds);
      await world.readChain();
      await Promise.all([payOut(), world.pause(owner, id), payOut()]);
      const types = (await world.eventsAbout(id)).map(({ type }) => type.replace(/.*\./, ""));
      const isSent = (await world.withdrawalsOf(owner)).length === 1;
      expect(types).toEqual(["created", ...(isSent ? ["run_requested"] : []), "paused"]);
      await world.fund(owner, 100n * whole);
      world.clock.advance(dayMilliseconds);
      await world.readChain();
      expect((await payOut()).done).toBe(0);
    }
  });

  test("a payout and withdrawals of the merchant at once never spend more than there is", async () => {
    const world = await openWorld(engine);
    const { payOut } = world.startProcess();
    for (let round = 0; round < 4; round++) {
      const owner = await world.newOwner();
      await world.fund(owner, 100n * whole);
      const { withdrawAddressId } = await world.schedule(owner);
      world.clock.advance(dayMilliseconds);
      await world.readChain();
      await Promise.allSettled([
        world.request(owner, withdrawAddressId, "60"),
        payOut(),
        world.request(owner, withdrawAddressId, "70"),
      ]);
      const sent = (await world.withdrawalsOf(owner)).map((one) => BigInt(one.send_amount_raw));
      const total = sent.reduce((sum, one) => sum + one, 0n);
      expect(total).toBeLessThanOrEqual(100n * whole);
      expect(await world.balance(owner, "merchant:withdrawing")).toBe(total);
      expect(await world.balance(owner, "merchant:available")).toBe(100n * whole - total);
    }
    expect(await world.isLedgerWhole()).toBe(true);
  });

  test("two schedules of one balance, run at once by two processes, pay it out once", async () => {
    const { world, owner } = await openFunded(engine);
    const made = [await world.schedule(owner), await world.schedule(owner)];
    world.clock.advance(dayMilliseconds);
    await world.readChain();
    const processes = startSkewed(world);
    await Promise.all(processes.map(({ payOut }) => payOut()));
    const runs = (await Promise.all(made.map(({ id }) => world.runsOf(id)))).flat();
    expect(runs.map(({ outcome }) => outcome).toSorted()).toEqual(["requested", "skipped"]);
    expect(await world.balance(owner, "merchant:withdrawing", usdc)).toBe(100n * whole);
  });
});
