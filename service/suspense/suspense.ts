// The ways out of suspense, for an operator with evidence: to a merchant's balance, to a payment, back to
// whoever has sent it, or to the platform. What is decided about is taken out as a whole, once.
//
// Our choice: what goes to a balance goes there whole, without fee and shares; what goes to a payment is
// divided by its terms. Nobody may have said who the sender is, so nothing is sent back by itself.

import { bookByHand, evidenceOf, shownPostings } from "../ledger/by-hand.ts";
import type { HandBooked } from "../ledger/by-hand.ts";
import { payBack } from "../ledger/borne-debts.ts";
import type { Income } from "../ledger/borne-debts.ts";
import { auditValues } from "../audit/audit.ts";
import type { AuditAction } from "../audit/audit.ts";
import { recordAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { amountOf } from "../amounts.ts";
import type { Posting } from "../ledger/model.ts";
import { balancesOf, changeOf, posting, withoutEmpty } from "../payments/share-postings.ts";
import { OperatorError } from "../operator-error.ts";
import type { Owner } from "../owner.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { Database } from "../ports/database.ts";
import type { SuspenseWay } from "../database/words.ts";
import { readOutgoing, withdrawOutgoing } from "../sending/queue.sql.ts";
import { acceptItem } from "./accepting.ts";
import type { Accepted, SuspensePorts } from "./accepting.ts";
import { refundAddress } from "./addresses.ts";
import { decideExit, listWaitingExits, takeOutItem } from "./exits.sql.ts";
import type { ExitRow } from "./exits.sql.ts";
import { itemOf, itemPlace, lockItem, refuseSentBefore } from "./items.ts";
import type { SuspenseItem } from "./items.ts";
import { listSuspenseItems } from "./items.sql.ts";
import { lockExit, takeBackUnsent } from "./refunds.ts";
import { lockMerchantAccounts } from "./debts.sql.ts";

/** More than a person reads. */
export const shownMax = 500;

interface Wish {
  /** as `SuspenseItem.id` */
  readonly item: string;
  readonly evidence: string;
}

export interface TakenOut extends HandBooked {
  readonly exitId: string;
  readonly item: SuspenseItem;
}

export interface WaitingExit {
  readonly id: string;
  readonly item: string;
  readonly deploymentId: string;
  /** decimal text */
  readonly amount: string;
  readonly address: string;
  readonly since: Date;
  /** of its transaction; null: not in the queue yet */
  readonly sending: string | null;
  readonly problem: string | null;
}

export interface ItemFilter {
  readonly merchantId?: string | undefined;
  readonly paymentId?: string | undefined;
  readonly deploymentId?: string | undefined;
  /** as `SuspenseItem.id`: those that come after it */
  readonly after?: string | undefined;
}

interface Way {
  readonly way: SuspenseWay;
  readonly action: AuditAction;
  /** where it goes; what leaves suspense is added */
  readonly to: readonly Posting[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly address?: string;
  /** Gets it; what the platform has borne for it is paid back first. */
  readonly earner?: Owner;
}

/** Throws `OperatorError` for what cannot be done. */
export class Suspense {
  readonly #ports: SuspensePorts;

  constructor(ports: SuspensePorts) {
    this.#ports = ports;
  }

  /** The oldest first; one more than are shown says that there are more. */
  async list(filter: ItemFilter = {}): Promise<readonly SuspenseItem[]> {
    const { merchantId = null, paymentId = null, deploymentId = null, after } = filter;
    const { database } = this.#ports;
    const place = await itemPlace(database, after);
    const of = { merchantId, paymentId, deploymentId };
    const values = { ...of, ...place, rowsMax: shownMax + 1 };
    return (await database.run(listSuspenseItems, values)).map(itemOf);
  }

  /** To the balance of a merchant; money that is known to be one's goes to nobody else. */
  credit(wish: Wish & { readonly owner: Owner }): Promise<TakenOut> {
    const { owner } = wish;
    return this.#take(wish, async (inside, item) => {
      checkOwner(item, owner);
      await refuseSentBefore(inside, item);
      const { deploymentId, amountRaw } = item;
      await inside.run(lockMerchantAccounts, { ...owner, deploymentIds: [deploymentId] });
      const place = { environment: owner.environment, deploymentId };
      const balances = await balancesOf(inside, [owner.merchantId], place);
      const to = changeOf(owner, [amountRaw, deploymentId], balances);
      const details = { merchant_id: owner.merchantId, environment: owner.environment };
      const way = { way: "credited", action: "suspense.credited", details } as const;
      return { ...way, to: withoutEmpty(to), earner: owner };
    });
  }

  /** To the platform, which keeps it. */
  writeOff(wish: Wish): Promise<TakenOut> {
    return this.#take(wish, (_, { amountRaw, deploymentId }) => {
      const to = [posting("platform:fees", null, -amountRaw, deploymentId)];
      const way = { way: "written_off", action: "suspense.written_off", to, details: {} } as const;
      return Promise.resolve(way);
    });
  }

  /** By the queue of all that we send; it waits for the chain, and is back here if that says no. */
  sendBack(wish: Wish & { readonly address: string }): Promise<TakenOut> {
    return this.#take(wish, async (inside, item) => {
      await refuseSentBefore(inside, item);
      const { amountRaw, deploymentId, chainFamily } = item;
      const address = await refundAddress(inside, wish.address, chainFamily);
      const to = [posting("payer:refunding", null, -amountRaw, deploymentId)];
      const details = { address };
      return { way: "sent_back", action: "suspense.sent_back", to, details, address };
    });
  }

  /** To a payment, as if its rules had let it count. */
  accept(wish: Wish & { readonly paymentId: string }): Promise<Accepted> {
    return acceptItem(this.#ports, { ...wish, evidence: evidenceOf(wish.evidence) });
  }

  /** What is to be sent back, before anything is signed: it waits in suspense again. */
  async cancel(exitId: string, reason: string): Promise<void> {
    const why = evidenceOf(reason);
    await this.#ports.database.transaction(async (inside) => {
      const exit = await takeBackUnsent(this.#ports, inside, exitId, "cancelled");
      await inside.run(recordAudit, this.#auditOf(exit, "suspense.cancelled", { reason: why }));
    });
  }

  /** What became of a transaction that moved something else. Where the chain says it, that counts. */
  async decide(exitId: string, decidedAs: "sent" | "failed", reason: string): Promise<void> {
    const details = { decided_as: decidedAs, reason: evidenceOf(reason) };
    await this.#ports.database.transaction(async (inside) => {
      const exit = await lockExit(inside, exitId);
      const values = { id: exitId, decidedAs, now: this.#ports.clock.now() };
      if ((await inside.run(decideExit, values)).length === 0) {
        throw new OperatorError(
          exit.status === "waiting"
            ? `${exitId} is not unclear: the chain says what becomes of it. Where it cannot, the alarm ` +
                "unclear_refund tells."
            : `${exitId} has ended: it is ${exit.status}.`,
        );
      }
      await inside.run(recordAudit, this.#auditOf(exit, "suspense.decided", details));
    });
  }

  /** The oldest first: what is to be sent back, and is not decided by the chain; one more as in `list`. */
  async waiting(
    filter: Pick<ItemFilter, "merchantId" | "deploymentId"> = {},
  ): Promise<readonly WaitingExit[]> {
    const { merchantId = null, deploymentId = null } = filter;
    const values = { merchantId, deploymentId, rowsMax: shownMax + 1 };
    const rows = await this.#ports.database.run(listWaitingExits, values);
    return rows.map((row) => ({
      id: row.id,
      item: row.item,
      deploymentId: row.deployment_id,
      amount: amountOf(BigInt(row.amount_raw), row.decimals),
      address: row.address,
      since: row.created_at,
      sending: row.sending,
      problem: row.last_problem,
    }));
  }

  #auditOf(exit: ExitRow, action: AuditAction, details: object): AuditValues {
    const { id, merchant_id: merchantId, environment } = exit;
    const whose = merchantId === null || environment === null ? {} : { merchantId, environment };
    const subject = { type: "suspense_exit", id };
    const occurredAt = this.#ports.clock.now();
    return auditValues({ occurredAt, actor: "operator", action, ...whose, subject, details });
  }

  async #take(
    wish: Wish,
    decide: (inside: Database, item: SuspenseItem) => Promise<Way>,
  ): Promise<TakenOut> {
    const evidence = evidenceOf(wish.evidence);
    try {
      return await this.#ports.database.transaction(async (inside) => {
        const item = await lockItem(inside, wish.item);
        const decided = await decide(inside, item);
        return await this.#book(inside, { item, decided, evidence });
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (!error.constraint.startsWith("suspense_exits_")) throw error;
      throw new OperatorError(`${wish.item} was decided about already.`);
    }
  }

  async #book(inside: Database, { item, decided, evidence }: Booking): Promise<TakenOut> {
    const { account, deploymentId, amountRaw, owner, source } = item;
    const now = this.#ports.clock.now();
    const id = this.#ports.identifiers.next("sus");
    if (source.kind === "refund") await this.#stopRelease(inside, source.settlementId);
    await inside.run(takeOutItem, exitValues({ item, decided, evidence }, id, now));
    const booked = await bookByHand(
      { ...this.#ports, database: inside },
      {
        action: decided.action,
        subject: { type: "suspense_exit", id },
        ...owner,
        kind: "suspense_taken_out",
        reference: id,
        postings: [posting(account, owner, amountRaw, deploymentId), ...decided.to],
        details: {
          ...decided.details,
          item: item.id,
          amount_raw: amountRaw.toString(),
          deployment_id: deploymentId,
          evidence,
        },
      },
    );
    const income = incomeOf({ item, decided }, id, now);
    const postings = await payBack(this.#ports, inside, income);
    const paidBack = await shownPostings({ database: inside }, postings);
    const shown = [...booked.postings, ...paidBack];
    return { ...booked, postings: shown, item, exitId: id };
  }

  /** One that waits in the queue could leave all the same later. */
  async #stopRelease(inside: Database, subjectId: string): Promise<void> {
    const values = { purpose: "x402_release", subjectId, now: this.#ports.clock.now() } as const;
    await inside.run(withdrawOutgoing, { ...values, problem: "taken out of suspense" });
    const [release] = await inside.run(readOutgoing, { purpose: "x402_release", subjectId });
    if (release?.status !== "queued" && release?.status !== "broadcast") return;
    throw new OperatorError(
      `${subjectId} is being sent to its payer: wait for its end. Where "chain outgoing" asks for a word about it, ` +
        "say that first.",
    );
  }
}

interface Booking {
  readonly item: SuspenseItem;
  readonly decided: Way;
  readonly evidence: string;
}

function incomeOf(
  { item, decided }: Pick<Booking, "item" | "decided">,
  ...[reference, occurredAt]: readonly [string, Date]
): Income {
  const { source, chainId, deploymentId, paymentId } = item;
  const { earner, to } = decided;
  return {
    reference,
    environment: earner?.environment ?? "live",
    deploymentId,
    paymentId,
    chainId,
    txHash: source.kind === "deposit" ? source.place.txHash : "",
    postings: earner === undefined ? [] : to,
    occurredAt,
  };
}

function exitValues({ item, decided, evidence }: Booking, id: string, now: Date) {
  const { source, chainId, deploymentId, amountRaw, account } = item;
  const { way, address } = decided;
  const isDeposit = source.kind === "deposit";
  return {
    id,
    chainId,
    txHash: isDeposit ? source.place.txHash : null,
    logIndex: isDeposit ? source.place.logIndex : null,
    booking: isDeposit ? source.booking : null,
    settlementId: isDeposit ? null : source.settlementId,
    deploymentId,
    amountRaw,
    way,
    status: way === "sent_back" ? ("waiting" as const) : ("done" as const),
    address: address ?? null,
    // What is a merchant's is brought to the hot account; what is a payer's stays where it came to.
    signsAs:
      address === undefined
        ? null
        : account === "merchant:unmatched"
          ? ("hot" as const)
          : ("settlement" as const),
    evidence,
    now,
  };
}

function checkOwner(item: SuspenseItem, owner: Owner): void {
  const { merchantId, environment } = owner;
  const isOther = item.owner?.merchantId !== merchantId || item.owner.environment !== environment;
  if (item.owner !== null && isOther) {
    throw new OperatorError(
      `${item.id} belongs to a payment of ${item.owner.merchantId} ${item.owner.environment}.`,
    );
  }
  if (environment === "live" && item.isTestNetwork) {
    throw new OperatorError("Coins of a test network are nothing that a live balance can have.");
  }
}
