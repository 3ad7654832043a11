// Everything the signer has on its disk, taken for this process alone: two with one seed would each
// grant the whole of every limit.

import { join } from "node:path";
import { DataDirectoryInUse, takeDataDirectory } from "../configuration/data-directory.ts";
import { Journal } from "./journal.ts";
import { openKeys } from "./keys.ts";
import type { Keys } from "./keys.ts";
import { readPolicy } from "./policy-file.ts";
import type { Policy } from "./policy.ts";
import { readSeed } from "./seed.ts";
import type { SignerSettings } from "./settings.ts";
import { SignerStartError } from "./start-error.ts";
import { JournaledUsage } from "./usage.ts";

export interface OpenedSigner {
  readonly keys: Keys;
  readonly policy: Policy;
  readonly usage: JournaledUsage;
  readonly close: () => void;
}

export function openSigner(settings: SignerSettings): OpenedSigner {
  const { folder, seedFile, policyFile } = settings;
  const policy = readPolicy(policyFile);
  const directory = takeFolder(folder);
  try {
    const keys = openKeys(readSeed(seedFile ?? join(folder, "seed"), seedFile === undefined));
    const opened = Journal.open(join(folder, "journal"));
    const usage = new JournaledUsage(opened, keys.accounts.hotAddress);
    const close = (): void => {
      opened.journal.close();
      directory.release();
    };
    return { keys, policy, usage, close };
  } catch (error) {
    directory.release();
    throw error;
  }
}

function takeFolder(folder: string) {
  try {
    return takeDataDirectory(folder);
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error;
    throw new SignerStartError(
      `The folder ${folder} is used by another signer: stop that one, or name another SIGNER_DIR.`,
    );
  }
}
