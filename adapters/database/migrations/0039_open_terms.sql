-- Whose money it may be that came without a word is looked for among the terms that were open then, not among all
-- that were ever told.

alter table x402_nonces
  -- the payment's
  add column expires_at timestamptz;

update x402_nonces n set expires_at = p.expires_at from payments p where p.id = n.payment_id;

-- A process of the version before does not say it.
create function fill_x402_nonce_expiry() returns trigger language plpgsql as $$
begin
  select p.expires_at into new.expires_at from payments p where p.id = new.payment_id;
  return new;
end
$$;

create trigger x402_nonces_expiry before insert on x402_nonces
  for each row when (new.expires_at is null) execute function fill_x402_nonce_expiry();

alter table x402_nonces alter column expires_at set not null;

drop index x402_nonces_by_price;
create index x402_nonces_by_expiry on x402_nonces (deployment_id, expires_at);
