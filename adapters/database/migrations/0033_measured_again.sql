alter table measured_transfers
  -- when people were told that far less came than the log says; null: they were not, or it is another amount
  add column told_little_at timestamptz;

-- Of what people are to be told.
create index measured_transfers_little on measured_transfers (chain_id)
  where arrived_raw * 10 < logged_raw * 9 and told_little_at is null;

alter table outgoing_transactions
  -- since when it could have ended and the chain does not say what it has moved; null: it does not wait for that
  add column unmeasured_at timestamptz,
  -- when people were told of that
  add column unmeasured_told_at timestamptz;
