// Everything the signer has on its disk, taken for this process alone: two with one seed would each
// grant the whole of every limit.

import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  DataDirectoryClosed,
  DataDirectoryInUse,
  takeDataDirectory,
} from "../configuration/data-directory.ts";
import { checkJournal, seedOf } from "./cell.ts";
import { Journal } from "./journal.ts";
import { openKeys } from "./keys.ts";
import type { Keys } from "./keys.ts";
import { isForTests, readPolicy } from "./policy-file.ts";
import type { Policy } from "./policy.ts";
import { makeSeed, readSeed, seedIsLost } from "./seed.ts";
import type { SignerSettings } from "./settings.ts";
import { SignerStartError } from "./start-error.ts";
import { JournaledUsage } from "./usage.ts";

export interface OpenedSigner {
  readonly keys: Keys;
  readonly policy: Policy;
  readonly usage: JournaledUsage;
  readonly close: () => void;
}

/** `isJournalTaken`: as it is, because an operator says so. */
export function openSigner(
  settings: SignerSettings,
  { isJournalTaken = false } = {},
): OpenedSigner {
  const { folder, cell, seedFile, policyFile } = settings;
  const policy = readPolicy(policyFile);
  const directory = takeFolder(folder);
  try {
    const journal = join(folder, "journal");
    const seed = seedFile === undefined ? ownSeed(settings, policy) : readSeed(seedFile);
    const keys = openKeys(seedOf(seed, cell));
    checkJournal(folder, cell);
    const opened = Journal.open(journal, { isTaken: isJournalTaken });
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

/** Made where nobody can have lost one. */
function ownSeed({ folder, isProduction }: SignerSettings, policy: Policy): Uint8Array {
  const path = join(folder, "seed");
  if (existsSync(path)) return readSeed(path);
  if (existsSync(join(folder, "journal"))) throw seedIsLost(folder);
  if (!isProduction && isForTests(policy)) return makeSeed(path);
  throw new SignerStartError(
    `There is no seed in ${folder}. If there was one, restore it, or name the right folder in ` +
      "SIGNER_DIR: another one would have none of the money. If this signer is new: " +
      "npm run signer -- init",
  );
}

function takeFolder(folder: string) {
  try {
    return takeDataDirectory(folder);
  } catch (error) {
    if (error instanceof DataDirectoryClosed) {
      throw new SignerStartError(
        `The folder ${folder} cannot be used by this user: ${error.reason}. Call it as the user that the folder ` +
          "belongs to, or name another SIGNER_DIR.",
      );
    }
    if (!(error instanceof DataDirectoryInUse)) throw error;
    throw new SignerStartError(
      `The folder ${folder} is used by another signer: stop that one, or name another SIGNER_DIR.`,
    );
  }
}
