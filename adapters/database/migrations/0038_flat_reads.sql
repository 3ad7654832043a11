-- What a request, a block or a job reads does not grow with all payments that there ever were.

-- Nobody writes these meanwhile: what was written between the count below and its trigger would be missing in it.
-- An index of the last one is replaced, which its readers would hold up in the end, waiting for us themselves.
lock table x402_settlements in access exclusive mode;
lock table payments, deposit_addresses, deposits, sweeps, outgoing_transactions
  in share row exclusive mode;

-- Since when a chain has anything to look for. It is asked for once, when the chain begins, by which time there
-- may be millions of addresses.
create table first_deposit_addresses (
  chain_family text not null check (chain_family in ('evm', 'solana', 'bitcoin', 'tron')),
  chain_id text not null,
  -- when the first payment that can be paid on the chain got its address
  since timestamptz not null,
  primary key (chain_family, chain_id)
);

insert into first_deposit_addresses (chain_family, chain_id, since)
select a.chain_family, chain_id, min(a.created_at)
from deposit_addresses a
join payments p on p.id = a.payment_id
cross join unnest(p.chain_ids) as chain_id
group by a.chain_family, chain_id;

-- Whoever gives an address, also a process of the version before. Almost always all is noted already, and no row is
-- locked: else all addresses would be given one after the other. Chains in one order: two of them never wait for
-- each other.
create function note_first_deposit_addresses() returns trigger language plpgsql as $$
begin
  insert into first_deposit_addresses as known (chain_family, chain_id, since)
  select given.chain_family, one.chain_id, min(given.created_at)
  from added given
  join payments p on p.id = given.payment_id
  cross join unnest(p.chain_ids) as one (chain_id)
  where not exists (
    select from first_deposit_addresses f
    where f.chain_family = given.chain_family and f.chain_id = one.chain_id
      and f.since <= given.created_at)
  group by given.chain_family, one.chain_id
  order by given.chain_family, one.chain_id
  on conflict (chain_family, chain_id) do update set since = excluded.since
  where excluded.since < known.since;
  return null;
end
$$;

create trigger deposit_addresses_first after insert on deposit_addresses
  referencing new table as added
  for each statement execute function note_first_deposit_addresses();

-- Which addresses may be paid to: of payments that are open, or ended a while ago.
create index payments_by_expiry on payments (expires_at);

-- What has taken the place of a swept deposit after a reorganisation was taken for swept.
update deposits d set sweep_id = null from sweeps s
where s.id = d.sweep_id and (s.deployment_id, s.address) is distinct from (d.deployment_id, d.address);

-- What is at the addresses of payments: what no sweep takes care of, and what one has moved not all of. What one is
-- about to move is found by `sweeps_open`.
create index deposits_unswept on deposits (deployment_id, address)
  where sweep_id is null and source = 'address' and status <> 'orphaned';
create index sweeps_with_rest on sweeps (deployment_id, address)
  where status = 'moved' and left_raw <> covered_raw;
create index sweeps_failed on sweeps (deployment_id, address, updated_at) where status = 'failed';
create index sweeps_failed_consolidations on sweeps (deployment_id, updated_at)
  where kind = 'consolidation' and status = 'failed';

-- What came to settlement accounts: where the chain and the books do not say the same yet, and the newest.
create index deposits_arriving on deposits (deployment_id)
  where source <> 'address' and (status <> 'orphaned') <> (bookings > reversals);
create index deposits_at_accounts on deposits (deployment_id, block_number)
  where source <> 'address';
create index deposits_of_senders on deposits (deployment_id, sender) where source <> 'address';

create index deposits_taken_out on deposits (suspense_exit_id) where suspense_exit_id is not null;

-- For people, the oldest first; and what has ended a moment ago.
create index outgoing_transactions_open on outgoing_transactions (created_at, id)
  where status in ('queued', 'broadcast');
create index outgoing_transactions_ended on outgoing_transactions (chain_id, updated_at)
  where status in ('succeeded', 'reverted');

-- The same rule as before. With the token behind the payer and the nonce, this is the way from these two as well.
drop index x402_settlements_authorization;
create unique index x402_settlements_authorization
  on x402_settlements (chain_id, payer, nonce, asset) where status <> 'failed';
-- Those of a payer that moved nothing.
drop index x402_settlements_failed;
create index x402_settlements_vain on x402_settlements (chain_id, payer, updated_at)
  where status in ('failed', 'refused');
-- What has failed may still be used by somebody, until it is past its time.
create index x402_settlements_failed on x402_settlements (chain_id, valid_before)
  where status = 'failed';

-- A tenth of a big table is a backlog of hours: the planner hears of it sooner. No plan may stop work until then.
alter table payments set (autovacuum_analyze_scale_factor = 0.02);
alter table events set (autovacuum_analyze_scale_factor = 0.02);
alter table webhook_deliveries set (autovacuum_analyze_scale_factor = 0.01);
alter table deposits set (autovacuum_analyze_scale_factor = 0.02);
alter table outgoing_transactions set (autovacuum_analyze_scale_factor = 0.02);
