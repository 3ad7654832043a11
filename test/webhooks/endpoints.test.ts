import { describe, expect, it } from "vitest";
import { type Database, UniqueViolation } from "../../service/ports/database.ts";
import { replaceEndpoint } from "../../service/webhooks/endpoints.sql.ts";
import { sealingContexts } from "../../service/secrets/sealing.ts";
import { publishedEndpoint } from "../../service/webhooks/endpoint-model.ts";
import { type Engine, engines, openDatabase } from "../support/engines.ts";
import { buildEndpointCalls } from "../support/endpoint-calls.ts";
import {
  addMerchant,
  dumpRows,
  hourMilliseconds,
  liveOwner,
  query,
} from "../support/service-parts.ts";
import { expectRefusal } from "../support/refusal.ts";

const url = "https://shop.example/hooks";

async function start(engine: Engine) {
  const database = await openDatabase(engine);
  await addMerchant(database, "mer_1");
  await addMerchant(database, "mer_2");
  return { database, ...buildEndpointCalls(database) };
}

function events(database: Database) {
  return query(database)<{
    type: string;
    data: string;
    sequence: string;
    endpoints: readonly string[];
  }>`
    select e.type, e.data, e.sequence::text,
      array(select d.endpoint_id from webhook_deliveries d where d.event_id = e.id) as endpoints
    from events e order by e.resource_id, e.sequence`;
}

describe.each(engines)("a webhook endpoint on %s", (engine) => {
  it("is registered, active, and shows its secret once", async () => {
    const { database, register, parts } = await start(engine);
    const made = await register({ url, eventTypes: ["payment.paid", "payment.paid"] });
    expect(made).toEqual({
      id: expect.stringMatching(/^whe_[0-9A-Z]{26}$/) as unknown,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as unknown,
      eventTypes: ["payment.paid"],
    });
    const endpoint = await parts.endpoints.get(liveOwner("mer_1"), made.id);
    expect(publishedEndpoint(endpoint)).toEqual({
      id: made.id,
      url,
      event_types: ["payment.paid"],
      active: true,
      created_at: "2026-01-01T00:00:00.000Z",
    });
    expect(await events(database)).toEqual([]);
  });

  const sameUrls: readonly (readonly [string, string])[] = [
    ["https://shop.example", "https://SHOP.example:443/"],
    ["https://shop.example/a/b", "https://shop.example/a/x/../b"],
    ["https://shop.example/hooks?x=1", "HTTPS://shop.example/hooks?x=1"],
  ];
  it.each(sameUrls)("is refused for a URL that is registered: %s and %s", async (one, other) => {
    const { register } = await start(engine);
    await register({ url: one });
    await expectRefusal(register({ url: other }), "endpoint_already_exists");
    // Another merchant may have it, and other paths are other URLs.
    await register({ url: other }, { merchantId: "mer_2" });
    await register({ url: `${one}${one.includes("?") ? "&y" : "/y"}` });
  });

  const refusals: readonly (readonly [string, string, readonly string[] | undefined, string])[] = [
    ["http", "http://shop.example/hooks", undefined, "webhook_url_not_allowed"],
    ["an own host", "https://pay.example/hooks", undefined, "webhook_url_not_allowed"],
    ["no event", url, [], "unknown_event_type"],
    ["the URL before the events", "ftp://x", [], "webhook_url_not_allowed"],
    [
      "a URL that is too long once it is escaped",
      `https://shop.example/${'"'.repeat(1500)}`,
      undefined,
      "webhook_url_not_allowed",
    ],
  ];
  it("is refused by the static rules, and frees the key", async () => {
    const { register } = await start(engine);
    for (const [, refused, eventTypes, code] of refusals) {
      await expectRefusal(register({ url: refused, eventTypes }, { key: "same" }), code);
    }
    await register({ url }, { key: "same" });
  });

  it("may be called over http on a listed host with a test key only", async () => {
    const { register } = await start(engine);
    const local = "http://127.0.0.1:9999/hooks";
    await expectRefusal(register({ url: local }), "webhook_url_not_allowed");
    const { id } = await register({ url: local }, { environment: "test" });
    expect(id).toMatch(/^whe_/);
  });

  it("is one of at most 20, however they come (25 at once)", async () => {
    const { database, register } = await start(engine);
    const urls = Array.from({ length: 25 }, (_, index) => `${url}/${index}`);
    const results = await Promise.allSettled(urls.map((one) => register({ url: one })));
    const reasons = reasonsOf(results);
    expect(reasons).toHaveLength(5);
    for (const reason of reasons) expect(reason).toMatchObject({ code: "endpoint_limit_reached" });
    const slots = await query(database)<{ slot: number }>`select slot from webhook_endpoints`;
    expect(slots.map(({ slot }) => slot).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    // The same URL is the more useful answer, also when all slots are taken.
    const taken = results.findIndex(({ status }) => status === "fulfilled");
    await expectRefusal(register({ url: `${url}/${taken}` }), "endpoint_already_exists");
  });

  it("is registered once when the same URL comes ten times at once", async () => {
    const { register } = await start(engine);
    const attempts = Array.from({ length: 10 }, () => register({ url }));
    const results = await Promise.allSettled(attempts);
    const reasons = reasonsOf(results);
    expect(reasons).toHaveLength(9);
    const [{ id } = { id: "" }] = results.flatMap((one) =>
      one.status === "fulfilled" ? [one.value] : [],
    );
    const taken = { code: "endpoint_already_exists", details: { endpoint_id: id } };
    for (const reason of reasons) expect(reason).toMatchObject(taken);
  });

  it("is not made again by its request after the answer is long forgotten", async () => {
    const { register, parts } = await start(engine);
    await register({ url }, { key: "old" });
    parts.clock.advance(8 * 24 * hourMilliseconds);
    for (const again of [url, `${url}/other`]) {
      await expectRefusal(register({ url: again }, { key: "old" }), "idempotency_key_expired");
    }
  });

  it("is replaced, and the others hear of it", async () => {
    const { database, register, update } = await start(engine);
    const one = await register({ url });
    const other = await register({ url: `${url}/other` });
    const changed = await update(one.id, { url: `${url}/v2`, eventTypes: ["payment.paid"] });
    expect(changed).toMatchObject({ url: `${url}/v2`, eventTypes: ["payment.paid"], active: true });
    expect(await events(database)).toEqual([
      {
        type: "webhook_endpoint.updated",
        data: JSON.stringify(publishedEndpoint(changed)),
        sequence: "1",
        endpoints: [other.id],
      },
    ]);
  });

  it("is replaced by the same without an event", async () => {
    const { database, register, update } = await start(engine);
    const { id } = await register({ url });
    await update(id, { url: "https://SHOP.example/hooks", eventTypes: ["*"] });
    expect(await events(database)).toEqual([]);
  });

  it.each([
    [
      ["payment.paid", "payment.expired"],
      ["payment.paid", "payment.created"],
    ],
    [
      ["payment.paid", "payment.expired"],
      ["payment.expired", "payment.paid"],
    ],
    [["payment.paid", "payment.expired"], ["payment.paid"]],
    [["payment.paid"], ["payment.paid", "payment.expired"]],
  ])("that asks for %j and then for %j has changed", async (before, after) => {
    const { database, register, update } = await start(engine);
    const { id } = await register({ url, eventTypes: before });
    await update(id, { url, eventTypes: before });
    expect(await events(database)).toEqual([]);
    expect(await update(id, { url, eventTypes: after })).toMatchObject({ eventTypes: after });
    expect(await events(database)).toMatchObject([{ type: "webhook_endpoint.updated" }]);
  });

  it("is not given a URL that another one has", async () => {
    const { database, register, update, parts } = await start(engine);
    const { id } = await register({ url });
    await register({ url: `${url}/other` });
    await expectRefusal(
      update(id, { url: `${url}/other`, eventTypes: ["*"] }),
      "endpoint_already_exists",
    );
    expect(await parts.endpoints.get(liveOwner("mer_1"), id)).toMatchObject({ url });
    expect(await events(database)).toEqual([]);
  });

  it("takes no other violation for a URL that is taken", async () => {
    const { database, register } = await start(engine);
    const { id } = await register({ url });
    const violation = new UniqueViolation("webhook_endpoints_merchant_id_environment_slot_key");
    let tries = 0;
    const failing: Database = {
      ...database,
      transaction: (work) => database.transaction(work),
      run: (statement, values) => {
        if (statement.name !== replaceEndpoint.name) return database.run(statement, values);
        tries += 1;
        return Promise.reject(violation);
      },
    };
    const change = buildEndpointCalls(failing).update(
      id,
      { url: `${url}/new`, eventTypes: ["*"] },
      { key: "failing" },
    );
    await expect(change).rejects.toBe(violation);
    expect(tries).toBe(1);
  });

  it("is decided again where the URL was lost to another one that has left it since", async () => {
    const { database, register, update } = await start(engine);
    const { id } = await register({ url });
    const violation = new UniqueViolation("webhook_endpoints_merchant_id_environment_url_key");
    const lost: string[] = [];
    const losing: Database = {
      ...database,
      transaction: (work) => database.transaction(work),
      run: async (statement, values) => {
        if (statement.name !== replaceEndpoint.name || lost.length > 1)
          return database.run(statement, values);
        lost.push(statement.name);
        // Nobody has the URL the first time, and the second time this endpoint itself.
        if (lost.length === 2) await update(id, { url: `${url}/new`, eventTypes: ["*"] });
        throw violation;
      },
    };
    const calls = buildEndpointCalls(losing);
    const wish = { url: `${url}/new`, eventTypes: ["payment.paid"] };
    expect(await calls.update(id, wish, { key: "losing" })).toMatchObject(wish);
    expect(lost).toHaveLength(2);
  });

  it("is found by its own merchant only (threat 50)", async () => {
    const { database, register, update, setStatus, rotate, parts } = await start(engine);
    const { id } = await register({ url });
    const foreign = { merchantId: "mer_2" };
    const strange = ["whe_", "whe_01KDVDNA0083XSSSS6YS3C4DWA", "pay_1", "whe_\u0000", ""];
    for (const unknown of [id, ...strange]) {
      const results = await Promise.allSettled([
        parts.endpoints.get(liveOwner("mer_2"), unknown),
        update(unknown, { url: `${url}/x`, eventTypes: ["*"] }, foreign),
        setStatus(unknown, false, foreign),
        rotate(unknown, foreign),
      ]);
      expect(reasonsOf(results)).toHaveLength(4);
      for (const reason of reasonsOf(results)) expect(reason).toMatchObject({ code: "not_found" });
    }
    expect(await parts.endpoints.get(liveOwner("mer_1"), id)).toMatchObject({ url, active: true });
    expect(await events(database)).toEqual([]);
  });

  it("has its secrets nowhere in the database as they are (threat 13)", async () => {
    const { database, register, rotate } = await start(engine);
    const { id, secret } = await register({ url });
    await register({ url: `${url}/other` });
    const rotated = await rotate(id);
    const dump = await dumpRows(database);
    expect(dump).toContain(id);
    for (const text of ["whsec_", secret.slice(6), rotated.secret.slice(6)]) {
      expect(dump).not.toContain(text);
    }
  });
});

describe.each(engines)("the secret of a webhook endpoint on %s", (engine) => {
  interface SecretRow {
    readonly secret_sealed: Uint8Array;
    readonly previous_secret_sealed: Uint8Array | null;
    readonly previous_secret_expires_at: Date | null;
  }

  it("is replaced, and the previous one lives for 24 hours; the one before it no more", async () => {
    const { database, register, rotate, parts } = await start(engine);
    const { id, secret: first } = await register({ url });
    const other = await register({ url: `${url}/other` });
    const secrets = async () => {
      const [row] = await query(
        database,
      )<SecretRow>`select * from webhook_endpoints where id = ${id}`;
      const context = sealingContexts.webhookEndpoint(id);
      const sealed = [row?.secret_sealed, row?.previous_secret_sealed];
      return {
        live: sealed.flatMap((one) => (one ? [parts.sealer.open(one, context)] : [])),
        expiresAt: row?.previous_secret_expires_at,
      };
    };
    expect(await secrets()).toEqual({ live: [first], expiresAt: null });
    const { secret: second } = await rotate(id);
    const expiresAt = new Date(parts.clock.nowMilliseconds() + 24 * hourMilliseconds);
    expect(await secrets()).toEqual({ live: [second, first], expiresAt });
    const { secret: third } = await rotate(id);
    expect((await secrets()).live).toEqual([third, second]);
    expect(new Set([first, second, third])).toHaveProperty("size", 3);
    const recorded = await events(database);
    expect(recorded).toMatchObject([
      { type: "webhook_endpoint.secret_rotated", sequence: "1", endpoints: [other.id] },
      { type: "webhook_endpoint.secret_rotated", sequence: "2", endpoints: [other.id] },
    ]);
    expect(Object.keys(JSON.parse(recorded[0]?.data ?? "") as object)).not.toContain("secret");
  });

  it("is replaced by each of ten requests at once, one after the other", async () => {
    const { database, register, rotate, parts } = await start(engine);
    const { id } = await register({ url });
    const rotated = await Promise.all(Array.from({ length: 10 }, () => rotate(id)));
    const [row] = await query(
      database,
    )<SecretRow>`select * from webhook_endpoints where id = ${id}`;
    const context = sealingContexts.webhookEndpoint(id);
    const live = [row?.secret_sealed, row?.previous_secret_sealed].map((one) =>
      one ? parts.sealer.open(one, context) : "",
    );
    const shown = rotated.map(({ secret }) => secret);
    expect(new Set(live).size).toBe(2);
    for (const one of live) expect(shown).toContain(one);
    expect((await events(database)).map(({ sequence }) => Number(sequence))).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 1),
    );
  });
});

function reasonsOf(results: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return results.flatMap((one): unknown[] => (one.status === "rejected" ? [one.reason] : []));
}
