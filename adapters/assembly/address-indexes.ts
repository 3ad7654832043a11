// The indexes of deposit addresses, with the signer as the one who remembers how many were given.

import { AddressIndexes } from "../../service/addresses/indexes.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import type { IndexKeeper } from "../../service/ports/signer.ts";
import { signerJobs } from "./signer-jobs.ts";
import type { SignerJobParts, WatchedSigner } from "./signer-jobs.ts";

interface AddressIndexParts extends Omit<SignerJobParts, "signer"> {
  readonly indexKeeper?: IndexKeeper;
  readonly signer?: WatchedSigner;
}

export function buildAddressIndexes(parts: AddressIndexParts): {
  readonly indexes: AddressIndexes;
  readonly jobs: readonly Job[];
} {
  const { database, clock, alarm, indexKeeper: keeper } = parts;
  const indexes = new AddressIndexes({ database, clock, keeper, alarm });
  const jobs = keeper === undefined ? [] : [indexes.job()];
  return { indexes, jobs: [...jobs, ...signerJobs({ ...parts, signer: parts.signer })] };
}
