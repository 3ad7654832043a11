// The statement of money that was sent back before this database could store it.

import { sql } from "kysely";
import { queries, statement } from "../database/statement.ts";
import type { SuspenseStatus } from "../database/words.ts";

interface ForgottenRow {
  readonly id: string;
  readonly chain_id: string;
  readonly deployment_id: string;
  readonly contract_address: string | null;
  readonly amount_raw: string;
  readonly status: SuspenseStatus;
  /** null: it was not to be sent anywhere */
  readonly address: string | null;
  readonly signs_as: "hot" | "settlement" | null;
  readonly created_at: Date;
}

/** With what is sent, and since when it might have been. */
export const readForgottenRefund = statement<{ readonly id: string }>("read_forgotten_refund")(
  (p) => sql<ForgottenRow>`
    select e.id, e.chain_id, e.deployment_id, m.contract_address, e.amount_raw::text, e.status,
      e.address, e.signs_as, e.created_at
    from suspense_exits e join deployments m on m.id = e.deployment_id
    where e.id = ${p.id}::text`,
);

export const forgetExitDecision = statement<{ readonly id: string; readonly now: Date }>(
  "forget_exit_decision",
)((p) =>
  queries
    .updateTable("suspense_exits")
    .set({ decided_as: null, updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "=", "waiting"),
);
