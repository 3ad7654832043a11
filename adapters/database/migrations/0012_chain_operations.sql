-- What an operator sets about money on chains, and payments that need somebody to look.

-- What the hot account keeps of a deployment; none: all of it.
create table deployment_floats (
  deployment_id text primary key references deployments (id),
  max_raw numeric(78, 0) not null check (max_raw >= 0),
  updated_at timestamptz not null
);

-- What the x402 settlements of a chain may cost in a day, in its coin; none: the default.
create table gas_budgets (
  chain_id text primary key,
  -- null: whatever they cost
  per_day_raw numeric(78, 0) check (per_day_raw >= 0),
  updated_at timestamptz not null
);

-- Something is known of them that has not had its effect: working it out has failed, or waits.
create table payment_troubles (
  payment_id text primary key references payments (id),
  -- for people
  error text not null check (char_length(error) <= 400),
  since timestamptz not null,
  tries integer not null check (tries >= 0),
  next_try_at timestamptz not null
);
create index payment_troubles_due on payment_troubles (next_try_at);
