// What chains take for our transactions: where it is booked, and how much it may be.

import { sql } from "kysely";
import { reading } from "../database/reading.ts";
import { queries, statement } from "../database/statement.ts";

/** Where what a chain takes for transactions is booked; no row: the catalog does not have its coin. */
export const findCoinDeployment = reading<{ readonly chainId: string }>(
  { one: "find_coin_deployment", many: "find_coin_deployments" },
  { chainId: "text" },
)((p) =>
  queries
    .selectFrom("deployments")
    .select("id")
    .where("chain_id", "=", p.chainId)
    .where("asset_kind", "=", "native")
    .orderBy("id")
    .limit(sql.lit(1)),
);

/**
 * Of the settlements of x402 that were signed for an account since then: what they did cost, or may
 * cost at most while that is not known.
 */
export const sumSettlementGas = statement<{
  readonly chainId: string;
  readonly account: string;
  readonly since: Date;
}>("sum_settlement_gas")((p) =>
  queries
    .selectFrom("outgoing_transactions")
    .select(sql<string>`coalesce(sum(coalesce(gas_raw, gas_max_raw)), 0)::text`.as("raw"))
    .where("chain_id", "=", p.chainId)
    .where("account", "=", p.account)
    .where("signed_at", ">=", p.since)
    .where("purpose", "=", "x402_settlement"),
);

/**
 * The same of one merchant, in both halves: the one that is named, or whose settlement it is; and `failed_raw`: of that,
 * what brought nothing.
 */
export const sumMerchantSettlementGas = statement<{
  readonly chainId: string;
  readonly account: string;
  readonly since: Date;
  readonly merchantId: string | null;
  readonly settlementId: string | null;
}>("sum_merchant_settlement_gas")(
  (p) => sql<{ raw: string; failed_raw: string }>`
    select coalesce(sum(coalesce(o.gas_raw, o.gas_max_raw)), 0)::text as raw,
      coalesce(sum(coalesce(o.gas_raw, o.gas_max_raw))
        filter (where s.status in ('refused', 'failed')), 0)::text as failed_raw
    from outgoing_transactions o
    join x402_settlements s on s.id = o.subject_id
    where o.chain_id = ${p.chainId}::text and o.account = ${p.account}::text
      and o.signed_at >= ${p.since}::timestamptz and o.purpose = 'x402_settlement'
      and s.merchant_id = coalesce(${p.merchantId}::text, (
        select merchant_id from x402_settlements where id = ${p.settlementId}::text))`,
);

/** Null: the chain's own coin. */
export const findContract = statement<{ readonly deploymentId: string }>("find_contract")((p) =>
  queries.selectFrom("deployments").select("contract_address").where("id", "=", p.deploymentId),
);
