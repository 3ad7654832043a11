-- Bringing together what arrived at the addresses of payments, and on the settlement account.

create table sweeps (
  id text primary key check (id like 'swp\_%'),
  -- of the address of a payment, or of the settlement account
  kind text not null check (kind in ('sweep', 'consolidation')),
  chain_id text not null,
  deployment_id text not null references deployments (id),
  -- what is emptied
  address text not null,
  derivation_index bigint check (derivation_index >= 0),
  -- collect: by an authorization, which another account submits; transfer: by the address itself;
  -- topped_up: the same, after it got coin for that
  method text not null check (method in ('collect', 'transfer', 'topped_up')),
  target text not null check (target in ('hot', 'treasury')),
  target_address text not null,
  -- what is sent; of the chain's own coin less than what is there, for the gas
  amount_raw numeric(78, 0) not null check (amount_raw > 0),
  -- what the deposits brought that it takes care of
  covered_raw numeric(78, 0) not null check (covered_raw > 0),
  -- gas: the address gets coin first; moving: in the queue, or on its way
  status text not null check (status in ('gas', 'moving', 'moved', 'failed')),
  -- what left the address, and what of it arrived: some tokens keep a part
  left_raw numeric(78, 0) check (left_raw >= 0),
  arrived_raw numeric(78, 0) check (arrived_raw >= 0),
  -- for people
  problem text check (char_length(problem) <= 400),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'sweep') = (derivation_index is not null)),
  check ((status = 'moved') = (left_raw is not null)),
  check ((status = 'moved') = (arrived_raw is not null))
);

-- One at a time, whoever plans at the same moment.
create unique index sweeps_open on sweeps (deployment_id, address)
  where status in ('gas', 'moving');
create index sweeps_by_address on sweeps (deployment_id, address, status, updated_at);
create index sweeps_by_time on sweeps (created_at);

-- The sweep that takes care of a deposit; null: none does yet, or the last one failed.
alter table deposits add column sweep_id text references sweeps (id);
create index deposits_to_sweep on deposits (chain_id, deployment_id, address)
  where sweep_id is null and source = 'address' and status = 'final' and bookings > reversals;
create index deposits_by_sweep on deposits (sweep_id) where sweep_id is not null;

-- An operator wants it now: whatever failed a short while ago is tried again.
create table sweep_orders (
  chain_id text primary key,
  ordered_at timestamptz not null
);
