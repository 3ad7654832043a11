// A pooler in transaction mode: between two transactions a connection of the server belongs to nobody. Of prepared
// statements it knows nothing, as PgBouncer before 1.21, or it prepares them again wherever they are missing, as that does
// from then on. Messages as in PostgreSQL 15, chapter 55.

import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { ServerPool } from "./pooler-servers.ts";
import type { ServerConnection } from "./pooler-servers.ts";
import { StatementNames } from "./pooler-statements.ts";
import { eachMessage, message } from "./wire.ts";

export interface PoolerOptions {
  readonly serverPort: number;
  /** what a connection may say when it starts: anything else is refused, or taken away */
  readonly ofOthers: "refused" | "ignored";
  /** connections to the server, for each database and role */
  readonly serversMax: number;
  /** open to the database `postgres` from the start on, as in one that has been used before */
  readonly serversAtStart: number;
  /** which of those that nobody uses is given out next: as PgBouncer does it, and with `server_round_robin` */
  readonly next: "last back" | "first back";
  readonly statements: "lost" | "kept";
}

export interface Pooler {
  readonly port: number;
  readonly url: (database: string, role?: string) => string;
  /** How often a statement was missing on a connection, and prepared there again. */
  readonly preparedAgain: () => number;
  readonly close: () => Promise<void>;
}

const known: ReadonlySet<string> = new Set([
  "user",
  "database",
  "application_name",
  "client_encoding",
]);

export async function startPooler(options: PoolerOptions): Promise<Pooler> {
  const pools = new Map<string, ServerPool>();
  const poolOf = ({ user = "", database = user }: Startup): ServerPool => {
    const name = `${user} ${database}`;
    const pool = pools.get(name) ?? new ServerPool(options, { user, database });
    pools.set(name, pool);
    return pool;
  };
  await poolOf({ user: "postgres" }).openSome(options.serversAtStart);
  const names = new StatementNames();
  const clients = new Set<Socket>();
  // Else a message may wait for the other side to say that it has the one before.
  const listener = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.on("error", () => undefined);
    client.on("close", () => clients.delete(client));
    client.once("data", (packet) => {
      const startup = readStartup(packet);
      const foreign = Object.keys(startup).find((name) => !known.has(name));
      if (foreign !== undefined && options.ofOthers === "refused") {
        const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${foreign}\0\0`;
        client.end(message("E", Buffer.from(text)));
      } else serve(client, poolOf(startup), options.statements === "kept" ? names : undefined);
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo; // a TCP server has this form of address
  return {
    port,
    url: (database, role = "postgres") => `postgres://${role}@127.0.0.1:${port}/${database}`,
    preparedAgain: () => names.preparedAgain,
    close: async () => {
      for (const client of clients) client.destroy();
      for (const pool of pools.values()) pool.close();
      listener.close();
      await once(listener, "close");
    },
  };
}

type Startup = Readonly<Partial<Record<string, string>>>;

function readStartup(packet: Buffer): Startup {
  const words = packet.subarray(8).toString().split("\0");
  const found: Record<string, string> = {};
  for (let at = 0; words[at]; at += 2) found[words[at] ?? ""] = words[at + 1] ?? "";
  return found;
}

function serve(client: Socket, pool: ServerPool, kept: StatementNames | undefined): void {
  const statements = kept?.ofClient(client);
  let server: ServerConnection | undefined;
  let isWaiting = false;
  const unsent: { readonly type: string; readonly whole: Buffer }[] = [];
  const onAnswer = (type: string, whole: Buffer): void => {
    if (server === undefined || statements?.isOurs(server, type) === true) return;
    client.write(whole);
    if (type !== "Z" || whole.toString("latin1", 5) !== "I") return;
    pool.giveBack(server);
    server = undefined;
  };
  const send = (): void => {
    for (const { type, whole } of unsent.splice(0)) {
      if (server === undefined) return;
      const instead = statements?.onServer(server, type, whole) ?? [whole];
      for (const one of instead) server.socket.write(one);
    }
  };
  client.write(Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]));
  const taking = {
    use: (taken: ServerConnection): void => {
      isWaiting = false;
      if (client.destroyed) return pool.giveBack(taken);
      server = taken;
      taken.onAnswer = onAnswer;
      taken.onGone = () => client.destroy();
      send();
    },
    refuse: (said: Buffer | undefined) => void client.end(said ?? ""),
  };
  client.on(
    "data",
    eachMessage((type, whole) => {
      if (type === "X") return void client.end();
      unsent.push({ type, whole });
      if (server !== undefined) return send();
      if (isWaiting) return;
      isWaiting = true;
      pool.take(taking);
    }),
  );
  client.on("close", () => server?.socket.destroy());
}
