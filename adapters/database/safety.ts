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
  readonly owns_tables: boolean;
}

/**
 * `rights`: of `pg_roles`, beyond those to tables (PostgreSQL 15, "Role Attributes"). Whoever may become the owner owns.
 * Of a replica nothing is asked: what is written is here.
 */
const question = `
  select current_user as role,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    array_remove(array[
      case when rolsuper then 'superuser' end,
      case when rolcreaterole then 'createrole' end,
      case when rolreplication then 'replication' end,
      case when rolbypassrls then 'bypassrls' end
    ], null) as rights,
    exists (
      select from pg_class where oid = to_regclass('schema_migrations') and pg_has_role(relowner, 'usage')
    ) as owns_tables
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

function roleMistakes(
  { role, rights, owns_tables: ownsTables }: Found,
  areTablesLeft: boolean,
): readonly string[] {
  const way = "docs/running/deploy/roles.sql makes the roles";
  const mistakes: string[] = [];
  if (rights.length > 0) {
    mistakes.push(
      `the role ${role} may do more than it needs (${rights.join(", ")}): whoever breaks into this process has the ` +
        `whole server; ${way}`,
    );
  } else if (areTablesLeft && ownsTables) {
    mistakes.push(
      `the role ${role} owns the tables, and MIGRATE is off: it could switch off what keeps the ledger as it was ` +
        `written; name the role that writes rows; ${way}`,
    );
  }
  return mistakes;
}
