// A request with an Idempotency-Key has its effect once: one statement writes the effect, the event,
// the answer and the key, and does nothing if the key is there already. Whoever comes later gets the
// answer that stands there.
//
// Nothing is written before that statement. If a process dies in a request, the key is as free as it
// was; if the process was only asleep, its statement finds the key that another one has finished in
// the meantime, and writes nothing.

import { hash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import { ServiceError } from "../errors.ts";
import type { Environment, Owner } from "../owner.ts";
import { CheckViolation, UniqueViolation } from "../ports/database.ts";
import { sealingContexts } from "../secrets/sealing.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { readKey } from "./idempotency.sql.ts";
import type { FinishingValues, KeyRow } from "./idempotency.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

/** How long an answer is kept; the contract promises it. */
const answerKeptDays = 7;
/** The same for answers with a secret in them. */
const secretAnswerKeptHours = 24;

/** A key that was taken is free again only if its time ran out in that moment. */
const runsMax = 3;
const hourMilliseconds = 3_600_000;

/** What names a request, and what it asks for. */
export interface KeyedRequest extends Owner {
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

/** What a run takes its key with. */
export interface Fence {
  /**
   * The values of `finishing`. They go into the one statement that writes the effect; if its fence
   * finds no row, throw `keyTaken`.
   */
  readonly finish: (answer: StoredAnswer) => FinishingValues;
}

/** How a rule turns its result into the answer that is stored beside it. */
export type Finish<Result> = (result: Result) => FinishingValues;

export interface IdempotencyPorts extends StoragePorts {
  readonly sealer: Sealer;
  /** hears of each request whose key was used before, for the same */
  readonly onReplayed?: ((operationId: string) => void) | undefined;
}

export interface RunOptions {
  /** the answer shows a secret: it is kept sealed, and only for a day */
  readonly isSecret: boolean;
  /** what admission found under the key */
  readonly earlier: KeyRow | undefined;
}

export interface IdempotentResult {
  readonly answer: StoredAnswer;
  readonly isReplayed: boolean;
}

/**
 * What makes two requests the same: operation, path parameters, and the body as JSON, whatever its
 * white space and order of members; and the environment, which says whose key it is. Throws
 * `CanonicalJsonError`.
 */
export function fingerprintOf(request: {
  readonly operationId: string;
  readonly environment: Environment;
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
  /** The fingerprints of what runs in this process now, by merchant and key. */
  readonly #running = new Map<string, Uint8Array>();

  constructor(ports: IdempotencyPorts) {
    this.#ports = ports;
  }

  /**
   * Runs `work` unless the key was used before. The work must hand `fence.finish(answer)` to the one
   * statement with an effect, and return that answer; whatever it does before may be done again, by
   * another process at the same time or by this one. If it throws, the key is free again.
   *
   * Throws `idempotency_key_reused`, `idempotency_in_progress`, `idempotency_key_expired`, and
   * whatever the work throws.
   */
  async run(
    request: KeyedRequest,
    options: RunOptions,
    work: (fence: Fence) => Promise<StoredAnswer>,
  ): Promise<IdempotentResult> {
    if (options.earlier !== undefined) return this.#replay(request, options.earlier);
    return this.#onceHere(request, () =>
      this.#runUntilAnswered(request, this.#fence(request, options), work),
    );
  }

  /**
   * For work that finds its own effect again, and whose answer may change: the key only says that it
   * is the same request, and what is stored under it is never given. The work gets no fence where the
   * key is known already. Throws `idempotency_key_reused`, `idempotency_in_progress`, and whatever the
   * work throws.
   */
  async runAgain<Result>(
    request: KeyedRequest,
    earlier: KeyRow | undefined,
    work: (fence: Fence | undefined) => Promise<Result>,
  ): Promise<Result> {
    return this.#onceHere(request, () => this.#runUntilKnown(request, earlier, work));
  }

  /** At one time, in this process; another one may do the same. */
  async #onceHere<Result>(request: KeyedRequest, work: () => Promise<Result>): Promise<Result> {
    // None has white space in it.
    const name = `${request.merchantId} ${request.environment} ${request.key}`;
    const running = this.#running.get(name);
    if (running !== undefined) {
      assertSame(request, running);
      throw inProgress();
    }
    this.#running.set(name, request.fingerprint);
    try {
      return await work();
    } finally {
      this.#running.delete(name);
    }
  }

  async #runUntilKnown<Result>(
    request: KeyedRequest,
    earlier: KeyRow | undefined,
    work: (fence: Fence | undefined) => Promise<Result>,
  ): Promise<Result> {
    let row = earlier;
    for (let count = 1; ; count++) {
      if (row !== undefined) {
        assertSame(request, row.fingerprint);
        this.#ports.onReplayed?.(request.operationId);
        return work(undefined);
      }
      try {
        return await work(this.#fence(request, { isSecret: false, earlier: undefined }));
      } catch (error) {
        if (!(error instanceof KeyTaken)) throw error;
        row = await this.#finishedMeanwhile(request, error);
        if (count === runsMax) throw inProgress();
      }
    }
  }

  async #runUntilAnswered(
    request: KeyedRequest,
    fence: Fence,
    work: (fence: Fence) => Promise<StoredAnswer>,
  ): Promise<IdempotentResult> {
    for (let count = 1; ; count++) {
      try {
        return { answer: await work(fence), isReplayed: false };
      } catch (error) {
        const row = await this.#finishedMeanwhile(request, error);
        if (row !== undefined) return this.#replay(request, row);
        if (!(error instanceof KeyTaken)) throw error;
        if (count === runsMax) throw inProgress();
      }
    }
  }

  /**
   * Work that failed may have failed because the request is already done: another process had the
   * same key at the same time, and what it wrote is what the work ran into (the URL exists, the
   * payment is cancelled, the balance is spent); or our own statement was committed, and the
   * connection broke before we heard of it. So the key is looked up before any refusal is given.
   *
   * That is right for every rule, without knowing it: the row is there only if a request with this
   * key was done, and then the contract has one answer to it, whatever this run has met. No row: the
   * work had no effect under this key, and its own refusal is the answer. Faults of ours say nothing
   * about the key, and are not covered up.
   */
  async #finishedMeanwhile(request: KeyedRequest, error: unknown): Promise<KeyRow | undefined> {
    const isTaken = error instanceof KeyTaken;
    if (!isTaken && !isRefusal(error)) return undefined;
    const { merchantId, environment, key } = request;
    const now = this.#ports.clock.now();
    try {
      const values = { merchantId, environment, key, now };
      const [row] = await this.#ports.database.run(readKey, values);
      return row;
    } catch (unread) {
      // The caller hears the first reason, if it is one for a caller.
      throw isTaken ? unread : error;
    }
  }

  #replay(request: KeyedRequest, row: KeyRow): IdempotentResult {
    assertSame(request, row.fingerprint);
    const { status, headers } = row;
    const body = this.#storedBody(request, row);
    this.#ports.onReplayed?.(request.operationId);
    return { answer: { status, headers: headers ?? {}, body }, isReplayed: true };
  }

  #storedBody({ merchantId, key }: KeyedRequest, row: KeyRow): string {
    if (row.body !== null) return row.body;
    const now = this.#ports.clock.nowMilliseconds();
    // Whether the sweep has been here already must make no difference.
    const isKept = row.body_expires_at !== null && row.body_expires_at.getTime() > now;
    if (row.body_sealed !== null && isKept) {
      return this.#ports.sealer.open(row.body_sealed, sealingContexts.idempotency(merchantId, key));
    }
    throw keyExpired();
  }

  #fence(request: KeyedRequest, { isSecret }: RunOptions): Fence {
    const { merchantId, environment, key, operationId, fingerprint } = request;
    const { clock, sealer } = this.#ports;
    return {
      finish: ({ status, headers, body }) => {
        const now = clock.nowMilliseconds();
        const sealed = isSecret
          ? sealer.seal(body, sealingContexts.idempotency(merchantId, key))
          : null;
        return {
          fenceMerchantId: merchantId,
          fenceEnvironment: environment,
          fenceKey: key,
          fenceOperationId: operationId,
          fenceFingerprint: fingerprint,
          answerStatus: status,
          answerHeaders: headers === undefined ? null : JSON.stringify(headers),
          answerBody: isSecret ? null : body,
          answerBodySealed: sealed,
          answerBodyExpiresAt: isSecret
            ? new Date(now + secretAnswerKeptHours * hourMilliseconds)
            : null,
          finishedAt: new Date(now),
          answerExpiresAt: new Date(now + answerKeptDays * 24 * hourMilliseconds),
        };
      },
    };
  }
}

class KeyTaken extends Error {}

/**
 * For a rule whose fence found no row although everything else was as it must be: the key was
 * finished in between, and nothing was written. `Idempotency.run` looks up the answer.
 */
export function keyTaken(): Error {
  return new KeyTaken("the idempotency key was finished in between");
}

/** What the rules and the constraints say no with, and the database that cannot say. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ServiceError ||
    error instanceof UniqueViolation ||
    error instanceof CheckViolation
  );
}

function assertSame(request: KeyedRequest, fingerprint: Uint8Array): void {
  if (Buffer.compare(fingerprint, request.fingerprint) === 0) return;
  throw new ServiceError(
    "idempotency_key_reused",
    "This Idempotency-Key was used for another request. Use a new key for a new request.",
  );
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
