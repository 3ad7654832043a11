// What production asks of the database before it trusts it with money: that what is acknowledged is on the disk, and
// that whoever breaks into this process does not get the server with it.

import type { ClientBase } from "pg";
import { UnfitConnection } from "./unfit-connection.ts";

interface Found {
  readonly role: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly rights: readonly string[];
  readonly owned: readonly string[];
}

/**
 * `rights`: of `pg_roles` and of the roles that PostgreSQL has for its server (15, "Role Attributes", "Predefined
 * Roles"), its own and of every role that it may become. `owned`: what it may change or take away, likewise.
 * Of a replica nothing is asked: what is written is here.
 */
const question = `
  with mine as (select * from pg_roles r where pg_has_role(r.oid, 'member')),
  place as (select n.oid, n.nspowner from pg_namespace n where n.nspname = current_schema())
  select current_user as role,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    array_remove(array[
      case when (select bool_or(rolsuper) from mine) then 'superuser' end,
      case when (select bool_or(rolcreaterole) from mine) then 'createrole' end,
      case when (select bool_or(rolreplication) from mine) then 'replication' end,
      case when (select bool_or(rolbypassrls) from mine) then 'bypassrls' end
    ] || (select array_agg(rolname::text) from mine where rolname in
      ('pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files', 'pg_write_all_data')), null) as rights,
    array_remove(array[
      case when (select pg_has_role(datdba, 'member') from pg_database where datname = current_database())
        then 'the database' end,
      case when (select pg_has_role(nspowner, 'member') from place) then 'the schema' end,
      case when exists (select from pg_class c join place on c.relnamespace = place.oid
        where pg_has_role(c.relowner, 'member')) then 'tables' end
    ], null) as owned
  from pg_roles where rolname = current_user`;

/** @param areTablesLeft this process changes no table, so its role need not own any. Throws `UnfitConnection`. */
export async function checkSafety(
  client: Pick<ClientBase, "query">,
  { areTablesLeft }: { readonly areTablesLeft: boolean },
): Promise<void> {
  const { rows } = await client.query<Found>(question);
  const [found] = rows;
  if (found === undefined)
    throw new Error("the role of this connection is not known to its server");
  const mistakes = [...durabilityMistakes(found), ...roleMistakes(found, areTablesLeft)];
  if (mistakes.length === 0) return;
  throw new UnfitConnection(
    `DATABASE_URL is not for production:\n${mistakes.map((one) => `  ${one}\n`).join("")}`,
  );
}

function durabilityMistakes(found: Found): readonly string[] {
  const lost = "a power cut loses payments that were confirmed";
  return (["fsync", "full_page_writes", "synchronous_commit"] as const)
    .filter((name) => found[name] === "off")
    .map((name) => `${name} is off, so ${lost}; set it to on in postgresql.conf and for the role`);
}

function roleMistakes({ role, rights, owned }: Found, areTablesLeft: boolean): readonly string[] {
  const way = "docs/running/deploy/roles.sql makes the roles";
  const mistakes: string[] = [];
  if (rights.length > 0) {
    mistakes.push(
      `the role ${role} may do more than it needs (${rights.join(", ")}): whoever breaks into this process has the ` +
        `whole server; ${way}`,
    );
  } else if (areTablesLeft && owned.length > 0) {
    mistakes.push(
      `the role ${role} owns ${owned.join(", ")}, and MIGRATE is off: it could switch off what keeps the ledger as it was ` +
        `written; name the role that writes rows; ${way}`,
    );
  }
  return mistakes;
}
