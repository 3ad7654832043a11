// What a claim takes, of any small table: exactly what its rules say, reckoned here a second time and without
// SQL. The rules are those of `claimDueDeliveries`.

import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { claimDueDeliveries, listWaitingEndpoints } from "../../service/webhooks/dispatcher.sql.ts";
import type { Database } from "../../service/ports/database.ts";
import { type Engine, engines, openDatabase } from "../support/engines.ts";
import { addMerchant, query } from "../support/service-parts.ts";

const now = Date.parse("2026-05-05T05:05:05.000Z");
const perEndpointMax = 2;
const perMerchantMax = 3;
/** of all endpoints; what has an older one was given up */
const generation = 2;
const endpointCount = 5;

type Claim = "none" | "held" | "abandoned";

interface Delivery {
  readonly id: string;
  readonly endpoint: number;
  readonly generation: number;
  readonly resource: number;
  /** of the event among those of its resource; of all different */
  readonly sequence: number;
  readonly isPending: boolean;
  /** after now, of all different; 0: due just now */
  readonly dueIn: number;
  readonly claim: Claim;
  readonly slot: number;
}

interface World {
  readonly active: readonly boolean[];
  readonly deliveries: readonly Delivery[];
  readonly room: number;
}

const merchantOf = (endpoint: number): string => `mer_${endpoint % 2}`;

const wish = fc.record({
  endpoint: fc.nat(endpointCount - 1),
  generation: fc.constantFrom(1, 2, 2, 2),
  resource: fc.nat(2),
  isPending: fc.constantFrom(true, true, true, true, false),
  claim: fc.constantFrom<Claim>("none", "none", "none", "held", "abandoned"),
  // One beyond the places that there are: a process with another configuration.
  slot: fc.integer({ min: 1, max: perEndpointMax + 1 }),
});

const most = 24;
const world: fc.Arbitrary<World> = fc
  .record({
    wishes: fc.array(wish, { minLength: 3, maxLength: most }),
    sequences: order(),
    times: order(),
    active: fc.array(fc.constantFrom(true, true, true, false), {
      minLength: endpointCount,
      maxLength: endpointCount,
    }),
    room: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ wishes, sequences, times, active, room }) => ({
    active,
    room,
    deliveries: possible(
      wishes.map((one, index) => ({
        ...one,
        id: `dlv_${index}`,
        sequence: sequences[index] ?? 0,
        dueIn: (times[index] ?? 0) - most + 4,
      })),
    ),
  }));

/** From 1. */
function order(): fc.Arbitrary<readonly number[]> {
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  return fc.shuffledSubarray(numbers, { minLength: most });
}

/** What is claimed was due, and the unique indexes have not refused it. */
function possible(wanted: readonly Delivery[]): readonly Delivery[] {
  const taken = new Set<string>();
  return wanted.map((one) => {
    const place = `${one.endpoint} ${one.generation}`;
    const keys = [`${place} resource ${one.resource}`, `${place} slot ${one.slot}`];
    const isFree = one.isPending && one.dueIn <= 0 && keys.every((key) => !taken.has(key));
    if (one.claim === "none" || !isFree) return { ...one, claim: "none" };
    for (const key of keys) taken.add(key);
    return one;
  });
}

interface Candidate extends Pick<Delivery, "id" | "endpoint" | "dueIn" | "slot"> {
  /** among those of its endpoint; 0: it was left behind, and has its place still */
  readonly number: number;
}

function earlier(one: Pick<Delivery, "dueIn">, other: Pick<Delivery, "dueIn">): number {
  return one.dueIn - other.dueIn;
}

/** Of one endpoint: for each free place one of the resources that nothing is under way of, the oldest first. */
function headsOf(open: readonly Delivery[]): readonly Candidate[] {
  const claimed = open.filter(({ claim }) => claim !== "none");
  const busy = new Set(claimed.map(({ resource }) => resource));
  const due = open.filter(({ dueIn, resource }) => dueIn <= 0 && !busy.has(resource));
  const taken = new Set(claimed.map(({ slot }) => slot));
  const places = Array.from({ length: perEndpointMax }, (_, index) => index + 1);
  const free = places.filter((place) => !taken.has(place));
  const resources = [...new Set(due.toSorted(earlier).map(({ resource }) => resource))];
  return resources.slice(0, free.length).flatMap((resource, index) => {
    const [head] = due
      .filter((one) => one.resource === resource)
      .toSorted((a, b) => a.sequence - b.sequence);
    return head === undefined ? [] : [{ ...head, slot: free[index] ?? 0, number: index + 1 }];
  });
}

/** Gives id and place. */
function expectedOf({ active, deliveries, room }: World): readonly string[] {
  const underWay = deliveries.filter(({ claim }) => claim === "held");
  const candidates = active.flatMap((isActive, endpoint): readonly Candidate[] => {
    if (!isActive) return [];
    const open = deliveries.filter(
      (one) => one.endpoint === endpoint && one.isPending && one.generation === generation,
    );
    const left = open.filter(({ claim }) => claim === "abandoned");
    return [...left.map((one) => ({ ...one, number: 0 })), ...headsOf(open)];
  });
  const loadOf = ({ endpoint, number }: Candidate): number =>
    underWay.filter((one) => one.endpoint === endpoint).length + number;
  const ranked = [...new Set(active.map((_, endpoint) => merchantOf(endpoint)))].flatMap(
    (owner) => {
      const before = underWay.filter((one) => merchantOf(one.endpoint) === owner).length;
      return candidates
        .filter((one) => merchantOf(one.endpoint) === owner)
        .toSorted(
          (a, b) =>
            Number(a.number > 0) - Number(b.number > 0) || loadOf(a) - loadOf(b) || earlier(a, b),
        )
        .map((one, index) => ({ ...one, load: before + index + 1 }));
    },
  );
  return ranked
    .filter(({ load }) => load <= perMerchantMax)
    .toSorted((a, b) => a.load - b.load || earlier(a, b))
    .slice(0, room)
    .map(({ id, slot }) => `${id} in ${slot}`)
    .toSorted();
}

/** As a worker does: those that have anything due. */
async function dueEndpoints(database: Database): Promise<readonly string[]> {
  const values = { now: seconds(0), after: "", dueMax: 99 };
  const rows = await database.run(listWaitingEndpoints, values);
  return rows.flatMap(({ endpoint_id: id, is_due: isDue }) => (isDue ? [id] : []));
}

const seconds = (count: number): Date => new Date(now + count * 1000);

async function write(database: Database, deliveries: readonly Delivery[]): Promise<void> {
  await query(database)`with gone as (delete from webhook_deliveries) delete from events`;
  const rows = deliveries.map((one) => ({
    ...one,
    event: `evt_${one.id}`,
    endpoint: `whe_${one.endpoint}`,
    merchant: merchantOf(one.endpoint),
    resource: `pay_${one.resource}`,
    due: one.isPending ? seconds(one.dueIn) : null,
    token: one.claim === "none" ? null : "another worker's",
    // Just now is over.
    expires: one.claim === "none" ? null : seconds(one.claim === "held" ? 1 : 0),
    slot: one.claim === "none" ? null : one.slot,
  }));
  await query(database)`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
        id text, event text, endpoint text, merchant text, resource text, sequence bigint,
        generation integer, "isPending" boolean, due timestamptz, token text, expires timestamptz,
        slot integer)
    ), events as (
      insert into events select event, merchant, 'live', 'payment.paid', ${seconds(-99)}::timestamptz,
        'payment', resource, sequence, '{}' from given
    )
    insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type,
      resource_type, resource_id, sequence, generation, status, next_attempt_at, claim_token,
      claim_expires_at, claim_slot, created_at, finished_at)
    select id, merchant, 'live', endpoint, event, 'payment.paid', 'payment', resource, sequence,
      generation, case when "isPending" then 'pending' else 'failed' end, due, token, expires, slot,
      ${seconds(-99)}::timestamptz, case when not "isPending" then ${seconds(-9)}::timestamptz end
    from given`;
}

async function switchTo(database: Database, active: readonly boolean[]): Promise<void> {
  const given = JSON.stringify(active.map((one, index) => ({ id: `whe_${index}`, active: one })));
  await query(database)`update webhook_endpoints e
    set active = given.active,
      inactive_reason = case when not given.active then 'merchant' end,
      inactive_since = case when not given.active then ${seconds(0)}::timestamptz end
    from jsonb_to_recordset(${given}::jsonb) as given (id text, active boolean)
    where given.id = e.id and given.active <> e.active`;
}

async function openTable(engine: Engine): Promise<Database> {
  const database = await openDatabase(engine);
  for (const id of ["mer_0", "mer_1"]) await addMerchant(database, id);
  await query(database)`insert into webhook_endpoints (id, merchant_id, environment, slot, url,
      event_types, active, generation, secret_sealed, created_at, updated_at, idempotency_key)
    select 'whe_' || number, 'mer_' || number % 2, 'live', number + 1, 'https://x.example/' || number,
      array['*'], true, ${generation}, 'x', ${seconds(-99)}::timestamptz, ${seconds(-99)}::timestamptz,
      number::text
    from generate_series(0, ${endpointCount - 1}::integer) as number`;
  return database;
}

describe.each(engines)("on %s", (engine) => {
  test("a claim takes what its rules say of any table, and holds it", async () => {
    const database = await openTable(engine);
    let claims = 0;
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        await switchTo(database, given.active);
        await write(database, given.deliveries);
        claims += 1;
        const token = `token ${claims}`;
        const expiresAt = seconds(60);
        const { room } = given;
        const endpointIds = await dueEndpoints(database);
        const limits = { room, perEndpointMax, perMerchantMax, endpointIds };
        const values = { now: seconds(0), token, expiresAt, ...limits };
        const taken = await database.run(claimDueDeliveries, values);
        const held = await query(
          database,
          sql<{ place: string; id: string }>`
            select id, id || ' in ' || claim_slot as place from webhook_deliveries
            where claim_token = ${token} and claim_expires_at = ${expiresAt}`,
        );
        expect(held.map(({ place }) => place).toSorted()).toEqual(expectedOf(given));
        const ids = held.map(({ id }) => id).toSorted();
        expect(taken.map(({ id }) => id).toSorted()).toEqual(ids);
        expect(taken.map((one) => one.event_id).toSorted()).toEqual(ids.map((id) => `evt_${id}`));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ["the 32 oldest deliveries", 0],
    ["one resource that has the 32 oldest", 33],
  ])(
    "beside %s it looks at eight resources from where its token says, and at the first eight",
    async (_, busyCount) => {
      const database = await openTable(engine);
      const of = (resource: number, more: Partial<Delivery>): Delivery => {
        const usual = { endpoint: 0, generation, sequence: 1, isPending: true, dueIn: -50 };
        const id = `dlv_${Object.values({ resource, ...more }).join("_")}`;
        return { ...usual, id, resource, claim: "none", slot: 1, ...more };
      };
      const busy = Array.from({ length: busyCount }, (__, index) => of(0, { sequence: index + 1 }));
      const others = Array.from({ length: 48 }, (__, index) => index + 1);
      const isDue = (resource: number): boolean => resource % 8 !== 0;
      // What must not be looked at would be looked at instead of them.
      const noise = (resource: number): readonly Delivery[] => [
        of(resource + 100, { dueIn: -60, generation: 1 }),
        of(resource + 200, { dueIn: -60, isPending: false }),
        of(resource + 300, { dueIn: -60, endpoint: 2 }),
      ];
      await write(database, [
        ...busy,
        ...others.flatMap((resource) => [
          of(resource, { sequence: 1, dueIn: isDue(resource) ? 1 - resource : 8 }),
          of(resource, { sequence: 2, dueIn: 9 }),
          ...noise(resource),
        ]),
      ]);
      const oldest = busyCount > 0 ? [0] : others.filter(isDue).slice(-32);
      const keys = await query(
        database,
        sql<{ resource: string; key: bigint }>`
          select distinct resource_id as resource, resource_key as key from webhook_deliveries
          where endpoint_id = 'whe_0' and generation = ${generation} and status = 'pending'
          order by key`,
      );
      for (const token of ["one", "two", "three", "four", "five", "six"]) {
        const values = { now: seconds(0), token, expiresAt: seconds(60), room: 99 };
        const endpointIds = await dueEndpoints(database);
        const limits = { perEndpointMax: 60, perMerchantMax: 99, endpointIds };
        const taken = await database.run(claimDueDeliveries, { ...values, ...limits });
        const [start] = await query(
          database,
          sql<{ key: bigint }>`select hashtextextended(${token}::text, 0) as key`,
        );
        const from = start?.key ?? 0n;
        const looked = [
          ...keys.filter(({ key }) => key > from).slice(0, 8),
          ...keys.filter(({ key }) => key <= from).slice(0, 8),
        ].map(({ resource }) => Number(resource.slice(4)));
        const due = looked.filter((one) => one === 0 || isDue(one));
        const expected = new Set([...oldest, ...due]);
        const own = taken.filter((one) => one.endpoint_id === "whe_0");
        expect(new Set(own.map((one) => Number(one.resource_id.slice(4))))).toEqual(expected);
        await query(database)`update webhook_deliveries
          set claim_token = null, claim_slot = null, claim_expires_at = null
          where claim_token = ${token}`;
      }
    },
  );

  test.each([
    ["64 that are finished", false, "dlv_lower"],
    ["64 that wait for a retry", true, "dlv_earlier"],
  ])("of a resource with %s, more are not looked at for the lowest number", async (...one) => {
    const [, isPending, expected] = one;
    const database = await openTable(engine);
    const usual = { endpoint: 0, generation, resource: 1, claim: "none", slot: 1 } as const;
    const before = Array.from({ length: 64 }, (_, index) => {
      return { ...usual, id: `dlv_${index}`, sequence: index + 1, isPending, dueIn: 9 };
    });
    await write(database, [
      ...before,
      { ...usual, id: "dlv_lower", sequence: 65, isPending: true, dueIn: -1 },
      { ...usual, id: "dlv_earlier", sequence: 66, isPending: true, dueIn: -5 },
    ]);
    const values = { now: seconds(0), token: "t", expiresAt: seconds(60), room: 9 };
    const endpointIds = await dueEndpoints(database);
    const limits = { perEndpointMax, perMerchantMax, endpointIds };
    const taken = await database.run(claimDueDeliveries, { ...values, ...limits });
    expect(taken.map(({ id }) => id)).toEqual([expected]);
  });
});
