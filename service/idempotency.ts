// A request with an Idempotency-Key has its effect once: the first run claims the key, and finishes
// it in the same statement that writes the effect, the event and the answer. Whoever comes later
// gets that answer.
//
// A run holds its key by a lease. If its process dies, the next request with the key takes the lease
// over; if the process was only asleep, its token no longer fits when it wakes, and it writes
// nothing.

import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import { ServiceError } from "./errors.ts";
import type { Clock } from "./ports/clock.ts";
import type { Database } from "./ports/database.ts";
import type { Random } from "./ports/random.ts";
import { sealingContexts } from "./sealing.ts";
import type { Sealer } from "./sealing.ts";
import { claimKey, readFinishedKey, releaseKey } from "./store/idempotency.ts";
import type { ClaimedRow, ClaimValues, FinishingValues, KeyRow } from "./store/idempotency.ts";

/** How long a run may take before another one may take its key over. */
const leaseSeconds = 60;
/** How long an answer is kept; the contract promises it. */
const answerKeptDays = 7;
/** The same for answers with a secret in them. */
const secretAnswerKeptHours = 24;

const leaseTokenBytes = 16;
/** A claim finds nothing only if the row appeared or went while it ran. */
const claimAttemptsMax = 5;
const hourMilliseconds = 3_600_000;

/** What names a request, and what it asks for. */
export interface Claim {
  readonly merchantId: string;
  readonly key: string;
  readonly operationId: string;
  /** see `fingerprintOf` */
  readonly fingerprint: Uint8Array;
}

/** An answer as it was sent the first time. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** exact JSON text */
  readonly body: string;
}

/** What a run holds its key by. */
export interface Fence {
  /**
   * The values of `finishing` in service/store/idempotency.ts. They go into the one statement that
   * writes the effect; if its fence finds no row, call `leaseLost`.
   */
  readonly finish: (answer: StoredAnswer) => FinishingValues;
}

/** How a rule turns its result into the answer that is stored beside it. */
export type Finish<Result> = (result: Result) => FinishingValues;

export interface IdempotencyPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly sealer: Sealer;
}

export interface IdempotentResult {
  readonly answer: StoredAnswer;
  readonly isReplayed: boolean;
}

/**
 * What makes two requests the same: operation, path parameters, and the body as JSON, whatever its
 * white space and order of members. Our choice: the environment of the API key as well, since the
 * same words of a test key and of a live key do different things. Throws `CanonicalJsonError`.
 */
export function fingerprintOf(request: {
  readonly operationId: string;
  readonly environment: "live" | "test";
  readonly path: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}): Uint8Array {
  // JSON knows no undefined: an operation without a body counts as one with null.
  const { operationId, path, body = null, environment } = request;
  const text = canonicalJson([operationId, path, body, environment]);
  return hash("sha256", text, "buffer");
}

export class Idempotency {
  readonly #ports: IdempotencyPorts;

  constructor(ports: IdempotencyPorts) {
    this.#ports = ports;
  }

  /**
   * Runs `work` unless the key was used before. The work must hand `fence.finish(answer)` to its
   * last statement and return that answer; if it throws, the key is free again.
   *
   * Throws `idempotency_key_reused`, `idempotency_in_progress`, `idempotency_key_expired`, and
   * whatever the work throws.
   */
  async run(
    claim: Claim,
    options: { readonly isSecret: boolean },
    work: (fence: Fence) => Promise<StoredAnswer>,
  ): Promise<IdempotentResult> {
    const leaseToken = Buffer.from(this.#ports.random.bytes(leaseTokenBytes)).toString("base64url");
    const found = await this.#claim(claim, leaseToken);
    if (!found.is_claimed) return { answer: this.#replay(claim, found), isReplayed: true };
    try {
      return { answer: await work(this.#fence(claim, leaseToken, options)), isReplayed: false };
    } catch (error) {
      const answer = await this.#afterFailure(claim, leaseToken, error);
      return { answer, isReplayed: false };
    }
  }

  /** One round trip, except in the rare case that the row appears or goes in that moment. */
  async #claim(claim: Claim, leaseToken: string): Promise<ClaimedRow> {
    const now = this.#ports.clock.nowMilliseconds();
    for (let attempt = 0; attempt < claimAttemptsMax; attempt++) {
      const [row] = await this.#runClaim({
        ...claim,
        leaseToken,
        now: new Date(now),
        leaseExpiresAt: new Date(now + leaseSeconds * 1000),
        expiresAt: new Date(now + answerKeptDays * 24 * hourMilliseconds),
      });
      if (row !== undefined) return row;
    }
    throw inProgress();
  }

  /** If nobody says whether it was claimed, it is given back: retries should not have to wait. */
  async #runClaim(values: ClaimValues): Promise<readonly ClaimedRow[]> {
    try {
      return await this.#ports.database.run(claimKey, values);
    } catch (error) {
      await this.#ports.database.run(releaseKey, values).catch(() => undefined);
      throw error;
    }
  }

  #replay(claim: Claim, row: KeyRow): StoredAnswer {
    if (Buffer.compare(row.fingerprint, claim.fingerprint) !== 0) {
      throw new ServiceError(
        "idempotency_key_reused",
        "This Idempotency-Key was used for another request. Use a new key for a new request.",
      );
    }
    if (row.state === "running" || row.status === null) throw inProgress();
    const headers = row.headers ?? {};
    return { status: row.status, headers, body: this.#storedBody(claim, row) };
  }

  #storedBody({ merchantId, key }: Claim, row: KeyRow): string {
    if (row.body !== null) return row.body;
    const now = this.#ports.clock.nowMilliseconds();
    // Whether the sweep has been here already must make no difference.
    const isKept = row.body_expires_at !== null && row.body_expires_at.getTime() > now;
    if (row.body_sealed !== null && isKept) {
      return this.#ports.sealer.open(row.body_sealed, sealingContexts.idempotency(merchantId, key));
    }
    throw keyExpired();
  }

  #fence(claim: Claim, leaseToken: string, { isSecret }: { readonly isSecret: boolean }): Fence {
    const { merchantId, key } = claim;
    const { clock, sealer } = this.#ports;
    return {
      finish: ({ status, headers, body }) => {
        const now = clock.nowMilliseconds();
        const sealed = isSecret
          ? sealer.seal(body, sealingContexts.idempotency(merchantId, key))
          : null;
        return {
          fenceMerchantId: merchantId,
          fenceKey: key,
          fenceLeaseToken: leaseToken,
          answerStatus: status,
          answerHeaders: headers === undefined ? null : JSON.stringify(headers),
          answerBody: isSecret ? null : body,
          answerBodySealed: sealed,
          answerBodyExpiresAt: isSecret
            ? new Date(now + secretAnswerKeptHours * hourMilliseconds)
            : null,
          finishedAt: new Date(now),
        };
      },
    };
  }

  /**
   * The key is free again, unless the work was done after all: a connection that breaks after the
   * commit takes the good news with it. Only a row that is still running with our own token is
   * deleted; where there is none, the answer may stand there finished. Throws `error` otherwise.
   */
  async #afterFailure(claim: Claim, leaseToken: string, error: unknown): Promise<StoredAnswer> {
    const lease = { merchantId: claim.merchantId, key: claim.key, leaseToken };
    const isUnknown = error instanceof ServiceError && error.code === "service_unavailable";
    let finished: readonly KeyRow[] = [];
    try {
      const released = await this.#ports.database.run(releaseKey, lease);
      if (released.length === 0 && isUnknown) {
        finished = await this.#ports.database.run(readFinishedKey, lease);
      }
    } catch {
      // The database is away. The lease runs out by itself, and the caller hears the first reason.
    }
    const [row] = finished;
    if (row === undefined) throw error;
    return this.#replay(claim, row);
  }
}

/** Another run took the key over: this one has written nothing, and the other one will answer. */
export function leaseLost(): ServiceError {
  return inProgress();
}

/** The request was done, and its answer is no longer kept. */
export function keyExpired(): ServiceError {
  return new ServiceError(
    "idempotency_key_expired",
    "The request with this Idempotency-Key was done, and its answer is no longer kept.",
  );
}

function inProgress(): ServiceError {
  return new ServiceError(
    "idempotency_in_progress",
    "A request with this Idempotency-Key is still running.",
    { retryAfterSeconds: 1 },
  );
}
