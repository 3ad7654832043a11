import { describe, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { claimMilliseconds, perEndpointMax } from "../../service/webhooks/dispatcher.ts";
import { UniqueViolation } from "../../service/ports/database.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, makePostgresDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { Outbox, secondMilliseconds } from "./outbox.ts";
import { answering, ScriptedSender, openScripted } from "./scripted-sender.ts";

async function openOutbox(engine: Engine) {
  const { outbox, sender } = await openScripted(engine);
  await outbox.addEndpoint();
  return { outbox, sender };
}

describe.each(engines)("on %s", (engine) => {
  test("events of one resource go one after the other, in order, with numbers from 1", async () => {
    const { outbox, sender } = await openOutbox(engine);
    for (let count = 0; count < 5; count++) {
      await outbox.record({ resourceId: "pay_1" });
      // As if they had been written by processes with clocks of their own.
      outbox.clock.advance(-secondMilliseconds);
    }
    outbox.clock.advance(10 * secondMilliseconds);
    const counts: number[] = [];
    for (let count = 0; count < 6; count++) counts.push(await outbox.round());
    expect(counts).toEqual([1, 1, 1, 1, 1, 0]);
    expect(sender.payloads().map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  });

  test("one that fails does not hold back newer ones, and comes before them when it is due", async () => {
    const { outbox, sender } = await openOutbox(engine);
    for (let count = 0; count < 3; count++) await outbox.record({ resourceId: "pay_1" });
    sender.follow(answering(500));
    await outbox.round();
    sender.follow(answering(200));
    await outbox.round();
    outbox.clock.advance(5 * secondMilliseconds);
    await outbox.settle();
    expect(sender.payloads().map(({ sequence }) => sequence)).toEqual([1, 2, 1, 3]);
  });

  test("of one resource one is under way, of one endpoint a few, of each endpoint as many", async () => {
    const { outbox } = await openOutbox(engine);
    await outbox.addEndpoint();
    for (let resource = 0; resource < perEndpointMax + 2; resource++) {
      for (let count = 0; count < 2; count++)
        await outbox.record({ resourceId: `pay_${resource}` });
    }
    const claimed = await outbox.dispatcher.claim(100);
    const [first] = await outbox.dispatcher.claim(100);
    expect(first).toBeUndefined();
    const counts = Map.groupBy(claimed, ({ row }) => row.endpoint_id);
    expect([...counts.values()].map((rows) => rows.length)).toEqual([4, 4]);
    const pairs = claimed.map(({ row }) => `${row.endpoint_id} ${row.resource_id}`);
    expect(new Set(pairs).size).toBe(claimed.length);
    expect(claimed.every(({ row }) => row.sequence === 1n)).toBe(true);

    const [one] = claimed;
    if (one !== undefined) await outbox.dispatcher.deliver(one);
    const next = await outbox.dispatcher.claim(100);
    expect(next.map(({ row }) => row.endpoint_id)).toEqual([one?.row.endpoint_id]);
  });

  test("the room of a worker is shared fairly among endpoints", async () => {
    const { outbox } = await openOutbox(engine);
    for (let count = 0; count < 10; count++) await outbox.record();
    const merchantId = await outbox.addMerchant();
    const other = await outbox.addEndpoint({ merchantId });
    outbox.clock.advance(secondMilliseconds);
    await outbox.record({ merchantId });
    const claimed = await outbox.dispatcher.claim(2);
    expect(claimed).toHaveLength(2);
    expect(claimed.map(({ row }) => row.endpoint_id)).toContain(other.id);
  });

  test("a claim that ran out is taken over, and its late holder records nothing", async () => {
    const { outbox, sender } = await openOutbox(engine);
    const id = await outbox.record({ resourceId: "pay_1" });
    await outbox.record({ resourceId: "pay_1" });
    const [late] = await outbox.dispatcher.claim(16);
    outbox.clock.advance(claimMilliseconds - 1);
    expect(await outbox.dispatcher.claim(16)).toEqual([]);
    outbox.clock.advance(1);
    // The same one first: the second event of the resource waits for it.
    const [taken, ...more] = await outbox.dispatcher.claim(16);
    expect([taken?.row.event_id, more]).toEqual([id, []]);
    expect([late?.row.id, late?.row.attempts]).toEqual([taken?.row.id, taken?.row.attempts]);
    if (taken === undefined || late === undefined) return;

    sender.follow(answering(500));
    expect(await outbox.dispatcher.deliver(late)).toBe(false);
    const current = async () => (await outbox.deliveries()).find(({ id }) => id === taken.row.id);
    expect(await current()).toMatchObject({
      status: "pending",
      attempts: 0,
      claim_token: taken.token,
    });
    sender.follow(answering(200));
    expect(await outbox.dispatcher.deliver(taken)).toBe(true);
    expect(await outbox.dispatcher.deliver(late)).toBe(false);
    expect(await current()).toMatchObject({ status: "delivered", attempts: 1, last_status: 200 });
  });

  test("a choice that another worker was faster with is made again, a few times", async () => {
    const { outbox } = await openOutbox(engine);
    await outbox.record();
    let refusals = 0;
    const refusing = (count: number): Database => ({
      ...outbox.database,
      run: (statement, values) => {
        if (statement.name === "claim_due_deliveries" && refusals++ < count)
          return Promise.reject(new UniqueViolation("one_per_resource"));
        return outbox.database.run(statement, values);
      },
    });
    const database = refusing(99);
    expect(await new Outbox({ database }).dispatcher.claim(16)).toEqual([]);
    expect(refusals).toBe(3);
    refusals = 0;
    const startMilliseconds = outbox.clock.nowMilliseconds();
    const lucky = new Outbox({ database: refusing(2), startMilliseconds });
    expect(await lucky.dispatcher.claim(16)).toHaveLength(1);
  });

  test("a receiver that keeps ids and numbers finds the order in what comes twice and shuffled", async () => {
    const { outbox, sender } = await openOutbox(engine);
    const types = ["payment.created", "payment.confirming", "payment.paid"] as const;
    for (const type of types) await outbox.record({ resourceId: "pay_1", type, data: { type } });
    await outbox.settle();
    const received = sender.payloads();
    const shuffled = [2, 0, 0, 1, 2, 1].flatMap((index) => received[index] ?? []);

    const seen = new Set<string>();
    const shipped: string[] = [];
    let latest = { sequence: 0, type: "" };
    for (const event of shuffled) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      if (event.type === "payment.paid") shipped.push(event.resource.id);
      if (event.sequence > latest.sequence) latest = event;
    }
    expect(shipped).toEqual(["pay_1"]);
    expect(latest.type).toBe("payment.paid");
    expect(seen.size).toBe(3);
  });
});

test("two dispatchers on one PostgreSQL share the work: each delivery once, none left", async () => {
  const { url, remove } = await makePostgresDatabase();
  const pools = [await openPostgres({ url }), await openPostgres({ url })];
  onTestFinished(async () => {
    for (const pool of pools) await pool.close();
    await remove();
  });
  let underWay = 0;
  let underWayMax = 0;
  const sender = new ScriptedSender(async () => {
    underWay += 1;
    underWayMax = Math.max(underWayMax, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return { kind: "answered", status: 200 };
  });
  const [first, second] = pools.map((database) => new Outbox({ database, sender }));
  if (first === undefined || second === undefined) throw new Error("two were opened");
  for (let endpoint = 0; endpoint < 5; endpoint++) await first.addEndpoint();
  for (let count = 0; count < 30; count++) await first.record({ resourceId: `pay_${count % 10}` });
  second.clock.advance(first.clock.nowMilliseconds() + 1000 - second.clock.nowMilliseconds());

  const counts = [0, 0];
  const work = async (outbox: Outbox, index: number): Promise<void> => {
    // Another one may hold everything that is due: only the table says when all is done.
    while ((await outbox.deliveries()).some(({ status }) => status === "pending")) {
      counts[index] = (counts[index] ?? 0) + (await outbox.round(8));
    }
  };
  await Promise.all([work(first, 0), work(second, 1)]);

  const deliveries = await first.deliveries();
  expect(deliveries).toHaveLength(150);
  expect(deliveries.every(({ attempts, status }) => attempts === 1 && status === "delivered")).toBe(
    true,
  );
  const sent = sender.sent.map(({ url, headers }) => `${url} ${headers["webhook-id"]}`);
  expect([sent.length, new Set(sent).size]).toEqual([150, 150]);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(underWayMax).toBeGreaterThan(1);
  // In order for each endpoint and resource, whoever sent it.
  const orders = Map.groupBy(sender.sent.keys(), (index) => {
    const payload = sender.payloads()[index];
    return `${sender.sent[index]?.url} ${payload?.resource.id}`;
  });
  const payloads = sender.payloads();
  for (const indexes of orders.values()) {
    expect(indexes.map((index) => payloads[index]?.sequence)).toEqual([1, 2, 3]);
  }
});
