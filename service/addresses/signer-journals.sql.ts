// The statements of how far the journals of signers were.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { queries, statement } from "../database/statement.ts";

interface OfSigner {
  readonly depositPublicKey: string;
}

export const readSignerJournal = statement<OfSigner>("read_signer_journal")((p) =>
  queries
    .selectFrom("signer_journals")
    .select(["record_count", "head"])
    .where("deposit_public_key", "=", p.depositPublicKey),
);

/** Nothing happens if another process has stored one that is as far or farther. */
export const storeSignerJournal = statement<
  OfSigner & { readonly recordCount: bigint; readonly head: string; readonly now: Date }
>("store_signer_journal")(
  (p) => sql<{ record_count: bigint }>`
    insert into signer_journals (deposit_public_key, record_count, head, seen_at)
    values (${p.depositPublicKey}::text, ${p.recordCount}::bigint, ${p.head}::text,
      ${p.now}::timestamptz)
    on conflict (deposit_public_key) do update set record_count = excluded.record_count,
      head = excluded.head, seen_at = excluded.seen_at
    where signer_journals.record_count < excluded.record_count
    returning record_count`,
);

/** They are stored anew as they are. */
export const forgetSignerJournals = statement<AuditValues>("forget_signer_journals")((p) =>
  recordingAudit(
    queries
      .with("forgotten", (q) => q.deleteFrom("signer_journals").returning("deposit_public_key"))
      .with("any_forgotten", (q) => q.selectFrom("forgotten").selectAll().limit(sql.lit(1))),
    "any_forgotten",
    p,
  )
    .selectFrom("any_forgotten")
    .select("deposit_public_key"),
);
