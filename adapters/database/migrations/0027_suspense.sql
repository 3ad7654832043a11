-- Money that waits for somebody's decision has ways out.

-- What an operator has decided about money in suspense: about a deposit that is nobody's or pays nothing,
-- or about what was not used of an x402 authorization and did not get back to its payer.
create table suspense_exits (
  id text primary key check (id like 'sus\_%'),
  chain_id text not null,
  -- What it is about: a deposit, by the number of its booking ...
  tx_hash text,
  log_index integer,
  booking integer,
  -- ... or the settlement whose rest is due to its payer.
  settlement_id text references x402_settlements (id),
  deployment_id text not null references deployments (id),
  amount_raw numeric(78, 0) not null check (amount_raw > 0),
  -- credited: to the balance of a merchant; sent_back: by a transaction of ours; written_off: to the
  -- platform
  way text not null check (way in ('credited', 'sent_back', 'written_off')),
  -- waiting: it is to be sent back, and the chain has not decided yet; failed: it is back where it was
  status text not null check (status in ('waiting', 'done', 'failed')),
  -- Of what is sent back: where to, and which account of ours sends it.
  address text,
  signs_as text check (signs_as in ('hot', 'settlement')),
  -- what an operator says became of it, where its transaction moved something else; null: nobody did
  decided_as text check (decided_as in ('sent', 'failed')),
  -- why it has failed
  reason text,
  -- what the operator has named as evidence
  evidence text not null check (char_length(evidence) between 1 and 500),
  -- when people were told that the chain took the deposit back after it was taken out; null: it did not,
  -- or they were not told yet
  told_gone_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (chain_id, tx_hash, log_index) references deposits (chain_id, tx_hash, log_index),
  check ((settlement_id is null) = (tx_hash is not null)),
  check ((tx_hash is null) = (log_index is null) and (tx_hash is null) = (booking is null)),
  check ((way = 'sent_back') = (address is not null)),
  check ((way = 'sent_back') = (signs_as is not null)),
  check (way = 'sent_back' or status = 'done')
);

-- Whatever is decided, it is decided once.
create unique index suspense_exits_deposit_once
  on suspense_exits (chain_id, tx_hash, log_index, booking)
  where settlement_id is null and status <> 'failed';
create unique index suspense_exits_settlement_once on suspense_exits (settlement_id)
  where settlement_id is not null and status <> 'failed';
create index suspense_exits_waiting on suspense_exits (chain_id, created_at) where status = 'waiting';

-- What has ended stays as it ended.
create function check_suspense_step() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and old.status <> 'waiting' then
    raise exception 'what was taken out of suspense does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'suspense_exits_step', table = 'suspense_exits';
  end if;
  return new;
end
$$;
create trigger suspense_exits_step before update of status on suspense_exits
  for each row execute function check_suspense_step();

-- While it is booked: the way by which it was taken out of suspense; null: it waits there, or never did.
alter table deposits add column suspense_exit_id text references suspense_exits (id);
-- When an operator said that it belongs to its payment, whatever the rules say; null: nobody did.
alter table deposits add column accepted_at timestamptz;
create index deposits_in_suspense on deposits (block_time)
  where unmatched_raw > 0 and bookings > reversals and suspense_exit_id is null;

-- payer:refunding: is being sent back to whoever has sent it
alter table ledger_accounts drop constraint ledger_accounts_kind_check,
  add constraint ledger_accounts_kind_check check (
    kind in (
      'chain:hot', 'chain:deposit_addresses', 'chain:gas', 'chain:settlement', 'chain:treasury',
      'merchant:debt',
      'merchant:available', 'merchant:withdrawing', 'merchant:x402_hold', 'merchant:unmatched',
      'payer:refund_due', 'payer:unmatched', 'payer:refunding',
      'platform:fees', 'platform:gas', 'platform:capital'
    )
  );

-- refund: subject: what was taken out of suspense; like a withdrawal, it may leave from another account
-- of its role as long as nothing is signed.
alter table outgoing_transactions
  drop constraint outgoing_transactions_purpose_check,
  add constraint outgoing_transactions_purpose_check check (
    purpose in (
      'withdrawal', 'x402_settlement', 'x402_release', 'refund', 'sweep', 'sweep_gas',
      'consolidation'
    )
  );
drop trigger outgoing_transactions_account_fixed on outgoing_transactions;
create trigger outgoing_transactions_account_fixed before update of account
  on outgoing_transactions for each row
  when (old.account <> new.account
    and (old.purpose not in ('withdrawal', 'refund')
      or old.reserved_nonce is not null or old.signed_at is not null))
  execute function refuse_outgoing_change();
