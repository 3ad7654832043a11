-- A payout schedule is a standing withdrawal. What a key must be to withdraw it must be to make one, and
-- the schedule remembers the key: when that turns out to be in other hands, the schedule ends.

alter table api_keys
  -- It may have been used by somebody else: payout schedules that it made end with it.
  add column revoked_for_cause boolean not null default false,
  add constraint api_keys_revoked_for_cause check (not revoked_for_cause or revoked_at is not null),
  add constraint api_keys_owner unique (id, merchant_id, environment);

-- Nobody was asked for the reason until now, and a key is rarely revoked without one.
update api_keys set revoked_for_cause = true where revoked_at is not null;

alter table payout_schedules
  -- the key that made it; null: it is older than this column, and several keys could have
  add column api_key_id text,
  -- The key could be used from the addresses that the operator gave it only, and could not register
  -- withdraw addresses if it was a live one. Without that no money leaves on a main network.
  add column is_key_bound boolean not null default false,
  add foreign key (api_key_id, merchant_id, environment)
    references api_keys (id, merchant_id, environment);

-- Which key has made a schedule was not kept. If all that could have are bound, it was a bound one.
update payout_schedules s
set is_key_bound = makers.are_bound,
  api_key_id = case when makers.count = 1 then makers.some_id end
from (
  select merchant_id, environment, count(*) as count, min(id) as some_id,
    bool_and(
      cardinality(cidrs) > 0
      and not (environment = 'live' and 'withdraw_addresses:write' = any (scopes))
    ) as are_bound
  from api_keys
  where 'payouts:write' = any (scopes)
  group by merchant_id, environment
) as makers
where makers.merchant_id = s.merchant_id and makers.environment = s.environment;

create index payout_schedules_by_key on payout_schedules (api_key_id) where status <> 'retired';
