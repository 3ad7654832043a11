// What happened to the resources of merchants, numbered.

import type { Environment } from "../../owner.ts";

export interface EventSequencesTable {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly last: bigint;
}

export interface EventsTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly type: string;
  readonly occurred_at: Date;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly sequence: bigint;
  readonly data: string;
}

export interface EventTables {
  readonly event_sequences: EventSequencesTable;
  readonly events: EventsTable;
}
