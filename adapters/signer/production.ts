// What the signer refuses in production: a user, a folder or a policy that others have, too.

import { folderMistake, rootMistake, writableMistake } from "../configuration/machine.ts";
import type { Machine } from "../configuration/machine.ts";
import type { SignerSettings } from "./settings.ts";
import { SignerStartError } from "./start-error.ts";

/** Throws `SignerStartError` with all of them. */
export function checkProduction(settings: SignerSettings, machine: Machine): void {
  const { isProduction, folder, policyFile } = settings;
  if (!isProduction) return;
  const mistakes = [
    rootMistake(machine),
    folderMistake(machine, "SIGNER_DIR", folder),
    policyFile === undefined ? undefined : writableMistake(machine, "SIGNER_POLICY", policyFile),
  ].filter((one) => one !== undefined);
  if (mistakes.length > 0) throw new SignerStartError(mistakes.join("\n"));
}
