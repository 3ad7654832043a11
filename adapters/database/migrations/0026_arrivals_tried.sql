alter table deposits
  -- When the chain was last asked which authorization brought it, whatever it said; null: never. Those that
  -- were asked about longest ago come first, so that none holds up the others.
  add column tried_at timestamptz;

-- what nobody's arrivals are still to be asked about
create index deposits_unlooked on deposits (chain_id, tried_at nulls first, block_number, log_index)
  where payment_id is null and looked_at is null and status <> 'orphaned';
