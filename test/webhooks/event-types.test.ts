// What the service sends in events is what the contract says of them, field by field: the types are held
// against each other by the type check, and what the rooms may draft is closed.

import { expect, expectTypeOf, test } from "vitest";
import type { EventDraft, EventSubject, EventSubjects } from "../../service/events/events.ts";
import { eventTypes } from "../../service/events/types.ts";
import type { EventType, EventTypeAbout } from "../../service/events/types.ts";
import type { PayoutScheduleFacts } from "../../service/payouts/model.ts";
import type * as types from "../../generated/types.ts";

/** The events of the contract about one kind of resource. */
type Described<Subject, Event = types.WebhookEvent> = Event extends types.WebhookEvent
  ? Event["resource"]["type"] extends Subject
    ? Event
    : never
  : never;

/** `x402.*` tells of the same data, and says of none more than that it is there. */
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
  const data = { creator_id: "mer_2", status: "granted" } as const;
  const drafts: readonly EventDraft[] = [
    { ...owner, type: "split_consent.granted", resource, data },
    {
      ...owner,
      type: "split_consent.granted",
      resource,
      // @ts-expect-error -- nobody has described a note
      data: { creator_id: "mer_2", status: "granted", note: "hello" },
    },
    // @ts-expect-error -- the event is about another subject
    { ...owner, type: "withdrawal.failed", resource, data },
    // @ts-expect-error -- no room has declared such a subject
    { ...owner, type: "split_consent.granted", resource: { type: "merchant", id: "mer_2" }, data },
  ];
  // @ts-expect-error -- nor is it a fact that a schedule may tell
  const facts: PayoutScheduleFacts = { slot: "2026-01-01T00:00:00.000Z", note: "hello" };
  expect([drafts.length, Object.keys(facts).length]).toEqual([4, 2]);
});
