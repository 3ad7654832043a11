// What the watcher has seen at a settlement account and nobody has handed in: it belongs to the payment
// that it was signed for. The nonce says which one, where it is the one that we asked for, or where
// somebody has handed it in before. What nothing says anything of stays nobody's, and is booked as that.

import { doPage } from "../jobs/batch.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { perChain } from "../jobs/per-chain.ts";
import type { CatalogReader } from "../catalog/catalog.ts";
import type { CatalogDeployment } from "../catalog/model.ts";
import { x402MeansOf } from "../catalog/x402-capabilities.ts";
import type { PaymentProgress } from "../payments/progress.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { SettlementChain, X402Proxy } from "../ports/settlement-chain.ts";
import { takeUnmatched } from "../chains/unmatched.ts";
import { claimUnmatched, markUnmatchedLooked } from "../chains/unmatched.sql.ts";
import {
  findMovedArrival,
  findUnderWay,
  listUnlookedArrivals,
  readPaymentEnvironment,
} from "./arrivals.sql.ts";
import type { X402Chain } from "./chain-view.ts";
import { findNonces, listCandidateNonces } from "./nonces.sql.ts";

const lookedMax = 50;
const everyMilliseconds = 2_000;
/** The chain is asked about each of them; who makes it so many has paid the price as often. */
const candidatesMax = 100;

export interface ArrivalPorts extends RecordingPorts {
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly progress: Pick<PaymentProgress, "refresh">;
  readonly chains: readonly X402Chain[];
}

type Row = NonNullable<(typeof listUnlookedArrivals)["row"]>;

/** A transfer that nobody has claimed, and what it moved. */
interface Arrival {
  readonly chain: SettlementChain;
  readonly row: Row;
  readonly deployment: CatalogDeployment;
}

export function arrivalJobs(ports: ArrivalPorts): readonly Job[] {
  const job = { name: "match-arrivals", everyMilliseconds };
  return perChain(job, ports.chains, ({ chain }) => matchArrivals(ports, chain));
}

async function matchArrivals(ports: ArrivalPorts, chain: SettlementChain): Promise<JobRun> {
  const { database, clock, catalog } = ports;
  const rows = await database.run(listUnlookedArrivals, {
    chainId: chain.chainId,
    rowsMax: lookedMax,
  });
  if (rows.length === 0) return { done: 0, isMore: false };
  const known = new Map((await catalog.allDeployments()).map((one) => [one.id, one]));
  const page = { rows, rowsMax: lookedMax, now: clock.now() };
  return doPage({ ...page, since: (row) => row.block_time }, async (row) => {
    const deployment = known.get(row.deployment_id);
    return deployment !== undefined && match(ports, { chain, row, deployment });
  });
}

/** False: the chain has another branch by now, and the watcher will see that. */
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
  const paymentId = await ownerOf(ports, arrival, nonces);
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
): Promise<string | undefined> {
  const { chain, row, deployment } = arrival;
  const { chainId } = chain;
  const of = { chainId, deploymentId: deployment.id, payer: row.sender };
  if (nonces.length > 0) {
    // It has the first word: an upto authorization pays in its own way.
    if ((await database.run(findUnderWay, { ...of, nonces })).length > 0) return undefined;
    const named = await database.run(findNonces, { nonces, payer: row.sender });
    const found = named.find((one) => one.deployment_id === deployment.id);
    if (found !== undefined) return payable(database, deployment, found.payment_id);
  }
  const place = { chainId, txHash: row.tx_hash, logIndex: row.log_index };
  const [moved] = await database.run(findMovedArrival, place);
  if (moved !== undefined) return moved.payment_id;
  if (nonces.length > 0) return undefined;
  return permitOwner(database, arrival);
}

/** Permit2 has no log: what a contract of somebody handed in is known by the nonce that is used. */
async function permitOwner(
  database: Database,
  { chain, row, deployment }: Arrival,
): Promise<string | undefined> {
  const [proxy] = proxiesOf(deployment);
  const { contractAddress } = deployment;
  if (proxy === undefined || contractAddress === null) return undefined;
  const amountRaw = BigInt(row.amount_raw);
  const candidates = await database.run(listCandidateNonces, {
    deploymentId: deployment.id,
    payer: row.sender,
    amountRaw,
    minedAt: row.block_time,
    rowsMax: candidatesMax,
  });
  for (const { nonce, payment_id: paymentId } of candidates) {
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
    return underWay.length > 0 ? undefined : payable(database, deployment, paymentId);
  }
  return undefined;
}

/** Our choice, as with deposits: a live payment does not even hear of coins of a test network. */
async function payable(
  database: Database,
  { isTestNetwork }: CatalogDeployment,
  paymentId: string,
): Promise<string | undefined> {
  if (!isTestNetwork) return paymentId;
  const [row] = await database.run(readPaymentEnvironment, { paymentId });
  return row?.environment === "live" ? undefined : paymentId;
}

function proxiesOf(deployment: CatalogDeployment): readonly X402Proxy[] {
  const { permit2 } = x402MeansOf(deployment);
  return (["exact", "upto"] as const).flatMap((scheme) => {
    const proxy = permit2[scheme];
    return proxy === undefined ? [] : { scheme, address: proxy.address };
  });
}
