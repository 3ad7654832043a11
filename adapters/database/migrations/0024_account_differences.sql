-- What our accounts hold more or less than the books say, as the last comparison of one block has found
-- it. A row goes when the two agree again.
create table account_differences (
  deployment_id text not null references deployments (id),
  -- hot, settlement, treasury, deposit_addresses; hot+treasury: one address is both
  account text not null check (account ~ '^[a-z_]+([+][a-z_]+)*$'),
  held_raw numeric(78, 0) not null check (held_raw >= 0),
  -- below zero: more has left than was ever booked
  booked_raw numeric(78, 0) not null,
  -- after which both were so
  block_number bigint not null,
  -- more, or less, ever since; one that only one comparison has seen is none yet
  since timestamptz not null,
  checked_at timestamptz not null,
  -- held less booked when people were told; null: they were not
  told_raw numeric(78, 0),
  primary key (deployment_id, account),
  check (held_raw <> booked_raw)
);
