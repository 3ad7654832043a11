-- What the chain has said of the transfers of a block, however many others were ever measured.
create index measured_transfers_by_block on measured_transfers (chain_id, block_hash)
  where arrived_raw is not null;
