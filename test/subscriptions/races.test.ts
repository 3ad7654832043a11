// Several billers and a merchant at the same moment: a period is billed once, and never after the end.

import { describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { hourMilliseconds } from "../support/service-parts.ts";
import { intervalDays, openShop, openSubscription } from "./billing.ts";
import { beforeTransaction, dayMilliseconds } from "../support/world.ts";

const skews = [0, hourMilliseconds, -hourMilliseconds];

describe.each(engines)("on %s", (engine) => {
  test("threat 70: billers at once, with clocks an hour apart, bill each period once", async () => {
    const { world, owner } = await openShop(engine);
    const ids = await Promise.all([1, 2, 3].map(async () => (await world.subscribe(owner)).id));
    const billers = skews.map((skewMilliseconds) => world.startProcess({ skewMilliseconds }));
    const billAll = async () => {
      const runs = await Promise.all(billers.map(({ bill }) => bill()));
      return runs.reduce((sum, { done }) => sum + done, 0);
    };
    world.clock.advance(hourMilliseconds);
    for (let period = 0; period < 3; period++) {
      expect(await billAll()).toBe(ids.length);
      for (const id of ids) {
        const bills = await world.bills(id);
        expect(bills).toHaveLength(period + 1);
        await world.answer(id, "paid");
      }
      expect(await billAll()).toBe(ids.length);
      world.clock.advance(intervalDays * dayMilliseconds);
    }
    for (const id of ids) {
      const sequences = (await world.eventsAbout(id)).map(({ sequence }) => sequence);
      expect(sequences).toEqual([1n, 2n, 3n]);
      const orders = (await world.bills(id)).map((one) => one.order_no);
      expect(new Set(orders).size).toBe(3);
    }
  });

  test("threat 70: cancelled between the search and the lock, it is not billed", async () => {
    const { world, owner, id } = await openSubscription(engine);
    const database = beforeTransaction(world.database, () => world.cancel(owner, id));
    expect((await world.startProcess({ database }).bill()).done).toBe(0);
    expect(await world.bills(id)).toEqual([]);
    expect(await world.typesAbout(id)).toEqual(["cancelled"]);
  });

  test("threat 70: a cancellation and billers at once leave no bill that can be paid", async () => {
    const { world, owner } = await openShop(engine);
    for (let round = 0; round < 8; round++) {
      const { id } = await world.subscribe(owner);
      const [, cancelled] = await Promise.all([
        world.bill(),
        world.cancel(owner, id),
        world.bill(),
      ]);
      expect(cancelled.status).toBe("cancelled");
      const bills = await world.bills(id);
      expect(bills.length).toBeLessThanOrEqual(1);
      expect(bills.map((one) => one.status)).toEqual(bills.map(() => "cancelled"));
      const types = await world.typesAbout(id);
      expect(types).toEqual([...bills.map(() => "billed"), "cancelled"]);
      const billsBefore = bills.length;
      world.clock.advance(2 * intervalDays * dayMilliseconds);
      expect((await world.bill()).done).toBe(0);
      expect(await world.bills(id)).toHaveLength(billsBefore);
    }
  });

  test.each(["partially_paid", "confirming", "paid"] as const)(
    "a cancellation leaves a bill alone for which funds were seen (%s)",
    async (status) => {
      const { world, owner, id } = await openSubscription(engine);
      await world.bill();
      await world.answer(id, status);
      await world.cancel(owner, id);
      expect((await world.bills(id)).map((one) => one.status)).toEqual([status]);
      expect(await world.typesAbout(id)).toEqual(["billed", "cancelled"]);
    },
  );

  test("a cancellation cancels the open bill of its own period only, with its event", async () => {
    const { world, owner } = await openShop(engine);
    const [one, other] = [await world.subscribe(owner), await world.subscribe(owner)];
    await world.bill();
    await world.cancel(owner, one.id);
    const [bill] = await world.bills(one.id);
    expect(bill?.status).toBe("cancelled");
    expect(await world.eventsOf(bill?.payment_id ?? "")).toEqual([
      "payment.created",
      "payment.cancelled",
    ]);
    expect((await world.bills(other.id)).map(({ status }) => status)).toEqual(["pending"]);
  });
});
