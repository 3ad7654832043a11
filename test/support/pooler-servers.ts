// The connections of a pooler to its server, for one database and role.

import { connect } from "node:net";
import type { Socket } from "node:net";
import type { PoolerOptions } from "./pooler.ts";
import { eachMessage } from "./wire.ts";

export interface ServerConnection {
  readonly socket: Socket;
  onAnswer: ((type: string, whole: Buffer) => void) | undefined;
  /** hears that the server has ended it */
  onGone: (() => void) | undefined;
}

interface Taking {
  readonly use: (server: ServerConnection) => void;
  /** There is no such connection. With the server's whole message, or undefined: it has said nothing. */
  readonly refuse: (said: Buffer | undefined) => void;
}

type ServerPoolOptions = Pick<PoolerOptions, "serverPort" | "serversMax" | "next">;

interface Place {
  readonly user: string;
  readonly database: string;
}

export class ServerPool {
  readonly #options: ServerPoolOptions;
  readonly #place: Place;
  readonly #all = new Set<Socket>();
  /** in the order that they were given back */
  #idle: ServerConnection[] = [];
  readonly #waiting: Taking[] = [];
  #isClosed = false;

  constructor(options: ServerPoolOptions, place: Place) {
    this.#options = options;
    this.#place = place;
  }

  take(taking: Taking): void {
    const idle = this.#options.next === "last back" ? this.#idle.pop() : this.#idle.shift();
    if (idle !== undefined) return taking.use(idle);
    this.#waiting.push(taking);
    this.#openIfWanted();
  }

  async openSome(count: number): Promise<void> {
    const taken = Array.from(
      { length: count },
      () =>
        new Promise<ServerConnection>((use, reject) => {
          const refuse = (said: Buffer | undefined) =>
            reject(new Error(`the server takes no connection: ${textOf(said)}`));
          this.take({ use, refuse });
        }),
    );
    for (const server of await Promise.all(taken)) this.giveBack(server);
  }

  giveBack(server: ServerConnection): void {
    server.onAnswer = undefined;
    server.onGone = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(server);
    else next.use(server);
  }

  close(): void {
    this.#isClosed = true;
    for (const socket of this.#all) socket.destroy();
  }

  #openIfWanted(): void {
    if (this.#waiting.length > 0 && this.#all.size < this.#options.serversMax) this.#open();
  }

  #open(): void {
    const socket = connect({ port: this.#options.serverPort, host: "127.0.0.1", noDelay: true });
    const server: ServerConnection = { socket, onAnswer: undefined, onGone: undefined };
    let isStarted = false;
    let said: Buffer | undefined;
    this.#all.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#all.delete(socket);
      this.#idle = this.#idle.filter((one) => one !== server);
      server.onGone?.();
      if (this.#isClosed) return;
      if (!isStarted) this.#waiting.shift()?.refuse(said);
      this.#openIfWanted();
    });
    socket.write(startupOf(this.#place));
    socket.on(
      "data",
      eachMessage((type, whole) => {
        if (isStarted) return server.onAnswer?.(type, whole);
        if (type === "E") said = whole;
        if (type !== "Z") return;
        isStarted = true;
        this.giveBack(server);
      }),
    );
  }
}

/** What people read of it. */
function textOf(said: Buffer | undefined): string {
  const fields = said?.toString("utf8", 5).split("\0") ?? [];
  return fields.find((field) => field.startsWith("M"))?.slice(1) ?? "it says nothing";
}

function startupOf({ user, database }: Place): Buffer {
  const words = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, words]);
}
