// Compares what the chains hold with what we owe, for each deployment. Where the chains hold less,
// withdrawals of the deployment wait until an operator has looked.
//
// The rule: held + in flight >= owed.
// - Owed: available, withdrawing, x402_hold, unmatched and refund_due of everybody.
// - In flight: what signed withdrawals send that are not final yet. A mined one has left the wallet
//   while the ledger still owes it as withdrawing, until it is final. Counting all signed ones may
//   hide a gap that is smaller than what is on its way, until that has arrived; the other way round
//   every withdrawal would be an alarm.
// - They are read in this order: held, in flight, owed. What left before the first was signed before
//   the second, and is in it, or was settled, and is not in the third. Only what arrives, or is swept from
//   an address that was not asked, and is booked between the first and the third looks like a gap; so a
//   gap has to show several times.
// - Where there are too many addresses to ask about, those are asked that something is on its way from. What lies
//   at the others is read with what is owed: by the books, less what the rounds over all addresses have found
//   missing twice. Gas that was paid from a deposit of the chain's own coin counts there until that is swept.

import { auditValues } from "../audit/audit.ts";
import { ServiceError } from "../errors.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import {
  freezeDeployment,
  listFreezes,
  listOwingDeployments,
  readOwedAndBooked,
  sumOwed,
} from "./reserve.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

const hourMilliseconds = 3_600_000;
/** In one batch: each asks a chain. */
const deploymentsMax = 5;
const measurementsMax = 3;
/** Between two comparisons of an address. */
const lastingSeconds = 300;

export interface HeldDeployment {
  readonly id: string;
  /** CAIP-2 */
  readonly chainId: string;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
}

/** All in the smallest units of the deployment. */
export interface Reserve {
  readonly deploymentId: string;
  readonly heldRaw: bigint;
  readonly inFlightRaw: bigint;
  readonly owedRaw: bigint;
}

export interface Holdings {
  readonly raw: bigint;
  /** Only what is at these is in it, since there are too many addresses of payments; left out: all of it. */
  readonly asked?: readonly string[];
}

export interface ReservePorts extends StoragePorts {
  /** Undefined: nobody can say now. It may as well throw `chain_unavailable`. */
  readonly holdings: (deployment: HeldDeployment) => Promise<Holdings | undefined>;
  /** what signed withdrawals that are not final yet take out of the wallet */
  readonly inFlightRaw: (deploymentId: string) => Promise<bigint>;
  /** each time; `isNew`: withdrawals were stopped by this */
  readonly onGap: (reserve: Reserve, isNew: boolean) => void;
  readonly onUnknown: (deployment: HeldDeployment) => void;
  /** hears of what was found each time, be it enough or not */
  readonly onMeasured?: ((reserve: Reserve) => void) | undefined;
}

/** Where it has got to lives in memory: a restart begins again. */
export function reserveCheckJob(ports: ReservePorts): Job {
  let after = "";
  const run = async (): Promise<JobRun> => {
    const rows = await ports.database.run(listOwingDeployments, { after, rowsMax: deploymentsMax });
    let done = 0;
    let isHindered = false;
    for (const row of rows) {
      // First of all, so that one that fails does not keep the others from their turn for ever.
      after = row.id;
      const { id, chain_id: chainId, contract_address: contractAddress } = row;
      if (await check(ports, { id, chainId, contractAddress })) done += 1;
      else isHindered = true;
    }
    const isMore = rows.length === deploymentsMax;
    if (!isMore) after = "";
    return { done, isMore, ...(isHindered && { isHindered }) };
  };
  return { name: "check-reserve", everyMilliseconds: hourMilliseconds, run };
}

/** False: nothing is known, and nothing was decided. */
async function check(ports: ReservePorts, deployment: HeldDeployment): Promise<boolean> {
  for (let measurements = 1; ; measurements++) {
    const reserve = await measure(ports, deployment);
    if (reserve === undefined) {
      ports.onUnknown(deployment);
      return false;
    }
    const isEnough = reserve.heldRaw + reserve.inFlightRaw >= reserve.owedRaw;
    if (!isEnough && measurements < measurementsMax) continue;
    ports.onMeasured?.(reserve);
    if (isEnough) return true;
    ports.onGap(reserve, await freeze(ports, reserve));
    return true;
  }
}

async function measure(
  ports: ReservePorts,
  deployment: HeldDeployment,
): Promise<Reserve | undefined> {
  const { id: deploymentId } = deployment;
  const held = await knownHoldings(ports, deployment);
  if (held === undefined) return undefined;
  const inFlightRaw = await ports.inFlightRaw(deploymentId);
  const { raw, asked } = held;
  if (asked === undefined) {
    const [row] = await ports.database.run(sumOwed, { deploymentId });
    return { deploymentId, heldRaw: raw, inFlightRaw, owedRaw: BigInt(row?.owed ?? 0) };
  }
  const now = ports.clock.now();
  const values = { deploymentId, asked, now, lastingSeconds };
  const [books] = await ports.database.run(readOwedAndBooked, values);
  // What nobody has compared is no evidence.
  if (books?.is_compared !== true) return undefined;
  const heldRaw = raw + BigInt(books.booked_raw) - BigInt(books.missing_raw);
  return { deploymentId, heldRaw, inFlightRaw, owedRaw: BigInt(books.owed_raw) };
}

async function knownHoldings(
  { holdings }: ReservePorts,
  deployment: HeldDeployment,
): Promise<Holdings | undefined> {
  try {
    return await holdings(deployment);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "chain_unavailable") return undefined;
    throw error;
  }
}

/**
 * True: it was not frozen before. A freeze that stands says the greatest gap that was found, so that whoever looks at it
 * knows how much is missing.
 */
async function freeze(ports: ReservePorts, reserve: Reserve): Promise<boolean> {
  const { deploymentId, heldRaw, inFlightRaw, owedRaw } = reserve;
  const freezes = await ports.database.run(listFreezes, {});
  const before = freezes.find((one) => one.deployment_id === deploymentId);
  const gapBefore = before === undefined ? undefined : gapOf(before.reason);
  if (gapBefore !== undefined && owedRaw - inFlightRaw - heldRaw <= gapBefore) return false;
  const now = ports.clock.now();
  const [row] = await ports.database.run(freezeDeployment, {
    deploymentId,
    reason: reasonOf(reserve),
    reasonBefore: before?.reason ?? null,
    now,
    ...auditValues({
      occurredAt: now,
      actor: "system",
      action: "deployment.frozen",
      subject: { type: "deployment", id: deploymentId },
      details: {
        held_raw: heldRaw.toString(),
        in_flight_raw: inFlightRaw.toString(),
        owed_raw: owedRaw.toString(),
        ...(before === undefined ? {} : { was_frozen: true }),
      },
    }),
  });
  // One that was there keeps its time; one that was lifted since the look is made anew.
  return row?.since.getTime() === now.getTime();
}

function reasonOf({ heldRaw, inFlightRaw, owedRaw }: Reserve): string {
  return (
    `The chain holds ${heldRaw} and ${inFlightRaw} are on their way out, ` +
    `but ${owedRaw} are owed, in smallest units.`
  );
}

/** As `reasonOf` has said it; undefined: somebody else has. */
function gapOf(reason: string): bigint | undefined {
  const numbers =
    /^The chain holds (-?\d+) and (\d+) are on their way out, but (-?\d+) are owed,/.exec(reason);
  if (numbers === null) return undefined;
  const [, held = "", inFlight = "", owed = ""] = numbers;
  return BigInt(owed) - BigInt(inFlight) - BigInt(held);
}
