// Brings what is stored of an authorization to what the chain says of it. Everybody asks this: the
// request that waits for its result, whoever sends the request again, and the jobs. It works from the
// stored row alone, so a crash after any step is repaired by whoever comes next, and nothing that a
// caller says later can change what was accepted (threat 46).
//
// - settled: the transaction, its success, the use of the authorization and the transfer are all
//   there, whoever sent it. What came becomes a deposit as soon as the watcher has read that very
//   block; from then on finality and reorganisations are the watcher's business.
// - refused: the chain says no. It stays in the way of any other authorization until that is final:
//   or a reorganisation could bring the first one back, and the payer would be charged twice.

import type { CatalogReader } from "../catalog/catalog.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { doPage } from "../jobs/batch.ts";
import { perChain } from "../jobs/per-chain.ts";
import type { PaymentProgress } from "../payments/progress.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { ChainHead, ChainTransfer } from "../ports/chain.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { SettlementReceipt } from "../ports/settlement-chain.ts";
import type { Database } from "../ports/database.ts";
import { reviveOutgoing, withdrawOutgoing } from "../sending/queue.sql.ts";
import {
  changeSettlement,
  findReadBlock,
  markSettlementsChecked,
  markSettlementSubmitted,
  readStanding,
  takeOpenSettlements,
} from "./reconciler.sql.ts";
import type { StandingRow } from "./reconciler.sql.ts";
import { readUsage } from "./settling.sql.ts";
import { recordArrived } from "./arriving.ts";
import type { Arrived } from "./arriving.ts";
import { refusalOf } from "./chain-checks.ts";
import { headOf, lookAt, unclaimed } from "./chain-view.ts";
import type { X402Chain } from "./chain-view.ts";
import { settlementsTogether, signedOf } from "./model.ts";
import type { X402Code } from "./refusals.ts";
import { verdictOf } from "./outcome.ts";
import type { SettlementVerdict } from "./outcome.ts";

const checkedMax = 50;
/** How often the chain is asked about the same authorization. */
const recheckMilliseconds = 1_500;
const failedRecheckMilliseconds = 60_000;
/** What has failed is looked at until so long after its end: its use may take that long to be seen. */
const afterEndSeconds = 3600n;
/** Used, and nobody knows where: after so long it was for something else. */
const usedElsewhereMilliseconds = 120_000;

/** Where a test lets the process die. */
export type X402Point = "accepted" | "asked" | "written";

export interface ReconcilerPorts extends RecordingPorts {
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly progress: Pick<PaymentProgress, "refresh" | "tell">;
  readonly chains: readonly X402Chain[];
  /** see `OutgoingSender.sendNow` */
  readonly sendNow: (chainId: string, account: string) => Promise<unknown>;
  /** only tests have something to do there */
  readonly reached?: (point: X402Point) => Promise<void>;
}

type Row = StandingRow;

/** What whoever asks knows already. */
interface Known {
  /** its transaction was not signed, and would fail now for this reason */
  readonly hopeless?: X402Code | undefined;
  /** the newest block */
  readonly head?: ChainHead | undefined;
}

type Work = (inside: Database) => Promise<boolean>;
type Settled = Extract<SettlementVerdict, { readonly kind: "settled" }>;
type Refused = Extract<SettlementVerdict, { readonly kind: "refused" }>;

export class X402Reconciler {
  readonly #ports: ReconcilerPorts;

  constructor(ports: ReconcilerPorts) {
    this.#ports = ports;
  }

  jobs(): readonly Job[] {
    const job = { name: "settle-x402", everyMilliseconds: 2_000 };
    return perChain(job, this.#ports.chains, ({ chain }) => this.#run(chain.chainId));
  }

  async #run(chainId: string): Promise<JobRun> {
    const { database, clock } = this.#ports;
    const now = clock.now();
    const nowSeconds = BigInt(Math.floor(now.getTime() / 1000));
    const rows = await database.run(takeOpenSettlements, {
      chainId,
      now,
      checkedBefore: new Date(now.getTime() - recheckMilliseconds),
      nowSeconds,
      endsAfter: nowSeconds - afterEndSeconds,
      failedCheckedBefore: new Date(now.getTime() - failedRecheckMilliseconds),
      rowsMax: checkedMax,
    });
    return doPage(
      { rows, rowsMax: checkedMax, now, since: (row) => row.created_at },
      async ({ id }) => {
        try {
          return (await this.reconcile(id)).isChanged;
        } catch (error) {
          // Where it ends the page, those behind it come before it next time.
          const behind = { ids: [id], now: new Date(clock.nowMilliseconds() + 1) };
          await database.run(markSettlementsChecked, behind).catch(() => undefined);
          throw error;
        }
      },
    );
  }

  /** Throws `chain_unavailable`; then nothing has changed. */
  async reconcile(
    id: string,
    known: Known = {},
  ): Promise<{ readonly row: Row | undefined; readonly isChanged: boolean }> {
    const { database, chains } = this.#ports;
    const [row] = await database.run(readStanding, { id });
    const place = chains.find(({ chain }) => chain.chainId === row?.chain_id);
    if (row === undefined || place === undefined || row.status === "unused") {
      return { row, isChanged: false };
    }
    const isChanged =
      row.status === "waiting"
        ? await this.#lapse(place, row)
        : await this.#follow(place, row, known);
    if (!isChanged) return { row, isChanged };
    const [changed] = await database.run(readStanding, { id });
    await this.#ports.reached?.("written");
    return { row: changed, isChanged };
  }

  /**
   * The sender asks before it signs, and the chain says that it would fail. What would never work, or
   * is not worth waiting for, ends at once; what has waited for its usage is tried again until its
   * deadline, since the goods are gone.
   */
  async impossible(id: string): Promise<void> {
    const { database, chains } = this.#ports;
    const [row] = await database.run(readStanding, { id });
    const place = chains.find(({ chain }) => chain.chainId === row?.chain_id);
    if (row === undefined || place === undefined) return;
    const { authorization } = signedOf(row);
    const state = await place.chain.authorizationState(authorization);
    if (state.isUsed) {
      // Where it was used is not known to every node at once, and it may have been for us.
      const age = this.#ports.clock.nowMilliseconds() - row.updated_at.getTime();
      const isOld = age > usedElsewhereMilliseconds;
      const hopeless = isOld ? "x402_authorization_used" : undefined;
      return void (await this.reconcile(id, { hopeless }));
    }
    if (await this.#hasWaited(row)) return;
    const amountRaw = BigInt(row.amount_raw ?? row.authorized_raw);
    const hopeless = refusalOf(state, { isPossible: false, text: "" }, amountRaw);
    await this.reconcile(id, { hopeless });
  }

  async #hasWaited({ scheme, method, created_at: createdAt, ...row }: Row): Promise<boolean> {
    if (scheme !== "upto" || method !== "permit2") return false;
    const { merchant_id: merchantId, environment, payment_id: paymentId } = row;
    const of = { merchantId, environment, paymentId };
    const [usage] = await this.#ports.database.run(readUsage, of);
    return usage === undefined || usage.reported_at >= createdAt;
  }

  /** Nothing was sent, and from now on nothing can be: the payment is as payable as it was. */
  async #lapse({ chain }: X402Chain, row: Row): Promise<boolean> {
    const head = await headOf(chain);
    if (BigInt(Math.floor(head.time.getTime() / 1000)) <= row.valid_before) return false;
    return this.#fail(row, { code: "x402_expired", txHash: null });
  }

  async #follow({ chain }: X402Chain, row: Row, { hopeless, head }: Known): Promise<boolean> {
    const { shown_status: shown, outgoing_status: outgoing } = row;
    // Its block is the watcher's business now.
    if (shown !== null && row.status !== "refused" && row.status !== "queued") return false;
    const submitted = submittedNow(row);
    const view = await lookAt(this.#ports, { chain, settlement: row, head }).catch(
      async (error: unknown) => {
        await this.#submit(row, submitted);
        throw error;
      },
    );
    await this.#ports.reached?.("asked");
    const { authorization } = signedOf(row);
    const amountRaw = BigInt(row.amount_raw ?? row.authorized_raw);
    const expected = { authorization, amountRaw, validBefore: row.valid_before };
    const verdict = await unclaimed(this.#ports.database, row, verdictOf(expected, view));
    // What is settled is told in the same transaction.
    if (verdict.kind === "settled") return this.#settle(row, verdict, submitted);
    const isSubmitted = await this.#submit(row, submitted);
    // It was used, and perhaps for us: nothing is given up before it is known where.
    if (verdict.kind === "unclear") return isSubmitted;
    const isArrivalFinal = shown === "final";
    // The chain took back a block that was final: the sender looks after what has ended only if it
    // is told to.
    const isEnded = outgoing === "succeeded" || outgoing === "reverted";
    if (isEnded && view.receipt === undefined) {
      await this.#ports.sendNow(row.chain_id, row.pay_to).catch(() => undefined);
    }
    return (await this.#apply(row, verdict, { hopeless, isArrivalFinal })) || isSubmitted;
  }

  async #submit(row: Row, txHash: string | undefined): Promise<boolean> {
    if (txHash === undefined) return false;
    return this.#transaction(row, (inside) => this.#tellSubmitted(inside, row, txHash));
  }

  /** Once, when the first transaction was signed for it. */
  async #tellSubmitted(inside: Database, { id }: Row, txHash: string): Promise<boolean> {
    const now = this.#ports.clock.now();
    const [marked] = await inside.run(markSettlementSubmitted, { id, txHash, now });
    if (marked === undefined) return false;
    await this.#ports.progress.tell(inside, marked.payment_id, "x402.settlement_submitted");
    return true;
  }

  async #apply(
    row: Row,
    verdict: Exclude<SettlementVerdict, { readonly kind: "unclear" | "settled" }>,
    more: { readonly hopeless: X402Code | undefined; readonly isArrivalFinal: boolean },
  ): Promise<boolean> {
    if (verdict.kind === "refused") return this.#refuse(row, verdict, more.isArrivalFinal);
    const hopeless = verdict.kind === "too_late" ? "x402_expired" : undefined;
    const code = more.hopeless ?? hopeless;
    if (code !== undefined) return this.#giveUp(row, code);
    if (row.status === "queued" || row.status === "failed") return false;
    // The chain took it back: the sender hands over the stored bytes again.
    return this.#queueAgain(row);
  }

  /**
   * What has failed before stays so: what came by it is the payment's all the same. A branch may have
   * it in another transaction, or at another place: then that is what was settled.
   */
  async #settle(
    row: Row,
    { receipt, transfers, isFinal }: Settled,
    submitted: string | undefined,
  ): Promise<boolean> {
    const { progress } = this.#ports;
    const isOver = row.status === "failed";
    const fitting = ownFirst(row, { receipt, transfers });
    const transferLog = fitting[0]?.logIndex ?? null;
    const isThere = row.tx_hash === receipt.txHash && row.transfer_log === transferLog;
    const isSettled = row.status === "settled" || row.status === "final";
    // Told, and its deposit is to come: not before the watcher has read its block.
    const isWaiting = isSettled && isThere && !isFinal;
    if (isWaiting && !(await this.#isRead(row, receipt))) return this.#submit(row, submitted);
    return this.#unlessClaimed(row, async (inside) => {
      const isTold = submitted !== undefined && (await this.#tellSubmitted(inside, row, submitted));
      // Where somebody else has submitted it, ours would fail.
      await this.#withdraw(inside, row);
      const isNew = !isOver && !(isSettled && isThere);
      const { txHash } = receipt;
      const values = { ...this.#from(row), reason: null, txHash, transferLog };
      const [changed] = isNew
        ? await inside.run(changeSettlement, { ...values, status: "settled" })
        : [];
      if (isNew && changed === undefined) return isTold;
      const isArrived = await this.#arrive(inside, row, { receipt, transfers: fitting, isFinal });
      if (changed?.is_first === true) await progress.tell(inside, row.payment_id, "x402.settled");
      else if (isArrived || isNew) await progress.refresh(inside, [row.payment_id]);
      return isTold || isNew || isArrived;
    });
  }

  async #isRead({ chain_id: chainId }: Row, { block }: SettlementReceipt): Promise<boolean> {
    const of = { chainId, blockNumber: block.number, blockHash: block.hash };
    return (await this.#ports.database.run(findReadBlock, of)).length > 0;
  }

  /** False: another authorization has got this very transfer in between; the next look sees that. */
  async #unlessClaimed(row: Row, work: Work): Promise<boolean> {
    try {
      return await this.#transaction(row, work);
    } catch (error) {
      const isClaim = error instanceof UniqueViolation;
      if (isClaim && error.constraint === "x402_settlements_transfer") return false;
      throw error;
    }
  }

  /** With those of other settlements of its chain that come together with it. */
  #transaction({ chain_id: chainId, payment_id: paymentId }: Row, work: Work): Promise<boolean> {
    return this.#ports.database.transaction(work, settlementsTogether(chainId, paymentId));
  }

  #arrive(inside: Database, row: Row, found: Arrived): Promise<boolean> {
    const { id: settlementId, chain_id: chainId, payment_id: paymentId } = row;
    const owner = { settlementId, chainId, paymentId, deploymentId: row.deployment_id };
    return recordArrived(this.#ports, inside, owner, found);
  }

  async #refuse(row: Row, verdict: Refused, isArrivalFinal: boolean): Promise<boolean> {
    const { code, txHash, receipt, transfers, isFinal } = verdict;
    const isOver = row.status === "failed";
    // Nothing of what came all the same is lost: first it is in the ledger.
    const isKept = transfers.length === 0 || isArrivalFinal;
    if (isFinal && isKept && !isOver) return this.#fail(row, verdict);
    const { progress } = this.#ports;
    return this.#transaction(row, async (inside) => {
      const isNew = !isOver && (row.status !== "refused" || row.reason !== code);
      const values = { ...this.#from(row), reason: code, txHash };
      const changed = isNew
        ? await inside.run(changeSettlement, { ...values, status: "refused" })
        : [];
      if (isNew && changed.length === 0) return false;
      const isArrived =
        receipt !== undefined && (await this.#arrive(inside, row, { receipt, transfers, isFinal }));
      if (isNew || isArrived) await progress.refresh(inside, [row.payment_id]);
      return isNew || isArrived;
    });
  }

  async #fail(row: Row, { code, txHash }: Pick<Refused, "code" | "txHash">): Promise<boolean> {
    const { progress } = this.#ports;
    return this.#transaction(row, async (inside) => {
      await this.#withdraw(inside, row);
      const values = { ...this.#from(row), reason: code, txHash };
      const changed = await inside.run(changeSettlement, { ...values, status: "failed" });
      if (changed.length === 0) return false;
      await progress.tell(inside, row.payment_id, "x402.settlement_failed");
      return true;
    });
  }

  /** If nothing was signed for it; else only the chain decides. */
  async #giveUp(row: Row, code: X402Code): Promise<boolean> {
    const { progress } = this.#ports;
    if (row.status !== "queued") return false;
    return this.#transaction(row, async (inside) => {
      if (!(await this.#withdraw(inside, row))) return false;
      const values = { ...this.#from(row), reason: code, txHash: null };
      const changed = await inside.run(changeSettlement, { ...values, status: "failed" });
      if (changed.length === 0) throw new Error(`${row.id} was withdrawn, and is not queued`);
      await progress.tell(inside, row.payment_id, "x402.settlement_failed");
      return true;
    });
  }

  async #withdraw(inside: Database, { id }: Row): Promise<boolean> {
    const subject = { purpose: "x402_settlement", subjectId: id } as const;
    const values = { ...subject, now: this.#ports.clock.now(), problem: null };
    return (await inside.run(withdrawOutgoing, values)).length > 0;
  }

  async #queueAgain(row: Row): Promise<boolean> {
    const { progress } = this.#ports;
    return this.#transaction(row, async (inside) => {
      const values = { ...this.#from(row), status: "queued", reason: null, txHash: null } as const;
      const changed = await inside.run(changeSettlement, values);
      if (changed.length === 0) return false;
      // What was taken out of the queue since somebody else had submitted it has to be sent now.
      const subject = { purpose: "x402_settlement", subjectId: row.id } as const;
      await inside.run(reviveOutgoing, { ...subject, now: this.#ports.clock.now() });
      await progress.refresh(inside, [row.payment_id]);
      return true;
    });
  }

  #from({ id, status: from, tx_hash: fromTxHash, transfer_log: fromTransferLog }: Row) {
    const now = this.#ports.clock.now();
    return { id, from, fromTxHash, fromTransferLog, transferLog: null, now };
  }
}

/** Of its first transaction; undefined: none was signed, or it is told. */
function submittedNow(row: Row): string | undefined {
  const isOpen = row.submitted_at === null && row.status !== "failed";
  return isOpen ? row.outgoing_hashes[0] : undefined;
}

/** What was told to be its money stays so, if the same transaction brings more that fits. */
function ownFirst(
  { tx_hash: txHash, transfer_log: own }: Row,
  { receipt, transfers }: Pick<Arrived, "receipt" | "transfers">,
): readonly ChainTransfer[] {
  if (receipt.txHash !== txHash || own === null) return transfers;
  const isOwn = ({ logIndex }: ChainTransfer): boolean => logIndex === own;
  return [...transfers.filter(isOwn), ...transfers.filter((one) => !isOwn(one))];
}
