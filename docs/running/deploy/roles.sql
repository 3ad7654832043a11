-- The three roles of a database of the service, for PostgreSQL 15 or newer. Run in that database as a superuser, and again
-- after each `npm run migrate`, which may have made tables that the reader is to see:
--
--   sudo -u postgres createdb payments
--   sudo -u postgres psql -f docs/running/deploy/roles.sql payments
--   sudo -u postgres psql -c '\password payments_owner' payments       (and payments_writer, payments_reader)
--
-- Where another role has made the tables, they become the owner's: stop its servers before. Roles are named after the
-- database. Tables of a cell are in a schema of their own, with roles of their own:
--   PGOPTIONS='-c merchant.cell=east' psql -f ...      makes payments_east_owner, payments_east_writer, ...
--
-- ..._owner   owns the tables: for `npm run migrate`, and for closing a cell. No server needs it.
-- ..._writer  reads and writes rows and changes no table, for servers (with MIGRATE=off) and operators' commands: it cannot
--             switch off what keeps the ledger and the audit log as they were written.
-- ..._reader  reads, except what opens something: for reports.

-- Not that something is there already.
set client_min_messages = warning;

do $$
declare
  cell text := nullif(current_setting('merchant.cell', true), '');
  place text := coalesce('cell_' || cell, 'public');
  prefix text := concat_ws('_', current_database(), cell);
  owner text := prefix || '_owner';
  writer text := prefix || '_writer';
  reader text := prefix || '_reader';
  role text;
  thing record;
begin
  foreach role in array array[owner, writer, reader] loop
    if not exists (select from pg_roles where rolname = role) then
      execute format('create role %I login', role);
    end if;
    execute format('grant connect on database %I to %I', current_database(), role);
  end loop;
  -- Roles of a cell leave alone what is for all cells: other roles may rely on it.
  if cell is null then
    execute format('revoke all on database %I from public', current_database());
    revoke all on schema public from public;
  end if;

  execute format('create schema if not exists %I', place);
  execute format('alter schema %I owner to %I', place, owner);
  execute format('grant usage on schema %I to %I, %I', place, writer, reader);
  -- Sequences of columns go with their table.
  for thing in
    select case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end as kind, relname::text as name
    from pg_class c where relnamespace = place::regnamespace and relkind in ('r', 'p', 'v', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S')
  loop
    execute format('alter %s %I.%I owner to %I', thing.kind, place, thing.name, owner);
  end loop;
  for thing in
    select oid::regprocedure::text as name from pg_proc where pronamespace = place::regnamespace
  loop
    execute format('alter routine %s owner to %I', thing.name, owner);
  end loop;

  execute format('grant select, insert, update, delete on all tables in schema %I to %I', place, writer);
  execute format('grant usage, select on all sequences in schema %I to %I', place, writer);
  execute format('alter default privileges for role %I in schema %I grant select, insert, update, delete on tables to %I',
    owner, place, writer);
  execute format('alter default privileges for role %I in schema %I grant usage, select on sequences to %I',
    owner, place, writer);

  -- For reports: not the answers that are kept for whoever asks again, and what is signed and may not be sent yet; nor
  -- sealed secrets, signatures, the bearer's names of checkout pages, the public keys that all addresses come from.
  execute format('revoke all on all tables in schema %I from %I', place, reader);
  for thing in
    select relname::text as name, string_agg(quote_ident(attname), ', ') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where relnamespace = place::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and relname <> all (array['idempotency_keys', 'nonces', 'outgoing_attempts'])
      and attname !~ '(_sealed|secret|signature|public_key|_token)$'
      and not (relname = 'outgoing_transactions' and attname = 'action')
    group by 1
  loop
    execute format('grant select (%s) on %I.%I to %I', thing.columns, place, thing.name, reader);
  end loop;
  -- Which migrations there are is said by whoever applies them.
  if to_regclass(format('%I.schema_migrations', place)) is not null then
    execute format('revoke insert, update, delete on %I.schema_migrations from %I', place, writer);
  end if;
end $$;
