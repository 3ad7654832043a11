// The database server of a measurement: what it is, and how its database is before each window.

import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { query } from "../measuring.ts";

export async function readSettings(server: PostgresServer) {
  const text = `select current_setting('server_version') as postgresql,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit`;
  const [settings] = await query(server.url("postgres"), text);
  return { node: process.version, ...settings };
}

/** With a role that owns it, as an operator makes it: production refuses one that owns the server. Its address. */
export async function makeServiceDatabase(server: PostgresServer): Promise<string> {
  await server.execute("create role service login in role pg_checkpoint, pg_monitor");
  await server.execute("create database service owner service");
  const url = new URL(server.url("service"));
  url.username = "service";
  return url.href;
}

/** What earlier writers left to do for the server is not charged to the next one. */
export async function tidy(url: string): Promise<void> {
  await query(url, "vacuum analyze");
  await query(url, "checkpoint");
}
