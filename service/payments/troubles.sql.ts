// The statements of payments of which something could not be worked out.

import { sql } from "kysely";
import { queries, statement } from "../database/statement.ts";

interface TroubleValues {
  readonly ids: readonly string[];
  readonly error: string;
  /** of this failure: 0 where it may be another payment's */
  readonly tries: number;
  readonly now: Date;
  readonly nextTryAt: Date;
}

/** What is known of before is tried at its new time, however often it was tried in vain. */
export const noteTroubles = statement<TroubleValues>("note_payment_troubles")(
  (p) => sql<object>`
    insert into payment_troubles (payment_id, error, since, tries, next_try_at)
    select one.id, left(${p.error}::text, 400), ${p.now}::timestamptz, ${p.tries}::integer,
      ${p.nextTryAt}::timestamptz
    from unnest(${p.ids}::text[]) as one (id)
    on conflict (payment_id) do update set error = excluded.error,
      tries = payment_troubles.tries + excluded.tries, next_try_at = excluded.next_try_at`,
);

export const listDueTroubles = statement<{ readonly now: Date; readonly rowsMax: number }>(
  "list_due_payment_troubles",
)((p) =>
  queries
    .selectFrom("payment_troubles")
    .selectAll()
    .where("next_try_at", "<=", p.now)
    .orderBy("next_try_at")
    .orderBy("payment_id")
    .limit(p.rowsMax),
);

export const listTroubles = statement<{ readonly rowsMax: number }>("list_payment_troubles")((p) =>
  queries
    .selectFrom("payment_troubles")
    .selectAll()
    .orderBy("since")
    .orderBy("payment_id")
    .limit(p.rowsMax),
);

/** A row, if nobody else was faster. */
export const endTrouble = statement<{ readonly id: string }>("end_payment_trouble")((p) =>
  queries.deleteFrom("payment_troubles").where("payment_id", "=", p.id).returning("payment_id"),
);
