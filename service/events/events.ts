// An event says what happened to a resource. It is recorded in the statement that makes it happen
// (a transactional outbox): never lost after the commit, never there without one.

import assert from "node:assert";
import type { EventTypeAbout } from "./types.ts";
import type { Owner } from "../owner.ts";
import type { EventValues } from "./events.sql.ts";
import { endpointsMax } from "../database/words.ts";
import type { StampPorts } from "../ports/recording.ts";

/** The payload has at most 20 kB, and `data` is all of it but an envelope of bounded size. */
const payloadBytesMax = 20_480;
const envelopeBytesMax = 1024;
export const eventDataBytesMax = payloadBytesMax - envelopeBytesMax;

/**
 * What events are about, by the type of the resource, and what their data holds: the resource as
 * merchants see it, in wire names. Each room says it of its own events, by declaring its subjects here
 * (declaration merging): none has to know the others, and what no room has declared cannot be drafted.
 */
export interface EventSubjects {}

export type EventSubject = keyof EventSubjects;

declare const isLookedAt: unique symbol;

/** Made by `dataAbout` alone. */
export type EventData<Subject extends EventSubject> = EventSubjects[Subject] & {
  readonly [isLookedAt]: true;
};

/** Of a field more it asks for `never`: the compiler by itself refuses one in a literal only, and not in a spread or a constant. */
export type NothingBeside<Told, Given> = [Exclude<FieldsOf<Given>, keyof Told>] extends [never]
  ? unknown
  : { readonly [Field in Exclude<FieldsOf<Given>, keyof Told>]: never };

/** Of each of several possible ones. */
type FieldsOf<Given> = Given extends unknown ? keyof Given : never;

/** What an event says of its subject: at its first level a field more in the type that it is given does not compile. */
export function dataAbout<Subject extends EventSubject, Given extends EventSubjects[Subject]>(
  _subject: Subject,
  data: Given & NothingBeside<EventSubjects[Subject], Given>,
): EventData<Subject> {
  const looked: EventSubjects[Subject] = data;
  return looked as EventData<Subject>;
}

interface DraftAbout<Subject extends EventSubject> extends Owner {
  readonly type: EventTypeAbout<Subject>;
  /** what it happened to; its events in one environment are numbered from 1 without gaps */
  readonly resource: { readonly type: Subject; readonly id: string };
  readonly data: EventData<Subject>;
  /** of events about an endpoint: only the owner's other endpoints hear of them */
  readonly exceptEndpointId?: string;
}

export type EventDraft = { readonly [Subject in EventSubject]: DraftAbout<Subject> }[EventSubject];

/** The values that `recordingEvent` needs in its statement. */
export function eventValues(ports: StampPorts, draft: EventDraft): EventValues {
  // The text is made once: every delivery of the event has the same bytes.
  const data = JSON.stringify(draft.data);
  const bytes = Buffer.byteLength(data, "utf8");
  assert(bytes <= eventDataBytesMax, `${draft.type} has ${bytes} bytes of data`);
  const { identifiers } = ports;
  return {
    eventId: identifiers.next("evt"),
    eventMerchantId: draft.merchantId,
    eventEnvironment: draft.environment,
    eventType: draft.type,
    eventOccurredAt: ports.clock.now(),
    eventResourceType: draft.resource.type,
    eventResourceId: draft.resource.id,
    eventData: data,
    eventExceptEndpointId: draft.exceptEndpointId ?? null,
    // One for each endpoint an owner may have; those that nobody needs are thrown away.
    eventDeliveryIds: Array.from({ length: endpointsMax }, () => identifiers.next("dlv")),
  };
}
