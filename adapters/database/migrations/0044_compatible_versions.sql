-- compatible from 43

-- Servers of the version before go on working while this one is brought in, and may come back: each migration says how
-- old a version may be that works with it.
alter table schema_migrations
  -- the number of the last migration of that version; null: nobody said it, so none
  add column compatible_from integer;
