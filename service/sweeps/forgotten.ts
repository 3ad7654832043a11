// A sweep that was sent, by a transaction that this database has forgotten: it was put back to a moment
// before. The money is at the hot account or the treasury, and the books say that it lies at the address of a payment.
// Said by an operator, the sweep is planned as its job has planned it then, and the chain decides what became of it: its
// end books what was moved, and its gas.

import { recordAudit } from "../audit/audit.sql.ts";
import { auditValues, checkedReason } from "../audit/audit.ts";
import { readAddressBooks } from "../ledger/address-rounds.sql.ts";
import { OperatorError } from "../operator-error.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import {
  lockSenderOf,
  ofAnother,
  readForgotten,
  rememberTransaction,
} from "../sending/forgotten.ts";
import type {
  Forgotten,
  ForgottenPorts,
  ForgottenSender,
  NonceOwner,
  Remembered,
  Subject,
} from "../sending/forgotten.ts";
import { actionOf, doesSame, outgoingValues } from "../sending/model.ts";
import { withdrawOutgoing } from "../sending/queue.sql.ts";
import { findQueuedSweep, planForgottenSweep, readSweptPlace } from "./forgotten.sql.ts";
import { recognize } from "./recognizing.ts";
import type { Looking, Recognized } from "./recognizing.ts";
import { wayOf } from "./routes.ts";
import { failSweep, planConsolidation } from "./sweeps.sql.ts";

export interface RememberedSweep extends Subject, Remembered {
  /** it was not known before */
  readonly isPlanned: boolean;
}

type Planned = Recognized & { readonly id: string; readonly found: Forgotten };

export class ForgottenSweeps {
  readonly #ports: RecordingPorts & ForgottenPorts;

  constructor(ports: RecordingPorts & ForgottenPorts) {
    this.#ports = ports;
  }

  /**
   * Of a sweep, the coin for the gas of one, or what the settlement account had too much of; also of one
   * that is known and under way, whose nonce was used by a transaction that is not known here. Throws
   * `OperatorError`, and nothing was changed then.
   */
  async remember(chainId: string, txHash: string, reason: string): Promise<RememberedSweep> {
    checkedReason(reason);
    return await this.rememberFound(await this.read(chainId, txHash), reason);
  }

  /** What the chain says, before anything is decided: nodes may take their time. Throws `OperatorError`. */
  async read(chainId: string, txHash: string): Promise<Forgotten> {
    return await readForgotten(this.#ports, chainId, txHash);
  }

  async rememberFound(found: Forgotten, reason: string): Promise<RememberedSweep> {
    const { database, clock, catalog } = this.#ports;
    const why = checkedReason(reason);
    // Before: inside it might wait for the connection that the transaction has.
    const deployments = await catalog.allDeployments();
    return await database.transaction(async (inside) => {
      const sender = await lockSenderOf(this.#ports, inside, found);
      const subject = await this.#subjectOf(inside, found, { ...sender, deployments });
      const as = await rememberTransaction(this.#ports, inside, { subject, found });
      const audit = auditValues({
        occurredAt: clock.now(),
        actor: "operator",
        action: "sweep.remembered",
        subject: auditSubjectOf(subject),
        details: {
          chain_id: found.chainId,
          tx_hash: found.txHash,
          nonce: found.nonce.toString(),
          account: found.account,
          purpose: subject.purpose,
          reason: why,
        },
      });
      await inside.run(recordAudit, audit);
      return { ...subject, transaction: found, as, stopped: sender.stopped };
    });
  }

  /** What it was sent for: known here, or planned now. */
  async #subjectOf(
    inside: Database,
    found: Forgotten,
    { role, owner, deployments }: ForgottenSender & Pick<Looking, "deployments">,
  ): Promise<Subject & Pick<RememberedSweep, "isPlanned">> {
    if (owner !== undefined) return { ...underWay(found, owner), isPlanned: false };
    const queued = await queuedFor(inside, found);
    if (queued !== undefined) return { ...queued, isPlanned: false };
    const recognized = await recognize({ inside, found, role, deployments });
    const id = this.#ports.identifiers.next("swp");
    await this.#plan(inside, { ...recognized, id, found });
    return { purpose: recognized.kind, subjectId: id, isPlanned: true };
  }

  async #plan(inside: Database, planned: Planned): Promise<void> {
    if (planned.kind === "sweep") {
      await this.#planSweep(inside, planned);
      return;
    }
    const { amountRaw } = planned.route;
    const open = (await this.#placeOf(inside, planned))?.open_sweep ?? null;
    if (open !== null && !(await this.#takeOut(inside, open))) throw isUnderWay(planned, open);
    const status = planned.kind === "sweep_gas" ? ("gas" as const) : ("moving" as const);
    const values = { ...this.#values(planned), status, coveredRaw: amountRaw };
    if ((await inside.run(planConsolidation, values)).length === 0) throw isUnderWay(planned);
    if (planned.kind !== "sweep_gas") return;
    // The transfer that it was for is another transaction, and not waited for.
    const problem = "only the coin for its gas is remembered";
    await inside.run(failSweep, { id: planned.id, problem, now: this.#ports.clock.now() });
  }

  async #planSweep(inside: Database, planned: Planned): Promise<void> {
    const { place, found, route } = planned;
    const { blockNumber } = found;
    const { deployment, address } = place;
    const { chainId, id: deploymentId } = deployment;
    let seen = await this.#placeOf(inside, planned);
    const open = seen?.open_sweep ?? null;
    if (open !== null && (await this.#takeOut(inside, open))) {
      seen = await this.#placeOf(inside, planned);
    }
    if (seen === undefined || seen.read_number === null || seen.read_number < blockNumber) {
      throw new OperatorError(
        `${found.txHash} is of the block ${blockNumber}, and ${chainId} was read to ` +
          `${seen?.read_number ?? "none"} so far: wait until the server has read it.`,
      );
    }
    if (seen.open_sweep !== null) throw isUnderWay(planned, seen.open_sweep);
    const isExact = deployment.contractAddress !== null;
    const values = { ...this.#values(planned), status: "moving", blockNumber, isExact } as const;
    if ((await inside.run(planForgottenSweep, values)).length > 0) return;
    if (seen.waiting > 0) {
      throw new OperatorError(
        `${seen.waiting} of the deposits to ${address} are not final yet: wait until they are.`,
      );
    }
    const { amountRaw } = route;
    if (!(await this.#isMissed(inside, planned, BigInt(seen.short_raw)))) {
      throw new OperatorError(
        `${found.txHash} has moved ${amountRaw} of ${deploymentId} from ${address}, and its deposits ` +
          `that wait for a sweep do not fit: they come to ${seen.due_raw}. If there are several such ` +
          "transactions of it, say the oldest first.",
      );
    }
    const covered = { ...this.#values(planned), status: "moving", coveredRaw: amountRaw } as const;
    if ((await inside.run(planConsolidation, covered)).length === 0) throw isUnderWay(planned);
  }

  async #placeOf(inside: Database, { place, found: { blockNumber } }: Planned) {
    const { deployment, address } = place;
    const { chainId, id: deploymentId } = deployment;
    const [seen] = await inside.run(readSweptPlace, {
      chainId,
      deploymentId,
      address,
      blockNumber,
    });
    return seen;
  }

  /**
   * One that waits in the queue was planned without knowing what was sent, and would move what is not to
   * be moved. False: it has its nonce.
   */
  async #takeOut(inside: Database, id: string): Promise<boolean> {
    const now = this.#ports.clock.now();
    const problem = "what was sent before was remembered";
    for (const purpose of ["sweep", "sweep_gas", "consolidation"] as const) {
      const values = { purpose, subjectId: id, now, problem };
      if ((await inside.run(withdrawOutgoing, values)).length === 0) continue;
      await inside.run(failSweep, { id, problem, now });
      return true;
    }
    return false;
  }

  /** A sweep since the restore took care of those deposits, too, and did not find what they had brought. */
  async #isMissed(inside: Database, { place, route }: Planned, shortRaw: bigint): Promise<boolean> {
    const { deployment, address } = place;
    const { chainId, id: deploymentId, contractAddress } = deployment;
    const values = { deploymentId, chainId, isCoin: contractAddress === null, address };
    const [books] = await inside.run(readAddressBooks, values);
    const { amountRaw } = route;
    return shortRaw >= amountRaw && books !== undefined && BigInt(books.raw) >= amountRaw;
  }

  #values({ id, kind, place, route, draft }: Planned) {
    return {
      id,
      kind: kind === "consolidation" ? ("consolidation" as const) : ("sweep" as const),
      ...wayOf(place, route),
      now: this.#ports.clock.now(),
      ...outgoingValues(this.#ports, { ...draft, subjectId: id }),
    };
  }
}

/** What an entry of the audit log about it names. */
export function auditSubjectOf({ purpose, subjectId: id }: Subject) {
  return { type: purpose === "x402_release" ? "x402_settlement" : "sweep", id };
}

const purposes: ReadonlySet<string> = new Set([
  "sweep",
  "sweep_gas",
  "consolidation",
  "x402_release",
]);

/** It has the nonce here: the signer signs that for one thing only, so what was sent is that. */
function underWay(found: Forgotten, owner: NonceOwner): Subject {
  const { purpose, subjectId, action } = owner;
  if (!purposes.has(purpose) || !doesSame(action, found)) throw ofAnother(found, owner);
  return { purpose, subjectId };
}

/** The very same waits to be sent: it was queued before the backup, and sent after it. */
async function queuedFor(inside: Database, found: Forgotten): Promise<Subject | undefined> {
  const { chainId, account, transfer, collect } = found;
  const moved = transfer ?? collect;
  if (moved === undefined) return undefined;
  const { to, amountRaw } = moved;
  const authorizationNonce = collect?.nonce ?? "";
  const values = { chainId, account, amountRaw, to, authorizationNonce };
  const rows = await inside.run(findQueuedSweep, values);
  const same = rows.find(({ action }) => doesSame(actionOf(action), found));
  return same && { purpose: same.purpose, subjectId: same.subject_id };
}

function isUnderWay({ place, found }: Planned, sweepId?: string): OperatorError {
  const { deployment, address } = place;
  const named = sweepId === undefined ? "" : ` (${sweepId})`;
  return new OperatorError(
    `A sweep of ${deployment.id} at ${address} is under way here${named}, and it is not by ` +
      `${found.txHash}: wait for its end ("chain sweeps"), and say it again. ` +
      'Where "chain outgoing" asks for a word about it, say that first.',
  );
}
