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
  /** There is no such connection. */
  readonly refuse: () => void;
}

interface Place {
  readonly user: string;
  readonly database: string;
}

export class ServerPool {
  readonly #options: Pick<PoolerOptions, "serverPort" | "serversMax" | "next">;
  readonly #place: Place;
  readonly #all = new Set<Socket>();
  /** in the order that they were given back */
  #idle: ServerConnection[] = [];
  readonly #waiting: Taking[] = [];
  #isClosed = false;

  constructor(options: PoolerOptions, place: Place) {
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
          this.take({ use, refuse: () => reject(new Error("the server takes no connection")) });
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
    this.#all.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#all.delete(socket);
      this.#idle = this.#idle.filter((one) => one !== server);
      server.onGone?.();
      if (this.#isClosed) return;
      if (!isStarted) this.#waiting.shift()?.refuse();
      this.#openIfWanted();
    });
    socket.write(startupOf(this.#place));
    socket.on(
      "data",
      eachMessage((type, whole) => {
        if (isStarted) return server.onAnswer?.(type, whole);
        if (type !== "Z") return;
        isStarted = true;
        this.giveBack(server);
      }),
    );
  }
}

function startupOf({ user, database }: Place): Buffer {
  const words = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, words]);
}
