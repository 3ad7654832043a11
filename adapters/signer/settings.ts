// The environment of the signer. It has few variables, and none of them holds a secret.

import { join } from "node:path";
import { cellForm, cellFormInWords } from "../../service/cell.ts";
import type { Cell } from "../../service/cell.ts";
import { logLevels } from "../system/logging.ts";
import type { LogLevel } from "../system/logging.ts";
import { SignerStartError } from "./start-error.ts";

export interface SignerSettings {
  /** for the seed, the journal and the lock */
  readonly folder: string;
  readonly socketPath: string;
  readonly socketAccess: "owner" | "group";
  /** whose money it has; undefined: there is one only */
  readonly cell: Cell;
  /** undefined: in the folder, made at the first start */
  readonly seedFile: string | undefined;
  /** undefined: test networks only */
  readonly policyFile: string | undefined;
  readonly logLevel: LogLevel;
  /** nobody makes a seed by starting it there */
  readonly isProduction: boolean;
}

export function parseSettings(
  environment: Readonly<Record<string, string | undefined>>,
): SignerSettings {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const folder = read("SIGNER_DIR") ?? join(read("DATA_DIR") ?? "./data", "signer");
  const levelText = read("LOG_LEVEL") ?? "info";
  const logLevel = logLevels.find((level) => level === levelText);
  if (logLevel === undefined) {
    throw new SignerStartError(`LOG_LEVEL is none of ${logLevels.join(", ")}.`);
  }
  const access = read("SIGNER_SOCKET_ACCESS") ?? "owner";
  if (access !== "owner" && access !== "group") {
    throw new SignerStartError("SIGNER_SOCKET_ACCESS is neither owner nor group.");
  }
  const cell = read("CELL");
  if (cell !== undefined && !cellForm.test(cell)) {
    throw new SignerStartError(`CELL is not ${cellFormInWords}.`);
  }
  if (read("SIGNER_SEED") !== undefined) {
    throw new SignerStartError(
      "SIGNER_SEED is not read: other programs may see the environment. Name a file in SIGNER_SEED_FILE.",
    );
  }
  return {
    folder,
    socketPath: read("SIGNER_SOCKET") ?? join(folder, "signer.sock"),
    socketAccess: access,
    cell,
    seedFile: read("SIGNER_SEED_FILE"),
    policyFile: read("SIGNER_POLICY"),
    logLevel,
    isProduction: read("NODE_ENV") === "production",
  };
}
