// A withdrawal that was sent, by a transaction that this database has forgotten: it was put back to a
// moment before. Said by an operator, it is confirmed or fails by the chain like any other, and its gas
// is booked; what waits would be paid a second time.

import { recordAudit } from "../audit/audit.sql.ts";
import { auditValues, checkedReason } from "../audit/audit.ts";
import { eventValues } from "../events/events.ts";
import { OperatorError } from "../operator-error.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import { lockAccountOf, readForgotten, rememberTransaction } from "../sending/forgotten.ts";
import type { Forgotten, ForgottenPorts, Remembered } from "../sending/forgotten.ts";
import { outgoingValues } from "../sending/model.ts";
import { queueOutgoingAgain } from "../sending/queue.sql.ts";
import {
  broadcastForgottenWithdrawal,
  claimForgottenWithdrawal,
  listSameWithdrawals,
  readForgottenWithdrawal,
  replaceForgottenTransaction,
} from "./forgotten.sql.ts";
import { isWithdrawalId, withdrawalEvent } from "./model.ts";
import type { Withdrawal } from "./model.ts";
import { withdrawalAudit } from "./policy.ts";
import { withdrawalOf } from "./withdrawals.ts";

export interface RememberedWithdrawal extends Remembered {
  /** as it is now */
  readonly withdrawal: Withdrawal;
  readonly address: string;
  /** others that wait, of the same recipient and amount: is it one of those? */
  readonly same: readonly SameWithdrawal[];
}

export interface SameWithdrawal {
  readonly id: string;
  readonly merchantId: string;
  readonly createdAt: Date;
}

/** More than a person compares. */
const sameMax = 20;

type Row = NonNullable<(typeof readForgottenWithdrawal)["row"]>;

export class ForgottenWithdrawals {
  readonly #ports: RecordingPorts & ForgottenPorts;

  constructor(ports: RecordingPorts & ForgottenPorts) {
    this.#ports = ports;
  }

  /**
   * Of one that is pending, or of one that was sent, and whose nonce was used by a transaction that is
   * not known here. Throws `OperatorError`, and nothing was changed then.
   */
  async remember(id: string, txHash: string, reason: string): Promise<RememberedWithdrawal> {
    checkedReason(reason);
    return await this.rememberFound(id, await this.read(id, txHash), reason);
  }

  /** What the chain says, before anything is decided: nodes may take their time. Throws `OperatorError`. */
  async read(id: string, txHash: string): Promise<Forgotten> {
    const { chain_id: chainId } = await find(this.#ports.database, id);
    return await readForgotten(this.#ports, chainId, txHash);
  }

  async rememberFound(id: string, found: Forgotten, reason: string): Promise<RememberedWithdrawal> {
    const why = checkedReason(reason);
    return await this.#ports.database.transaction(async (inside) => {
      const remembered = await this.#remember(inside, id, found);
      const { txHash: hash, nonce, account } = found;
      const details = { tx_hash: hash, nonce: nonce.toString(), account, reason: why };
      const draft = withdrawalAudit(this.#ports, remembered, "withdrawal.remembered", details);
      await inside.run(recordAudit, auditValues(draft));
      return remembered;
    });
  }

  async #remember(inside: Database, id: string, found: Forgotten): Promise<RememberedWithdrawal> {
    const subject = { purpose: "withdrawal", subjectId: id } as const;
    const { role, stopped } = await lockAccountOf(this.#ports, inside, { subject, found });
    const row = await find(inside, id);
    const { status, address } = row;
    if (status === "pending") {
      if (role !== "hot") {
        throw new OperatorError(`${found.account} pays no withdrawals: ${found.txHash} is none.`);
      }
      await this.#queue(inside, row, found);
    } else if (status !== "broadcast") throw new OperatorError(ended(row));
    const as = await rememberTransaction(this.#ports, inside, { subject, found });
    const sent = { ...withdrawalOf(row), status: "broadcast", txHash: found.txHash } as const;
    if (as === "first") await this.#send(inside, sent, found);
    else await this.#replace(inside, id, found);
    const same = await inside.run(listSameWithdrawals, { id, rowsMax: sameMax });
    return { withdrawal: sent, address, transaction: found, as, stopped, same: same.map(sameOf) };
  }

  /** As its sender would; where it waits for that already, from the account that has sent it. */
  async #queue(inside: Database, row: Row, { chainId, account }: Forgotten): Promise<void> {
    const values = outgoingValues(this.#ports, {
      chainId,
      account,
      signsAs: { role: "hot" },
      purpose: "withdrawal",
      subjectId: row.id,
      deploymentId: row.deployment_id,
      action: {
        kind: "transfer",
        to: row.address,
        contractAddress: row.contract_address,
        amountRaw: BigInt(row.send_amount_raw),
      },
      since: row.since,
    });
    try {
      await inside.run(queueOutgoingAgain, values);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw new OperatorError(`${row.id} is being queued just now: try again.`);
    }
  }

  /** The two steps of a withdrawal that leaves, with their events. */
  async #send(inside: Database, sent: Withdrawal, { txHash }: Forgotten): Promise<void> {
    const { id } = sent;
    const claimed: Withdrawal = { ...sent, status: "processing", txHash: null };
    const steps = [
      [claimForgottenWithdrawal, withdrawalEvent("withdrawal.processing", claimed)],
      [broadcastForgottenWithdrawal, withdrawalEvent("withdrawal.broadcast", sent)],
    ] as const;
    for (const [step, event] of steps) {
      const values = { id, now: this.#ports.clock.now(), txHash };
      const done = await inside.run(step, { ...values, ...eventValues(this.#ports, event) });
      // The merchant has cancelled it in between.
      if (done.length === 0) throw new OperatorError(`${id} is not pending any more: look again.`);
    }
  }

  /** What was decided by hand was about what was known then. */
  async #replace(inside: Database, id: string, { txHash }: Forgotten): Promise<void> {
    const values = { id, txHash, now: this.#ports.clock.now() };
    const replaced = await inside.run(replaceForgottenTransaction, values);
    if (replaced.length === 0) throw new OperatorError(`${id} has ended just now: look again.`);
  }
}

async function find(database: Database, id: string): Promise<Row> {
  const [row] = isWithdrawalId(id) ? await database.run(readForgottenWithdrawal, { id }) : [];
  if (row !== undefined) return row;
  throw new OperatorError(`There is no withdrawal ${id}.`);
}

function sameOf(row: NonNullable<(typeof listSameWithdrawals)["row"]>): SameWithdrawal {
  return { id: row.id, merchantId: row.merchant_id, createdAt: row.created_at };
}

/** What there is to do in place of it. */
function ended({ id, status }: Row): string {
  if (status === "processing") {
    return `${id} is about to be sent: when a server has run for two minutes it is broadcast, or pending again.`;
  }
  if (status === "confirmed") {
    return (
      `${id} is confirmed, by another transaction or by your word; in that case what its transaction took ` +
      'is booked with "ledger take --of gas".'
    );
  }
  return (
    `${id} is ${status}, and its merchant has the money again: book what was sent with "ledger take", ` +
    "and agree with the merchant."
  );
}
