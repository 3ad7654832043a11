// How a pooler keeps prepared statements: each text has one name on all connections of the server, whatever clients call
// it, and is prepared on a connection when it is first used there.

import type { Socket } from "node:net";
import type { ServerConnection } from "./pooler-servers.ts";
import { message } from "./wire.ts";

interface Known {
  readonly name: string;
  /** of the message that prepares it, all that stands behind the name */
  readonly rest: Buffer;
}

/** What a connection of the server has prepared, and what it was asked to prepare since it was last ready. */
interface OfServer {
  readonly names: Set<string>;
  asked: { readonly name: string; readonly isOurs: boolean }[];
  isBetween: boolean;
}

const [parseComplete, closeComplete] = ["1", "3"].map((type) => message(type, Buffer.alloc(0)));

export class StatementNames {
  readonly #byText = new Map<string, Known>();
  readonly #servers = new WeakMap<ServerConnection, OfServer>();
  preparedAgain = 0;

  ofClient(client: Socket): ClientStatements {
    return new ClientStatements(this, client);
  }

  knownBy(rest: Buffer): Known {
    const text = rest.toString("latin1");
    const known = this.#byText.get(text) ?? { name: `pooled_${this.#byText.size}`, rest };
    this.#byText.set(text, known);
    return known;
  }

  of(server: ServerConnection): OfServer {
    const found = this.#servers.get(server) ?? { names: new Set(), asked: [], isBetween: true };
    this.#servers.set(server, found);
    return found;
  }
}

class ClientStatements {
  readonly #all: StatementNames;
  readonly #client: Socket;
  readonly #known = new Map<string, Known>();

  constructor(all: StatementNames, client: Socket) {
    this.#all = all;
    this.#client = client;
  }

  /** What goes to the server in place of a message of the client. */
  onServer(server: ServerConnection, type: string, whole: Buffer): readonly Buffer[] {
    const state = this.#all.of(server);
    const instead = this.#instead(state, type, whole);
    if (instead.length > 0) state.isBetween = false;
    return instead;
  }

  /** An answer that the client is not to hear: it has not asked. */
  isOurs(server: ServerConnection, type: string): boolean {
    const state = this.#all.of(server);
    if (type === "1") return state.asked.shift()?.isOurs === true;
    if (type !== "Z") return false;
    // Behind an error nothing is done until the client says that it has noticed.
    for (const { name } of state.asked.splice(0)) state.names.delete(name);
    state.isBetween = true;
    return false;
  }

  #instead(state: OfServer, type: string, whole: Buffer): readonly Buffer[] {
    const body = whole.subarray(5);
    if (type === "P") return this.#parse(state, body, whole);
    // The portal comes first.
    if (type === "B") return this.#use(state, type, [body, body.indexOf(0) + 1]) ?? [whole];
    const isOfStatement = body.toString("latin1", 0, 1) === "S";
    if (type === "D" && isOfStatement) return this.#use(state, type, [body, 1]) ?? [whole];
    if (type !== "C" || !isOfStatement || !this.#known.delete(nameAt(body, 1))) return [whole];
    return this.#answer(state, closeComplete);
  }

  #parse(state: OfServer, body: Buffer, whole: Buffer): readonly Buffer[] {
    const name = nameAt(body, 0);
    if (name === "") {
      state.asked.push({ name, isOurs: false });
      return [whole];
    }
    const known = this.#all.knownBy(body.subarray(Buffer.byteLength(name) + 1));
    this.#known.set(name, known);
    if (state.names.has(known.name)) return this.#answer(state, parseComplete);
    return [prepare(state, known, false)];
  }

  /** By the name that it has on the server; undefined: it has none. */
  #use(state: OfServer, type: string, [body, at]: readonly [Buffer, number]) {
    const name = nameAt(body, at);
    const known = this.#known.get(name);
    if (known === undefined) return undefined;
    const behind = body.subarray(at + Buffer.byteLength(name));
    const renamed = Buffer.concat([body.subarray(0, at), Buffer.from(known.name), behind]);
    const using = message(type, renamed);
    if (state.names.has(known.name)) return [using];
    this.#all.preparedAgain += 1;
    return [prepare(state, known, true), using];
  }

  /** In place of the server, and in its turn: nothing else of this client is on its way. */
  #answer(state: OfServer, answer: Buffer | undefined): readonly Buffer[] {
    if (!state.isBetween || answer === undefined) {
      throw new Error("this pooler answers one question of a client after the other");
    }
    this.#client.write(answer);
    return [];
  }
}

function prepare(state: OfServer, { name, rest }: Known, isOurs: boolean): Buffer {
  state.names.add(name);
  state.asked.push({ name, isOurs });
  return message("P", Buffer.concat([Buffer.from(`${name}\0`), rest]));
}

function nameAt(body: Buffer, at: number): string {
  return body.toString("utf8", at, body.indexOf(0, at));
}
