// Looks every minute whether the signer is the one that the database belongs to, and its journal as far
// as it was; and where somebody counts, how much of its limits is used. Each process does it for itself:
// each has a connection to a signer, and trusts it or not.

import { SignerJournals } from "../../service/addresses/signer-journals.ts";
import type { SignerJournalAlarm } from "../../service/addresses/signer-journals.ts";
import type { CatalogReader } from "../../service/catalog/catalog.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import type { StoragePorts } from "../../service/ports/recording.ts";
import type { OnLimitUses } from "../metrics/signer-limits.ts";
import type { ConnectedSigner } from "../signer-client/client.ts";
import type { Alarm } from "../system/alarm.ts";

export type WatchedSigner = Pick<
  ConnectedSigner,
  "accounts" | "journalPosition" | "limitUses" | "reconfirm"
>;

export interface SignerJobParts extends StoragePorts {
  readonly alarm: Alarm;
  readonly signer: WatchedSigner | undefined;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  /** where something is signed */
  readonly settlementChains?: readonly { readonly chainId: string }[];
  /** undefined: nobody does, and the signer is not asked */
  readonly onLimitUses?: OnLimitUses | undefined;
}

interface LimitParts extends Pick<SignerJobParts, "catalog" | "settlementChains"> {
  readonly signer: WatchedSigner;
  readonly onLimitUses: OnLimitUses;
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
  const watching = { name: "watch-signer", everyMilliseconds, isForEveryProcess: true, run };
  const { onLimitUses } = parts;
  return onLimitUses === undefined
    ? [watching]
    : [watching, limitsJob({ ...parts, signer, onLimitUses })];
}

/** By itself: a signer that cannot say it is still the right one. */
function limitsJob({ catalog, settlementChains = [], signer, onLimitUses }: LimitParts): Job {
  const run = async () => {
    const deployments = await catalog.allDeployments();
    for (const { chainId } of settlementChains) {
      const here = deployments.filter((one) => one.chainId === chainId);
      const byContract = new Map(
        here.map(({ id, contractAddress }) => [contractAddress?.toLowerCase() ?? null, id]),
      );
      const uses = await signer.limitUses(chainId);
      const named = uses.map((use) => {
        const { limit, contractAddress } = use;
        const deploymentId = limit === "amount" ? byContract.get(contractAddress) : undefined;
        return { ...use, deploymentId: deploymentId ?? null };
      });
      onLimitUses(chainId, named);
    }
    return { done: 0, isMore: false };
  };
  return { name: "read-signer-limits", everyMilliseconds, isForEveryProcess: true, run };
}
