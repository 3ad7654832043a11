-- What the platform has borne of a merchant's debt. When money comes again that a reorganisation took
-- before that, it pays the platform back first.
create table debts_borne (
  -- of the ledger's transaction that wrote the debt off
  id text primary key references ledger_transactions (id),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  deployment_id text not null references deployments (id),
  borne_raw numeric(78, 0) not null check (borne_raw > 0),
  -- what has come again so far
  paid_back_raw numeric(78, 0) not null default 0,
  -- of that, what people were told of
  told_raw numeric(78, 0) not null default 0,
  borne_at timestamptz not null,
  check (told_raw >= 0 and paid_back_raw >= told_raw and borne_raw >= paid_back_raw)
);
create index debts_borne_open on debts_borne (merchant_id, deployment_id)
  where paid_back_raw < borne_raw;
create index debts_borne_untold on debts_borne (borne_at) where told_raw < paid_back_raw;

insert into debts_borne (id, merchant_id, environment, deployment_id, borne_raw, borne_at)
select t.id, o.merchant_id, o.environment, o.deployment_id, -o.amount, t.posted_at
from ledger_transactions t join ledger_postings o on o.transaction_id = t.id
where t.kind = 'debt_written_off' and o.account_kind = 'merchant:debt' and o.amount < 0;
