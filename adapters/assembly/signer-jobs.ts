// Looks every minute whether the signer is the one that the database belongs to, and its journal as far
// as it was. Each process does it for itself: each has a connection to a signer, and trusts it or not.

import { SignerJournals } from "../../service/addresses/signer-journals.ts";
import type { SignerJournalAlarm } from "../../service/addresses/signer-journals.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import type { StoragePorts } from "../../service/ports/recording.ts";
import type { ConnectedSigner } from "../signer-client/client.ts";
import type { Alarm } from "../system/alarm.ts";

export type WatchedSigner = Pick<ConnectedSigner, "accounts" | "journalPosition" | "reconfirm">;

interface SignerJobParts extends StoragePorts {
  readonly alarm: Alarm;
  readonly signer: WatchedSigner | undefined;
}

const everyMilliseconds = 60_000;

export function signerJobs(parts: SignerJobParts): readonly Job[] {
  const { signer, alarm } = parts;
  if (signer === undefined) return [];
  const journals = new SignerJournals(parts);
  const { depositPublicKey, hotAddress } = signer.accounts;
  const went: SignerJournalAlarm = "signer_journal_went_back";
  const run = async () => {
    await signer.reconfirm();
    const found = await journals.look(signer, depositPublicKey);
    if (found !== undefined) alarm(went, { ...found, account: hotAddress });
    return { done: 0, isMore: false };
  };
  return [{ name: "watch-signer", everyMilliseconds, isForEveryProcess: true, run }];
}
