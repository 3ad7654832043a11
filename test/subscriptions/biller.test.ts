// What customers are billed, how often it is tried, and what follows when they do not pay.

import { describe, expect, test } from "vitest";
import { OperatorError } from "../../service/operator-error.ts";
import { subscriptionEdges } from "../../service/subscriptions/states.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { chainId, usdc } from "../withdrawals/scene.ts";
import { intervalDays, openBilling, openShop, openSubscription, tryDays } from "./billing.ts";
import { dayMilliseconds, daySeconds, failingAt } from "../support/world.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const day = (count: number): Date => new Date(start + count * dayMilliseconds);
const edges = subscriptionEdges.map((edge) => ({
  ...edge,
  name: `${edge.from} -> ${edge.to} by ${edge.trigger}`,
}));

describe.each(engines)("on %s", (engine) => {
  test.each(edges)("$name", async ({ from, trigger, to }) => {
    const { world, owner } = await openShop(engine);
    // No edge leads out of the others.
    if (from === "cancelled" || from === "expired") throw new Error(`an edge out of ${from}`);
    const { id, status } = await world.subscribed(owner, from);
    expect(status).toBe(from);
    const follow = {
      bill_paid: async () => {
        await world.bill();
        await world.answer(id, "paid");
        await world.bill();
      },
      tries_exhausted: () => world.leaveUnpaid(3),
      waited_too_long: async () => {
        await world.passDays(14);
        await world.bill();
      },
      cancelled: async () => {
        await world.cancel(owner, id);
      },
    };
    await follow[trigger]();
    const after = await world.subscriptions.get(owner, id);
    expect(after.status).toBe(to);
    expect(after.nextBillAt === null).toBe(to === "cancelled" || to === "expired");
    const sequences = (await world.eventsAbout(id)).map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    const orders = (await world.bills(id)).map((one) => one.order_no);
    expect(new Set(orders).size).toBe(orders.length);
    if (to !== "cancelled" && to !== "expired") return;
    const bills = await world.bills(id);
    expect(bills.filter((one) => one.status === "pending")).toEqual([]);
    await world.passDays(100);
    expect((await world.bill()).done).toBe(0);
    expect(await world.bills(id)).toHaveLength(bills.length);
  });

  test("a bill is a payment like any other, and the merchant hears where it is paid", async () => {
    const { world, owner } = await openShop(engine);
    const firstBillAt = day(1);
    const { id } = await world.subscribe(owner, { firstBillAt });
    expect(await world.bill()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
    await world.passDays(1);
    world.clock.advance(1000);
    expect(await world.bill()).toEqual({ done: 1, isMore: false, lagMilliseconds: 1000 });
    expect((await world.bill()).done).toBe(0);
    const [bill, ...more] = await world.bills(id);
    expect(more).toEqual([]);
    expect(bill).toMatchObject({
      period_start: firstBillAt,
      try: 1,
      refused: null,
      status: "pending",
      order_no: `${id}/2026-01-02T00:00:00.000Z/1`,
      lives_seconds: tryDays * daySeconds,
    });
    const events = await world.eventsAbout(id);
    expect(events).toMatchObject([
      {
        type: "subscription.billed",
        data: {
          id,
          status: "incomplete",
          amount: "9.99",
          period_start: "2026-01-02T00:00:00.000Z",
          try: 1,
          next_bill_at: day(1 + intervalDays).toISOString(),
          payment_id: bill?.payment_id,
          checkout_url: expect.stringMatching(
            /^https:\/\/pay\.example\/checkout\/.{22}$/,
          ) as string,
        },
      },
    ]);
    const rows = await query(
      world.database,
    )`select user_id, merchant_id, environment from payments where id = ${bill?.payment_id}`;
    expect(rows).toEqual([
      { user_id: "u-1", merchant_id: owner.merchantId, environment: owner.environment },
    ]);
    expect(await world.eventsOf(bill?.payment_id ?? "")).toEqual(["payment.created"]);
  });

  test("one that is paid is billed again on its grid, however late it was paid", async () => {
    const { world, owner, id } = await openSubscription(engine);
    for (const [round, paid] of (["paid", "overpaid", "paid_late"] as const).entries()) {
      await world.bill();
      await world.passDays(5);
      await world.answer(id, paid);
      await world.bill();
      const { status, nextBillAt, open } = await world.subscriptions.get(owner, id);
      expect([status, nextBillAt, open]).toEqual(["active", day(intervalDays * (round + 1)), null]);
      await world.passDays(intervalDays - 5);
    }
    expect((await world.bills(id)).map((one) => [one.period_start, one.try])).toEqual([
      [day(0), 1],
      [day(intervalDays), 1],
      [day(2 * intervalDays), 1],
    ]);
    expect(await world.typesAbout(id)).toEqual(["billed", "billed", "billed"]);
  });

  test("three tries, then it is past due, with one last payment that stays open for a week", async () => {
    const { world, owner, id } = await openSubscription(engine, "active");
    await world.leaveUnpaid(3);
    expect((await world.subscriptions.get(owner, id)).status).toBe("past_due");
    expect(await world.typesAbout(id)).toEqual([
      "billed",
      "billed",
      "billed",
      "billed",
      "past_due",
      "billed",
    ]);
    const tries = (await world.bills(id)).filter((one) => one.period_start > day(0));
    expect(tries.map((one) => [one.try, one.status, one.lives_seconds])).toEqual([
      [1, "expired", tryDays * daySeconds],
      [2, "expired", tryDays * daySeconds],
      [3, "expired", tryDays * daySeconds],
      [4, "pending", 7 * daySeconds],
    ]);
    expect((await world.bill()).done).toBe(0);
    await world.passDays(8);
    expect((await world.bill()).done).toBe(0);
  });

  test("the tries of a daily subscription fit into its day, and its last payment lasts a week", async () => {
    const { world, owner } = await openShop(engine);
    const { id } = await world.subscribe(owner, { intervalSeconds: daySeconds });
    await world.bill();
    await world.answer(id, "paid");
    await world.bill();
    await world.passDays(1);
    for (let count = 0; count < 3; count++) {
      await world.bill();
      await world.passDays(0.2501);
    }
    await world.bill();
    const lives = (await world.bills(id)).map((one) => one.lives_seconds);
    expect(lives.slice(1)).toEqual([21_600, 21_600, 21_600, 7 * daySeconds]);
    expect((await world.subscriptions.get(owner, id)).status).toBe("past_due");
  });

  test("a try that is paid late, whenever we hear of it: active, and billed from the next period on", async () => {
    const { world, owner, id } = await openSubscription(engine, "past_due");
    // Nobody billed meanwhile: the last one is over by now, and so are two further periods.
    await world.passDays(50);
    const first = (await world.bills(id)).find((one) => one.period_start > day(0));
    await world.setPayment(first?.payment_id, "paid_late");
    await world.bill();
    const { status, nextBillAt, open, pastDueSince } = await world.subscriptions.get(owner, id);
    expect([status, open, pastDueSince]).toEqual(["active", null, null]);
    const now = world.clock.now();
    const grid = Array.from({ length: 9 }, (_, index) => day(intervalDays * index));
    expect(nextBillAt).toEqual(grid.find((point) => point >= now));
    expect((await world.bill()).done).toBe(0);
  });

  test("the standing payment is cancelled when an earlier try is paid late", async () => {
    const { world, id } = await openSubscription(engine, "past_due");
    const [, first] = await world.bills(id);
    await world.setPayment(first?.payment_id, "paid_late");
    await world.bill();
    expect((await world.bills(id)).map((one) => one.status)).toEqual([
      "paid",
      "paid_late",
      "expired",
      "expired",
      "cancelled",
    ]);
    const last = (await world.bills(id)).at(-1)?.payment_id ?? "";
    expect(await world.eventsOf(last)).toEqual(["payment.created", "payment.cancelled"]);
  });

  test("past due for 14 days it expires, and what is still open is cancelled", async () => {
    const { world, owner, id } = await openSubscription(engine, "past_due");
    // As if the chain had not been read since.
    world.clock.advance(14 * dayMilliseconds - 1);
    expect((await world.bill()).done).toBe(0);
    world.clock.advance(1);
    expect((await world.bill()).done).toBe(1);
    expect((await world.subscriptions.get(owner, id)).status).toBe("expired");
    expect((await world.typesAbout(id)).slice(-3)).toEqual(["past_due", "billed", "expired"]);
    expect((await world.bills(id)).at(-1)?.status).toBe("cancelled");
  });

  test.each([
    ["paid", "active"],
    ["expired", "expired"],
  ] as const)(
    "while all of the price is on its way it does not expire: %s, then %s",
    async (payment, status) => {
      const { world, owner, id } = await openSubscription(engine, "past_due");
      await world.answer(id, "confirming");
      await world.passDays(40);
      expect(await world.bill()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
      await world.answer(id, payment);
      expect((await world.bill()).done).toBe(1);
      expect((await world.subscriptions.get(owner, id)).status).toBe(status);
    },
  );

  test("a payment that is refused counts as a try, and the next one is made when it may be", async () => {
    const { world, owner, id } = await openSubscription(engine, "active");
    await world.accept(owner, new Map());
    await world.bill();
    const refused = { status: null, refused: "currency_not_accepted", payment_id: null };
    expect((await world.bills(id)).slice(1)).toMatchObject([{ try: 1, ...refused }]);
    expect((await world.eventsAbout(id)).at(-1)).toMatchObject({
      type: "subscription.billed",
      data: { try: 1, payment_id: null, refused: "currency_not_accepted" },
    });
    await world.passDays(tryDays - 0.01);
    expect((await world.bill()).done).toBe(0);
    await world.passDays(0.01);
    expect((await world.bill()).done).toBe(1);
    await world.accept(owner, new Map([[usdc.currencyId, null]]));
    await world.passDays(tryDays);
    await world.bill();
    expect((await world.bills(id)).slice(1)).toMatchObject([
      { try: 1, ...refused },
      { try: 2, ...refused },
      { try: 3, status: "pending", refused: null },
    ]);
  });

  test("one that is refused to the end is past due, keeps nobody waiting, and expires", async () => {
    const { world, owner, id } = await openSubscription(engine, "active");
    await world.accept(owner, new Map());
    await world.leaveUnpaid(3);
    expect((await world.subscriptions.get(owner, id)).status).toBe("past_due");
    await world.passDays(13.9);
    expect(await world.bill()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
    await world.passDays(0.2);
    expect((await world.bill()).done).toBe(1);
    expect((await world.subscriptions.get(owner, id)).status).toBe("expired");
  });

  test("a payment that the merchant cancels, or that is reversed, is followed by the next try", async () => {
    const { world, id } = await openSubscription(engine);
    for (const status of ["cancelled", "reversed"] as const) {
      await world.bill();
      await world.answer(id, status);
    }
    await world.bill();
    expect((await world.bills(id)).map((one) => one.status)).toEqual([
      "cancelled",
      "reversed",
      "pending",
    ]);
  });

  test("a suspended merchant bills nobody, and goes on when it is active again", async () => {
    const { world, owner, id } = await openSubscription(engine);
    const set = (status: string) =>
      query(world.database)`update merchants set status = ${status} where id = ${owner.merchantId}`;
    await set("suspended");
    expect((await world.bill()).done).toBe(0);
    await set("active");
    expect((await world.bill()).done).toBe(1);
    expect(await world.bills(id)).toHaveLength(1);
  });

  test("where nobody watches the chain nobody is billed, and nobody is past due for it", async () => {
    const { world, owner, id } = await openSubscription(engine, "active");
    const blind = world.startProcess({ watchedChainIds: new Set(["eip155:1"]) });
    expect((await blind.bill()).done).toBe(0);
    await world.leaveUnpaid(1);
    const tries = await world.bills(id);
    await world.passDays(60);
    expect((await blind.bill()).done).toBe(0);
    expect(await world.bills(id)).toHaveLength(tries.length);
    expect((await world.subscriptions.get(owner, id)).status).toBe("active");
    expect((await world.bill()).done).toBe(1);
  });

  test("a process that dies at any step leaves nothing, and the next one does all of it", async () => {
    const { world, id } = await openSubscription(engine, "active");
    await world.leaveUnpaid(2);
    await world.passDays(tryDays + 0.01);
    // Past due and the last payment, in one go.
    const before = await world.counts();
    let steps = 0;
    for (let step = 1; ; step++) {
      const database = failingAt(world.database, step);
      const run = world.startProcess({ database }).bill();
      if ((await Promise.allSettled([run]))[0].status === "fulfilled") break;
      steps = step;
      expect({ step, counts: await world.counts() }).toEqual({ step, counts: before });
    }
    expect(steps).toBeGreaterThanOrEqual(8);
    expect((await world.typesAbout(id)).slice(-2)).toEqual(["past_due", "billed"]);
  });

  test.each([
    [{ amount: "0" }, /above zero/],
    [{ amount: "1e3" }, /above zero/],
    [{ amount: "0.0000001" }, /fraction digits/],
    [{ intervalSeconds: 86_399 }, /interval/],
    [{ intervalSeconds: 366 * 86_400 + 1 }, /interval/],
    [{ intervalSeconds: 86_400.5 }, /interval/],
    [{ intervalSeconds: Number.NaN }, /interval/],
    [{ currencyId: "cur_none" }, /no cur_none/],
    [{ chainId: "eip155:999999" }, /eip155:999999/],
    [{ userId: "" }, /user id/],
    [{ userId: "x".repeat(129) }, /user id/],
    [{ userId: "a\0b" }, /user id/],
    [{ firstBillAt: new Date(start - 1) }, /past/],
  ])("the operator cannot create one with %j", async (change, message) => {
    const { world, owner } = await openShop(engine);
    const refused = world.subscribe(owner, change);
    await expect(refused).rejects.toThrow(OperatorError);
    await expect(refused).rejects.toThrow(message);
  });

  test("the operator cannot bill for a merchant that is not there, or live on a test network", async () => {
    const world = await openBilling(engine);
    const { merchantId } = await world.newShop();
    for (const owner of [
      { merchantId: "mer_nobody", environment: "test" },
      { merchantId, environment: "live" },
    ] as const) {
      await expect(world.subscribe(owner)).rejects.toThrow(new RegExp(`on ${chainId}`));
    }
  });
});
