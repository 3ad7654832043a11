// Reporting the usage of an upto payment: each documented status really produced, on both engines.

import { expect } from "vitest";
import { type Answer, errorOf } from "../support/contract-answers.ts";
import type { JsonObject } from "../support/contract-document.ts";
import { newKey } from "../support/contract-requests.ts";
import type { Merchant } from "../support/service.ts";
import { localPayment, settlementOf } from "../support/x402-resources.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

const operationId = "reportX402Usage";
const usage = { actual_amount: "1.25", usage_id: "usage-1", evidence: { tokens: 12 } };

function describeUsage(scene: Scene): void {
  const { service, asker, test } = scene;
  const report = (merchant: Merchant, id: string, more: JsonObject = {}): Promise<Answer> =>
    asker.ask(merchant, operationId, { path: { payment_id: id }, body: { ...usage, ...more } });
  const settle = async (merchant: Merchant, id: string, scheme: "exact" | "upto" = "upto") => {
    const body = await settlementOf(id, { scheme });
    const answer = await asker.ask(merchant, "settleX402Payment", { body });
    expect(answer.status).toBe(200);
  };

  const subject: Replayed = {
    operationId,
    prepare: async (merchant) => ({
      path: { payment_id: await localPayment(merchant) },
      body: usage,
    }),
    badBody: { body: { ...usage, usage_id: "with\0nul" }, code: "invalid_request" },
    countEffects: (merchant, { path }) =>
      service.count("select 1 from x402_usages where merchant_id = $1 and payment_id = $2", [
        merchant.merchantId,
        path?.["payment_id"],
      ]),
  };
  testWriting(scene, subject);

  test.for(["before", "after"])(
    "201 %s the settlement, and again with another key",
    async (order, { merchant }) => {
      const id = await localPayment(merchant);
      if (order === "after") await settle(merchant, id);
      const answer = await report(merchant, id);
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          payment_id: id,
          scheme: "upto",
          max_raw: "25000000",
          actual_raw: "1250000",
          usage_id: "usage-1",
        },
      ]);
      if (order === "before") await settle(merchant, id);
      const again = await report(merchant, id, { actual_amount: "1.2500" });
      expect([again.status, again.body]).toEqual([201, answer.body]);
      expect(await subject.countEffects(merchant, { path: { payment_id: id } })).toBe(1);
    },
  );

  test("404 for a payment that is nobody's, another merchant's, or of the other environment", async () => {
    const merchant = await service.newMerchant();
    const stranger = await service.newMerchant();
    const live = await service.newKey(merchant, { environment: "live" });
    const id = await localPayment(merchant);
    for (const [asking, asked] of [
      [stranger, id],
      [live, id],
      [merchant, `pay_${"0".repeat(26)}`],
      [merchant, "__proto__"],
      [merchant, "%00"],
    ] as const) {
      expect(outcome(await report(asking, asked))).toEqual([404, "not_found"]);
    }
    expect((await report(merchant, id)).status).toBe(201);
  });

  test("409 for another report", async ({ merchant }) => {
    const id = await localPayment(merchant);
    await report(merchant, id);
    for (const more of [{ actual_amount: "1.26" }, { usage_id: "usage-2" }]) {
      expect(outcome(await report(merchant, id, more))).toEqual([409, "usage_already_reported"]);
    }
  });

  test("409 for a payment that is over, with its status", async ({ merchant }) => {
    const id = await localPayment(merchant);
    await asker.ask(merchant, "cancelPayment", { path: { id } });
    const answer = await report(merchant, id);
    expect(outcome(answer)).toEqual([409, "usage_closed"]);
    expect(errorOf(answer.body).details).toMatchObject({ status: "cancelled" });
  });

  test.for<[string, string]>([
    ["25.000001", "usage_exceeds_max"],
    ["0.0000001", "amount_precision"],
    ["9".repeat(78), "amount_too_large"],
  ])("422 for %s: %s", async ([actual_amount, code], { merchant }) => {
    const id = await localPayment(merchant);
    await settle(merchant, id);
    expect(outcome(await report(merchant, id, { actual_amount }))).toEqual([422, code]);
  });

  test("422 for a payment that is settled by the exact scheme", async ({ merchant }) => {
    const id = await localPayment(merchant);
    await settle(merchant, id, "exact");
    expect(outcome(await report(merchant, id))).toEqual([422, "usage_not_upto"]);
  });

  test("413 for evidence of more than 16 kB, and not for exactly that", async ({ merchant }) => {
    const id = await localPayment(merchant);
    const bytes = 16_384 - JSON.stringify({ a: "" }).length;
    const large = { evidence: { a: "x".repeat(bytes + 1) } };
    expect(outcome(await report(merchant, id, large))).toEqual([413, "body_too_large"]);
    const just = { evidence: { a: "x".repeat(bytes) }, usage_id: newKey() };
    expect((await report(merchant, id, just)).status).toBe(201);
  });
}

describeOnEngines(describeUsage, { hasChain: true });
