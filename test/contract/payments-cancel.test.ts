// Cancelling payments: each documented status really produced, on both engines.

import { expect } from "vitest";
import { errorOf } from "../support/contract-answers.ts";
import { type Json, type JsonObject, textOf } from "../support/contract-document.ts";
import { type Change } from "../support/contract-requests.ts";
import type { Merchant } from "../support/service.ts";
import { accept, callsOf, newShop, orderOf, standard } from "./payment-calls.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

function describeOperation(scene: Scene): void {
  const { service, asker } = scene;
  const test = scene.test.extend("shop", () => newShop(service));
  const { created, cancel, eventsOf, setStatus } = callsOf(scene);

  const preparePath = async (merchant: Merchant): Promise<Change> => {
    await accept(merchant, standard);
    return { path: { id: textOf((await created(merchant))["id"]) } };
  };
  const subject: Replayed = {
    operationId: "cancelPayment",
    prepare: preparePath,
    others: async (merchant) => [
      { name: "path", operationId: "cancelPayment", change: await preparePath(merchant) },
      { name: "operation", operationId: "createPayment", change: { body: orderOf() } },
    ],
    countEffects: (_merchant, { path }) => service.countEvents(path?.["id"], "payment.cancelled"),
  };
  testWriting(scene, subject);

  test("400 for a body", async ({ shop: merchant }) => {
    const change = { ...(await preparePath(merchant)), body: {} };
    const refused = await asker.ask(merchant, "cancelPayment", change);
    expect(outcome(refused)).toEqual([400, "invalid_request"]);
  });

  test("200 with the payment as it was agreed, whatever has changed since (threat 71)", async () => {
    const merchant = await newShop(service);
    const { checkout_url: _, ...before } = await created(merchant);
    await accept(merchant, {});
    await service.query(
      `with one as (update currencies set name = name || '!' where id = 'cur_usdc' returning id)
        update catalog set version = version + 1 where exists (select from one)`,
      [],
    );
    const answer = await cancel(merchant, before["id"]);
    expect([answer.status, answer.body]).toEqual([200, { ...before, status: "cancelled" }]);
    const events = await eventsOf(before["id"]);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ["payment.created", 1],
      ["payment.cancelled", 2],
    ]);
    const data = JSON.parse(textOf(events[1]?.["data"] as Json)) as JsonObject;
    expect(data).toMatchObject({ id: before["id"], status: "cancelled" });
  });

  test("200 unchanged for one that is cancelled already, without a second event", async () => {
    const merchant = await newShop(service);
    const { id } = await created(merchant);
    const first = await cancel(merchant, id);
    const second = await cancel(merchant, id);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.has("Idempotent-Replayed")).toBe(false);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  test("200 and one event for cancellations at once", async ({ shop: merchant }) => {
    const { id } = await created(merchant);
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(merchant, id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  test.for([
    "authorized",
    "partially_paid",
    "confirming",
    "paid",
    "overpaid",
    "paid_late",
    "underpaid",
    "expired",
    "reversed",
  ])("409 for one that is %s", async (status, { shop: merchant }) => {
    const { id } = await created(merchant);
    await setStatus(id, status);
    const answer = await cancel(merchant, id);
    expect(outcome(answer)).toEqual([409, "payment_not_cancellable"]);
    expect(errorOf(answer.body).details).toMatchObject({ status });
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test("404 for another merchant's, and for one of the other environment (threat 50)", async () => {
    const [owner, stranger] = [await newShop(service), await newShop(service)];
    const live = await service.newKey(owner, { environment: "live" });
    const { id } = await created(owner);
    const foreign = await cancel(stranger, id);
    const missing = await cancel(stranger, "pay_00000000000000000000000000");
    expect([outcome(foreign), outcome(missing), outcome(await cancel(live, id))]).toEqual(
      Array.from({ length: 3 }, () => [404, "not_found"]),
    );
    expect(errorOf(foreign.body).message).toBe(errorOf(missing.body).message);
    const rows = await service.query("select status from payments where id = $1", [id]);
    expect(rows).toEqual([{ status: "pending" }]);
  });
}

describeOnEngines(describeOperation);
