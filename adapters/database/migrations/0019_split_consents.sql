-- Who may name whom as a partner with a share of its live payments. A partner may end in debt after a
-- reorganisation, so nobody is one without having agreed. Test payments need no consent.
create table split_consents (
  -- who gets a share
  partner_id text not null references merchants (id),
  -- of whose payments
  creator_id text not null references merchants (id),
  -- when the operator wrote it down
  granted_at timestamptz not null,
  primary key (partner_id, creator_id),
  check (partner_id <> creator_id)
);

-- Whoever shares live payments already goes on; an operator who knows better ends it.
insert into split_consents (partner_id, creator_id, granted_at)
select s.merchant_id, p.merchant_id, min(p.created_at)
from payment_splits s join payments p on p.id = s.payment_id
where p.environment = 'live' and s.merchant_id <> p.merchant_id
group by s.merchant_id, p.merchant_id;
