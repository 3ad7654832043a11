// Money that was sent back, by a transaction that this database has forgotten: it was put back to a moment
// before. Said by an operator, the chain decides what became of it, as of any other; what waits would be sent a
// second time.
//
// Locks are taken in the order of the others that take two of them: the account before what is sent, as the sender
// does; what is not signed after its way out, like whoever takes that back; what is signed without it, since the
// confirmer takes them the other way round, and ends both at once.

import { recordAudit } from "../audit/audit.sql.ts";
import { auditValues, checkedReason } from "../audit/audit.ts";
import { OperatorError } from "../operator-error.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import { lockAccountOf, readForgotten, rememberTransaction } from "../sending/forgotten.ts";
import type { Forgotten, ForgottenPorts, Remembered } from "../sending/forgotten.ts";
import { outgoingValues } from "../sending/model.ts";
import { queueOutgoingAgain, readOutgoing } from "../sending/queue.sql.ts";
import { findExit } from "./exits.sql.ts";
import { readForgottenRefund, forgetExitDecision } from "./forgotten.sql.ts";
import { lockExit } from "./refunds.ts";

export interface RememberedRefund extends Remembered {
  readonly exitId: string;
  readonly deploymentId: string;
  readonly amountRaw: bigint;
  readonly address: string;
}

type Row = NonNullable<(typeof readForgottenRefund)["row"]>;

interface Refund extends Row {
  readonly address: string;
  readonly signs_as: "hot" | "settlement";
}

export class ForgottenRefunds {
  readonly #ports: RecordingPorts & ForgottenPorts;

  constructor(ports: RecordingPorts & ForgottenPorts) {
    this.#ports = ports;
  }

  /**
   * Of one that waits, or of one that was sent, and whose nonce was used by a transaction that is not known
   * here. Throws `OperatorError`, and nothing was changed then.
   */
  async remember(id: string, txHash: string, reason: string): Promise<RememberedRefund> {
    checkedReason(reason);
    return await this.rememberFound(id, await this.read(id, txHash), reason);
  }

  /** What the chain says, before anything is decided: nodes may take their time. Throws `OperatorError`. */
  async read(id: string, txHash: string): Promise<Forgotten> {
    const { chain_id: chainId } = await find(this.#ports.database, id);
    return await readForgotten(this.#ports, chainId, txHash);
  }

  async rememberFound(id: string, found: Forgotten, reason: string): Promise<RememberedRefund> {
    const why = checkedReason(reason);
    return await this.#ports.database.transaction(async (inside) => {
      const refund = await find(inside, id);
      const remembered = await this.#remember(inside, refund, found);
      await this.#record(inside, id, { found, why });
      const { deployment_id: deploymentId, amount_raw: raw, address } = refund;
      const amountRaw = BigInt(raw);
      return { exitId: id, deploymentId, amountRaw, address, ...remembered };
    });
  }

  async #remember(inside: Database, refund: Refund, found: Forgotten): Promise<Remembered> {
    const { id } = refund;
    const subject = { purpose: "refund", subjectId: id } as const;
    const { role, stopped } = await lockAccountOf(this.#ports, inside, { subject, found });
    const [sent] = await inside.run(readOutgoing, subject);
    if (sent?.status !== "broadcast") {
      if (role !== refund.signs_as) {
        throw new OperatorError(
          `${id} leaves from the ${refund.signs_as} account, and ${found.txHash} from ${found.account}.`,
        );
      }
      const { status } = await lockExit(inside, id);
      if (status !== "waiting") throw new OperatorError(ended(id, status));
      await inside.run(queueOutgoingAgain, this.#values(refund, found));
    }
    const as = await rememberTransaction(this.#ports, inside, { subject, found });
    // What was decided by hand was about what was known then.
    if (as === "further")
      await inside.run(forgetExitDecision, { id, now: this.#ports.clock.now() });
    return { transaction: found, as, stopped };
  }

  /** As its sender would; where it waits for that already, from the account that has sent it. */
  #values(refund: Refund, { chainId, account }: Forgotten) {
    const { address: to, contract_address: contractAddress, amount_raw: raw } = refund;
    return outgoingValues(this.#ports, {
      chainId,
      account,
      signsAs: { role: refund.signs_as },
      purpose: "refund",
      subjectId: refund.id,
      deploymentId: refund.deployment_id,
      action: { kind: "transfer", to, contractAddress, amountRaw: BigInt(raw) },
      since: refund.created_at,
    });
  }

  async #record(
    inside: Database,
    id: string,
    { found, why }: { readonly found: Forgotten; readonly why: string },
  ): Promise<void> {
    const [exit] = await inside.run(findExit, { id });
    const { merchant_id: merchantId = null, environment = null } = exit ?? {};
    const whose = merchantId === null || environment === null ? {} : { merchantId, environment };
    const { txHash, nonce, account } = found;
    const draft = {
      occurredAt: this.#ports.clock.now(),
      actor: "operator",
      action: "suspense.remembered",
      ...whose,
      subject: { type: "suspense_exit", id },
      details: { tx_hash: txHash, nonce: nonce.toString(), account, reason: why },
    } as const;
    await inside.run(recordAudit, auditValues(draft));
  }
}

async function find(database: Database, id: string): Promise<Refund> {
  const [row] = await database.run(readForgottenRefund, { id });
  if (row === undefined) throw new OperatorError(`There is no ${id}.`);
  const { address, signs_as } = row;
  if (address === null || signs_as === null) {
    throw new OperatorError(`${id} sends nothing back.`);
  }
  return { ...row, address, signs_as };
}

/** What there is to do in place of it. */
function ended(id: string, status: string): string {
  if (status === "done") return `${id} has ended: it was sent by another transaction.`;
  return (
    `${id} has ended: it is ${status}, and its money waits for a decision again. While withdrawals are ` +
    'stopped, order it again with "suspense return", and say it of that one.'
  );
}
