-- compatible from 44

-- A nonce that was used by a transaction that is not known here: whoever has looked says that it has sent nothing of
-- ours. Until then what has the nonce is on its way.
alter table outgoing_transactions
  -- null: nobody has said so
  add column decided_at timestamptz;
