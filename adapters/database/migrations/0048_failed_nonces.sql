-- compatible from 44

-- An authorization is the first payment's that accepted it, whatever became of that. The version before wrote no nonce
-- down: of what has failed there and can still be used, nobody else is to have the money.
insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw, created_at, expires_at)
select distinct on (s.nonce, s.payer, s.deployment_id)
  s.nonce, s.payer, s.payment_id, s.deployment_id, s.authorized_raw, p.created_at, p.expires_at
from x402_settlements s
join payments p on p.id = s.payment_id
where s.status = 'failed' and s.valid_before > extract(epoch from now())
  and not exists (
    select from x402_settlements later
    where later.chain_id = s.chain_id and later.payer = s.payer and later.nonce = s.nonce
      and later.deployment_id = s.deployment_id and later.status <> 'failed')
order by s.nonce, s.payer, s.deployment_id, s.created_at, s.id
on conflict do nothing;
