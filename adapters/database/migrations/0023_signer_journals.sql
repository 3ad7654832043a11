-- How far the journals of signers were when this database heard of them last: one that goes back was
-- cut off, deleted or replaced, and has forgotten limits and nonces.
create table signer_journals (
  -- extended public key of the deposit addresses
  deposit_public_key text primary key,
  -- of all records that were ever written
  record_count bigint not null check (record_count >= 0),
  -- a hash over all of them
  head text not null,
  seen_at timestamptz not null
);
