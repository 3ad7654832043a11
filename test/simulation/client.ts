// Merchants' programs: each request has an Idempotency-Key, and is sent again until it is answered;
// now and then it is sent again after that, or twice at once to both processes.

import { RequestError } from "../../generated/runtime/runtime.ts";
import type { Caller, AllHandlers } from "../../handlers/caller.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Owner } from "../../service/owner.ts";
import { readKey } from "../../service/idempotency/idempotency.sql.ts";
import { canonicalJson } from "../../service/canonical-json.ts";
import { Killed } from "./life.ts";
import type { Worker } from "./worker.ts";
import type { KeyKind, World } from "./world.ts";

const dayMilliseconds = 86_400_000;

/**
 * What a program asks again, because its answer changes when the chain has decided: pending, settled, and
 * refused where the chain says no in the end. When all is final, what is heard is held against the chain.
 */
export const decidedLater: ReadonlySet<string> = new Set(["settleX402Payment"]);

export interface Headers {
  readonly "X-Api-Key": string;
  readonly "X-Signature": string;
  readonly "X-Timestamp": string;
  readonly "X-Nonce": string;
  readonly "Idempotency-Key": string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

export interface Call {
  readonly operation: string;
  readonly key: string;
  readonly owner: Owner;
  /** one object for each time that it was answered with success */
  readonly answers: string[];
  /** nobody knows yet what became of it */
  isOpen: boolean;
  /** the last one, if it was no success */
  refusal?: string;
  readonly madeAtMilliseconds: number;
  readonly send: (worker: Worker, earlier: Caller["earlier"]) => Promise<Answer> | Answer;
  /** what the program remembers of the first answer */
  readonly learn: (body: never) => void;
}

export interface CallDraft<Body> {
  readonly operation: string;
  readonly owner: Owner;
  /** bound when left out; the newest of the kind, whenever it is sent */
  readonly keyKind?: KeyKind;
  readonly ask: (
    handlers: AllHandlers,
    headers: Headers,
    caller: Caller,
  ) => Promise<Answer> | Answer;
  readonly learn?: (body: Body) => void;
}

/** A new request, which nobody has sent yet. */
export function newCall<Body>(world: World, draft: CallDraft<Body>): Call {
  const { operation, owner, ask, keyKind = "bound" } = draft;
  const key = `${operation}-${world.calls.length + 1}`;
  const headers: Headers = {
    "X-Api-Key": "",
    "X-Signature": "",
    "X-Nonce": "",
    "X-Timestamp": "",
    "Idempotency-Key": key,
  };
  const call: Call = {
    operation,
    key,
    owner,
    answers: [],
    isOpen: true,
    madeAtMilliseconds: world.nowMilliseconds,
    send: ({ handlers }, earlier) =>
      ask(handlers, headers, {
        ...owner,
        requestId: "req_simulation",
        keyId: world.keyOf(owner, keyKind),
        scopes: new Set(),
        earlier,
      }),
    // A function that takes some body also takes none at all: `sendCall` hands it the right one.
    learn: draft.learn ?? (() => undefined),
  };
  world.calls.push(call);
  return call;
}

/** Sends it once. Whatever goes wrong on the way, the program learns no more than it would. */
export async function sendCall(world: World, worker: Worker, call: Call): Promise<void> {
  // The edge refuses them before anything else is looked at.
  if (world.isSuspended.has(call.owner.merchantId)) return;
  try {
    const { body } = await world.cuts.during(() => request(worker, call));
    world.note(`answered`, call.operation);
    call.isOpen = false;
    call.answers.push(canonicalJson(body));
    // The body is the answer of the operation that `learn` was made for.
    if (call.answers.length === 1) call.learn(body as never);
  } catch (error) {
    if (worker.life.isDead || error instanceof Killed) return;
    if (error instanceof RequestError) {
      world.complain(`${call.operation} was refused by its form: ${error.message}`);
      return;
    }
    if (!(error instanceof ServiceError)) throw error;
    const isUnknown =
      error.code === "service_unavailable" || error.code === "idempotency_in_progress";
    if (isUnknown) return;
    world.note(`refused`, `${call.operation} ${error.code}`);
    call.isOpen = false;
    call.refusal = error.code;
    const isAnswered = call.answers.length > 0 && !decidedLater.has(call.operation);
    if (isAnswered && !mayBeForgotten(world, call)) {
      world.complain(`${call.key} was answered, and then refused: ${error.code}`);
    }
  }
}

async function request(worker: Worker, call: Call): Promise<Answer> {
  const { merchantId, environment } = call.owner;
  const named = { merchantId, environment, key: call.key };
  const now = worker.clock.now();
  const [earlier] = await worker.database.run(readKey, { ...named, now });
  return await call.send(worker, earlier);
}

/** Answers are kept for seven days, those with a secret in them for one; clocks differ by minutes. */
export function mayBeForgotten(
  world: World,
  { madeAtMilliseconds, refusal, operation }: Call,
): boolean {
  const age = world.nowMilliseconds - madeAtMilliseconds;
  const isSecret = operation === "registerWebhookEndpoint";
  if (refusal === "idempotency_key_expired" && isSecret) return age > 0.99 * dayMilliseconds;
  return age > 6.99 * dayMilliseconds;
}
