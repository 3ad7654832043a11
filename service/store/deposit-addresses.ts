// The statements of the addresses that payments are sent to.

import { sql } from "kysely";
import type { DepositAddressesTable } from "./payment-tables.ts";
import { queries, statement } from "./statement.ts";

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

/** One that fails later leaves a gap: no index is ever given twice. */
export const nextAddressIndex = statement<object>("next_deposit_address_index")(
  () => sql<{ index: bigint }>`select nextval('deposit_address_indexes') as index`,
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
