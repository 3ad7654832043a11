// The statements of dividing up what an upto authorization brought.

import { sql } from "kysely";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";
import type { RefundBearer, SuspenseStatus, SuspenseWay } from "../database/words.ts";

interface ChargeValues extends LedgerValues {
  readonly id: string;
  /** of the booking of its deposit */
  readonly reference: string;
  readonly bearer: RefundBearer;
  readonly refundRaw: bigint;
  readonly now: Date;
}

/** A row, if this booking was not divided up before. */
export const chargeX402Settlement = statement<ChargeValues>("charge_x402_settlement")((p) =>
  effectWith(recordingPostings, p)("charged", (q) =>
    q
      .updateTable("x402_settlements")
      .set({ charged_reference: p.reference, charged_bearer: p.bearer, updated_at: p.now })
      .set("refund_raw", sql<string>`${p.refundRaw}::numeric`)
      .where("id", "=", p.id)
      .where(sql<boolean>`charged_reference is distinct from ${p.reference}::text`)
      .returning("id"),
  ).select("id"),
);

/** Its money is in the ledger. */
export const finishX402Settlement = statement<{ readonly id: string; readonly now: Date }>(
  "finish_x402_settlement",
)((p) =>
  queries
    .updateTable("x402_settlements")
    .set({ status: "final", updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "in", ["queued", "settled"])
    .returning("id"),
);

/** What was not used is back with the payer by another way, which has posted it. */
export const markX402Released = statement<{ readonly id: string; readonly now: Date }>(
  "mark_x402_released",
)((p) =>
  queries
    .updateTable("x402_settlements")
    .set({ released_at: p.now, updated_at: p.now })
    .where("id", "=", p.id)
    .where("released_at", "is", null),
);

/** What was not used is back with the payer. A row, if nobody has written that down before. */
export const releaseX402Settlement = statement<
  LedgerValues & { readonly id: string; readonly now: Date }
>("release_x402_settlement")((p) =>
  effectWith(recordingPostings, p)("released", (q) =>
    q
      .updateTable("x402_settlements")
      .set({ released_at: p.now, updated_at: p.now })
      .where("id", "=", p.id)
      .where("released_at", "is", null)
      .returning(["id", "payment_id"]),
  ).select("payment_id"),
);

/**
 * What was not used is nobody's to be given back: nothing has left, and what brought it is gone. No row:
 * its payer has just got it.
 */
export const withdrawX402Refund = statement<{ readonly id: string; readonly now: Date }>(
  "withdraw_x402_refund",
)((p) =>
  queries
    .updateTable("x402_settlements")
    .set({ refund_raw: null, updated_at: p.now })
    .where("id", "=", p.id)
    .where("released_at", "is", null)
    .returning("id"),
);

interface DecidedRow {
  readonly way: SuspenseWay;
  readonly status: SuspenseStatus;
}

/** What operators have decided about what is due to its payer, the newest first. */
export const listRefundExits = statement<{ readonly settlementId: string }>("list_refund_exits")(
  (p) =>
    queries
      .selectFrom("suspense_exits")
      .select(["way", "status"])
      .where("settlement_id", "=", p.settlementId)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .$castTo<DecidedRow>(),
);
