// Says which account of ours holds more or less than the books say. It freezes nothing: what is owed may
// be there all the same, and that is the business of the reserve.
//
// What an operator books a little later than it happens differs for a while. So people are told of what
// a later comparison finds again, and once for each amount.

import type { Job, JobRun } from "../jobs/jobs.ts";
import type { StoragePorts } from "../ports/recording.ts";
import { AccountComparison } from "./account-comparison.ts";
import type {
  Checked,
  CheckedChain,
  ComparedAccount,
  Comparison,
  NamedAccount,
} from "./account-comparison.ts";
import { addressLimits, recordAddresses, unlessAway } from "./address-rounds.ts";
import type { AddressLimits } from "./address-rounds.ts";
import {
  listDeploymentsToCheck,
  readAccountDifference,
  recordAccountDifference,
  removeAccountDifferences,
} from "./account-check.sql.ts";

const hourMilliseconds = 3_600_000;
/** In one batch: each asks a chain. */
const deploymentsMax = 5;
/** So much later it has to be found again. */
const againMilliseconds = 300_000;

export interface AccountDifference extends ComparedAccount {
  readonly deploymentId: string;
  /** after which both were so */
  readonly blockNumber: bigint;
  readonly since: Date;
}

export interface AccountCheckPorts extends StoragePorts {
  /** by CAIP-2; none: not connected */
  readonly chainOf: (chainId: string) => CheckedChain | undefined;
  readonly own: readonly NamedAccount[];
  readonly limits?: AddressLimits;
  /** people are not told of what is less: strangers can send that for nothing */
  readonly toldFromRaw: (deploymentId: string) => Promise<bigint>;
  readonly onDifference: (difference: AccountDifference) => void;
  /** the chain is connected, and still nothing could be compared */
  readonly onUncompared: (checked: Checked) => void;
  /** so many addresses of payments got no answer: the next run asks about them again */
  readonly onUnanswered: (checked: Checked, addresses: number) => void;
}

/**
 * Which deployment is next lives in memory: a restart begins with the first. Which of its addresses are
 * next is stored.
 */
export function accountCheckJob(ports: AccountCheckPorts): Job {
  const comparison = new AccountComparison({ limits: addressLimits, ...ports });
  let after = "";
  const run = async (): Promise<JobRun> => {
    const values = { after, rowsMax: deploymentsMax };
    const rows = await ports.database.run(listDeploymentsToCheck, values);
    let done = 0;
    let isHindered = false;
    for (const { id: deploymentId, chain_id: chainId, ...row } of rows) {
      after = deploymentId;
      const { contract_address: contractAddress, is_measured: isMeasured } = row;
      const chain = ports.chainOf(chainId);
      if (chain === undefined) continue;
      const checked = { deploymentId, chainId, contractAddress, isMeasured };
      const found = await unlessAway(comparison.compare(checked, chain));
      isHindered ||= found === undefined;
      if (found === undefined) ports.onUncompared(checked);
      else await store(ports, checked, found);
      if (found !== undefined) done += 1;
      const unanswered = found?.addresses.unanswered ?? 0;
      if (unanswered > 0) ports.onUnanswered(checked, unanswered);
    }
    const isMore = rows.length === deploymentsMax;
    if (!isMore) after = "";
    return { done, isMore, ...(isHindered && { isHindered }) };
  };
  return { name: "compare-accounts", everyMilliseconds: hourMilliseconds, run };
}

async function store(
  ports: AccountCheckPorts,
  { deploymentId }: Checked,
  { accounts: own, addresses, blockNumber }: Comparison,
): Promise<void> {
  const accounts = [...own, ...(await recordAddresses(ports, addresses))];
  const differing = accounts.filter(({ heldRaw, bookedRaw }) => heldRaw !== bookedRaw);
  const exceptAccounts = differing.map(({ account }) => account);
  await ports.database.run(removeAccountDifferences, { deploymentId, exceptAccounts, blockNumber });
  const now = ports.clock.now();
  for (const one of differing) {
    const [before] = await ports.database.run(readAccountDifference, { deploymentId, ...one });
    const { since, toldRaw, isTold } = await judge(ports, { before, one, now, deploymentId });
    const difference = { deploymentId, ...one, blockNumber, since };
    const values = { ...difference, now, toldRaw };
    const stored = await ports.database.run(recordAccountDifference, values);
    if (isTold && stored.length > 0) ports.onDifference(difference);
  }
}

/** Found again, and not only by another process at the same time. */
export function isLasting(since: Date, last: Date): boolean {
  return last.getTime() - since.getTime() >= againMilliseconds;
}

interface Judged {
  readonly before: (typeof readAccountDifference)["row"];
  readonly one: ComparedAccount;
  readonly now: Date;
  readonly deploymentId: string;
}

async function judge(ports: AccountCheckPorts, { before, one, now, deploymentId }: Judged) {
  const aboveRaw = one.heldRaw - one.bookedRaw;
  const isAgain =
    before !== undefined && BigInt(before.held_raw) > BigInt(before.booked_raw) === aboveRaw > 0n;
  if (!isAgain) return { since: now, toldRaw: null, isTold: false };
  const { since } = before;
  const toldRaw = before.told_raw === null ? null : BigInt(before.told_raw);
  if (!isLasting(since, now) || toldRaw === aboveRaw) return { since, toldRaw, isTold: false };
  const toldFromRaw = await ports.toldFromRaw(deploymentId);
  const isLarge = (aboveRaw < 0n ? -aboveRaw : aboveRaw) >= toldFromRaw;
  return { since, toldRaw: isLarge ? aboveRaw : toldRaw, isTold: isLarge };
}
