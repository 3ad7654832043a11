-- The background jobs are shared between processes.

-- Which process runs a job now. It spares the others the work, and guards nothing: any two processes may still
-- run a job at once, and what they write bears that. All times are of the database's clock.
create table job_leases (
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,63}$'),
  -- Which chains a process has, and whether a signer: one that has fewer keeps no job from one that has them.
  setup text not null check (setup ~ '^[0-9a-f]{8}$'),
  -- a process, for people: its machine, its number there, and something that no other one has
  holder text not null check (char_length(holder) between 1 and 120),
  -- since when it has the job
  taken_at timestamptz not null,
  -- The holder moves it on while it lives; from then on anybody may take the job.
  expires_at timestamptz not null,
  primary key (name, setup)
);
