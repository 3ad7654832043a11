// Who hears what a run has to tell.

import { DocumentError } from "../problems.ts";
import { LockError } from "../write/lock.ts";
import type { Format } from "./formats.ts";
import type { News, Teller } from "./news.ts";
import { githubTeller } from "./tell-github.ts";
import { jsonTeller } from "./tell-json.ts";
import { textTeller } from "./tell-text.ts";
import type { Terminal } from "./terminal.ts";

export function tellerOf(format: Format, terminal: Terminal): Teller {
  if (format === "json") return jsonTeller(terminal);
  if (format === "github") return githubTeller(terminal, process.env["GITHUB_WORKSPACE"]);
  return textTeller(terminal);
}

/**
 * Problems of the document are the user's to read; anything else is a defect of ours, and thrown again.
 * @param contract its name, where there are others
 */
export function newsOf(error: unknown, contract?: string): News {
  if (error instanceof LockError) return { kind: "failed", message: error.message };
  if (!(error instanceof DocumentError)) throw error;
  return { kind: "refused", problems: error.problems, contract, isStrict: false };
}
