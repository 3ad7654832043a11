// Authentication on a database, with a clock that stands still until a test moves it.

import { randomBytes } from "node:crypto";
import { addressRanges } from "../../adapters/system/address-ranges.ts";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";
import { buildRateLimits } from "../../adapters/http/rate-limits.ts";
import type { RateLimitOptions } from "../../adapters/http/rate-limits.ts";
import { ApiKeys } from "../../service/merchants/api-keys.ts";
import type { IssuedKey, KeyWish } from "../../service/merchants/api-keys.ts";
import { Authentication } from "../../service/merchants/authentication.ts";
import type { PresentedRequest, Verified } from "../../service/merchants/authentication.ts";
import { Merchants } from "../../service/merchants/merchants.ts";
import type { Merchant } from "../../service/merchants/merchants.ts";
import type { Database } from "../../service/ports/database.ts";
import {
  canonicalString,
  signatureOf,
  signingKey,
} from "../../service/merchants/request-signature.ts";
import { Sealer, sealingKey } from "../../service/secrets/sealing.ts";
import type { SealingRing } from "../../service/secrets/sealing.ts";
import { TestClock } from "../support/service-parts.ts";

export const startMilliseconds = Date.UTC(2026, 0, 1);

export interface Harness {
  readonly clock: TestClock;
  readonly sealer: Sealer;
  readonly merchants: Merchants;
  readonly apiKeys: ApiKeys;
  /** another process on the same database */
  readonly newProcess: (quotas?: RateLimitOptions["quotas"]) => Authentication;
  readonly merchant: (name?: string) => Promise<Merchant>;
  readonly key: (wish?: Partial<KeyWish>) => Promise<IssuedKey>;
  /** right in every way, unless changed before it is signed */
  readonly request: (issued: IssuedKey, change?: Partial<PresentedRequest>) => PresentedRequest;
}

export function buildHarness(database: Database, ring?: SealingRing): Harness {
  const clock = new TestClock();
  const random = { bytes: (count: number): Uint8Array => randomBytes(count) };
  const ids = buildIdentifiers({
    clock,
    fillRandom: (bytes) => bytes.set(randomBytes(bytes.length)),
  });
  const sealer = new Sealer(ring ?? { current: sealingKey(randomBytes(32)), older: [] }, random);
  const ranges = addressRanges;
  const merchants = new Merchants({ database, clock, ids });
  const apiKeys = new ApiKeys({ database, clock, random, sealer, ranges });
  const merchant = (name = "Shop"): Promise<Merchant> => merchants.create(name);
  return {
    clock,
    sealer,
    merchants,
    apiKeys,
    newProcess: (quotas = {}) => {
      const limits = buildRateLimits({ processes: 1, quotas });
      return new Authentication({ database, clock, random, sealer, limits, ranges });
    },
    merchant,
    key: async (wish = {}) =>
      apiKeys.create({
        merchantId: wish.merchantId ?? (await merchant()).id,
        environment: "test",
        scopes: ["currencies:read"],
        cidrs: [],
        expiresAt: null,
        ...wish,
      }),
    request: ({ key, secret }, change = {}) => {
      const timestamp = String(Math.floor(clock.nowMilliseconds() / 1000));
      return presented({ apiKey: key.id, secret }, { timestamp, ...change });
    },
  };
}

/** Signed, unless the change brings a signature of its own. */
export function presented(
  { apiKey, secret }: { readonly apiKey: string; readonly secret: string },
  change: Partial<PresentedRequest> & Pick<PresentedRequest, "timestamp">,
): PresentedRequest {
  const parts = {
    apiKey,
    nonce: randomBytes(16).toString("hex"),
    method: "GET",
    path: "/v1/currencies",
    canonicalQuery: "",
    idempotencyKey: undefined,
    effectiveIdempotencyKey: undefined,
    body: new Uint8Array(),
    address: "192.0.2.7",
    ...change,
  };
  const signature = signatureOf(canonicalString(parts), signingKey(secret));
  return { signature, ...parts };
}

/** The code of the refusal, or the merchant that was let in. */
export async function outcomeOf(attempt: Promise<Verified>): Promise<string> {
  return attempt.then(
    ({ identity, refusal }) => refusal?.code ?? identity.merchantId,
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
  );
}
