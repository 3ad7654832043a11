// The statements of ways out of suspense.

import { sql } from "kysely";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import { adding, queries, statement } from "../database/statement.ts";
import type { SuspenseStatus, SuspenseWay } from "../database/words.ts";
import { isNotPayable } from "../withdrawals/own-accounts.sql.ts";

interface ExitValues {
  readonly id: string;
  readonly chainId: string;
  /** of a deposit, with the next two; null: of a refund */
  readonly txHash: string | null;
  readonly logIndex: number | null;
  readonly booking: number | null;
  readonly settlementId: string | null;
  readonly deploymentId: string;
  readonly amountRaw: bigint;
  readonly way: SuspenseWay;
  readonly status: SuspenseStatus;
  readonly address: string | null;
  readonly signsAs: "hot" | "settlement" | null;
  readonly evidence: string;
  readonly now: Date;
}

/** Of what is locked. The indexes of the table take no second one. */
export const takeOutItem = statement<ExitValues>("take_out_item")(
  (p) => sql<{ id: string }>`
    with made as (
      insert into suspense_exits (
        id, chain_id, tx_hash, log_index, booking, settlement_id, deployment_id, amount_raw, way,
        status, address, signs_as, evidence, created_at, updated_at
      )
      values (${p.id}::text, ${p.chainId}::text, ${p.txHash}::text, ${p.logIndex}::integer,
        ${p.booking}::integer, ${p.settlementId}::text, ${p.deploymentId}::text,
        ${p.amountRaw}::numeric, ${p.way}::text, ${p.status}::text, ${p.address}::text,
        ${p.signsAs}::text, ${p.evidence}::text, ${p.now}::timestamptz, ${p.now}::timestamptz)
      returning id
    ), marked as (
      update deposits set suspense_exit_id = made.id from made
      where deposits.chain_id = ${p.chainId}::text and deposits.tx_hash = ${p.txHash}::text
        and deposits.log_index = ${p.logIndex}::integer
    )
    select id from made`,
);

interface AddressValues {
  readonly address: string;
  readonly chainFamily: string;
}

/** Whether it is an account of ours, or a token. */
export const readIsNotPayable = statement<AddressValues>("read_is_not_payable")((p) =>
  queries
    .with(
      "wanted",
      () => sql<{ address: string; chain_family: string }>`(
        select ${p.address}::text as address, ${p.chainFamily}::text as chain_family)`,
    )
    .selectFrom("wanted")
    .select(isNotPayable("wanted").as("is_not_payable")),
);

export interface ExitRow {
  readonly id: string;
  readonly chain_id: string;
  readonly tx_hash: string | null;
  readonly log_index: number | null;
  readonly settlement_id: string | null;
  readonly deployment_id: string;
  readonly amount_raw: string;
  readonly status: SuspenseStatus;
  readonly signs_as: "hot" | "settlement" | null;
  readonly decided_as: "sent" | "failed" | null;
  readonly payment_id: string | null;
  readonly merchant_id: string | null;
  readonly environment: "live" | "test" | null;
  /** Its deposit is booked as it was when it was taken out, or that of its settlement is booked. */
  readonly is_there: boolean;
}

const exitRow = sql`
  e.id, e.chain_id, e.tx_hash, e.log_index, e.settlement_id, e.deployment_id, e.amount_raw::text,
  e.status, e.signs_as, e.decided_as, p.id as payment_id, p.merchant_id, p.environment,
  case when e.settlement_id is null then d.suspense_exit_id = e.id and d.bookings > d.reversals
    else exists (select from deposits o where o.settlement_id = e.settlement_id and o.source = 'x402'
      and o.bookings > o.reversals) end as is_there
  from suspense_exits e
  left join x402_settlements s on s.id = e.settlement_id
  left join deposits d on d.chain_id = e.chain_id and d.tx_hash = e.tx_hash
    and d.log_index = e.log_index
  left join payments p on p.id = coalesce(s.payment_id, d.payment_id)`;

export const findExit = statement<{ readonly id: string }>("find_exit")(
  (p) => sql<ExitRow>`select ${exitRow} where e.id = ${p.id}::text`,
);

/** Its deposit, so that nobody takes that back meanwhile; the payment is locked before. */
export const lockExitDeposit = statement<{ readonly id: string }>("lock_exit_deposit")(
  (p) => sql<{ tx_hash: string }>`
    select d.tx_hash from suspense_exits e
    join deposits d on d.chain_id = e.chain_id and d.tx_hash = e.tx_hash
      and d.log_index = e.log_index
    where e.id = ${p.id}::text
    for no key update of d`,
);

type EndValues = LedgerValues & {
  readonly id: string;
  readonly now: Date;
  readonly reason: string | null;
};

/** The payer has it. A row, if it was waiting. */
export const finishExit = statement<EndValues>("finish_exit")((p) =>
  recordingPostings(ending(p, "done"), "ended", p).selectFrom("ended").select("id"),
);

/** It is back where it was, and waits again. A row, if it was waiting. */
export const failExit = statement<EndValues>("fail_exit")((p) =>
  recordingPostings(
    adding(ending(p, "failed"), (q) =>
      q.with("unmarked", (inner) =>
        inner
          .updateTable("deposits")
          .set({ suspense_exit_id: null })
          .where("suspense_exit_id", "=", p.id)
          .where(sql<boolean>`exists (select from ended)`),
      ),
    ),
    "ended",
    p,
  )
    .selectFrom("ended")
    .select("id"),
);

function ending(p: EndValues, status: "done" | "failed") {
  return queries.with("ended", (q) =>
    q
      .updateTable("suspense_exits")
      .set({ status, reason: p.reason, updated_at: p.now })
      .where("id", "=", p.id)
      .where("status", "=", "waiting")
      .returning("id"),
  );
}

/** No row: it has ended, or nobody has to say anything: it was not sent, or the chain will say it. */
export const decideExit = statement<{
  readonly id: string;
  readonly decidedAs: "sent" | "failed";
  readonly now: Date;
}>("decide_exit")((p) =>
  queries
    .updateTable("suspense_exits")
    .set({ decided_as: p.decidedAs, updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "=", "waiting")
    .where(
      sql<boolean>`exists (select from outgoing_transactions o
        where o.purpose = 'refund' and o.subject_id = suspense_exits.id and o.status = 'broadcast'
          and o.unclear_at is not null)`,
    )
    .returning("id"),
);

export const listWaitingExits = statement<{
  /** null: of all */
  readonly merchantId: string | null;
  readonly deploymentId: string | null;
  readonly rowsMax: number;
}>("list_waiting_exits")(
  (p) => sql<{
    id: string;
    item: string;
    deployment_id: string;
    amount_raw: string;
    decimals: number;
    address: string;
    created_at: Date;
    sending: string | null;
    last_problem: string | null;
  }>`
    select e.id, coalesce(e.settlement_id, e.chain_id || '/' || e.tx_hash || '/' || e.log_index) as item,
      e.deployment_id, e.amount_raw::text, m.decimals, e.address, e.created_at,
      o.status as sending, o.last_problem
    from suspense_exits e join deployments m on m.id = e.deployment_id
    left join outgoing_transactions o on o.purpose = 'refund' and o.subject_id = e.id
    left join x402_settlements s on s.id = e.settlement_id
    left join deposits d on d.chain_id = e.chain_id and d.tx_hash = e.tx_hash
      and d.log_index = e.log_index
    left join payments pay on pay.id = coalesce(s.payment_id, d.payment_id)
    where e.status = 'waiting'
      and (${p.merchantId}::text is null or pay.merchant_id = ${p.merchantId}::text)
      and (${p.deploymentId}::text is null or e.deployment_id = ${p.deploymentId}::text)
    order by e.created_at, e.id
    limit ${p.rowsMax}::integer`,
);
