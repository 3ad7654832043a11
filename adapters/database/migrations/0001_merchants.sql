-- Merchants, the keys they call with, and what makes a request happen once.

create table merchants (
  id text primary key check (id like 'mer\_%'),
  name text not null check (char_length(name) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null
);

create table api_keys (
  id text primary key check (id like 'mk\_live\_%' or id like 'mk\_test\_%'),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  -- AES-256-GCM; the associated data is the key id and the merchant id (see service/sealing.ts)
  secret_sealed bytea not null,
  scopes text[] not null,
  -- empty: any address
  cidrs text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- the key this one takes over from
  rotated_from text references api_keys (id),
  check (id like 'mk\_' || environment || '\_%'),
  check (
    environment <> 'live' or not ('withdrawals:write' = any (scopes)) or cardinality(cidrs) > 0
  )
);

create index api_keys_by_merchant on api_keys (merchant_id);

-- Hot and short-lived: no foreign key, since the row is only written for a key just read.
create table nonces (
  key_id text not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (key_id, nonce)
);

create index nonces_by_expiry on nonces (expires_at);

-- One row for each request that was done, written together with what it did.
create table idempotency_keys (
  merchant_id text not null references merchants (id),
  key text not null check (char_length(key) between 1 and 128),
  operation_id text not null,
  -- SHA-256 of operation, path parameters and the RFC 8785 form of the body
  fingerprint bytea not null,
  status integer not null,
  headers jsonb,
  -- the answer, exactly as it was sent
  body text,
  -- the same for answers with a secret in them, sealed; null once it is no longer kept
  body_sealed bytea,
  created_at timestamptz not null,
  -- of a sealed answer: when it is forgotten; until expires_at a replay is told so
  body_expires_at timestamptz,
  -- when the key is free again and the row is swept
  expires_at timestamptz not null,
  primary key (merchant_id, key),
  check ((body is null) = (body_expires_at is not null)),
  check (body_sealed is null or body_expires_at is not null)
);

create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
create index idempotency_keys_by_sealed_expiry on idempotency_keys (body_expires_at)
  where body_sealed is not null;
