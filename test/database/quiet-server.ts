// A server of its own for what is compared with a list: where a statement asks for no order, rows come as they stand
// on disk, and that hangs on when anybody's transactions, or a vacuum, let go of the space of old ones.

import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";

/** Call it once at the top of a file; @returns what opens a new database, in a test. */
export function useQuietServer(): () => Promise<OpenedDatabase> {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgresServer({ isDurable: false });
    await server.execute("alter system set autovacuum = off");
    await server.execute("select pg_reload_conf()");
  });
  afterAll(() => server.remove());
  return async () => {
    count += 1;
    await server.execute(`create database quiet_${count}`);
    const database = await openPostgres({ url: server.url(`quiet_${count}`), connectionsMax: 6 });
    onTestFinished(() => database.close());
    return database;
  };
}
