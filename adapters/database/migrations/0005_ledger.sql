-- The double-entry ledger. What moves is a transaction of postings: a debit is positive, a credit
-- negative, and the postings of a transaction sum to zero for each deployment. Nothing is ever
-- changed or deleted; a mistake is corrected by a transaction that says the opposite.

-- 1: a debit adds to the balance; -1: a credit does.
create function ledger_side(kind text) returns integer language sql immutable as $$
  select case
    when kind in (
      'chain:hot', 'chain:deposit_addresses', 'chain:gas', 'chain:settlement', 'chain:treasury',
      'merchant:debt', 'platform:gas'
    )
    then 1 else -1
  end
$$;

create function ledger_account_key(
  kind text, deployment_id text, merchant_id text, environment text
) returns text language sql immutable as $$
  -- operators only, and no function of the library: then this costs no call of its own
  select kind || ' ' || deployment_id || coalesce(' ' || merchant_id || ' ' || environment, '')
$$;

create table ledger_accounts (
  -- a column of its own: an index is no help where a part of the key may be null
  key text primary key
    generated always as (ledger_account_key(kind, deployment_id, merchant_id, environment)) stored,
  kind text not null check (
    kind in (
      -- assets: where the money is
      'chain:hot', 'chain:deposit_addresses', 'chain:gas', 'chain:settlement', 'chain:treasury',
      -- assets: what a merchant owes us, after a reorganisation took away what it had spent
      'merchant:debt',
      -- liabilities: whose it is
      'merchant:available', 'merchant:withdrawing', 'merchant:x402_hold', 'merchant:unmatched',
      'payer:refund_due',
      -- income, expense, and what the operator put in
      'platform:fees', 'platform:gas', 'platform:capital'
    )
  ),
  deployment_id text not null references deployments (id),
  -- the platform's own accounts have neither
  merchant_id text references merchants (id),
  environment text check (environment in ('live', 'test')),
  -- In the direction in which it grows: debits of an asset or an expense, credits of the others.
  -- One amount has 78 digits at most; a sum of them may have more, and whoever mints a worthless
  -- coin must not be able to fill it up: a posting that fails would stop the chain for everybody.
  balance numeric(110, 0) not null default 0,
  -- how many transactions it has been part of
  version bigint not null default 0,
  check ((kind like 'merchant:%' or kind = 'payer:refund_due') = (merchant_id is not null)),
  check ((merchant_id is null) = (environment is null)),
  -- Nobody spends what is not there, however many try at once. The chain's accounts may run below
  -- zero for a while: money is swept and spent in an order of its own.
  constraint ledger_accounts_not_negative check (
    balance >= 0 or kind in (
      'chain:hot', 'chain:deposit_addresses', 'chain:gas', 'chain:settlement', 'chain:treasury',
      'platform:fees'
    )
  )
);

create index ledger_accounts_by_merchant on ledger_accounts (merchant_id, environment);
create index ledger_accounts_by_deployment on ledger_accounts (deployment_id, kind);

create table ledger_transactions (
  id text primary key check (id like 'ltx\_%'),
  kind text not null check (char_length(kind) between 1 and 64),
  -- what it is about, such as the id of a withdrawal
  reference text not null check (char_length(reference) between 1 and 256),
  -- when it happened, which may be before it was posted
  occurred_at timestamptz not null,
  posted_at timestamptz not null,
  -- each thing happens once, whoever tries again
  constraint ledger_transactions_once unique (kind, reference)
);

create table ledger_postings (
  transaction_id text not null references ledger_transactions (id),
  position integer not null check (position >= 0),
  account_kind text not null,
  deployment_id text not null,
  merchant_id text,
  environment text,
  -- debit above zero, credit below
  amount numeric(78, 0) not null check (amount <> 0),
  primary key (transaction_id, position),
  check ((merchant_id is null) = (environment is null))
);

-- What happened to an account, in about the order of time; and how its balance is recomputed.
create index ledger_postings_by_account on ledger_postings (
  ledger_account_key(account_kind, deployment_id, merchant_id, environment), transaction_id, position
);

-- All postings of a transaction come with one statement. Here the database itself sees that they
-- sum to zero, and brings the balances up to date; so no balance can differ from its postings, and
-- no program can forget one of the two.
create function apply_ledger_postings() returns trigger language plpgsql as $$
declare
  change record;
begin
  if exists (
    select from posted group by transaction_id, deployment_id having sum(amount) <> 0
  ) then
    raise exception 'the postings of a ledger transaction do not sum to zero'
      using errcode = 'check_violation', constraint = 'ledger_postings_sum_zero',
        table = 'ledger_postings';
  end if;
  -- The first posting of a transaction has position 0, and there is one of it: whoever adds to a
  -- transaction of before would change what was said to have happened.
  if exists (select from posted group by transaction_id having min(position) <> 0) then
    raise exception 'a ledger transaction gets all of its postings at once'
      using errcode = 'check_violation', constraint = 'ledger_postings_at_once',
        table = 'ledger_postings';
  end if;
  -- In one order, so that two transactions about the same accounts wait for each other, and never
  -- in a circle.
  for change in
    select account_kind, deployment_id, merchant_id, environment,
      ledger_account_key(account_kind, deployment_id, merchant_id, environment) as key,
      ledger_side(account_kind) * sum(amount) as amount,
      count(distinct transaction_id) as transactions
    from posted
    group by account_kind, deployment_id, merchant_id, environment
    order by key
  loop
    update ledger_accounts
    set balance = balance + change.amount, version = version + change.transactions
    where key = change.key;
    if not found then
      -- Not with the amount in it: the row is checked as it is proposed, before anybody sees that
      -- another transaction has just made it.
      insert into ledger_accounts (kind, deployment_id, merchant_id, environment)
      values (change.account_kind, change.deployment_id, change.merchant_id, change.environment)
      on conflict do nothing;
      update ledger_accounts
      set balance = balance + change.amount, version = version + change.transactions
      where key = change.key;
    end if;
  end loop;
  return null;
end
$$;

create trigger ledger_postings_apply after insert on ledger_postings
  referencing new table as posted
  for each statement execute function apply_ledger_postings();

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: post a reverse transaction instead';
end
$$;

create trigger ledger_transactions_append_only
  before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_ledger_change();
create trigger ledger_postings_append_only
  before update or delete or truncate on ledger_postings
  for each statement execute function refuse_ledger_change();

-- Balances are what the postings make them: only the trigger above writes here.
create function refuse_balance_change() returns trigger language plpgsql as $$
begin
  raise exception 'balances are changed by postings only';
end
$$;

create trigger ledger_accounts_by_postings_only before insert or update or delete on ledger_accounts
  for each statement when (pg_trigger_depth() = 0) execute function refuse_balance_change();
create trigger ledger_accounts_stay before truncate on ledger_accounts
  for each statement execute function refuse_balance_change();

-- While a row stands here, withdrawals of the deployment wait: the chain holds less than we owe.
create table deployment_freezes (
  deployment_id text primary key references deployments (id),
  reason text not null,
  since timestamptz not null
);
