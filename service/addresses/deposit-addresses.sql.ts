// The statements of the addresses that payments are sent to.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import type { DepositAddressesTable } from "../database/tables/payments.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

interface OfPayment {
  readonly paymentId: string;
  readonly family: DepositAddressesTable["chain_family"];
}

export const findDepositAddress = statement<OfPayment>("find_deposit_address")((p) =>
  queries
    .selectFrom("deposit_addresses")
    .select("address")
    .where("payment_id", "=", p.paymentId)
    .where("chain_family", "=", p.family),
);

/** Of a block of indexes. What is not used of it stays a gap. */
export const takeIndexBlock = statement<object>("take_deposit_index_block")(
  () => sql<{ block: bigint }>`
    update deposit_index_blocks set next_block = next_block + 1 returning next_block - 1 as block`,
);

/** The one that would be taken next. */
export const readNextIndexBlock = statement<object>("read_next_deposit_index_block")(
  () => sql<{ block: bigint }>`select next_block as block from deposit_index_blocks`,
);

/** From then on no lower block is taken. No row: it was so already, and nothing is written. */
export const advanceIndexBlocks = statement<AuditValues & { readonly target: bigint }>(
  "advance_deposit_index_blocks",
)((p) =>
  effectWith(recordingAudit, p)(
    "moved",
    () => sql<{ next_block: bigint }>`(
        update deposit_index_blocks set next_block = ${p.target}::bigint
        where next_block < ${p.target}::bigint
        returning next_block)`,
  ).select("next_block"),
);

interface AddressValues extends OfPayment {
  readonly index: bigint;
  readonly address: string;
  readonly now: Date;
}

/** A row, if there is such a payment and it had no address of the family. */
export const insertDepositAddress = statement<AddressValues>("insert_deposit_address")(
  (p) => sql<{ address: string }>`
    insert into deposit_addresses (
      chain_family, derivation_index, address, payment_id, created_at
    )
    select ${p.family}::text, ${p.index}::bigint, ${p.address}::text, id, ${p.now}::timestamptz
    from payments where id = ${p.paymentId}::text
    on conflict (payment_id, chain_family) do nothing
    returning address`,
);
