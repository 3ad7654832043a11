// Rows that a command needs to have something to do, of the merchant that is called Shop.

import { sql } from "kysely";

/** One that is held, and what is set aside for it. */
export const heldWithdrawal = sql`
  with merchant as (select id from merchants where name = 'Shop'),
  address as (
    insert into withdraw_addresses (id, merchant_id, environment, chain_id, chain_family, address,
      destination_type, created_at, activates_at, idempotency_key)
    select 'wad_1', id, 'test', 'eip155:8453', 'evm', '0x', 'custodial', now(), now(), 'key'
    from merchant returning *),
  reserved as (
    insert into ledger_transactions values ('ltx_1', 'withdrawal_reserved', 'wdr_1', now(), now())
    returning id),
  posted as (
    insert into ledger_postings
    select 'ltx_1', 0, 'chain:hot', 'dep_usdc_base', null, null, 1 from reserved
    union all
    select 'ltx_1', 1, 'merchant:withdrawing', 'dep_usdc_base', merchant_id, environment, -1
    from address returning position)
  insert into withdrawals (id, merchant_id, environment, deployment_id, currency_id, chain_id,
    withdraw_address_id, address, send_amount_raw, fee_raw, held_because, created_at,
    updated_at)
  select 'wdr_1', merchant_id, environment, 'dep_usdc_base', 'cur_usdc', chain_id, id, address, 1, 0,
    'above_single_limit', now(), now()
  from address`;

/** Of an endpoint that is on again, and nothing else. */
export const skippedDelivery = sql`
  with merchant as (select id from merchants where name = 'Shop'),
  endpoint as (
    insert into webhook_endpoints (id, merchant_id, environment, slot, url, event_types, active, secret_sealed,
      created_at, updated_at, idempotency_key)
    select 'whe_1', id, 'test', 1, 'https://shop.example', '{*}', true, '', '2025-12-31', '2025-12-31', 'key'
    from merchant returning *),
  event as (
    insert into events
    select 'evt_1', merchant_id, environment, 'payment.paid', '2025-12-31', 'payment', 'pay_1', 1, '{}'
    from endpoint returning *)
  insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type, resource_type,
    resource_id, sequence, status, created_at, finished_at)
  select 'dlv_1', merchant_id, environment, 'whe_1', id, type, resource_type, resource_id, sequence, 'skipped',
    occurred_at, occurred_at
  from event`;
