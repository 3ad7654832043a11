// What the operator decides about withdrawals: fees, limits, those above them, and stopping all of
// them. It is what stands between a stolen key, or a stolen merchant, and the hot wallet (threat 67).

import { rawOf } from "../amounts.ts";
import { auditValues, checkedReason } from "../audit/audit.ts";
import type { AuditDraft } from "../audit/audit.ts";
import { eventValues } from "../events/events.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import { changedMeanwhile, type Look, OperatorError } from "../operator-error.ts";
import { UniqueViolation } from "../ports/database.ts";
import { readOutgoing } from "../sending/queue.sql.ts";
import {
  addWithdrawalFee,
  approveWithdrawal,
  decideWithdrawal,
  findWithdrawalById,
  listHeldWithdrawals,
  listWithdrawalStops,
  rejectWithdrawal,
  resumeWithdrawals,
  setWithdrawalLimits,
  stopWithdrawals,
} from "./policy.sql.ts";
import { isWithdrawalId, release, withdrawalEvent } from "./model.ts";
import { findDeploymentDecimals } from "../catalog/catalog.sql.ts";
import type { HoldReason } from "../database/words.ts";
import type { Withdrawal } from "./model.ts";
import { withdrawalOf } from "./withdrawals.ts";
import type { RecordingPorts } from "../ports/recording.ts";

const heldMax = 200;
/** Stands for every chain. */
export const everyChain = "*";

export interface HeldWithdrawal {
  readonly withdrawal: Withdrawal;
  readonly address: string;
  readonly because: HoldReason | null;
  readonly createdAt: Date;
}

export interface WithdrawalStop {
  /** or `everyChain` */
  readonly chainId: string;
  readonly reason: string;
  readonly since: Date;
  /** `operator`, `system` or both, who has said the newest reason first; null: nobody knows any more */
  readonly by: string | null;
}

/** What `resume` does. */
export interface Resuming {
  readonly lifted: WithdrawalStop;
  /** Stops of other names that touch what is resumed, as they stand afterwards. */
  readonly staying: readonly WithdrawalStop[];
}

/** All throw `OperatorError` for what cannot be done. */
export class WithdrawalPolicy {
  readonly #ports: RecordingPorts;

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
  }

  /** Those that wait for the operator, the oldest first. */
  async held(): Promise<readonly HeldWithdrawal[]> {
    const rows = await this.#ports.database.run(listHeldWithdrawals, { rowsMax: heldMax });
    return rows.map(heldOf);
  }

  async approve(id: string): Promise<HeldWithdrawal> {
    const held = await this.#find(id);
    const now = this.#ports.clock.now();
    const audit = auditValues(withdrawalAudit(this.#ports, held, "withdrawal.approved", {}));
    const rows = await this.#ports.database.run(approveWithdrawal, { id, now, ...audit });
    if (rows.length > 0) return held;
    throw new OperatorError(`${id} does not wait for an approval (${held.withdrawal.status}).`);
  }

  /** Any that is pending, above a limit or not; what was set aside for it is available again. */
  async reject(id: string, reason: string): Promise<HeldWithdrawal> {
    const text = checkedReason(reason);
    const held = await this.#find(id);
    const now = this.#ports.clock.now();
    const withdrawal = { ...held.withdrawal, status: "rejected", reason: text } as const;
    const rows = await this.#ports.database.run(rejectWithdrawal, {
      id,
      now,
      reason: text,
      ...auditValues(withdrawalAudit(this.#ports, held, "withdrawal.rejected", { reason: text })),
      ...eventValues(this.#ports, withdrawalEvent("withdrawal.rejected", withdrawal)),
      ...ledgerValues(this.#ports, release(withdrawal, now)),
    });
    if (rows.length > 0) return { ...held, withdrawal };
    throw new OperatorError(`${id} is not pending (${held.withdrawal.status}).`);
  }

  /**
   * Nothing more is claimed or signed there; what was signed already goes on. Where they are stopped already, the stop says
   * this reason as well.
   */
  async stop(chainId: string, reason: string): Promise<{ readonly wasStopped: boolean }> {
    const text = checkedReason(reason);
    for (const isAdded of [false, true]) {
      const details = { reason: text, ...(isAdded ? { was_stopped: true } : {}) };
      const draft = this.#chainAudit("withdrawals.stopped", chainId, details);
      // One time for both, by which the stop finds its entry.
      const values = { chainId, reason: text, isAdded, now: draft.occurredAt };
      const written = { ...values, ...auditValues(draft) };
      const [row] = await this.#ports.database.run(stopWithdrawals, written);
      if (row !== undefined) return { wasStopped: row.reason !== text };
    }
    throw new OperatorError("They are stopped already, and for this reason.");
  }

  /**
   * Lifts the stop of this name, and no other one: neither one of another name, nor one that stands in its place by then.
   * @param look throws where it is not what somebody meant
   */
  async resume(chainId: string, look: Look<Resuming> = () => undefined): Promise<Resuming> {
    const found = await this.#resuming(chainId);
    look(found);
    const { reason, since } = found.lifted;
    const details = { reason, since: since.toISOString() };
    const audit = auditValues(this.#chainAudit("withdrawals.resumed", chainId, details));
    const values = { chainId, reason, since, ...audit };
    if ((await this.#ports.database.run(resumeWithdrawals, values)).length > 0) {
      // Another one may have come since the look, and what was lifted may stand again.
      return { lifted: found.lifted, staying: touching(chainId, await this.#stops()) };
    }
    // Says what stands there now, or that nothing does.
    look(await this.#resuming(chainId));
    throw new OperatorError(changedMeanwhile);
  }

  async #resuming(chainId: string): Promise<Resuming> {
    checkChainName(chainId);
    const stops = await this.#stops();
    const lifted = stops.find((one) => one.chainId === chainId);
    if (lifted === undefined) throw new OperatorError("They are not stopped.");
    return { lifted, staying: touching(chainId, stops).filter((one) => one !== lifted) };
  }

  async #stops(): Promise<readonly WithdrawalStop[]> {
    return (await this.#ports.database.run(listWithdrawalStops, {})).map(stopOf);
  }

  /** In units of the asset, such as 0.5; for withdrawals that are requested from now on. */
  async setFee(deploymentId: string, amount: string): Promise<{ readonly version: bigint }> {
    const decimals = await this.#decimals(deploymentId);
    const feeRaw = rawOf(amount, decimals, "fee");
    const details = { fee_raw: feeRaw.toString() };
    const draft = this.#deploymentAudit("withdrawal_fee.set", deploymentId, details);
    const values = { deploymentId, feeRaw, now: this.#ports.clock.now(), ...auditValues(draft) };
    try {
      const [row] = await this.#ports.database.run(addWithdrawalFee, values);
      return { version: row?.version ?? 0n };
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw new OperatorError("Somebody else has just set this fee. Look, and try again.");
    }
  }

  /** In units of the asset; null: none. What is above waits for `approve`. */
  async setLimits(
    deploymentId: string,
    limits: { readonly single: string | null; readonly daily: string | null },
  ): Promise<void> {
    const decimals = await this.#decimals(deploymentId);
    const rawOrNull = (text: string | null): bigint | null =>
      text === null ? null : rawOf(text, decimals, "limit");
    const singleMaxRaw = rawOrNull(limits.single);
    const dailyMaxRaw = rawOrNull(limits.daily);
    const details = {
      single_max_raw: singleMaxRaw?.toString() ?? null,
      daily_max_raw: dailyMaxRaw?.toString() ?? null,
    };
    const draft = this.#deploymentAudit("withdrawal_limits.set", deploymentId, details);
    const values = { deploymentId, singleMaxRaw, dailyMaxRaw, now: this.#ports.clock.now() };
    await this.#ports.database.run(setWithdrawalLimits, { ...values, ...auditValues(draft) });
  }

  /**
   * Says what became of one whose transaction is final and moved something else than was asked for, and
   * of no other one. Where the chain itself says it after all, that counts, and not this.
   */
  async decide(
    id: string,
    decidedAs: "confirmed" | "failed",
    reason: string,
  ): Promise<HeldWithdrawal> {
    const found = await this.#find(id);
    const details = { decided_as: decidedAs, reason: checkedReason(reason) };
    const audit = auditValues(withdrawalAudit(this.#ports, found, "withdrawal.decided", details));
    const values = { id, decidedAs, now: this.#ports.clock.now(), ...audit };
    const rows = await this.#ports.database.run(decideWithdrawal, values);
    if (rows.length === 0) throw new OperatorError(await this.#notUnclear(id));
    return found;
  }

  /** Why there is nothing to decide, and what there is to do. */
  async #notUnclear(id: string): Promise<string> {
    const { withdrawal } = await this.#find(id);
    const { status } = withdrawal;
    if (status === "pending") {
      return `${id} is pending: nothing was sent, and "withdrawal reject" takes it back.`;
    }
    if (status !== "processing" && status !== "broadcast") {
      return `${id} has ended: it is ${status}.`;
    }
    const sent = { purpose: "withdrawal", subjectId: id } as const;
    const [found] = await this.#ports.database.run(readOutgoing, sent);
    const unmeasuredAt = found?.unmeasured_at?.toISOString();
    if (unmeasuredAt !== undefined) {
      return (
        `What the transaction ${found?.tx_hash ?? ""} of ${id} has moved is not known since ${unmeasuredAt}: ` +
        "its node has forgotten the balances of that block (alarm move_unmeasured). An archive node in " +
        "EVM_RPC_URLS ends that; then decide, if there is still something to decide."
      );
    }
    const signedAt = found?.signed_at?.toISOString();
    const transaction =
      signedAt === undefined
        ? "transaction, which is being signed"
        : `transaction ${found?.tx_hash ?? ""}, signed at ${signedAt}`;
    return (
      `Nothing of ${id} is unclear: the chain says what becomes of its ${transaction}. Where that moves ` +
      "something else than was asked for, the alarm unclear_transfer tells: decide then."
    );
  }

  async #find(id: string): Promise<HeldWithdrawal> {
    const [row] = isWithdrawalId(id)
      ? await this.#ports.database.run(findWithdrawalById, { id })
      : [];
    if (row !== undefined) return heldOf(row);
    throw new OperatorError(`There is no withdrawal ${id}.`);
  }

  async #decimals(deploymentId: string): Promise<number> {
    const [row] = await this.#ports.database.run(findDeploymentDecimals, { id: deploymentId });
    if (row !== undefined) return row.decimals;
    throw new OperatorError(`There is no deployment ${deploymentId}.`);
  }

  #chainAudit(action: AuditDraft["action"], chainId: string, details: object): AuditDraft {
    checkChainName(chainId);
    const subject = { type: "chain", id: chainId };
    return { occurredAt: this.#ports.clock.now(), actor: "operator", action, subject, details };
  }

  #deploymentAudit(action: AuditDraft["action"], id: string, details: object): AuditDraft {
    const subject = { type: "deployment", id };
    return { occurredAt: this.#ports.clock.now(), actor: "operator", action, subject, details };
  }
}

function checkChainName(chainId: string): void {
  if (/^(?:\*|[a-z0-9-]{3,8}:[A-Za-z0-9_-]{1,32})$/.test(chainId)) return;
  throw new OperatorError("A chain is named like eip155:8453, and * names all.");
}

/** Those that hold what the named stop holds, or a part of it. */
function touching(chainId: string, stops: readonly WithdrawalStop[]): readonly WithdrawalStop[] {
  if (chainId === everyChain) return stops;
  return stops.filter((one) => one.chainId === everyChain || one.chainId === chainId);
}

type StopRow = NonNullable<(typeof listWithdrawalStops)["row"]>;

function stopOf({ chain_id: chainId, reason, since, stopped_by: by }: StopRow): WithdrawalStop {
  return { chainId, reason, since, by };
}

type PolicyRow = NonNullable<(typeof findWithdrawalById)["row"]>;

function heldOf(row: PolicyRow): HeldWithdrawal {
  return {
    withdrawal: withdrawalOf(row),
    address: row.address,
    because: row.held_because,
    createdAt: row.created_at,
  };
}

/** What an entry about it says, beside why. */
export function withdrawalAudit(
  { clock }: Pick<RecordingPorts, "clock">,
  { withdrawal }: Pick<HeldWithdrawal, "withdrawal">,
  ...[action, more]: readonly [AuditDraft["action"], object]
): AuditDraft {
  const { id, owner, deploymentId, sendAmountRaw } = withdrawal;
  return {
    occurredAt: clock.now(),
    actor: "operator",
    action,
    merchantId: owner.merchantId,
    environment: owner.environment,
    subject: { type: "withdrawal", id },
    details: { deployment_id: deploymentId, send_amount_raw: sendAmountRaw.toString(), ...more },
  };
}
