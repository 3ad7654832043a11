import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { OperatorError } from "../../service/operator-error.ts";
import { findMissingKeys, resealEverything } from "../../service/secrets/resealing.ts";
import { roles } from "../../service/merchants/scopes.ts";
import { Sealer, sealingKey } from "../../service/secrets/sealing.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { buildHarness, outcomeOf, startMilliseconds } from "./authentication-harness.ts";

const everyKey = statement<object>("test_every_key")(() =>
  queries.selectFrom("api_keys").selectAll(),
);

const hours = (count: number): number => count * 3_600_000;

describe.each(engines)("on %s", (engine) => {
  test("a key and its secret have their form, and the secret is not in the database", async () => {
    const database = await openDatabase(engine);
    const harness = buildHarness(database);
    const { key, secret } = await harness.key({ environment: "live" });
    expect(key.id).toMatch(/^mk_live_[0-9A-HJKMNP-TV-Z]{24}$/);
    expect(secret).toMatch(/^sk_live_[\w-]{43}$/);
    const stored = (await database.run(everyKey, {})).map((row) => [
      Buffer.from(row.secret_sealed).toString("latin1"),
      JSON.stringify({ ...row, secret_sealed: undefined }),
    ]);
    expect(JSON.stringify(stored)).not.toContain(secret.slice("sk_live_".length));
    expect(JSON.stringify(await harness.apiKeys.list(null))).not.toMatch(/sk_|secret/);
  });

  test("live keys that move money are restricted", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const withdraw = { environment: "live", scopes: ["withdrawals:write"] } as const;
    await expect(harness.key(withdraw)).rejects.toThrow(/needs at least one --cidr/);
    const cidrs = ["192.0.2.9/24", "192.0.2.0/24"];
    const { key } = await harness.key({ ...withdraw, cidrs });
    expect(key.cidrs).toEqual(["192.0.2.0/24"]);
    const both = { environment: "live", scopes: roles.treasury, cidrs } as const;
    await expect(harness.key(both)).rejects.toThrow(/Create two keys/);
    expect((await harness.key({ ...both, environment: "test" })).key.scopes).toEqual([
      "withdrawals:write",
      "withdraw_addresses:write",
      "payouts:read",
      "payouts:write",
    ]);
  });

  test("threat 84: live keys that make payout schedules are restricted like those that withdraw", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const live = { environment: "live" } as const;
    const schedule = { ...live, scopes: ["payouts:write"] };
    const cidrs = ["192.0.2.0/24"];
    await expect(harness.key(schedule)).rejects.toThrow(/payouts:write needs at least one --cidr/);
    const both = { ...live, scopes: ["payouts:write", "withdraw_addresses:write"], cidrs };
    await expect(harness.key(both)).rejects.toThrow(/Create two keys/);
    expect((await harness.key({ ...schedule, cidrs })).key.cidrs).toEqual(cidrs);
    expect((await harness.key({ ...live, scopes: ["payouts:read"] })).key.cidrs).toEqual([]);
    expect((await harness.key({ ...both, environment: "test" })).key.scopes).toEqual([
      "withdraw_addresses:write",
      "payouts:write",
    ]);
  });

  test("threat 84: a range of nearly every address restricts nothing, and is refused", async () => {
    const database = await openDatabase(engine);
    const harness = buildHarness(database);
    const wish = (cidrs: readonly string[]) =>
      ({ environment: "test", scopes: ["withdrawals:write"], cidrs }) as const;
    for (const wide of [
      "0.0.0.0/0",
      "128.0.0.0/1",
      "8.0.0.0/7",
      "::/0",
      "2000::/15",
      "::ffff:0:0/96",
    ]) {
      await expect(harness.key(wish(["192.0.2.0/24", wide]))).rejects.toThrow(
        /nearly every address/,
      );
    }
    for (const narrow of ["10.0.0.0/8", "2001::/16", "192.0.2.1/32"]) {
      expect((await harness.key(wish([narrow]))).key.cidrs).toHaveLength(1);
    }
    // One of before is not followed by another one.
    const { key } = await harness.key(wish(["10.0.0.0/8"]));
    await query(database)`update api_keys set cidrs = '{0.0.0.0/0}' where id = ${key.id}`;
    const rotation = { keyId: key.id, overlapMilliseconds: 0 };
    await expect(harness.apiKeys.rotate(rotation)).rejects.toThrow(
      /nearly every address.*Create a new key with the ranges/,
    );
  });

  test("threat 84: a live key of before that has too many rights is not followed by one with as many", async () => {
    const database = await openDatabase(engine);
    const harness = buildHarness(database);
    const cidrs = ["192.0.2.0/24"];
    const wish = { environment: "live", scopes: ["payouts:write"], cidrs } as const;
    const issued = [await harness.key(wish), await harness.key(wish)];
    const [anywhere, greedy] = issued.map(({ key }) => key.id);
    await query(database)`update api_keys set cidrs = '{}' where id = ${anywhere}`;
    await query(database)`update api_keys
      set scopes = scopes || '{withdraw_addresses:write}'::text[] where id = ${greedy}`;
    for (const { key } of issued) {
      const rotation = { keyId: key.id, overlapMilliseconds: 0 };
      await expect(harness.apiKeys.rotate(rotation)).rejects.toThrow(OperatorError);
      expect((await harness.apiKeys.get(key.id)).expiresAt).toBeNull();
    }
  });

  test("what makes no sense is refused with a sentence for the operator", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const refusals = [
      () => harness.key({ scopes: ["payments:read"] }),
      () => harness.key({ cidrs: ["192.0.2.1"] }),
      () => harness.key({ expiresAt: new Date(startMilliseconds) }),
      () => harness.key({ merchantId: "mer_nobody" }),
      () => harness.apiKeys.revoke("mk_test_nobody"),
      () => harness.merchants.setStatus("mer_nobody", "suspended"),
      () => harness.merchants.create(" "),
      () => harness.merchants.create("x".repeat(201)),
    ];
    for (const refusal of refusals) await expect(refusal()).rejects.toThrow(OperatorError);
  });

  test("a rotated key works beside the new one until its overlap ends", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const old = await harness.key({ scopes: ["payouts:read"], cidrs: ["192.0.2.0/24"] });
    const rotation = { keyId: old.key.id, overlapMilliseconds: hours(24), expiresAt: null };
    const next = await harness.apiKeys.rotate(rotation);
    expect(next.key).toMatchObject({
      merchantId: old.key.merchantId,
      scopes: old.key.scopes,
      cidrs: old.key.cidrs,
      expiresAt: null,
      rotatedFrom: old.key.id,
    });
    const authentication = harness.newProcess();
    const attempt = (issued: typeof old): Promise<string> =>
      outcomeOf(authentication.verify(harness.request(issued), "read"));
    harness.clock.advance(hours(24) - 1000);
    expect(await attempt(old)).toBe(old.key.merchantId);
    // The same merchant: what belongs to it, its idempotency keys for one, goes on (threat 11).
    expect(await attempt(next)).toBe(old.key.merchantId);
    harness.clock.advance(1000);
    expect(await attempt(old)).toBe("authentication_failed");
    expect(await attempt(next)).toBe(old.key.merchantId);
    await expect(harness.apiKeys.rotate(rotation)).rejects.toThrow(/has expired/);
  });

  test("a rotation never makes a key live longer, and lasts 7 days at most", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const expiresAt = new Date(startMilliseconds + hours(1));
    const { key } = await harness.key({ expiresAt });
    const rotation = { keyId: key.id, overlapMilliseconds: hours(24 * 7), expiresAt: null };
    await harness.apiKeys.rotate(rotation);
    expect((await harness.apiKeys.get(key.id)).expiresAt).toEqual(expiresAt);
    const tooLong = { ...rotation, overlapMilliseconds: hours(24 * 7) + 1 };
    await expect(harness.apiKeys.rotate(tooLong)).rejects.toThrow(/7 days/);
  });

  test("the new key lives as long as the old one was made to live", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const made = await harness.key({ expiresAt: new Date(startMilliseconds + hours(90)) });
    const endless = await harness.key();
    harness.clock.advance(hours(10));
    const rotation = { keyId: made.key.id, overlapMilliseconds: 0 };
    const next = await harness.apiKeys.rotate(rotation);
    expect(next.key.expiresAt).toEqual(new Date(startMilliseconds + hours(100)));
    const other = await harness.apiKeys.rotate({ ...rotation, keyId: endless.key.id });
    expect(other.key.expiresAt).toBeNull();
    const lifted = await harness.apiKeys.rotate({
      keyId: next.key.id,
      overlapMilliseconds: 0,
      expiresAt: null,
    });
    expect(lifted.key.expiresAt).toBeNull();
  });

  test("a key that was rotated is followed by none that ends when it does, unless somebody says so", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const { apiKeys, clock } = harness;
    const old = await harness.key();
    clock.advance(hours(48));
    const rotation = { keyId: old.key.id, overlapMilliseconds: hours(24) };
    const lost = await apiKeys.rotate(rotation);
    // It has no end, and this one would have ended after three days.
    await expect(apiKeys.rotate(rotation)).rejects.toThrow(`already, to ${lost.key.id}`);
    expect(await apiKeys.list(null)).toHaveLength(2);
    expect((await apiKeys.rotate({ ...rotation, keyId: lost.key.id })).key.expiresAt).toBeNull();
    const expiresAt = new Date(clock.nowMilliseconds() + hours(1));
    expect((await apiKeys.rotate({ ...rotation, expiresAt })).key.expiresAt).toEqual(expiresAt);
    expect((await apiKeys.rotate({ ...rotation, expiresAt: null })).key.expiresAt).toBeNull();
  });

  test("what is said of such a key can be followed: whether its successor works, and whether it does", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const { apiKeys, clock } = harness;
    const old = await harness.key();
    const rotation = { keyId: old.key.id, overlapMilliseconds: hours(24) };
    const next = await apiKeys.rotate(rotation);
    await expect(apiKeys.rotate(rotation)).rejects.toThrow("Rotate that one, or say --expires.");
    await apiKeys.revoke(next.key.id);
    await expect(apiKeys.rotate(rotation)).rejects.toThrow("any more. Say --expires.");
    clock.advance(hours(24));
    await expect(apiKeys.rotate(rotation)).rejects.toThrow("is revoked or has expired");
  });

  test("the first revocation counts, and a revoked key cannot be rotated", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const { key } = await harness.key();
    const first = await harness.apiKeys.revoke(key.id);
    harness.clock.advance(1000);
    expect(await harness.apiKeys.revoke(key.id)).toEqual(first);
    const rotation = { keyId: key.id, overlapMilliseconds: 0, expiresAt: null };
    await expect(harness.apiKeys.rotate(rotation)).rejects.toThrow(/is revoked/);
  });

  test("after re-keying, everything opens without the old encryption key", async () => {
    const database = await openDatabase(engine);
    const [before, after] = [sealingKey(randomBytes(32)), sealingKey(randomBytes(32))];
    const old = buildHarness(database, { current: before, older: [] });
    const { clock } = old;
    const issued = [await old.key(), await old.key()];
    const random = { bytes: (count: number): Uint8Array => randomBytes(count) };
    const sealer = new Sealer({ current: after, older: [before] }, random);
    const reseal = async (): Promise<unknown> =>
      (await resealEverything({ database, clock, sealer })).find((one) =>
        one.place.startsWith("api_keys"),
      );
    const place = "api_keys.secret_sealed";
    expect(await reseal()).toEqual({ place, resealed: 2, upToDate: 0 });
    expect(await reseal()).toEqual({ place, resealed: 0, upToDate: 2 });
    const whole = new Sealer({ current: after, older: [] }, random);
    expect(await findMissingKeys({ database, sealer: whole })).toEqual([]);
    const authentication = buildHarness(database, { current: after, older: [] }).newProcess();
    for (const one of issued) {
      expect(await outcomeOf(authentication.verify(old.request(one), "read"))).toBe(
        one.key.merchantId,
      );
    }
    const lost = new Sealer({ current: before, older: [] }, random);
    expect(await findMissingKeys({ database, sealer: lost })).toEqual([after.id]);
    await expect(resealEverything({ database, clock, sealer: lost })).rejects.toThrow(
      `there is no encryption key ${after.id}`,
    );
  });
});
