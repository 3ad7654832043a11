// Connections to a PostgreSQL server that nobody keeps longer than for one piece of work.

import pg from "pg";
import { isAboutConnection, isAboutServer, notAvailable } from "./failures.ts";
import { timeLimits } from "./fitness.ts";
import type { ConnectionUse } from "./session.ts";
import { valueTypes } from "./values.ts";

/** A new connection is waited for as long. */
export const connectMillisecondsMax = 5_000;
/** We stop waiting for a server that takes new connections (else `ServerWatch` is quicker), and does not say that. */
const answerMillisecondsMax = 15_000;

/** @param onIdleError hears of connections that broke while nobody used them; the pool makes new ones by itself */
export function buildPool(
  onIdleError: ((error: Error) => void) | undefined,
  more: pg.PoolConfig,
): pg.Pool {
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

export function useOf(kind: ConnectionUse["kind"], pool: pg.Pool): ConnectionUse {
  const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool;
  return { kind, max: pool.options.max, open, idle, waiting };
}

/** What is said to the server when a connection starts. */
export function optionsOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/** One that a statement has failed on is as good as before, unless it or its server is what failed. */
export async function onConnection<Result>(
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
