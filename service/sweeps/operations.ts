// What an operator does with what is on its way: look, and have addresses swept now.

import { auditValues } from "../audit/audit.ts";
import { amountOf } from "../amounts.ts";
import { OperatorError } from "../operator-error.ts";
import type { OutgoingPurpose, OutgoingStatus } from "../database/words.ts";
import { countSweepable, listOpenOutgoing, listSweeps, orderSweep } from "./operations.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

const shownMax = 100;

/** What an ordinary sweep of a token takes. */
export const sweepGasUnits = 100_000n;

export interface ShownSweep {
  readonly id: string;
  readonly deploymentId: string;
  readonly address: string;
  readonly status: string;
  readonly target: string;
  readonly amountRaw: bigint;
  readonly problem: string | null;
  readonly createdAt: Date;
}

export interface ShownOutgoing {
  readonly id: string;
  readonly chainId: string;
  readonly account: string;
  readonly purpose: OutgoingPurpose;
  readonly subjectId: string;
  readonly status: OutgoingStatus;
  readonly txHash: string | null;
  /** of its account; null: it has none yet */
  readonly nonce: bigint | null;
  readonly problem: string | null;
  readonly createdAt: Date;
}

export interface SweepPreview {
  readonly deploymentId: string;
  readonly addresses: number;
  /** decimal text */
  readonly amount: string;
  readonly gasUnits: bigint;
}

const unmeasured = "the nodes do not say what it has moved";
const unknown =
  "its nonce was used by a transaction that is not known here: chain remember, or chain decide";

/** Throws `OperatorError` for what cannot be done. */
export class ChainOperations {
  readonly #ports: StoragePorts;

  constructor(ports: StoragePorts) {
    this.#ports = ports;
  }

  /** With the next run of the job, by whichever process has the chain. */
  async orderSweep(chainId: string): Promise<void> {
    const now = this.#ports.clock.now();
    const audit = auditValues({
      occurredAt: now,
      actor: "operator",
      action: "sweep.ordered",
      subject: { type: "chain", id: chainId },
      details: {},
    });
    const rows = await this.#ports.database.run(orderSweep, { chainId, now, ...audit });
    if (rows.length === 0) throw new OperatorError(`The catalog has nothing on ${chainId}.`);
  }

  /** What an order would move, and at most how much gas that takes; nothing is ordered. */
  async previewSweep(chainId: string): Promise<readonly SweepPreview[]> {
    const rows = await this.#ports.database.run(countSweepable, { chainId });
    return rows.map((row) => ({
      deploymentId: row.deployment_id,
      addresses: row.addresses,
      amount: amountOf(BigInt(row.raw), row.decimals),
      gasUnits: BigInt(row.addresses) * sweepGasUnits,
    }));
  }

  /** The newest. */
  async sweeps(): Promise<readonly ShownSweep[]> {
    const rows = await this.#ports.database.run(listSweeps, { rowsMax: shownMax });
    return rows.map((row) => ({
      id: row.id,
      deploymentId: row.deployment_id,
      address: row.address,
      status: row.status,
      target: row.target,
      amountRaw: BigInt(row.amount_raw),
      problem: row.problem,
      createdAt: row.created_at,
    }));
  }

  /** What waits, or is not final: the oldest. */
  async openOutgoing(): Promise<readonly ShownOutgoing[]> {
    const rows = await this.#ports.database.run(listOpenOutgoing, { rowsMax: shownMax });
    return rows.map((row) => ({
      id: row.id,
      chainId: row.chain_id,
      account: row.account,
      purpose: row.purpose,
      subjectId: row.subject_id,
      status: row.status,
      txHash: row.tx_hash,
      nonce: row.nonce,
      problem: problemOf(row),
      createdAt: row.created_at,
    }));
  }
}

type OpenRow = NonNullable<(typeof listOpenOutgoing)["row"]>;

function problemOf({ is_undecided, unmeasured_at, last_problem }: OpenRow): string | null {
  if (is_undecided) return unknown;
  return unmeasured_at === null ? last_problem : unmeasured;
}
