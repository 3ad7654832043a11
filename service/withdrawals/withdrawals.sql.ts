// The statements of asking for a withdrawal and of taking it back.

import { sql } from "kysely";
import type { QueryCreator, RawBuilder, Selectable } from "kysely";
import type { Owner } from "../owner.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import {
  changeFacts,
  finishing,
  currentRow,
  finishingIfCurrent,
  isFenced,
} from "../idempotency/idempotency.sql.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import { queries, statement } from "../database/statement.ts";
import { isBound } from "./bound-keys.sql.ts";
import { isNotPayable } from "./own-accounts.sql.ts";
import type { HoldReason } from "../database/words.ts";
import type { Tables } from "../database/tables.ts";

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

interface FactSources {
  readonly place: RawBuilder<unknown>;
  /** what the key may do that asks for it, or that has asked for all that a schedule does */
  readonly key: RawBuilder<unknown>;
}

function facts(p: FactValues, { place, key }: FactSources) {
  return sql<WithdrawalFacts>`
    select place.*, coalesce(key.is_bound, false) as is_key_bound,
      coalesce(key.is_greedy, false) as is_key_greedy, a.id as address_id, a.chain_id as address_chain_id, a.address,
      a.activates_at, a.disabled_at,
      ${isNotPayable("a")} as is_not_payable,
      fee.version as fee_version, fee.fee_raw::text as fee_raw,
      l.single_max_raw::text as single_max_raw, l.daily_max_raw::text as daily_max_raw,
      coalesce(account.balance, 0)::text as available_raw
    from (select 1) as one
    left join lateral (${place}) as place on true
    left join lateral (${key}) as key on true
    left join withdraw_addresses a on a.id = ${p.withdrawAddressId}
      and a.merchant_id = ${p.merchantId} and a.environment = ${p.environment}
    left join lateral (
      select version, fee_raw from withdrawal_fees
      where deployment_id = place.deployment_id order by version desc limit 1) as fee on true
    left join withdrawal_limits l on l.deployment_id = place.deployment_id
    left join ledger_accounts account on account.key = ledger_account_key(
      'merchant:available', place.deployment_id, ${p.merchantId}, ${p.environment})`;
}

/** Without the chain's deployment the row says whether the currency is there. */
export const readWithdrawalFacts = statement<
  FactValues & {
    readonly currencyId: string;
    readonly chainId: string;
    /** the API key that asks for it */
    readonly keyId: string;
  }
>("read_withdrawal_facts")((p) =>
  facts(p, {
    place: sql`
      select c.id as currency_id, c.status as currency_status, d.id as deployment_id, d.chain_id,
        d.contract_address, d.decimals, d.withdrawal_enabled, d.is_test_network
      from currencies c
      left join deployments d on d.currency_id = c.id and d.chain_id = ${p.chainId}
        and (not d.is_test_network or ${p.environment}::text = 'test')
      where c.id = ${p.currencyId}
      limit 1`,
    key: sql`
      select ${isBound("api_keys")} as is_bound,
        environment = 'live' and 'withdraw_addresses:write' = any (scopes) as is_greedy
      from api_keys
      where id = ${p.keyId} and merchant_id = ${p.merchantId} and environment = ${p.environment}`,
  }),
);

/** The same by the id of the deployment, which says both, and by what is remembered of the key. */
export const readPayoutFacts = statement<
  FactValues & { readonly deploymentId: string; readonly isKeyBound: boolean }
>("read_payout_facts")((p) =>
  facts(p, {
    place: sql`
      select c.id as currency_id, c.status as currency_status, d.id as deployment_id, d.chain_id,
        d.contract_address, d.decimals, d.withdrawal_enabled, d.is_test_network
      from deployments d join currencies c on c.id = d.currency_id
      where d.id = ${p.deploymentId}
        and (not d.is_test_network or ${p.environment}::text = 'test')`,
    // A greedy one was refused when it asked, and its scopes never change.
    key: sql`select ${p.isKeyBound}::boolean as is_bound, false as is_greedy`,
  }),
);

export interface NewWithdrawalValues extends EventValues, LedgerValues, Owner {
  readonly id: string;
  readonly deploymentId: string;
  readonly currencyId: string;
  readonly chainId: string;
  readonly withdrawAddressId: string;
  readonly address: string;
  readonly contractAddress: string | null;
  readonly sendAmountRaw: bigint;
  readonly feeRaw: bigint;
  readonly feeVersion: bigint | null;
  readonly singleMaxRaw: bigint | null;
  readonly dailyMaxRaw: bigint | null;
  readonly now: Date;
  readonly idempotencyKey: string | null;
}

/** In UTC. Processes whose clocks differ still count one day. */
const today = sql<Date>`(clock_timestamp() at time zone 'UTC')::date`;

/**
 * The day's sum, the withdrawal, the reservation and the event, if the CTE `cause` has a row. The row
 * of the day is locked from here to the commit, so two requests at once count each other.
 */
function requesting<Cte>(creator: QueryCreator<Cte>, cause: string, p: NewWithdrawalValues) {
  const requested = creator
    .with(
      "day",
      () => sql<{ total_raw: string; day: Date }>`(
      insert into withdrawal_days (merchant_id, environment, deployment_id, day, total_raw)
      select ${p.merchantId}::text, ${p.environment}::text, ${p.deploymentId}::text,
        ${today}, ${p.sendAmountRaw}::numeric
      from ${sql.table(cause)}
      on conflict (merchant_id, environment, deployment_id, day)
      do update set total_raw =
        least(withdrawal_days.total_raw + excluded.total_raw, repeat('9', 78)::numeric)
      returning total_raw, day)`,
    )
    .with(
      "withdrawal",
      () => sql<{ held_because: HoldReason | null }>`(
      insert into withdrawals (
        id, merchant_id, environment, deployment_id, currency_id, chain_id, withdraw_address_id,
        address, contract_address, send_amount_raw, fee_raw, fee_version, held_because, counted_day,
        created_at, updated_at, idempotency_key
      )
      select ${p.id}::text, ${p.merchantId}::text, ${p.environment}::text,
        ${p.deploymentId}::text, ${p.currencyId}::text, ${p.chainId}::text,
        ${p.withdrawAddressId}::text, ${p.address}::text, ${p.contractAddress}::text,
        ${p.sendAmountRaw}::numeric, ${p.feeRaw}::numeric, ${p.feeVersion}::bigint,
        case
          when ${p.sendAmountRaw}::numeric > ${p.singleMaxRaw}::numeric then 'above_single_limit'
          when day.total_raw > ${p.dailyMaxRaw}::numeric then 'above_daily_limit'
        end,
        day.day,
        ${p.now}::timestamptz, ${p.now}::timestamptz, ${p.idempotencyKey}::text
      from day
      returning id, held_because)`,
    );
  return recordingEvent(recordingPostings(requested, "withdrawal", p), "withdrawal", p);
}

/** No row: the idempotency key is taken, and nothing was written. */
export const requestWithdrawal = statement<NewWithdrawalValues & FinishingValues>(
  "request_withdrawal",
)((p) =>
  requesting(
    queries.with("fence", () => finishing(p)),
    "fence",
    p,
  )
    .selectFrom("withdrawal")
    .select("held_because"),
);

/** Without a request of its own: in a transaction of whoever asks for it. */
export const requestPayout = statement<NewWithdrawalValues>("request_payout_withdrawal")((p) =>
  requesting(
    queries.with("cause", () => sql<{ one: number }>`(select 1 as one)`),
    "cause",
    p,
  )
    .selectFrom("withdrawal")
    .select("held_because"),
);

/** Columns of which a `Withdrawal` is made; amounts as text. */
export const withdrawalColumns = [
  "id",
  "merchant_id",
  "environment",
  "currency_id",
  "deployment_id",
  "chain_id",
  "send_amount_raw",
  "fee_raw",
  "status",
  "tx_hash",
  "reason",
] as const;

export type WithdrawalRow = Pick<
  Selectable<Tables["withdrawals"]>,
  (typeof withdrawalColumns)[number]
>;

export const findWithdrawal = statement<Owner & { readonly id: string }>("find_withdrawal")((p) =>
  queries
    .selectFrom("withdrawals")
    .select(withdrawalColumns)
    .where("id", "=", p.id)
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment),
);

/**
 * Takes what is not sent out of its day again; a row if the CTE `cause` has one, which is the withdrawal.
 * The ledger goes by this: the row of the day is locked before those of its accounts, as where a
 * withdrawal is asked for.
 */
export function givenBack(cause: string): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`(
    insert into withdrawal_days as d (merchant_id, environment, deployment_id, day, total_raw)
    select w.merchant_id, w.environment, w.deployment_id,
      coalesce(w.counted_day, (w.created_at at time zone 'UTC')::date), 0
    from ${sql.table(cause)} w
    on conflict (merchant_id, environment, deployment_id, day)
    do update set total_raw = greatest(
      d.total_raw - (select send_amount_raw from ${sql.table(cause)}), 0)
    returning merchant_id as id)`;
}

export interface RejectionValues extends EventValues, LedgerValues {
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

/** What ends as `rejected`, with its money and its event. No row: it is not pending. */
export function rejecting(p: RejectionValues) {
  const rejected = queries
    .with("rejected", (q) =>
      q
        .updateTable("withdrawals")
        .set({ status: "rejected", reason: p.reason, updated_at: p.now })
        .where("id", "=", p.id)
        .where("status", "=", "pending")
        .returningAll(),
    )
    .with("given_back", () => givenBack("rejected"));
  return recordingEvent(recordingPostings(rejected, "given_back", p), "rejected", p);
}

type CancelValues = Owner &
  FinishingValues &
  EventValues &
  LedgerValues & { readonly id: string; readonly now: Date };

export const cancelWithdrawal = statement<CancelValues>("cancel_withdrawal")((p) => {
  const cancelled = queries
    .with("current", () => currentRow("withdrawals", p, sql`status = 'pending'`))
    .with("fence", () => finishingIfCurrent(p))
    .with("changed", (q) =>
      q
        .updateTable("withdrawals")
        .set({ status: "cancelled", updated_at: p.now })
        .where("id", "=", p.id)
        .where(isFenced)
        .returningAll(),
    )
    .with("given_back", () => givenBack("changed"));
  return recordingEvent(recordingPostings(cancelled, "given_back", p), "changed", p).selectNoFrom(
    changeFacts,
  );
});

/** For somebody who has named one that is not there. */
export const listCurrencyIds = statement<object>("list_currency_ids")(() =>
  queries.selectFrom("currencies").select("id").orderBy("id"),
);
