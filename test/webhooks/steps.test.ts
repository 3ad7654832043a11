// What is written of endpoints and of attempts, with other endpoints and deliveries beside them.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { auditValues } from "../../service/audit/audit.ts";
import { eventValues } from "../../service/events/events.ts";
import { recordAttempt, recordDisablingAttempt } from "../../service/webhooks/outcomes.sql.ts";
import { anyEvent } from "../support/any-event.ts";
import { type Engine, engines, openDatabase } from "../support/engines.ts";
import { buildEndpointCalls } from "../support/endpoint-calls.ts";
import { addMerchant, hourMilliseconds, query } from "../support/service-parts.ts";
import {
  changedKeys,
  contentsOf,
  expectStep,
  stored,
  type Row,
  type Step,
} from "../support/table-steps.ts";

const start = Date.parse("2026-01-01T00:00:00.000Z");
const at = (seconds: number): Date => new Date(start + seconds * 1000);
const url = "https://shop.example/hooks";

async function open(engine: Engine) {
  const database = await openDatabase(engine);
  for (const id of ["mer_1", "mer_2"]) await addMerchant(database, id);
  const calls = buildEndpointCalls(database);
  const contents = () =>
    contentsOf(database, {
      webhook_endpoints: "t.id",
      webhook_deliveries: "t.id",
      events: "t.resource_id || ' ' || t.type",
      audit_entries: "t.subject_id || ' ' || t.action",
    });
  return { database, contents, ...calls };
}

describe.each(engines)("on %s", (engine) => {
  test("a change of an endpoint changes nothing but what it says, and no other one", async () => {
    const { contents, parts, register, update, setStatus, rotate } = await open(engine);
    const { id } = await register({ url });
    await register({ url: `${url}/2`, eventTypes: ["payment.paid"] });
    await register({ url }, { environment: "test" });
    await register({ url }, { merchantId: "mer_2" });
    const key = `webhook_endpoints ${id}`;
    /** The columns that differ, and what they are. */
    const changesOf = async (change: () => Promise<unknown>): Promise<Row> => {
      parts.clock.advance(1_000);
      const was = await contents();
      await change();
      const is = await contents();
      const rows = changedKeys(was, is).filter((one) => one.startsWith("webhook_endpoints "));
      expect(rows).toEqual([key]);
      const before = was.get(key) ?? {};
      const after = Object.entries(is.get(key) ?? {});
      return Object.fromEntries(
        after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
      );
    };
    const now = () => stored({ updated_at: parts.clock.now() });
    const since = () => stored({ inactive_since: parts.clock.now() });
    const eventTypes = ["payment.paid", "payment.expired"];
    const replaced = await changesOf(() => update(id, { url: `${url}/v2`, eventTypes }));
    expect(replaced).toEqual({ url: `${url}/v2`, event_types: eventTypes, ...now() });
    const off = await changesOf(() => setStatus(id, false));
    expect(off).toEqual({ active: false, inactive_reason: "merchant", ...since(), ...now() });
    const on = { active: true, inactive_reason: null, inactive_since: null };
    const soon = await changesOf(() => setStatus(id, true));
    expect(soon).toEqual({ ...on, ...now() });
    for (const [milliseconds, more] of [
      [72 * hourMilliseconds - 1_001, {}],
      [72 * hourMilliseconds - 1_000, { generation: 2 }],
      [90 * hourMilliseconds, { generation: 3 }],
    ] as const) {
      await setStatus(id, false);
      parts.clock.advance(milliseconds);
      const late = await changesOf(() => setStatus(id, true));
      expect(late).toEqual({ ...on, ...more, ...now() });
    }
    const rotated = await changesOf(() => rotate(id));
    const until = new Date(parts.clock.nowMilliseconds() + 24 * hourMilliseconds);
    const names = ["previous_secret_expires_at", "previous_secret_sealed", "secret_sealed"];
    expect(Object.keys(rotated).toSorted()).toEqual([...names, "updated_at"].toSorted());
    expect(rotated).toMatchObject(stored({ previous_secret_expires_at: until }));
  });

  const attempt = {
    deliveryId: "dlv_1",
    token: "mine",
    now: at(9),
    status: "pending",
    nextAttemptAt: at(60),
    lastStatus: 500,
    lastError: null,
  } as const;
  const free = { claim_token: null, claim_expires_at: null, claim_slot: null };
  const failed = { attempts: 4, next_attempt_at: at(60), last_status: 500, last_error: null };
  const over = { ...free, attempts: 4, next_attempt_at: null, finished_at: at(9) };
  const disabling = { ...attempt, status: "cancelled", nextAttemptAt: null, lastStatus: 410 };
  const off = { active: false, inactive_since: at(9), updated_at: at(9), failing_since: null };
  const switchedOff = (id: string, more: Row) => ({
    [`webhook_endpoints ${id}`]: { ...off, ...more },
    [`events ${id} webhook_endpoint.disabled`]: {},
    [`audit_entries ${id} webhook_endpoint.disabled`]: {},
  });
  const wrongs: Pick<Step, "wrongValues" | "wrongBefore"> = {
    wrongValues: [{ deliveryId: "dlv_7" }, { token: "another's" }],
    wrongBefore: [
      { claim_token: "another's" },
      { status: "failed", next_attempt_at: null, finished_at: at(0), claim_token: "mine" },
      { generation: 1 },
    ],
  };

  test.each<readonly [string, string, (now: { readonly id: string }) => Step]>([
    [
      "a failure where all was well",
      "null",
      ({ id }) => ({
        statement: recordAttempt,
        before: {},
        values: { ...attempt, isSuccess: false },
        ...wrongs,
        changes: { ...free, ...failed },
        writes: { [`webhook_endpoints ${id}`]: { failing_since: at(9), active: true } },
      }),
    ],
    [
      "a failure of what fails already",
      "'2026-01-01'",
      () => ({
        statement: recordAttempt,
        before: {},
        values: { ...attempt, isSuccess: false, lastStatus: null, lastError: "timeout" },
        ...wrongs,
        changes: { ...free, ...failed, last_status: null, last_error: "timeout" },
      }),
    ],
    [
      "a success of what has failed",
      "'2026-01-01'",
      ({ id }) => ({
        statement: recordAttempt,
        before: {},
        values: {
          ...attempt,
          status: "delivered",
          nextAttemptAt: null,
          lastStatus: 200,
          isSuccess: true,
        },
        ...wrongs,
        changes: { ...over, status: "delivered", last_status: 200, last_error: null },
        writes: { [`webhook_endpoints ${id}`]: { failing_since: null } },
      }),
    ],
    [
      "a success where all was well",
      "null",
      () => ({
        statement: recordAttempt,
        before: {},
        values: {
          ...attempt,
          status: "delivered",
          nextAttemptAt: null,
          lastStatus: 200,
          isSuccess: true,
        },
        ...wrongs,
        changes: { ...over, status: "delivered", last_status: 200, last_error: null },
      }),
    ],
    [
      "an endpoint that is gone",
      "'2026-01-01'",
      ({ id }) => ({
        statement: recordDisablingAttempt,
        before: {},
        values: { ...disabling, reason: "gone", failingSince: null },
        ...wrongs,
        changes: { ...over, status: "cancelled", last_status: 410, last_error: null },
        writes: switchedOff(id, {
          inactive_reason: "gone",
          generation: 3,
          cancelled_generation: 2,
        }),
      }),
    ],
    [
      "an endpoint that has failed for long",
      "'2026-01-01'",
      ({ id }) => ({
        statement: recordDisablingAttempt,
        before: {},
        values: { ...attempt, reason: "failing", failingSince: new Date("2026-01-01T00:00:00Z") },
        ...wrongs,
        changes: { ...free, ...failed },
        writes: switchedOff(id, {
          inactive_reason: "failing",
          generation: 2,
          cancelled_generation: 0,
        }),
      }),
    ],
    [
      "an endpoint that has failed, but had a success since",
      "'2026-01-02'",
      () => ({
        statement: recordDisablingAttempt,
        before: {},
        values: { ...attempt, reason: "failing", failingSince: new Date("2026-01-01T00:00:00Z") },
        ...wrongs,
        changes: { ...free, ...failed },
      }),
    ],
  ])("%s is written down by whoever has the claim", async (...[, failingSince, stepOf]) => {
    const { database, contents, parts, register } = await open(engine);
    const run = (text: string) => query(database, sql.raw(text));
    const { id } = await register({ url });
    const { id: other } = await register({ url: `${url}/2` });
    await run(`update webhook_endpoints set generation = 2`);
    await run(`update webhook_endpoints set failing_since = ${failingSince} where id = '${id}'`);
    await run(`update webhook_endpoints set failing_since = '2025-12-31' where id = '${other}'`);
    const put = (name: string, of: string, row: Row) => {
      const usual = {
        generation: 2,
        status: "pending",
        next_attempt_at: at(0),
        claim_token: "mine",
      };
      const one = { ...usual, claim_expires_at: at(60), claim_slot: 1, finished_at: null, ...row };
      return query(database)`with event as (
          insert into events values (${`evt_${name}`}, 'mer_1', 'live', 'payment.paid', now(), 'payment',
            ${name}, 1, '{}'))
        insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type,
          resource_type, resource_id, sequence, generation, status, attempts, next_attempt_at, claim_token,
          claim_expires_at, claim_slot, created_at, finished_at)
        values (${name}, 'mer_1', 'live', ${of}, ${`evt_${name}`}, 'payment.paid', 'payment', ${name}, 1,
          ${one.generation}, ${one.status}, 3, ${one.next_attempt_at}, ${one.claim_token},
          ${one.claim_expires_at}, ${one.claim_slot}, now(), ${one.finished_at})`;
    };
    const prepare = async (row: Row) => {
      await run("delete from webhook_deliveries");
      await run("delete from events");
      await put("dlv_1", id, row);
      await put("dlv_2", id, { claim_slot: 2 });
      await put("dlv_3", other, {});
    };
    const step = stepOf({ id });
    const owner = { merchantId: "mer_1", environment: "live" } as const;
    const subject = { type: "webhook_endpoint", id };
    const type = "webhook_endpoint.disabled";
    const event = { ...owner, type, resource: subject, data: {}, exceptEndpointId: id } as const;
    const audit = { occurredAt: at(9), actor: "system", action: type, ...owner, subject } as const;
    const told = {
      ...eventValues(parts, anyEvent(event)),
      ...auditValues({ ...audit, details: {} }),
    };
    const values = { ...told, ...step.values, eventExceptEndpointId: id };
    // Nobody else hears of it here, so that only what is asked about is written.
    await run(`update webhook_endpoints set event_types = '{payment.paid}' where id = '${other}'`);
    const tables = { database, key: "webhook_deliveries dlv_1", prepare, contents };
    await expectStep(tables, { ...step, values });
  });
});
