// What an operator does with the ledger: look, book moves of its own money, and end a freeze. Nothing
// here moves what belongs to a merchant.

import { amountOf } from "../amounts.ts";
import { isLasting } from "./account-check.ts";
import { listAccountDifferences } from "./account-check.sql.ts";
import { listAddressRounds } from "./address-rounds.sql.ts";
import { auditValues } from "../audit/audit.ts";
import type { Balance } from "./by-hand.ts";
import { OwnMoney } from "./own-money.ts";
import { verifyLedger } from "./verifier.ts";
import type { LedgerVerdict } from "./verifier.ts";
import { changedMeanwhile, type Look, OperatorError } from "../operator-error.ts";
import { readMerchantBalances, readTotalBalances } from "./balances.sql.ts";
import { listFreezes, unfreezeDeployment } from "./reserve.sql.ts";
import type { RecordingPorts } from "../ports/recording.ts";

export interface Freeze {
  readonly deploymentId: string;
  readonly reason: string;
  readonly since: Date;
}

/** An account that holds something else than the books say. */
export interface ShownDifference {
  readonly deploymentId: string;
  /** such as `hot` */
  readonly account: string;
  /** decimal text, held less booked */
  readonly above: string;
  readonly held: string;
  readonly booked: string;
  readonly blockNumber: bigint;
  readonly since: Date;
}

/** How far the comparison of the addresses of payments has got: each is looked at once in a round. */
export interface ShownRound {
  readonly deploymentId: string;
  /** null: none has ended yet */
  readonly last: (RoundPart & { readonly endedAt: Date }) | null;
  /** null: the next page begins one */
  readonly running: RoundPart | null;
  /** null: none is to be asked about again */
  readonly leftOut: { readonly addresses: bigint; readonly since: Date } | null;
}

interface RoundPart {
  readonly startedAt: Date;
  readonly runs: number;
  readonly addresses: bigint;
}

/** Throws `OperatorError` for what cannot be done. */
export class LedgerOperations {
  readonly #ports: RecordingPorts;
  readonly own: OwnMoney;

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
    this.own = new OwnMoney(ports);
  }

  verify(): Promise<LedgerVerdict> {
    return verifyLedger(this.#ports);
  }

  /** Of one merchant; null: the platform's, and those of all merchants added up. */
  async balances(merchantId: string | null): Promise<readonly Balance[]> {
    const { database } = this.#ports;
    const rows = await (merchantId === null
      ? database.run(readTotalBalances, {})
      : database.run(readMerchantBalances, { merchantId }));
    return rows.map((row) => {
      const raw = BigInt(row.balance);
      const { deployment_id: deploymentId, kind: account, merchant_id: merchantId } = row;
      const amount = amountOf(raw, row.decimals);
      return { deploymentId, account, merchantId, environment: row.environment, raw, amount };
    });
  }

  /** Those that two comparisons in a row have found. */
  async differences(): Promise<readonly ShownDifference[]> {
    const rows = await this.#ports.database.run(listAccountDifferences, {});
    const lasting = rows.filter(({ since, checked_at: last }) => isLasting(since, last));
    return lasting.map((row) => {
      const [heldRaw, bookedRaw] = [BigInt(row.held_raw), BigInt(row.booked_raw)];
      const { deployment_id: deploymentId, account, decimals, since } = row;
      return {
        deploymentId,
        account,
        above: amountOf(heldRaw - bookedRaw, decimals),
        held: amountOf(heldRaw, decimals),
        booked: amountOf(bookedRaw, decimals),
        blockNumber: row.block_number,
        since,
      };
    });
  }

  /** Of deployments that have such addresses. */
  async addressRounds(): Promise<readonly ShownRound[]> {
    const rows = await this.#ports.database.run(listAddressRounds, {});
    return rows.map((row) => {
      const { started_at: startedAt, runs, addresses, last_runs, last_addresses } = row;
      const { last_started_at: lastStartedAt, last_ended_at: endedAt } = row;
      const { left_out_since: since } = row;
      const last = { runs: last_runs ?? 0, addresses: last_addresses ?? 0n };
      return {
        deploymentId: row.deployment_id,
        last: lastStartedAt && endedAt && { startedAt: lastStartedAt, endedAt, ...last },
        running: startedAt && { startedAt, runs, addresses },
        leftOut: since && { addresses: BigInt(row.left_out), since },
      };
    });
  }

  async freezes(): Promise<readonly Freeze[]> {
    const rows = await this.#ports.database.run(listFreezes, {});
    return rows.map(({ deployment_id: deploymentId, reason, since }) => ({
      deploymentId,
      reason,
      since,
    }));
  }

  /**
   * Gives what was ended. Where the gap is still there, the next check freezes again.
   * @param look throws where it is not what somebody meant
   */
  async unfreeze(deploymentId: string, look: Look<Freeze> = () => undefined): Promise<Freeze> {
    const { database, clock } = this.#ports;
    const freeze = await this.#freezeOf(deploymentId);
    look(freeze);
    const { reason, since } = freeze;
    const audit = auditValues({
      occurredAt: clock.now(),
      actor: "operator",
      action: "deployment.unfrozen",
      subject: { type: "deployment", id: deploymentId },
      details: { reason, since: since.toISOString() },
    });
    const values = { deploymentId, since, reason, ...audit };
    const lifted = await database.run(unfreezeDeployment, values);
    if (lifted.length > 0) return freeze;
    // Says what stands there now, or that nothing does.
    look(await this.#freezeOf(deploymentId));
    throw new OperatorError(changedMeanwhile);
  }

  async #freezeOf(deploymentId: string): Promise<Freeze> {
    const freeze = (await this.freezes()).find((one) => one.deploymentId === deploymentId);
    if (freeze === undefined) throw new OperatorError(`${deploymentId} is not frozen.`);
    return freeze;
  }
}
