-- compatible from 44

-- An authorization is the first payment's that accepted it, whatever became of that. The version before wrote no nonce
-- down: of what has failed there, or fails later, nobody else is to have the money, also past its time: it may have been
-- used before. What has ended otherwise is found by its settlement.
insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw, created_at, expires_at)
select distinct on (s.nonce, s.payer, s.deployment_id)
  s.nonce, s.payer, s.payment_id, s.deployment_id, s.authorized_raw, p.created_at, p.expires_at
from x402_settlements s
join payments p on p.id = s.payment_id
where s.status not in ('final', 'unused')
  and not exists (
    select from x402_settlements ended
    where ended.chain_id = s.chain_id and ended.payer = s.payer and ended.nonce = s.nonce
      and ended.deployment_id = s.deployment_id and ended.status in ('final', 'unused'))
order by s.nonce, s.payer, s.deployment_id, s.status = 'failed', s.created_at, s.id
on conflict do nothing;
