// The names of all events, and which of them an endpoint may ask for.

import { everyEvent } from "../database/words.ts";
import { ServiceError } from "../errors.ts";

/** In the order of the contract (`x-known-values` of `EventType`). */
export const eventTypes = [
  "payment.created",
  "payment.cancelled",
  "payment.partially_paid",
  "payment.confirming",
  "payment.paid",
  "payment.overpaid",
  "payment.underpaid",
  "payment.expired",
  "payment.paid_late",
  "payment.deposit_after_close",
  "payment.reorged",
  "payment.reversed",
  "payment.restored",
  "withdraw_address.registered",
  "withdraw_address.activated",
  "withdrawal.requested",
  "withdrawal.cancelled",
  "withdrawal.processing",
  "withdrawal.broadcast",
  "withdrawal.confirmed",
  "withdrawal.failed",
  "withdrawal.rejected",
  "payout_schedule.created",
  "payout_schedule.paused",
  "payout_schedule.retired",
  "payout_schedule.due",
  "payout_schedule.run_requested",
  "payout_schedule.run_skipped",
  "subscription.billed",
  "subscription.past_due",
  "subscription.cancelled",
  "subscription.expired",
  "currency_acceptance.updated",
  "split_consent.granted",
  "split_consent.ended",
  "x402.authorized",
  "x402.settlement_submitted",
  "x402.settled",
  "x402.settlement_failed",
  "x402.usage_reported",
  "x402.released",
  "webhook_endpoint.updated",
  "webhook_endpoint.secret_rotated",
  "webhook_endpoint.disabled",
] as const;

export type EventType = (typeof eventTypes)[number];

/** The events about a resource of this type: their names begin with it, but for `x402`, which is about payments. */
export type EventTypeAbout<Subject extends string> = Extract<
  EventType,
  `${Subject extends "payment" ? "payment" | "x402" : Subject}.${string}`
>;

const known: ReadonlySet<string> = new Set([everyEvent, ...eventTypes]);

/** A list of complaints has an end. */
const violationsMax = 100;

/**
 * The list to store: duplicates removed, in the order of the caller; omitted means every event.
 * Throws `unknown_event_type` for names that do not exist, an empty list, and `*` beside others.
 */
export function parseEventTypes(wanted: readonly string[] | undefined): readonly string[] {
  if (wanted === undefined) return [everyEvent];
  if (wanted.length === 0) {
    throw refused(
      'An endpoint needs at least one event; leave event_types out, or send ["*"], for all.',
      [{ pointer: "/event_types", rule: "minItems", message: "must not be empty" }],
    );
  }
  checkEventNames(wanted);
  const distinct = [...new Set(wanted)];
  if (distinct.length > 1 && distinct.includes(everyEvent)) {
    throw refused('"*" already means every event: send it alone.', [
      { pointer: "/event_types", rule: "wildcard", message: "must not have * beside other names" },
    ]);
  }
  return distinct;
}

/** Throws `unknown_event_type`; undefined: a name that is not known and not looked at. */
export function checkEventNames(wanted: readonly (string | undefined)[]): void {
  const violations = wanted
    .flatMap((name, index) => (name === undefined || known.has(name) ? [] : [index]))
    .slice(0, violationsMax)
    .map((index) => ({
      pointer: `/event_types/${index}`,
      rule: "known",
      message: "is not the name of an event",
    }));
  if (violations.length > 0) throw refused("event_types has names that do not exist.", violations);
}

interface Place {
  readonly pointer: string;
  readonly rule: string;
  readonly message: string;
}

function refused(message: string, places: readonly Place[]): ServiceError {
  const violations = places.map((place) => ({ in: "body", ...place }));
  return new ServiceError("unknown_event_type", message, { details: { violations } });
}
