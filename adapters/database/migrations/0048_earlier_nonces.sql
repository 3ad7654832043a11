-- compatible from 44

-- An authorization is the first payment's that accepted it, whatever became of that. The version before wrote no nonce
-- down: of what has failed there, or fails later, nobody else is to have the money, also past its time: it may have been
-- used before. What is final fails only by a reorganisation, and none is a month long.
insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw, created_at, expires_at)
select distinct on (s.nonce, s.payer, s.deployment_id)
  s.nonce, s.payer, s.payment_id, s.deployment_id, s.authorized_raw, p.created_at, p.expires_at
from x402_settlements s
join payments p on p.id = s.payment_id
where (s.status not in ('final', 'unused') or s.updated_at > now() - interval '30 days')
  -- One that has not failed finds its own.
  and not exists (
    select from x402_settlements kept
    where s.status = 'failed' and kept.status <> 'failed' and kept.chain_id = s.chain_id
      and kept.payer = s.payer and kept.nonce = s.nonce and kept.deployment_id = s.deployment_id)
order by s.nonce, s.payer, s.deployment_id, s.created_at, s.id
on conflict do nothing;
