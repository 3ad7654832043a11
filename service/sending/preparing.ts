// What a transaction of the queue would take now, by the chain's own word: nothing is signed that it
// says would fail. What cannot be sent waits, and others go first.

import { startOfDay } from "../ports/clock.ts";
import type { Estimate } from "../ports/settlement-chain.ts";
import type { ChainAction } from "../ports/signer.ts";
import { signedActionOf, spendingOf } from "./accounts.ts";
import type { UnreadableAction } from "./accounts.ts";
import type { SenderFunds } from "./funds.ts";
import { gasUnitsOf, hindranceOf } from "./gas-units.ts";
import type { Hindrance } from "./gas-units.ts";
import { sumMerchantSettlementGas, sumSettlementGas } from "./gas.sql.ts";
import { factsOf } from "./ports.ts";
import type { OutgoingSenderPorts, SenderAlarm } from "./ports.ts";
import type { UnminedRow } from "./resending.ts";
import { deferBesideUnanswered, deferOutgoing } from "./sender.sql.ts";
import type { listQueuedOutgoing } from "./sender.sql.ts";
import type { Turn } from "./turn.ts";

/** What cannot be sent now is looked at again after this. */
const deferMilliseconds = 60_000;
/** What the chain does not answer about waits as long as it has waited, and between these. */
const unansweredMillisecondsMin = 10_000;
const unansweredMillisecondsMax = 600_000;

export interface ClaimingTurn extends Turn {
  readonly funds: SenderFunds;
  /** by id, of those that were asked about at once */
  readonly estimates: ReadonlyMap<string, Promise<Estimate | undefined>>;
  /** signed, stored, and handed over at the end of the turn */
  readonly together: UnminedRow[];
}

export type QueuedRow = NonNullable<(typeof listQueuedOutgoing)["row"]>;

/**
 * Of settlements: each moves what its own payer has authorized, so that none changes what the chain says of
 * another. All are asked about in one request, directly before they are signed.
 */
export function estimatesOf(
  { chain }: Pick<Turn, "chain">,
  rows: readonly QueuedRow[],
): ReadonlyMap<string, Promise<Estimate | undefined>> {
  const estimates = new Map<string, Promise<Estimate | undefined>>();
  for (const row of rows) {
    if (row.purpose !== "x402_settlement" || row.reserved_nonce !== null) continue;
    const estimate = estimateOf(chain, row);
    // It is heard of when the turn comes to it, if that comes so far.
    estimate.catch(() => undefined);
    estimates.set(row.id, estimate);
  }
  return estimates;
}

/** Also what is thrown at once is heard of when the turn comes to it: the others are asked about. */
async function estimateOf(chain: Turn["chain"], row: QueuedRow): Promise<Estimate | undefined> {
  return await chain.estimate?.(row.account, signedActionOf(row));
}

export interface Prepared {
  readonly action: ChainAction;
  readonly gasUnitsMax: bigint;
}

/** Undefined: not now, and why is written down. */
export async function prepare(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  row: QueuedRow,
): Promise<Prepared | undefined> {
  const sent = sentOf(ports, turn, row);
  const action = signedActionOf(row);
  // Whoever fills up the account hears that it is too small, not that the transfer would fail.
  if (row.account_role === "hot" && !(await turn.funds.cover(spendingOf(action, 0n)))) {
    return defer(ports, turn, { row, what: "account_cannot_pay" });
  }
  // Asked with others, it may have failed for another's sake.
  const alone = () => turn.chain.estimate?.(row.account, action);
  const estimate = await (turn.estimates.get(row.id)?.catch(alone) ?? alone());
  const hindrance = estimate === undefined ? undefined : hindranceOf(sent, estimate);
  if (hindrance !== undefined) return impossible(ports, turn, { row, hindrance });
  const gasUnitsMax = gasUnitsOf(sent, action, estimate);
  const overrun = await overrunOf(ports, turn, { row, gasUnitsMax });
  if (overrun !== undefined) return defer(ports, turn, { row, what: overrun });
  if (await turn.funds.cover(spendingOf(action, gasUnitsMax))) return { action, gasUnitsMax };
  // Nobody fills up the address of a payment: what is swept from it is planned anew.
  if (row.account_role === "deposit") {
    const text = "the address has less than it takes";
    return impossible(ports, turn, { row, hindrance: { text, isAboveGasLimit: false } });
  }
  return defer(ports, turn, { row, what: "account_cannot_pay" });
}

async function impossible(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  { row, hindrance }: { readonly row: QueuedRow; readonly hindrance: Hindrance },
): Promise<undefined> {
  const { id, purpose, subject_id: subjectId } = row;
  const { text } = hindrance;
  await ports.onImpossible({ id, purpose, subjectId, ...hindrance });
  // If nobody took it back, it waits.
  turn.alarm("transaction_would_fail", { ...factsOf(row), text });
  await wait(ports, row, text);
}

/** Undefined: it may cost so much. */
async function overrunOf(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  { row, gasUnitsMax }: { readonly row: QueuedRow; readonly gasUnitsMax: bigint },
): Promise<SenderAlarm | undefined> {
  if (row.purpose !== "x402_settlement") return undefined;
  const { database, clock, gasBudgetRaw, merchantGasRaw } = ports;
  const { chainId, account } = turn.lease;
  const since = startOfDay(clock.nowMilliseconds());
  const costRaw = gasUnitsMax * turn.fees.maxFeePerGas;
  const budgetRaw = await gasBudgetRaw(chainId);
  if (budgetRaw !== null) {
    const [spent] = await database.run(sumSettlementGas, { chainId, account, since });
    if (BigInt(spent?.raw ?? 0) + costRaw > budgetRaw) return "gas_budget_used_up";
  }
  const partRaw = await merchantGasRaw(chainId);
  if (partRaw === null) return undefined;
  const of = { chainId, account, since, merchantId: null, settlementId: row.subject_id };
  const [spent] = await database.run(sumMerchantSettlementGas, of);
  return BigInt(spent?.raw ?? 0) + costRaw <= partRaw ? undefined : "merchant_gas_used_up";
}

/** What may be signed already is sent, whatever the chain says now, so that it holds up nothing. */
export async function preparedAnyway(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  row: QueuedRow,
): Promise<Prepared> {
  const sent = sentOf(ports, turn, row);
  const action = signedActionOf(row);
  const estimate = await turn.chain.estimate?.(row.account, action).catch(() => undefined);
  return { action, gasUnitsMax: gasUnitsOf(sent, action, estimate) };
}

function sentOf(
  { withdrawalGasUnitsMax }: OutgoingSenderPorts,
  { chain: { chainId } }: ClaimingTurn,
  { purpose }: QueuedRow,
) {
  return { chainId, purpose, withdrawalGasUnitsMax };
}

export async function defer(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  { row, what }: { readonly row: QueuedRow; readonly what: SenderAlarm },
): Promise<undefined> {
  turn.alarm(what, factsOf(row));
  await wait(ports, row, what);
}

/** The others go on. */
export async function deferUnreadable(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  { row, error }: { readonly row: QueuedRow; readonly error: UnreadableAction },
): Promise<void> {
  turn.alarm("action_unreadable", { ...factsOf(row), err: error });
  await wait(ports, row, error);
}

export interface UnansweredRow {
  readonly row: QueuedRow;
  readonly error: unknown;
}

/**
 * All that is due of the tokens that no node says anything about waits a little, and then goes behind the others: else
 * many turns would end for nothing, each after a longer pause, before anything else is sent. What is asked about a
 * transfer runs code of its receiver or payer, who can keep a node busy; so of each token it is asked what the account
 * has of it, where nobody has a say. Where that is answered, it is all that waits of whoever has asked for the transfer
 * which goes behind. Throws what the chain throws where it is away itself: then nobody is at fault.
 */
export async function waitBeside(
  ports: OutgoingSenderPorts,
  turn: ClaimingTurn,
  unanswered: readonly UnansweredRow[],
): Promise<void> {
  const { chain, lease } = turn;
  const silent = await silentTokensOf(turn, unanswered);
  const busy = unanswered.filter(({ row }) => !silent.has(row.deployment_id));
  const subjectIds = await besideOf(ports, lease.chainId, busy);
  if (silent.size === 0 && subjectIds.length === 0) return;
  await chain.fees();
  const [error = busy[0]?.error] = silent.values();
  const now = ports.clock.nowMilliseconds();
  await ports.database.run(deferBesideUnanswered, {
    chainId: lease.chainId,
    account: lease.account,
    deploymentIds: [...silent.keys()],
    subjectIds,
    problem: `beside unanswered: ${plain(textOf(error))}`,
    now: new Date(now),
    notBefore: new Date(now + unansweredMillisecondsMin),
  });
}

async function besideOf(
  { steps }: OutgoingSenderPorts,
  chainId: string,
  unanswered: readonly UnansweredRow[],
): Promise<readonly string[]> {
  const byPurpose = Map.groupBy(unanswered, ({ row }) => row.purpose);
  const all: string[] = [];
  for (const [purpose, rows] of byPurpose) {
    const ids = rows.map(({ row }) => row.subject_id);
    all.push(...((await steps[purpose]?.listBeside?.(chainId, ids)) ?? []));
  }
  return all;
}

/** What was thrown, by deployment. */
async function silentTokensOf(
  { chain }: ClaimingTurn,
  unanswered: readonly UnansweredRow[],
): Promise<ReadonlyMap<string, unknown>> {
  const silent = new Map<string, unknown>();
  const asked = new Set<string>();
  for (const { row } of unanswered) {
    const contractAddress = tokenOf(signedActionOf(row));
    if (contractAddress === null || asked.has(row.deployment_id)) continue;
    asked.add(row.deployment_id);
    try {
      await chain.balance(row.account, contractAddress);
    } catch (error) {
      silent.set(row.deployment_id, error);
    }
  }
  return silent;
}

/** Its contract; null: the chain's own coin. */
function tokenOf(action: ChainAction): string | null {
  if (action.kind === "transfer") return action.contractAddress;
  const { contractAddress } =
    action.kind === "collect" ? action.authorization : action.signed.authorization;
  return contractAddress;
}

/** Growing, and for it alone; `listQueuedOutgoing` knows it by its word. */
export async function waitUnanswered(
  ports: OutgoingSenderPorts,
  row: QueuedRow,
  error: unknown,
): Promise<void> {
  const age = ports.clock.nowMilliseconds() - row.created_at.getTime();
  const atLeast = Math.max(unansweredMillisecondsMin, age);
  const milliseconds = Math.min(atLeast, unansweredMillisecondsMax);
  await deferUntil(ports, row, { problem: `unanswered: ${textOf(error)}`, milliseconds });
}

/** `problem`: what was thrown, or why in words. */
export function wait(ports: OutgoingSenderPorts, row: QueuedRow, problem: unknown): Promise<void> {
  return deferUntil(ports, row, { problem, milliseconds: deferMilliseconds });
}

/** It cannot be sent now: others go first, and this one is looked at again later. */
async function deferUntil(
  ports: OutgoingSenderPorts,
  { id }: QueuedRow,
  { problem, milliseconds }: { readonly problem: unknown; readonly milliseconds: number },
): Promise<void> {
  const notBefore = new Date(ports.clock.nowMilliseconds() + milliseconds);
  await ports.database.run(deferOutgoing, { id, notBefore, problem: plain(textOf(problem)) });
}

/** The database keeps no U+0000, and people read it in a terminal. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

function textOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
