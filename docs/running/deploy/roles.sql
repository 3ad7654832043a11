-- The three roles of a database of the service, for PostgreSQL 15 or newer. Run in that database as a superuser, and again
-- after each `npm run migrate`, which may have made tables that the reader is to see:
--
--   sudo -u postgres createdb payments
--   sudo -u postgres psql -f docs/running/deploy/roles.sql payments
--   sudo -u postgres psql -c '\password payments_owner' payments       (and payments_writer, payments_reader)
--
-- They are named after the database. Tables of a cell are in a schema of their own, with roles of their own:
--   PGOPTIONS='-c merchant.cell=east' psql -f ...      makes payments_east_owner, payments_east_writer, ...
--
-- ..._owner   owns the tables: for `npm run migrate`, and for closing a cell. No server needs it.
-- ..._writer  reads and writes rows and changes no table, for servers (with MIGRATE=off) and operators' commands: it cannot
--             switch off what keeps the ledger and the audit log as they were written.
-- ..._reader  reads, except what opens something: for reports.

do $$
declare
  cell text := nullif(current_setting('merchant.cell', true), '');
  place text := coalesce('cell_' || cell, 'public');
  prefix text := concat_ws('_', current_database(), cell);
  owner text := prefix || '_owner';
  writer text := prefix || '_writer';
  reader text := prefix || '_reader';
  role text;
  secret text;
begin
  foreach role in array array[owner, writer, reader] loop
    if not exists (select from pg_roles where rolname = role) then
      execute format('create role %I login', role);
    end if;
    execute format('grant connect on database %I to %I', current_database(), role);
  end loop;
  execute format('revoke all on database %I from public', current_database());
  revoke all on schema public from public;

  execute format('create schema if not exists %I', place);
  execute format('alter schema %I owner to %I', place, owner);
  execute format('grant usage on schema %I to %I, %I', place, writer, reader);

  execute format('grant select, insert, update, delete on all tables in schema %I to %I', place, writer);
  execute format('grant usage, select on all sequences in schema %I to %I', place, writer);
  execute format('alter default privileges for role %I in schema %I grant select, insert, update, delete on tables to %I',
    owner, place, writer);
  execute format('alter default privileges for role %I in schema %I grant usage, select on sequences to %I',
    owner, place, writer);

  execute format('grant select on all tables in schema %I to %I', place, reader);
  -- Sealed secrets, answers that are kept for whoever asks again, the public keys that all addresses come from, and
  -- what is signed and may not be sent yet.
  foreach secret in array array['api_keys', 'webhook_endpoints', 'idempotency_keys', 'nonces', 'signer_identities',
      'outgoing_attempts', 'x402_settlements'] loop
    if to_regclass(format('%I.%I', place, secret)) is not null then
      execute format('revoke select on %I.%I from %I', place, secret, reader);
    end if;
  end loop;
  -- Which migrations there are is said by whoever applies them.
  if to_regclass(format('%I.schema_migrations', place)) is not null then
    execute format('revoke insert, update, delete on %I.schema_migrations from %I', place, writer);
  end if;
end $$;
