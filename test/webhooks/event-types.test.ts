// What rooms declare that events hold is what the contract says of them, field by field: the type check holds both against
// each other, and a draft has no field beside those that its room has declared. What is sent in the end is judged, whole,
// wherever a test makes events (test/webhooks/described.test.ts).

import { expect, expectTypeOf, test } from "vitest";
import { dataAbout } from "../../service/events/events.ts";
import type { EventDraft, EventSubject, EventSubjects } from "../../service/events/events.ts";
import { eventTypes } from "../../service/events/types.ts";
import type { EventType, EventTypeAbout } from "../../service/events/types.ts";
import { payoutScheduleEvent } from "../../service/payouts/model.ts";
import type { PayoutSchedule } from "../../service/payouts/model.ts";
import { subscriptionEvent } from "../../service/subscriptions/model.ts";
import type { Subscription } from "../../service/subscriptions/model.ts";
import type * as types from "../../generated/types.ts";

/** The events of the contract about one kind of resource. */
type Described<Subject, Event = types.WebhookEvent> = Event extends types.WebhookEvent
  ? Event["resource"]["type"] extends Subject
    ? Event
    : never
  : never;

/** `x402.*` has the data of any event about a payment, and says of four fields that they are always there. */
type Data<Subject> = Exclude<Described<Subject>, types.X402Event>["data"];

/** The paths of what is sent and not described. */
type Undescribed<Sent, Told> = Sent extends readonly (infer One)[]
  ? Undescribed<One, Told extends readonly (infer Other)[] ? Other : never>
  : Sent extends object
    ? {
        [Key in keyof Sent & string]-?: Key extends keyof Told
          ? Below<Key, Undescribed<NonNullable<Sent[Key]>, NonNullable<Told[Key]>>>
          : Key;
      }[keyof Sent & string]
    : never;
type Below<Key extends string, Path> = Path extends string ? `${Key}.${Path}` : never;

/** By subject; what is exact has never. */
type UndescribedOf = {
  [Subject in EventSubject]: Undescribed<EventSubjects[Subject], Data<Subject>>;
};

test("each event has a subject whose data some room has declared", () => {
  expectTypeOf<EventSubject>().toEqualTypeOf<types.WebhookEvent["resource"]["type"]>();
  expectTypeOf<EventTypeAbout<EventSubject>>().toEqualTypeOf<EventType>();
  expectTypeOf<types.WebhookEvent["type"]>().toEqualTypeOf<EventType>();
  expect(new Set(eventTypes).size).toBe(44);
});

test("no data of an event has a field that the contract does not describe", () => {
  expectTypeOf<UndescribedOf[EventSubject]>().toEqualTypeOf<never>();
});

test("a field that is sent and not described would be found, however deep it is", () => {
  interface Told {
    readonly id: string;
    readonly quotes: { readonly [key: string]: { readonly amounts: { readonly raw: string }[] } };
    readonly deposit?: { readonly raw: string } | null;
  }
  interface Sent extends Omit<Told, "quotes" | "deposit"> {
    readonly note?: string;
    readonly quotes: { readonly [key: string]: { readonly amounts: { readonly secret: 1 }[] } };
    readonly deposit?: { readonly raw: string; readonly iban: string } | null;
  }
  type Found = Undescribed<Sent, Told>;
  expectTypeOf<Found>().toEqualTypeOf<
    "note" | `quotes.${string}.amounts.secret` | "deposit.iban"
  >();
});

test("what is sent has the type that the contract gives it", () => {
  type Unlike = {
    [Subject in EventSubject]: EventSubjects[Subject] extends Data<Subject> ? never : Subject;
  }[EventSubject];
  expectTypeOf<Unlike>().toEqualTypeOf<never>();
});

test("a draft that says more than its subject has, or of another one, does not compile", () => {
  const owner = { merchantId: "mer_1", environment: "test" } as const;
  const resource = { type: "split_consent", id: "mer_2" } as const;
  const said = { creator_id: "mer_2", status: "granted" } as const;
  const wider = { ...said, note: "hello" };
  const data = dataAbout("split_consent", said);
  const drafts: readonly EventDraft[] = [
    { ...owner, type: "split_consent.granted", resource, data },
    // @ts-expect-error -- nobody has looked at it
    { ...owner, type: "split_consent.granted", resource, data: said },
    // @ts-expect-error -- the event is about another subject
    { ...owner, type: "withdrawal.failed", resource, data },
    // @ts-expect-error -- no room has declared such a subject
    { ...owner, type: "split_consent.granted", resource: { type: "merchant", id: "mer_2" }, data },
  ];
  const datas = [
    // @ts-expect-error -- nobody has described a note
    dataAbout("split_consent", { ...said, note: "hello" }),
    // @ts-expect-error -- nor where it comes by a constant
    dataAbout("split_consent", wider),
    // @ts-expect-error -- nor by a spread
    dataAbout("split_consent", { ...wider }),
    // @ts-expect-error -- nor where it may be there or not
    dataAbout("split_consent", wider.note === "" ? { ...said } : { ...wider }),
    // @ts-expect-error -- it is what a withdrawal says
    dataAbout("withdrawal", said),
  ];
  expect([drafts.length, datas.length]).toEqual([4, 5]);
});

test("nor does one that tells a fact more of a schedule or a subscription", () => {
  const facts = { note: "hello" };
  const open: Readonly<Record<string, string>> = facts;
  const calls = [
    // @ts-expect-error -- nobody has described a note
    (schedule: PayoutSchedule) => payoutScheduleEvent("payout_schedule.due", schedule, facts),
    // @ts-expect-error -- it may hold anything
    (schedule: PayoutSchedule) => payoutScheduleEvent("payout_schedule.due", schedule, open),
    // @ts-expect-error -- nobody has described a note
    (one: Subscription) => subscriptionEvent("subscription.expired", one, facts),
    // @ts-expect-error -- it may hold anything
    (one: Subscription) => subscriptionEvent("subscription.expired", one, open),
  ];
  expect(calls).toHaveLength(4);
});
