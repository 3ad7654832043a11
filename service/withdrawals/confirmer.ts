// Decides what became of withdrawals that were sent: by the receipts of all transactions that were
// signed for one, once they are so deep that they stay. Nothing here goes back to sending.
//
// Several processes may do it at once: each end is written to what is still `broadcast`, and posted
// to the ledger once.

import { checkEach, finalNumberOf, viewOf } from "../sending/confirming.ts";
import { eventValues } from "../events/events.ts";
import { gasValues } from "../sending/gas.ts";
import type { CatalogReader } from "../catalog/catalog.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Chain, ChainHead, ChainReceipt } from "../ports/chain.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import { postTransaction } from "../ledger/ledger.sql.ts";
import {
  confirmWithdrawal,
  failWithdrawal,
  listBroadcast,
  markChecked,
  sumInFlight,
} from "./confirmer.sql.ts";
import { release, settlement, withdrawalEvent } from "./model.ts";
import type { Withdrawal } from "./model.ts";
import { verdictOf } from "./verdict.ts";
import type { FailureReason, Verdict } from "./verdict.ts";
import { withdrawalOf } from "./withdrawals.ts";

const checkedMax = 50;
/** How often the chain is asked about the same withdrawal. */
const recheckMilliseconds = 5_000;

/** Where a test lets the process die. */
export type ConfirmerPoint = "asked" | "ended";

export type ConfirmerAlarm =
  | "finality_unknown"
  | "nothing_moved"
  | "number_used_by_another"
  | "transaction_reverted"
  | "unclear_transfer";

export interface ConfirmerPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly catalog: Pick<CatalogReader, "current">;
  readonly chains: readonly Chain[];
  readonly alarm: (what: ConfirmerAlarm, facts: Readonly<Record<string, unknown>>) => void;
  /** only tests have something to do there */
  readonly reached?: (point: ConfirmerPoint) => Promise<void>;
}

type BroadcastRow = NonNullable<(typeof listBroadcast)["row"]>;

interface End {
  readonly status: "confirmed" | "failed";
  readonly receipt: ChainReceipt | undefined;
  readonly reason: FailureReason | "decided_by_operator" | null;
}

export class WithdrawalConfirmer {
  readonly #ports: ConfirmerPorts;

  constructor(ports: ConfirmerPorts) {
    this.#ports = ports;
  }

  /** One for each chain, so that one that does not answer holds up no other. */
  jobs(): readonly Job[] {
    return this.#ports.chains.map((chain) => ({
      name: `confirm-withdrawals-${chain.chainId.replaceAll(":", "-")}`,
      everyMilliseconds: 5_000,
      run: () => this.#run(chain),
    }));
  }

  async #run(chain: Chain): Promise<JobRun> {
    const { database, clock } = this.#ports;
    const { chainId } = chain;
    const now = clock.nowMilliseconds();
    const checkedBefore = new Date(now - recheckMilliseconds);
    const rows = await database.run(listBroadcast, { chainId, checkedBefore, rowsMax: checkedMax });
    if (rows.length === 0) return { done: 0, isMore: false };
    const done = await checkEach(chain, rows, {
      check: (head, row) => this.#check(chain, head, row),
      putOff: async ({ id, lost_since_block: lostSinceBlock }) => {
        await database.run(markChecked, { id, now: this.#now(), lostSinceBlock });
      },
    });
    const oldest = Math.min(...rows.map(({ updated_at: since }) => since.getTime()));
    return { done, isMore: rows.length === checkedMax, lagMilliseconds: now - oldest };
  }

  /** True: it has ended. */
  async #check(chain: Chain, head: ChainHead, row: BroadcastRow): Promise<boolean> {
    const place = { deploymentId: row.deployment_id, amountRaw: BigInt(row.send_amount_raw) };
    const finalNumber = await finalNumberOf(this.#ports, place, head);
    // Nobody says when one can be sure: then nobody is.
    if (finalNumber === undefined) this.#alarm("finality_unknown", row);
    const view = await viewOf(chain, { head, finalNumber: finalNumber ?? -1n, ...row });
    await this.#reached("asked");
    const verdict = verdictOf(sentOf(row), view);
    if (verdict.kind === "confirmed") {
      return this.#end(row, { status: "confirmed", receipt: verdict.receipt, reason: null });
    }
    if (verdict.kind === "failed") {
      const { reason } = verdict;
      // Of that one the sender has told them.
      if (reason !== "given_up") {
        this.#alarm(reason === "reverted" ? "transaction_reverted" : reason, row);
      }
      return this.#end(row, { status: "failed", receipt: verdict.receipt, reason });
    }
    if (verdict.kind === "unclear" && row.decided_as !== null) {
      const reason = row.decided_as === "confirmed" ? null : "decided_by_operator";
      return this.#end(row, { status: row.decided_as, receipt: verdict.receipt, reason });
    }
    await this.#wait(row, verdict);
    return false;
  }

  async #wait(
    row: BroadcastRow,
    verdict: Extract<Verdict, { kind: "waits" | "unclear" }>,
  ): Promise<void> {
    const lostSinceBlock = verdict.kind === "waits" ? verdict.lostSinceBlock : null;
    if (verdict.kind === "unclear") this.#alarm("unclear_transfer", row);
    const isNewlyLost = lostSinceBlock !== null && row.lost_since_block === null;
    if (isNewlyLost) this.#alarm("number_used_by_another", row);
    const values = { id: row.id, now: this.#now(), lostSinceBlock };
    await this.#ports.database.run(markChecked, values);
  }

  /** State, money and event in one commit; the gas beside it. */
  async #end(row: BroadcastRow, { status, receipt, reason }: End): Promise<boolean> {
    const now = this.#now();
    const txHash = receipt?.txHash ?? row.tx_hash;
    const withdrawal: Withdrawal = { ...withdrawalOf(row), status, txHash, reason };
    const isSent = status === "confirmed";
    const money = (isSent ? settlement : release)(withdrawal, receipt?.block.time ?? now);
    const values = {
      id: row.id,
      now,
      txHash,
      ...eventValues(this.#ports, withdrawalEvent(`withdrawal.${status}`, withdrawal)),
      ...ledgerValues(this.#ports, money),
    };
    const gas = await gasValues(this.#ports, "chain:gas", { chainId: row.chain_id, receipt });
    const isEnded = await this.#ports.database.transaction(async (database) => {
      const ended =
        reason === null
          ? await database.run(confirmWithdrawal, values)
          : await database.run(failWithdrawal, { ...values, reason, seenTxHash: row.tx_hash });
      if (ended.length > 0 && gas !== undefined) await database.run(postTransaction, gas);
      return ended.length > 0;
    });
    await this.#reached("ended");
    return isEnded;
  }

  #alarm(what: ConfirmerAlarm, { id, chain_id, tx_hash }: BroadcastRow): void {
    this.#ports.alarm(what, { withdrawal_id: id, chain_id, tx_hash });
  }

  #now(): Date {
    return new Date(this.#ports.clock.nowMilliseconds());
  }

  async #reached(point: ConfirmerPoint): Promise<void> {
    await this.#ports.reached?.(point);
  }
}

function sentOf(row: BroadcastRow) {
  return {
    account: row.account,
    address: row.address,
    contractAddress: row.contract_address,
    sendAmountRaw: BigInt(row.send_amount_raw),
    nonce: row.nonce,
    lostSinceBlock: row.lost_since_block,
    sendsNothing: row.sends_nothing,
  };
}

/** For whoever compares what the chains hold with what we owe. */
export async function withdrawalsInFlightRaw(
  database: Database,
  deploymentId: string,
): Promise<bigint> {
  const [row] = await database.run(sumInFlight, { deploymentId });
  return BigInt(row?.total_raw ?? 0);
}
