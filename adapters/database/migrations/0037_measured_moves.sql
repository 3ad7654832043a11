-- What a mined transaction of ours has moved of a token that may keep a part, by the balances of its block: nodes
-- forget those long before people have decided. It counts while the transaction is in that block.
alter table outgoing_transactions
  -- null: nothing was measured
  add column measured_tx_hash text,
  add column measured_block_hash text,
  -- what has left the account
  add column left_raw numeric(78, 0) check (left_raw >= 0),
  -- what has come to an account of ours; null: it was not sent to one
  add column arrived_raw numeric(78, 0) check (arrived_raw >= 0),
  add constraint outgoing_transactions_measured check (
    (measured_tx_hash is null) = (left_raw is null)
    and (measured_block_hash is null) = (left_raw is null)
    and (arrived_raw is null or arrived_raw <= left_raw));
