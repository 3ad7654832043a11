// The way of every writing operation: its effect happens once for an Idempotency-Key, and whoever
// asks again gets the same answer.

import assert from "node:assert";
import { RequestError } from "../generated/runtime/runtime.ts";
import { CanonicalJsonError } from "../service/canonical-json.ts";
import { fingerprintOf } from "../service/idempotency/idempotency.ts";
import type {
  Idempotency,
  KeyedRequest,
  StoredAnswer,
} from "../service/idempotency/idempotency.ts";
import type { FinishingValues } from "../service/idempotency/idempotency.sql.ts";
import type { Caller } from "./caller.ts";

/** What the helper has to know of a request; every generated one with the header fits. */
interface RequestWithKey {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly headers: { readonly "Idempotency-Key": string };
  readonly body?: unknown;
}

interface AnyAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Partial<Record<string, string | number>>>;
}

export interface IdempotentCall {
  readonly idempotency: Idempotency;
  readonly operationId: string;
  /** the answer shows a secret: it is kept sealed, and only for a day */
  readonly isSecret?: boolean;
  readonly request: RequestWithKey;
  readonly caller: Caller;
}

/**
 * Runs `work` once. It hands the answer to `finish`, and the values it gets for it to the statement
 * that writes the effect. A replay has the same status, headers and body as the first answer, and
 * `Idempotent-Replayed: true`.
 */
export async function idempotent<Answer extends AnyAnswer>(
  call: IdempotentCall,
  work: (finish: (answer: Answer) => FinishingValues) => Promise<void>,
): Promise<Answer> {
  let finished: Answer | undefined;
  const isSecret = call.isSecret ?? false;
  const { answer, isReplayed } = await call.idempotency.run(
    keyedRequestOf(call),
    { isSecret, earlier: call.caller.earlier },
    async (fence) => {
      let stored: StoredAnswer | undefined;
      await work((answer) => {
        // A change may be decided more than once; the last answer is the one that was written.
        finished = answer;
        stored = storable(answer);
        return fence.finish(stored);
      });
      assert(stored !== undefined, `${call.operationId} wrote without an answer`);
      return stored;
    },
  );
  if (!isReplayed && finished !== undefined) return finished;
  const headers = { ...answer.headers, "Idempotent-Replayed": "true" };
  // Stored from an `Answer` by an earlier run of this operation, which the fingerprint names; the
  // contract has the header beside every answer that is stored.
  return {
    status: answer.status,
    headers,
    body: JSON.parse(answer.body) as unknown,
  } as unknown as Answer;
}

function storable({ status, headers, body }: AnyAnswer): StoredAnswer {
  const given = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const text = JSON.stringify(body);
  return given.length === 0
    ? { status, body: text }
    : { status, headers: Object.fromEntries(given), body: text };
}

/** What names the request for `Idempotency.run` and `Idempotency.runAgain`. */
export function keyedRequestOf({
  operationId,
  request,
  caller,
}: Omit<IdempotentCall, "idempotency" | "isSecret">): KeyedRequest {
  const { path = {}, body, headers } = request;
  const { merchantId, environment } = caller;
  try {
    return {
      merchantId,
      environment,
      key: headers["Idempotency-Key"],
      operationId,
      fingerprint: fingerprintOf({ operationId, environment, path, body }),
    };
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw refused(error);
  }
}

/** JSON can spell what is no Unicode text (half of a surrogate pair) or no double (1e400): RFC 7493. */
function refused({ pointer, rule, message }: CanonicalJsonError): RequestError {
  // The pointer leads into [operation, path, body, environment]. A path is decoded from UTF-8: it is text.
  const violation = { in: "body", pointer: pointer.slice(2), rule, message } as const;
  return new RequestError(
    400,
    "invalid_request",
    "The request holds what JSON can spell and nobody can keep.",
    {
      violations: [violation],
    },
  );
}
