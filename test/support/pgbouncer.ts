// PgBouncer in front of the tests' server, in transaction mode and set up as docs/running/storage.md has it: all databases
// of the tests are reached through it when PGBOUNCER names one that is new enough, or the tests' own. See CONTRIBUTING.md.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { freePorts } from "../../scripts/cluster/parts.ts";
import { patienceMilliseconds } from "./patience.ts";
import { startPooler } from "./pooler.ts";

/** What a connection cannot say, for the role of all tests. */
export const roleSettings = {
  statement_timeout: "10s",
  idle_in_transaction_session_timeout: "15s",
  jit: "off",
  random_page_cost: "1.1",
};

export interface PgBouncer {
  /** of the server in front, for the URL of any database */
  readonly host: string;
  readonly stop: () => Promise<void>;
}

/** @param server the URL of any database on it */
export async function startPgBouncer(program: string, server: string): Promise<PgBouncer> {
  const { port: serverPort } = new URL(server);
  await setForAll(server);
  const folder = mkdtempSync(join(tmpdir(), "merchant-pgbouncer-"));
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const [port = 0] = await freePorts(1);
  const configuration = join(folder, "pgbouncer.ini");
  writeFileSync(configuration, configurationOf(serverPort, port));
  const child = spawn(program, [configuration], { ...user, stdio: "inherit", cwd: folder });
  const ended = once(child, "close").catch((error: unknown) => error);
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  url.pathname = "/postgres"; // a template that somebody is connected to cannot be copied
  const failed = ended.then((how) => Promise.reject(new Error(`PgBouncer ended: ${String(how)}`)));
  try {
    await Promise.race([untilAnswered(url.href), failed]);
  } catch (error) {
    await stop();
    throw error;
  }
  // Its end is no news from here on.
  failed.catch(() => undefined);
  return { host: url.host, stop };
}

async function setForAll(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const [name, value] of Object.entries(roleSettings))
    await client.query(`alter role postgres set ${name} = '${value}'`);
  await client.end();
}

/** The tests' own does as much of it as they need, on a machine that has none. */
export async function startOwnPooler(server: string): Promise<PgBouncer> {
  await setForAll(server);
  const pooler = await startPooler({
    serverPort: Number(new URL(server).port),
    serversMax: 20,
    serversAtStart: 0,
    ofOthers: "ignored",
    next: "first back",
    statements: "kept",
  });
  return { host: `127.0.0.1:${pooler.port}`, stop: pooler.close };
}

function configurationOf(serverPort: string, port: number): string {
  return `[databases]
* = host=127.0.0.1 port=${serverPort} user=postgres

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_prepared_statements = 1000
ignore_startup_parameters = options, statement_timeout, idle_in_transaction_session_timeout
default_pool_size = 20
max_client_conn = 1000
`;
}

async function untilAnswered(url: string): Promise<void> {
  const giveUpAt = Date.now() + patienceMilliseconds;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await pause(50);
    }
  }
}
