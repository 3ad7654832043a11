// A pooler in transaction mode, as PgBouncer is before 1.21: between two transactions a connection of the server belongs
// to nobody, and it knows nothing of prepared statements. Messages as in PostgreSQL 15, chapter 55.

import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { eachMessage, message } from "./wire.ts";

export interface PoolerOptions {
  readonly serverPort: number;
  /** what a connection may say when it starts: anything else is refused, or taken away */
  readonly ofOthers: "refused" | "ignored";
  /** connections to the server */
  readonly serversMax: number;
  /** open from the start on, as in one that has been used before */
  readonly serversAtStart: number;
  /** which of those that nobody uses is given out next: as PgBouncer does it, and with `server_round_robin` */
  readonly next: "last back" | "first back";
}

export interface Pooler {
  readonly url: (database: string) => string;
  readonly close: () => Promise<void>;
}

const known: ReadonlySet<string> = new Set([
  "user",
  "database",
  "application_name",
  "client_encoding",
]);

export async function startPooler(options: PoolerOptions): Promise<Pooler> {
  const pool = new ServerPool(options);
  await pool.openSome(options.serversAtStart);
  const clients = new Set<Socket>();
  const listener = createServer((client) => {
    clients.add(client);
    client.on("error", () => undefined);
    client.once("data", (packet) => {
      const startup = readStartup(packet);
      const foreign = Object.keys(startup).find((name) => !known.has(name));
      if (foreign !== undefined && options.ofOthers === "refused") {
        const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${foreign}\0\0`;
        client.end(message("E", Buffer.from(text)));
      } else serve(client, pool);
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    close: async () => {
      for (const client of clients) client.destroy();
      pool.close();
      listener.close();
      await once(listener, "close");
    },
  };
}

function readStartup(packet: Buffer): Readonly<Record<string, string>> {
  const words = packet.subarray(8).toString().split("\0");
  const found: Record<string, string> = {};
  for (let at = 0; words[at]; at += 2) found[words[at] ?? ""] = words[at + 1] ?? "";
  return found;
}

function serve(client: Socket, pool: ServerPool): void {
  let server: ServerConnection | undefined;
  let isWaiting = false;
  const unsent: Buffer[] = [];
  const onAnswer = (whole: Buffer, isIdle: boolean): void => {
    client.write(whole);
    if (!isIdle || server === undefined) return;
    pool.giveBack(server);
    server = undefined;
  };
  const send = (): void => {
    for (const whole of unsent.splice(0)) server?.socket.write(whole);
  };
  client.write(Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]));
  client.on(
    "data",
    eachMessage((type, whole) => {
      if (type === "X") return void client.end();
      unsent.push(whole);
      if (server !== undefined) return send();
      if (isWaiting) return;
      isWaiting = true;
      pool.take((taken) => {
        isWaiting = false;
        server = taken;
        taken.onAnswer = onAnswer;
        send();
      });
    }),
  );
  client.on("close", () => server?.socket.destroy());
}

interface ServerConnection {
  readonly socket: Socket;
  onAnswer: ((whole: Buffer, isIdle: boolean) => void) | undefined;
}

class ServerPool {
  readonly #options: PoolerOptions;
  readonly #all = new Set<Socket>();
  /** in the order that they were given back */
  readonly #idle: ServerConnection[] = [];
  readonly #waiting: ((server: ServerConnection) => void)[] = [];

  constructor(options: PoolerOptions) {
    this.#options = options;
  }

  take(call: (server: ServerConnection) => void): void {
    const idle = this.#options.next === "last back" ? this.#idle.pop() : this.#idle.shift();
    if (idle !== undefined) return call(idle);
    this.#waiting.push(call);
    if (this.#all.size < this.#options.serversMax) this.#open();
  }

  async openSome(count: number): Promise<void> {
    const taken = Array.from(
      { length: count },
      () =>
        new Promise<ServerConnection>((resolve) => {
          this.take(resolve);
        }),
    );
    for (const server of await Promise.all(taken)) this.giveBack(server);
  }

  giveBack(server: ServerConnection): void {
    server.onAnswer = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(server);
    else next(server);
  }

  close(): void {
    for (const socket of this.#all) socket.destroy();
  }

  #open(): void {
    const socket = connect(this.#options.serverPort, "127.0.0.1");
    const server: ServerConnection = { socket, onAnswer: undefined };
    this.#all.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#all.delete(socket));
    const words = Buffer.from("user\0postgres\0database\0postgres\0\0");
    const packet = Buffer.alloc(8);
    packet.writeInt32BE(8 + words.length);
    packet.writeInt32BE(196_608, 4);
    socket.write(Buffer.concat([packet, words]));
    let isStarted = false;
    socket.on(
      "data",
      eachMessage((type, whole) => {
        const isIdle = type === "Z" && whole.toString("latin1", 5) === "I";
        if (isStarted) return server.onAnswer?.(whole, isIdle);
        if (!isIdle) return;
        isStarted = true;
        this.giveBack(server);
      }),
    );
  }
}
