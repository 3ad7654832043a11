-- What transfers of a token that may keep a part of them have really brought to an address of ours, by
-- its balance before and after the block. In another block the same transfer is measured again.
create table measured_transfers (
  chain_id text not null,
  tx_hash text not null,
  log_index integer not null,
  block_hash text not null,
  block_number bigint not null,
  deployment_id text not null references deployments (id),
  address text not null,
  -- what the token's log says
  logged_raw numeric(78, 0) not null check (logged_raw > 0),
  -- what came, and counts; null: the chain has not said it yet, and nothing counts
  arrived_raw numeric(78, 0) check (arrived_raw between 0 and logged_raw),
  found_at timestamptz not null,
  -- when the chain was asked last
  asked_at timestamptz not null,
  -- when people were told that the chain does not say it; null: they were not
  told_at timestamptz,
  primary key (chain_id, tx_hash, log_index, block_hash)
);

-- What the chain has to be asked about again.
create index measured_transfers_waiting on measured_transfers (chain_id, asked_at)
  where arrived_raw is null;
