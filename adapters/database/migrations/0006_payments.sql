-- Payments, the addresses they are paid to, and what the chains say about those.

-- Basis points of what a payment receives; a payment keeps what held when it was created.
alter table merchants add column fee_bps integer not null default 100
  check (fee_bps between 0 and 10000);

create table payments (
  id text primary key check (id like 'pay\_%'),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  merchant_order_no text not null check (char_length(merchant_order_no) between 1 and 128),
  status text not null check (
    status in (
      'pending', 'authorized', 'partially_paid', 'confirming', 'paid', 'overpaid', 'paid_late',
      'underpaid', 'expired', 'cancelled', 'reversed'
    )
  ),
  -- each change adds one, and is only made to the version it was decided on
  version bigint not null default 1 check (version >= 1),
  -- The prices as they were offered: whatever happens to the catalog or the acceptance later, this
  -- is what was agreed. An array of currencies with their deployments (service/quotes.ts).
  quotes jsonb not null check (jsonb_typeof(quotes) = 'array' and jsonb_array_length(quotes) >= 1),
  -- of all deployments above
  chain_ids text[] not null check (cardinality(chain_ids) >= 1),
  overpay_policy text not null check (overpay_policy in ('pro_rata', 'to_primary')),
  fee_bps integer not null check (fee_bps between 0 and 10000),
  user_id text check (char_length(user_id) between 1 and 128),
  memo text check (char_length(memo) <= 2048),
  redirect_url text check (char_length(redirect_url) <= 2048),
  -- 128 random bits: who has the link sees the page, and nobody else
  checkout_token text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  updated_at timestamptz not null,
  -- the request that made it, or null where a subscription did
  idempotency_key text,
  -- in the order in which a request is to hear of them
  constraint payments_idempotency_key unique (merchant_id, idempotency_key),
  constraint payments_merchant_order_no unique (merchant_id, environment, merchant_order_no),
  unique (id, merchant_id, environment)
);

-- For the expiry: what has not ended yet.
create index payments_open on payments (expires_at)
  where status in ('pending', 'authorized', 'partially_paid', 'confirming');

create table payment_splits (
  payment_id text not null references payments (id),
  position integer not null check (position between 0 and 31),
  merchant_id text not null references merchants (id),
  bps integer not null check (bps between 1 and 10000),
  primary key (payment_id, position),
  unique (payment_id, merchant_id)
);

-- One for each payment and chain family, made when somebody first wants to pay there. The index
-- leads from the operator's extended public key to the address; it is never used twice.
create table deposit_addresses (
  chain_family text not null check (chain_family in ('evm', 'solana', 'bitcoin', 'tron')),
  derivation_index bigint not null check (derivation_index >= 0),
  -- in the spelling in which the chain's port reports it
  address text not null,
  payment_id text not null references payments (id),
  created_at timestamptz not null,
  primary key (chain_family, derivation_index),
  unique (chain_family, address),
  unique (payment_id, chain_family)
);

create sequence deposit_address_indexes minvalue 0 start 0;

-- How far a chain was read. Everything up to this block has had its effect, in the same transaction.
create table chain_cursors (
  chain_id text primary key,
  block_number bigint not null check (block_number >= 0),
  block_hash text not null,
  block_time timestamptz not null,
  -- Up to here each block was read a second time, some blocks later, with the same result.
  checked_number bigint not null check (checked_number >= 0),
  -- the newest block that the chain spoke of, and when it last agreed with the block above
  head_number bigint not null,
  looked_at timestamptz not null,
  updated_at timestamptz not null
);

-- The newest blocks of the branch that was read, to find where another one began.
create table chain_blocks (
  chain_id text not null references chain_cursors (chain_id),
  block_number bigint not null,
  block_hash text not null,
  parent_hash text not null,
  block_time timestamptz not null,
  primary key (chain_id, block_number)
);

create table deposits (
  chain_id text not null,
  tx_hash text not null,
  -- of a coin without logs: the number that the chain's port gives it, below zero
  log_index integer not null,
  deployment_id text not null references deployments (id),
  payment_id text not null references payments (id),
  address text not null,
  sender text,
  amount_raw numeric(78, 0) not null check (amount_raw > 0),
  block_number bigint not null,
  block_hash text not null,
  block_time timestamptz not null,
  -- What the chain says. seen: in a block that may still go; final: deep enough to be booked;
  -- orphaned: its block is gone, whenever that was.
  status text not null check (status in ('seen', 'final', 'orphaned')),
  -- What the ledger says. It is booked while there is one booking more than reversals: a deposit can
  -- come back after it was reversed.
  bookings integer not null default 0,
  reversals integer not null default 0,
  -- of the last booking: what of it paid the price, what was too much, and what came when the
  -- payment was over (or in another currency) and only waits for the merchant
  regular_raw numeric(78, 0) check (regular_raw >= 0),
  surplus_raw numeric(78, 0) check (surplus_raw >= 0),
  unmatched_raw numeric(78, 0) check (unmatched_raw >= 0),
  booked_at timestamptz,
  primary key (chain_id, tx_hash, log_index),
  check (reversals >= 0 and bookings - reversals in (0, 1)),
  check ((bookings > 0) = (regular_raw is not null)),
  check ((bookings > 0) = (surplus_raw is not null)),
  check ((bookings > 0) = (unmatched_raw is not null)),
  check ((bookings > 0) = (booked_at is not null)),
  -- While it is booked. One that comes back after a reorganisation may be another amount.
  check (bookings = reversals or regular_raw + surplus_raw + unmatched_raw = amount_raw)
);

create index deposits_by_payment on deposits (payment_id);
-- For the check of the reserve: which addresses hold anything of a deployment.
create index deposits_by_deployment on deposits (deployment_id, address);
create index deposits_open on deposits (chain_id, block_number) where status = 'seen';
create index deposits_by_block on deposits (chain_id, block_number);
