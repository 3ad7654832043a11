// A PostgreSQL server, through a pool of connections.

import { callbackify } from "node:util";
import pg from "pg";
import type { Cell } from "../../service/cell.ts";
import { parseDatabaseUrl } from "../configuration/database-url.ts";
import type { NamedServer } from "../configuration/database-url.ts";
import { translateFailure } from "./failures.ts";
import { checkPlace, makeSchema, schemaOf } from "./cell-schema.ts";
import type { Schema } from "./cell-schema.ts";
import { checkConnections, planning } from "./fitness.ts";
import { migrate } from "./migrate.ts";
import { readMigrations } from "./migration-files.ts";
import { checkMigrated } from "./migration-plan.ts";
import { buildPool, connectMillisecondsMax, onConnection, optionsOf, useOf } from "./pool.ts";
import { applicationName } from "./probe.ts";
import { readingFrom } from "./replica.ts";
import type { ReplicaNews } from "./replica.ts";
import { RightOfWay } from "./right-of-way.ts";
import { checkSafety } from "./safety.ts";
import { ServerWatch } from "./server-watch.ts";
import type { ServerNews } from "./server-watch.ts";
import type { OpenedDatabase } from "./session.ts";
import { runStatement, runTransaction, withRetry } from "./session.ts";
import { UnfitConnection } from "./unfit-connection.ts";

export interface PostgresOptions {
  /** several servers as libpq names them: the one that takes writes is used */
  readonly url: string;
  /** of a single server that follows it, for reads that may be late; undefined: there is none */
  readonly replicaUrl?: string | undefined;
  readonly onNews?: (news: ServerNews | ReplicaNews) => void;
  /** whose tables; undefined: those that the connections find */
  readonly cell?: Cell;
  /** hears of a cell whose tables had to be made: nobody's data is in them */
  readonly onNewCell?: (cell: string) => void;
  /** the tables are made and changed by somebody else: they are looked at only */
  readonly areTablesLeft?: boolean;
  /** it is trusted with money: a server or a role that is not made for that is refused */
  readonly mustBeSafe?: boolean;
  /** hears of the migrations of a newer version, with which this one works as well */
  readonly onNewerTables?: (names: readonly string[]) => void;
  /**
   * At least 2. All processes together must stay below the server's max_connections (100 unless changed).
   * More than a few for each core of the server make it slower, not faster.
   */
  readonly connectionsMax?: number;
  /** hears of connections that broke while nobody used them; the pool makes new ones by itself */
  readonly onIdleError?: (error: Error) => void;
}

const connectionsMaxStandard = 20;
/** This part of them does not wait for the disk. */
const relaxedShare = 1 / 2;
/** Who has lost so often goes alone. */
const besideAttempts = 2;

/** Connects, brings the tables up to date, and stays usable while the server comes and goes. */
export async function openPostgres(options: PostgresOptions): Promise<OpenedDatabase> {
  const servers = parseDatabaseUrl(options.url);
  if (servers === undefined) throw new Error("the URL of the database cannot be used");
  const replica = replicaOf(options);
  const watch = new ServerWatch({ servers, onNews: options.onNews });
  await watch.choose();
  const { cell, onIdleError } = options;
  const schema = schemaOf(cell);
  const { pool, relaxed } = buildPools(watch, options);
  const close = async () => {
    // Watched to the end: what is under way may be behind a server that has just been frozen.
    await Promise.all([pool.end(), relaxed.end()]);
    watch.close();
  };
  try {
    await checkConnections([pool, relaxed], schema);
    const { isNew, newer } = await settleTables(watch.server, options);
    if (isNew && cell !== undefined) options.onNewCell?.(cell);
    if (newer.length > 0) options.onNewerTables?.(newer);
  } catch (error) {
    await close();
    throw error instanceof UnfitConnection ? error : translateFailure(error);
  }
  const way = new RightOfWay(pool.options.max);
  const database: OpenedDatabase = {
    run: (statement, values) => {
      const from = statement.isDurable === false ? relaxed : pool;
      return withRetry(() =>
        watch.through(() =>
          onConnection(from, (client) => runStatement(client, statement, values)),
        ),
      );
    },
    transaction: (work) =>
      withRetry((count) => {
        const attempt = () =>
          watch.through(() =>
            onConnection(pool, (client, lose) => runTransaction(client, work, lose)),
          );
        if (count > 1) way.noteConflict();
        return count <= besideAttempts ? way.beside(attempt) : way.alone(attempt);
      }),
    connections: () => [useOf("durable", pool), useOf("relaxed", relaxed)],
    close,
  };
  if (replica === undefined) return database;
  return readingFrom(database, {
    server: replica,
    schema,
    applicationName: nameOf(schema),
    connectionsMax: relaxed.options.max,
    onNews: options.onNews,
    onIdleError,
  });
}

/** Setting it for one statement, that it need not wait for the disk, would take a second round trip or another text. */
function buildPools(watch: ServerWatch, options: PostgresOptions) {
  const { connectionsMax = connectionsMaxStandard, onIdleError } = options;
  const schema = schemaOf(options.cell);
  const relaxedMax = Math.max(1, Math.floor(connectionsMax * relaxedShare));
  const standing = { ...planning, ...(schema === undefined ? {} : { search_path: schema }) };
  const common = {
    Client: clientsOf(watch),
    application_name: nameOf(schema),
    verify: callbackify((client: pg.PoolClient) => checkPlace(client, schema)),
  };
  const pool = buildPool(onIdleError, {
    ...common,
    max: Math.max(1, connectionsMax - relaxedMax),
    options: optionsOf(standing),
  });
  const relaxed = buildPool(onIdleError, {
    ...common,
    max: relaxedMax,
    options: optionsOf({ ...standing, synchronous_commit: "off" }),
  });
  return { pool, relaxed };
}

function replicaOf({ replicaUrl }: PostgresOptions): NamedServer | undefined {
  if (replicaUrl === undefined) return undefined;
  const [replica, ...others] = parseDatabaseUrl(replicaUrl) ?? [];
  if (replica !== undefined && others.length === 0) return replica;
  throw new Error("the URL of the replica cannot be used");
}

/** Each connection leads to where the server is at that moment, and ends with it. */
function clientsOf(watch: ServerWatch) {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const { url: connectionString, options: ofUrl } = watch.server;
      const options = [ofUrl, config?.options].filter(Boolean).join(" ");
      super({ ...config, connectionString, options });
      // What it breaks reports it. The pool listens while nobody has it, and whoever has it does; between, while it is new
      // and asked where it looks, nobody would, and the process would end.
      this.on("error", () => undefined);
      this.connection.on("readyForQuery", () => watch.noteAnswer());
      const end = () => void this.connection.stream.destroy();
      this.once("end", watch.addConnection(end));
      // Whoever stood in line for a connection when all of them were broken.
      if (watch.isSilent) setImmediate(end);
    }
  };
}

/** As people find it in the server's list of connections. */
function nameOf(schema: Schema): string {
  return schema === undefined ? applicationName : `${applicationName}/${schema}`;
}

interface SettledTables {
  /** the first of them was made just now */
  readonly isNew: boolean;
  readonly newer: readonly string[];
}

/** Brings the tables up to date, or sees that they are. */
async function settleTables(
  server: NamedServer,
  { cell, areTablesLeft = false, mustBeSafe = false }: PostgresOptions,
): Promise<SettledTables> {
  const schema = schemaOf(cell);
  return onMigrationConnection({ server, schema }, async (client) => {
    if (schema !== undefined && !areTablesLeft) await makeSchema(client, schema);
    const [firstApplied] = areTablesLeft ? [] : await migrate(client, { schema });
    const { newer } = await checkMigrated(client);
    if (mustBeSafe) await checkSafety(client, { areTablesLeft });
    return {
      isNew: firstApplied !== undefined && firstApplied === readMigrations()[0]?.name,
      newer,
    };
  });
}

/** On a connection of its own: migrations may take longer than any statement of a request. */
export async function onMigrationConnection<Result>(
  { server, schema }: { readonly server: NamedServer; readonly schema: Schema },
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const ours = schema === undefined ? "" : optionsOf({ search_path: schema });
  const client = new pg.Client({
    connectionString: server.url,
    options: [server.options, ours].filter(Boolean).join(" "),
    connectionTimeoutMillis: connectMillisecondsMax,
    application_name: nameOf(schema),
  });
  client.on("error", () => undefined); // the query that it breaks reports it
  await client.connect();
  try {
    await checkPlace(client, schema);
    return await work(client);
  } finally {
    await client.end();
  }
}
