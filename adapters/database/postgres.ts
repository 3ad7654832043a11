// A PostgreSQL server, through a pool of connections.

import { callbackify } from "node:util";
import pg from "pg";
import type { Cell } from "../../service/cell.ts";
import { parseDatabaseUrl } from "../configuration/database-url.ts";
import type { NamedServer } from "../configuration/database-url.ts";
import { isAboutConnection, isAboutServer, notAvailable, translateFailure } from "./failures.ts";
import { checkPlace, makeSchema, schemaOf } from "./cell-schema.ts";
import type { Schema } from "./cell-schema.ts";
import { checkConnections, planning, timeLimits } from "./fitness.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { applicationName } from "./probe.ts";
import { RightOfWay } from "./right-of-way.ts";
import { ServerWatch } from "./server-watch.ts";
import type { WatchOptions } from "./server-watch.ts";
import type { OpenedDatabase } from "./session.ts";
import { runStatement, runTransaction, withRetry } from "./session.ts";
import { UnfitConnection } from "./unfit-connection.ts";
import { valueTypes } from "./values.ts";

export interface PostgresOptions extends Pick<WatchOptions, "onNews"> {
  /** several servers as libpq names them: the one that takes writes is used */
  readonly url: string;
  /** whose tables; undefined: those that the connections find */
  readonly cell?: Cell;
  /** hears of a cell whose tables had to be made: nobody's data is in them */
  readonly onNewCell?: (cell: string) => void;
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
const connectMillisecondsMax = 5_000;
/** We stop waiting for a server that takes new connections (else `ServerWatch` is quicker), and does not say that. */
const answerMillisecondsMax = 15_000;
/** Who has lost so often goes alone. */
const besideAttempts = 2;

/** Connects, brings the tables up to date, and stays usable while the server comes and goes. */
export async function openPostgres(options: PostgresOptions): Promise<OpenedDatabase> {
  const servers = parseDatabaseUrl(options.url);
  if (servers === undefined) throw new Error("the URL of the database cannot be used");
  const watch = new ServerWatch({ servers, onNews: options.onNews });
  await watch.choose();
  const connectionsMax = options.connectionsMax ?? connectionsMaxStandard;
  const relaxedMax = Math.max(1, Math.floor(connectionsMax * relaxedShare));
  const Client = clientsOf(watch);
  const { cell, onIdleError } = options;
  const schema = schemaOf(cell);
  const verify = callbackify((client: pg.PoolClient) => checkPlace(client, schema));
  const standing = { ...planning, ...(schema === undefined ? {} : { search_path: schema }) };
  const pool = buildPool(onIdleError, {
    Client,
    max: Math.max(1, connectionsMax - relaxedMax),
    options: optionsOf(standing),
    application_name: nameOf(schema),
    verify,
  });
  // Setting it for one statement would take a second round trip or another text.
  const relaxed = buildPool(onIdleError, {
    Client,
    max: relaxedMax,
    options: optionsOf({ ...standing, synchronous_commit: "off" }),
    application_name: nameOf(schema),
    verify,
  });
  const close = async () => {
    // Watched to the end: what is under way may be behind a server that has just been frozen.
    await Promise.all([pool.end(), relaxed.end()]);
    watch.close();
  };
  try {
    await checkConnections([pool, relaxed], schema);
    const isNew = await migrateOnce(watch.server, schema);
    if (isNew && cell !== undefined) options.onNewCell?.(cell);
  } catch (error) {
    await close();
    throw error instanceof UnfitConnection ? error : translateFailure(error);
  }
  const way = new RightOfWay(Math.max(1, connectionsMax - relaxedMax));
  return {
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
    close,
  };
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

function buildPool(onIdleError: PostgresOptions["onIdleError"], more: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: connectMillisecondsMax,
    ...timeLimits,
    query_timeout: answerMillisecondsMax,
    keepAlive: true,
    types: valueTypes,
    ...more,
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on("error", (error) => onIdleError?.(error));
  return pool;
}

/** As people find it in the server's list of connections. */
function nameOf(schema: Schema): string {
  return schema === undefined ? applicationName : `${applicationName}/${schema}`;
}

function optionsOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/** One that a statement has failed on is as good as before, unless it or its server is what failed. */
async function onConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, lose: () => void) => Promise<Result>,
): Promise<Result> {
  const client = await connectionOf(pool);
  let isBroken = false;
  const lose = () => {
    isBroken = true;
  };
  // The pool listens only while a connection is idle.
  client.on("error", lose);
  try {
    return await work(client, lose);
  } catch (error) {
    isBroken ||= isAboutServer(error) || isAboutConnection(error);
    throw error;
  } finally {
    client.off("error", lose);
    client.release(isBroken);
  }
}

/** Whatever a server says before there is a connection, in any language, nothing of this work was done. */
async function connectionOf(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    const isOfServer = error instanceof Error && "severity" in error;
    throw isOfServer ? notAvailable(error) : error;
  }
}

/**
 * On a connection of its own: migrations may take longer than any statement of a request.
 * @returns whether it has made the first of the tables
 */
async function migrateOnce({ url, options }: NamedServer, schema: Schema): Promise<boolean> {
  const ours = schema === undefined ? "" : optionsOf({ search_path: schema });
  const client = new pg.Client({
    connectionString: url,
    options: [options, ours].filter(Boolean).join(" "),
    connectionTimeoutMillis: connectMillisecondsMax,
    application_name: nameOf(schema),
  });
  client.on("error", () => undefined); // the query that it breaks reports it
  await client.connect();
  try {
    await checkPlace(client, schema);
    if (schema !== undefined) await makeSchema(client, schema);
    const [firstApplied] = await migrate(client, undefined, schema);
    return firstApplied !== undefined && firstApplied === readMigrations()[0]?.name;
  } finally {
    await client.end();
  }
}
