// Several events in one statement: each has the number, the deliveries and the endpoints of its own resource,
// however much else of it is the same.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eventValues } from "../../service/events/events.ts";
import { recordingEvents } from "../../service/events/events.sql.ts";
import { checkEventNames, eventTypes, parseEventTypes } from "../../service/events/types.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { anyEvent } from "../support/any-event.ts";
import type { AnyDraft } from "../support/any-event.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { openParts } from "../support/opened-parts.ts";

const recordAll = statement<{ readonly told: string }>("test_record_all")((p) =>
  recordingEvents(
    queries.with(
      "told",
      () => sql<object>`(
        select e->>'eventId' as "eventId", e->>'eventMerchantId' as "eventMerchantId",
          e->>'eventEnvironment' as "eventEnvironment", e->>'eventType' as "eventType",
          (e->>'eventOccurredAt')::timestamptz as "eventOccurredAt",
          e->>'eventResourceType' as "eventResourceType", e->>'eventResourceId' as "eventResourceId",
          e->>'eventData' as "eventData", e->>'eventExceptEndpointId' as "eventExceptEndpointId",
          array(select jsonb_array_elements_text(e->'eventDeliveryIds')) as "eventDeliveryIds"
        from jsonb_array_elements(${p.told}::jsonb) e)`,
    ),
    "told",
  ).selectNoFrom(sql<number>`1`.as("one")),
);

const usual = { data: { a: 1 }, type: "payment.paid" } as const;
const payment = { type: "payment", id: "one" };
const live = { merchantId: "mer_1", environment: "live" } as const;
const drafts: readonly AnyDraft[] = [
  { ...usual, ...live, resource: payment },
  { ...usual, ...live, environment: "test", resource: payment },
  { ...usual, ...live, merchantId: "mer_2", resource: payment },
  { ...usual, ...live, resource: { ...payment, id: "two" } },
  { ...usual, ...live, type: "withdrawal.failed", resource: { type: "withdrawal", id: "one" } },
];

describe.each(engines)("on %s", (engine) => {
  test("events that differ in one thing are counted apart, and told to their own endpoints", async () => {
    const { database, parts } = await openParts(engine, "mer_1", "mer_2");
    const endpoints = [
      ["whe_live", "mer_1", "live", "{*}", true],
      ["whe_paid", "mer_1", "live", "{payment.paid}", true],
      ["whe_off", "mer_1", "live", "{*}", false],
      ["whe_test", "mer_1", "test", "{*}", true],
      ["whe_other", "mer_2", "live", "{*}", true],
    ] as const;
    for (const [slot, [id, merchant, environment, types, isActive]] of endpoints.entries()) {
      await query(database)`insert into webhook_endpoints
        (id, merchant_id, environment, slot, url, event_types, active, inactive_reason, inactive_since,
          generation, secret_sealed, created_at, updated_at, idempotency_key)
        values (${id}, ${merchant}, ${environment}, ${slot + 1}, ${id}, ${types}::text[], ${isActive},
          ${isActive ? null : "merchant"}, ${isActive ? null : new Date(0)}, 3, '\\x00', now(), now(), ${id})`;
    }
    const record = async (all: readonly AnyDraft[]) => {
      const told = JSON.stringify(all.map((draft) => eventValues(parts, anyEvent(draft))));
      await database.run(recordAll, { told });
    };
    const [first] = drafts;
    await record(first === undefined ? [] : [first]);
    await record(drafts);
    const rows = await query(
      database,
      sql<{ event: string; told: readonly string[] }>`
        select concat_ws(' ', e.merchant_id, e.environment, e.resource_type, e.resource_id, e.sequence) as event,
          array_agg(concat_ws(' ', d.endpoint_id, d.status, d.sequence, d.generation,
            d.next_attempt_at is null, d.finished_at is null) order by d.endpoint_id) as told
        from events e join webhook_deliveries d on d.event_id = e.id group by e.id, e.merchant_id,
          e.environment order by 1`,
    );
    const waits = (id: string, sequence = 1) => `${id} pending ${sequence} 3 f t`;
    const left = (sequence = 1) => `whe_off skipped ${sequence} 3 t f`;
    expect(rows.map(({ event, told }) => [event, ...told])).toEqual([
      ["mer_1 live payment one 1", waits("whe_live"), left(), waits("whe_paid")],
      ["mer_1 live payment one 2", waits("whe_live", 2), left(2), waits("whe_paid", 2)],
      ["mer_1 live payment two 1", waits("whe_live"), left(), waits("whe_paid")],
      ["mer_1 live withdrawal one 1", waits("whe_live"), left()],
      ["mer_1 test payment one 1", waits("whe_test")],
      ["mer_2 live payment one 1", waits("whe_other")],
    ]);
  });
});

test("a list of names that do not exist has an end, and says where each of them stands", () => {
  const wanted = ["payment.paid", ...Array.from({ length: 150 }, (_, index) => `no.${index}`)];
  const violations = (): unknown => {
    try {
      checkEventNames(wanted);
    } catch (error) {
      return (error as { readonly details: { readonly violations: unknown } }).details.violations;
    }
    return undefined;
  };
  const expected = Array.from({ length: 100 }, (_, index) => ({
    in: "body",
    pointer: `/event_types/${index + 1}`,
    rule: "known",
    message: "is not the name of an event",
  }));
  expect(violations()).toEqual(expected);
  expect(() => checkEventNames([undefined, "payment.paid", "*"])).not.toThrow();
  expect(() => checkEventNames([undefined, "payment.payed"])).toThrow("do not exist");
});

test("an endpoint asks for all events, or for each once, in its own order", () => {
  expect(parseEventTypes(undefined)).toEqual(["*"]);
  expect(parseEventTypes(["*"])).toEqual(["*"]);
  expect(parseEventTypes(["*", "*"])).toEqual(["*"]);
  const [one, other] = eventTypes;
  expect(parseEventTypes([other, one, other])).toEqual([other, one]);
  expect(() => parseEventTypes([])).toThrow("at least one event");
  for (const both of [
    ["*", one],
    [one, "*"],
  ])
    expect(() => parseEventTypes(both)).toThrow("already means every event");
  for (const name of ["payment", "", "payment.paid "]) {
    expect(() => parseEventTypes([name])).toThrow("names that do not exist");
  }
});
