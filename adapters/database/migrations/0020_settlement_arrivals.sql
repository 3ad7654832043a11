-- What arrives at a settlement account is somebody's, also where nobody has asked for it.

-- settlement: it came to a settlement account, and the watcher has seen it there
alter table deposits drop constraint deposits_source_check,
  add constraint deposits_source_check check (source in ('address', 'x402', 'settlement'));
-- Null: nobody knows whose it is. It is booked to payer:unmatched when it is final.
alter table deposits alter column payment_id drop not null,
  add constraint deposits_of_nobody check (payment_id is not null or source = 'settlement');
-- When the chain was asked which authorization brought it; null: not yet. Of what came to a
-- settlement account.
alter table deposits add column looked_at timestamptz;
create index deposits_of_nobody on deposits (chain_id, block_number) where payment_id is null;

-- Which payment an authorization is for: by that, money finds its payment though nobody hands the
-- authorization in any more.
create table x402_nonces (
  -- 32 bytes in lower-case hex
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  -- empty: the nonce was made from the payment, and told to whoever asked for the terms; otherwise the
  -- payer that has signed it, for the first payment that it was handed in for
  payer text not null,
  payment_id text not null references payments (id),
  deployment_id text not null references deployments (id),
  -- the price there
  due_raw numeric(78, 0) not null check (due_raw > 0),
  primary key (nonce, payer)
);
create index x402_nonces_by_price on x402_nonces (deployment_id, due_raw);

-- What payers have sent, and nobody knows for what: the chain has it, and we owe it to somebody.
alter table ledger_accounts drop constraint ledger_accounts_kind_check,
  add constraint ledger_accounts_kind_check check (
    kind in (
      'chain:hot', 'chain:deposit_addresses', 'chain:gas', 'chain:settlement', 'chain:treasury',
      'merchant:debt',
      'merchant:available', 'merchant:withdrawing', 'merchant:x402_hold', 'merchant:unmatched',
      'payer:refund_due', 'payer:unmatched',
      'platform:fees', 'platform:gas', 'platform:capital'
    )
  );
