-- Events in the order of their resources, the endpoints that want them, and every delivery. The
-- deliveries are their own queue (for update skip locked). Merchants never meet, nor do live and test:
-- each row has the environment of the API key that it comes from, an event only goes to endpoints of
-- its own, and what refers to a row refers to its merchant and its environment with it.

create table event_sequences (
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  resource_type text not null,
  resource_id text not null,
  last bigint not null check (last >= 1),
  primary key (merchant_id, environment, resource_type, resource_id)
);

create table events (
  id text not null check (id like 'evt\_%'),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  type text not null,
  occurred_at timestamptz not null,
  resource_type text not null,
  resource_id text not null,
  -- per resource, from 1, no gaps
  sequence bigint not null check (sequence >= 1),
  -- the member `data` of the payload as exact JSON text
  data text not null check (octet_length(data) <= 20480),
  -- The id alone would do, but deliveries have to name the owner too; so no second index is needed.
  primary key (id, merchant_id, environment),
  unique (merchant_id, environment, resource_type, resource_id, sequence)
);

create table webhook_endpoints (
  id text primary key check (id like 'whe\_%'),
  merchant_id text not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  -- 1 to 20 in each environment: the limit of endpoints cannot be passed by two requests at once
  slot integer not null check (slot between 1 and 20),
  url text not null check (char_length(url) <= 2048),
  event_types text[] not null check (cardinality(event_types) > 0),
  active boolean not null,
  -- while it is not active: who switched it off, and since when
  inactive_reason text check (inactive_reason in ('merchant', 'gone', 'failing')),
  inactive_since timestamptz,
  -- since when every attempt has failed
  failing_since timestamptz,
  -- Deliveries have the generation that their endpoint had when they were made. What is open is given
  -- up all at once by the next generation: it is not sent any more, and the sweep writes down later
  -- what became of it: cancelled up to this generation (the receiver was gone), failed otherwise.
  generation integer not null default 1 check (generation >= 1),
  cancelled_generation integer not null default 0 check (cancelled_generation < generation),
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- the request that made it: a second run of the same request cannot make another one
  idempotency_key text not null,
  unique (merchant_id, environment, slot),
  unique (merchant_id, environment, url),
  unique (merchant_id, idempotency_key),
  -- for deliveries, which name all three
  unique (id, merchant_id, environment),
  check (active = (inactive_reason is null)),
  check (active = (inactive_since is null)),
  check ((previous_secret_sealed is null) = (previous_secret_expires_at is null))
);

create table webhook_deliveries (
  id text primary key check (id like 'dlv\_%'),
  -- of the event and of the endpoint: a delivery that mixes two is refused
  merchant_id text not null,
  environment text not null,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  resource_type text not null,
  resource_id text not null,
  -- A resource as one number that says nothing about its age, so that a claim can begin to look at
  -- any of them. Two resources with one number (1 in 2^64) would take turns, and no more than that.
  resource_key bigint not null
    generated always as (hashtextextended(resource_type || ' ' || resource_id, 0)) stored,
  -- of the event, for the index
  sequence bigint not null check (sequence >= 1),
  -- of the endpoint, when the event was recorded
  generation integer not null default 1,
  status text not null
    check (status in ('pending', 'delivered', 'failed', 'skipped', 'cancelled')),
  -- finished HTTP attempts
  attempts integer not null default 0 check (attempts >= 0),
  -- null: finished; it stays while the endpoint is switched off, and counts again afterwards
  next_attempt_at timestamptz,
  -- a worker that holds it, until when it may, and which of its endpoint's places it takes up
  claim_token text,
  claim_expires_at timestamptz,
  claim_slot integer check (claim_slot >= 1),
  -- of the last attempt, for our own eyes; never the body of the receiver
  last_status integer,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- in this order, so that an event finds its deliveries: old events are deleted with them
  unique (event_id, endpoint_id),
  foreign key (endpoint_id, merchant_id, environment)
    references webhook_endpoints (id, merchant_id, environment),
  foreign key (event_id, merchant_id, environment) references events (id, merchant_id, environment),
  check ((status = 'pending') = (finished_at is null)),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((claim_token is null) = (claim_expires_at is null)),
  check ((claim_token is null) = (claim_slot is null))
);

-- What is due, endpoint by endpoint; from resource to resource with the first that is due of each;
-- and each resource in the order of its events. All of them begin with what has been given up.
create index webhook_deliveries_due
  on webhook_deliveries (endpoint_id, generation, next_attempt_at) where status = 'pending';
create index webhook_deliveries_by_resource
  on webhook_deliveries (endpoint_id, generation, resource_key, next_attempt_at)
  where status = 'pending';
create index webhook_deliveries_in_order
  on webhook_deliveries (endpoint_id, generation, resource_key, sequence) where status = 'pending';
-- However many workers claim at once: one delivery under way for each resource of an endpoint, and
-- no more for an endpoint than it has places. What was given up while under way is in nobody's way.
create unique index webhook_deliveries_one_per_resource
  on webhook_deliveries (endpoint_id, generation, resource_type, resource_id)
  where status = 'pending' and claim_token is not null;
create unique index webhook_deliveries_one_per_slot
  on webhook_deliveries (endpoint_id, generation, claim_slot)
  where status = 'pending' and claim_token is not null;
create index webhook_deliveries_newest
  on webhook_deliveries (merchant_id, environment, created_at desc, id desc);
-- For deleting what is old.
create index events_by_age on events (occurred_at);
