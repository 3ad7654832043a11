// API keys, as operators issue, rotate and revoke them. The secret exists in plain text twice: here,
// on its way to the operator, and in the memory that checks signatures.

import { auditValues } from "../audit/audit.ts";
import type { AuditDraft } from "../audit/audit.ts";
import { OperatorError } from "../operator-error.ts";
import type { Environment } from "../owner.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { AddressRanges } from "../ports/address-ranges.ts";
import type { Random } from "../ports/random.ts";
import { keyIdOf } from "../cell.ts";
import type { Cell } from "../cell.ts";
import { addressScope, isScope, moneyScopes, scopes as allScopes } from "./scopes.ts";
import type { Role } from "./scopes.ts";
import { sealingContexts } from "../secrets/sealing.ts";
import type { Sealer } from "../secrets/sealing.ts";
import {
  countKeySchedules,
  findKey,
  insertKey,
  listKeys,
  listOlderKeySchedules,
  revokeKey,
  rotateKey,
} from "./api-keys.sql.ts";
import { findMerchant } from "./merchants.sql.ts";

const secretBytes = 32;
const idCharacters = 24;
/** Crockford's base 32, like all our identifiers; 24 of them are 120 bits. */
const idAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const millisecondsPerDay = 86_400_000;
/** How long the old key of a rotation may live on. */
export const overlapMillisecondsMax = 7 * millisecondsPerDay;

export interface ApiKey {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  /** empty: any address */
  readonly cidrs: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly isRevokedForCause: boolean;
  readonly rotatedFrom: string | null;
}

/** The only time that the secret is shown. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export interface KeyWish {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  readonly cidrs: readonly string[];
  readonly expiresAt: Date | null;
  /** the name under which the scopes were asked for, for the audit log */
  readonly role?: Role | undefined;
}

export interface KeyRotation {
  readonly keyId: string;
  /** of the old key; 0: it ends now */
  readonly overlapMilliseconds: number;
  /** of the new key; omitted: it lives as long as the old one was made to live */
  readonly expiresAt?: Date | null | undefined;
}

export interface RotatedKey extends IssuedKey {
  /** payout schedules that the old one has made, which go on */
  readonly openSchedules: number;
}

export interface KeyRevocation {
  /** false: it is merely not needed any more */
  readonly isForCause: boolean;
}

export interface RevokedKey {
  readonly key: ApiKey;
  /** payout schedules that it has made: they end if it was revoked for cause */
  readonly openSchedules: number;
  /** of keys that it came from by rotation: whoever had this one may have had those, and theirs go on */
  readonly olderSchedules: readonly { readonly keyId: string; readonly count: number }[];
}

export interface ApiKeyPorts extends StoragePorts {
  readonly random: Random;
  readonly sealer: Sealer;
  readonly ranges: AddressRanges;
  /** that its keys are of */
  readonly cell?: Cell;
}

/** Throws `OperatorError` for what cannot be done. */
export class ApiKeys {
  readonly #ports: ApiKeyPorts;

  constructor(ports: ApiKeyPorts) {
    this.#ports = ports;
  }

  async create(wish: KeyWish): Promise<IssuedKey> {
    const { database } = this.#ports;
    const { merchantId, environment, expiresAt } = wish;
    const now = this.#ports.clock.now();
    const scopes = checkScopes(wish);
    const cidrs = this.#checkRanges(wish.cidrs);
    const broken = brokenRuleOf({ environment, scopes, cidrs });
    if (broken !== undefined) throw new OperatorError(broken);
    checkExpiry(expiresAt, now);
    const merchants = await database.run(findMerchant, { id: merchantId });
    if (merchants.length === 0) throw new OperatorError(`There is no merchant ${merchantId}.`);
    const made = this.#make(environment, merchantId);
    const { id, secretSealed, secret } = made;
    const rights = { scopes, cidrs, expires_at: expiresAt?.toISOString() ?? null };
    const values = { id, secretSealed, merchantId, environment, scopes, cidrs, now, expiresAt };
    const audit = auditValues({
      ...byOperator({ id, merchantId, environment }, now),
      action: "api_key.created",
      details: { ...rights, role: wish.role ?? null },
    });
    const [row] = await database.run(insertKey, { ...values, ...audit });
    if (row === undefined) throw new Error("an insert that gives no row");
    return { key: keyOf(row), secret };
  }

  /** A second key with the same rights; both are good until the old one expires. Throws also where its end is not known. */
  async rotate({ keyId, overlapMilliseconds, expiresAt: given }: KeyRotation): Promise<RotatedKey> {
    const { database } = this.#ports;
    if (overlapMilliseconds < 0 || overlapMilliseconds > overlapMillisecondsMax) {
      throw new OperatorError("The old key may live on for 7 days at most.");
    }
    const now = this.#ports.clock.now();
    if (given !== undefined) checkExpiry(given, now);
    const old = await this.get(keyId);
    const wide = old.cidrs.find(isTooWide);
    if (wide !== undefined) {
      throw new OperatorError(
        `${wide} of ${keyId} is nearly every address, and restricts nothing; a rotation keeps the ranges. ` +
          "Create a new key with the ranges that it is used from, and revoke this one.",
      );
    }
    const broken = brokenRuleOf(old);
    if (broken !== undefined) {
      throw new OperatorError(`${broken} ${keyId} is older than this rule: create new ones.`);
    }
    const expiresAt = given === undefined ? await this.#sameLifetime(old, now) : given;
    const { id, secretSealed, secret } = this.#make(old.environment, old.merchantId);
    const oldExpiresAt = new Date(now.getTime() + overlapMilliseconds);
    const { merchantId, environment, scopes, cidrs } = old;
    const rights = { scopes, cidrs, expires_at: expiresAt?.toISOString() ?? null };
    const audit = auditValues({
      ...byOperator({ id, merchantId, environment }, now),
      action: "api_key.rotated",
      details: { ...rights, rotated_from: keyId, overlap_seconds: overlapMilliseconds / 1000 },
    });
    const values = { oldId: keyId, oldExpiresAt, id, secretSealed, now, expiresAt, ...audit };
    const [row] = await database.run(rotateKey, values);
    if (row === undefined) {
      throw new OperatorError(`The key ${keyId} is revoked or has expired: create a new one.`);
    }
    const [open] = await database.run(countKeySchedules, { keyId });
    return { key: keyOf(row), secret, openSchedules: open?.count ?? 0 };
  }

  /**
   * A key that was given 90 days is followed by one with 90 days; one without an end, by such a one. What it was given
   * is not known any more once a rotation has brought its end forward: who lost the secret of the new key and rotates
   * the old one again would get one that ends in days, unseen.
   */
  async #sameLifetime(old: ApiKey, now: Date): Promise<Date | null> {
    const { id, merchantId, createdAt, expiresAt } = old;
    if (expiresAt === null) return null;
    const next = (await this.list(merchantId)).findLast(({ rotatedFrom }) => rotatedFrom === id);
    // One that is over is followed by none: that is said where it is found.
    if (next === undefined || !isUsable(old, now)) {
      return new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
    }
    const way = isUsable(next, now) ? "Rotate that one, or say --expires." : "Say --expires.";
    throw new OperatorError(
      `${id} was rotated already, to ${next.id}, which brought its end forward, and how long it was made to live is ` +
        `not known any more. ${way}`,
    );
  }

  /**
   * At once and for ever, on every process. For cause: it may have been in other hands, so the payout
   * schedules that it made end. That can be said later too, of a key that is revoked already.
   */
  async revoke(
    keyId: string,
    { isForCause }: KeyRevocation = { isForCause: true },
  ): Promise<RevokedKey> {
    const { database } = this.#ports;
    const now = this.#ports.clock.now();
    const key = await this.get(keyId);
    const audit = auditValues({
      ...byOperator(key, now),
      action: "api_key.revoked",
      details: { for_cause: isForCause },
    });
    const [row] = await database.run(revokeKey, { keyId, now, isForCause, ...audit });
    if (row === undefined) throw new OperatorError(`There is no key ${keyId}.`);
    const [open] = await database.run(countKeySchedules, { keyId });
    const older = await database.run(listOlderKeySchedules, { keyId });
    return {
      key: keyOf(row),
      openSchedules: open?.count ?? 0,
      olderSchedules: older.map(({ id, count }) => ({ keyId: id, count })),
    };
  }

  async get(keyId: string): Promise<ApiKey> {
    const [row] = await this.#ports.database.run(findKey, { keyId });
    if (row === undefined) throw new OperatorError(`There is no key ${keyId}.`);
    return keyOf(row);
  }

  /** Of one merchant, or all; secrets are never among it. */
  async list(merchantId: string | null): Promise<readonly ApiKey[]> {
    return (await this.#ports.database.run(listKeys, { merchantId })).map(keyOf);
  }

  #make(
    environment: Environment,
    merchantId: string,
  ): { readonly id: string; readonly secret: string; readonly secretSealed: Uint8Array } {
    const { random, sealer, cell } = this.#ports;
    // 32 divides 256: the low 5 bits of a random byte are 5 random bits, without bias.
    const body = Array.from(random.bytes(idCharacters), (byte) => idAlphabet.charAt(byte & 31));
    const id = keyIdOf(cell, environment, body.join(""));
    const bytes = Buffer.from(random.bytes(secretBytes));
    const secret = `sk_${environment}_${bytes.toString("base64url")}`;
    const secretSealed = sealer.seal(secret, sealingContexts.apiKey(id, merchantId));
    return { id, secret, secretSealed };
  }

  #checkRanges(cidrs: readonly string[]): readonly string[] {
    const normal = cidrs.map((text) => {
      const range = this.#ports.ranges.normalise(text);
      if (range !== undefined) return notTooWide(range);
      throw new OperatorError(`${text} is no range of addresses such as 192.0.2.0/24.`);
    });
    return [...new Set(normal)];
  }
}

function byOperator(
  { id, merchantId, environment }: Pick<ApiKey, "id" | "merchantId" | "environment">,
  occurredAt: Date,
): Omit<AuditDraft, "action" | "details"> {
  const subject = { type: "api_key", id };
  return { occurredAt, actor: "operator", merchantId, environment, subject };
}

function checkScopes({ scopes }: KeyWish): readonly string[] {
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (unknown.length > 0) {
    const known = allScopes.join(", ");
    throw new OperatorError(`No such scope: ${unknown.join(", ")}. There are ${known}.`);
  }
  return allScopes.filter((scope) => scopes.includes(scope));
}

/** Our choice: what one organisation may have. Two halves of everything are everything, too. */
const bitsMin = { ipv4: 8, ipv6: 16 } as const;

function isTooWide(range: string): boolean {
  const bits = Number(range.slice(range.indexOf("/") + 1));
  return bits < (range.includes(":") ? bitsMin.ipv6 : bitsMin.ipv4);
}

function notTooWide(range: string): string {
  if (!isTooWide(range)) return range;
  throw new OperatorError(
    `${range} is nearly every address, and restricts nothing: name the ranges that the key is used ` +
      `from (/${bitsMin.ipv4} or narrower, of IPv6 /${bitsMin.ipv6}), or none.`,
  );
}

/** A stolen live key must not be able to empty an account from anywhere, to anywhere. */
function brokenRuleOf({
  environment,
  scopes,
  cidrs,
}: Pick<KeyWish, "environment" | "scopes" | "cidrs">): string | undefined {
  const outward = moneyScopes.find((scope) => scopes.includes(scope));
  if (environment !== "live" || outward === undefined) return undefined;
  if (cidrs.length === 0) return `A live key with ${outward} needs at least one --cidr.`;
  if (!scopes.includes(addressScope)) return undefined;
  // Our choice: elsewhere this is advice; where money can leave, it is a rule.
  return (
    `A live key may not have both ${addressScope} and ${outward}: whoever stole it could add an ` +
    "address and send money there. Create two keys with --scopes."
  );
}

function checkExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt !== null && expiresAt <= now) {
    throw new OperatorError(`The key would have expired already: ${expiresAt.toISOString()}.`);
  }
}

function isUsable({ revokedAt, expiresAt }: ApiKey, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

type KeyRow = NonNullable<(typeof findKey)["row"]>;

function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    scopes: row.scopes,
    cidrs: row.cidrs,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    isRevokedForCause: row.revoked_for_cause,
    rotatedFrom: row.rotated_from,
  };
}
