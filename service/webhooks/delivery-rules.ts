// What follows from one attempt: for the delivery, and for the endpoint behind it. Nothing here
// touches a database or a clock.

import type { SendFailure, WebhookOutcome } from "../ports/webhook-sender.ts";

const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;

/**
 * The wait before each attempt, after the one before: the schedule that Standard Webhooks gives as
 * its example. Ten attempts in 75 h 35 min, so that a receiver broken on Friday evening can be
 * repaired on Monday.
 */
export const attemptDelaysSeconds: readonly number[] = [
  0,
  5,
  5 * minuteSeconds,
  30 * minuteSeconds,
  2 * hourSeconds,
  5 * hourSeconds,
  10 * hourSeconds,
  14 * hourSeconds,
  20 * hourSeconds,
  24 * hourSeconds,
];

export const attemptsMax = attemptDelaysSeconds.length;

/** Each wait is longer or shorter by up to this share: an outage must not end in one big wave. */
export const jitterShare = 0.2;

/** An endpoint where everything has failed for so long is switched off. */
export const failingMaxMilliseconds = 120 * hourSeconds * 1000;

/**
 * And only by a delivery that has been tried for half a day itself. Our choice: after a quiet month
 * that began with a lost event, one bad moment must not switch an endpoint off.
 */
export const disablingAttemptsMin = 7;

/** Switched on again within this time, an endpoint gets what has waited for it. */
export const resumableMilliseconds = 72 * hourSeconds * 1000;

/** Merchants see the deliveries of the last 30 days; older ones are deleted with their events. */
export const keptMilliseconds = 30 * 24 * hourSeconds * 1000;

/**
 * What was recorded within this time can be sent anew. Four days are left for its attempts, whatever their jitter. It
 * may take longer: behind a queue, or where the receiver asks for more time. An event that waits is not deleted.
 */
export const resendableMilliseconds = keptMilliseconds - 4 * 24 * hourSeconds * 1000;

/**
 * Between two that are sent anew to one endpoint, our choice: ten in a second leave room for what happens meanwhile,
 * which else would stand behind all of them, and a receiver that takes 0.4 s for each, four at a time, keeps up. Behind one that does not, what is new waits.
 */
export const resendGapMilliseconds = 100;

/** Receivers that say "later" and may say when. */
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const gone = 410;

/** Why an attempt failed; what the sender saw, or what was clear before anything was sent. */
export type AttemptFailure = SendFailure | "url_not_allowed" | "secret_unreadable";

export type AttemptOutcome =
  | Exclude<WebhookOutcome, { readonly kind: "failed" }>
  | { readonly kind: "failed"; readonly reason: AttemptFailure };

export interface Attempt {
  /** finished ones before this one */
  readonly attemptsBefore: number;
  /** since when every attempt of the endpoint has failed */
  readonly failingSince: Date | null;
  readonly outcome: AttemptOutcome;
  readonly now: Date;
  /** evenly spread, from 0 up to but without 1 */
  readonly random: number;
}

export type DeliveryChange =
  | { readonly kind: "delivered" }
  | { readonly kind: "pending"; readonly nextAttemptAt: Date }
  /** all attempts used */
  | { readonly kind: "failed" }
  | { readonly kind: "cancelled" };

export type EndpointChange =
  /** an attempt succeeded: the count of failing days starts anew */
  | { readonly kind: "healthy" }
  | { readonly kind: "failing" }
  /** switched off, for the reason given */
  | { readonly kind: "disabled"; readonly reason: "gone" | "failing" };

export interface AttemptResult {
  readonly delivery: DeliveryChange;
  readonly endpoint: EndpointChange;
  readonly isSuccess: boolean;
  /** of the answer, if there was one */
  readonly status: number | null;
  /** if there was none */
  readonly failure: AttemptFailure | null;
}

export function judgeAttempt(attempt: Attempt): AttemptResult {
  const { outcome } = attempt;
  const status = outcome.kind === "answered" ? outcome.status : null;
  const failure = outcome.kind === "failed" ? outcome.reason : null;
  const isSuccess = status !== null && status >= 200 && status <= 299;
  return {
    delivery: isSuccess ? { kind: "delivered" } : afterFailure(attempt),
    endpoint: isSuccess ? { kind: "healthy" } : endpointAfterFailure(attempt),
    isSuccess,
    status,
    failure,
  };
}

function afterFailure(attempt: Attempt): DeliveryChange {
  if (isGone(attempt.outcome)) return { kind: "cancelled" };
  const slotSeconds = attemptDelaysSeconds[attempt.attemptsBefore + 1];
  if (slotSeconds === undefined) return { kind: "failed" };
  const waitSeconds = waitAfter(slotSeconds, attempt);
  return { kind: "pending", nextAttemptAt: new Date(attempt.now.getTime() + waitSeconds * 1000) };
}

/** A receiver may ask for more time, but not for so much that the event is of no use any more. */
function waitAfter(slotSeconds: number, { outcome, random }: Attempt): number {
  const jittered = slotSeconds * (1 + jitterShare * (2 * random - 1));
  if (outcome.kind !== "answered" || !busyStatuses.has(outcome.status)) return jittered;
  return Math.max(jittered, Math.min(outcome.retryAfterSeconds ?? 0, 2 * slotSeconds));
}

function endpointAfterFailure(attempt: Attempt): EndpointChange {
  const { outcome, failingSince, now, attemptsBefore } = attempt;
  if (isGone(outcome)) return { kind: "disabled", reason: "gone" };
  const failingMilliseconds = now.getTime() - (failingSince ?? now).getTime();
  const isLong = failingMilliseconds >= failingMaxMilliseconds;
  if (!isLong || attemptsBefore + 1 < disablingAttemptsMin) return { kind: "failing" };
  return { kind: "disabled", reason: "failing" };
}

function isGone(outcome: AttemptOutcome): boolean {
  return outcome.kind === "answered" && outcome.status === gone;
}
