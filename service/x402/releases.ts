// What was not used goes back to the payer: all of it, where nobody reports a usage in time.
//
// What was on its way, or could be, when a reorganisation took its settlement, is its merchant's debt. Our
// choice: where it has brought the payer nothing that is known, it is due no more. The payer has that money
// on the chain, and what has left all the same is an expense.

import type { Job, JobRun } from "../jobs/jobs.ts";
import { payBack } from "../ledger/borne-debts.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import { postTransaction } from "../ledger/ledger.sql.ts";
import type { OutgoingOutcome } from "../sending/confirmer.ts";
import { chargedRaw as chargedBeside, measuredFacts } from "../withdrawals/outcome.ts";
import type { Owner } from "../owner.ts";
import type { PaymentProgress } from "../payments/progress.ts";
import { doPage } from "../jobs/batch.ts";
import { posting, undueCredits } from "../payments/share-postings.ts";
import { lockPayments } from "../payments/facts.sql.ts";
import { releaseX402Settlement, withdrawX402Refund } from "../payments/charging.sql.ts";
import { withdrawOutgoing } from "../sending/queue.sql.ts";
import { closeSettlement, findSettlement, listUnreported } from "./reconciler.sql.ts";
import { listVainReleases, readUndueRefund } from "./reconciler.sql.ts";
import { isSameAddress } from "./model.ts";
import type { RecordingPorts, StampPorts } from "../ports/recording.ts";
import type { Database } from "../ports/database.ts";

const closedMax = 50;
const everyMilliseconds = 60_000;

export type ReleaseAlarm = "x402_release_failed" | "x402_release_charged";

export interface ReleasePorts extends RecordingPorts {
  readonly progress: Pick<PaymentProgress, "refresh" | "tell">;
  /** after that nobody can report a usage any more */
  readonly releaseMilliseconds: number;
  readonly alarm: (what: ReleaseAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

type Settlement = NonNullable<(typeof findSettlement)["row"]>;
type Unreported = NonNullable<(typeof listUnreported)["row"]>;

/** Our choice: the time counts from the acceptance of the authorization. */
export function releaseJob(ports: ReleasePorts): Job {
  return { name: "release-x402", everyMilliseconds, run: () => closeUnreported(ports) };
}

async function closeUnreported(ports: ReleasePorts): Promise<JobRun> {
  const { database, clock, releaseMilliseconds } = ports;
  const before = new Date(clock.nowMilliseconds() - releaseMilliseconds);
  const rows = await database.run(listUnreported, { before, rowsMax: closedMax });
  return doPage({ rows, rowsMax: closedMax, now: before, since: (row) => row.created_at }, (row) =>
    close(ports, row),
  );
}

function close(ports: ReleasePorts, { id, payment_id: paymentId }: Unreported): Promise<boolean> {
  const { database, clock, progress } = ports;
  const now = clock.now();
  return database.transaction(async (inside) => {
    // A usage that is being reported comes first, or is told that it came too late.
    await inside.run(lockPayments, { ids: [paymentId] });
    if ((await inside.run(closeSettlement, { id, now })).length === 0) return false;
    await progress.refresh(inside, [paymentId]);
    return true;
  });
}

/** In the transaction that ends the transfer: the payer has it, or somebody has to look. */
export async function endRelease(
  ports: ReleasePorts,
  inside: Database,
  outcome: OutgoingOutcome,
): Promise<void> {
  const { clock, progress, alarm } = ports;
  const { subjectId: id, deploymentId, status, at } = outcome;
  const [row] = await inside.run(findSettlement, { id });
  if (row === undefined) throw new Error(`${id} has a release, and is not there`);
  const facts = { settlement_id: id, chain_id: outcome.chainId, ...measuredFacts(outcome) };
  if (status !== "succeeded" || !isMoved(outcome)) {
    // Our choice: it stays owed to the payer, and is not sent again by itself: the token may have
    // blocked the payer, and it would fail for ever.
    alarm("x402_release_failed", { ...facts, status });
    // What is mined may have moved something else.
    if (status === "succeeded") await bookLost(ports, inside, outcome);
    await endUndue(ports, inside, row, at);
    return;
  }
  const chargedRaw = chargedBeside(outcome);
  if (chargedRaw > 0n) alarm("x402_release_charged", facts);
  const owner: Owner = { merchantId: row.merchant_id, environment: row.environment };
  const amountRaw = BigInt(row.refund_raw ?? 0);
  const released = await inside.run(releaseX402Settlement, {
    id,
    now: clock.now(),
    ...ledgerValues(ports, {
      kind: "x402_released",
      reference: id,
      occurredAt: outcome.receipt?.block.time ?? at,
      postings: [
        posting("payer:refund_due", owner, amountRaw, deploymentId),
        posting("chain:settlement", null, -amountRaw, deploymentId),
        ...lostPostings(chargedRaw, deploymentId),
      ],
    }),
  });
  if (released.length > 0) await progress.tell(inside, row.payment_id, "x402.released");
}

/** Something else than asked for has left: nobody knows that the payer has it, and the account has it no more. */
async function bookLost(
  ports: ReleasePorts,
  inside: Database,
  { subjectId: reference, deploymentId, measured, receipt, at }: OutgoingOutcome,
): Promise<void> {
  const postings = lostPostings(measured?.leftRaw ?? 0n, deploymentId);
  if (postings.length === 0) return;
  const occurredAt = receipt?.block.time ?? at;
  const money = { kind: "x402_release_lost", reference, occurredAt, postings };
  await inside.run(postTransaction, ledgerValues(ports, money));
}

function lostPostings(lostRaw: bigint, deploymentId: string) {
  if (lostRaw === 0n) return [];
  return [
    posting("platform:gas", null, lostRaw, deploymentId),
    posting("chain:settlement", null, -lostRaw, deploymentId),
  ];
}

/**
 * Ends those that wait without a nonce after their settlement is gone: they had one when it went, and
 * nothing was signed with it.
 */
export function undueReleaseJob(ports: RecordingPorts): Job {
  const { database, clock } = ports;
  const run = async () => {
    const rows = await database.run(listVainReleases, { rowsMax: closedMax });
    const page = { rows, rowsMax: closedMax, now: clock.now() };
    return doPage({ ...page, since: (row) => row.updated_at }, (row) => endVain(ports, row.id));
  };
  return { name: "end-undue-releases", everyMilliseconds, run };
}

function endVain(ports: RecordingPorts, id: string): Promise<boolean> {
  const now = ports.clock.now();
  const values = { purpose: "x402_release", subjectId: id, now } as const;
  return ports.database.transaction(async (inside) => {
    const [row] = await inside.run(findSettlement, { id });
    if (row === undefined) throw new Error(`${id} has a release, and is not there`);
    await inside.run(lockPayments, { ids: [row.payment_id] });
    // Its settlement may be there again, and then it is sent.
    if ((await inside.run(readUndueRefund, { id })).length === 0) return false;
    const problem = "its settlement is gone";
    if ((await inside.run(withdrawOutgoing, { ...values, problem })).length === 0) return false;
    await endUndue(ports, inside, row, now);
    return true;
  });
}

/** Of one that has ended or waits no more, and has brought its payer nothing that is known. */
async function endUndue(
  ports: StampPorts,
  inside: Database,
  ...[row, occurredAt]: readonly [Settlement, Date]
): Promise<void> {
  const { id, payment_id: paymentId, merchant_id: merchantId, environment } = row;
  // Whoever takes back its deposit has the same lock, and reads this end after that.
  await inside.run(lockPayments, { ids: [paymentId] });
  const [state] = await inside.run(readUndueRefund, { id });
  if (state === undefined) return;
  const { deployment_id: deploymentId, chain_id: chainId } = state;
  const owner: Owner = { merchantId, environment };
  const amountRaw = BigInt(state.refund_raw);
  const credits = await undueCredits(inside, owner, { amountRaw, deploymentId });
  // It ends once after each time that its settlement was taken away.
  const reference = `${id}#${state.reversals}`;
  const due = posting("payer:refund_due", owner, amountRaw, deploymentId);
  const postings = [due, ...credits];
  const money = { kind: "x402_release_undue", reference, occurredAt, postings };
  await inside.run(postTransaction, ledgerValues(ports, money));
  const of = { reference, environment, deploymentId, paymentId, chainId, occurredAt };
  await payBack(ports, inside, { ...of, txHash: "", postings: credits });
  // It is due again when the settlement is there again.
  await inside.run(withdrawX402Refund, { id, now: ports.clock.now() });
}

/**
 * Tokens say in their log what they have moved; some do nothing and succeed. Of one that may keep a part the
 * balance says what has left: if that is less, the payer cannot have it.
 */
function isMoved({ action, receipt, account, measured }: OutgoingOutcome): boolean {
  if (action.kind !== "transfer") return false;
  if (measured !== undefined && measured.leftRaw < action.amountRaw) return false;
  const { contractAddress, to, amountRaw } = action;
  const transfers = receipt?.transfers ?? [];
  return transfers.some(
    (one) =>
      isSameAddress(one.contractAddress, contractAddress) &&
      isSameAddress(one.from, account) &&
      isSameAddress(one.to, to) &&
      one.amountRaw === amountRaw,
  );
}
