// An event says what happened to a resource. It is recorded in the statement that makes it happen
// (a transactional outbox): never lost after the commit, never there without one.

import assert from "node:assert";
import type { EventType } from "./types.ts";
import type { Owner } from "../owner.ts";
import type { EventValues } from "./events.sql.ts";
import { endpointsMax } from "../database/words.ts";
import type { StampPorts } from "../ports/recording.ts";

/** The payload has at most 20 kB, and `data` is all of it but an envelope of bounded size. */
const payloadBytesMax = 20_480;
const envelopeBytesMax = 1024;
export const eventDataBytesMax = payloadBytesMax - envelopeBytesMax;

export interface EventDraft extends Owner {
  readonly type: EventType;
  /** what it happened to; its events in one environment are numbered from 1 without gaps */
  readonly resource: { readonly type: string; readonly id: string };
  /** the resource as merchants see it, in wire names */
  readonly data: object;
  /** of events about an endpoint: only the owner's other endpoints hear of them */
  readonly exceptEndpointId?: string;
}

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
