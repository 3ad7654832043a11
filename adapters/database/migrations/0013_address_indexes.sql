-- Indexes of deposit addresses are taken in blocks; this is the next one. A row and not a sequence: it
-- is in a backup as it was, while a sequence jumps ahead when a database recovers, and a database that
-- is older than the signer's memory could not be told from one that is not.
create table deposit_index_blocks (
  is_only boolean primary key default true check (is_only),
  next_block bigint not null check (next_block >= 0)
);

insert into deposit_index_blocks (next_block)
select case when is_called then last_value + 1 else last_value end from deposit_address_indexes;

drop sequence deposit_address_indexes;
