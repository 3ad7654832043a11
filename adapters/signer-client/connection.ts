// One connection to the process with the keys: requests go out with a number, answers come back with
// it. When it ends, whatever waits on it is lost, and says so.

import { connect } from "node:net";
import type { Socket } from "node:net";
import type { Logger } from "../system/logging.ts";
import { answerBytesMax, parseAnswer, requestLine } from "./protocol.ts";
import type { SignerAnswer, SignerRequest } from "./protocol.ts";

type WithoutId<Request> = Request extends unknown ? Omit<Request, "id"> : never;
export type SignerQuestion = WithoutId<SignerRequest>;

/** Nobody is there, or nobody any more: another attempt may find somebody. */
export class SignerAway extends Error {
  constructor(cause?: unknown) {
    super("no signer at its socket", { cause });
    this.name = "SignerAway";
  }
}

interface Waiting {
  readonly resolve: (answer: SignerAnswer) => void;
  readonly reject: (error: Error) => void;
}

export class SignerConnection {
  readonly #socket: Socket;
  readonly #log: Pick<Logger, "warn">;
  readonly #waiting = new Map<number, Waiting>();
  #id = 0;
  #text = "";

  private constructor(socket: Socket, log: Pick<Logger, "warn">) {
    this.#socket = socket;
    this.#log = log;
    socket.setEncoding("utf8");
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#lose());
    socket.on("data", (chunk: string) => this.#read(chunk));
  }

  /** Throws `SignerAway`. */
  static open(path: string, log: Pick<Logger, "warn">): Promise<SignerConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      const refuse = (error: Error): void => reject(new SignerAway(error));
      socket.once("error", refuse);
      socket.once("connect", () => {
        socket.off("error", refuse);
        resolve(new SignerConnection(socket, log));
      });
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Throws `SignerAway`, and `ProtocolError` for no request. Waits as long as the connection lasts. */
  ask(question: SignerQuestion): Promise<SignerAnswer> {
    if (!this.isOpen) return Promise.reject(new SignerAway());
    const id = ++this.#id;
    const line = requestLine({ id, ...question });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.write(`${line}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    const lines = (this.#text + chunk).split("\n");
    this.#text = lines.pop() ?? "";
    if (this.#text.length > answerBytesMax) this.close();
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    try {
      const answer = parseAnswer(line);
      const { id } = answer;
      // It could not read who asked, or answers what nobody has asked: who waits for what is unclear.
      const waiting = id === null ? undefined : this.#waiting.get(id);
      if (id === null || waiting === undefined) throw new Error("an answer to nobody");
      this.#waiting.delete(id);
      waiting.resolve(answer);
    } catch (error) {
      this.#log.warn({ err: error }, "the signer answered what cannot be read");
      this.close();
    }
  }

  #lose(): void {
    for (const { reject } of this.#waiting.values()) reject(new SignerAway());
    this.#waiting.clear();
  }
}
