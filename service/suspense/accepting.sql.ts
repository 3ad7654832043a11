// The statements of a deposit that an operator gives to a payment.

import { sql } from "kysely";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import type { DepositPlace } from "../chains/unmatched.sql.ts";
import type { AccountKind, PaymentStatus } from "../database/words.ts";
import type { Environment } from "../owner.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

export const findPaymentFor = statement<{ readonly paymentId: string }>("find_payment_for")((p) =>
  queries.selectFrom("payments").select(["id", "environment"]).where("id", "=", p.paymentId),
);

type AcceptValues = LedgerValues &
  DepositPlace & { readonly booking: number; readonly paymentId: string; readonly now: Date };

/** Out of the books, and the payment's whatever its rules say. A row, if it was in suspense. */
export const markDepositAccepted = statement<AcceptValues>("mark_deposit_accepted")((p) =>
  effectWith(recordingPostings, p)("accepted", (q) =>
    q
      .updateTable("deposits")
      .set({ reversals: sql<number>`reversals + 1`, payment_id: p.paymentId })
      .set({ accepted_at: p.now })
      .where("chain_id", "=", p.chainId)
      .where("tx_hash", "=", p.txHash)
      .where("log_index", "=", p.logIndex)
      .where("bookings", "=", p.booking)
      .where("status", "=", "final")
      .where("suspense_exit_id", "is", null)
      .where(sql<boolean>`bookings > reversals and unmatched_raw > 0`)
      .returning("reversals"),
  ).select("reversals"),
);

interface BookedRow {
  readonly status: PaymentStatus;
  readonly account_kind: AccountKind;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  readonly amount: string;
}

/** What was written when it was booked again, and what of that pays back a debt that was borne. */
export const readAcceptedBooking = statement<{
  readonly reference: string;
  readonly paymentId: string;
}>("read_accepted_booking")(
  (p) => sql<BookedRow>`
    select p.status, o.account_kind, o.merchant_id, o.environment, o.amount::text
    from payments p
    join ledger_transactions t on t.kind in ('deposit_credited', 'debt_paid_back')
      and t.reference = ${p.reference}::text
    join ledger_postings o on o.transaction_id = t.id
    where p.id = ${p.paymentId}::text
    order by t.kind desc, o.position`,
);
