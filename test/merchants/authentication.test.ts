import { describe, expect, test } from "vitest";
import type { OperationAccess, PresentedRequest } from "../../service/merchants/authentication.ts";
import type { Database } from "../../service/ports/database.ts";
import { ServiceError } from "../../service/errors.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { sweepNonces } from "../../service/merchants/nonces.sql.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { buildHarness, outcomeOf, startMilliseconds } from "./authentication-harness.ts";

const wrongSignature = "0".repeat(64);
const allNonces = statement<object>("test_all_nonces")(() =>
  queries.selectFrom("nonces").selectAll(),
);

async function nonceCount(database: Database): Promise<number> {
  return (await database.run(allNonces, {})).length;
}

describe.each(engines)("on %s", (engine) => {
  test("lets a signed request in, once (threat 1)", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const issued = await harness.key({ scopes: ["currencies:read", "webhooks:read"] });
    const authentication = harness.newProcess();
    const request = harness.request(issued);
    expect(await authentication.verify(request, "read")).toEqual({
      identity: {
        merchantId: issued.key.merchantId,
        keyId: issued.key.id,
        environment: "test",
        scopes: new Set(["currencies:read", "webhooks:read"]),
      },
      earlier: undefined,
      refusal: undefined,
    });
    expect(await outcomeOf(authentication.verify(request, "read"))).toBe("nonce_reused");
    harness.clock.advance(301_000);
    expect(await outcomeOf(authentication.verify(request, "read"))).toBe("timestamp_out_of_range");
  });

  test("300 seconds are in time, 301 are not, in both directions", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const issued = await harness.key();
    const authentication = harness.newProcess();
    const at = (seconds: number) =>
      harness.request(issued, { timestamp: String(startMilliseconds / 1000 + seconds) });
    for (const seconds of [-300, 300]) {
      expect(await outcomeOf(authentication.verify(at(seconds), "read"))).toBe(
        issued.key.merchantId,
      );
    }
    for (const seconds of [-301, 301]) {
      await expect(authentication.verify(at(seconds), "read")).rejects.toMatchObject({
        code: "timestamp_out_of_range",
        details: { server_time: startMilliseconds / 1000 },
      });
    }
  });

  test("one nonce, 100 requests on two processes: one gets in (threat 2)", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const issued = await harness.key();
    const processes = [harness.newProcess(), harness.newProcess()];
    const request = harness.request(issued);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }).flatMap(() =>
        processes.map((authentication) => outcomeOf(authentication.verify(request, "read"))),
      ),
    );
    expect(outcomes.filter((one) => one === issued.key.merchantId)).toHaveLength(1);
    expect(outcomes.filter((one) => one === "nonce_reused")).toHaveLength(99);
  });

  test("a flood of bad signatures leaves no nonce behind (threat 4)", async () => {
    const database = await openDatabase(engine);
    const harness = buildHarness(database);
    const issued = await harness.key();
    const authentication = harness.newProcess({ failed_authentication: 1000 });
    for (let count = 0; count < 50; count++) {
      const request = { ...harness.request(issued), signature: wrongSignature };
      expect(await outcomeOf(authentication.verify(request, "read"))).toBe("authentication_failed");
    }
    expect(await nonceCount(database)).toBe(0);
  });

  test("two keys may use the same nonce", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const authentication = harness.newProcess();
    const nonce = "same-for-both-keys";
    for (const issued of [await harness.key(), await harness.key()]) {
      const request = harness.request(issued, { nonce });
      expect(await outcomeOf(authentication.verify(request, "read"))).toBe(issued.key.merchantId);
    }
  });

  test("nonces are swept when no request can be in its window again", async () => {
    const database = await openDatabase(engine);
    const harness = buildHarness(database);
    const issued = await harness.key();
    const authentication = harness.newProcess();
    const sweep = async (): Promise<number | undefined> => {
      const values = { now: harness.clock.now(), rowsMax: 100 };
      return (await database.run(sweepNonces, values))[0]?.swept;
    };
    await authentication.verify(harness.request(issued, { nonce: "an-old-nonce-0001" }), "read");
    harness.clock.advance(899_000);
    expect(await sweep()).toBe(0);
    harness.clock.advance(1_000);
    // Not swept yet, and free all the same.
    const again = harness.request(issued, { nonce: "an-old-nonce-0001" });
    expect(await outcomeOf(authentication.verify(again, "read"))).toBe(issued.key.merchantId);
    harness.clock.advance(900_000);
    expect(await sweep()).toBe(1);
    expect(await nonceCount(database)).toBe(0);
  });

  test("unknown, revoked and expired keys and wrong signatures get one answer", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const authentication = harness.newProcess();
    const known = await harness.key();
    const revoked = await harness.key();
    await harness.apiKeys.revoke(revoked.key.id);
    const expiring = await harness.key({ expiresAt: new Date(startMilliseconds + 10_000) });
    expect(await outcomeOf(authentication.verify(harness.request(expiring), "read"))).toBe(
      expiring.key.merchantId,
    );
    harness.clock.advance(10_000);
    const unknown = { ...known, key: { ...known.key, id: "mk_test_NOBODYHASTHISKEY00000000" } };
    const requests = [
      harness.request(unknown),
      harness.request(revoked),
      harness.request(expiring),
      { ...harness.request(known), signature: wrongSignature },
    ];
    const errors = await Promise.all(
      requests.map((one) => authentication.verify(one, "read").catch((error: unknown) => error)),
    );
    for (const error of errors) {
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toEqual(errors[0]);
      expect(error).toMatchObject({ code: "authentication_failed", details: {} });
    }
  });

  test("a key revoked on one process is refused by another that knows it, at once", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const issued = await harness.key();
    const authentication = harness.newProcess();
    const attempt = (): Promise<string> =>
      outcomeOf(authentication.verify(harness.request(issued), "read"));
    expect(await attempt()).toBe(issued.key.merchantId);
    await harness.apiKeys.revoke(issued.key.id);
    expect(await attempt()).toBe("authentication_failed");
  });

  test("a suspended merchant is told so, but only after a good signature", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const issued = await harness.key();
    const authentication = harness.newProcess();
    await harness.merchants.setStatus(issued.key.merchantId, "suspended");
    const request = harness.request(issued);
    expect(await outcomeOf(authentication.verify(request, "read"))).toBe("merchant_suspended");
    const unsigned = { ...harness.request(issued), signature: wrongSignature };
    expect(await outcomeOf(authentication.verify(unsigned, "read"))).toBe("authentication_failed");
    await harness.merchants.setStatus(issued.key.merchantId, "active");
    // The refusal did not use up the nonce.
    expect(await outcomeOf(authentication.verify(request, "read"))).toBe(issued.key.merchantId);
  });

  test("a key for some ranges is refused from elsewhere, in whatever spelling", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const issued = await harness.key({ cidrs: ["192.0.2.0/24", "2001:db8::/32"] });
    const authentication = harness.newProcess();
    const attempt = (address: string | undefined): Promise<string> =>
      outcomeOf(authentication.verify(harness.request(issued, { address }), "read"));
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8:5::1"]) {
      expect(await attempt(address)).toBe(issued.key.merchantId);
    }
    for (const address of ["192.0.3.7", "2001:db9::1", "0xc0.0.2.7", "3221226119", undefined]) {
      expect(await attempt(address)).toBe("ip_not_allowed");
    }
    // Sent from elsewhere first, a request is still good from where its key may be used.
    const request = harness.request(issued, { address: "192.0.3.7" });
    expect(await outcomeOf(authentication.verify(request, "read"))).toBe("ip_not_allowed");
    const moved = { ...request, address: "192.0.2.7" };
    expect(await outcomeOf(authentication.verify(moved, "read"))).toBe(issued.key.merchantId);
    // Without a good signature nobody learns that there are ranges.
    const unsigned = { ...harness.request(issued), address: "::1", signature: wrongSignature };
    expect(await outcomeOf(authentication.verify(unsigned, "read"))).toBe("authentication_failed");
  });

  test("what is wrong is told in one order, whatever else is wrong", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const issued = await harness.key({ cidrs: ["192.0.2.0/24"] });
    let authentication = harness.newProcess({ read: 1 });
    const known = { requiredScope: "currencies:read", policy: "read" } as const;
    const attempt = (request: PresentedRequest, access: OperationAccess = known) =>
      outcomeOf(
        authentication.verify(request, "read").then(async (verified) => {
          const { refusal } = await authentication.admit(verified, access);
          return { ...verified, refusal };
        }),
      );
    const { merchantId } = issued.key;
    const nonce = "n-8f14e45fceea167a5a36dedd4bea2543";
    expect(await attempt(harness.request(issued, { nonce }))).toBe(merchantId);
    await harness.merchants.setStatus(merchantId, "suspended");
    // From here the rate is used up, and each request has one fault less than the one before.
    const foreign = { nonce, address: "192.0.3.7" };
    const late = harness.request(issued, { ...foreign, timestamp: "1767225000" });
    const signed = harness.request(issued, foreign);
    expect(await attempt({ ...late, signature: wrongSignature })).toBe("timestamp_out_of_range");
    expect(await attempt({ ...signed, signature: wrongSignature })).toBe("authentication_failed");
    expect(await attempt(signed)).toBe("merchant_suspended");
    await harness.merchants.setStatus(merchantId, "active");
    expect(await attempt(signed)).toBe("ip_not_allowed");
    expect(await attempt(harness.request(issued, { nonce }))).toBe("rate_limited");
    authentication = harness.newProcess({ read: 2 });
    expect(await attempt(harness.request(issued, { nonce }))).toBe("nonce_reused");
    const other = { requiredScope: "currencies:write", policy: "read" } as const;
    expect(await attempt(harness.request(issued), other)).toBe("insufficient_scope");
    expect(await attempt(harness.request(issued))).toBe(merchantId);
  });

  test.each(["read", "merchant"] as const)(
    "with nothing left of its rate (%s) nothing is written, and what is refused uses it up",
    async (policy) => {
      const database = await openDatabase(engine);
      const harness = buildHarness(database);
      const issued = await harness.key({ scopes: ["currencies:read"] });
      const authentication = harness.newProcess({ [policy]: 3 });
      const other = { requiredScope: "currencies:write", policy: "read" } as const;
      const attempt = async () => {
        const verified = await authentication.verify(harness.request(issued), other.policy);
        return (await authentication.admit(verified, other)).refusal?.code;
      };
      for (let count = 0; count < 3; count++) expect(await attempt()).toBe("insufficient_scope");
      const nonces = await nonceCount(database);
      for (let count = 0; count < 220; count++) expect(await attempt()).toBe("rate_limited");
      expect(await nonceCount(database)).toBe(nonces);
    },
  );

  test("requests from elsewhere use up nothing that the key may do from its own place", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const issued = await harness.key({ cidrs: ["192.0.2.0/24"] });
    const authentication = harness.newProcess({ read: 2, merchant: 2 });
    const access = { requiredScope: "currencies:read", policy: "read" } as const;
    const attempt = async (address: string) => {
      const verified = await authentication.verify(harness.request(issued, { address }), "read");
      const { rate, refusal } = await authentication.admit(verified, access);
      return [refusal?.code, rate.remaining];
    };
    for (let count = 0; count < 3; count++) {
      expect(await attempt("192.0.3.7")).toEqual(["ip_not_allowed", 2]);
    }
    expect(await attempt("192.0.2.7")).toEqual([undefined, 1]);
    expect(await attempt("192.0.3.7")).toEqual(["ip_not_allowed", 1]);
    expect(await attempt("192.0.2.7")).toEqual([undefined, 0]);
    expect(await attempt("192.0.2.7")).toEqual(["rate_limited", 0]);
  });

  test("failures of others at the same address shut out nobody who signs right", async () => {
    const harness = buildHarness(await openDatabase(engine));
    const [known, unknown] = [await harness.key(), await harness.key()];
    const authentication = harness.newProcess({ failed_authentication: 2 });
    const attempt = (issued: typeof known, signature?: string): Promise<string> => {
      const request = harness.request(issued);
      const sent = signature === undefined ? request : { ...request, signature };
      return outcomeOf(authentication.verify(sent, "read"));
    };
    expect(await attempt(known)).toBe(known.key.merchantId);
    for (let failure = 0; failure < 3; failure++) await attempt(known, wrongSignature);
    expect(await attempt(known, wrongSignature)).toBe("rate_limited");
    expect(await attempt(unknown, wrongSignature)).toBe("rate_limited");
    // This process has not met the key yet.
    expect(await attempt(unknown)).toBe(unknown.key.merchantId);
    expect(await attempt(known)).toBe(known.key.merchantId);
    await harness.apiKeys.revoke(known.key.id);
    expect(await attempt(known)).toBe("rate_limited");
  });

  test("a key sealed with an encryption key we do not have is our fault, not the merchant's", async () => {
    const database = await openDatabase(engine);
    const first = buildHarness(database);
    const issued = await first.key();
    const stranger = buildHarness(database).newProcess();
    await expect(stranger.verify(first.request(issued), "read")).rejects.toThrow(
      "no encryption key",
    );
  });
});
