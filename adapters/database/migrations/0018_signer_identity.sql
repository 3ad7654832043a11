-- The signer that this database belongs to: the addresses of payments are derived from its extended
-- public key, and money leaves from its accounts. Beside it stands the last other one that came, for
-- an operator who wants that one from now on.
create table signer_identities (
  -- accepted: of the first contact, or what an operator accepted; refused: the last one that was not it
  slot text primary key check (slot in ('accepted', 'refused')),
  -- the beginning of a SHA-256 over the three that follow, to name it by
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{32}$'),
  hot_address text not null,
  settlement_address text not null,
  -- extended public key of BIP-32
  deposit_public_key text not null,
  -- first contact, acceptance, or the last time it was refused
  since timestamptz not null
);
