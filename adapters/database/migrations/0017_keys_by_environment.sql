-- An Idempotency-Key belongs to a merchant in one environment: what a test key was used for is in
-- nobody's way when a live key uses it.

alter table idempotency_keys
  -- of the API key that the request came with
  add column environment text check (environment in ('live', 'test')),
  drop constraint idempotency_keys_pkey;

-- Which of the two a kept answer is of stands only in its fingerprint. So both have it until its time
-- is over: the other environment is refused as before, and nothing is done twice.
update idempotency_keys set environment = 'live';
insert into idempotency_keys (
  merchant_id, environment, key, operation_id, fingerprint, status, headers, body, body_sealed,
  created_at, body_expires_at, expires_at)
select merchant_id, 'test', key, operation_id, fingerprint, status, headers, body, body_sealed,
  created_at, body_expires_at, expires_at
from idempotency_keys;

alter table idempotency_keys
  alter column environment set not null,
  add primary key (merchant_id, environment, key);

alter table webhook_endpoints
  drop constraint webhook_endpoints_merchant_id_idempotency_key_key,
  add constraint webhook_endpoints_idempotency_key
    unique (merchant_id, environment, idempotency_key);
alter table payments
  drop constraint payments_idempotency_key,
  add constraint payments_idempotency_key unique (merchant_id, environment, idempotency_key);
alter table withdraw_addresses
  drop constraint withdraw_addresses_idempotency_key,
  add constraint withdraw_addresses_idempotency_key
    unique (merchant_id, environment, idempotency_key);
alter table withdrawals
  drop constraint withdrawals_idempotency_key,
  add constraint withdrawals_idempotency_key unique (merchant_id, environment, idempotency_key);
alter table payout_schedules
  drop constraint payout_schedules_idempotency_key,
  add constraint payout_schedules_idempotency_key unique (merchant_id, environment, idempotency_key);
