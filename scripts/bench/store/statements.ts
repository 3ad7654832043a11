// What is written: two statements in the shape of the service's hot writes, each also for many at
// once. The texts are the same for everyone who is measured; each write is told only its number.

import { sql } from "kysely";
import type { Statement } from "../../../service/ports/database.ts";
import { together } from "../../../service/database/row-source.ts";
import { statement } from "../../../service/database/statement.ts";

export interface Write {
  /** never used before in this database */
  readonly n: string;
  readonly now: string;
  /** the answer that is kept for replays */
  readonly body: string;
  /** of the event */
  readonly data: string;
}

export const answer = JSON.stringify({
  id: "whe_01JABCDEFGHJKMNPQRSTVWXYZ0",
  url: "https://shop.example/webhooks/payments",
  event_types: ["payment.paid", "payment.expired", "payment.underpaid"],
  active: true,
  note: "x".repeat(400),
});
export const eventData = JSON.stringify({ id: "pay_01", status: "paid", more: "x".repeat(600) });

export const endpointsOfMerchant = 20;

/** What the real tables do not have yet; merchants for every number below `writes`. */
export function setUpTexts(writes: number): readonly string[] {
  return [
    `create table bench_payments (
      id text primary key,
      merchant_id text not null references merchants (id),
      merchant_order_no text not null,
      status text not null check (status in ('pending', 'paid')),
      quotes jsonb not null,
      amount_raw numeric(78, 0) not null check (amount_raw > 0),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      idempotency_key text not null,
      unique (merchant_id, merchant_order_no),
      unique (merchant_id, idempotency_key))`,
    `insert into merchants (id, name, created_at)
      select 'mer_' || n, 'merchant ' || n, now()
      from generate_series(0, ${Math.ceil(writes / endpointsOfMerchant)}) n`,
    "analyze merchants",
  ];
}

/** The same for one write and for many, read from `sets (set, n, now, body, data)`. */
const sharedParts = `
  numbered as (
    select "set", n, now, body, data, 'mer_' || n / ${endpointsOfMerchant} as merchant_id from sets),
  key as (
    insert into idempotency_keys (merchant_id, environment, key, operation_id, fingerprint, status, body,
      created_at, expires_at)
    select merchant_id, 'live', 'key-' || n, 'createPayment', sha256(body::bytea), 201, body,
      now, now + interval '7 d'
    from numbered),
  counter as (
    insert into event_sequences (merchant_id, environment, resource_type, resource_id, last)
    select merchant_id, 'live', 'resource', 'res_' || n, 1 from numbered
    on conflict (merchant_id, environment, resource_type, resource_id)
    do update set last = event_sequences.last + 1
    returning merchant_id, resource_id, last),
  event as (
    insert into events (id, merchant_id, environment, type, occurred_at, resource_type, resource_id,
      sequence, data)
    select 'evt_' || n, merchant_id, 'live', 'payment.created', now, 'resource', resource_id, last, data
    from numbered join counter using (merchant_id) where resource_id = 'res_' || n)`;

const endpointParts = `${sharedParts},
  endpoint as (
    insert into webhook_endpoints (id, merchant_id, environment, slot, url, event_types, active,
      secret_sealed, created_at, updated_at, idempotency_key)
    select 'whe_' || n, merchant_id, 'live', n % ${endpointsOfMerchant} + 1, 'https://shop.example/' || n,
      array['payment.paid', 'payment.expired'], true, sha256(body::bytea), now, now, 'key-' || n
    from numbered),
  delivery as (
    insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type,
      resource_type, resource_id, sequence, status, next_attempt_at, created_at)
    select 'dlv_' || n, merchant_id, 'live', 'whe_' || n, 'evt_' || n, 'payment.created', 'resource',
      'res_' || n, 1, 'pending', now, now
    from numbered)`;

const paymentParts = `${sharedParts},
  payment as (
    insert into bench_payments (id, merchant_id, merchant_order_no, status, quotes, amount_raw,
      created_at, expires_at, idempotency_key)
    select 'pay_' || n, merchant_id, 'order-' || n, 'pending', data::jsonb, 25000000, now,
      now + interval '30 min', 'key-' || n
    from numbered)`;

const result = `select "set", n::text from numbered`;

function buildShape(name: string, parts: string): Statement<Write, { readonly n: string }> {
  return statement<Write>(`bench.${name}`)(
    (p) => sql<{ readonly n: string }>`
      with sets as (
        select 0 as "set", ${p.n}::bigint as n, ${p.now}::timestamptz as now, ${p.body}::text as body,
          ${p.data}::text as data),${sql.raw(parts)} ${sql.raw(result)}`,
    together<Write>(`bench.${name}_many`, { n: "text", now: "text", body: "text", data: "text" })(
      (rows) => sql<{ readonly n: string; readonly set: number }>`
        with sets as materialized (
          select "set", n::bigint as n, now::timestamptz as now, body, data from (${rows}) one),
        ${sql.raw(parts)} ${sql.raw(result)}`,
    ),
  );
}

export const shapes = {
  endpoint: buildShape("endpoint", endpointParts),
  payment: buildShape("payment", paymentParts),
} as const;
export type ShapeName = keyof typeof shapes;

/** The order of the parameters $1 to $4. */
export const parameterNames = ["n", "now", "body", "data"] as const;
