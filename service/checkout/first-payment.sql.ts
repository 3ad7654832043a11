// What there is of all that a first payment needs.

import { sql } from "kysely";
import { anyOf } from "../database/row-source.ts";
import { statement } from "../database/statement.ts";

interface NeedValues {
  /** that somebody watches */
  readonly chainIds: readonly string[];
  readonly now: Date;
}

export interface NeedRow {
  readonly has_catalog: boolean;
  readonly has_deployment: boolean;
  readonly has_merchant: boolean;
  readonly has_key: boolean;
  readonly has_acceptance: boolean;
}

export const readPaymentNeeds = statement<NeedValues>("read_payment_needs")(
  (p) => sql<NeedRow>`
    with open as (
      select d.currency_id, d.chain_id, d.is_test_network from deployments d
      join currencies c on c.id = d.currency_id
      where d.deposit_enabled and c.status <> 'disabled' and d.chain_id = ${anyOf(p.chainIds)}),
    keys as (
      select k.merchant_id, k.environment from api_keys k
      join merchants m on m.id = k.merchant_id and m.status = 'active'
      where 'payments:write' = any(k.scopes) and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > ${p.now}::timestamptz))
    select exists (select from deployments) as has_catalog,
      exists (select from open) as has_deployment,
      exists (select from merchants where status = 'active') as has_merchant,
      exists (select from keys) as has_key,
      exists (select from keys
        join currency_acceptance a using (merchant_id, environment)
        join open on open.currency_id = a.currency_id and open.chain_id = any(a.chain_ids)
          and (keys.environment = 'test' or not open.is_test_network)) as has_acceptance`,
);
