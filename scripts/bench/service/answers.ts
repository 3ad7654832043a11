// What comes from one connection, cut into answers.

import type { Socket } from "node:net";

export interface Answer {
  readonly head: string;
  /** a character for each byte */
  readonly body: string;
}

export class Answers {
  #text = "";
  #waiting: PromiseWithResolvers<Answer> | undefined;
  #error: Error | undefined;

  constructor(socket: Socket) {
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      this.#text += chunk;
      this.#deliver();
    });
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the server has closed a connection")));
  }

  /** One at a time. */
  next(): Promise<Answer> {
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting = waiting;
    if (this.#error === undefined) this.#deliver();
    else waiting.reject(this.#error);
    return waiting.promise;
  }

  #deliver(): void {
    const end = this.#text.indexOf("\r\n\r\n");
    if (end === -1) return;
    const head = this.#text.slice(0, end);
    const size = /\ncontent-length: *([0-9]+)/i.exec(head)?.[1];
    if (size === undefined) return this.#fail(new Error("the answer has no Content-Length"));
    const length = end + 4 + Number(size);
    if (this.#text.length < length || this.#waiting === undefined) return;
    const body = this.#text.slice(end + 4, length);
    this.#text = this.#text.slice(length);
    this.#waiting.resolve({ head, body });
    this.#waiting = undefined;
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#waiting?.reject(this.#error);
  }
}
