-- Where merchants may send their money, and what is sent: withdrawals, the transactions that were
-- signed for them, and the operator's fees and limits.

create table withdraw_addresses (
  id text primary key check (id like 'wad\_%'),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  chain_id text not null,
  chain_family text not null check (chain_family in ('evm', 'solana', 'bitcoin', 'tron')),
  -- in the normal form of its family; on EVM chains with the checksum of EIP-55
  address text not null,
  destination_type text not null check (destination_type in ('self_hosted', 'custodial', 'contract')),
  label text check (char_length(label) <= 256),
  created_at timestamptz not null,
  -- Whether it may be used is a matter of the clock; nothing has to happen at this moment.
  activates_at timestamptz not null,
  -- when the merchant was told that it is active; null: not yet
  announced_at timestamptz,
  -- by the operator, for good
  disabled_at timestamptz,
  idempotency_key text not null,
  -- in the order in which a request is to hear of them
  constraint withdraw_addresses_idempotency_key unique (merchant_id, idempotency_key),
  constraint withdraw_addresses_address unique (merchant_id, environment, chain_id, address),
  unique (id, merchant_id, environment)
);

create index withdraw_addresses_to_announce on withdraw_addresses (activates_at)
  where announced_at is null and disabled_at is null;

-- The newest version counts; a withdrawal keeps the one it was requested at.
create table withdrawal_fees (
  deployment_id text not null references deployments (id),
  version bigint not null check (version >= 1),
  fee_raw numeric(78, 0) not null check (fee_raw >= 0),
  since timestamptz not null,
  primary key (deployment_id, version)
);

-- Above these a withdrawal waits for the operator. No row, or null: there is no such limit.
create table withdrawal_limits (
  deployment_id text primary key references deployments (id),
  single_max_raw numeric(78, 0) check (single_max_raw >= 0),
  daily_max_raw numeric(78, 0) check (daily_max_raw >= 0),
  updated_at timestamptz not null
);

-- What an owner has asked for on a day (UTC). What was cancelled stays in the sum.
create table withdrawal_days (
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  deployment_id text not null references deployments (id),
  day date not null,
  total_raw numeric(78, 0) not null check (total_raw >= 0),
  primary key (merchant_id, environment, deployment_id, day)
);

-- While a row stands here nothing is claimed and nothing is signed; what is signed already goes on.
create table withdrawal_stops (
  -- `*`: all chains
  chain_id text primary key,
  reason text not null,
  since timestamptz not null
);

create table withdrawals (
  id text primary key check (id like 'wdr\_%'),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  deployment_id text not null references deployments (id),
  currency_id text not null,
  chain_id text not null,
  withdraw_address_id text not null,
  -- as it was when it was requested; a registered address never changes
  address text not null,
  contract_address text,
  send_amount_raw numeric(78, 0) not null check (send_amount_raw > 0),
  fee_raw numeric(78, 0) not null check (fee_raw >= 0),
  -- null: there was no fee
  fee_version bigint,
  status text not null default 'pending' check (
    status in ('pending', 'processing', 'broadcast', 'confirmed', 'failed', 'cancelled', 'rejected')
  ),
  -- why it waits for the operator; null: it does not
  held_because text check (held_because in ('above_single_limit', 'above_daily_limit')),
  approved_at timestamptz,
  -- it was looked at and could not be sent: it is looked at again from then on
  not_before timestamptz not null,
  -- Claimed, it is about to be signed with this number of this account, or was: nothing else may be
  -- signed with it, since the signer remembers.
  reserved_account text,
  reserved_nonce bigint check (reserved_nonce >= 0),
  -- It may not be sent any more, and its number may be signed for it: what is signed instead, and
  -- sent, is a transfer of nothing to ourselves.
  sends_nothing boolean not null default false,
  -- of the transaction that decided; while it is broadcast, of the newest one
  tx_hash text,
  -- why it was rejected or has failed
  reason text check (char_length(reason) <= 200),
  -- What an operator says of a transfer that is final and something else than was asked for. It counts
  -- for nothing where the chain itself says what happened.
  decided_as text check (decided_as in ('confirmed', 'failed')),
  -- The head of the chain when its number was first seen used by a transaction that is none of ours.
  lost_since_block bigint,
  -- when the chain was last asked about it
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- the request that made it, or null where a payout schedule did
  idempotency_key text,
  constraint withdrawals_idempotency_key unique (merchant_id, idempotency_key),
  check ((reserved_nonce is null) = (reserved_account is null)),
  check (not sends_nothing or reserved_nonce is not null),
  constraint withdrawals_reserved
    check (reserved_nonce is null or status not in ('pending', 'cancelled', 'rejected')),
  foreign key (withdraw_address_id, merchant_id, environment)
    references withdraw_addresses (id, merchant_id, environment)
);

create index withdrawals_to_send on withdrawals (chain_id, not_before, created_at)
  where status = 'pending';
create index withdrawals_under_way on withdrawals (chain_id, checked_at)
  where status in ('processing', 'broadcast');
-- One at a time: nothing else is signed for the account until it is stored.
create unique index withdrawals_reserved_once on withdrawals (chain_id, reserved_account)
  where status = 'processing';
create index withdrawals_held on withdrawals (created_at)
  where status = 'pending' and held_because is not null and approved_at is null;

-- An account of ours on a chain. Who has the lease is the only one that signs for it.
create table sender_accounts (
  chain_id text not null,
  account text not null,
  lease_token text,
  lease_expires_at timestamptz,
  -- How many of its numbers were used when it was last found that others have used some: then all
  -- is stopped, and goes on from there once somebody has looked. Null: never.
  foreign_count bigint,
  primary key (chain_id, account)
);

-- Every number of such an account is given once, to one thing, for ever.
create table sender_nonces (
  chain_id text not null,
  account text not null,
  nonce bigint not null check (nonce >= 0),
  subject_type text not null check (subject_type in ('withdrawal', 'outgoing')),
  subject_id text not null,
  created_at timestamptz not null,
  primary key (chain_id, account, nonce),
  unique (subject_type, subject_id),
  foreign key (chain_id, account) references sender_accounts (chain_id, account)
);

-- Each transaction that was signed, before anybody saw it. They all have the same number: one of
-- them at most is mined.
create table withdrawal_attempts (
  withdrawal_id text not null references withdrawals (id),
  attempt integer not null check (attempt >= 1),
  tx_hash text not null,
  raw bytea not null,
  max_fee_per_gas numeric(78, 0) not null check (max_fee_per_gas >= 0),
  max_priority_fee_per_gas numeric(78, 0) not null check (max_priority_fee_per_gas >= 0),
  -- the head of the chain when it was signed
  signed_at_block bigint not null,
  signed_at timestamptz not null,
  sent_at timestamptz,
  primary key (withdrawal_id, attempt),
  unique (tx_hash)
);

-- The same table as in service/withdrawal-states.ts: no program, and no hand at a console, can take a
-- withdrawal back from `broadcast`, or to `pending` once something was signed.
create function check_withdrawal_step() returns trigger language plpgsql as $$
begin
  if old.status = new.status then
    return new;
  end if;
  if (old.status, new.status) not in (
    ('pending', 'processing'), ('pending', 'cancelled'), ('pending', 'rejected'),
    ('processing', 'pending'), ('processing', 'broadcast'),
    ('broadcast', 'confirmed'), ('broadcast', 'failed')
  ) then
    raise exception 'a withdrawal does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'withdrawals_step', table = 'withdrawals';
  end if;
  if new.status = 'pending'
    and exists (select from withdrawal_attempts where withdrawal_id = new.id) then
    raise exception 'a withdrawal that was signed does not become pending again'
      using errcode = 'check_violation', constraint = 'withdrawals_signed', table = 'withdrawals';
  end if;
  return new;
end
$$;

create trigger withdrawals_step before update of status on withdrawals
  for each row execute function check_withdrawal_step();
