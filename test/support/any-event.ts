// For tests of what becomes of an event whatever it says: how it is numbered, kept and delivered.

import type { EventDraft } from "../../service/events/events.ts";
import type { EventType } from "../../service/events/types.ts";
import type { Owner } from "../../service/owner.ts";

export interface AnyDraft extends Owner {
  readonly type: EventType;
  readonly resource: { readonly type: string; readonly id: string };
  readonly data: object;
  readonly exceptEndpointId?: string;
}

/** The draft, taken for one whose data is as described. */
export function anyEvent(draft: AnyDraft): EventDraft {
  return draft as EventDraft;
}
