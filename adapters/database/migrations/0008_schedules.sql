-- What happens again and again: payouts to a merchant, and bills to its customers.

create table payout_schedules (
  id text primary key check (id like 'pos\_%'),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  currency_id text not null,
  deployment_id text not null references deployments (id),
  chain_id text not null,
  withdraw_address_id text not null,
  interval_seconds bigint not null check (interval_seconds >= 1),
  min_send_raw numeric(78, 0) not null check (min_send_raw > 0),
  mode text not null check (mode in ('auto_request', 'notify_only')),
  status text not null default 'active' check (status in ('active', 'paused', 'retired')),
  -- each change adds one, and is only made to the version it was decided on
  version bigint not null default 1 check (version >= 1),
  -- a point of the grid that begins with the first run; it stays while the schedule is paused
  next_run_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  retired_at timestamptz,
  idempotency_key text not null,
  constraint payout_schedules_idempotency_key unique (merchant_id, idempotency_key),
  foreign key (withdraw_address_id, merchant_id, environment)
    references withdraw_addresses (id, merchant_id, environment),
  check ((status = 'retired') = (retired_at is not null))
);

-- For each currency, chain and address one that is not retired.
create unique index payout_schedules_one_open
  on payout_schedules (merchant_id, environment, deployment_id, withdraw_address_id)
  where status <> 'retired';
create index payout_schedules_newest
  on payout_schedules (merchant_id, environment, created_at desc, id desc);
create index payout_schedules_due on payout_schedules (next_run_at) where status = 'active';
create index payout_schedules_by_address on payout_schedules (withdraw_address_id)
  where status <> 'retired';

-- What became of each point of the grid that was run: at most one row, whoever runs.
create table payout_runs (
  schedule_id text not null references payout_schedules (id),
  slot timestamptz not null,
  ran_at timestamptz not null,
  -- points of the grid before this one that nobody ran; this run stands for them
  missed integer not null check (missed >= 0),
  outcome text not null check (outcome in ('requested', 'skipped', 'due')),
  -- of a skipped one
  reason text,
  withdrawal_id text references withdrawals (id),
  primary key (schedule_id, slot),
  check ((outcome = 'requested') = (withdrawal_id is not null)),
  check ((outcome = 'skipped') = (reason is not null))
);

create table subscriptions (
  id text primary key check (id like 'sub\_%'),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  status text not null default 'incomplete'
    check (status in ('incomplete', 'active', 'past_due', 'cancelled', 'expired')),
  -- each change adds one, and is only made to the version it was decided on
  version bigint not null default 1 check (version >= 1),
  currency_id text not null,
  deployment_id text not null references deployments (id),
  chain_id text not null,
  amount_raw numeric(78, 0) not null check (amount_raw > 0),
  interval_seconds bigint not null check (interval_seconds >= 1),
  -- the merchant's name for the customer
  user_id text check (char_length(user_id) between 1 and 128),
  -- the period that is billed next; null: none is
  next_bill_at timestamptz,
  -- the period that is being billed, with which try; null: none is
  open_period timestamptz,
  open_try integer check (open_try between 1 and 4),
  past_due_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status in ('cancelled', 'expired')) = (next_bill_at is null)),
  check ((status = 'past_due') = (past_due_since is not null)),
  check ((open_period is null) = (open_try is null)),
  check (status not in ('cancelled', 'expired') or open_period is null)
);

create index subscriptions_to_bill on subscriptions (next_bill_at)
  where open_period is null and next_bill_at is not null;
create index subscriptions_being_billed on subscriptions (id) where open_period is not null;
create index subscriptions_by_merchant on subscriptions (merchant_id, environment, created_at);

-- Each try to bill a period is made once, whoever bills.
create table subscription_bills (
  subscription_id text not null references subscriptions (id),
  period_start timestamptz not null,
  try integer not null check (try between 1 and 4),
  -- null where no payment could be made
  payment_id text unique references payments (id),
  refused text,
  created_at timestamptz not null,
  -- when the next try is, if this one was refused
  ends_at timestamptz not null,
  primary key (subscription_id, period_start, try),
  check ((payment_id is null) = (refused is not null))
);
