-- compatible from 44

-- Whether coin that we have sent has arrived at an address: where none has, what comes to nothing at others of its
-- merchant counts, too. Of those that are here nobody knows it, and they are taken for such.
alter table withdraw_addresses
  add column is_proven boolean not null default true;

alter table withdraw_addresses
  alter column is_proven set default false;
