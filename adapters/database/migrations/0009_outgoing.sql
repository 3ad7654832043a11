-- What we send ourselves, other than withdrawals: x402 settlements and what they give back, and the
-- sweeping of deposit addresses.

-- One for each thing that is to happen on a chain, whoever asked for it. None of it belongs to a
-- merchant: what does is the subject, in the table of its purpose.
create table outgoing_transactions (
  id text primary key check (id like 'out\_%'),
  chain_id text not null,
  -- the address that it is sent from, and which of our accounts that is
  account text not null,
  account_role text not null check (account_role in ('settlement', 'deposit')),
  -- of a deposit address: the index it was derived with
  account_index bigint check (account_index >= 0),
  purpose text not null check (
    purpose in ('x402_settlement', 'x402_release', 'sweep', 'sweep_gas', 'consolidation')
  ),
  subject_id text not null check (char_length(subject_id) between 1 and 64),
  -- what it moves, and how much: with this the chain's rule of finality is chosen
  deployment_id text not null references deployments (id),
  amount_raw numeric(78, 0) not null check (amount_raw >= 0),
  -- service/outgoing-model.ts: what is signed, amounts as text
  action jsonb not null check (jsonb_typeof(action) = 'object'),
  status text not null default 'queued' check (
    -- replaced: a transaction that is none of ours has its number; withdrawn: not signed so far, and
    -- not wanted
    status in ('queued', 'broadcast', 'succeeded', 'reverted', 'replaced', 'withdrawn')
  ),
  -- it was looked at and could not be sent: it is looked at again from then on
  not_before timestamptz not null,
  -- why; for people
  last_problem text check (char_length(last_problem) <= 400),
  -- It is about to be signed, or was, with this number, by whoever has the account: nothing else may
  -- be signed with it, since the signer remembers.
  reserved_nonce bigint check (reserved_nonce >= 0),
  -- of all its transactions; null: none was signed
  gas_units_max bigint check (gas_units_max > 0),
  -- what its newest transaction costs at most, in the chain's own coin
  gas_max_raw numeric(78, 0) check (gas_max_raw >= 0),
  -- what the one that was mined did cost; null: none was, or it is not final
  gas_raw numeric(78, 0) check (gas_raw >= 0),
  -- of the transaction that decided; before, of the newest one
  tx_hash text,
  -- The head of the chain when its number was first seen used by a transaction that is none of ours.
  lost_since_block bigint,
  -- when the sender last looked after it, and when the confirmer did
  looked_at timestamptz,
  checked_at timestamptz,
  created_at timestamptz not null,
  signed_at timestamptz,
  updated_at timestamptz not null,
  -- each thing once, whoever tries again
  constraint outgoing_transactions_once unique (purpose, subject_id),
  check ((account_role = 'deposit') = (account_index is not null)),
  check ((signed_at is null) = (status in ('queued', 'withdrawn'))),
  check ((signed_at is null) = (gas_units_max is null)),
  check ((signed_at is null) = (gas_max_raw is null)),
  check ((signed_at is null) = (tx_hash is null)),
  check (status <> 'withdrawn' or reserved_nonce is null)
);

create index outgoing_transactions_queued on outgoing_transactions (chain_id, account, created_at)
  where status = 'queued';
create index outgoing_transactions_under_way on outgoing_transactions (chain_id, checked_at)
  where status = 'broadcast';
-- For the budget of a day.
create index outgoing_transactions_signed on outgoing_transactions (chain_id, account, signed_at)
  where signed_at is not null;

-- Each transaction that was signed, before anybody saw it. They all have the same number: one of
-- them at most is mined.
create table outgoing_attempts (
  outgoing_id text not null references outgoing_transactions (id),
  attempt integer not null check (attempt >= 1),
  tx_hash text not null,
  raw bytea not null,
  max_fee_per_gas numeric(78, 0) not null check (max_fee_per_gas >= 0),
  max_priority_fee_per_gas numeric(78, 0) not null check (max_priority_fee_per_gas >= 0),
  -- the head of the chain when it was signed
  signed_at_block bigint not null,
  signed_at timestamptz not null,
  sent_at timestamptz,
  primary key (outgoing_id, attempt),
  unique (tx_hash)
);

-- The same table as `outgoingSteps` in service/outgoing-model.ts.
create function check_outgoing_step() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and (old.status, new.status) not in (
    ('queued', 'broadcast'), ('queued', 'withdrawn'), ('withdrawn', 'queued'),
    ('broadcast', 'succeeded'), ('broadcast', 'reverted'), ('broadcast', 'replaced')
  ) then
    raise exception 'an outgoing transaction does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'outgoing_transactions_step',
        table = 'outgoing_transactions';
  end if;
  return new;
end
$$;

create trigger outgoing_transactions_step before update of status on outgoing_transactions
  for each row execute function check_outgoing_step();

-- What was signed is what was asked for.
create function refuse_outgoing_change() returns trigger language plpgsql as $$
begin
  raise exception 'what an outgoing transaction does is never changed'
    using errcode = 'check_violation', constraint = 'outgoing_transactions_fixed',
      table = 'outgoing_transactions';
end
$$;

create trigger outgoing_transactions_fixed
  before update of id, chain_id, account, account_role, account_index, purpose, subject_id,
    deployment_id, amount_raw, action
  on outgoing_transactions for each row execute function refuse_outgoing_change();
