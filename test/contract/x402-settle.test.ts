// Settling an x402 authorization: each documented status really produced, on both engines, on a real
// chain.

import { expect } from "vitest";
import { type Answer, errorOf, bodyOf } from "../support/contract-answers.ts";
import { isObject, type JsonObject, textOf } from "../support/contract-document.ts";
import { newKey } from "../support/contract-requests.ts";
import type { Merchant } from "../support/service.ts";
import { localPayment, settlementOf } from "../support/x402-resources.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

const operationId = "settleX402Payment";

function changed(body: JsonObject, more: JsonObject): JsonObject {
  const requirements = body["payment_requirements"];
  if (!isObject(requirements)) throw new Error("there are no requirements");
  return { ...body, payment_requirements: { ...requirements, ...more } };
}

function describeSettle(scene: Scene): void {
  const { service, asker, test } = scene;
  const ask = (merchant: Merchant, body: JsonObject, key?: string): Promise<Answer> =>
    asker.ask(merchant, operationId, {
      body,
      ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
    });
  const prepared = async (merchant: Merchant): Promise<JsonObject> =>
    settlementOf(await localPayment(merchant));

  const subject: Replayed = {
    operationId,
    prepare: async (merchant) => ({ body: await prepared(merchant) }),
    badBody: { body: { payment_id: "pay_1" }, code: "invalid_request" },
    countEffects: (merchant, { body }) =>
      service.count(
        `select 1 from x402_settlements s join outgoing_transactions o on o.subject_id = s.id
          where s.merchant_id = $1 and s.payment_id = $2`,
        [merchant.merchantId, bodyOf(body)["payment_id"]],
      ),
  };
  testWriting(scene, subject);

  test("200 with the hash, and the payment is confirming", async ({ merchant }) => {
    const body = await prepared(merchant);
    const answer = await ask(merchant, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
      payment_id: body["payment_id"],
    });
    const rows = await service.query("select status from payments where id = $1", [
      body["payment_id"],
    ]);
    expect(rows).toEqual([{ status: "confirming" }]);
  });

  test("the same authorization without a key is the same request", async ({ merchant }) => {
    const body = await prepared(merchant);
    const first = await ask(merchant, body);
    const key = newKey();
    const again = await ask(merchant, body, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await subject.countEffects(merchant, { body })).toBe(1);
    // The key is used up by it.
    const other = await ask(merchant, await prepared(merchant), key);
    expect([other.status, errorOf(other.body).code]).toEqual([422, "idempotency_key_reused"]);
  });

  test("202 for an upto authorization by Permit2, which waits for its usage", async () => {
    const merchant = await service.newMerchant();
    const id = await localPayment(merchant);
    const body = await settlementOf(id, { scheme: "upto", method: "permit2" });
    for (const replayed of [null, "true"]) {
      const answer = await ask(merchant, body);
      expect(answer.status).toBe(202);
      expect(answer.headers.get("Retry-After")).toBe("2");
      expect(answer.headers.get("Idempotent-Replayed")).toBe(replayed);
      expect(answer.body).toEqual({ success: false, tx_hash: "", payment_id: id });
    }
  });

  test("402 with x402's own word for the reason, and the field", async ({ merchant }) => {
    const body = await prepared(merchant);
    const wrong = await ask(merchant, changed(body, { max_amount_required: "1" }));
    expect(outcome(wrong)).toEqual([402, "x402_requirements_mismatch"]);
    expect(errorOf(wrong.body).details).toMatchObject({
      field: "max_amount_required",
      x402_reason: "invalid_payment_requirements",
    });
    const signature = `0x${"1".repeat(128)}1b`;
    const payload = { ...bodyOf(body["payment_payload"]), signature };
    const forged = await ask(merchant, { ...body, payment_payload: payload });
    expect(outcome(forged)).toEqual([402, "x402_invalid_signature"]);
  });

  test("404 for a payment that is nobody's, another merchant's, or of the other environment", async () => {
    const merchant = await service.newMerchant();
    const stranger = await service.newMerchant();
    const body = await prepared(merchant);
    const live = await service.newKey(merchant, { environment: "live" });
    for (const asking of [stranger, live]) {
      expect(outcome(await ask(asking, body))).toEqual([404, "payment_not_found"]);
    }
    const nobodys = { ...body, payment_id: `pay_${"0".repeat(26)}` };
    expect(outcome(await ask(merchant, nobodys))).toEqual([404, "payment_not_found"]);
    expect((await ask(merchant, body)).status).toBe(200);
  });

  test("409 for another authorization of a payment that is settled, with its hash", async () => {
    const merchant = await service.newMerchant();
    const id = await localPayment(merchant);
    const first = await ask(merchant, await settlementOf(id));
    const answer = await ask(merchant, await settlementOf(id));
    expect(outcome(answer)).toEqual([409, "payment_already_settled"]);
    expect(errorOf(answer.body).details).toMatchObject({
      tx_hash: bodyOf(first.body)["tx_hash"],
    });
  });

  test("409 for a payment that is cancelled", async ({ merchant }) => {
    const body = await prepared(merchant);
    await asker.ask(merchant, "cancelPayment", { path: { id: textOf(body["payment_id"]) } });
    const answer = await ask(merchant, body);
    expect(outcome(answer)).toEqual([409, "payment_not_payable"]);
    expect(errorOf(answer.body).details).toMatchObject({ status: "cancelled" });
  });

  test("400 for a number that no word of the chain holds (threat 36)", async ({ merchant }) => {
    const body = changed(await prepared(merchant), { max_amount_required: "9".repeat(78) });
    expect(outcome(await ask(merchant, body))).toEqual([400, "invalid_request"]);
  });
}

describeOnEngines(describeSettle, { hasChain: true });
