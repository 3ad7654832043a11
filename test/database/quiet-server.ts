// A server of its own for what is compared with a list: where a statement asks for no order, rows come as they stand
// on disk, and that hangs on when anybody's transactions, or a vacuum, let go of the space of old ones.

import { afterAll, beforeAll } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";

/** And where it is, for whoever needs a connection of another kind. */
export interface LocatedDatabase extends OpenedDatabase {
  readonly url: string;
}

/** Call it once at the top of a file; @returns what opens a new database, which is closed at the end. */
export function useQuietServer(): () => Promise<LocatedDatabase> {
  let server: PostgresServer;
  let count = 0;
  const opened: OpenedDatabase[] = [];
  beforeAll(async () => {
    server = await startPostgresServer({ isDurable: false });
    await server.execute("alter system set autovacuum = off");
    await server.execute("select pg_reload_conf()");
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await server.remove();
  });
  return async () => {
    count += 1;
    await server.execute(`create database quiet_${count}`);
    const url = server.url(`quiet_${count}`);
    const database = await openPostgres({ url, connectionsMax: 6 });
    opened.push(database);
    return { ...database, url };
  };
}
