// Signing what is in the queue. The nonce is reserved before the signer is asked, since that one
// never signs it for anything else: what has one goes first, and keeps it until it is sent, or the
// signer says that it did not sign. Bytes and hash are stored before anybody sees the bytes, so a
// process may die at any step and another one goes on.
//
// What has its nonce and may not be sent any more uses it for nothing (a transfer of no coin to
// ourselves), if its purpose can say so. So there are no gaps, unless the chain takes back a block
// that was final. Whoever reads `broadcast` must take the money for gone until the chain says
// otherwise.
//
// Nothing is sent that the chain says would fail now: that costs coin and moves nothing (threat 49).

import { NonceTaken, SignerRefusal } from "../ports/signer.ts";
import { signFor, spendingOf, UnreadableAction } from "./accounts.ts";
import { nextNonce, stopIfSignedForOthers } from "./nonces.ts";
import { allOrNothing, factsOf } from "./ports.ts";
import type { OutgoingSenderPorts, PurposeSteps } from "./ports.ts";
import { defer, deferUnreadable, estimatesOf, prepare } from "./preparing.ts";
import { preparedAnyway, wait, waitBeside, waitUnanswered } from "./preparing.ts";
import type { ClaimingTurn, Prepared, QueuedRow, UnansweredRow } from "./preparing.ts";
import { send } from "./resending.ts";
import type { UnminedRow } from "./resending.ts";
import {
  emptyOutgoing,
  freeNonce,
  listQueuedOutgoing,
  reserveNonce,
  storeSignedOutgoing,
} from "./sender.sql.ts";

/** In one turn: more of them are no fault of the single transactions. */
const unansweredMax = 3;
interface Claimed extends Prepared {
  readonly nonce: bigint;
}

/** At most `room`. What others have left half done comes first, and nothing goes before that. */
export async function sendNew(
  ports: OutgoingSenderPorts,
  plain: Omit<ClaimingTurn, "estimates" | "together">,
  room: number,
): Promise<{ readonly signed: number; readonly isMore: boolean }> {
  const { chainId, account } = plain.lease;
  const values = { chainId, account, now: ports.clock.now(), rowsMax: room };
  let queued = await ports.database.run(listQueuedOutgoing, values);
  // Before any of them gets a nonce: what is stopped by that is not among them any more.
  if (queued.length > 0 && (await stopIfSignedForOthers(ports, plain))) {
    queued = await ports.database.run(listQueuedOutgoing, values);
  }
  const turn = { ...plain, estimates: estimatesOf(plain, queued), together: [] };
  const done = await signAndSend(withBudgets(ports), turn, queued);
  // What stops a turn stops the next one as well, so that can wait.
  return {
    signed: done.signed,
    isMore: !done.isStopped && room > 0 && queued.length === room,
  };
}

/** Of one chain: what an operator says of it holds for a turn. */
function withBudgets(ports: OutgoingSenderPorts): OutgoingSenderPorts {
  const { gasBudgetRaw, merchantGasRaw } = ports;
  return { ...ports, gasBudgetRaw: once(gasBudgetRaw), merchantGasRaw: once(merchantGasRaw) };
}

function once<Answer>(ask: (chainId: string) => Promise<Answer>) {
  let answer: Promise<Answer> | undefined;
  return (chainId: string): Promise<Answer> => (answer ??= ask(chainId));
}

async function signAndSend(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  queued: readonly QueuedRow[],
) {
  try {
    return await signEach(ports, turn, queued);
  } finally {
    await sendTogether(ports, turn);
  }
}

/** Settlements are handed over at once: the chain takes them in the order of their nonces. */
async function sendTogether(ports: OutgoingSenderPorts, turn: ClaimingTurn): Promise<void> {
  const rows = turn.together.splice(0);
  // What fails for one is no reason to leave the others behind: the turn has the account until all are through.
  const sent = await Promise.allSettled(rows.map((row) => send(ports, turn, row)));
  for (const one of sent) if (one.status === "rejected") throw one.reason;
}

async function signEach(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  queued: readonly QueuedRow[],
): Promise<{ readonly signed: number; readonly isStopped: boolean }> {
  let signed = 0;
  let isStopped = false;
  const unanswered: UnansweredRow[] = [];
  for (const row of queued) {
    await turn.keep();
    const result = await sendOne(ports, turn, row).catch(async (error: unknown) => {
      if (error instanceof UnreadableAction) {
        await deferUnreadable(ports, turn, { row, error });
        // Its nonce may be signed for it already: nothing goes before that.
        return row.reserved_nonce === null ? "skipped" : "stops";
      }
      if (!(error instanceof Unanswered)) throw error;
      // One that nobody can say anything about must not hold up all the others.
      await waitUnanswered(ports, row, error.cause);
      unanswered.push({ row, error: error.cause });
      if (unanswered.length < unansweredMax) return "skipped";
      // Nobody who has been signed for waits for these answers.
      await sendTogether(ports, turn);
      // What else there is of their tokens would end the next turns as well.
      await waitBeside(ports, turn, unanswered);
      throw error.cause;
    });
    isStopped = result === "stops";
    if (isStopped) break;
    if (result === "signed") signed += 1;
  }
  if (unanswered[0] !== undefined) throw unanswered[0].error;
  return { signed, isStopped };
}

/** Nobody could say what the chain would do with it; nothing is reserved for it. */
class Unanswered extends Error {}

/** stops: nothing goes before it, so the turn is over */
type Result = "signed" | "skipped" | "stops";

async function sendOne(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  row: QueuedRow,
): Promise<Result> {
  if (row.reserved_nonce !== null) return goOn(ports, turn, { ...row, nonce: row.reserved_nonce });
  const prepared = await prepare(ports, turn, row).catch((error: unknown) => {
    if (error instanceof UnreadableAction) throw error;
    throw new Unanswered("nobody answers", { cause: error });
  });
  if (prepared === undefined) return "skipped";
  const nonce = await claim(ports, turn, row);
  if (nonce === undefined) return "skipped";
  await ports.reached?.("claimed");
  const claimed = { ...prepared, nonce };
  // Nobody has asked for a signature with its nonce before, so a refusal means that there is none.
  return sign(ports, turn, { row, claimed }).catch(async (error: unknown) => {
    if (error instanceof SignerRefusal) await free(ports, turn, { ...row, nonce });
    await wait(ports, row, error);
    throw error;
  });
}

type ReservedRow = QueuedRow & { readonly nonce: bigint };

/** Its nonce may be signed for it already. */
async function goOn(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  row: ReservedRow,
): Promise<Result> {
  if (row.nonce < turn.minedCount) {
    // Another transaction has it: what was signed with it can never be mined.
    await free(ports, turn, row);
    return "skipped";
  }
  // Then nothing at all is signed.
  if (!row.is_free) return "stops";
  const steps = ports.steps[row.purpose];
  if (steps !== undefined) return goOnOrGiveUp(ports, turn, { row, steps });
  const claimed = { ...(await preparedAnyway(ports, turn, row)), nonce: row.nonce };
  if (!(await turn.funds.cover(spendingOf(claimed.action, claimed.gasUnitsMax)))) {
    await defer(ports, turn, { row, what: "account_cannot_pay" });
    return "stops";
  }
  return sign(ports, turn, { row, claimed }).catch(async (error: unknown) => {
    await wait(ports, row, error);
    throw error;
  });
}

async function goOnOrGiveUp(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  { row, steps }: { readonly row: ReservedRow; readonly steps: PurposeSteps },
): Promise<Result> {
  if (!row.sends_nothing && (await steps.isWanted(row.subject_id))) {
    const claimed = { ...(await preparedAnyway(ports, turn, row)), nonce: row.nonce };
    if (await turn.funds.cover(spendingOf(claimed.action, claimed.gasUnitsMax))) {
      const result = await sign(ports, turn, { row, claimed }).catch((error: unknown) => {
        // Unless it says that the nonce is somebody else's, it signs nothing at least.
        if (error instanceof SignerRefusal && !(error instanceof NonceTaken)) {
          return "refused" as const;
        }
        throw error;
      });
      if (result !== "refused") return result;
    }
  }
  return signNothing(ports, turn, row);
}

/** Its purpose hears of that once its nonce is used. */
async function signNothing(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  row: ReservedRow,
): Promise<Result> {
  const { id, nonce } = row;
  const emptied = { ...row, sends_nothing: true };
  const claimed = { ...(await preparedAnyway(ports, turn, emptied)), nonce };
  const facts = { ...factsOf(row), nonce: nonce.toString() };
  if (!(await turn.funds.cover(spendingOf(claimed.action, claimed.gasUnitsMax)))) {
    turn.alarm("account_cannot_pay", facts);
    return "stops";
  }
  if (!row.sends_nothing) {
    const values = { ...turn.lease, id, nonce, now: ports.clock.now() };
    if ((await ports.database.run(emptyOutgoing, values)).length === 0) return "stops";
    turn.alarm("withdrawal_given_up", facts);
    await ports.reached?.("given_up");
  }
  return sign(ports, turn, { row: emptied, claimed });
}

/** From here on it is signed with this nonce or not at all. Undefined: it may not be sent now. */
async function claim(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  { id, purpose, subject_id: subjectId }: QueuedRow,
): Promise<bigint | undefined> {
  const { database } = ports;
  const nonce = await nextNonce(ports, turn.lease, turn.minedCount);
  const values = { ...turn.lease, id, nonce };
  const steps = ports.steps[purpose];
  const isClaimed =
    steps === undefined
      ? (await database.run(reserveNonce, values)).length > 0
      : await allOrNothing(database, async (inside) => {
          if ((await inside.run(reserveNonce, values)).length === 0) return false;
          return steps.onClaimed(inside, subjectId);
        });
  return isClaimed ? nonce : undefined;
}

/** It waits again, without its nonce: nothing was signed with that, or it can never be mined. */
async function free(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  { id, nonce, purpose, subject_id: subjectId }: ReservedRow,
): Promise<void> {
  const values = { ...turn.lease, id, nonce, now: ports.clock.now() };
  await allOrNothing(ports.database, async (inside) => {
    if ((await inside.run(freeNonce, values)).length === 0) return false;
    await ports.steps[purpose]?.onFreed(inside, subjectId);
    return true;
  });
}

interface ToSign {
  readonly row: QueuedRow;
  readonly claimed: Claimed;
}

/** Stops: it was not stored, and has its nonce still. Throws what the signer throws. */
async function sign(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  { row, claimed }: ToSign,
): Promise<Result> {
  const { fees, lease, head } = turn;
  const { nonce, action, gasUnitsMax } = claimed;
  const intent = { nonce, action, gasUnitsMax, fees };
  const { txHash, raw } = await signFor(turn, row, intent).catch((error: unknown) => {
    turn.alarm("signer_refuses", { ...factsOf(row), err: error });
    throw error;
  });
  await ports.reached?.("signed");
  const { id, sends_nothing: sendsNothing } = row;
  const bytes = { id, attempt: 1, txHash, raw, signedAtBlock: head.number, now: ports.clock.now() };
  const values = { ...lease, ...fees, ...bytes, nonce, gasUnitsMax, sendsNothing };
  if (!(await isStored(ports, row, values))) return "stops";
  turn.funds.promise({ nonce, ...spendingOf(action, gasUnitsMax) });
  const { chainId } = lease;
  ports.observer?.onSigned({ chainId, purpose: row.purpose, isFirst: true });
  await ports.reached?.("stored");
  const stored: UnminedRow = {
    ...row,
    status: "broadcast",
    nonce,
    attempt: 1,
    raw,
    gas_units_max: gasUnitsMax,
    max_fee_per_gas: fees.maxFeePerGas.toString(),
    max_priority_fee_per_gas: fees.maxPriorityFeePerGas.toString(),
    signed_at_block: head.number,
    sent_at: null,
  };
  if (row.purpose === "x402_settlement") {
    turn.together.push(stored);
    return "signed";
  }
  // Those with lower nonces first: some nodes take none behind a gap.
  await sendTogether(ports, turn);
  await send(ports, turn, stored);
  return "signed";
}

async function isStored(
  { database, steps }: OutgoingSenderPorts,
  { purpose, subject_id: subjectId }: QueuedRow,
  values: Parameters<typeof storeSignedOutgoing.list>[0],
): Promise<boolean> {
  const step = steps[purpose];
  if (step === undefined) return (await database.run(storeSignedOutgoing, values)).length > 0;
  const { txHash, sendsNothing } = values;
  return allOrNothing(database, async (inside) => {
    if ((await inside.run(storeSignedOutgoing, values)).length === 0) return false;
    return step.onSigned(inside, { subjectId, txHash, isFirst: true, sendsNothing });
  });
}
