// The statements of what an operator sets about money on chains.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { reading } from "../database/reading.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

interface OfDeployment {
  readonly deploymentId: string;
}

interface OfChain {
  readonly chainId: string;
}

export const findDeploymentFloat = statement<OfDeployment>("find_deployment_float")((p) =>
  queries
    .selectFrom("deployment_floats")
    .select("max_raw")
    .where("deployment_id", "=", p.deploymentId),
);

export const countDeploymentFloats = statement<object>("count_deployment_floats")(
  () => sql<{ count: number }>`select count(*)::integer as count from deployment_floats`,
);

export const setDeploymentFloat = statement<
  AuditValues & OfDeployment & { readonly maxRaw: bigint; readonly now: Date }
>("set_deployment_float")((p) =>
  effectWith(recordingAudit, p)(
    "set_float",
    () => sql<{ deployment_id: string }>`(
      insert into deployment_floats (deployment_id, max_raw, updated_at)
      values (${p.deploymentId}::text, ${p.maxRaw}::numeric, ${p.now}::timestamptz)
      on conflict (deployment_id) do update set max_raw = excluded.max_raw,
        updated_at = excluded.updated_at
      returning deployment_id)`,
  ).select("deployment_id"),
);

/** No row: there was none. */
export const removeDeploymentFloat = statement<AuditValues & OfDeployment>(
  "remove_deployment_float",
)((p) =>
  effectWith(recordingAudit, p)("removed", (q) =>
    q
      .deleteFrom("deployment_floats")
      .where("deployment_id", "=", p.deploymentId)
      .returning("deployment_id"),
  ).select("deployment_id"),
);

interface BudgetRow {
  readonly chain_id: string;
  /** false: nobody has said anything */
  readonly is_set: boolean;
  readonly per_day_raw: string | null;
  /** null: a quarter of it */
  readonly per_merchant_raw: string | null;
  /** of the chain's own coin; null: the catalog does not have it */
  readonly decimals: number | null;
  readonly is_test_network: boolean;
}

const budget = sql`
  c.chain_id, b.chain_id is not null as is_set, b.per_day_raw::text as per_day_raw,
  b.per_merchant_raw::text as per_merchant_raw,
  c.decimals, c.is_test_network`;

const chains = sql`
  select chain_id, min(decimals) filter (where asset_kind = 'native') as decimals,
    bool_and(is_test_network) as is_test_network
  from deployments group by chain_id`;

/** No row: the catalog has nothing on the chain. */
export const findGasBudget = reading<OfChain>(
  { one: "find_gas_budget", many: "find_gas_budgets" },
  { chainId: "text" },
)(
  (p) => sql<BudgetRow>`
    select ${budget} from (${chains}) c left join gas_budgets b on b.chain_id = c.chain_id
    where c.chain_id = ${p.chainId}::text`,
);

export const listGasBudgets = statement<object>("list_gas_budgets")(
  () => sql<BudgetRow>`
    select ${budget} from (${chains}) c left join gas_budgets b on b.chain_id = c.chain_id
    where c.chain_id like 'eip155:%'
    order by c.chain_id`,
);

export const setGasBudget = statement<
  AuditValues &
    OfChain & {
      readonly perDayRaw: bigint | null;
      readonly perMerchantRaw: bigint | null;
      readonly now: Date;
    }
>("set_gas_budget")((p) =>
  effectWith(recordingAudit, p)(
    "set_budget",
    () => sql<{ chain_id: string }>`(
      insert into gas_budgets (chain_id, per_day_raw, per_merchant_raw, updated_at)
      values (${p.chainId}::text, ${p.perDayRaw}::numeric, ${p.perMerchantRaw}::numeric,
        ${p.now}::timestamptz)
      on conflict (chain_id) do update set per_day_raw = excluded.per_day_raw,
        per_merchant_raw = excluded.per_merchant_raw, updated_at = excluded.updated_at
      returning chain_id)`,
  ).select("chain_id"),
);

interface FloatRow {
  readonly deployment_id: string;
  readonly decimals: number;
  /** null: it keeps everything */
  readonly max_raw: string | null;
  /** by the ledger */
  readonly hot_raw: string;
}

/** Of deployments that have a float, or something on the hot account. */
export const listDeploymentFloats = statement<object>("list_deployment_floats")(
  () => sql<FloatRow>`
    select d.id as deployment_id, d.decimals, f.max_raw::text as max_raw,
      coalesce(a.balance, 0)::text as hot_raw
    from deployments d
    left join deployment_floats f on f.deployment_id = d.id
    left join ledger_accounts a on a.deployment_id = d.id and a.kind = 'chain:hot'
    where f.deployment_id is not null or a.balance <> 0
    order by d.id`,
);
