// Databases that tests use one after the other: opening one costs up to half a second, emptying one
// a hundredth of that. What a test left behind must not reach the next one, so a database is used
// again only if all it ever saw were statements that read and write rows, and all of them have ended;
// any other is closed, and the next test gets a new one. Emptied are all tables, past the triggers
// that protect some of them; sequences start again, what the migrations wrote is written again, and
// tables that a test made are dropped. Whoever still holds a database after its test is refused.

import type { OpenedDatabase } from "../../adapters/database/session.ts";
import type { Cell } from "../../service/cell.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Database, Statement } from "../../service/ports/database.ts";

export interface LentDatabase {
  readonly database: OpenedDatabase;
  /** whose tables they are; undefined: there is one only */
  readonly cell?: Cell;
  readonly remove: () => Promise<void>;
}

/** More than this leaves too much of what is dead in memory. */
const usesMax = 100;

interface Source extends LentDatabase {
  uses: number;
}

export class RecycledDatabases {
  readonly #open: () => Promise<LentDatabase>;
  readonly #free: Source[] = [];
  #resetting: Promise<Statement<object, object>> | undefined;

  /** @param open makes one that is migrated and empty, and like all others it makes */
  constructor(open: () => Promise<LentDatabase>) {
    this.#open = open;
  }

  async take(): Promise<LentDatabase> {
    const source = (await this.#takeUsed()) ?? { ...(await this.#open()), uses: 0 };
    this.#resetting ??= describeReset(source.database);
    await this.#resetting;
    source.uses += 1;
    const lease = new Lease(source.database);
    let isRemoved = false;
    const remove = async (): Promise<void> => {
      if (isRemoved) return;
      isRemoved = true;
      lease.end();
      if (lease.isReusable && source.uses < usesMax) this.#free.push(source);
      else await source.remove();
    };
    return { database: lease, cell: source.cell, remove };
  }

  async #takeUsed(): Promise<Source | undefined> {
    const source = this.#free.pop();
    if (source === undefined || this.#resetting === undefined) return undefined;
    try {
      await source.database.run(await this.#resetting, {});
      return source;
    } catch {
      await source.remove();
      return undefined;
    }
  }

  /** Those that wait for a next test. */
  async removeFree(): Promise<void> {
    await Promise.all(this.#free.splice(0).map(({ remove }) => remove()));
  }
}

const rowsOnly = /^\s*(?:select|insert|update|delete|with|create table|set local)\b/i;
/** What outlives its transaction on a connection. */
const sessionWide = /\b(?:set_config|pg_(?:try_)?advisory_(?:un)?lock(?:_shared|_all)?)\s*\(/i;

/** One test's hold on a database; afterwards whoever kept it gets an error. */
class Lease implements OpenedDatabase {
  readonly #real: OpenedDatabase;
  #running = 0;
  #isOver = false;
  #isSpoilt = false;

  constructor(real: OpenedDatabase) {
    this.#real = real;
  }

  get isReusable(): boolean {
    return this.#running === 0 && !this.#isSpoilt;
  }

  end(): void {
    this.#isOver = true;
  }

  readonly run: Database["run"] = (statement, values) =>
    this.#during(() => this.#inspected(this.#real).run(statement, values));

  readonly transaction: Database["transaction"] = (work) =>
    this.#during(() => this.#real.transaction((inside) => work(this.#inspected(inside))));

  readonly close = async (): Promise<void> => {
    this.end();
    this.#isSpoilt = true;
    await this.#real.close();
  };

  #inspected(database: Database): Database {
    return {
      run: (statement, values) => {
        const { text } = statement;
        if (!rowsOnly.test(text) || sessionWide.test(text)) this.#isSpoilt = true;
        return database.run(statement, values);
      },
      transaction: (work) => database.transaction((inside) => work(this.#inspected(inside))),
    };
  }

  async #during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isOver) throw new Error("the test that this database belonged to has ended");
    this.#running += 1;
    try {
      return await work();
    } catch (error) {
      // Whatever made it unavailable may last.
      if (error instanceof ServiceError && error.code === "service_unavailable") {
        this.#isSpoilt = true;
      }
      throw error;
    } finally {
      this.#running -= 1;
    }
  }
}

/** Of a new database, or any other: the statement that brings a used one to the same state. */
export async function describeReset(database: Database): Promise<Statement<object, object>> {
  const tables = (await read<{ name: string }>(database, listTables)).map(({ name }) => name);
  const filled = await read<{ name: string; rows: string }>(
    database,
    tables
      .map(
        (name) =>
          `select '${name}' as name, jsonb_agg(to_jsonb(t))::text as rows from "${name}" t having count(*) > 0`,
      )
      .join(" union all "),
  );
  const columns = new Map<string, string>();
  for (const { name, list } of await read<{ name: string; list: string }>(database, listColumns)) {
    columns.set(name, list);
  }
  const refill = filled.map(({ name, rows }) => {
    const list = columns.get(name) ?? "";
    return `insert into "${name}" (${list}) overriding system value
       select ${list} from jsonb_populate_recordset(null::"${name}", ${quoted(rows)});`;
  });
  const sequences = await read<{ name: string; value: string; was: boolean }>(
    database,
    listSequences,
  );
  const restart = sequences.map(
    ({ name, value, was }) => `perform setval('"${name}"', ${value}, ${was});`,
  );
  const known = tables.map(quoted).join(", ");
  return plain(`do $reset$
    declare found record;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for found in
        select relname, oid, relname in (${known}) as is_ours from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r'
      loop
        if not found.is_ours then
          execute format('drop table %I cascade', found.relname);
        elsif pg_relation_size(found.oid) = 0 then
          continue; -- no page, so no row: of most tables, and to find none in each takes half of the time
        elsif pg_relation_size(found.oid) > ${deletedBytesMax} then
          execute format('truncate %I cascade', found.relname);
        else
          execute format('delete from %I', found.relname);
        end if;
      end loop;
      ${refill.join("\n")}
      ${restart.join("\n")}
    end $reset$`);
}

/** Deleted rows stay in the way until they are vacuumed; truncating costs the same for any size. */
const deletedBytesMax = 262_144;

const listTables = `
  select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`;
/** But those that the database computes from others. */
const listColumns = `
  select relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as list
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and attnum > 0 and not attisdropped and attgenerated = ''
  group by relname`;
const listSequences = `
  select sequencename as name, coalesce(last_value, start_value)::text as value,
    last_value is not null as was
  from pg_sequences where schemaname = current_schema()`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Without a name, so that no connection keeps it. */
function plain(text: string): Statement<object, object> {
  return { name: "", text, list: () => [] };
}

function read<Row>(database: Database, text: string): Promise<readonly Row[]> {
  const statement: Statement<object, Row> = { name: "", text, list: () => [] };
  return database.run(statement, {});
}
