// What a withdrawal is decided on, read in one round trip.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Owner } from "../owner.ts";
import { oneRow, together } from "../database/row-source.ts";
import type { ColumnTypes } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";
import { isBound } from "./bound-keys.sql.ts";
import { isNotPayable } from "./own-accounts.sql.ts";

/** All that a decision about a withdrawal needs, as the owner's keys see it; one row, always. */
export interface WithdrawalFacts {
  readonly currency_id: string | null;
  readonly currency_status: "active" | "deprecated" | "disabled" | null;
  readonly deployment_id: string | null;
  readonly chain_id: string | null;
  readonly contract_address: string | null;
  readonly decimals: number | null;
  readonly withdrawal_enabled: boolean | null;
  readonly is_test_network: boolean | null;
  /** The API key that asks for it may be used from some addresses only. */
  readonly is_key_bound: boolean;
  /** It is a live one, and could register the address itself. */
  readonly is_key_greedy: boolean;
  readonly address_id: string | null;
  readonly address_chain_id: string | null;
  readonly address: string | null;
  readonly activates_at: Date | null;
  readonly disabled_at: Date | null;
  /** Since it was registered it has become an account that we send from, or a token. */
  readonly is_not_payable: boolean;
  readonly fee_version: bigint | null;
  readonly fee_raw: string | null;
  readonly single_max_raw: string | null;
  readonly daily_max_raw: string | null;
  readonly available_raw: string;
}

interface FactValues extends Owner {
  readonly withdrawAddressId: string;
}

const factColumns: ColumnTypes<FactValues> = {
  merchantId: "text",
  environment: "text",
  withdrawAddressId: "text",
};

interface FactSources {
  readonly place: RawBuilder<unknown>;
  /** what the key may do that asks for it, or that has asked for all that a schedule does */
  readonly key: RawBuilder<unknown>;
}

/** `asked`: a row for each call, with `factColumns` and what the sources need. */
function facts(asked: RawBuilder<never>, { place, key }: FactSources) {
  return queries
    .with("asked", () => sql<{ readonly set: number }>`(${asked})`)
    .selectFrom(
      sql<WithdrawalFacts & { readonly set: number }>`(
      select asked.*, place.*, coalesce(key.is_bound, false) as is_key_bound,
        coalesce(key.is_greedy, false) as is_key_greedy, a.id as address_id, a.chain_id as address_chain_id, a.address,
        a.activates_at, a.disabled_at,
        ${isNotPayable("a")} as is_not_payable,
        fee.version as fee_version, fee.fee_raw::text as fee_raw,
        l.single_max_raw::text as single_max_raw, l.daily_max_raw::text as daily_max_raw,
        coalesce(account.balance, 0)::text as available_raw
      from asked
      left join lateral (${place}) as place on true
      left join lateral (${key}) as key on true
      left join withdraw_addresses a on a.id = asked."withdrawAddressId"
        and a.merchant_id = asked."merchantId" and a.environment = asked.environment
      left join lateral (
        select version, fee_raw from withdrawal_fees
        where deployment_id = place.deployment_id order by version desc limit 1) as fee on true
      left join withdrawal_limits l on l.deployment_id = place.deployment_id
      left join ledger_accounts account on account.key = ledger_account_key(
        'merchant:available', place.deployment_id, asked."merchantId", asked.environment))`.as(
        "facts",
      ),
    )
    .select(factNames);
}

const factNames = [
  "currency_id",
  "currency_status",
  "deployment_id",
  "chain_id",
  "contract_address",
  "decimals",
  "withdrawal_enabled",
  "is_test_network",
  "is_key_bound",
  "is_key_greedy",
  "address_id",
  "address_chain_id",
  "address",
  "activates_at",
  "disabled_at",
  "is_not_payable",
  "fee_version",
  "fee_raw",
  "single_max_raw",
  "daily_max_raw",
  "available_raw",
] as const satisfies readonly (keyof WithdrawalFacts)[];

interface RequestFactValues extends FactValues {
  readonly currencyId: string;
  readonly chainId: string;
  /** the API key that asks for it */
  readonly keyId: string;
}

const requestFactColumns: ColumnTypes<RequestFactValues> = {
  ...factColumns,
  currencyId: "text",
  chainId: "text",
  keyId: "text",
};

const namedByRequest: FactSources = {
  place: sql`
    select c.id as currency_id, c.status as currency_status, d.id as deployment_id, d.chain_id,
      d.contract_address, d.decimals, d.withdrawal_enabled, d.is_test_network
    from currencies c
    left join deployments d on d.currency_id = c.id and d.chain_id = asked."chainId"
      and (not d.is_test_network or asked.environment = 'test')
    where c.id = asked."currencyId"
    limit 1`,
  key: sql`
    select ${isBound("api_keys")} as is_bound,
      environment = 'live' and 'withdraw_addresses:write' = any (scopes) as is_greedy
    from api_keys
    where id = asked."keyId" and merchant_id = asked."merchantId"
      and environment = asked.environment`,
};

/** Without the chain's deployment the row says whether the currency is there. */
export const readWithdrawalFacts = statement<RequestFactValues>("read_withdrawal_facts")(
  (p) => facts(oneRow(p, requestFactColumns), namedByRequest),
  together<RequestFactValues>(
    "read_withdrawals_facts",
    requestFactColumns,
  )((rows) => facts(rows, namedByRequest).select("set")),
);

interface PayoutFactValues extends FactValues {
  readonly deploymentId: string;
  readonly isKeyBound: boolean;
}

/** The same by the id of the deployment, which says both, and by what is remembered of the key. */
export const readPayoutFacts = statement<PayoutFactValues>("read_payout_facts")((p) =>
  facts(oneRow(p, { ...factColumns, deploymentId: "text", isKeyBound: "boolean" }), {
    place: sql`
      select c.id as currency_id, c.status as currency_status, d.id as deployment_id, d.chain_id,
        d.contract_address, d.decimals, d.withdrawal_enabled, d.is_test_network
      from deployments d join currencies c on c.id = d.currency_id
      where d.id = asked."deploymentId"
        and (not d.is_test_network or asked.environment = 'test')`,
    // A greedy one was refused when it asked, and its scopes never change.
    key: sql`select asked."isKeyBound" as is_bound, false as is_greedy`,
  }),
);
