-- x402: authorizations that payers have signed, what became of them, and what was used.

-- One for each authorization that was accepted. It is stored before anything is signed or sent, so
-- that whoever asks again, and whatever dies when, finds out from here what was begun.
create table x402_settlements (
  id text primary key check (id like 'stl\_%'),
  merchant_id text not null,
  environment text not null,
  payment_id text not null,
  deployment_id text not null references deployments (id),
  chain_id text not null,
  scheme text not null check (scheme in ('exact', 'upto')),
  method text not null check (method in ('eip3009', 'permit2')),
  -- What names the authorization, whatever its signature looks like: the token, who pays, and the
  -- nonce as 32 bytes in lower-case hex.
  asset text not null,
  payer text not null,
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  -- the rest of what was signed
  pay_to text not null,
  authorized_raw numeric(78, 0) not null check (authorized_raw > 0),
  -- unix seconds
  valid_after bigint not null check (valid_after >= 0),
  valid_before bigint not null check (valid_before > 0),
  -- Permit2: who may move the money, and (upto) who may settle it
  spender text,
  facilitator text,
  -- EIP-3009: the domain of the token, as the catalog said
  domain_name text,
  domain_version text,
  evidence_version bigint not null,
  signature text not null check (signature ~ '^0x[0-9a-f]{130}$'),
  -- how much is moved; null: that is not known before the usage is reported
  amount_raw numeric(78, 0) check (amount_raw >= 0),
  status text not null check (
    status in (
      -- stored, and nothing is sent before the usage is reported (upto by Permit2)
      'waiting',
      -- to be sent, or sent: only the chain knows
      'queued',
      -- on the chain, with everything it has to have; may still be taken back
      'settled',
      -- its money is in the ledger
      'final',
      -- the chain says no, and may still say otherwise
      'refused',
      -- over: nothing will be moved, since nothing was used
      'unused',
      -- over: nothing was moved, or not what was agreed
      'failed'
    )
  ),
  -- the code of the error that the caller hears
  reason text,
  -- of the transaction that settled it, or failed to; before, of the newest one that was signed
  tx_hash text,
  -- Which transfer of that transaction is its money: a transaction may use several authorizations.
  transfer_log integer,
  -- where the search for a use of it by somebody else begins
  from_block bigint not null,
  -- when the merchant was told that it was sent, and that it is settled
  submitted_at timestamptz,
  settled_at timestamptz,
  -- upto by EIP-3009: nobody can report its usage any more, since none came in time
  closed_at timestamptz,
  -- upto by EIP-3009: which booking of its deposit was divided up by the usage
  charged_reference text,
  -- what was not used, and when it was back with the payer
  refund_raw numeric(78, 0) check (refund_raw >= 0),
  released_at timestamptz,
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (payment_id, merchant_id, environment)
    references payments (id, merchant_id, environment),
  check ((method = 'permit2') = (spender is not null)),
  check ((method = 'eip3009') = (domain_name is not null)),
  check ((method = 'eip3009') = (domain_version is not null)),
  check ((status in ('refused', 'failed')) = (reason is not null)),
  check ((status = 'waiting') = (amount_raw is null) or status in ('unused', 'failed'))
);

-- At most one authorization of a payment is under way or settled, whoever asks at the same moment.
create unique index x402_settlements_of_payment on x402_settlements (payment_id)
  where status <> 'failed';
-- And one authorization pays for one payment. What has failed may be signed again.
create unique index x402_settlements_authorization
  on x402_settlements (chain_id, asset, payer, nonce) where status <> 'failed';
-- And one transfer pays for one authorization, before the watcher has seen it too.
create unique index x402_settlements_transfer
  on x402_settlements (chain_id, tx_hash, transfer_log)
  where status in ('settled', 'final') and transfer_log is not null;
create index x402_settlements_by_nonce on x402_settlements (payment_id, nonce);
create index x402_settlements_open on x402_settlements (chain_id, checked_at)
  where status in ('waiting', 'queued', 'settled', 'refused');
-- What has failed may still be used by somebody, until it is past its time.
create index x402_settlements_failed on x402_settlements (chain_id, payer, updated_at)
  where status = 'failed';
create index x402_settlements_unreported on x402_settlements (created_at)
  where scheme = 'upto' and method = 'eip3009' and status in ('settled', 'final')
    and charged_reference is null and closed_at is null;

-- What was really used of an upto payment: one report each.
create table x402_usages (
  payment_id text primary key,
  merchant_id text not null,
  environment text not null,
  deployment_id text not null references deployments (id),
  usage_id text not null check (char_length(usage_id) between 1 and 128),
  max_raw numeric(78, 0) not null check (max_raw > 0),
  actual_raw numeric(78, 0) not null check (actual_raw >= 0 and actual_raw <= max_raw),
  evidence jsonb not null check (jsonb_typeof(evidence) = 'object'),
  -- SHA-256 of the evidence in the form of RFC 8785
  evidence_hash bytea not null check (octet_length(evidence_hash) = 32),
  reported_at timestamptz not null,
  foreign key (payment_id, merchant_id, environment)
    references payments (id, merchant_id, environment)
);

-- Money that came by an authorization, to our settlement account.
alter table deposits add column source text not null default 'address'
  check (source in ('address', 'x402'));
alter table deposits add column settlement_id text references x402_settlements (id);
alter table deposits add check ((source = 'x402') = (settlement_id is not null));
create index deposits_by_settlement on deposits (settlement_id) where source = 'x402';
-- What the chain took back, or has not made final.
create index deposits_x402_open on deposits (chain_id) where source = 'x402' and status <> 'final';
