-- What can be paid with, and what each merchant accepts.

-- One row: the version that every change of the catalog raises.
create table catalog (
  only_row boolean primary key default true check (only_row),
  version bigint not null check (version >= 0),
  applied_at timestamptz not null
);

create table currencies (
  id text primary key check (id like 'cur\_%'),
  code text not null,
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
  deposit_enabled boolean not null,
  withdrawal_enabled boolean not null,
  unique (currency_id, chain_id),
  check ((asset_kind = 'native') = (contract_address is null)),
  check ((asset_kind = 'native') = (token_standard = 'native')),
  check (listing_status in ('preview', 'listed') or not deposit_enabled)
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

-- Per merchant and currency: the chains it is accepted on, resolved and sorted. A merchant without
-- rows accepts nothing.
create table currency_acceptance (
  merchant_id text not null references merchants (id),
  currency_id text not null references currencies (id),
  chain_ids text[] not null check (cardinality(chain_ids) > 0),
  updated_at timestamptz not null,
  primary key (merchant_id, currency_id)
);
