-- compatible from 44
-- before: create unique index concurrently if not exists x402_nonces_by_token on x402_nonces (nonce, payer, deployment_id)

-- Of another token, or of one on another chain, the same nonce of the same payer is another authorization's: who counts
-- nonces of Permit2 has the same ones on every chain.
alter table x402_nonces drop constraint x402_nonces_pkey,
  add constraint x402_nonces_by_token primary key using index x402_nonces_by_token;
