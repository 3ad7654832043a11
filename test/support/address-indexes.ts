// Indexes of deposit addresses that only the database remembers, for tests of something else.

import { AddressIndexes } from "../../service/addresses/indexes.ts";
import type { Database } from "../../service/ports/database.ts";
import { TestClock } from "./service-parts.ts";

export function unkeptIndexes(database: Database): AddressIndexes {
  const alarm = (): void => undefined;
  return new AddressIndexes({ database, clock: new TestClock(), keeper: undefined, alarm });
}
