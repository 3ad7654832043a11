// The bytes of a request on their way in: read when they are wanted, counted while they are read.

import type { IncomingMessage } from "node:http";
import { invalidRequest, RequestError } from "./runtime.ts";

/** The client has gone, or its connection: there is nobody to answer. */
export class ClientGoneError extends Error {
  constructor() {
    super("the client has gone before its body was whole");
    this.name = "ClientGoneError";
  }
}

export function tooLarge(bytesMax: number): RequestError {
  return new RequestError(413, "body_too_large", `the body may have at most ${bytesMax} bytes`);
}

/** Where bytes come from; read by one reader, one piece after the other. */
export interface ByteSource {
  /** undefined: that was all. Throws `ClientGoneError` */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Nobody reads on: later reads fail. */
  readonly stop: () => void;
  /** of Node, where a body that is not read keeps the connection from going on */
  readonly incoming?: IncomingMessage;
}

const answered = "the body of a request cannot be read after the request has been answered";

/** Node reads as much ahead as its buffer holds, and no more. */
export class NodeSource implements ByteSource {
  readonly incoming: IncomingMessage;
  readonly #look = (): void => this.#wake();
  #wake = (): void => undefined;
  #isStopped = false;

  constructor(incoming: IncomingMessage) {
    this.incoming = incoming;
    for (const event of nodeEvents) incoming.on(event, this.#look);
  }

  async read(): Promise<Uint8Array | undefined> {
    const { incoming } = this;
    for (;;) {
      if (this.#isStopped) throw new Error(answered);
      // without an encoding it gives bytes
      const piece = incoming.read() as Buffer | null;
      if (piece !== null) return piece;
      if (incoming.readableEnded) return undefined;
      if (incoming.destroyed) throw new ClientGoneError();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const event of nodeEvents) this.incoming.off(event, this.#look);
    // what is read from here on is thrown away, and an abort is nobody's business
    this.incoming.on("error", () => undefined);
    this.#wake();
  }
}

const nodeEvents = ["readable", "end", "error", "close"] as const;

export class WebSource implements ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #isStopped = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#isStopped) throw new Error(answered);
    try {
      return (await this.#reader.read()).value;
    } catch {
      throw new ClientGoneError();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#reader.cancel().catch(() => undefined);
  }
}

/** Of bytes that are there already, and of those that come after them. */
export function sourceOf(bytes: Uint8Array, after?: ByteSource): ByteSource {
  let rest: Uint8Array | undefined = bytes.length === 0 ? undefined : bytes;
  return {
    read: () => {
      const piece = rest;
      rest = undefined;
      return piece === undefined && after !== undefined ? after.read() : Promise.resolve(piece);
    },
    stop: () => after?.stop(),
  };
}

export interface Bounds {
  /** bytes of the whole body */
  readonly bytesMax: number;
  readonly bytesMin: number;
  /** whether there has to be one: of no bytes is none */
  readonly isRequired: boolean;
}

const restBytesMax = 65_536;

/** A body that the handler reads while it comes. */
export class Inflow {
  readonly source: ByteSource;
  readonly #bounds: Bounds;
  #size = 0;
  /** it has been read to its end */
  isOver = false;

  constructor(source: ByteSource, bounds: Bounds) {
    this.source = source;
    this.#bounds = bounds;
  }

  /** The next piece; undefined: that was all. Throws a `RequestError`, or `ClientGoneError`. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.isOver) return undefined;
    const { bytesMax } = this.#bounds;
    const piece = await this.source.read();
    this.#size += piece?.length ?? 0;
    if (this.#size > bytesMax) throw tooLarge(bytesMax);
    if (piece !== undefined) return piece;
    this.isOver = true;
    const problem = tooShort(this.#bounds, this.#size);
    if (problem !== undefined) throw problem;
    return undefined;
  }

  /** More may come than anybody has waited for. */
  get isUnread(): boolean {
    return !this.isOver && this.source.incoming?.complete === false;
  }

  /** Ends the reading. @returns what has to be thrown away before the connection can close; else it goes on */
  unread(): IncomingMessage | undefined {
    const { isUnread, source } = this;
    if (this.isOver) return undefined;
    source.stop();
    const { incoming } = source;
    if (isUnread && !this.#isNearlyOver(incoming)) return incoming;
    incoming?.resume();
    return undefined;
  }

  /** Throwing so little away costs less than another connection. */
  #isNearlyOver(incoming: IncomingMessage | undefined): boolean {
    const length = incoming?.headers["content-length"];
    return length !== undefined && Number(length) - this.#size <= restBytesMax;
  }

  stream(): ReadableStream<Uint8Array> {
    return streamOf(() => this.read());
  }
}

function tooShort({ bytesMin, isRequired }: Bounds, size: number): RequestError | undefined {
  const isMissing = size === 0 && isRequired;
  if (size >= bytesMin && !isMissing) return undefined;
  const problem = isMissing
    ? { rule: "required", message: "is required" }
    : { rule: "minLength", message: `must have at least ${bytesMin} bytes` };
  return invalidRequest([{ in: "body", pointer: "", ...problem }]);
}

/** Reads when it is read. */
export function streamOf(read: () => Promise<Uint8Array | undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const piece = await read();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}
