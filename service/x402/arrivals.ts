// What the watcher has seen at a settlement account and nobody has handed in: it belongs to the payment
// that it was signed for. The nonce says which one, where it is the one that we asked for, or where
// somebody has handed it in before. What nothing says anything of stays nobody's, and is booked as that.

import { doPage } from "../jobs/batch.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { perChain } from "../jobs/per-chain.ts";
import type { CatalogReader } from "../catalog/catalog.ts";
import type { CatalogDeployment } from "../catalog/model.ts";
import { statedX402MeansOf } from "../catalog/x402-capabilities.ts";
import type { PaymentProgress } from "../payments/progress.ts";
import { openSecondsMax } from "../payments/rules.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { SettlementChain, X402Proxy } from "../ports/settlement-chain.ts";
import { takeUnmatched } from "../chains/unmatched.ts";
import {
  claimUnmatched,
  countUnlookedArrivals,
  markUnmatchedLooked,
  takeUnlookedArrivals,
} from "../chains/unmatched.sql.ts";
import { findMovedArrival, findUnderWay, readPaymentEnvironment } from "./arrivals.sql.ts";
import type { X402Chain } from "./chain-view.ts";
import { findNonces, listCandidateNonces } from "./nonces.sql.ts";

const lookedMax = 50;
const everyMilliseconds = 2_000;
/** Before the chain is asked about the same one again. */
const againMilliseconds = 10_000;
/** After that people are told of what nobody could say anything of. */
const lateMilliseconds = 3_600_000;
/**
 * The chain is asked about each of them, in one turn about so many: whatever comes for next to nothing
 * costs no more questions than that, and keeps nothing waiting that needs none.
 */
const candidatesMax = 100;

export type ArrivalAlarm = "arrivals_unlooked";

export interface ArrivalPorts extends RecordingPorts {
  readonly alarm: (what: ArrivalAlarm, facts: Readonly<Record<string, unknown>>) => void;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly progress: Pick<PaymentProgress, "refresh">;
  readonly chains: readonly X402Chain[];
}

type Row = NonNullable<(typeof takeUnlookedArrivals)["row"]>;

/** What was asked in it for Permit2. */
interface Turn {
  questions: number;
  isUsedUp: boolean;
}

/** A transfer that nobody has claimed, and what it moved. */
interface Arrival {
  readonly chain: SettlementChain;
  readonly row: Row;
  readonly deployment: CatalogDeployment;
  readonly turn: Turn;
}

/** `paymentId` undefined: nobody's. */
interface Found {
  readonly paymentId: string | undefined;
}

const nobody: Found = { paymentId: undefined };

export function arrivalJobs(ports: ArrivalPorts): readonly Job[] {
  const job = { name: "match-arrivals", everyMilliseconds };
  return perChain(job, ports.chains, ({ chain }) => matchArrivals(ports, chain));
}

async function matchArrivals(ports: ArrivalPorts, chain: SettlementChain): Promise<JobRun> {
  const { database, clock, catalog } = ports;
  const { chainId } = chain;
  const now = clock.now();
  const triedBefore = new Date(now.getTime() - againMilliseconds);
  const due = { chainId, triedBefore, now, rowsMax: lookedMax };
  const rows = await database.run(takeUnlookedArrivals, due);
  if (rows.length === 0) return { done: 0, isMore: false };
  await tellOfLate(ports, chainId, rows);
  const turn: Turn = { questions: 0, isUsedUp: false };
  const known = new Map((await catalog.allDeployments()).map((one) => [one.id, one]));
  const page = { rows, rowsMax: lookedMax, now };
  const run = await doPage({ ...page, since: (row) => row.block_time }, async (row) => {
    const deployment = known.get(row.deployment_id);
    return deployment !== undefined && match(ports, { chain, row, deployment, turn });
  });
  // Whoever has used up this turn's questions waits for the next one.
  return turn.isUsedUp ? { ...run, isMore: false } : run;
}

async function tellOfLate(
  { database, clock, alarm }: ArrivalPorts,
  chainId: string,
  rows: readonly Row[],
): Promise<void> {
  const before = new Date(clock.nowMilliseconds() - lateMilliseconds);
  if (rows.every(({ block_time: time }) => time >= before)) return;
  const [late] = await database.run(countUnlookedArrivals, { chainId, before });
  if (late === undefined || late.count === 0) return;
  alarm("arrivals_unlooked", { chain_id: chainId, count: late.count, tx_hash: late.tx_hash });
}

/**
 * False: the chain has another branch by now, and the watcher will see that; or enough was asked in this
 * turn.
 */
async function match(ports: ArrivalPorts, arrival: Arrival): Promise<boolean> {
  const { chain, row } = arrival;
  const uses = await chain.usesIn(row.tx_hash, proxiesOf(arrival.deployment));
  if (uses === undefined) return false;
  const nonces = uses
    .filter(({ from, contractAddress, transferLog }) => {
      const isOwn = transferLog === null || transferLog === row.log_index;
      return from === row.sender && contractAddress === arrival.deployment.contractAddress && isOwn;
    })
    .map(({ nonce }) => nonce);
  const found = await ownerOf(ports, arrival, nonces);
  if (found === undefined) return false;
  const { paymentId } = found;
  const { chainId } = chain;
  const place = { chainId, txHash: row.tx_hash, logIndex: row.log_index };
  return ports.database.transaction(async (inside) => {
    if (paymentId !== undefined) {
      await takeUnmatched(ports, inside, place);
      const given = await inside.run(claimUnmatched, { ...place, paymentId });
      if (given.length > 0) await ports.progress.refresh(inside, [paymentId]);
    }
    await inside.run(markUnmatchedLooked, { ...place, now: ports.clock.now() });
    return true;
  });
}

async function ownerOf(
  { database }: ArrivalPorts,
  arrival: Arrival,
  nonces: readonly string[],
): Promise<Found | undefined> {
  const { chain, row, deployment } = arrival;
  const { chainId } = chain;
  const of = { chainId, deploymentId: deployment.id, payer: row.sender };
  if (nonces.length > 0) {
    // It has the first word: an upto authorization pays in its own way.
    if ((await database.run(findUnderWay, { ...of, nonces })).length > 0) return nobody;
    const { payer, deploymentId } = of;
    const [found] = await database.run(findNonces, { nonces, payer, deploymentId });
    // Its settlement takes it, also where that has failed before: it is no deposit that pays in full.
    if (found?.is_upto === true) return nobody;
    if (found !== undefined) return payable(database, deployment, found.payment_id);
  }
  const place = { chainId, txHash: row.tx_hash, logIndex: row.log_index };
  const [moved] = await database.run(findMovedArrival, place);
  if (moved !== undefined) return { paymentId: moved.payment_id };
  if (nonces.length > 0) return nobody;
  return permitOwner(database, arrival);
}

/**
 * Permit2 has no log: what a contract of somebody handed in is known by the nonce that is used.
 * Undefined: too much was asked in this turn already.
 */
async function permitOwner(
  database: Database,
  { chain, row, deployment, turn }: Arrival,
): Promise<Found | undefined> {
  const [proxy] = proxiesOf(deployment);
  const { contractAddress } = deployment;
  if (proxy === undefined || contractAddress === null) return nobody;
  const amountRaw = BigInt(row.amount_raw);
  const candidates = await database.run(listCandidateNonces, {
    deploymentId: deployment.id,
    payer: row.sender,
    amountRaw,
    minedAt: row.block_time,
    openSecondsMax,
    rowsMax: candidatesMax,
  });
  if (turn.questions + candidates.length > candidatesMax) {
    turn.isUsedUp = true;
    return undefined;
  }
  turn.questions += candidates.length;
  for (const { nonce, payment_id: paymentId, is_upto: isUpto } of candidates) {
    const { isUsed } = await chain.authorizationState({
      method: "permit2",
      contractAddress,
      from: row.sender,
      to: row.sender,
      spender: proxy.address,
      scheme: "exact",
      amountRaw,
      nonce,
      deadline: 0n,
      validAfter: 0n,
      facilitator: null,
    });
    if (!isUsed) continue;
    const of = { chainId: chain.chainId, deploymentId: deployment.id, payer: row.sender };
    const underWay = await database.run(findUnderWay, { ...of, nonces: [nonce] });
    if (underWay.length > 0) return nobody;
    // Failed: its settlement takes what was moved for it. Its payer may have taken the nonce back, and sent this for
    // another payment.
    if (isUpto) continue;
    return payable(database, deployment, paymentId);
  }
  return nobody;
}

/** Our choice, as with deposits: a live payment does not even hear of coins of a test network. */
async function payable(
  database: Database,
  { isTestNetwork }: CatalogDeployment,
  paymentId: string,
): Promise<Found> {
  if (!isTestNetwork) return { paymentId };
  const [row] = await database.run(readPaymentEnvironment, { paymentId });
  return row?.environment === "live" ? nobody : { paymentId };
}

function proxiesOf(deployment: CatalogDeployment): readonly X402Proxy[] {
  const { permit2 } = statedX402MeansOf(deployment);
  return (["exact", "upto"] as const).flatMap((scheme) => {
    const proxy = permit2[scheme];
    return proxy === undefined ? [] : { scheme, address: proxy.address };
  });
}
