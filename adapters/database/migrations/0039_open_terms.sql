-- Whose money it may be that came without a word is looked for among the terms that were open then, not among all
-- that were ever told.

alter table x402_nonces
  -- the payment's
  add column created_at timestamptz,
  -- the payment's
  add column expires_at timestamptz;

update x402_nonces n set created_at = p.created_at, expires_at = p.expires_at
from payments p where p.id = n.payment_id;

-- A process of the version before does not say them.
create function fill_x402_nonce_times() returns trigger language plpgsql as $$
begin
  select p.created_at, p.expires_at into new.created_at, new.expires_at
  from payments p where p.id = new.payment_id;
  return new;
end
$$;

create trigger x402_nonces_times before insert on x402_nonces
  for each row when (new.expires_at is null) execute function fill_x402_nonce_times();

alter table x402_nonces alter column created_at set not null, alter column expires_at set not null;

drop index x402_nonces_by_price;
create index x402_nonces_by_expiry on x402_nonces (deployment_id, expires_at);
