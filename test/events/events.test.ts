import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { parseEventTypes } from "../../service/events/types.ts";
import { eventValues } from "../../service/events/events.ts";
import type { Environment } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { recordingEvent } from "../../service/events/events.sql.ts";
import type { EventValues } from "../../service/events/events.sql.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { anyEvent } from "../support/any-event.ts";
import type { AnyDraft } from "../support/any-event.ts";
import { engines, makePostgresDatabase } from "../support/engines.ts";
import { addMerchant, buildServiceParts, query } from "../support/service-parts.ts";
import type { ServiceParts } from "../support/service-parts.ts";
import { openParts } from "../support/opened-parts.ts";

/** An event for each merchant that is renamed. */
const rename = statement<EventValues & { readonly id: string; readonly name: string }>(
  "test_rename",
)((p) =>
  recordingEvent(
    queries.with("renamed", (q) =>
      q.updateTable("merchants").set({ name: p.name }).where("id", "=", p.id).returning("id"),
    ),
    "renamed",
    p,
  ).selectNoFrom(sql<boolean>`exists (select from renamed)`.as("is_renamed")),
);

const draft: AnyDraft = {
  merchantId: "mer_1",
  environment: "live",
  type: "payment.paid",
  resource: { type: "payment", id: "pay_1" },
  data: { id: "pay_1", status: "paid", note: "Größe" },
};

function record(parts: ServiceParts, changes: Partial<AnyDraft> = {}, id = "mer_1") {
  const values = eventValues(parts, anyEvent({ ...draft, ...changes }));
  return parts.database.run(rename, { ...values, id, name: "renamed" });
}

interface EndpointRow {
  readonly id: string;
  readonly slot: number;
  readonly types: readonly string[];
  readonly isActive?: boolean;
  readonly merchantId?: string;
  readonly environment?: Environment;
}

function addEndpoint(database: Database, row: EndpointRow) {
  const isActive = row.isActive ?? true;
  return query(database)`insert into webhook_endpoints
    (id, merchant_id, environment, slot, url, event_types, active, inactive_reason,
      inactive_since, secret_sealed, created_at, updated_at, idempotency_key)
    values (${row.id}, ${row.merchantId ?? "mer_1"}, ${row.environment ?? "live"}, ${row.slot}, ${row.id},
      ${row.types}, ${isActive}, ${isActive ? null : "merchant"}, ${isActive ? null : new Date()},
      '\\x00', now(), now(), ${row.id})`;
}

function deliveries(database: Database) {
  return query(database)<{ endpoint_id: string; status: string }>`select d.endpoint_id, d.status
    from webhook_deliveries d join events e on e.id = d.event_id order by d.endpoint_id`;
}

function sequences(database: Database) {
  return query(database)<{ resource_id: string; sequences: readonly string[] }>`select resource_id,
    array_agg(sequence::text order by sequence) as sequences
    from events group by resource_id order by resource_id`;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

describe.each(engines)("an event on %s", (engine) => {
  it("is recorded with its exact data, and a delivery for each endpoint that wants it", async () => {
    const { database, parts } = await openParts(engine, "mer_1", "mer_2");
    await addEndpoint(database, { id: "whe_all", slot: 1, types: ["*"] });
    await addEndpoint(database, { id: "whe_other", slot: 2, types: ["payment.expired"] });
    await addEndpoint(database, { id: "whe_off", slot: 3, types: ["*"], isActive: false });
    await addEndpoint(database, {
      id: "whe_paid",
      slot: 20,
      types: ["payment.created", "payment.paid"],
    });
    await addEndpoint(database, { id: "whe_foreign", slot: 1, types: ["*"], merchantId: "mer_2" });
    expect(await record(parts)).toEqual([{ is_renamed: true }]);
    expect(await deliveries(database)).toEqual([
      { endpoint_id: "whe_all", status: "pending" },
      { endpoint_id: "whe_off", status: "skipped" },
      { endpoint_id: "whe_paid", status: "pending" },
    ]);
    const [event] = await query(database)<{ data: string; sequence: bigint }>`select * from events`;
    expect(event).toMatchObject({
      merchant_id: "mer_1",
      type: "payment.paid",
      resource_type: "payment",
      resource_id: "pay_1",
      sequence: 1n,
      occurred_at: parts.clock.now(),
      data: '{"id":"pay_1","status":"paid","note":"Größe"}',
    });
    const [due] = await query(
      database,
    )`select id, event_type, next_attempt_at, attempts from webhook_deliveries
      where endpoint_id = 'whe_all'`;
    expect(due).toMatchObject({
      id: expect.stringMatching(/^dlv_/) as unknown,
      event_type: "payment.paid",
      next_attempt_at: parts.clock.now(),
      attempts: 0,
    });
  });

  it("of a test key goes to test endpoints, of a live key to live ones, each with its own numbers", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    // The same slot: each environment has its own.
    await addEndpoint(database, { id: "whe_live", slot: 1, types: ["*"] });
    await addEndpoint(database, { id: "whe_test", slot: 1, types: ["*"], environment: "test" });
    for (const environment of ["live", "test", "live"] as const) {
      await record(parts, { environment });
    }
    const rows = await query(
      database,
    )`select d.endpoint_id, d.environment, v.environment as of_event, v.sequence::integer
      from webhook_deliveries d join events v on v.id = d.event_id order by 1, 4`;
    expect(rows).toEqual([
      { endpoint_id: "whe_live", environment: "live", of_event: "live", sequence: 1 },
      { endpoint_id: "whe_live", environment: "live", of_event: "live", sequence: 2 },
      { endpoint_id: "whe_test", environment: "test", of_event: "test", sequence: 1 },
    ]);
  });

  it("is kept from the endpoint it must not go to", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    await addEndpoint(database, { id: "whe_one", slot: 1, types: ["*"] });
    await addEndpoint(database, { id: "whe_two", slot: 2, types: ["*"] });
    await record(parts, { exceptEndpointId: "whe_one" });
    expect(await deliveries(database)).toEqual([{ endpoint_id: "whe_two", status: "pending" }]);
  });

  it("is not there when nothing happened, nor when it was rolled back (threat 61)", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    await addEndpoint(database, { id: "whe_one", slot: 1, types: ["*"] });
    expect(await record(parts, {}, "mer_unknown")).toEqual([{ is_renamed: false }]);
    const attempt = database.transaction(async (inside) => {
      await record({ ...parts, database: inside });
      throw new Error("rolled back");
    });
    await expect(attempt).rejects.toThrow("rolled back");
    expect(await sequences(database)).toEqual([]);
    expect(await deliveries(database)).toEqual([]);
    await record(parts);
    expect(await sequences(database)).toEqual([{ resource_id: "pay_1", sequences: ["1"] }]);
  });

  it("counts for each resource of each merchant by itself", async () => {
    const { database, parts } = await openParts(engine, "mer_1", "mer_2");
    await record(parts);
    await record(parts);
    await record(parts, { resource: { type: "payment", id: "pay_2" } });
    await record(parts, { merchantId: "mer_2" });
    const rows = await query(
      database,
    )`select merchant_id, resource_id, last::int from event_sequences order by 1, 2`;
    expect(rows).toEqual([
      { merchant_id: "mer_1", resource_id: "pay_1", last: 2 },
      { merchant_id: "mer_1", resource_id: "pay_2", last: 1 },
      { merchant_id: "mer_2", resource_id: "pay_1", last: 1 },
    ]);
  });

  it("may have as much data as fits into a payload of 20 kB, and no more", async () => {
    const { parts } = await openParts(engine, "mer_1");
    const empty = JSON.stringify({ text: "" }).length;
    const longest = "x".repeat(20_480 - 1024 - empty);
    await record(parts, { data: { text: longest } });
    const values = (text: string) => eventValues(parts, anyEvent({ ...draft, data: { text } }));
    expect(() => values(`${longest}x`)).toThrow(/19457 bytes/);
    // Bytes count, not characters.
    const wide = "ü".repeat(10_000);
    expect(() => values(wide)).toThrow(/bytes of data/);
  });
});

it("numbers events without gaps when two processes record them at once", async () => {
  const { url, remove } = await makePostgresDatabase();
  const databases = await Promise.all([openPostgres({ url }), openPostgres({ url })]);
  onTestFinished(async () => {
    await Promise.all(databases.map(({ close }) => close()));
    await remove();
  });
  const [first, second] = databases;
  await addMerchant(first, "mer_1");
  await addEndpoint(first, { id: "whe_all", slot: 1, types: ["*"] });
  const processes = [buildServiceParts(first), buildServiceParts(second)];
  const resources = ["pay_1", "pay_2", "pay_3"];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 120 }, async (_, index) => {
      const parts = processes[index % 2] ?? buildServiceParts(first);
      const resource = { type: "payment", id: resources[index % 3] ?? "" };
      // Every fourth one is undone after it had its number.
      if (index % 4 !== 0) return record(parts, { resource });
      return parts.database.transaction(async (inside) => {
        await record({ ...parts, database: inside }, { resource });
        throw new Error("undone");
      });
    }),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(90);
  expect(await sequences(first)).toEqual(
    resources.map((id) => ({ resource_id: id, sequences: upTo(30) })),
  );
  expect(await deliveries(first)).toHaveLength(90);
});

describe("the events an endpoint asks for", () => {
  const accepted: readonly (readonly [string, readonly string[] | undefined, readonly string[]])[] =
    [
      ["nothing said: every event", undefined, ["*"]],
      ["every event", ["*"], ["*"]],
      ["every event, said twice", ["*", "*"], ["*"]],
      [
        "duplicates removed, in the caller's order",
        ["payment.paid", "payment.created", "payment.paid"],
        ["payment.paid", "payment.created"],
      ],
    ];
  it.each(accepted)("%s", (_, wanted, kept) => {
    expect(parseEventTypes(wanted)).toEqual(kept);
  });

  const refused: readonly (readonly [string, readonly string[], string])[] = [
    ["an empty list", [], "/event_types"],
    ["a name that does not exist", ["payment.paid", "payment.stolen"], "/event_types/1"],
    ["another spelling", ["Payment.Paid"], "/event_types/0"],
    ["a pattern", ["payment.*"], "/event_types/0"],
    ["everything beside something", ["payment.paid", "*"], "/event_types"],
    ["a name that JavaScript knows", ["constructor"], "/event_types/0"],
  ];
  it.each(refused)("refuses %s, and says where", (_, wanted, pointer) => {
    expect(() => parseEventTypes(wanted)).toThrow(
      expect.objectContaining({
        code: "unknown_event_type",
        details: { violations: [expect.objectContaining({ in: "body", pointer }) as unknown] },
      }),
    );
  });
});
