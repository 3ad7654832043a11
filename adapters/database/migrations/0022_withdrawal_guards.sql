-- What guards withdrawals: which accounts are ours, on which day one counts, and addresses that wait
-- because what was sent to them came to nothing.

-- Our own accounts on every chain: each process that knows some of them says so when it starts, and
-- every process refuses to pay there. What was ours once stays here.
create table own_accounts (
  -- in lower case
  account text primary key check (account = lower(account)),
  role text not null check (role in ('hot', 'settlement', 'treasury')),
  since timestamptz not null
);

alter table withdrawals
  -- the day (UTC, by the clock of the database) whose sum it is part of, and to which it is given back
  -- when it is cancelled or rejected; null: it is older, and counts on the day it was made
  add column counted_day date;

alter table withdraw_addresses
  -- how many transfers in a row were mined there and came to nothing; one that arrives ends the row
  add column reverted_count integer not null default 0 check (reverted_count >= 0),
  -- nothing is sent there until then; null: it may be
  add column waits_until timestamptz,
  add constraint withdraw_addresses_waits check (waits_until is null or reverted_count > 0);

create index withdrawals_under_way_to on withdrawals (withdraw_address_id)
  where status in ('processing', 'broadcast');
