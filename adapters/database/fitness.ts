// Whether what is between us and the server, such as PgBouncer, leaves alone what every statement relies on: what is
// set when a connection starts, and statements that are prepared once for each connection. Asked at the start: else
// every second request would fail later, or a statement run for ever.

import type pg from "pg";
import { checkRights } from "./cell-schema.ts";
import type { Schema } from "./cell-schema.ts";
import { UnfitConnection } from "./unfit-connection.ts";

/** In milliseconds. */
export const timeLimits = {
  /** The server ends a statement after this time. */
  statement_timeout: 10_000,
  /** A transaction that stopped talking holds locks; the server ends it. */
  idle_in_transaction_session_timeout: 15_000,
} as const;

/**
 * Statements of milliseconds: the server would compile longer than it runs what it compiled. And each of them is
 * made for an index: to a server that thinks of a seek for each page (the standard says four times a page in turn)
 * half a table looks as good, until it has grown.
 */
export const planning = { jit: "off", random_page_cost: "1.1" } as const;

interface Setting {
  readonly name: string;
  /** as it is said to the server, and the condition in SQL that it has at least that */
  readonly value: string;
  readonly holds: string;
}

const settings: readonly Setting[] = [
  ...Object.entries(timeLimits).map(([name, milliseconds]) => ({
    name,
    value: `'${milliseconds / 1000}s'`,
    holds: `current_setting('${name}')::interval between '1ms' and '${milliseconds}ms'`,
  })),
  { name: "jit", value: planning.jit, holds: "current_setting('jit') = 'off'" },
  {
    name: "random_page_cost",
    value: planning.random_page_cost,
    holds: `current_setting('random_page_cost')::float8 <= ${planning.random_page_cost}`,
  },
];

const settingsQuestion = `select pg_backend_pid() as pid, quote_ident(current_user) as role, ${settings
  .map(({ name, holds }) => `(${holds}) as ${name}`)
  .join(", ")}`;

/** Also `options`, which the last two travel in. */
const startupParameters = "options, statement_timeout, idle_in_transaction_session_timeout";

/** Everything on a connection of its own takes milliseconds; a pooler with a single one never answers. */
const answerMillisecondsMax = 5_000;

/**
 * Two pools, of which each may have a single connection. Throws `UnfitConnection`, and what the driver throws.
 * @param schema where their tables are; undefined: wherever they find them
 */
export async function checkConnections(
  [pool, other]: readonly [pg.Pool, pg.Pool],
  schema: Schema,
): Promise<void> {
  const first = await connect(pool);
  let isDirect = false;
  try {
    isDirect = await checkSettings(first);
    if (!isDirect) {
      await checkRights(first, schema);
      await checkPrepared(first, await connect(other));
    }
  } finally {
    // Else it may be in the middle of something.
    first.release(!isDirect);
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    const client = await pool.connect();
    // What it breaks reports it.
    client.on("error", () => undefined);
    return client;
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("unsupported startup parameter"))
      throw error;
    throw new UnfitConnection(
      `DATABASE_URL leads to PgBouncer, which refuses what is set when a connection starts (${error.message}).\n` +
        `Write into its configuration\n  ignore_startup_parameters = ${startupParameters}\n` +
        `and into the database, for the role that the service connects as:\n${roleLines("ROLE", settings)}`,
      { cause: error },
    );
  }
}

function roleLines(role: string, missing: readonly Setting[]): string {
  const lines = missing.map(({ name, value }) => `  alter role ${role} set ${name} = ${value};`);
  return lines.join("\n");
}

/** True: this is a connection of the server's own. A pooler says a number of its own when a connection starts. */
async function checkSettings(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<Readonly<Record<string, unknown>>>(settingsQuestion);
  const missing = settings.filter(({ name }) => rows[0]?.[name] !== true);
  if (missing.length === 0) return rows[0]?.["pid"] === numberOf(client);
  const names = missing.map(({ name }) => name).join(", ");
  throw new UnfitConnection(
    `What is set when a connection starts does not reach the server of DATABASE_URL (${names}): the URL says ` +
      `something else, or a pooler takes it away. Leave it out of the URL, or set it for the role:\n${roleLines(String(rows[0]?.["role"]), missing)}`,
  );
}

/** As it was said when the connection started (`BackendKeyData`; PostgreSQL 15, 55.7); the driver's types leave it out. */
function numberOf(client: pg.PoolClient): unknown {
  return "processID" in client ? client.processID : undefined;
}

/**
 * Both at once have a connection of the server each. What stands between two rounds makes that one of the next times
 * they have others, whether a pooler gives out the one that came back last or, of however many, the one that came back
 * first.
 */
async function checkPrepared(first: pg.PoolClient, second: pg.PoolClient): Promise<void> {
  try {
    for (const between of [1, 2, 0]) {
      await useBoth(first, second);
      for (let count = 0; count < between; count++) await ask(first, { text: "select 1" });
    }
  } catch (error) {
    throw unfitOf(error);
  } finally {
    second.release(true);
  }
}

async function useBoth(first: pg.PoolClient, second: pg.PoolClient): Promise<void> {
  await ask(first, { text: "begin" });
  await ask(second, { text: "begin" });
  await ask(first, { name: "connection_probe_first", text: "select 1" });
  await ask(second, { name: "connection_probe_second", text: "select 2" });
  await ask(first, { text: "rollback" });
  await ask(second, { text: "rollback" });
}

async function ask(client: pg.PoolClient, query: pg.QueryConfig): Promise<void> {
  // The driver takes it here as well as for all of a client.
  const limited = { ...query, query_timeout: answerMillisecondsMax };
  await client.query(limited);
}

const lostStatementCodes = new Set(["26000", "42P05"]);

function unfitOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (lostStatementCodes.has((error as pg.DatabaseError).code ?? "")) {
    return new UnfitConnection(
      `DATABASE_URL leads to a pooler that loses prepared statements (${error.message}). PgBouncer keeps them ` +
        "in transaction mode from 1.21 on, with max_prepared_statements above 0; else use pool_mode = session, " +
        "or connect to the server itself.",
      { cause: error },
    );
  }
  if (error.message === "Query read timeout") {
    return new UnfitConnection(
      "DATABASE_URL leads to a server that does not answer two connections at once: a pooler has a single one to " +
        "the server, or all are in use. Give it as many as its processes use together, 20 each, and one more for " +
        "each (default_pool_size).",
      { cause: error },
    );
  }
  return error;
}
