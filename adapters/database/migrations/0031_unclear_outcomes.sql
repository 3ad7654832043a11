alter table outgoing_transactions
  -- when it was first seen that what it has moved is something else than was asked for, and that nobody had
  -- said yet what became of it; null: never
  add column unclear_at timestamptz;
