// Where the tables of a cell are: a schema of the database. No statement names it, so what a connection looks through
// decides whose rows are read and written: it is asked on every new connection, before anything else.

import type { ClientBase, DatabaseError } from "pg";
import type { Cell } from "../../service/cell.ts";
import { lockOf } from "./migrate.ts";
import { MigrationError } from "./migration-files.ts";
import { UnfitConnection } from "./unfit-connection.ts";

type Queryable = Pick<ClientBase, "query">;

/** Undefined: its tables are wherever the connections find them. A name that needs no quotes. */
export type Schema = string | undefined;

/** As PostgreSQL reads it; the names that `schemaOf` makes. */
const schemaForm = "^cell_[a-z]{1,12}$";
/** `insufficient_privilege` (PostgreSQL 15, appendix A). */
const insufficientPrivilege = "42501";

export function schemaOf(cell: Cell): Schema {
  return cell === undefined ? undefined : `cell_${cell}`;
}

/** On each new connection: a role or a pooler may say something else from one day to the next. Throws `UnfitConnection`. */
export async function checkPlace(client: Queryable, schema: Schema): Promise<void> {
  const { rows } = await client.query<{ readonly path: string; readonly is_cell: boolean }>(
    `select current_setting('search_path') as path,
       coalesce(current_schema() ~ '${schemaForm}', false) as is_cell`,
  );
  const { path = "", is_cell: isCell = false } = rows[0] ?? {};
  if (schema !== undefined && path !== schema) {
    throw new UnfitConnection(
      `A connection of DATABASE_URL does not look into the schema ${schema} alone (search_path is ${path}): a pooler takes ` +
        "away what is said when a connection starts. Behind a pooler each cell has a role that nobody else uses:\n" +
        `  create role ROLE login;\n  alter role ROLE set search_path = ${schema};\n` +
        "Name it in DATABASE_URL, and let the pooler make its connections anew (PgBouncer: RECONNECT).",
    );
  }
  if (schema === undefined && isCell) {
    throw new UnfitConnection(
      `A connection of DATABASE_URL looks into the schema of a cell (search_path is ${path}), and there is no CELL. Name the ` +
        "cell in CELL, or another role in DATABASE_URL.",
    );
  }
}

/**
 * Behind a pooler one transaction may find what was said for another one: then a role that may read nothing but this
 * schema is what keeps cells apart. Throws `UnfitConnection`.
 */
export async function checkRights(client: Queryable, schema: Schema): Promise<void> {
  if (schema === undefined) return;
  const { rows } = await client.query<{ readonly role: string; readonly others: string | null }>(
    `select current_user as role, string_agg(n.nspname, ', ' order by n.nspname) as others
     from pg_namespace n
     where (n.nspname ~ '${schemaForm}' or n.nspname = 'public') and n.nspname <> $1
       and exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'schema_migrations')
       and has_schema_privilege(n.oid, 'usage')
       and exists (
         select from pg_class c where c.relnamespace = n.oid and c.relkind = 'r'
           and has_table_privilege(c.oid, 'select')
       )`,
    [schema],
  );
  const { role = "", others = null } = rows[0] ?? {};
  if (others === null) return;
  throw new UnfitConnection(
    `The role ${role} may read other schemas than ${schema} (${others}), and DATABASE_URL leads through a pooler, where ` +
      "nothing else keeps cells apart: each needs a role of its own, which owns its schema and is no superuser.",
  );
}

/** Where it is not there: an operator may have made it, for a role that may make none. Throws `MigrationError`. */
export async function makeSchema(client: Queryable, schema: string): Promise<void> {
  if (await isUsable(client, schema)) return;
  await client.query("begin");
  try {
    // Of two processes at once the second waits, for as long as the first one's migrations take.
    await client.query("set local statement_timeout = 0");
    await client.query(`select pg_advisory_xact_lock(${lockOf(schema)})`);
    await client.query(`create schema if not exists ${schema}`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    if ((error as Partial<DatabaseError>).code !== insufficientPrivilege) throw error;
    throw new MigrationError(
      `There is no schema ${schema}, and this role may not make one. Make it as the owner of the database: ` +
        `create schema ${schema} authorization ROLE`,
    );
  }
}

/** False: it is not there. */
async function isUsable(client: Queryable, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ readonly is_ours: boolean }>(
    `select has_schema_privilege(oid, 'usage') and has_schema_privilege(oid, 'create') as is_ours
     from pg_namespace where nspname = $1`,
    [schema],
  );
  const [found] = rows;
  if (found?.is_ours === false) {
    throw new MigrationError(
      `The schema ${schema} is somebody else's, and this role may make no tables in it: ` +
        `alter schema ${schema} owner to ROLE. Where another role makes them (npm run migrate), start with MIGRATE=off.`,
    );
  }
  return found !== undefined;
}
