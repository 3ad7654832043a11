import { describe, expect, test } from "vitest";
import { engines, openDatabase } from "../support/engines.ts";
import { base, ethereum, quotesOf } from "./progress-quotes.ts";
import { lifeMilliseconds, openWorld, price } from "./progress-world.ts";
import type { World } from "./progress-world.ts";

const half = price / 2n;
const minute = 60_000;

async function types(world: World, id: string): Promise<readonly string[]> {
  return (await world.events(id)).map(({ type }) => type.replace("payment.", ""));
}

describe.each(engines)("on %s", (engine) => {
  const open = async () => openWorld(await openDatabase(engine));

  test("a payment expires once each of its connected chains was read past its end", async () => {
    const world = await open();
    const id = await world.addPayment();
    const partly = await world.addPayment();
    await world.see({ payment: partly, amountRaw: half });
    const end = world.after(lifeMilliseconds);
    const past = world.after(lifeMilliseconds + 1);
    const job = world.expiry();
    world.clock.advance(lifeMilliseconds + minute);
    // Neither was ever read.
    expect((await job.run()).done).toBe(0);
    await world.readUpTo(base, past);
    expect((await job.run()).done).toBe(0);
    // A block of exactly the end may hold a payment in time, and so may the next of the same time.
    await world.readUpTo(ethereum, end);
    expect((await job.run()).done).toBe(0);
    await world.readUpTo(ethereum, past);
    expect(await job.run()).toEqual({ done: 2, isMore: false, lagMilliseconds: minute });
    expect(await world.status(id)).toBe("expired");
    expect(await world.status(partly)).toBe("underpaid");
    expect(await types(world, id)).toEqual(["expired"]);
    expect(await types(world, partly)).toEqual(["partially_paid", "underpaid"]);
    expect(await job.run()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
  });

  test("a chain that has not been heard of lately expires nothing", async () => {
    const world = await open();
    const id = await world.addPayment({ quotes: quotesOf({ eth: "1000000" }) });
    const job = world.expiry();
    world.clock.advance(lifeMilliseconds + minute);
    await world.readUpTo(base, world.clock.now());
    world.clock.advance(60 * minute);
    expect((await job.run()).done).toBe(0);
    await world.readUpTo(base, world.clock.now());
    expect((await job.run()).done).toBe(1);
    expect(await world.status(id)).toBe("expired");
  });

  test("where no chain is connected there is the clock, and a chain of others does not count", async () => {
    const world = await open();
    const id = await world.addPayment({ quotes: quotesOf({ eth: "1000000" }) });
    const job = world.expiry([ethereum]);
    await world.readUpTo(ethereum, world.after(lifeMilliseconds * 2));
    world.clock.advance(lifeMilliseconds);
    expect((await job.run()).done).toBe(0);
    world.clock.advance(1);
    expect((await job.run()).done).toBe(1);
    expect(await world.status(id)).toBe("expired");
  });

  test("of several chains only the connected ones are waited for", async () => {
    const world = await open();
    const id = await world.addPayment();
    const job = world.expiry([ethereum]);
    world.clock.advance(lifeMilliseconds + minute);
    expect((await job.run()).done).toBe(0);
    await world.readUpTo(ethereum, world.clock.now());
    expect((await job.run()).done).toBe(1);
    expect(await world.status(id)).toBe("expired");
  });

  test("the time of its chain ends it, also where our clock is behind", async () => {
    const world = await open();
    const id = await world.addPayment({ quotes: quotesOf({ usdc: `${price}` }) });
    await world.readUpTo(base, world.after(lifeMilliseconds + 1));
    expect((await world.expiry([base]).run()).done).toBe(1);
    expect(await world.status(id)).toBe("expired");
  });

  test("threat 29: paid in time and seen after an outage is paid, and not late", async () => {
    const world = await open();
    const id = await world.addPayment({ quotes: quotesOf({ usdc: `${price}` }) });
    const sentAt = world.after(lifeMilliseconds);
    const job = world.expiry([base]);
    await world.readUpTo(base, world.clock.now());
    // Nobody answers for two days, while the customer pays at the last moment.
    world.clock.advance(2 * 86_400_000);
    expect((await job.run()).done).toBe(0);
    const hash = await world.see({ payment: id, blockTime: sentAt });
    await world.readUpTo(base, world.clock.now());
    expect((await job.run()).done).toBe(0);
    await world.finalize(hash);
    expect(await world.status(id)).toBe("paid");
    expect(await types(world, id)).toEqual(["confirming", "paid"]);
  });

  test("one that confirms does not expire; one whose money is gone does, when its time is over", async () => {
    const world = await open();
    const id = await world.addPayment({ quotes: quotesOf({ usdc: `${price}` }) });
    const hash = await world.see({ payment: id });
    const job = world.expiry([base]);
    world.clock.advance(lifeMilliseconds + minute);
    await world.readUpTo(base, world.clock.now());
    expect((await job.run()).done).toBe(0);
    await world.orphan(hash);
    expect(await world.status(id)).toBe("pending");
    expect((await job.run()).done).toBe(1);
    expect(await types(world, id)).toEqual(["confirming", "reorged", "expired"]);
  });

  test("what came late is told at once, and completes the payment when its time is over", async () => {
    const world = await open();
    const id = await world.addPayment();
    world.clock.advance(lifeMilliseconds + minute);
    await world.finalize(await world.see({ payment: id }));
    expect(await world.status(id)).toBe("pending");
    await world.readUpTo(base, world.clock.now());
    await world.readUpTo(ethereum, world.clock.now());
    expect((await world.expiry().run()).done).toBe(1);
    expect(await world.status(id)).toBe("paid_late");
    expect(await types(world, id)).toEqual(["deposit_after_close", "expired", "paid_late"]);
  });

  test("batches are bounded, and several processes end each payment once", async () => {
    const world = await open();
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.push(await world.addPayment());
    world.clock.advance(lifeMilliseconds + minute);
    const jobs = [1, 2, 3].map(() => world.expiry([], 2));
    let done = 0;
    for (let round = 0; round < 20 && done < ids.length; round++) {
      const runs = await Promise.all(jobs.map((job) => job.run()));
      for (const run of runs) {
        expect(run.done).toBeLessThanOrEqual(2);
        done += run.done;
      }
    }
    expect(done).toBe(ids.length);
    for (const id of ids) expect(await types(world, id)).toEqual(["expired"]);
  });
});
