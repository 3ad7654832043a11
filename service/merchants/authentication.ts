// Who sends a request, and whether it may. The checks come in a fixed order, so that a caller
// learns nothing it has not proved the right to know: clock, key and signature, state of the key
// and address, what is left of its rate, nonce, scope. (The form of the headers is checked before.)

import type { KeyObject } from "node:crypto";
import { BoundedCache } from "../bounded-cache.ts";
import { ServiceError } from "../errors.ts";
import type { Environment } from "../owner.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { AddressRanges } from "../ports/address-ranges.ts";
import type { Random } from "../ports/random.ts";
import type { OperationPolicy, RateLimits, RateState } from "../ports/rate-limits.ts";
import { canonicalString, isSameSignature, signatureOf, signingKey } from "./request-signature.ts";
import type { SignedParts } from "./request-signature.ts";
import { sealingContexts } from "../secrets/sealing.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { findKeySecret } from "./api-keys.sql.ts";
import { keyRowOf } from "../idempotency/idempotency.sql.ts";
import type { KeyRow } from "../idempotency/idempotency.sql.ts";
import { admitRequest } from "./nonces.sql.ts";

/** In both directions. */
const clockToleranceSeconds = 300;
/** Twice the tolerance, and some: no request is in its time window again after that. */
const nonceKeptSeconds = 900;
/** Decrypting a secret costs ten times what checking a signature does. */
const cachedKeysMax = 10_000;

export interface PresentedRequest extends SignedParts {
  readonly signature: string;
  /** of the client; undefined when the transport has none */
  readonly address: string | undefined;
  /** undefined also where one is signed, but has no effect */
  readonly effectiveIdempotencyKey: string | undefined;
}

export interface Identity {
  readonly merchantId: string;
  readonly keyId: string;
  readonly environment: Environment;
  readonly scopes: ReadonlySet<string>;
}

/** What an operation asks of its caller. */
export interface OperationAccess {
  readonly requiredScope: string;
  readonly policy: OperationPolicy;
}

/** Somebody whose signature is right; the refusal says why that is not enough. */
export interface Verified {
  readonly identity: Identity;
  /** what was answered under the same Idempotency-Key, as it was when the nonce was taken */
  readonly earlier: KeyRow | undefined;
  readonly refusal: ServiceError | undefined;
  /** what is used up, where that is why */
  readonly exceeded?: RateState;
}

/** What never changes of a key. */
interface KnownKey {
  readonly merchantId: string;
  readonly key: KeyObject;
  /** empty: any address */
  readonly cidrs: readonly string[];
}

interface Admitting {
  readonly known: KnownKey;
  readonly policy: OperationPolicy;
  readonly now: number;
}

export interface Admission {
  /** for the headers of the answer, whatever it is */
  readonly rate: RateState;
  readonly refusal: ServiceError | undefined;
}

export interface AuthenticationPorts extends StoragePorts {
  readonly random: Random;
  readonly sealer: Sealer;
  readonly limits: RateLimits;
  readonly ranges: AddressRanges;
}

/** Clients without an address share one place in the counters. */
const noAddress = "none";

export class Authentication {
  readonly #ports: AuthenticationPorts;
  /** Keys whose secret has proved right: nobody else can fill this. */
  readonly #keys = new BoundedCache<string, KnownKey>(cachedKeysMax);
  /** Does the work of a key that does not exist. */
  readonly #dummy: { readonly key: KeyObject; readonly sealed: Uint8Array };

  constructor(ports: AuthenticationPorts) {
    this.#ports = ports;
    const secret = `sk_test_${Buffer.from(ports.random.bytes(32)).toString("base64url")}`;
    const sealed = ports.sealer.seal(secret, sealingContexts.apiKey("", ""));
    this.#dummy = { key: signingKey(secret), sealed };
  }

  /** Before anything is known of a request but where it comes from. */
  async meet(address: string | undefined): Promise<void> {
    const rate = await this.#ports.limits.take("address", address ?? noAddress);
    if (rate.isExceeded) throw rateLimited(rate);
  }

  /**
   * Up to the nonce: afterwards the sender is known, and these bytes never count again. Nothing is
   * written for whoever has nothing left of its rate.
   */
  async verify(request: PresentedRequest, policy: OperationPolicy): Promise<Verified> {
    const { clock, limits } = this.#ports;
    const now = clock.nowMilliseconds();
    checkClock(request.timestamp, now);
    const address = request.address ?? noAddress;
    const failures = await limits.look("failed_authentication", address);
    // Clients may share an address, and one of them must not shut out the others: whatever is signed
    // right passes, also with a key that this process has not met yet. What an address may cost us is
    // bounded by `meet`.
    const known = await this.#signer(request);
    const verified =
      known === undefined ? undefined : await this.#admit(request, { known, policy, now });
    if (verified !== undefined) return verified;
    if (failures.isExceeded) throw rateLimited(failures);
    await limits.take("failed_authentication", address);
    // One answer for an unknown, revoked or expired key and for a wrong signature.
    throw new ServiceError(
      "authentication_failed",
      "The API key is not valid, or the signature does not fit the request.",
    );
  }

  /** A refusal is given back, not thrown: the answer to it tells the rate as well. */
  async admit(verified: Verified, access: OperationAccess): Promise<Admission> {
    const { identity, refusal, exceeded } = verified;
    const { limits } = this.#ports;
    const { requiredScope, policy } = access;
    if (refusal !== undefined) {
      // Whoever has stolen a key for some addresses must not use up what its owner may do from there.
      return { rate: exceeded ?? (await limits.look(policy, identity.keyId)), refusal };
    }
    const own = await limits.take(policy, identity.keyId);
    // Refused requests of one key must not use up what the merchant's other keys have.
    const rate = own.isExceeded ? own : await this.#withMerchant(own, identity);
    if (!identity.scopes.has(requiredScope)) {
      const message = `The API key has no scope ${requiredScope}.`;
      const details = { required_scope: requiredScope };
      return { rate, refusal: new ServiceError("insufficient_scope", message, { details }) };
    }
    return { rate, refusal: rate.isExceeded ? rateLimited(rate) : undefined };
  }

  /** What the key, or else its merchant, has used up. */
  async #exceeded(
    keyId: string,
    merchantId: string,
    policy: OperationPolicy,
  ): Promise<RateState | undefined> {
    const { limits } = this.#ports;
    const own = await limits.look(policy, keyId);
    if (own.isExceeded) return own;
    const merchant = await limits.look("merchant", merchantId);
    return merchant.isExceeded ? merchant : undefined;
  }

  async #withMerchant(own: RateState, { merchantId }: Identity): Promise<RateState> {
    const merchant = await this.#ports.limits.take("merchant", merchantId);
    return merchant.isExceeded ? merchant : own;
  }

  /**
   * An unknown key and a wrong signature cost the same: two HMACs, one look into the database, one
   * decryption. So a refusal's time tells nobody whether a key exists.
   */
  async #signer(request: PresentedRequest): Promise<KnownKey | undefined> {
    const { database, sealer } = this.#ports;
    const { apiKey: keyId, signature } = request;
    const canonical = canonicalString(request);
    const cached = this.#keys.get(keyId);
    const first = signatureOf(canonical, cached?.key ?? this.#dummy.key);
    if (isSameSignature(first, signature) && cached !== undefined) return cached;

    const [row] = await database.run(findKeySecret, { keyId });
    const secret =
      row === undefined
        ? sealer.open(this.#dummy.sealed, sealingContexts.apiKey("", ""))
        : sealer.open(row.secret_sealed, sealingContexts.apiKey(keyId, row.merchant_id));
    const key = signingKey(secret);
    const isRight = isSameSignature(signatureOf(canonical, key), signature);
    if (!isRight || row === undefined) return undefined;
    const known = { merchantId: row.merchant_id, key, cidrs: row.cidrs };
    this.#keys.set(keyId, known);
    return known;
  }

  /** Undefined for a key that is no longer good, wherever that was decided, from this moment on. */
  async #admit(
    request: PresentedRequest,
    { known, policy, now }: Admitting,
  ): Promise<Verified | undefined> {
    const { database, ranges } = this.#ports;
    const { apiKey: keyId, nonce, address } = request;
    const isAddressAllowed =
      known.cidrs.length === 0 || (address !== undefined && ranges.contains(known.cidrs, address));
    const exceeded = await this.#exceeded(keyId, known.merchantId, policy);
    const [caller] = await database.run(admitRequest, {
      keyId,
      nonce,
      now: new Date(now),
      nonceExpiresAt: new Date(now + nonceKeptSeconds * 1000),
      mayUseNonce: isAddressAllowed && exceeded === undefined,
      idempotencyKey: request.effectiveIdempotencyKey ?? null,
    });
    if (caller?.is_valid !== true) {
      this.#keys.delete(keyId);
      return undefined;
    }
    const { merchant_id: merchantId, environment } = caller;
    const identity = { merchantId, keyId, environment, scopes: new Set(caller.scopes) };
    const earlier = keyRowOf(caller);
    if (caller.merchant_status === "suspended") {
      const refusal = new ServiceError("merchant_suspended", "The merchant is suspended.");
      return { identity, earlier, refusal };
    }
    if (!isAddressAllowed) {
      const message = "The API key may not be used from this address.";
      return { identity, earlier, refusal: new ServiceError("ip_not_allowed", message) };
    }
    if (exceeded !== undefined) {
      return { identity, earlier, refusal: rateLimited(exceeded), exceeded };
    }
    if (!caller.is_nonce_new) {
      throw new ServiceError("nonce_reused", "This nonce was used before: sign with a new one.");
    }
    return { identity, earlier, refusal: undefined };
  }
}

/** The form was checked before: ten digits. */
function checkClock(timestamp: string, nowMilliseconds: number): void {
  const nowSeconds = Math.floor(nowMilliseconds / 1000);
  if (Math.abs(nowSeconds - Number(timestamp)) <= clockToleranceSeconds) return;
  const message = `X-Timestamp is more than ${clockToleranceSeconds} seconds from our clock.`;
  const details = { server_time: nowSeconds };
  throw new ServiceError("timestamp_out_of_range", message, { details });
}

function rateLimited(rate: RateState): ServiceError {
  const message = `More than ${rate.quota} in ${rate.windowSeconds} seconds.`;
  const details = { policy: rate.policy };
  return new ServiceError("rate_limited", message, {
    details,
    retryAfterSeconds: rate.resetSeconds,
  });
}
