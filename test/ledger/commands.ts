// The operator's commands about the ledger, without the rest of the service.

import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import type { AdminAnswer } from "../../adapters/operator/answers.ts";
import type { LedgerOperations } from "../../service/ledger/operations.ts";

/** Only of what stands behind `ledger`. */
export function runLedgerCommand(ledger: LedgerOperations, line: string): Promise<AdminAnswer> {
  // The commands of the ledger touch nothing else.
  return runAdmin({ words: line.split(" ") }, { ledger } as Operator);
}
