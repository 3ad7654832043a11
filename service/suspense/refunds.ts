// What is sent back from suspense while the queue sends it. It is sent by the one queue that sends
// everything, and only what the chain says ends it: the payer has it, or it is back where it was.

import { payBack } from "../ledger/borne-debts.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Posting } from "../ledger/model.ts";
import { OperatorError } from "../operator-error.ts";
import { markX402Released, withdrawX402Refund } from "../payments/charging.sql.ts";
import type { PaymentProgress } from "../payments/progress.ts";
import { posting, undueCredits } from "../payments/share-postings.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts, StampPorts } from "../ports/recording.ts";
import { EndUndecided } from "../sending/confirmer.ts";
import type { OnEnded, OutgoingOutcome } from "../sending/confirmer.ts";
import { outgoingValues } from "../sending/model.ts";
import type { OutgoingDraft } from "../sending/model.ts";
import type { Impossible, OutgoingChain, PurposeSteps } from "../sending/ports.ts";
import { queueOutgoingAgain, readOutgoing, withdrawOutgoing } from "../sending/queue.sql.ts";
import { chargedRaw, measuredFacts, verdictOf } from "../withdrawals/outcome.ts";
import { failExit, findExit, finishExit, lockExitDeposit } from "./exits.sql.ts";
import type { ExitRow } from "./exits.sql.ts";
import { lockItemPayment } from "./items.sql.ts";
import { listEndedQueuedRefunds, listRefundsInVain, listRefundsToQueue } from "./refunds.sql.ts";
import { readRefundIsFree } from "./refunds.sql.ts";

/** In one round of a chain. */
const gatheredMax = 50;

export type RefundAlarm = "refund_failed" | "unclear_refund";

export interface RefundPorts extends RecordingPorts {
  readonly progress: Pick<PaymentProgress, "tell">;
  readonly alarm: (what: RefundAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

export interface RefundSending {
  /** for the sender */
  readonly steps: PurposeSteps;
  /** for the confirmer */
  readonly onEnded: OnEnded;
  /** for the sender, of this purpose */
  readonly onImpossible: (found: Impossible) => Promise<void>;
}

export function refundSending(ports: RefundPorts): RefundSending {
  const isFree = async (database: Database, id: string): Promise<boolean> => {
    const [row] = await database.run(readRefundIsFree, { id });
    return row?.is_free === true;
  };
  return {
    steps: {
      gather: (sending) => gather(ports, sending),
      onClaimed: isFree,
      // Without its nonce it waits in the queue, as before.
      onFreed: () => Promise.resolve(),
      onSigned: async (database, { subjectId, isFirst, sendsNothing }) =>
        !isFirst || sendsNothing || (await isFree(database, subjectId)),
      isWanted: (id) => isFree(ports.database, id),
      isKept: async (id) => (await find(ports.database, id)).status === "done",
    },
    onEnded: (database, outcome) => end(ports, database, outcome),
    onImpossible: async ({ subjectId, isAboveGasLimit, text }) => {
      // What would fail now may succeed later: it waits, and an operator may cancel it.
      if (isAboveGasLimit) await drop(ports, subjectId, text);
    },
  };
}

/** Before anything is signed: the money is back where it was. Throws `OperatorError`. */
export async function takeBackUnsent(
  ports: StampPorts,
  inside: Database,
  ...[id, reason]: readonly [string, string]
): Promise<ExitRow> {
  const exit = await lockExit(inside, id);
  const values = { purpose: "refund", subjectId: id } as const;
  await inside.run(withdrawOutgoing, { ...values, now: ports.clock.now(), problem: reason });
  const [sent] = await inside.run(readOutgoing, values);
  const isUnsent = sent === undefined || sent.status === "withdrawn";
  if (exit.status !== "waiting" || !isUnsent) {
    throw new OperatorError(`${id} was signed, or has ended: the chain decides.`);
  }
  await fail(ports, inside, exit, reason);
  return exit;
}

/** From the accounts that this process signs for. */
async function gather(
  ports: RefundPorts,
  { chain: { chainId }, signer }: OutgoingChain,
): Promise<readonly string[]> {
  const { database } = ports;
  const { hotAddress: hot, settlementAddress: settlement } = signer.accounts;
  const values = { chainId, rowsMax: gatheredMax };
  for (const { id } of await database.run(listEndedQueuedRefunds, values)) {
    const dead = { purpose: "refund", subjectId: id, now: ports.clock.now() } as const;
    await database.run(withdrawOutgoing, { ...dead, problem: "it has ended" });
  }
  for (const { id } of await database.run(listRefundsInVain, values))
    await drop(ports, id, "may_not_be_sent");
  for (const row of await database.run(listRefundsToQueue, { ...values, hot, settlement })) {
    const { address: to, contract_address: contractAddress, signs_as: role } = row;
    const draft = {
      chainId,
      account: role === "hot" ? hot : settlement,
      signsAs: { role },
      purpose: "refund",
      subjectId: row.id,
      deploymentId: row.deployment_id,
      action: { kind: "transfer", to, contractAddress, amountRaw: BigInt(row.amount_raw) },
      since: row.created_at,
    } as const;
    await queue(ports, draft);
  }
  return [];
}

/** Unless it was taken back since it was listed: whoever does that has the same lock. */
async function queue(ports: RefundPorts, draft: OutgoingDraft): Promise<void> {
  try {
    await ports.database.transaction(async (inside) => {
      const { id } = await lockExit(inside, draft.subjectId);
      const [row] = await inside.run(readRefundIsFree, { id });
      if (row?.is_free === true) await inside.run(queueOutgoingAgain, outgoingValues(ports, draft));
    });
  } catch (error) {
    // Another process has just done so.
    if (!(error instanceof UniqueViolation)) throw error;
  }
}

async function drop(ports: RefundPorts, id: string, reason: string): Promise<void> {
  try {
    await ports.database.transaction((inside) => takeBackUnsent(ports, inside, id, reason));
    ports.alarm("refund_failed", { suspense_exit_id: id, reason });
  } catch (error) {
    // Another process has just done so, or signed it.
    if (!(error instanceof OperatorError)) throw error;
  }
}

async function find(database: Database, id: string): Promise<ExitRow> {
  const [row] = await database.run(findExit, { id });
  if (row === undefined) throw new Error(`there is no way out ${id}`);
  return row;
}

/** In the order in which whoever takes back a deposit locks: first its payment. Throws `OperatorError`. */
export async function lockExit(inside: Database, id: string): Promise<ExitRow> {
  const [known] = await inside.run(findExit, { id });
  if (known === undefined) throw new OperatorError(`There is no ${id}.`);
  if (known.payment_id !== null) await inside.run(lockItemPayment, { id: known.payment_id });
  await inside.run(lockExitDeposit, { id });
  return find(inside, id);
}

async function end(ports: RefundPorts, inside: Database, outcome: OutgoingOutcome): Promise<void> {
  const exit = await lockExit(inside, outcome.subjectId);
  const { id, decided_as: decidedAs } = exit;
  const verdict = verdictOf(outcome);
  const facts = { suspense_exit_id: id, chain_id: outcome.chainId, tx_hash: outcome.txHash };
  if (verdict.kind === "unclear" && decidedAs === null) {
    ports.alarm("unclear_refund", { ...facts, ...measuredFacts(outcome) });
    throw new EndUndecided(`${id} has moved something else`);
  }
  const isSent =
    verdict.kind === "confirmed" || (verdict.kind === "unclear" && decidedAs === "sent");
  if (isSent) return finish(ports, inside, exit, outcome);
  const reason = verdict.kind === "failed" ? verdict.reason : "decided_by_operator";
  ports.alarm("refund_failed", { ...facts, reason });
  await fail(ports, inside, exit, reason);
}

/** The payer has it. */
async function finish(
  ports: RefundPorts,
  inside: Database,
  ...[exit, outcome]: readonly [ExitRow, OutgoingOutcome]
): Promise<void> {
  const { receipt, at } = outcome;
  const { id, deployment_id: deploymentId, settlement_id, payment_id } = exit;
  const amountRaw = BigInt(exit.amount_raw);
  const holder = exit.signs_as === "hot" ? "chain:hot" : "chain:settlement";
  const takenRaw = chargedRaw(outcome);
  const taken = posting("platform:gas", null, takenRaw, deploymentId);
  const money = ledgerValues(ports, {
    kind: "refund_sent",
    reference: id,
    occurredAt: receipt?.block.time ?? at,
    postings: [
      posting("payer:refunding", null, amountRaw, deploymentId),
      posting(holder, null, -amountRaw - takenRaw, deploymentId),
      ...(takenRaw === 0n ? [] : [taken]),
    ],
  });
  const ended = await inside.run(finishExit, { id, now: at, reason: null, ...money });
  if (ended.length === 0) throw new Error(`${id} has ended, and is not waiting`);
  if (settlement_id === null || payment_id === null) return;
  await inside.run(markX402Released, { id: settlement_id, now: at });
  await ports.progress.tell(inside, payment_id, "x402.released");
}

/** Back to where it was; or, where that is gone meanwhile, to whoever has borne it. */
async function fail(
  ports: StampPorts,
  inside: Database,
  ...[exit, reason]: readonly [ExitRow, string]
): Promise<void> {
  const { id, deployment_id: deploymentId, settlement_id: settlementId } = exit;
  const amountRaw = BigInt(exit.amount_raw);
  const now = ports.clock.now();
  const back = await backTo(inside, exit, amountRaw);
  const money = ledgerValues(ports, {
    kind: "refund_failed",
    reference: id,
    occurredAt: now,
    postings: [posting("payer:refunding", null, amountRaw, deploymentId), ...back],
  });
  const ended = await inside.run(failExit, { id, now, reason: reason.slice(0, 200), ...money });
  if (ended.length === 0) throw new Error(`${id} has ended, and is not waiting`);
  if (settlementId === null || exit.is_there) return;
  const { payment_id: paymentId, chain_id: chainId, environment } = exit;
  if (paymentId !== null && environment !== null) {
    const of = { reference: id, environment, deploymentId, paymentId, chainId, occurredAt: now };
    await payBack(ports, inside, { ...of, txHash: "", postings: back });
  }
  // It is due again when the settlement is there again.
  await inside.run(withdrawX402Refund, { id: settlementId, now });
}

async function backTo(
  inside: Database,
  exit: ExitRow,
  amountRaw: bigint,
): Promise<readonly Posting[]> {
  const { merchant_id: merchantId, environment, deployment_id: deploymentId } = exit;
  const owner = merchantId === null || environment === null ? null : { merchantId, environment };
  if (exit.is_there) {
    const ofOwner = exit.settlement_id === null ? "merchant:unmatched" : "payer:refund_due";
    const account = owner === null ? "payer:unmatched" : ofOwner;
    return [posting(account, owner, -amountRaw, deploymentId)];
  }
  // What was due of a settlement that is gone has become its merchant's debt.
  if (exit.settlement_id !== null && owner !== null) {
    return undueCredits(inside, owner, { amountRaw, deploymentId });
  }
  return [posting("platform:fees", null, -amountRaw, deploymentId)];
}
