// The operator's commands about the ledger, without the rest of the service.

import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import type { AdminAnswer } from "../../adapters/operator/answers.ts";
import { rehearsing } from "../../adapters/operator/rehearsal.ts";
import { LedgerOperations } from "../../service/ledger/operations.ts";
import type { Database } from "../../service/ports/database.ts";
import type { RecordingPorts } from "../../service/ports/recording.ts";

/** Only those about the ledger. */
export function runLedgerCommand(ports: RecordingPorts, line: string): Promise<AdminAnswer> {
  // The commands of the ledger touch nothing else.
  const build = (database: Database): Operator =>
    ({
      ledger: new LedgerOperations({ ...ports, database }),
      rehearse: rehearsing(database, build),
    }) as Operator;
  return runAdmin({ words: line.split(" ") }, build(ports.database));
}
