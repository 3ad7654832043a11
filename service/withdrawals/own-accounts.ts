// Which accounts are ours: a process that knows some says so when it starts, so that all know them
// before anything was ever sent from them (threat 21).

import type { OwnAccountRole } from "../database/words.ts";
import type { StoragePorts } from "../ports/recording.ts";
import { recordOwnAccounts } from "./own-accounts.sql.ts";

export interface OwnAccount {
  readonly account: string;
  readonly role: OwnAccountRole;
}

export async function rememberOwnAccounts(
  { database, clock }: StoragePorts,
  own: readonly OwnAccount[],
): Promise<void> {
  const accounts = own.map(({ account }) => account);
  const roles = own.map(({ role }) => role);
  await database.run(recordOwnAccounts, { accounts, roles, now: clock.now() });
}
