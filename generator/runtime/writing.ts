// Answers out: framing, headers, bodies, and connections that have to be closed.

import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { IncomingMessage, ServerResponse } from "node:http";
import { constantBytes } from "./constant-body.ts";
import { essenceOf, itemFormat, jsonType } from "./media-types.ts";
import {
  isAsyncIterable,
  isIterable,
  ItemBody,
  ItemReader,
  webStream,
  type ChunkReader,
} from "./items.ts";
import type { HeaderValue, WireAnswer } from "./runtime.ts";

export const noBytes = new Uint8Array(0);

/** How long and how far a body that is too large is thrown away before the connection is closed. */
const lingerMilliseconds = 2000;

const lingerBytesMax = 4 * 1024 * 1024;

/**
 * Closing a connection while the client still sends resets it, and a reset may overtake the answer
 * (RFC 9112, section 9.6). So the answer goes out first, what comes in is thrown away for a while,
 * and then the connection ends, whether or not the client has finished.
 */
export function linger(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.readableEnded || incoming.destroyed) {
    outgoing.end();
    return;
  }
  let left = lingerBytesMax;
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) close();
  };
  const close = (): void => {
    clearTimeout(timer);
    incoming.off("data", onData);
    incoming.off("end", close);
    incoming.off("close", close);
    outgoing.end();
  };
  const timer = setTimeout(close, lingerMilliseconds);
  incoming.on("data", onData);
  incoming.on("end", close);
  incoming.on("close", close);
}

/**
 * Hands a body on at the speed at which the client takes it. `failed` hears of what breaks off; the client is told by
 * its connection, since the status is out already.
 */
export function pump(
  reader: ChunkReader<string | Uint8Array>,
  outgoing: ServerResponse,
  { failed, ended }: { readonly failed: (error: unknown) => void; readonly ended: () => void },
): void {
  if (outgoing.destroyed) {
    // the client left while the answer was made: "close" does not come any more
    void leave(reader);
    return;
  }
  // Node keeps the head back until there is something to send with it
  outgoing.flushHeaders();
  let wake = (): void => undefined;
  outgoing.on("drain", () => wake());
  outgoing.once("close", () => {
    wake();
    if (!outgoing.writableFinished) void leave(reader);
  });
  const forward = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      // "drain" does not come any more on a connection that is closed
      if (outgoing.destroyed) return;
      if (done || value === undefined) break;
      if (!outgoing.write(value)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    ended();
  };
  forward().catch((error: unknown) => {
    // what a handler says when it hears that nobody listens is no failure
    if (outgoing.destroyed) return;
    failed(error);
    breakOff(outgoing);
  });
}

/** What was written still goes out; the end of the body does not, and that the client can tell. */
function breakOff(outgoing: ServerResponse): void {
  const { socket } = outgoing;
  if (socket === null) outgoing.destroy();
  else socket.destroySoon();
}

/** Nobody takes the body, or the rest of it. */
export async function leave(reader: ChunkReader<unknown>): Promise<void> {
  try {
    await reader.cancel();
  } catch {
    // nobody is there any more who could be told
  }
}

export type Encoded = string | Uint8Array | ReadableStream<Uint8Array> | ItemBody | undefined;

export const json = "application/json";

/** Statuses whose answers have no body (RFC 9110, section 6.4.1). */
function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

export function encodeBody({ status, body, contentType }: WireAnswer): Encoded {
  if (!(status >= 200 && status <= 599)) throw new RangeError(`${status} is not a final status`);
  if (body === undefined || isBodiless(status)) return undefined;
  if (body instanceof Uint8Array) return body;
  if (body instanceof ReadableStream) {
    const format = contentType === undefined ? undefined : itemFormat(essenceOf(contentType));
    return format === undefined ? body : new ItemBody(body, format);
  }
  if (contentType === undefined || jsonType.test(essenceOf(contentType))) {
    const bytes = constantBytes(body);
    if (bytes !== undefined) return bytes;
    // functions and symbols have no JSON; the declared type of stringify leaves that out
    const text = JSON.stringify(body) as string | undefined;
    if (text === undefined) throw new TypeError("the body of the answer is nothing JSON can say");
    return text;
  }
  if (typeof body === "string") return body;
  const format = itemFormat(essenceOf(contentType));
  if (format !== undefined && isIterable(body)) return new ItemBody(body, format);
  if (isAsyncIterable(body)) return new ItemBody(body, "bytes");
  throw new TypeError(`the body of an answer in ${contentType} must be text, bytes or a stream`);
}

const byteLength =
  typeof Buffer === "undefined"
    ? (text: string): number => new TextEncoder().encode(text).length
    : (text: string): number => Buffer.byteLength(text);

/** Framing is the transport's; two lengths that disagree would split the answer in two. */
const framing: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"]);

/** A flat list, as Node takes it without another copy. */
export function headersOf(
  { status, headers, contentType = json }: WireAnswer,
  body: Encoded | ItemReader,
  common: Readonly<Record<string, string>>,
): string[] {
  const list = framingOf(contentType, body, status);
  for (const name in common) {
    const value = common[name];
    if (value !== undefined) list.push(name, value);
  }
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || framing.has(name.toLowerCase())) continue;
    if (isList(value) && isCookie(name)) {
      for (const one of value) list.push(name, headerText(one));
    } else {
      setHeader(list, name, headerText(value));
    }
  }
  return list;
}

/** Each is a line of its own: a comma in it does not end it (RFC 9110, section 5.3). */
export function isCookie(name: string): boolean {
  return name.toLowerCase() === "set-cookie";
}

/** `Array.isArray` does not know lists that nobody may change. */
function isList(value: HeaderValue): value is Extract<HeaderValue, readonly unknown[]> {
  return typeof value === "object" && value !== null;
}

/** In the style simple (OpenAPI 3.1.1, section 4.8.12): null is nothing. */
export function headerText(value: HeaderValue): string {
  if (typeof value === "string") return value;
  if (!isList(value)) return String(value ?? "");
  return value.map((one) => one ?? "").join(",");
}

function framingOf(contentType: string, body: Encoded | ItemReader, status: number): string[] {
  if (typeof body === "string") {
    return ["Content-Type", contentType, "Content-Length", String(byteLength(body))];
  }
  if (body instanceof Uint8Array) {
    return ["Content-Type", contentType, "Content-Length", String(body.length)];
  }
  if (body !== undefined) return ["Content-Type", contentType];
  return isBodiless(status) ? [] : ["Content-Length", "0"];
}

/**
 * A text of as many bytes as characters is ASCII, and Node copies that without transcoding it. The
 * length stands where `framingOf` has put it.
 */
export function encodingOf(text: string, headers: readonly string[]): "latin1" | "utf8" {
  return Number(headers[3]) === text.length ? "latin1" : "utf8";
}

/** What the handler says of a header stands instead of what the edge says of it. */
function setHeader(list: string[], name: string, value: string): void {
  const lower = name.toLowerCase();
  for (let index = 0; index < list.length; index += 2) {
    if (list[index]?.toLowerCase() === lower) {
      list[index + 1] = value;
      return;
    }
  }
  list.push(name, value);
}

/**
 * With the headers that middleware has set before, unless the answer sets them itself. Its length is the server's to
 * say: middleware may still change the body. Only HEAD has none of which it could be told.
 */
export function webResponse(c: Context, { status, headers: list, body }: Written): Response {
  // this constructor refuses line breaks and other bytes that do not belong in a header
  const headers = new Headers();
  for (let index = 0; index < list.length; index += 2) {
    headers.append(list[index] ?? "", list[index + 1] ?? "");
  }
  if (c.req.method !== "HEAD") headers.delete("Content-Length");
  // nobody waits for the rest of a body that is too large
  if (status === 413) headers.set("Connection", "close");
  const sent = body instanceof ItemBody ? webStream(new ItemReader(body)) : body;
  // the casts: no answer lies in shared memory, and Hono's types know the statuses that have a name
  const data = (sent ?? null) as Parameters<Context["newResponse"]>[0];
  return c.newResponse(data, { status: status as StatusCode, headers });
}

/** An answer as it goes out. */
export interface Written {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Encoded;
}
