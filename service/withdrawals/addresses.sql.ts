// The statements of withdraw addresses.

import { sql } from "kysely";
import type { Environment, Owner } from "../owner.ts";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { finishing } from "../idempotency/idempotency.sql.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";
import { isOurs, isToken } from "./own-accounts.sql.ts";

type Family = "evm" | "solana" | "bitcoin" | "tron";

/** What a chain is; no row: no such chain, as a key of the environment sees the catalog. */
export const readChainFamily = statement<{
  readonly chainId: string;
  readonly environment: Environment;
}>("read_chain_family")((p) =>
  queries
    .selectFrom("deployments")
    .select(["chain_family", "is_test_network"])
    .where("chain_id", "=", p.chainId)
    .where(sql<boolean>`(not is_test_network or ${p.environment}::text = 'test')`)
    // If they contradict each other, coins of worth are what to protect.
    .orderBy("is_test_network")
    .limit(sql.lit(1)),
);

export interface RegisterAddressValues extends FinishingValues, EventValues, AuditValues, Owner {
  readonly id: string;
  readonly chainId: string;
  readonly chainFamily: Family;
  readonly address: string;
  readonly destinationType: string;
  readonly label: string | null;
  readonly now: Date;
  readonly activatesAt: Date;
}

/** Why the address can be registered, or cannot. */
export interface RegisterAddressFacts {
  readonly is_token: boolean;
  readonly is_ours: boolean;
  /** of the address as the merchant has registered it before; null: never */
  readonly registered_id: string | null;
  readonly has_key: boolean;
  readonly is_finished: boolean;
}

/** One row that says how it went; the address was registered if `is_finished`. */
export const registerAddress = statement<RegisterAddressValues>("register_withdraw_address")((
  p,
) => {
  const registered = recordingEvent(
    queries
      .with("facts", () => factsAbout(p))
      .with("fence", () =>
        finishing(
          p,
          sql<boolean>`exists (select from facts
            where not is_token and not is_ours and registered_id is null and not has_key)`,
        ),
      )
      .with(
        "registered",
        () => sql<{ id: string }>`(
        insert into withdraw_addresses (
          id, merchant_id, environment, chain_id, chain_family, address, destination_type, label,
          created_at, activates_at, idempotency_key
        )
        select ${p.id}::text, ${p.merchantId}::text, ${p.environment}::text, ${p.chainId}::text,
          ${p.chainFamily}::text, ${p.address}::text, ${p.destinationType}::text, ${p.label}::text,
          ${p.now}::timestamptz, ${p.activatesAt}::timestamptz, ${p.fenceKey}::text
        from fence
        returning id)`,
      ),
    "registered",
    p,
  );
  return recordingAudit(registered, "registered", p)
    .selectFrom("facts")
    .select(["is_token", "is_ours", "registered_id", "has_key"])
    .select(sql<boolean>`exists (select from fence)`.as("is_finished"));
});

function factsAbout(p: RegisterAddressValues) {
  const wanted = {
    address: sql`${p.address}::text`,
    chainFamily: sql`${p.chainFamily}::text`,
  };
  return sql<Omit<RegisterAddressFacts, "is_finished">>`(
    select
      ${isToken(wanted)} as is_token,
      ${isOurs(wanted)} as is_ours,
      (select id from withdraw_addresses
        where merchant_id = ${p.merchantId} and environment = ${p.environment}
          and chain_id = ${p.chainId} and address = ${p.address}) as registered_id,
      exists (select from withdraw_addresses
        where merchant_id = ${p.merchantId} and environment = ${p.environment}
          and idempotency_key = ${p.fenceKey}) as has_key)`;
}

const shown = [
  "id",
  "merchant_id",
  "environment",
  "chain_id",
  "address",
  "destination_type",
  "label",
  "activates_at",
  "disabled_at",
  "created_at",
] as const;

/** Active by now, and their merchants have not been told. */
export const listAddressesToAnnounce = statement<{
  readonly now: Date;
  readonly rowsMax: number;
}>("list_withdraw_addresses_to_announce")((p) =>
  queries
    .selectFrom("withdraw_addresses")
    .select(shown)
    .where("announced_at", "is", null)
    .where("disabled_at", "is", null)
    .where("activates_at", "<=", p.now)
    .orderBy("activates_at")
    .orderBy("id")
    .limit(p.rowsMax),
);

/** Once, whoever else does it at the same moment. */
export const announceAddress = statement<EventValues & { readonly id: string; readonly now: Date }>(
  "announce_withdraw_address",
)((p) =>
  effectWith(recordingEvent, p)("announced", (q) =>
    q
      .updateTable("withdraw_addresses")
      .set({ announced_at: p.now })
      .where("id", "=", p.id)
      .where("announced_at", "is", null)
      .where("disabled_at", "is", null)
      .returning("id"),
  ).select("id"),
);

export const findAddressById = statement<{ readonly id: string }>("find_withdraw_address_by_id")(
  (p) => queries.selectFrom("withdraw_addresses").select(shown).where("id", "=", p.id),
);

/** No row: it was disabled already. */
export const disableAddress = statement<AuditValues & { readonly id: string; readonly now: Date }>(
  "disable_withdraw_address",
)((p) =>
  effectWith(recordingAudit, p)("disabled", (q) =>
    q
      .updateTable("withdraw_addresses")
      .set({ disabled_at: p.now })
      .where("id", "=", p.id)
      .where("disabled_at", "is", null)
      .returning("id"),
  ).select("id"),
);
