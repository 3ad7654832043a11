// What the end of a transaction means for the sweep that it was sent for, in the transaction that
// writes that end down.
//
// Our choice: what the logs of the token say has moved is booked, not what was asked for; of a token that
// the catalog says may keep a part, what the balances say. What left the address and did not arrive is an
// expense, like gas; where the catalog says so and it is a tenth at most, nobody is told.

import { ledgerValues } from "../ledger/ledger.ts";
import type { Posting } from "../ledger/model.ts";
import { outgoingValues } from "../sending/model.ts";
import type { OnEnded, OutgoingOutcome } from "../sending/confirmer.ts";
import type { Impossible } from "../sending/ports.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { ChainReceipt } from "../ports/chain.ts";
import type { SweepAlarm } from "./routes.ts";
import type { AccountKind } from "../database/words.ts";
import { findContract } from "../sending/gas.sql.ts";
import { postTransaction } from "../ledger/ledger.sql.ts";
import { queueOutgoing, withdrawOutgoing } from "../sending/queue.sql.ts";
import { endSweep, failSweep, moveSweep, readSweep } from "./sweeps.sql.ts";
import { isSameAddress } from "../sending/fate.ts";

export interface SweepEndPorts extends RecordingPorts {
  readonly alarm: (what: SweepAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

type SweepPurpose = "sweep" | "sweep_gas" | "consolidation";
type SweepRow = NonNullable<(typeof readSweep)["row"]>;

interface Moved {
  readonly leftRaw: bigint;
  readonly arrivedRaw: bigint;
}

export function sweepEnds(ports: SweepEndPorts) {
  const ended: OnEnded = (database, outcome) => end({ ...ports, database }, outcome);
  const onEnded: Readonly<Record<SweepPurpose, OnEnded>> = {
    sweep: ended,
    consolidation: ended,
    sweep_gas: (database, outcome) => endGas({ ...ports, database }, outcome),
  };
  return { onEnded, onImpossible: (found: Impossible) => giveUp(ports, found) };
}

/** It would fail, or takes more than the address has: given up for now, unless it is being signed. */
async function giveUp(
  ports: SweepEndPorts,
  { purpose, subjectId, text }: Impossible,
): Promise<void> {
  const now = ports.clock.now();
  await ports.database.transaction(async (database) => {
    const values = { purpose, subjectId, now, problem: text };
    if ((await database.run(withdrawOutgoing, values)).length === 0) return;
    await database.run(failSweep, { id: subjectId, problem: text, now });
  });
}

async function end(ports: SweepEndPorts, outcome: OutgoingOutcome): Promise<void> {
  const [sweep] = await ports.database.run(readSweep, { id: outcome.subjectId });
  if (sweep === undefined) throw new Error(`there is no sweep ${outcome.subjectId}`);
  const moved = movedBy(outcome, sweep);
  if (moved === undefined || moved.leftRaw === 0n) {
    await fail(ports, outcome, moved === undefined ? outcome.status : "nothing moved");
    return;
  }
  const ended = await ports.database.run(endSweep, { id: sweep.id, ...moved, now: outcome.at });
  if (ended.length === 0) throw new Error(`the sweep ${sweep.id} is not on its way`);
  const { leftRaw, arrivedRaw } = moved;
  if (arrivedRaw < leftRaw) {
    const lostRaw = (leftRaw - arrivedRaw).toString();
    const facts = { ...factsOf(outcome), lost_raw: lostRaw };
    const isKnown = outcome.measured !== undefined && (leftRaw - arrivedRaw) * 10n <= leftRaw;
    if (!isKnown) ports.alarm("sweep_lost_something", facts);
  }
  const values = ledgerValues(ports, {
    kind: sweep.kind,
    reference: sweep.id,
    occurredAt: outcome.receipt?.block.time ?? outcome.at,
    postings: postingsOf(sweep, moved),
  });
  await ports.database.run(postTransaction, values);
}

/** Now the address can pay for its own transaction. */
async function endGas(ports: SweepEndPorts, outcome: OutgoingOutcome): Promise<void> {
  const { subjectId: id, status, receipt, deploymentId, action, at } = outcome;
  if (status !== "succeeded" || receipt === undefined || action.kind !== "transfer") {
    await fail(ports, outcome, `gas for the address: ${status}`);
    return;
  }
  const { amountRaw } = action;
  const coin = { deploymentId, owner: null };
  const values = ledgerValues(ports, {
    kind: "sweep_gas",
    reference: id,
    occurredAt: receipt.block.time,
    postings: [
      { ...coin, account: "chain:deposit_addresses", amountRaw },
      { ...coin, account: "chain:settlement", amountRaw: -amountRaw },
    ],
  });
  await ports.database.run(postTransaction, values);
  if ((await ports.database.run(moveSweep, { id, now: at })).length === 0) return;
  const [sweep] = await ports.database.run(readSweep, { id });
  if (sweep === undefined || sweep.derivation_index === null) {
    throw new Error(`there is no sweep ${id} of an address`);
  }
  const [token] = await ports.database.run(findContract, { deploymentId: sweep.deployment_id });
  const draft = {
    chainId: sweep.chain_id,
    account: sweep.address,
    signsAs: { role: "deposit", index: sweep.derivation_index },
    purpose: "sweep",
    subjectId: id,
    deploymentId: sweep.deployment_id,
    action: {
      kind: "transfer",
      to: sweep.target_address,
      contractAddress: token?.contract_address ?? null,
      amountRaw: BigInt(sweep.amount_raw),
    },
  } as const;
  await ports.database.run(queueOutgoing, outgoingValues(ports, draft));
}

async function fail(
  ports: SweepEndPorts,
  outcome: OutgoingOutcome,
  problem: string,
): Promise<void> {
  ports.alarm("sweep_failed", { ...factsOf(outcome), text: problem });
  await ports.database.run(failSweep, { id: outcome.subjectId, problem, now: outcome.at });
}

function factsOf({ subjectId, chainId, account, receipt }: OutgoingOutcome) {
  return { sweep_id: subjectId, chain_id: chainId, account, tx_hash: receipt?.txHash };
}

/** Undefined: it did not succeed. */
function movedBy(
  { status, receipt, action, measured }: OutgoingOutcome,
  sweep: SweepRow,
): Moved | undefined {
  if (status !== "succeeded" || receipt === undefined || action.kind === "settle") return undefined;
  if (measured !== undefined) {
    return { leftRaw: measured.leftRaw, arrivedRaw: measured.arrivedRaw ?? 0n };
  }
  if (action.kind === "collect") {
    return movedInLogs(receipt, action.authorization.contractAddress, sweep);
  }
  // The chain's own coin moves with a successful transaction; a token only says so in its log.
  if (action.contractAddress === null) {
    return { leftRaw: action.amountRaw, arrivedRaw: action.amountRaw };
  }
  return movedInLogs(receipt, action.contractAddress, sweep);
}

function movedInLogs(receipt: ChainReceipt, contractAddress: string, sweep: SweepRow): Moved {
  let leftRaw = 0n;
  let arrivedRaw = 0n;
  for (const transfer of receipt.transfers) {
    if (!isSameAddress(transfer.contractAddress, contractAddress)) continue;
    if (!isSameAddress(transfer.from, sweep.address)) continue;
    leftRaw += transfer.amountRaw;
    if (isSameAddress(transfer.to, sweep.target_address)) arrivedRaw += transfer.amountRaw;
  }
  return { leftRaw, arrivedRaw };
}

function postingsOf(sweep: SweepRow, { leftRaw, arrivedRaw }: Moved): readonly Posting[] {
  const from: AccountKind = sweep.kind === "sweep" ? "chain:deposit_addresses" : "chain:settlement";
  const to: AccountKind = sweep.target === "hot" ? "chain:hot" : "chain:treasury";
  const of = { deploymentId: sweep.deployment_id, owner: null };
  const postings: readonly Posting[] = [
    { ...of, account: to, amountRaw: arrivedRaw },
    { ...of, account: "platform:gas", amountRaw: leftRaw - arrivedRaw },
    { ...of, account: from, amountRaw: -leftRaw },
  ];
  return postings.filter(({ amountRaw }) => amountRaw !== 0n);
}
