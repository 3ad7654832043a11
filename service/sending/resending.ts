// Handing over what is stored, again and again until a transaction with its nonce is mined, in the
// order of the nonces. What waits too long gets another transaction of the same nonce with higher
// fees; one of all of them at most is mined.

import type { ChainFees } from "../ports/chain.ts";
import { UniqueViolation } from "../ports/database.ts";
import { signedActionOf, signFor, spendingOf, UnreadableAction } from "./accounts.ts";
import { allOrNothing, factsOf } from "./ports.ts";
import type { OutgoingSenderPorts } from "./ports.ts";
import { markOutgoingSent, storeReplacingOutgoing } from "./sender.sql.ts";
import type { listUnminedOutgoing, SignedOutgoingValues } from "./sender.sql.ts";
import type { Turn } from "./turn.ts";

/** How often the same bytes are sent again at most. */
export const resendMilliseconds = 15_000;
/** What is not mined after this many blocks gets higher fees. */
const patienceBlocks = 5n;
/** Of one transaction; 113 % twenty times is eleven times as much. */
const attemptsMax = 20;

/** Signed and not mined, as far as the count says, with its newest transaction. */
export type UnminedRow = NonNullable<(typeof listUnminedOutgoing)["row"]>;

type ResendingPorts = Omit<OutgoingSenderPorts, "chains" | "onImpossible" | "gasBudgetRaw">;

/** A later one is mined after an earlier one. Gives how many. */
export async function resend(
  ports: ResendingPorts,
  turn: Turn,
  rows: readonly UnminedRow[],
): Promise<number> {
  const now = ports.clock.nowMilliseconds();
  let done = 0;
  for (const row of rows) {
    await turn.keep();
    const isOld = turn.head.number - row.signed_at_block >= patienceBlocks;
    const isDue = row.sent_at === null || now - row.sent_at.getTime() >= resendMilliseconds;
    if (row.status !== "broadcast") {
      if (isDue) done += await repeat(ports, turn, row);
    } else if (isOld) done += await replaceOrSend(ports, turn, row);
    else if (isDue) done += await send(ports, turn, row);
  }
  return done;
}

/** Hands over the bytes that are stored. Whatever is answered, only the chain decides. */
export async function send(ports: ResendingPorts, turn: Turn, row: UnminedRow): Promise<number> {
  const result = await turn.chain.send(row.raw);
  await ports.reached?.("sent");
  await markSent(ports, row);
  if (result === "underpriced") return replaceOrSend(ports, turn, row);
  if (result === "unfunded") turn.alarm("account_cannot_pay", factsOf(row));
  return 1;
}

/**
 * It has ended, and now its nonce is free again: the chain took back a block that was final. What was
 * booked as done is sent as it was; what was booked as failed must not be mined any more.
 */
async function repeat(ports: ResendingPorts, turn: Turn, row: UnminedRow): Promise<number> {
  const isKept = await mayRepeat(ports, row);
  turn.alarm("final_transaction_lost", { ...factsOf(row), state: isKept ? "kept" : "lost" });
  if (!isKept) return 0;
  await turn.chain.send(row.raw);
  await markSent(ports, row);
  return 1;
}

async function mayRepeat({ steps }: ResendingPorts, row: UnminedRow): Promise<boolean> {
  if (row.sends_nothing) return true;
  if (row.status !== "succeeded") return false;
  return (await steps[row.purpose]?.isKept(row.subject_id)) ?? true;
}

/** What cannot be signed anew may still be mined, if only the nodes have it; those after it go on. */
async function replaceOrSend(ports: ResendingPorts, turn: Turn, row: UnminedRow): Promise<number> {
  try {
    return await replace(ports, turn, row);
  } catch (error) {
    if (!(error instanceof UnreadableAction)) throw error;
    turn.alarm("action_unreadable", { ...factsOf(row), err: error });
    await turn.chain.send(row.raw);
    return 0;
  }
}

/** A new transaction of the same nonce with higher fees: one of all of them at most is mined. */
async function replace(ports: ResendingPorts, turn: Turn, row: UnminedRow): Promise<number> {
  const { id, nonce, gas_units_max: gasUnitsMax } = row;
  if (gasUnitsMax === null) throw new Error(`${id} was signed without a limit of gas`);
  if (row.attempt >= attemptsMax) {
    turn.alarm("fees_raised_too_often", { ...factsOf(row), attempts: row.attempt });
    await turn.chain.send(row.raw);
    return 0;
  }
  const before = {
    maxFeePerGas: BigInt(row.max_fee_per_gas),
    maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
  };
  const fees = raisedFees(before, turn.fees);
  if (!(await isPayable(turn, row, { gasUnitsMax, fees }))) {
    // One that it cannot pay for would take the place of one that it can.
    turn.alarm("account_cannot_pay", factsOf(row));
    await turn.chain.send(row.raw);
    return 0;
  }
  const intent = { nonce, action: signedActionOf(row), gasUnitsMax, fees };
  const { txHash, raw } = await signFor(turn, row, intent).catch(async (error: unknown) => {
    turn.alarm("signer_refuses", { ...factsOf(row), err: error });
    // What is there already may still be mined, if only the nodes have it.
    await turn.chain.send(row.raw);
    throw error;
  });
  await ports.reached?.("signed");
  const attempt = row.attempt + 1;
  const more = { signedAtBlock: turn.head.number, now: ports.clock.now() };
  const values = { ...turn.lease, ...fees, ...more, id, attempt, txHash, raw };
  if (!(await isStored(ports, row, values))) return 0;
  const { chainId } = turn.lease;
  ports.observer?.onSigned({ chainId, purpose: row.purpose, isFirst: false });
  await ports.reached?.("replaced");
  const result = await turn.chain.send(raw);
  await ports.reached?.("sent");
  await markSent(ports, { id, attempt });
  if (result === "underpriced") turn.alarm("node_refuses_transaction", { ...factsOf(row), result });
  return 1;
}

/** False: the lease is lost, or it is decided already. */
async function isStored(
  { database, steps }: ResendingPorts,
  { purpose, subject_id: subjectId, sends_nothing: sendsNothing }: UnminedRow,
  values: SignedOutgoingValues,
): Promise<boolean> {
  const step = steps[purpose];
  const signed = { subjectId, txHash: values.txHash, isFirst: false, sendsNothing };
  try {
    return await allOrNothing(database, async (inside) => {
      if ((await inside.run(storeReplacingOutgoing, values)).length === 0) return false;
      return step === undefined || (await step.onSigned(inside, signed));
    });
  } catch (error) {
    // An operator has just remembered one more of its transactions, and that is mined.
    const isRemembered =
      error instanceof UniqueViolation && error.constraint === "outgoing_attempts_pkey";
    if (!isRemembered) throw error;
    return false;
  }
}

/** Nobody fills up the address of a payment: higher fees than it can pay would block it for good. */
async function isPayable(
  turn: Turn,
  row: UnminedRow,
  { gasUnitsMax, fees }: { readonly gasUnitsMax: bigint; readonly fees: ChainFees },
): Promise<boolean> {
  if (row.account_role !== "deposit") return true;
  const { contractAddress, amountRaw } = spendingOf(signedActionOf(row), gasUnitsMax);
  const neededRaw = gasUnitsMax * fees.maxFeePerGas + (contractAddress === null ? amountRaw : 0n);
  return (await turn.chain.balance(row.account, null)) >= neededRaw;
}

async function markSent(
  ports: ResendingPorts,
  { id, attempt }: Pick<UnminedRow, "id" | "attempt">,
): Promise<void> {
  await ports.database.run(markOutgoingSent, { id, attempt, now: ports.clock.now() });
}

/** Nodes want 10 % more of both, or keep the old one; three more against rounding of theirs. */
const raisePercent = 113n;

/** What is asked for now, or enough more than before, whichever is higher. */
export function raisedFees(before: ChainFees, now: ChainFees): ChainFees {
  return {
    maxFeePerGas: larger(raised(before.maxFeePerGas), now.maxFeePerGas),
    maxPriorityFeePerGas: larger(raised(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas),
  };
}

function raised(fee: bigint): bigint {
  return (fee * raisePercent + 99n) / 100n;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
