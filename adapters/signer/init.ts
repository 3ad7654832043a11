// An operator's word that this signer is a new one: the only way to a seed in production, since one
// that a start makes by itself in a folder that is empty by mistake has none of the money.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { openSigner } from "./open.ts";
import { readPolicy } from "./policy-file.ts";
import { makeSeed, seedIsLost } from "./seed.ts";
import type { SignerSettings } from "./settings.ts";
import { SignerStartError } from "./start-error.ts";

/** For the terminal. Throws `SignerStartError`. */
export function initSigner(settings: SignerSettings, words: readonly string[]): string {
  const { folder, seedFile } = settings;
  if (words.length > 0) throw new SignerStartError("Write: npm run signer -- init");
  if (seedFile !== undefined) {
    throw new SignerStartError(
      `SIGNER_SEED_FILE names ${seedFile}, and init makes a seed in SIGNER_DIR only: leave it out.`,
    );
  }
  const path = join(folder, "seed");
  if (existsSync(path)) throw new SignerStartError(`There is a seed already: ${path}.`);
  if (existsSync(join(folder, "journal"))) throw seedIsLost(folder);
  readPolicy(settings.policyFile); // a mistake in it is told before there is a seed
  makeSeed(path);
  const opened = openSigner(settings);
  opened.close();
  const { hotAddress, settlementAddress } = opened.keys.accounts;
  return [
    `Seed        ${path}: copy it to a place that is offline`,
    ...(settings.cell === undefined
      ? []
      : [`Cell        ${settings.cell}: its keys come from both`]),
    `Hot         ${hotAddress}`,
    `Settlement  ${settlementAddress}`,
  ].join("\n");
}
