-- The addresses of payments that nothing of ours has touched yet are compared with their deposits in turn:
-- a page of each deployment in each run, in the order of their text, whichever process runs.
create table address_rounds (
  deployment_id text primary key references deployments (id),
  -- the round that runs has compared up to here; empty: it begins
  after_address text not null default '',
  -- when its first page was compared; null: none was
  started_at timestamptz,
  runs integer not null default 0 check (runs >= 0),
  addresses bigint not null default 0 check (addresses >= 0),
  -- of the last round that went through all of them; null: none has
  last_started_at timestamptz,
  last_ended_at timestamptz,
  last_runs integer check (last_runs > 0),
  last_addresses bigint check (last_addresses >= 0),
  check ((last_ended_at is null) = (last_started_at is null)),
  check ((last_ended_at is null) = (last_runs is null)),
  check ((last_ended_at is null) = (last_addresses is null)),
  check ((started_at is null) = (runs = 0)),
  check ((after_address = '') = (runs = 0))
);

-- What one of them holds more or less than its deposits. A row goes when the two agree again, or when the
-- address was touched. Added up they are `deposit_addresses` and `deposit_addresses_with_less` of
-- account_differences.
create table address_differences (
  deployment_id text not null references deployments (id),
  address text not null,
  held_raw numeric(78, 0) not null check (held_raw >= 0),
  booked_raw numeric(78, 0) not null,
  -- after which both were so
  block_number bigint not null,
  checked_at timestamptz not null,
  primary key (deployment_id, address),
  check (held_raw <> booked_raw)
);

-- Those that were looked at longest ago are looked at again first.
create index address_differences_by_time on address_differences (deployment_id, checked_at, address);
