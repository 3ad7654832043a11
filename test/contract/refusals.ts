// What every operation refuses in the same way, each status really produced. An operation's own
// file says how a request of it succeeds; this one takes it from there.

import { describe, expect } from "vitest";
import { briefly, errorOf } from "../support/contract-answers.ts";
import { textOf } from "../support/contract-document.ts";
import type { Asker } from "../support/contract-asker.ts";
import { type Change, newKey } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import type { Merchant } from "../support/service.ts";
import { outcome, type Scene } from "./scene.ts";

export interface Subject {
  readonly operationId: string;
  /** what makes a request of this merchant succeed; called once for each request */
  readonly prepare: (merchant: Merchant) => Promise<Change> | Change;
  /** refused for its body, if the operation takes one: the code it gets */
  readonly badBody?: { readonly body: Change["body"]; readonly code: string };
}

export function testRefusals(scene: Scene, subject: Subject): void {
  test400(scene, subject);
  test401(scene, subject);
  test403(scene, subject);
  if (operationBy(subject.operationId).path.includes("{id}")) test404(scene, subject);
  testTransport(scene, subject);
  testOurFaults(scene, subject);
}

function test400({ asker, test }: Scene, { operationId, prepare, badBody }: Subject): void {
  const operation = operationBy(operationId);
  const headers = operation.parameters.filter((one) => one.in === "header" && one.required);

  describe("400", () => {
    test.for(headers)("without $name", async ({ name }, { merchant }) => {
      const change = await prepare(merchant);
      const answer = await asker.askPlainly(merchant, operationId, {
        ...plain(change),
        absent: [name],
      });
      expect(outcome(answer)).toEqual([400, "missing_header"]);
      expect(briefly(answer)).toEqual([`header /${name} required`]);
      expect(errorOf(answer.body).message).toContain(name);
    });

    test.for<[string, string]>([
      ["X-Api-Key", "mk_test_short"],
      ["X-Timestamp", "now"],
      ["X-Nonce", "with spaces in it "],
      ["X-Signature", "A".repeat(64)],
    ])("with %s: %s", async ([name, value], { merchant }) => {
      const answer = await asker.ask(merchant, operationId, {
        headers: { [name]: value, ...key() },
      });
      expect(outcome(answer)).toEqual([400, "invalid_header"]);
    });

    test("with a query parameter that nobody knows", async ({ merchant }) => {
      const change = { ...(await prepare(merchant)), query: "undeclared=1" };
      const answer = await asker.ask(merchant, operationId, change);
      expect(outcome(answer)).toEqual([400, "unknown_parameter"]);
    });

    test.for(badBody === undefined ? [] : [badBody])(
      "with a body that is refused: $code",
      async ({ body, code }, { merchant }) => {
        const change = { ...(await prepare(merchant)), body };
        const answer = await asker.ask(merchant, operationId, change);
        expect(outcome(answer)).toEqual([400, code]);
      },
    );

    test.for(operation.body === undefined ? [] : ['{"a":1', "a=1"])(
      "with a body that is no JSON: %s",
      async (body, { merchant }) => {
        const change = { ...plain(await prepare(merchant)), body };
        const answer = await asker.askPlainly(merchant, operationId, change);
        expect(outcome(answer)).toEqual([400, "invalid_json"]);
      },
    );

    test.for(operation.body === undefined ? ["{}"] : [])(
      "with a body, which it does not take: %s",
      async (body, { merchant }) => {
        const type = { "Content-Type": "application/json" };
        const change = { ...plain(await prepare(merchant)), headers: type, body };
        const answer = await asker.askPlainly(merchant, operationId, change);
        expect(outcome(answer)).toEqual([400, "invalid_request"]);
      },
    );
  });
}

function key(): Readonly<Record<string, string>> {
  return { "Idempotency-Key": newKey() };
}

/** A change as the parts of a plain request. */
function plain({ path, body, headers }: Change): Parameters<Asker["askPlainly"]>[2] {
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  return {
    ...(path === undefined ? {} : { path }),
    headers: { ...type, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

function test401({ service, asker, test }: Scene, { operationId, prepare }: Subject): void {
  const { method } = operationBy(operationId);

  describe("401", () => {
    test("for a key that does not exist and for a wrong signature, with one answer", async () => {
      const merchant = await service.newMerchant();
      const change = await prepare(merchant);
      const unknown = { ...merchant, key: `mk_test_${"Z".repeat(24)}` };
      const forger = { ...merchant, secret: "sk_test_guessed" };
      const answers = [
        await asker.ask(unknown, operationId, change),
        await asker.ask(forger, operationId, change),
        await asker.ask({ ...unknown, secret: "" }, operationId, change),
      ];
      expect(answers.map(outcome)).toEqual(answers.map(() => [401, "authentication_failed"]));
      const told = answers.map(({ body }) => ({ ...errorOf(body), details: undefined }));
      expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
      for (const { body } of answers) {
        expect(Object.keys(errorOf(body).details)).toEqual(["request_id"]);
      }
    });

    test("for a revoked and for an expired key, with the same answer", async ({ merchant }) => {
      const change = await prepare(merchant);
      for (const wish of [{ isRevoked: true }, { isExpired: true }]) {
        const old = await service.newKey(merchant, wish);
        const answer = await asker.ask(old, operationId, change);
        expect(outcome(answer)).toEqual([401, "authentication_failed"]);
      }
    });

    test("before anything is said of the rest of the request", async ({ merchant }) => {
      const forger = { ...merchant, secret: "sk_test_guessed" };
      const change = { query: "undeclared=1", ...(method === "GET" ? {} : { body: { no: 1 } }) };
      const answer = await asker.ask(forger, operationId, change);
      expect(outcome(answer)).toEqual([401, "authentication_failed"]);
    });

    test.for([-302, 302, -86_400])(
      "with a clock that is %i seconds off",
      async (seconds, { merchant }) => {
        const now = Math.floor(Date.now() / 1000);
        const headers = { "X-Timestamp": String(now + seconds), ...key() };
        const answer = await asker.ask(merchant, operationId, { headers });
        expect(outcome(answer)).toEqual([401, "timestamp_out_of_range"]);
        expect(errorOf(answer.body).details).toHaveProperty("server_time", expect.any(Number));
      },
    );

    test("for a nonce that was used, whatever is signed with it", async ({ merchant }) => {
      const headers = { "X-Nonce": `nonce-${newKey()}`, ...key() };
      const first = await asker.ask(merchant, operationId, {
        ...(await prepare(merchant)),
        headers,
      });
      expect(first.status).toBeLessThan(300);
      const again = await asker.ask(merchant, operationId, {
        ...(await prepare(merchant)),
        headers,
      });
      expect(outcome(again)).toEqual([401, "nonce_reused"]);
      const other = await service.newKey(merchant, {});
      const change = { ...(await prepare(merchant)), headers: { ...headers, ...key() } };
      expect((await asker.ask(other, operationId, change)).status).toBeLessThan(300);
    });
  });
}

function test403({ service, asker, test }: Scene, { operationId, prepare }: Subject): void {
  const scope = textOf(operationBy(operationId).node["x-required-scope"]);

  describe("403", () => {
    test.for<[string, readonly string[]]>([
      ["no scope", []],
      ["every other scope", service.everyScope.filter((one) => one !== scope)],
    ])("for a key with %s", async ([_name, scopes], { merchant }) => {
      const change = await prepare(merchant);
      const poor = await service.newKey(merchant, { scopes });
      const answer = await asker.ask(poor, operationId, change);
      expect(outcome(answer)).toEqual([403, "insufficient_scope"]);
      expect(errorOf(answer.body).details).toMatchObject({ required_scope: scope });
    });

    test("for a key of another network, and not for one of ours", async ({ merchant }) => {
      const far = await service.newKey(merchant, { cidrs: ["192.0.2.0/24"] });
      const near = await service.newKey(merchant, { cidrs: ["192.0.2.0/24", "127.0.0.0/8"] });
      const answer = await asker.ask(far, operationId, await prepare(merchant));
      expect(outcome(answer)).toEqual([403, "ip_not_allowed"]);
      expect((await asker.ask(near, operationId, await prepare(merchant))).status).toBeLessThan(
        300,
      );
    });

    test("for a suspended merchant", async ({ merchant }) => {
      const change = await prepare(merchant);
      await service.suspend(merchant);
      const answer = await asker.ask(merchant, operationId, change);
      expect(outcome(answer)).toEqual([403, "merchant_suspended"]);
    });
  });
}

function test404({ asker, test }: Scene, { operationId, prepare }: Subject): void {
  describe("404", () => {
    test.for([
      "whe_00000000000000000000000000",
      "cur_no",
      "pay_1",
      "__proto__",
      "%00",
      "é".repeat(128),
    ])("for the id %j, which nobody has", async (id, { merchant }) => {
      const change = { ...(await prepare(merchant)), path: { id } };
      expect(outcome(await asker.ask(merchant, operationId, change))).toEqual([404, "not_found"]);
    });
  });
}

/** Refused by the way it was sent, or how often. */
function testTransport({ service, asker, test }: Scene, { operationId, prepare }: Subject): void {
  const operation = operationBy(operationId);

  test("413 for a body of one byte more than 64 kB", async ({ merchant }) => {
    const { path } = await prepare(merchant);
    const body = `{"a":"${"a".repeat(65_537 - 8)}"}`;
    const headers = { "Content-Type": "application/json" };
    const change = { ...(path === undefined ? {} : { path }), headers, body };
    const answer = await asker.askPlainly(merchant, operationId, change);
    expect(outcome(answer)).toEqual([413, "body_too_large"]);
  });

  const wrongTypes = ["text/plain", "application/x-www-form-urlencoded", "application/xml"];
  test.for(operation.body === undefined ? [] : wrongTypes)(
    "415 for %s",
    async (type, { merchant }) => {
      const change = plain(await prepare(merchant));
      const headers = { ...change.headers, "Content-Type": type };
      const answer = await asker.askPlainly(merchant, operationId, { ...change, headers });
      expect(outcome(answer)).toEqual([415, "unsupported_media_type"]);
    },
  );

  test("429 for one request too many, and says when to come back", async () => {
    const wide = await service.newMerchant();
    const merchant = { ...wide, url: service.narrowUrl };
    const policy = textOf(operation.node["x-rate-limit-policy"]);
    const first = await asker.ask(merchant, operationId, await prepare(wide));
    expect(first.status).toBeLessThan(300);
    expect(first.headers.get("RateLimit")).toBe(`"${policy}";r=0;t=60`);
    const answer = await asker.ask(merchant, operationId, await prepare(wide));
    expect(outcome(answer)).toEqual([429, "rate_limited"]);
    expect(errorOf(answer.body).details).toMatchObject({ policy });
    const rate = /^"(\w+)";r=0;t=(\d+)$/.exec(answer.headers.get("RateLimit") ?? "");
    expect(rate?.[1]).toBe(policy);
    expect(answer.headers.get("RateLimit-Policy")).toBe(`"${policy}";q=1;w=60`);
    const retryAfter = Number(answer.headers.get("Retry-After"));
    expect(retryAfter).toBeGreaterThanOrEqual(Number(rate?.[2]));
    expect(retryAfter).toBeLessThanOrEqual(60);
  });
}

function testOurFaults({ service, asker, test }: Scene, { operationId, prepare }: Subject): void {
  const leak = "password=hunter2 at /srv/secret.ts:1";

  test("500 for a fault of ours, without a word of it, and the key stays good", async () => {
    const merchant = await service.newMerchant();
    const change = { ...(await prepare(merchant)), headers: key() };
    const answer = await service.withFault({ effect: new Error(leak) }, () =>
      asker.ask(merchant, operationId, change),
    );
    expect(outcome(answer)).toEqual([500, "internal_error"]);
    expect(JSON.stringify(answer.body)).not.toContain("hunter2");
    expect(service.log.some((line) => JSON.stringify(line).includes("hunter2"))).toBe(true);
    expect((await asker.ask(merchant, operationId, change)).status).toBeLessThan(300);
  });

  test.for(["everything", "effect"] as const)(
    "503 while the database is away (%s), and the key stays good",
    async (part, { merchant }) => {
      const change = { ...(await prepare(merchant)), headers: key() };
      const answer = await service.withFault({ [part]: "away" }, () =>
        asker.ask(merchant, operationId, change),
      );
      expect(outcome(answer)).toEqual([503, "service_unavailable"]);
      expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i);
      expect((await asker.ask(merchant, operationId, change)).status).toBeLessThan(300);
    },
  );
}
