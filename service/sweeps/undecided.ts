// What became of a sweep, the coin for one, or what goes back to an x402 payer, whose nonce was used by a transaction
// that is not known here. If it is our own one, it is remembered; if it is not, an operator says so, and shows it.

import { auditValues, checkedReason } from "../audit/audit.ts";
import { OperatorError } from "../operator-error.ts";
import type { StoragePorts } from "../ports/recording.ts";
import { decideOutgoing, findUndecided } from "../sending/confirmer.sql.ts";
import { isSameAddress } from "../sending/fate.ts";
import { deedText, readMined } from "../sending/forgotten.ts";
import type { Forgotten, ForgottenPorts, OtherForgotten, Subject } from "../sending/forgotten.ts";
import { actionOf, doesSame } from "../sending/model.ts";
import { auditSubjectOf } from "./forgotten.ts";

/** What has the nonce was looked at, and does something else. */
export interface Foreign extends Subject {
  readonly outgoingId: string;
  /** since when it waits for a word; another loss of the nonce is another question */
  readonly unclearAt: Date;
  readonly txHash: string;
  /** for people */
  readonly does: string;
}

type Undecided = NonNullable<(typeof findUndecided)["row"]>;

/** Throws `OperatorError`, and nothing was changed then. */
export class UndecidedSends {
  readonly #ports: StoragePorts & ForgottenPorts;

  constructor(ports: StoragePorts & ForgottenPorts) {
    this.#ports = ports;
  }

  /** It ends as failed, and what it was for is open again. Gives what was looked at. */
  async decideFailed(subjectId: string, txHash: string, reason: string): Promise<Foreign> {
    checkedReason(reason);
    const foreign = await this.read(subjectId, txHash);
    await this.decideForeign(foreign, reason);
    return foreign;
  }

  /** Looks at the transaction that has used the nonce: nodes may take their time. */
  async read(subjectId: string, given: string): Promise<Foreign> {
    const [row] = await this.#ports.database.run(findUndecided, { subjectId });
    if (row === undefined) throw notUndecided(subjectId);
    const found = await readMined(this.#ports, row.chain_id, given);
    refuseOwn(subjectId, row, found);
    const { id: outgoingId, purpose, unclear_at: unclearAt } = row;
    const { txHash } = found;
    const does =
      found.raw === undefined ? "of a kind that no signer of ours makes" : deedText(found);
    return { purpose, subjectId, outgoingId, unclearAt, txHash, does };
  }

  async decideForeign(foreign: Foreign, reason: string): Promise<void> {
    const { database, clock } = this.#ports;
    const { outgoingId, unclearAt, txHash } = foreign;
    const now = clock.now();
    const audit = auditValues({
      occurredAt: now,
      actor: "operator",
      action: "outgoing.decided",
      subject: auditSubjectOf(foreign),
      details: { decided_as: "failed", tx_hash: txHash, reason: checkedReason(reason) },
    });
    const decided = await database.run(decideOutgoing, { outgoingId, unclearAt, now, ...audit });
    if (decided.length === 0) throw notUndecided(foreign.subjectId);
  }
}

function refuseOwn(subjectId: string, row: Undecided, found: Forgotten | OtherForgotten): void {
  const { txHash, account, nonce, chainId } = found;
  if (!isSameAddress(account, row.account) || nonce !== row.nonce) {
    throw new OperatorError(
      `${txHash} has the nonce ${nonce} of ${account}, and ${subjectId} was sent with the nonce ${row.nonce} of ` +
        `${row.account}: look for the one that has that.`,
    );
  }
  if (found.raw === undefined || !doesSame(actionOf(row.action), found)) return;
  throw new OperatorError(
    `${txHash} is just what ${subjectId} sends: say it with "chain remember ${chainId} --transaction ${txHash}".`,
  );
}

function notUndecided(subjectId: string): OperatorError {
  return new OperatorError(
    `Nothing of ${subjectId} waits for that: the chain says what becomes of it, or somebody has said it. Where ` +
      "the chain cannot, the alarm number_used_by_another tells, and chain outgoing says so.",
  );
}
