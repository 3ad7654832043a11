import { describe, expect, test } from "vitest";
import { loopLimits } from "../../adapters/webhooks/dispatcher-loop.ts";
import { perEndpointMax, perMerchantMax } from "../../service/webhooks/dispatcher.ts";
import type { ClaimedDelivery } from "../../service/webhooks/dispatcher.ts";
import { claimDueDeliveries } from "../../service/webhooks/dispatcher.sql.ts";
import type { ClaimValues } from "../../service/webhooks/dispatcher.sql.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { Outbox, secondMilliseconds } from "./outbox.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import { answering, openScripted, ScriptedSender } from "./scripted-sender.ts";

/** As long as the sender waits for an answer. */
const timeoutSeconds = 15;

/** A merchant whose endpoints all have more to do than places. */
async function addBusyMerchant(outbox: Outbox, endpoints: number): Promise<string> {
  const merchantId = await outbox.addMerchant();
  for (let count = 0; count < endpoints; count++) await outbox.addEndpoint({ merchantId });
  for (let count = 0; count < perEndpointMax + 8; count++) await outbox.record({ merchantId });
  return merchantId;
}

describe.each(engines)("on %s", (engine) => {
  test("a merchant whose receivers all hang does not hold up another one", async () => {
    const { outbox, sender } = await openScripted(engine);
    await addBusyMerchant(outbox, 20);
    const other = await outbox.addMerchant();
    const url = "https://quiet.example/";
    await outbox.addEndpoint({ merchantId: other, url });
    sender.follow((request) =>
      request.url === url
        ? { kind: "answered", status: 200 }
        : { kind: "failed", reason: "timeout" },
    );
    const underWay: { readonly claimed: ClaimedDelivery; readonly endSecond: number }[] = [];
    const recordedAt = new Map<string, number>();
    const waitedSeconds: number[] = [];
    for (let second = 0; second < 70; second++) {
      if (second % 10 === 5 && second < 50) {
        recordedAt.set(await outbox.record({ merchantId: other }), second);
      }
      for (const one of underWay.filter(({ endSecond }) => endSecond === second)) {
        await outbox.dispatcher.deliver(one.claimed);
        underWay.splice(underWay.indexOf(one), 1);
      }
      // Fewer places than one merchant may fill, so that this is about the order alone.
      for (const claimed of await outbox.dispatcher.claim(16 - underWay.length)) {
        const recorded = recordedAt.get(claimed.row.event_id);
        if (recorded !== undefined) waitedSeconds.push(second - recorded);
        const seconds = recorded === undefined ? timeoutSeconds : 1;
        underWay.push({ claimed, endSecond: second + seconds });
      }
      outbox.clock.advance(secondMilliseconds);
    }
    // Until one of the places that all hang is free again, and not until the queue is empty.
    expect(waitedSeconds).toHaveLength(5);
    expect(Math.max(...waitedSeconds)).toBeLessThanOrEqual(timeoutSeconds);
    expect(sender.sent.length).toBeGreaterThan(30);
  });

  test("one merchant has at most a quarter of the places, over all workers", async () => {
    const { outbox } = await openScripted(engine);
    const busy = await addBusyMerchant(outbox, 10);
    const { inFlightMax } = loopLimits;
    expect(inFlightMax).toBe(4 * perMerchantMax);
    const first = await outbox.dispatcher.claim(perMerchantMax - 2);
    expect(first).toHaveLength(perMerchantMax - 2);
    expect(await outbox.dispatcher.claim(inFlightMax)).toHaveLength(2);
    expect(await outbox.dispatcher.claim(inFlightMax)).toEqual([]);

    const other = await outbox.addMerchant();
    const quiet = await outbox.addEndpoint({ merchantId: other });
    await outbox.record({ merchantId: other });
    const next = await outbox.dispatcher.claim(1);
    expect(next.map(({ row }) => row.endpoint_id)).toEqual([quiet.id]);

    const [one] = first;
    if (one === undefined) throw new Error("many were claimed");
    await outbox.dispatcher.deliver(one);
    const freed = await outbox.dispatcher.claim(inFlightMax);
    expect(freed.map(({ row }) => row.merchant_id)).toEqual([busy]);
  });

  test("who has less under way comes first, however old the others' deliveries are", async () => {
    const { outbox } = await openScripted(engine);
    const busy = await addBusyMerchant(outbox, 3);
    await outbox.dispatcher.claim(6);
    outbox.clock.advance(secondMilliseconds);
    const other = await outbox.addMerchant();
    await outbox.addEndpoint({ merchantId: other });
    for (let count = 0; count < 3; count++) await outbox.record({ merchantId: other });
    const claimed = await outbox.dispatcher.claim(3);
    expect(claimed.map(({ row }) => row.merchant_id)).toEqual([other, other, other]);
    const more = await outbox.dispatcher.claim(1);
    expect(more.map(({ row }) => row.merchant_id)).toEqual([busy]);
  });

  test("among a merchant's own endpoints, too, who has less under way comes first", async () => {
    const { outbox } = await openScripted(engine);
    const merchantId = await addBusyMerchant(outbox, 1);
    await outbox.dispatcher.claim(2);
    const quiet = await outbox.addEndpoint({ merchantId });
    outbox.clock.advance(secondMilliseconds);
    await outbox.record({ merchantId });
    const [next] = await outbox.dispatcher.claim(1);
    expect(next?.row.endpoint_id).toBe(quiet.id);
  });

  test("a merchant with many endpoints side by side comes no sooner than others", async () => {
    const { outbox } = await openScripted(engine);
    const busy = await outbox.addMerchant();
    for (let count = 0; count < 20; count++) await outbox.addEndpoint({ merchantId: busy });
    const merchants = [busy];
    for (let number = 0; number < 44; number++) {
      const merchantId = await outbox.addMerchant();
      await outbox.addEndpoint({ merchantId });
      merchants.push(merchantId);
    }
    for (const merchantId of merchants) {
      for (let count = 0; count < 3; count++) await outbox.record({ merchantId });
    }
    const taken: string[] = [];
    for (let count = 0; count < 5; count++) {
      const claimed = await outbox.dispatcher.claim(8);
      expect(claimed).toHaveLength(8);
      taken.push(...claimed.map(({ row }) => row.merchant_id));
    }
    // Of 45 merchants: by its endpoints it would have twelve of the forty.
    expect(taken.filter((id) => id === busy).length).toBeLessThanOrEqual(3);
  });

  test("as many endpoints are weighed as fill the room twice, 16 at least and 64 at most", async () => {
    const weighed: number[] = [];
    const database = await openDatabase(engine);
    const run: Database["run"] = (asked, values) => {
      // The claim's own values.
      const { endpointIds } = values as Partial<ClaimValues>;
      if (asked.name === claimDueDeliveries.name) weighed.push(endpointIds?.length ?? 0);
      return database.run(asked, values);
    };
    const sender = new ScriptedSender();
    const outbox = new Outbox({ database: { ...database, run }, sender });
    for (let number = 0; number < 65; number++) {
      const merchantId = await outbox.addMerchant();
      await outbox.addEndpoint({ merchantId });
      for (let count = 0; count < 4; count++) await outbox.record({ merchantId });
    }
    // The second window has a single one: then it goes round again.
    for (const room of [5, 1, 50, 1, 500]) await outbox.dispatcher.claim(room);
    expect(weighed).toEqual([16, 1, 25, 1, 64]);
  });

  test("what waits where nobody looked is found when the others have nothing", async () => {
    const { outbox } = await openScripted(engine);
    const merchants: string[] = [];
    for (let number = 0; number < 40; number++) {
      const merchantId = await outbox.addMerchant();
      await outbox.addEndpoint({ merchantId });
      await outbox.record({ merchantId });
      merchants.push(merchantId);
    }
    // All of them are at work, so each has something due, and nothing to take.
    expect(await outbox.dispatcher.claim(500)).toHaveLength(40);
    for (const merchantId of merchants.slice(0, 8)) {
      await outbox.record({ merchantId });
      const claimed = await outbox.dispatcher.claim(1);
      expect(claimed.map(({ row }) => row.merchant_id)).toEqual([merchantId]);
    }
    expect(await outbox.dispatcher.claim(1)).toEqual([]);
    expect(outbox.dispatcher.hasMore).toBe(false);
  });

  test("more endpoints than are weighed at a time are gone round, and all are served", async () => {
    const { outbox } = await openScripted(engine);
    const merchants: string[] = [];
    for (let number = 0; number < 7; number++) {
      const merchantId = await outbox.addMerchant();
      merchants.push(merchantId);
      for (let count = 0; count < 20; count++) await outbox.addEndpoint({ merchantId });
    }
    for (const merchantId of merchants) {
      for (let count = 0; count < 2; count++) await outbox.record({ merchantId });
    }
    const ids = [...new Set((await outbox.deliveries()).map((one) => one.endpoint_id))].toSorted();
    expect(ids).toHaveLength(140);
    const claimed = new Map<string, number>();
    const placesOf = async (): Promise<readonly number[]> => {
      const taken = await outbox.dispatcher.claim(5);
      for (const one of taken) {
        claimed.set(one.row.endpoint_id, (claimed.get(one.row.endpoint_id) ?? 0) + 1);
        await outbox.dispatcher.deliver(one);
      }
      return taken.map(({ row }) => ids.indexOf(row.endpoint_id));
    };
    // The first 64, the next 64, and the last 12; and from the first on again.
    for (const [from, to] of [
      [0, 63],
      [64, 127],
      [128, 139],
      [0, 63],
    ] as const) {
      const places = await placesOf();
      expect(places).toHaveLength(5);
      expect([Math.min(...places) >= from, Math.max(...places) <= to]).toEqual([true, true]);
    }
    while ((await placesOf()).length > 0);
    expect([...claimed.values()]).toEqual(Array.from({ length: 140 }, () => 2));
  });

  test("endpoints where nothing is due yet hide no other one, however many", async () => {
    const { outbox } = await openScripted(engine);
    // More than are passed by at a time, twice over, and all of them wait for a retry.
    for (let number = 0; number < 55; number++) {
      const merchantId = await outbox.addMerchant();
      for (let count = 0; count < 20; count++) await outbox.addEndpoint({ merchantId });
      await outbox.record({ merchantId });
    }
    await query(outbox.database)`update webhook_deliveries
      set next_attempt_at = next_attempt_at + interval '1 hour'`;
    outbox.clock.advance(secondMilliseconds);
    const last = await outbox.addMerchant();
    const { id } = await outbox.addEndpoint({ merchantId: last });
    await outbox.record({ merchantId: last });
    const taken = await outbox.dispatcher.claim(9);
    expect(taken.map(({ row }) => row.endpoint_id)).toEqual([id]);
    expect(await outbox.dispatcher.claim(9)).toEqual([]);
  });

  test("what workers that died had under way does not count, and is taken over", async () => {
    const { outbox } = await openScripted(engine);
    await addBusyMerchant(outbox, 8);
    const lost = await outbox.dispatcher.claim(perMerchantMax);
    expect(lost).toHaveLength(perMerchantMax);
    outbox.clock.advance(hourMilliseconds);
    const taken = await outbox.dispatcher.claim(loopLimits.inFlightMax);
    const ids = (list: readonly ClaimedDelivery[]) => list.map(({ row }) => row.id).toSorted();
    expect(ids(taken)).toEqual(ids(lost));
  });

  test("a long queue of one resource, busy or not, hides no other one", async () => {
    const { outbox } = await openScripted(engine);
    await outbox.addEndpoint();
    // More than the oldest ones that a claim looks at.
    for (let count = 0; count < 40; count++) await outbox.record({ resourceId: "pay_1" });
    outbox.clock.advance(secondMilliseconds);
    for (const id of ["pay_0", "pay_2"]) await outbox.record({ resourceId: id });
    const first = await outbox.dispatcher.claim(1);
    expect(first.map(({ row }) => row.resource_id)).toEqual(["pay_1"]);
    const others = await outbox.dispatcher.claim(16);
    expect(others.map(({ row }) => row.resource_id).toSorted()).toEqual(["pay_0", "pay_2"]);
  });

  test("none of many resources is forgotten behind a long queue of a few", async () => {
    const { outbox } = await openScripted(engine);
    await outbox.addEndpoint();
    for (let count = 0; count < 40; count++) await outbox.record({ resourceId: "pay_busy" });
    outbox.clock.advance(secondMilliseconds);
    for (let count = 0; count < 50; count++) await outbox.record({ resourceId: `pay_${count}` });
    await outbox.dispatcher.claim(1);
    // The 50, three at a time, while the queue of the busy one stays where it is.
    const seen = new Set<string>();
    for (let round = 0; round < 30 && seen.size < 50; round++) {
      for (const one of await outbox.dispatcher.claim(16)) {
        seen.add(one.row.resource_id);
        await outbox.dispatcher.deliver(one);
      }
    }
    expect(seen.size).toBe(50);
  });

  test("however many wait for a retry, they do not hold back newer ones of their resource", async () => {
    const { outbox, sender } = await openScripted(engine);
    await outbox.addEndpoint();
    // More than a claim looks at to find the lowest number.
    const count = 70;
    sender.follow(answering(500));
    for (let index = 0; index < count; index++) {
      await outbox.record({ resourceId: "pay_1" });
      await outbox.round();
    }
    sender.follow(answering(200));
    for (let index = 0; index < 2; index++) await outbox.record({ resourceId: "pay_1" });
    expect(await outbox.round()).toBe(1);
    expect(await outbox.round()).toBe(1);
    expect(await outbox.round()).toBe(0);
    const sequences = sender.payloads().map(({ sequence }) => sequence);
    expect(sequences.slice(count).toSorted((a, b) => a - b)).toEqual([count + 1, count + 2]);
  });
});
