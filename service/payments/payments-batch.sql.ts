// Payments that are created at one moment, by one statement: each set of values gets its fence, its
// payment, its shares and its event, exactly as `createPayment` writes them for one. Sets whose key
// was taken give no row, and the others do not notice. An order number that was taken undoes the
// statement; then each set is written by itself.

import { sql } from "kysely";
import { everyEvent } from "../database/words.ts";
import { storing } from "../idempotency/idempotency.sql.ts";
import { queries, statement } from "../database/statement.ts";

/** Those of `CreatePaymentValues`, under their own names. */
const columns = sql`
  "set" integer, id text, "merchantId" text, environment text, "merchantOrderNo" text, quotes text,
  "chainIds" text[], "overpayPolicy" text, "feeBps" integer, "userId" text, memo text,
  "redirectUrl" text, "checkoutToken" text, now timestamptz, "expiresAt" timestamptz,
  "splitMerchantIds" text[], "splitBps" integer[],
  "fenceMerchantId" text, "fenceKey" text, "fenceOperationId" text, "fenceFingerprint" bytea,
  "answerStatus" integer, "answerHeaders" text, "answerBody" text, "answerBodySealed" bytea,
  "answerBodyExpiresAt" timestamptz, "finishedAt" timestamptz, "answerExpiresAt" timestamptz,
  "eventId" text, "eventMerchantId" text, "eventEnvironment" text, "eventType" text,
  "eventOccurredAt" timestamptz, "eventResourceType" text, "eventResourceId" text,
  "eventData" text, "eventExceptEndpointId" text, "eventDeliveryIds" text[]`;

/** In the order of their keys: two such statements at once wait for each other in one direction. */
const answers = sql<never>`
  select "fenceMerchantId", "fenceKey", "fenceOperationId", "fenceFingerprint", "answerStatus",
    "answerHeaders"::jsonb, "answerBody", "answerBodySealed", "finishedAt", "answerBodyExpiresAt",
    "answerExpiresAt"
  from sets order by "fenceMerchantId", "fenceKey"`;

const payments = sql<{ id: string }>`(
  insert into payments (
    id, merchant_id, environment, merchant_order_no, status, quotes, chain_ids, overpay_policy,
    fee_bps, user_id, memo, redirect_url, checkout_token, created_at, expires_at, updated_at,
    idempotency_key
  )
  select id, "merchantId", environment, "merchantOrderNo", 'pending', quotes::jsonb, "chainIds",
    "overpayPolicy", "feeBps", "userId", memo, "redirectUrl", "checkoutToken", now, "expiresAt", now,
    "fenceKey"
  from todo order by "merchantId", environment, "merchantOrderNo"
  returning id)`;

const splits = sql<{ position: number }>`(
  insert into payment_splits (payment_id, position, merchant_id, bps)
  select todo.id, share.place - 1, share.merchant_id, share.bps
  from todo, unnest(todo."splitMerchantIds", todo."splitBps")
    with ordinality as share (merchant_id, bps, place)
  returning position)`;

/** Of a new payment it is the first event, without a look. */
const sequences = sql<{ last: bigint }>`(
  insert into event_sequences (merchant_id, environment, resource_type, resource_id, last)
  select "eventMerchantId", "eventEnvironment", "eventResourceType", "eventResourceId", 1 from todo
  returning last)`;

const events = sql<{ id: string }>`(
  insert into events (
    id, merchant_id, environment, type, occurred_at, resource_type, resource_id, sequence, data
  )
  select "eventId", "eventMerchantId", "eventEnvironment", "eventType", "eventOccurredAt",
    "eventResourceType", "eventResourceId", 1, "eventData"
  from todo
  returning id)`;

/** As `recordingEvent` makes them. */
const deliveries = sql<{ id: string }>`(
  insert into webhook_deliveries (
    id, merchant_id, environment, endpoint_id, event_id, event_type, resource_type, resource_id,
    sequence, generation, status, next_attempt_at, created_at, finished_at
  )
  select todo."eventDeliveryIds"[e.slot], e.merchant_id, e.environment, e.id, todo."eventId",
    todo."eventType", todo."eventResourceType", todo."eventResourceId", 1, e.generation,
    case when e.active then 'pending' else 'skipped' end,
    case when e.active then todo."eventOccurredAt" end,
    todo."eventOccurredAt",
    case when not e.active then todo."eventOccurredAt" end
  from todo, webhook_endpoints e
  where e.merchant_id = todo."eventMerchantId" and e.environment = todo."eventEnvironment"
    and e.event_types && array[${sql.lit(everyEvent)}::text, todo."eventType"]
    and e.id is distinct from todo."eventExceptEndpointId"
  returning id)`;

export const createPayments = statement<{ readonly sets: string }>("create_payments")((p) =>
  queries
    .with(
      (cte) => cte("sets").materialized(),
      () => sql<object>`(select * from jsonb_to_recordset(${p.sets}::jsonb) as one (${columns}))`,
    )
    .with("fence", () => storing(answers).returning(["merchant_id", "key"]))
    .with(
      "todo",
      () => sql<{ set: number; id: string }>`(
      select sets.* from sets
      join fence on fence.merchant_id = sets."fenceMerchantId" and fence.key = sets."fenceKey")`,
    )
    .with("payment", () => payments)
    .with("splits", () => splits)
    .with("event_sequence", () => sequences)
    .with("event", () => events)
    .with("event_deliveries", () => deliveries)
    .selectFrom("todo")
    .select(["set", "id"]),
);
