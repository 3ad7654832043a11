// One connection, byte by byte, for what no client library would send. Its reader takes exactly the answers
// of HTTP/1.1 that are asked for: bytes that are none of an answer end a test.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { hasNoContent } from "./contract.ts";

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Expecting {
  /** the answer to HEAD has the length of a body, and none */
  readonly isHead?: boolean;
}

/** A request that is always answered in the same way: who gets its answer is in step. */
export interface Probe {
  readonly target: string;
  readonly isAnswer: (reply: RawReply) => boolean;
}

export class RawConnection {
  readonly #socket: Socket;
  readonly #probe: Probe;
  #bytes = Buffer.alloc(0);
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(port: number, probe: Probe) {
    this.#probe = probe;
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("data", (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake?.();
    });
    const end = (): void => {
      this.#isOver = true;
      this.#wake?.();
    };
    // a reset is an end like any other
    this.#socket.on("error", end).on("close", end).on("end", end);
  }

  send(bytes: string | Buffer): this {
    // Latin-1: a character is a byte, whatever stands in a header
    this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    return this;
  }

  /** Nothing more will come from here; what comes from there is still read. */
  finish(): this {
    this.#socket.end();
    return this;
  }

  /** The next answer; undefined: the connection has ended without one. */
  async reply(expecting: Expecting = {}): Promise<RawReply | undefined> {
    for (;;) {
      const found = takeReply(this.#bytes, expecting);
      if (found !== undefined) {
        this.#bytes = found.rest;
        return found.reply;
      }
      if (this.#isOver) {
        if (this.#bytes.length === 0) return undefined;
        throw new Error(`half an answer: ${JSON.stringify(this.#bytes.toString("latin1"))}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Whether a further request is answered, as its own; else the server has ended the connection. */
  async isUsable(): Promise<boolean> {
    this.send(`GET ${this.#probe.target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const reply = await this.reply();
    if (reply === undefined) return false;
    if (this.#probe.isAnswer(reply)) return true;
    throw new Error(`the connection is out of step: ${JSON.stringify(reply)}`);
  }

  async close(): Promise<void> {
    if (this.#socket.closed) return;
    this.#socket.destroy();
    await once(this.#socket, "close");
  }
}

interface Taken {
  readonly reply: RawReply;
  readonly rest: Buffer<ArrayBuffer>;
}

function takeReply(bytes: Buffer<ArrayBuffer>, { isHead = false }: Expecting): Taken | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`no answer of HTTP: ${JSON.stringify(statusLine)}`);
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const [name = "", ...value] = line.split(":");
      return [name, value.join(":").trim()];
    }),
  );
  const start = end + 4;
  const hasNone = isHead || hasNoContent(Number(status));
  const length = hasNone ? "0" : headers.get("Content-Length");
  if (length === null) throw new Error(`an answer without a length: ${lines.join(", ")}`);
  const after = start + Number(length);
  if (bytes.length < after) return undefined;
  const text = bytes.toString("utf8", start, after);
  return { reply: { status: Number(status), headers, text }, rest: bytes.subarray(after) };
}
