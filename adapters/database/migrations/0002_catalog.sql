-- What can be paid with, and what each merchant accepts.

-- One row: the version that every change of the catalog raises.
create table catalog (
  only_row boolean primary key default true check (only_row),
  version bigint not null check (version >= 0),
  applied_at timestamptz not null
);

create table currencies (
  id text primary key check (id like 'cur\_%'),
  -- ASCII: then the order of the database and that of the service's strings are the same
  code text not null check (code ~ '^[A-Za-z0-9][A-Za-z0-9._-]*$'),
  symbol text not null,
  name text not null,
  asset_class text not null check (asset_class in ('coin', 'stablecoin', 'token')),
  is_usd_stablecoin boolean not null,
  accounting_decimals integer not null check (accounting_decimals between 0 and 36),
  status text not null check (status in ('active', 'deprecated', 'disabled'))
);

create unique index currencies_in_order on currencies (code collate "C", id collate "C");

create table deployments (
  id text primary key check (id like 'dep\_%'),
  currency_id text not null references currencies (id),
  deployment_version bigint not null check (deployment_version >= 1),
  -- CAIP-2
  chain_id text not null,
  chain_family text not null check (chain_family in ('evm', 'solana', 'bitcoin', 'tron')),
  is_test_network boolean not null,
  asset_kind text not null check (asset_kind in ('native', 'token')),
  -- CAIP-19
  asset_locator text not null unique,
  token_standard text not null
    check (token_standard in ('native', 'erc20', 'spl', 'spl2022', 'trc20')),
  contract_address text,
  decimals integer not null check (decimals between 0 and 77),
  listing_status text not null
    check (listing_status in ('preview', 'listed', 'delisting', 'delisted')),
  -- withdrawals stay possible for some weeks from then on
  delisting_since timestamptz,
  deposit_enabled boolean not null,
  withdrawal_enabled boolean not null,
  unique (currency_id, chain_id),
  check ((asset_kind = 'native') = (contract_address is null)),
  check ((asset_kind = 'native') = (token_standard = 'native')),
  check (listing_status in ('preview', 'listed') or not deposit_enabled),
  check ((listing_status in ('delisting', 'delisted')) = (delisting_since is not null))
);

create table capabilities (
  deployment_id text not null references deployments (id),
  scope text not null check (scope in ('deposit', 'withdrawal', 'x402', 'subscription')),
  key text not null,
  status text not null check (status in ('supported', 'degraded', 'unsupported', 'unverified')),
  parameters jsonb not null,
  evidence_version bigint not null check (evidence_version >= 1),
  delivery jsonb,
  primary key (deployment_id, scope, key)
);

-- What a merchant accepts is replaced as a whole: each replacement is a new revision, and the chains
-- of that revision are what counts. So two replacements at once leave one of the two, never a mix.
-- Live and test keys have an acceptance each: a test run must not close a shop. A merchant without a
-- row accepts nothing.
create table currency_acceptances (
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  revision bigint not null check (revision >= 1),
  -- which state of the catalog it was resolved with
  catalog_version bigint not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment)
);

create table accepted_chains (
  merchant_id text not null,
  environment text not null,
  revision bigint not null,
  currency_id text not null,
  chain_id text not null,
  primary key (merchant_id, environment, revision, currency_id, chain_id),
  foreign key (merchant_id, environment) references currency_acceptances (merchant_id, environment),
  foreign key (currency_id, chain_id) references deployments (currency_id, chain_id)
);

-- What counts: a row for each accepted currency.
create view currency_acceptance as
  select merchant_id, environment, accepted.currency_id,
    array_agg(accepted.chain_id order by accepted.chain_id collate "C") as chain_ids
  from currency_acceptances
  join accepted_chains accepted using (merchant_id, environment, revision)
  group by merchant_id, environment, accepted.currency_id;
