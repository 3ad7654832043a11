-- Withdrawals leave by the queue of everything else that we sign: their transactions, with what was
-- signed for them so far, become rows of it.

-- A server of the version before that still runs waits, and then finds its columns gone: nothing of
-- what it claims or signs meanwhile could be left out of what is copied here.
lock table withdrawals, withdrawal_attempts, sender_nonces, sender_accounts, outgoing_transactions
  in access exclusive mode;

alter table outgoing_transactions
  drop constraint outgoing_transactions_account_role_check,
  drop constraint outgoing_transactions_purpose_check,
  add constraint outgoing_transactions_account_role_check
    check (account_role in ('hot', 'settlement', 'deposit')),
  add constraint outgoing_transactions_purpose_check check (
    purpose in (
      'withdrawal', 'x402_settlement', 'x402_release', 'sweep', 'sweep_gas', 'consolidation'
    )
  ),
  -- It has its nonce and may not be sent any more: what is signed instead, and sent, is a transfer of
  -- nothing to ourselves.
  add column sends_nothing boolean not null default false,
  add constraint outgoing_transactions_given_up
    check (not sends_nothing or reserved_nonce is not null);

-- What was claimed and has no nonce was never near a signer.
update withdrawals set status = 'pending' where status = 'processing' and reserved_nonce is null;

-- Those that wait are queued by whoever has the key of an account. The id only has to be new.
insert into outgoing_transactions (
  id, chain_id, account, account_role, purpose, subject_id, deployment_id, amount_raw, action,
  status, not_before, reserved_nonce, sends_nothing, gas_units_max, gas_max_raw, tx_hash,
  lost_since_block, checked_at, created_at, signed_at, updated_at
)
select 'out_' || substr(w.id, 5), w.chain_id, coalesce(n.account, w.reserved_account), 'hot',
  'withdrawal', w.id, w.deployment_id, w.send_amount_raw,
  jsonb_build_object('kind', 'transfer', 'to', w.address, 'contractAddress', w.contract_address,
    'amountRaw', w.send_amount_raw::text),
  case
    when w.status = 'processing' then 'queued'
    when w.status = 'broadcast' then 'broadcast'
    when w.reason = 'reverted' then 'reverted'
    when w.reason = 'number_used_by_another' then 'replaced'
    else 'succeeded'
  end,
  w.not_before, coalesce(n.nonce, w.reserved_nonce), w.sends_nothing,
  case when newest.attempt is not null then gas.units end,
  gas.units * newest.max_fee_per_gas,
  case when newest.attempt is not null then coalesce(w.tx_hash, newest.tx_hash) end,
  w.lost_since_block, w.checked_at, w.created_at, newest.first_signed_at, w.updated_at
from withdrawals w
left join sender_nonces n on n.subject_type = 'withdrawal' and n.subject_id = w.id
left join lateral (
  select a.attempt, a.tx_hash, a.max_fee_per_gas,
    (select min(signed_at) from withdrawal_attempts where withdrawal_id = w.id) as first_signed_at
  from withdrawal_attempts a where a.withdrawal_id = w.id order by a.attempt desc limit 1
) as newest on true
-- What all of them were signed with until now.
cross join lateral (
  select case when w.contract_address is null or w.sends_nothing then 60000 else 100000 end
    + case when w.chain_id in ('eip155:42161', 'eip155:421614') then 1000000 else 0 end as units
) as gas
where w.status = 'processing' or newest.attempt is not null;

insert into outgoing_attempts (
  outgoing_id, attempt, tx_hash, raw, max_fee_per_gas, max_priority_fee_per_gas, signed_at_block,
  signed_at, sent_at
)
select 'out_' || substr(withdrawal_id, 5), attempt, tx_hash, raw, max_fee_per_gas,
  max_priority_fee_per_gas, signed_at_block, signed_at, sent_at
from withdrawal_attempts;

update sender_nonces set subject_id = 'out_' || substr(subject_id, 5)
where subject_type = 'withdrawal';
alter table sender_nonces rename column subject_id to outgoing_id;
alter table sender_nonces
  drop column subject_type,
  add constraint sender_nonces_outgoing unique (outgoing_id),
  add foreign key (outgoing_id) references outgoing_transactions (id);

-- The same table of steps as `withdrawalSteps`: no program, and no hand at a console, can take a
-- withdrawal back from `broadcast`, or out of the queue's hands while its transaction has a nonce.
create or replace function check_withdrawal_step() returns trigger language plpgsql as $$
begin
  if old.status = new.status then
    return new;
  end if;
  if (old.status, new.status) not in (
    ('pending', 'processing'), ('pending', 'cancelled'), ('pending', 'rejected'),
    ('processing', 'pending'), ('processing', 'broadcast'),
    ('broadcast', 'confirmed'), ('broadcast', 'failed')
  ) then
    raise exception 'a withdrawal does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'withdrawals_step', table = 'withdrawals';
  end if;
  if new.status not in ('pending', 'cancelled', 'rejected') then
    return new;
  end if;
  if exists (select from outgoing_transactions
    where purpose = 'withdrawal' and subject_id = new.id and signed_at is not null) then
    raise exception 'a withdrawal that was signed does not become pending again'
      using errcode = 'check_violation', constraint = 'withdrawals_signed', table = 'withdrawals';
  end if;
  if exists (select from outgoing_transactions
    where purpose = 'withdrawal' and subject_id = new.id and reserved_nonce is not null) then
    raise exception 'a withdrawal that has a nonce is not given back'
      using errcode = 'check_violation', constraint = 'withdrawals_reserved', table = 'withdrawals';
  end if;
  return new;
end
$$;

drop table withdrawal_attempts;
drop index withdrawals_to_send, withdrawals_under_way, withdrawals_reserved_once;
alter table withdrawals
  drop column not_before,
  drop column reserved_account,
  drop column reserved_nonce,
  drop column sends_nothing,
  drop column lost_since_block,
  drop column checked_at;
create index withdrawals_to_queue on withdrawals (chain_id, created_at) where status = 'pending';

-- One at a time: nothing else is signed for the account until it is stored.
create unique index outgoing_transactions_reserved_once on outgoing_transactions (chain_id, account)
  where status = 'queued' and reserved_nonce is not null;

-- What has neither a nonce nor anything signed may leave from another account of its role.
drop trigger outgoing_transactions_fixed on outgoing_transactions;
create trigger outgoing_transactions_fixed
  before update of id, chain_id, account_role, account_index, purpose, subject_id, deployment_id,
    amount_raw, action
  on outgoing_transactions for each row execute function refuse_outgoing_change();
create trigger outgoing_transactions_account_fixed before update of account
  on outgoing_transactions for each row
  when (old.account <> new.account
    and (old.purpose <> 'withdrawal' or old.reserved_nonce is not null or old.signed_at is not null))
  execute function refuse_outgoing_change();

-- Sent and confirmed by one job for each chain.
delete from jobs where name ~ '^(send|confirm)-(withdrawals|outgoing)-';
