// The statements of asking for a withdrawal and of taking it back.

import { sql } from "kysely";
import type { QueryCreator, RawBuilder, Selectable } from "kysely";
import type { Owner } from "../owner.ts";
import { eventColumns, recordingEvent, recordingEvents } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import {
  changeFacts,
  currentRow,
  fencedSets,
  finishingColumns,
  finishingIfCurrent,
  isFenced,
} from "../idempotency/idempotency.sql.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import { ledgerColumns, recordingPostings, recordingPostingsOfEach } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import { oneRow, together } from "../database/row-source.ts";
import type { ColumnTypes } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";
import type { HoldReason } from "../database/words.ts";
import type { Tables } from "../database/tables.ts";

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

const newWithdrawalColumns: ColumnTypes<NewWithdrawalValues> = {
  merchantId: "text",
  environment: "text",
  id: "text",
  deploymentId: "text",
  currencyId: "text",
  chainId: "text",
  withdrawAddressId: "text",
  address: "text",
  contractAddress: "text",
  sendAmountRaw: "numeric",
  feeRaw: "numeric",
  feeVersion: "bigint",
  singleMaxRaw: "numeric",
  dailyMaxRaw: "numeric",
  now: "timestamptz",
  idempotencyKey: "text",
  ...eventColumns,
  ...ledgerColumns,
};

const columns: ColumnTypes<NewWithdrawalValues & FinishingValues> = {
  ...newWithdrawalColumns,
  ...finishingColumns,
};

/** In UTC. Processes whose clocks differ still count one day. */
const today = sql<Date>`(clock_timestamp() at time zone 'UTC')::date`;

/** As much as is counted of one day. */
const totalMax = sql`repeat('9', 78)::numeric`;

/**
 * The day's sums, the withdrawals of the CTE `todo`, their reservations and their events. The rows of
 * the day are locked from here to the commit, so two requests at once count each other. Those of one
 * statement count in their order, each with all before it: the sum that comes back has all of them.
 */
function requesting<Cte>(creator: QueryCreator<Cte>) {
  const requested = creator
    .with(
      "day",
      () => sql<object>`(
      insert into withdrawal_days (merchant_id, environment, deployment_id, day, total_raw)
      select "merchantId", environment, "deploymentId", ${today},
        least(sum("sendAmountRaw"), ${totalMax})
      from todo group by "merchantId", environment, "deploymentId"
      order by "merchantId", environment, "deploymentId"
      on conflict (merchant_id, environment, deployment_id, day)
      do update set total_raw = least(withdrawal_days.total_raw + excluded.total_raw, ${totalMax})
      returning *)`,
    )
    .with(
      "counted",
      () => sql<object>`(
      select todo.*, day.day,
        case
          when day.total_raw = ${totalMax} then day.total_raw
          else day.total_raw - coalesce(sum("sendAmountRaw") over (
            partition by "merchantId", todo.environment, "deploymentId" order by "set"
            rows between 1 following and unbounded following), 0)
        end as total_raw
      from todo join day on day.merchant_id = "merchantId"
        and day.environment = todo.environment and day.deployment_id = "deploymentId")`,
    )
    .with(
      "withdrawal",
      () => sql<{ id: string; held_because: HoldReason | null }>`(
      insert into withdrawals (
        id, merchant_id, environment, deployment_id, currency_id, chain_id, withdraw_address_id,
        address, contract_address, send_amount_raw, fee_raw, fee_version, held_because, counted_day,
        created_at, updated_at, idempotency_key
      )
      select id, "merchantId", environment, "deploymentId", "currencyId", "chainId",
        "withdrawAddressId", address, "contractAddress", "sendAmountRaw", "feeRaw", "feeVersion",
        case
          when "sendAmountRaw" > "singleMaxRaw" then 'above_single_limit'
          when total_raw > "dailyMaxRaw" then 'above_daily_limit'
        end,
        day, now, now, "idempotencyKey"
      from counted order by "merchantId", environment, "idempotencyKey"
      returning id, held_because)`,
    );
  return recordingEvents(recordingPostingsOfEach(requested, "todo"), "todo");
}

/**
 * Withdrawals that are asked for at one moment, by one statement. Sets whose key was taken give no row,
 * and the others do not notice. If one spends what is not there, nothing is written, and then each set
 * is written by itself.
 */
const requestWithdrawals = together<NewWithdrawalValues & FinishingValues>(
  "request_withdrawals",
  columns,
)((rows) =>
  requesting(fencedSets(rows))
    .selectFrom("withdrawal")
    .innerJoin("todo", "todo.id", "withdrawal.id")
    .select(["todo.set", "withdrawal.held_because"]),
);

/** No row: the idempotency key is taken, and nothing was written. */
export const requestWithdrawal = statement<NewWithdrawalValues & FinishingValues>(
  "request_withdrawal",
)(
  (p) =>
    requesting(fencedSets(sql`${oneRow(p, columns)}, 0 as "set"`))
      .selectFrom("withdrawal")
      .select("held_because"),
  requestWithdrawals,
);

/** Without a request of its own: in a transaction of whoever asks for it. */
export const requestPayout = statement<NewWithdrawalValues>("request_payout_withdrawal")((p) =>
  requesting(
    queries.with("todo", () => sql<object>`(${oneRow(p, newWithdrawalColumns)}, 0 as "set")`),
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
