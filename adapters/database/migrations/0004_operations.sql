-- What the operator looks at: how the background jobs are doing, and the log of what was changed.

-- One row for each job, whatever the number of processes that run it.
create table jobs (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,63}$'),
  last_started_at timestamptz not null,
  last_succeeded_at timestamptz,
  last_failed_at timestamptz,
  -- the kind of the last failure; its message may hold what nobody is to read, so it is in the log only
  last_error text check (char_length(last_error) <= 200),
  runs bigint not null default 0,
  failures bigint not null default 0,
  -- things done by all runs
  done bigint not null default 0,
  -- how long the oldest thing had been due when the last run that knew it began
  lag_ms bigint
);

-- A chain: each entry has the hash of the one before in its own hash. So nobody can change, take out
-- or put in an entry without changing the hashes of all that follow, and the last of them is kept
-- outside of this database too.
create table audit_entries (
  -- 1, 2, 3, ... without gaps: a transaction that is rolled back never had a number
  sequence bigint primary key check (sequence >= 1),
  occurred_at timestamptz not null check (isfinite(occurred_at)),
  -- `operator`, `system`, or `api_key` and the id of the key
  actor text not null check (char_length(actor) between 1 and 200),
  action text not null check (char_length(action) between 1 and 100),
  merchant_id text,
  environment text check (environment in ('live', 'test')),
  subject_type text not null check (char_length(subject_type) between 1 and 100),
  subject_id text not null check (char_length(subject_id) between 1 and 200),
  -- canonical JSON (RFC 8785)
  details text not null check (octet_length(details) <= 65536),
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);

-- The last entry. Whoever adds one holds this row until the commit, so that there is one chain.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  sequence bigint not null,
  hash bytea not null
);
insert into audit_head (sequence, hash) values (0, decode(repeat('00', 32), 'hex'));

-- One byte for null, or a one, the length in four bytes and the bytes: no two lists of fields look
-- the same one after the other.
create function audit_field(value bytea) returns bytea language sql immutable as $$
  select case
    when value is null then '\x00'::bytea
    else '\x01'::bytea || int4send(octet_length(value)) || value
  end
$$;

-- SHA-256 of the fields in the order of the table, all of them as text in UTF-8 but the previous
-- hash; the time in microseconds since 1970. service/audit.ts computes the same without this.
create function audit_hash(entry audit_entries) returns bytea language sql stable as $$
  select sha256(
    audit_field(convert_to(entry.sequence::text, 'UTF8'))
    || audit_field(convert_to((extract(epoch from entry.occurred_at) * 1000000)::bigint::text, 'UTF8'))
    || audit_field(convert_to(entry.actor, 'UTF8'))
    || audit_field(convert_to(entry.action, 'UTF8'))
    || audit_field(convert_to(entry.merchant_id, 'UTF8'))
    || audit_field(convert_to(entry.environment, 'UTF8'))
    || audit_field(convert_to(entry.subject_type, 'UTF8'))
    || audit_field(convert_to(entry.subject_id, 'UTF8'))
    || audit_field(convert_to(entry.details, 'UTF8'))
    || audit_field(entry.previous_hash)
  )
$$;

-- Whatever the statement says of these three columns, they are made here.
create function chain_audit_entry() returns trigger language plpgsql as $$
declare
  head audit_head;
begin
  select * into head from audit_head for update;
  if not found then
    raise exception 'the audit log has lost its head';
  end if;
  new.sequence := head.sequence + 1;
  new.previous_hash := head.hash;
  new.hash := audit_hash(new);
  update audit_head set sequence = new.sequence, hash = new.hash;
  return new;
end
$$;

create trigger audit_entries_chain before insert on audit_entries
  for each row execute function chain_audit_entry();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end
$$;

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();
create trigger audit_head_stays before delete or truncate on audit_head
  for each statement execute function refuse_audit_change();
-- Only the trigger above moves the head.
create trigger audit_head_by_entries_only before insert or update on audit_head
  for each statement when (pg_trigger_depth() = 0) execute function refuse_audit_change();
