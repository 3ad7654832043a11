// A period is paid once: those that nobody billed in time by the rule of the subscription, and what was
// paid on one try counts in the next (threat 105).

import { describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { dayMilliseconds } from "../support/world.ts";
import { intervalDays, openShop, openSubscription, tryDays } from "./billing.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const day = (count: number): Date => new Date(start + count * dayMilliseconds);
/** 9.99 USDC */
const priceRaw = 9_990_000n;

describe.each(engines)("on %s", (engine) => {
  /** With the first try over, and whatever was paid on it final. */
  const openSecondTry = async (paidRaw: bigint) => {
    const opened = await openSubscription(engine);
    const { world, id } = opened;
    await world.bill();
    const [first] = await world.bills(id);
    if (paidRaw > 0n) await world.pay(first?.payment_id, paidRaw);
    await world.passDays(tryDays + 0.01);
    await world.bill();
    const tries = (await world.bills(id)).map((one) => one.payment_id ?? "");
    return { ...opened, first: tries[0] ?? "", second: tries[1] ?? "" };
  };
  const statuses = async (world: Awaited<ReturnType<typeof openShop>>["world"], id: string) =>
    (await world.bills(id)).map(({ status }) => status);

  test.each([
    ["collapse", [[10, 1, 10]], 11],
    [
      "each",
      [
        [0, 1, 0],
        [1, 1, 0],
        [2, 1, 0],
      ],
      3,
    ],
  ] as const)(
    "threat 105: after a long suspension, by the rule %s",
    async (missedPeriods, expected, next) => {
      const { world, owner } = await openShop(engine);
      const { id } = await world.subscribe(owner, { missedPeriods });
      const set = (status: string) =>
        query(world.database)`update merchants set status = ${status}
          where id = ${owner.merchantId}`;
      await set("suspended");
      await world.passDays(10 * intervalDays + 3);
      expect((await world.bill()).done).toBe(0);
      await set("active");
      for (let round = 0; round < 3; round++) {
        await world.bill();
        await world.answer(id, "paid");
        await world.bill();
      }
      const rows = await query(world.database)<{ period_start: Date; try: number; missed: number }>`
        select period_start, try, missed from subscription_bills
        where subscription_id = ${id} order by period_start, try`;
      expect(rows).toEqual(
        expected.map(([period, tryNumber, missed]) => ({
          period_start: day(period * intervalDays),
          try: tryNumber,
          missed,
        })),
      );
      expect((await world.eventsAbout(id))[0]?.data).toMatchObject({
        missed_periods: expected[0][2],
        bill_amount: "9.99",
      });
      const { nextBillAt } = await world.subscriptions.get(owner, id);
      expect(nextBillAt).toEqual(day(next * intervalDays));
    },
  );

  test("threat 105: what was paid on one try counts in the next", async () => {
    const { world, owner, id, second } = await openSecondTry(6_000_000n);
    expect(await statuses(world, id)).toEqual(["underpaid", "pending"]);
    const asked = await query(world.database)<{ raw: string; due: string }>`
      select b.amount_raw::text as raw,
        p.quotes -> 0 -> 'deployments' -> 0 ->> 'rawAmount' as due
      from subscription_bills b join payments p on p.id = b.payment_id
      where b.subscription_id = ${id} order by b.try`;
    expect(asked).toEqual([
      { raw: "9990000", due: "9990000" },
      { raw: "3990000", due: "3990000" },
    ]);
    expect((await world.eventsAbout(id)).at(-1)?.data).toMatchObject({
      try: 2,
      amount: "9.99",
      bill_amount: "3.99",
    });
    await world.pay(second, 3_990_000n, "seen").then(world.finalize);
    await world.bill();
    expect(await statuses(world, id)).toEqual(["underpaid", "paid"]);
    const { status, open, nextBillAt } = await world.subscriptions.get(owner, id);
    expect([status, open, nextBillAt]).toEqual(["active", null, day(intervalDays)]);
  });

  test("threat 105: what was seen and is not final decides first what the next try asks for", async () => {
    const { world, id } = await openSubscription(engine);
    await world.bill();
    const [first] = await world.bills(id);
    const hash = await world.pay(first?.payment_id, 6_000_000n, "seen");
    await world.passDays(tryDays + 0.01);
    expect(await statuses(world, id)).toEqual(["underpaid"]);
    expect((await world.bill()).done).toBe(0);
    await world.finalize(hash);
    expect((await world.bill()).done).toBe(1);
    const [, second] = await query(world.database)<{ raw: string }>`
      select amount_raw::text as raw from subscription_bills order by try`;
    expect(second?.raw).toBe("3990000");
  });

  test("threat 105: late money on an earlier try counts as well, and dust holds up nothing", async () => {
    const { world, id, first } = await openSecondTry(6_000_000n);
    await world.passDays(tryDays - 0.1);
    const hash = await world.pay(first, 2_000_000n, "seen");
    await world.passDays(0.2);
    expect(await statuses(world, id)).toEqual(["underpaid", "expired"]);
    expect((await world.bill()).done).toBe(0);
    await world.pay(first, 1n, "seen");
    await world.finalize(hash);
    expect((await world.bill()).done).toBe(1);
    const rows = await query(world.database)<{ raw: string }>`
      select amount_raw::text as raw from subscription_bills order by try`;
    expect(rows.map(({ raw }) => raw)).toEqual(["9990000", "3990000", "1990000"]);
  });

  test.each([
    [10_000n, false],
    [10_001n, true],
  ] as const)(
    "threat 105: a rest of %s units of 9.99 USDC is asked for: %s",
    async (rest, isOpen) => {
      const { world, owner, id, first, second } = await openSecondTry(6_000_000n);
      await world.pay(second, 2_000_000n);
      await world.pay(first, priceRaw - 8_000_000n - rest);
      await world.bill();
      expect(await statuses(world, id)).toEqual(["underpaid", "partially_paid"]);
      expect((await world.subscriptions.get(owner, id)).open !== null).toBe(isOpen);
    },
  );

  test("threat 105: all tries together have brought the price: no further one is made", async () => {
    const { world, owner, id, first, second } = await openSecondTry(6_000_000n);
    await world.pay(second, 1_000_000n);
    // The rest comes to the old address. The new one has money, so it is not completed any more.
    await world.pay(first, 3_990_000n);
    expect(await statuses(world, id)).toEqual(["underpaid", "partially_paid"]);
    expect((await world.bill()).done).toBe(1);
    const { status, open } = await world.subscriptions.get(owner, id);
    expect([status, open]).toEqual(["active", null]);
    await world.passDays(tryDays + 0.01);
    expect((await world.bill()).done).toBe(0);
    // The new one is over and has not got its price; the old one has, and says so now.
    expect(await statuses(world, id)).toEqual(["paid_late", "underpaid"]);
    expect(await world.balance(owner, "merchant:available")).toBeGreaterThan(0n);
    expect(await world.isLedgerWhole()).toBe(true);
  });

  test("threat 105: with a late payment on one try the open one is cancelled in the same moment", async () => {
    const { world, owner, id, first, second } = await openSecondTry(0n);
    await world.pay(first, priceRaw);
    expect(await statuses(world, id)).toEqual(["paid_late", "cancelled"]);
    await world.pay(second, priceRaw);
    expect(await statuses(world, id)).toEqual(["paid_late", "cancelled"]);
    expect(await world.balance(owner, "merchant:unmatched")).toBe(priceRaw);
    await world.bill();
    expect((await world.subscriptions.get(owner, id)).open).toBeNull();
  });

  test("threat 105: while the price is on its way on one try, no other one is completed", async () => {
    const { world, id, first, second } = await openSecondTry(0n);
    const hash = await world.pay(second, priceRaw, "seen");
    await world.pay(first, priceRaw);
    expect(await statuses(world, id)).toEqual(["expired", "confirming"]);
    await world.finalize(hash);
    expect(await statuses(world, id)).toEqual(["expired", "paid"]);
    await world.refresh(first);
    expect(await statuses(world, id)).toEqual(["expired", "paid"]);
  });

  test("threat 105: money on a try while the next one is made completes one of them", async () => {
    for (let round = 0; round < 5; round++) {
      const { world, id } = await openSubscription(engine);
      await world.bill();
      const first = (await world.bills(id))[0]?.payment_id;
      await world.passDays(tryDays + 0.01);
      await Promise.all([world.bill(), world.pay(first, priceRaw)]);
      const second = (await world.bills(id))[1]?.payment_id;
      if (second !== undefined) await world.pay(second, priceRaw);
      const complete = (await statuses(world, id)).filter((one) => String(one).includes("paid"));
      expect(complete).toEqual(["paid_late"]);
    }
  });

  test("threat 105: a try whose money is gone again leaves its place to one that has the price", async () => {
    const { world, id, first, second } = await openSecondTry(0n);
    const hash = await world.pay(second, priceRaw, "seen");
    await world.pay(first, priceRaw);
    expect(await statuses(world, id)).toEqual(["expired", "confirming"]);
    await query(world.database)`update deposits set status = 'orphaned' where tx_hash = ${hash}`;
    await world.refresh(second);
    expect(await statuses(world, id)).toEqual(["paid_late", "cancelled"]);
    await world.finalize(hash);
    expect(await statuses(world, id)).toEqual(["paid_late", "cancelled"]);
  });

  test("threat 105: one block with late money for two tries completes one of them", async () => {
    const { world, id, first, second } = await openSecondTry(0n);
    // Both come late, and not too late.
    await world.passDays(tryDays - 1);
    const hashes = [await world.pay(first, priceRaw, "seen")];
    await world.passDays(1.01);
    hashes.push(await world.pay(second, priceRaw, "seen"));
    expect(await statuses(world, id)).toEqual(["expired", "expired"]);
    await world.finalize(...hashes);
    const complete = (await statuses(world, id)).filter((one) => one === "paid_late");
    expect(complete).toHaveLength(1);
  });

  test("threat 105: money for two tries at once completes one of them", async () => {
    for (let round = 0; round < 5; round++) {
      const { world, id, first, second } = await openSecondTry(0n);
      await Promise.all([world.pay(first, priceRaw), world.pay(second, priceRaw)]);
      await Promise.all([world.refresh(first), world.refresh(second)]);
      const complete = (await statuses(world, id)).filter((one) => String(one).includes("paid"));
      expect(complete).toHaveLength(1);
    }
  });
});
