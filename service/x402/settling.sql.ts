// The statements of settling an x402 authorization and of reporting its usage, as merchants ask for
// them.

import { sql } from "kysely";
import type { Owner } from "../owner.ts";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { depositAuthorization } from "../payments/facts.sql.ts";
import type { BroughtJson, DepositJson } from "../payments/facts.sql.ts";
import type { PaymentStatus } from "../database/words.ts";
import type { QuotedCurrency } from "../database/tables/payments.ts";
import { reading } from "../database/reading.ts";
import type { ColumnTypes } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";
import type {
  SettlementStatus,
  X402SettlementsTable,
  X402UsagesTable,
} from "../database/tables/x402.ts";

interface OfPayment extends Owner {
  readonly paymentId: string;
}

interface PaymentFactsRow {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly version: bigint;
  readonly quotes: readonly QuotedCurrency[];
  readonly created_at: Date;
  readonly expires_at: Date;
  /** in the order in which they count */
  readonly deposits: readonly SeenDeposit[];
}

const ofPayment: ColumnTypes<OfPayment> = {
  merchantId: "text",
  environment: "text",
  paymentId: "text",
};

export type SeenDeposit = BroughtJson & Pick<DepositJson, "bookings" | "reversals">;

export const readX402Payment = reading<OfPayment>(
  { one: "read_x402_payment", many: "read_x402_payments" },
  ofPayment,
)(
  (p) => sql<PaymentFactsRow>`
    select p.id, p.status, p.version, p.quotes, p.created_at, p.expires_at,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'tx_hash', d.tx_hash,
          'deployment_id', d.deployment_id, 'amount_raw', d.amount_raw::text,
          'block_time', d.block_time, 'status', d.status,
          'authorization', ${depositAuthorization},
          'is_accepted', d.accepted_at is not null,
          'bookings', d.bookings, 'reversals', d.reversals)
          order by d.block_time, d.chain_id, d.block_number, d.log_index, d.tx_hash), '[]')
        from deposits d join payments own on own.id = d.payment_id
        left join x402_settlements x on x.id = d.settlement_id
        where own.merchant_id = ${p.merchantId}::text and own.environment = ${p.environment}::text
          and d.payment_id = p.id and d.status <> 'orphaned') as deposits
    from payments p
    where p.merchant_id = ${p.merchantId}::text and p.environment = ${p.environment}::text
      and p.id = ${p.paymentId}::text`,
);

const settlementsMax = 20;

/** The one that has not failed comes first, then the newest. */
export const listSettlements = reading<OfPayment>(
  { one: "list_x402_settlements", many: "list_x402_settlements_of_many" },
  ofPayment,
)((p) =>
  queries
    .selectFrom("x402_settlements")
    .selectAll()
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .where("payment_id", "=", p.paymentId)
    .orderBy(sql`status = 'failed'`)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(sql.lit(settlementsMax)),
);

export const readUsage = reading<OfPayment>(
  { one: "read_x402_usage", many: "read_x402_usages" },
  ofPayment,
)((p) =>
  queries
    .selectFrom("x402_usages")
    .select(["deployment_id", "usage_id", "max_raw", "actual_raw", "reported_at"])
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .where("payment_id", "=", p.paymentId),
);

interface WaitingValues extends Owner {
  readonly chainId: string;
  readonly account: string;
  readonly now: Date;
  readonly rowsMax: number;
}

/**
 * Settlements that leave with the next rounds. What cannot be sent now, and is looked at again later, takes no
 * place: nobody can close a chain by that. Up to so many: nobody asks how much longer the line is.
 */
export const countWaitingSettlements = reading<WaitingValues>(
  { one: "count_waiting_x402_settlements", many: "count_waiting_x402_settlements_of_many" },
  {
    merchantId: "text",
    environment: "text",
    chainId: "text",
    account: "text",
    now: "timestamptz",
    rowsMax: "integer",
  },
)(
  (p) => sql<{ all: number; own: number }>`
    select count(*)::integer as "all",
      count(*) filter (
        where s.merchant_id = ${p.merchantId}::text and s.environment = ${p.environment}::text
      )::integer as own
    from (
      select subject_id from outgoing_transactions
      where chain_id = ${p.chainId}::text and account = ${p.account}::text and status = 'queued'
        and purpose = 'x402_settlement'
        and (reserved_nonce is not null or not_before <= ${p.now}::timestamptz)
      limit ${p.rowsMax}::integer
    ) waiting
    join x402_settlements s on s.id = waiting.subject_id`,
);

type Settlement = X402SettlementsTable;

/** In the order of the columns; bigint as text. */
export interface NewSettlementValues extends OfPayment {
  readonly id: string;
  readonly deploymentId: string;
  readonly chainId: string;
  readonly scheme: Settlement["scheme"];
  readonly method: Settlement["method"];
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  readonly payTo: string;
  readonly authorizedRaw: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly spender: string | null;
  readonly facilitator: string | null;
  readonly domainName: string | null;
  readonly domainVersion: string | null;
  readonly evidenceVersion: bigint;
  readonly signature: string;
  readonly amountRaw: bigint | null;
  readonly status: SettlementStatus;
  readonly fromBlock: bigint;
  readonly now: Date;
}

/**
 * A row, if the payment is still what the decision was made on, and the authorization no other's by now. Throws
 * `UniqueViolation("x402_settlements_of_payment")` where another authorization of the payment was
 * faster, and `UniqueViolation("x402_settlements_authorization")` where this one pays for another.
 *
 * Who hands the authorization in for another payment at this moment writes the same nonce: one waits for the other. Of
 * another token, the same nonce is another authorization's.
 */
export const insertSettlement = statement<NewSettlementValues & { readonly versionRead: bigint }>(
  "insert_x402_settlement",
)(
  (p) => sql<{ id: string }>`
    with current as (
      select p.id, p.merchant_id, p.environment from payments p
      where p.merchant_id = ${p.merchantId}::text and p.environment = ${p.environment}::text
        and p.id = ${p.paymentId}::text and p.version = ${p.versionRead}::bigint
        and p.status in ('pending', 'partially_paid')
      for no key update
    ), owned as (
      insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw)
      select ${p.nonce}::text, ${p.payer}::text, id, ${p.deploymentId}::text,
        ${p.authorizedRaw}::numeric
      from current
      on conflict (nonce, payer, deployment_id) do update set nonce = excluded.nonce
      where x402_nonces.payment_id = excluded.payment_id
      returning nonce
    )
    insert into x402_settlements (
      id, merchant_id, environment, payment_id, deployment_id, chain_id, scheme, method, asset,
      payer, nonce, pay_to, authorized_raw, valid_after, valid_before, spender, facilitator,
      domain_name, domain_version, evidence_version, signature, amount_raw, status, from_block,
      created_at, updated_at
    )
    select ${p.id}::text, merchant_id, environment, id, ${p.deploymentId}::text,
      ${p.chainId}::text, ${p.scheme}::text, ${p.method}::text, ${p.asset}::text,
      ${p.payer}::text, ${p.nonce}::text, ${p.payTo}::text, ${p.authorizedRaw}::numeric,
      ${p.validAfter}::bigint, ${p.validBefore}::bigint, ${p.spender}::text,
      ${p.facilitator}::text, ${p.domainName}::text, ${p.domainVersion}::text,
      ${p.evidenceVersion}::bigint, ${p.signature}::text, ${p.amountRaw}::numeric,
      ${p.status}::text, ${p.fromBlock}::bigint, ${p.now}::timestamptz, ${p.now}::timestamptz
    from current cross join owned
    returning id`,
);

export interface NewUsageValues extends OfPayment, AuditValues {
  readonly versionRead: bigint;
  readonly deploymentId: string;
  readonly usageId: string;
  readonly maxRaw: bigint;
  readonly actualRaw: bigint;
  /** JSON text */
  readonly evidence: string;
  readonly evidenceHash: X402UsagesTable["evidence_hash"];
  readonly now: Date;
}

/**
 * A row, if the payment is still what the decision was made on. Throws
 * `UniqueViolation("x402_usages_pkey")` where another report was faster.
 */
export const insertUsage = statement<NewUsageValues>("insert_x402_usage")((p) =>
  recordingAudit(
    queries
      .with("current", (q) =>
        q
          .selectFrom("payments")
          .select(["id", "merchant_id", "environment"])
          .where("merchant_id", "=", p.merchantId)
          .where("environment", "=", p.environment)
          .where("id", "=", p.paymentId)
          .where("version", "=", p.versionRead)
          .forNoKeyUpdate(),
      )
      .with(
        "reported",
        () => sql<{ payment_id: string }>`(
        insert into x402_usages (
          payment_id, merchant_id, environment, deployment_id, usage_id, max_raw, actual_raw,
          evidence, evidence_hash, reported_at
        )
        select id, merchant_id, environment, ${p.deploymentId}::text, ${p.usageId}::text,
          ${p.maxRaw}::numeric, ${p.actualRaw}::numeric, ${p.evidence}::jsonb,
          ${p.evidenceHash}::bytea, ${p.now}::timestamptz
        from current
        returning payment_id)`,
      ),
    "reported",
    p,
  )
    .selectFrom("reported")
    .select("payment_id"),
);

/**
 * Nothing was sent for it so far: now it is known how much to send, or that nothing is. A row, if it
 * still waited.
 */
export const useSettlement = statement<
  OfPayment & {
    readonly id: string;
    readonly status: "queued" | "unused";
    readonly amountRaw: bigint;
    readonly now: Date;
  }
>("use_x402_settlement")((p) =>
  queries
    .updateTable("x402_settlements")
    .set({ status: p.status, updated_at: p.now })
    .set("amount_raw", sql<string>`${p.amountRaw}::numeric`)
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .where("payment_id", "=", p.paymentId)
    .where("id", "=", p.id)
    .where("status", "=", "waiting")
    .returning("id"),
);
