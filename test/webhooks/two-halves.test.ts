// The two halves of a merchant, live and test: with a key of the one, nothing of the other is found,
// changed or in the way.

import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Environment } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { type Engine, engines, openDatabase } from "../support/engines.ts";
import { buildEndpointCalls } from "../support/endpoint-calls.ts";
import { addMerchant, query } from "../support/service-parts.ts";
import { expectRefusal } from "../support/refusal.ts";

const url = "https://shop.example/hooks";
const live = { environment: "live" } as const;
const test = { environment: "test" } as const;

async function start(engine: Engine) {
  const database = await openDatabase(engine);
  await addMerchant(database, "mer_1");
  return { database, ...buildEndpointCalls(database) };
}

function endpoints(database: Database) {
  return query(database)`select * from webhook_endpoints order by id`;
}

describe.each(engines)("a webhook endpoint on %s", (engine) => {
  it.each([
    [live, test],
    [test, live],
  ])("of %j is not there for %j", async (own, other) => {
    const { database, register, update, setStatus, rotate, parts } = await start(engine);
    const { id } = await register({ url }, own);
    const before = await endpoints(database);
    const results = await Promise.allSettled([
      parts.endpoints.get({ merchantId: "mer_1", ...other }, id),
      update(id, { url: `${url}/stolen`, eventTypes: ["*"] }, other),
      // Without a change there would be nothing to write, but there would be an answer.
      update(id, { url, eventTypes: ["*"] }, other),
      setStatus(id, false, other),
      setStatus(id, true, other),
      rotate(id, other),
    ]);
    for (const result of results) {
      expect(result).toMatchObject({ status: "rejected", reason: { code: "not_found" } });
    }
    expect(await endpoints(database)).toEqual(before);
    expect(await query(database)`select 1 from events`).toEqual([]);
    await setStatus(id, false, own);
  });

  it("may have the URL of one in the other environment, also after a change", async () => {
    const { register, update } = await start(engine);
    await register({ url }, live);
    await register({ url }, test);
    await expectRefusal(register({ url }, test), "endpoint_already_exists");
    await register({ url: `${url}/v2` }, live);
    const { id } = await register({ url: `${url}/v1` }, test);
    const changed = await update(id, { url: `${url}/v2` }, test);
    expect(changed).toMatchObject({ url: `${url}/v2` });
    await expectRefusal(update(id, { url }, test), "endpoint_already_exists");
  });

  it("is one of 20 in each environment", async () => {
    const { database, register } = await start(engine);
    const both = Array.from({ length: 20 }, (_, index) => `${url}/${index}`).flatMap((one) => [
      register({ url: one }, live),
      register({ url: one }, test),
    ]);
    await Promise.all(both);
    for (const environment of [live, test]) {
      await expectRefusal(register({ url }, environment), "endpoint_limit_reached");
    }
    const counts = sql`select environment, count(distinct slot)::integer as slots
      from webhook_endpoints group by environment order by environment`;
    expect(await query(database, counts)).toEqual([
      { environment: "live", slots: 20 },
      { environment: "test", slots: 20 },
    ]);
  });

  it("is heard of, and its deliveries are listed, in its own environment only", async () => {
    const { database, register, rotate, parts } = await start(engine);
    const changed = await register({ url }, live);
    const witness = await register({ url: `${url}/live` }, live);
    await register({ url: `${url}/test` }, test);
    await rotate(changed.id, live);
    const rows = await query(database)`select endpoint_id from webhook_deliveries`;
    expect(rows).toEqual([{ endpoint_id: witness.id }]);
    const list = (environment: Environment) =>
      parts.deliveries.listNewest({ merchantId: "mer_1", environment });
    expect(await list("live")).toMatchObject([{ eventType: "webhook_endpoint.secret_rotated" }]);
    expect(await list("test")).toEqual([]);
  });
});
