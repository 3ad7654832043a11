-- How far a server that follows this one has come.

-- Each process writes a higher mark again and again while it reads from a replica, and reads there only where a mark of the
-- last second has arrived: then everything that was committed before it has arrived as well.
create table replica_marks (
  -- that no other one has, also not the same one when it starts again
  process text primary key check (process ~ '^[0-9a-f-]{36}$'),
  mark bigint not null check (mark >= 1),
  -- of the database's clock, for whoever cleans up
  marked_at timestamptz not null
);
