// The statement behind the checkout page: everything that a page shows, by the tokens of their links.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
import { catalogUnless } from "../catalog/catalog.sql.ts";
import type { CatalogColumns } from "../catalog/catalog.sql.ts";
import { depositAuthorization } from "../payments/facts.sql.ts";
import type { BroughtJson, DepositJson } from "../payments/facts.sql.ts";
import type { DepositAddressesTable, QuotedCurrency } from "../database/tables/payments.ts";
import type { PaymentStatus } from "../database/words.ts";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

type ChainFamily = DepositAddressesTable["chain_family"];

/** Neither memo nor user_id: they are the merchant's, and nothing of a page needs them. */
export interface CheckoutRow extends CatalogColumns {
  readonly id: string;
  readonly checkout_token: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly merchant_name: string;
  readonly merchant_order_no: string;
  readonly status: PaymentStatus;
  readonly quotes: readonly QuotedCurrency[];
  readonly expires_at: Date;
  readonly redirect_url: string | null;
  /** those that were opened */
  readonly addresses: Readonly<Partial<Record<ChainFamily, string>>>;
  /** in the order in which they came */
  readonly deposits: readonly CheckoutDepositJson[];
  /** of all there are: those that nobody has heard from for too long */
  readonly stale_chains: readonly string[];
}

export interface CheckoutDepositJson
  extends BroughtJson, Pick<DepositJson, "chain_id" | "confirmations"> {
  readonly is_booked: boolean;
}

interface WantedCheckouts {
  readonly tokens: readonly string[];
  /** version of the catalog whose content need not be brought */
  readonly known: string;
  /** A chain is stale whose newest block is older, */
  readonly blockTimeMin: Date;
  /** or that was last heard from before this. */
  readonly lookedAtMin: Date;
}

/** One statement for however many pages are open. */
const checkoutsOf = (p: WantedCheckouts) =>
  queries
    .selectFrom("payments as p")
    .innerJoin("merchants", "merchants.id", "p.merchant_id")
    .leftJoin("catalog", (join) => join.onTrue())
    .where(sql<boolean>`p.checkout_token = ${anyOf(p.tokens)}`)
    .select([
      "p.id",
      "p.checkout_token",
      "p.merchant_id",
      "p.environment",
      "merchants.name as merchant_name",
      "p.merchant_order_no",
      "p.status",
      "p.quotes",
      "p.expires_at",
      "p.redirect_url",
      ...catalogUnless(p.known),
      sql<CheckoutRow["addresses"]>`(
        select coalesce(jsonb_object_agg(a.chain_family, a.address), '{}')
        from deposit_addresses a where a.payment_id = p.id)`.as("addresses"),
      sql<readonly CheckoutDepositJson[]>`(
        select coalesce(jsonb_agg(jsonb_build_object(
            'chain_id', d.chain_id, 'tx_hash', d.tx_hash, 'deployment_id', d.deployment_id,
            'amount_raw', d.amount_raw::text, 'block_time', d.block_time, 'status', d.status,
            'authorization', ${depositAuthorization},
            'is_accepted', d.accepted_at is not null,
            'is_booked', d.bookings > d.reversals,
            'confirmations', (k.block_number - d.block_number + 1)::text)
            order by d.block_time, d.chain_id, d.block_number, d.log_index, d.tx_hash), '[]')
        from deposits d left join chain_cursors k on k.chain_id = d.chain_id
        left join x402_settlements x on x.id = d.settlement_id
        where d.payment_id = p.id)`.as("deposits"),
      sql<readonly string[]>`(
        select coalesce(jsonb_agg(k.chain_id), '[]') from chain_cursors k
        where k.block_time < ${p.blockTimeMin}::timestamptz
          or k.looked_at < ${p.lookedAtMin}::timestamptz)`.as("stale_chains"),
    ]);

export const readCheckouts = statement<WantedCheckouts>("read_checkouts")(checkoutsOf);

/** For pages that are open already, and look again and again. */
export const readCheckoutsAgain = statement<WantedCheckouts>("read_checkouts_again", {
  mayBeStale: true,
})(checkoutsOf);
