-- Addresses of payments that a run could not compare with the books: the chain gave no answer for them
-- alone, or something of ours was on its way there. They are asked about again in the next run.
create table addresses_left_out (
  deployment_id text not null references deployments (id),
  address text not null,
  -- not compared since then
  since timestamptz not null,
  checked_at timestamptz not null,
  primary key (deployment_id, address)
);

-- Those that were looked at longest ago are looked at again first.
create index addresses_left_out_by_time on addresses_left_out (deployment_id, checked_at, address);
