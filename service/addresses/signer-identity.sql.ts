// The statements of the signer that this database belongs to.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

export interface IdentityValues {
  readonly fingerprint: string;
  readonly hotAddress: string;
  readonly settlementAddress: string;
  readonly depositPublicKey: string;
  readonly now: Date;
}

/** At most one of each slot. */
export const listSignerIdentities = statement<object>("list_signer_identities")(() =>
  queries
    .selectFrom("signer_identities")
    .select(["slot", "fingerprint", "hot_address", "settlement_address", "since"])
    .orderBy("slot"),
);

/** At first contact. No row: there is one already. */
export const insertSignerIdentity = statement<IdentityValues & AuditValues>(
  "insert_signer_identity",
)((p) =>
  effectWith(recordingAudit, p)(
    "pinned",
    () => sql<{ slot: string }>`(
        insert into signer_identities (
          slot, fingerprint, hot_address, settlement_address, deposit_public_key, since
        )
        values ('accepted', ${p.fingerprint}::text, ${p.hotAddress}::text,
          ${p.settlementAddress}::text, ${p.depositPublicKey}::text, ${p.now}::timestamptz)
        on conflict (slot) do nothing
        returning slot)`,
  ).select("slot"),
);

/** For whoever wants to accept it. */
export const storeRefusedSigner = statement<IdentityValues>("store_refused_signer")(
  (p) => sql<{ slot: string }>`
    insert into signer_identities (
      slot, fingerprint, hot_address, settlement_address, deposit_public_key, since
    )
    values ('refused', ${p.fingerprint}::text, ${p.hotAddress}::text,
      ${p.settlementAddress}::text, ${p.depositPublicKey}::text, ${p.now}::timestamptz)
    on conflict (slot) do update set fingerprint = excluded.fingerprint,
      hot_address = excluded.hot_address, settlement_address = excluded.settlement_address,
      deposit_public_key = excluded.deposit_public_key, since = excluded.since
    returning slot`,
);

/** The one that was refused takes the place of the accepted one. No row: it is not the last refused. */
export const replaceSignerIdentity = statement<
  AuditValues & { readonly fingerprint: string; readonly now: Date }
>("replace_signer_identity")((p) =>
  recordingAudit(
    queries
      .with("chosen", (q) =>
        q
          .deleteFrom("signer_identities")
          .where("slot", "=", "refused")
          .where("fingerprint", "=", p.fingerprint)
          .returningAll(),
      )
      .with(
        "accepted",
        () => sql<{ slot: string }>`(
          insert into signer_identities (
            slot, fingerprint, hot_address, settlement_address, deposit_public_key, since
          )
          select 'accepted', fingerprint, hot_address, settlement_address, deposit_public_key,
            ${p.now}::timestamptz
          from chosen
          on conflict (slot) do update set fingerprint = excluded.fingerprint,
            hot_address = excluded.hot_address, settlement_address = excluded.settlement_address,
            deposit_public_key = excluded.deposit_public_key, since = excluded.since
          returning slot)`,
      ),
    "accepted",
    p,
  )
    .selectFrom("accepted")
    .select("slot"),
);

/** A row: addresses of this key are given no more. */
export const findOtherSigner = statement<{ readonly depositPublicKey: string }>(
  "find_other_signer",
)((p) =>
  queries
    .selectFrom("signer_identities")
    .select("slot")
    .where("slot", "=", "accepted")
    .where("deposit_public_key", "<>", p.depositPublicKey),
);

/** The newest one, of which it can be told whose key it is of. */
export const findNewestAddress = statement<object>("find_newest_deposit_address")(() =>
  queries
    .selectFrom("deposit_addresses")
    .select(["derivation_index", "address"])
    .where("chain_family", "=", sql.lit("evm"))
    .orderBy("derivation_index", "desc")
    .limit(sql.lit(1)),
);
