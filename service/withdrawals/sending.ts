// What a withdrawal does while the queue sends it. Each step is written together with that of its
// transaction:
//
//   pending -> processing    its nonce is reserved: it can no longer be cancelled
//   processing -> broadcast  bytes and hash are stored; only now does anybody see the bytes
//   broadcast -> confirmed   the chain has moved exactly what was asked for, for good
//   broadcast -> failed      for good something else has happened: the merchant has the money back
//
// Nothing leads back from `broadcast`.

import { eventValues } from "../events/events.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Clock } from "../ports/clock.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { Database } from "../ports/database.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import { EndUndecided } from "../sending/confirmer.ts";
import type { OnEnded, OutgoingOutcome } from "../sending/confirmer.ts";
import { outgoingValues } from "../sending/model.ts";
import type { OutgoingDraft } from "../sending/model.ts";
import type { Impossible, OutgoingChain, PurposeSteps, SignedSubject } from "../sending/ports.ts";
import { queueOutgoingAgain, withdrawOutgoing } from "../sending/queue.sql.ts";
import { release, settlement, withdrawalEvent } from "./model.ts";
import type { Withdrawal } from "./model.ts";
import {
  broadcastWithdrawal,
  claimWithdrawal,
  endWithdrawal,
  listQueuedBeside,
  listQueuedInVain,
  listToQueue,
  readIsFree,
  readSent,
  rejectCostlyWithdrawal,
  replaceTransaction,
  unclaimWithdrawal,
} from "./sending.sql.ts";
import { chargedRaw, measuredFacts, verdictOf } from "./outcome.ts";
import type { FailureReason } from "./outcome.ts";
import { withdrawalOf } from "./withdrawals.ts";

/** In one round of a chain: more than one turn of its account sends. */
const gatheredMax = 50;
/** So many go behind at once, of merchants whose receivers keep nodes busy. */
const besideMax = 5_000;

export type WithdrawalAlarm = "nothing_moved" | "transaction_reverted" | "unclear_transfer";

export interface WithdrawalSendingPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly alarm: (what: WithdrawalAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

export interface WithdrawalSending {
  /** for the sender */
  readonly steps: PurposeSteps;
  /** for the confirmer */
  readonly onEnded: OnEnded;
  /** for the sender, of any purpose: whoever waits for it is told when it can never be sent */
  readonly onImpossible: (found: Impossible) => Promise<void>;
}

export function withdrawalSending(ports: WithdrawalSendingPorts): WithdrawalSending {
  return {
    steps: {
      gather: (sending) => gather(ports, sending),
      onClaimed: (database, id) => claim(ports, database, id),
      onFreed: async (database, id) => {
        const rows = await database.run(unclaimWithdrawal, { id, now: ports.clock.now() });
        if (rows.length === 0) throw new Error(`${id} had a nonce, and is not being processed`);
      },
      onSigned: (database, signed) => store(ports, database, signed),
      isWanted: async (id) => {
        const [row] = await ports.database.run(readIsFree, { id });
        return row?.is_free === true;
      },
      listBeside: async (chainId, ids) => {
        const values = { chainId, ids, rowsMax: besideMax };
        const rows = await ports.database.run(listQueuedBeside, values);
        return rows.map(({ id }) => id);
      },
      isKept: async (id) => {
        const [row] = await ports.database.run(readSent, { id });
        return row?.status === "confirmed";
      },
    },
    onEnded: (database, outcome) => end(ports, database, outcome),
    onImpossible: async ({ purpose, subjectId, isAboveGasLimit }) => {
      if (purpose === "withdrawal" && isAboveGasLimit) await rejectCostly(ports, subjectId);
    },
  };
}

/**
 * Our choice: what would fail now may succeed later and waits; what takes more gas than we give it is
 * refused, so that its merchant hears of it and has the money back. The queue lets go of it in the next
 * round.
 */
async function rejectCostly(ports: WithdrawalSendingPorts, id: string): Promise<void> {
  const { database, clock } = ports;
  const reason = "gas_above_limit";
  const withdrawal = { ...(await find(database, id)), status: "rejected", reason } as const;
  const now = clock.now();
  // No row: it was cancelled just now.
  await database.run(rejectCostlyWithdrawal, {
    id,
    now,
    reason,
    ...eventValues(ports, withdrawalEvent("withdrawal.rejected", withdrawal)),
    ...ledgerValues(ports, release(withdrawal, now)),
  });
}

/** From the account that this process signs for, whichever it was to be before. */
async function gather(
  ports: WithdrawalSendingPorts,
  { chain: { chainId }, signer }: OutgoingChain,
): Promise<readonly string[]> {
  const { database } = ports;
  const account = signer.accounts.hotAddress;
  const now = ports.clock.now();
  const inVain = { chainId, now, rowsMax: gatheredMax };
  for (const { id } of await database.run(listQueuedInVain, inVain)) {
    const values = { purpose: "withdrawal", subjectId: id, now, problem: null } as const;
    await database.run(withdrawOutgoing, values);
  }
  const rows = await database.run(listToQueue, { account, ...inVain });
  for (const row of rows) {
    const draft = draftOf(row, { chainId, account });
    try {
      await database.run(queueOutgoingAgain, outgoingValues(ports, draft));
    } catch (error) {
      // Another process has just done so.
      if (!(error instanceof UniqueViolation)) throw error;
    }
  }
  return [account];
}

type QueuedRow = NonNullable<(typeof listToQueue)["row"]>;

function draftOf(
  row: QueuedRow,
  place: { readonly chainId: string; readonly account: string },
): OutgoingDraft {
  const { id, deployment_id: deploymentId, address: to, contract_address: contractAddress } = row;
  const amountRaw = BigInt(row.send_amount_raw);
  return {
    ...place,
    signsAs: { role: "hot" },
    purpose: "withdrawal",
    subjectId: id,
    deploymentId,
    action: { kind: "transfer", to, contractAddress, amountRaw },
    since: row.since,
  };
}

async function claim(
  ports: WithdrawalSendingPorts,
  database: Database,
  id: string,
): Promise<boolean> {
  const withdrawal = { ...(await find(database, id)), status: "processing" } as const;
  const event = eventValues(ports, withdrawalEvent("withdrawal.processing", withdrawal));
  const claimed = await database.run(claimWithdrawal, { id, now: ports.clock.now(), ...event });
  return claimed.length > 0;
}

async function store(
  ports: WithdrawalSendingPorts,
  database: Database,
  { subjectId: id, txHash, isFirst, sendsNothing }: SignedSubject,
): Promise<boolean> {
  const values = { id, txHash, now: ports.clock.now() };
  if (!isFirst) return (await database.run(replaceTransaction, values)).length > 0;
  const withdrawal = { ...(await find(database, id)), status: "broadcast", txHash } as const;
  const event = eventValues(ports, withdrawalEvent("withdrawal.broadcast", withdrawal));
  const stored = await database.run(broadcastWithdrawal, { ...values, sendsNothing, ...event });
  return stored.length > 0;
}

async function find(database: Database, id: string): Promise<Withdrawal> {
  const [row] = await database.run(readSent, { id });
  if (row === undefined) throw new Error(`there is no withdrawal ${id}`);
  return withdrawalOf(row);
}

type SentRow = NonNullable<(typeof readSent)["row"]>;

interface End {
  readonly status: "confirmed" | "failed";
  readonly reason: FailureReason | "decided_by_operator" | null;
}

async function end(
  ports: WithdrawalSendingPorts,
  database: Database,
  outcome: OutgoingOutcome,
): Promise<void> {
  const { subjectId: id, txHash, receipt, at } = outcome;
  const [row] = await database.run(readSent, { id });
  if (row === undefined) throw new Error(`there is no withdrawal ${id}`);
  const { status, reason } = endOf(ports, outcome, row);
  const withdrawal: Withdrawal = { ...withdrawalOf(row), status, txHash, reason };
  const isSent = status === "confirmed";
  const occurredAt = receipt?.block.time ?? at;
  const money = isSent
    ? settlement(withdrawal, occurredAt, chargedRaw(outcome))
    : release(withdrawal, occurredAt);
  const ended = await database.run(endWithdrawal, {
    id,
    now: at,
    status,
    txHash,
    reason,
    isForNothing: reason === "reverted" || reason === "nothing_moved",
    ...eventValues(ports, withdrawalEvent(`withdrawal.${status}`, withdrawal)),
    ...ledgerValues(ports, money),
  });
  if (ended.length === 0) throw new Error(`${id} has ended, and is not on its way`);
}

/** Throws `EndUndecided`: somebody has to say what it is. */
function endOf(
  { alarm }: WithdrawalSendingPorts,
  outcome: OutgoingOutcome,
  { id, chain_id, tx_hash, decided_as: decidedAs }: SentRow,
): End {
  const facts = { withdrawal_id: id, chain_id, tx_hash };
  const verdict = verdictOf(outcome);
  if (verdict.kind === "confirmed") return { status: "confirmed", reason: null };
  if (verdict.kind === "failed") {
    const { reason } = verdict;
    // The sender has told of what it gave up, and the confirmer of a nonce that another one used.
    if (reason === "reverted") alarm("transaction_reverted", facts);
    if (reason === "nothing_moved") alarm("nothing_moved", facts);
    return { status: "failed", reason };
  }
  if (decidedAs === null) {
    alarm("unclear_transfer", { ...facts, ...measuredFacts(outcome) });
    throw new EndUndecided(`${id} has moved something else`);
  }
  if (decidedAs === "confirmed") return { status: "confirmed", reason: null };
  const isOthers = outcome.receipt === undefined;
  return { status: "failed", reason: isOthers ? "number_used_by_another" : "decided_by_operator" };
}
