// What most rules are handed.

import type { Clock } from "./clock.ts";
import type { Database } from "./database.ts";
import type { Identifiers } from "./identifiers.ts";

/** To read and write. */
export interface StoragePorts {
  readonly database: Database;
  readonly clock: Clock;
}

/** To say when something was made, and to give it an id. */
export interface StampPorts {
  readonly clock: Clock;
  readonly identifiers: Identifiers;
}

/** To write what has an id of its own, such as an event. */
export type RecordingPorts = StoragePorts & StampPorts;
