// Reading what was sent: each documented status really produced, on both engines.

import { expect } from "vitest";
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  textOf,
} from "../support/contract-document.ts";
import type { Merchant } from "../support/service.ts";
import { operationBy } from "../support/contract-resources.ts";
import { type ContractRequest, send, validRequest } from "../support/contract-requests.ts";
import { testRefusals } from "./refusals.ts";
import { describeOnEngines, type Scene } from "./scene.ts";

function deliveriesOf(body: Json | undefined): readonly JsonObject[] {
  return listAt(isObject(body) ? body : {}, "deliveries").filter(isObject);
}

function describeOperations(scene: Scene): void {
  const { service, asker, test } = scene;
  testRefusals(scene, { operationId: "listWebhookDeliveries", prepare: () => ({}) });

  const act = async (merchant: Merchant, request: ContractRequest): Promise<JsonObject> => {
    const response = await send(merchant, request);
    expect(response.status).toBeLessThan(300);
    return (await response.json()) as JsonObject;
  };
  const registered = async (merchant: Merchant, name: string): Promise<string> => {
    const body = { url: `https://shop.example/${name}` };
    const operation = operationBy("registerWebhookEndpoint");
    return textOf((await act(merchant, validRequest(operation, { body })))["id"]);
  };
  const accept = (merchant: Merchant): Promise<JsonObject> => {
    const body = { currencies: {} };
    return act(merchant, validRequest(operationBy("replaceCurrencyAcceptance"), { body }));
  };
  const list = async (merchant: Merchant): Promise<readonly JsonObject[]> => {
    const answer = await asker.ask(merchant, "listWebhookDeliveries");
    expect(answer.status).toBe(200);
    return deliveriesOf(answer.body);
  };

  test("200 with nothing for a merchant without events", async () => {
    expect(await list(await service.newMerchant())).toEqual([]);
  });

  test("200 with one delivery for each endpoint that wants the event, and nobody else's", async () => {
    const [merchant, other] = [await service.newMerchant(), await service.newMerchant()];
    for (const name of ["a", "b"]) await registered(merchant, name);
    await registered(other, "c");
    await accept(merchant);
    const deliveries = await list(merchant);
    expect(deliveries).toHaveLength(2);
    for (const one of deliveries) {
      expect(one).toMatchObject({
        event_type: "currency_acceptance.updated",
        status: "pending",
        attempts: 0,
      });
    }
    expect(await list(other)).toEqual([]);
  });

  test("200 with `skipped` for an endpoint that is off", async ({ merchant }) => {
    const id = await registered(merchant, "off");
    const operation = operationBy("setWebhookEndpointStatus");
    await act(merchant, validRequest(operation, { path: { id }, body: { active: false } }));
    await accept(merchant);
    expect(await list(merchant)).toMatchObject([{ status: "skipped", attempts: 0 }]);
  });

  test("200 with the newest first, and a hundred of them at most", async ({ merchant }) => {
    for (let count = 0; count < 5; count += 1) await registered(merchant, `many-${count}`);
    for (let count = 0; count < 21; count += 1) await accept(merchant);
    const deliveries = await list(merchant);
    expect(deliveries).toHaveLength(100);
    const times = deliveries.map((one) => textOf(one["created_at"]));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(deliveries.map((one) => one["id"])).size).toBe(100);
  });
}

describeOnEngines(describeOperations);
