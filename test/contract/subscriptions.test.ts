// Cancelling subscriptions: each documented status really produced, on both engines.

import { expect } from "vitest";
import { errorOf } from "../support/contract-answers.ts";
import type { Json } from "../support/contract-document.ts";
import { addSubscription } from "../support/schedule-resources.ts";
import type { Merchant } from "../support/service.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

const operationId = "cancelSubscription";

function describeCancel(scene: Scene): void {
  const { service, asker, test } = scene;
  const cancelling = async (merchant: Merchant) => ({
    path: { id: await addSubscription(service.query, merchant.key) },
  });
  const cancel = (merchant: Merchant, id: string) =>
    asker.ask(merchant, operationId, { path: { id } });
  const subject: Replayed = {
    operationId,
    prepare: cancelling,
    countEffects: (_, { path }) => service.countEvents(path?.["id"], "subscription.cancelled"),
  };
  testWriting(scene, subject);

  test.for(["incomplete", "active", "past_due"] as const)(
    "200 ends one that is %s at once, tells it once, and says the same again",
    async (status, { merchant }) => {
      const id = await addSubscription(service.query, merchant.key, status);
      const answers = [await cancel(merchant, id), await cancel(merchant, id)];
      const shown = {
        id,
        status: "cancelled",
        amount: "9.99",
        interval_secs: 2_592_000,
        currency_id: "cur_usdc",
        currency_chain_id: "dep_usdc_base",
        chain_id: "eip155:8453",
        next_bill_at: null,
      };
      expect(answers.map((one) => [one.status, one.body])).toEqual(answers.map(() => [200, shown]));
      const events = await service.query("select type, data from events where resource_id = $1", [
        id,
      ]);
      expect(events.map(({ type, data }) => [type, JSON.parse(String(data)) as Json])).toEqual([
        ["subscription.cancelled", shown],
      ]);
    },
  );

  test("409 for one that is expired, which it says", async ({ merchant }) => {
    const id = await addSubscription(service.query, merchant.key, "expired");
    const answer = await cancel(merchant, id);
    expect(outcome(answer)).toEqual([409, "subscription_not_cancellable"]);
    expect(errorOf(answer.body).details).toMatchObject({ status: "expired" });
  });

  test("404 for one of another merchant, and for one of the merchant's other half", async () => {
    const merchant = await service.newMerchant();
    const id = await addSubscription(service.query, merchant.key);
    const live = await service.newKey(merchant, {
      environment: "live",
      scopes: ["subscriptions:write"],
    });
    for (const other of [await service.newMerchant(), live]) {
      expect(outcome(await cancel(other, id))).toEqual([404, "not_found"]);
    }
    const rows = await service.query("select status from subscriptions where id = $1", [id]);
    expect(rows).toEqual([{ status: "active" }]);
  });

  test("many at once, each with a key of its own, cancel it once", async ({ merchant }) => {
    const { path } = await cancelling(merchant);
    const answers = await Promise.all(Array.from({ length: 6 }, () => cancel(merchant, path.id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await subject.countEffects(merchant, { path })).toBe(1);
  });
}

describeOnEngines(describeCancel);
