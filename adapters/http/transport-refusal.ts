// Answers to what never becomes a request of Hono: broken HTTP, floods of headers, hopeless
// targets. They wear the contract's error body and X-Request-Id like every other answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Edge, Violation } from "../../generated/runtime/runtime.ts";

export type TransportCode =
  | "invalid_request"
  | "invalid_header"
  | "headers_too_large"
  | "request_timeout"
  | "not_implemented";

export interface TransportPorts<State> {
  readonly edge: Omit<Edge<State, unknown>, "judge">;
  /** the error that the edge knows how to answer */
  readonly transportError: (
    code: TransportCode,
    message: string,
    violations?: readonly Violation[],
  ) => Error;
}

interface RefusedBytes {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A client that keeps sending after its refusal is cut off, at the latest after this time. */
const lingerMillisecondsMax = 1000;

/** What is known of a refused request: not even its first line, perhaps. */
export interface Origin {
  readonly incoming?: IncomingMessage;
  readonly socket?: Duplex;
}

export function refuse<State>(
  edge: Omit<Edge<State, unknown>, "judge">,
  error: unknown,
  { incoming, socket = incoming?.socket }: Origin,
): RefusedBytes {
  const state = edge.begin(
    {
      method: incoming?.method ?? "",
      path: incoming?.url?.split("?", 1)[0] ?? "",
      query: "",
      headers: incoming?.headers ?? {},
      remoteAddress: socket instanceof Socket ? socket.remoteAddress : undefined,
    },
    undefined,
  );
  const answer = edge.refuse(error, state, undefined);
  edge.answered?.(state, answer.status, undefined);
  const headers = { "Content-Type": "application/json", ...edge.headers(state, answer.status) };
  return { status: answer.status, headers, body: JSON.stringify(answer.body) };
}

/** The request was read, so its response exists; the rest of its body is not waited for. */
export function sendRefusal(outgoing: ServerResponse, refused: RefusedBytes): void {
  const length = String(Buffer.byteLength(refused.body));
  const fields = { ...refused.headers, "Content-Length": length, Connection: "close" };
  outgoing.writeHead(refused.status, fields);
  outgoing.end(refused.body);
}

/** There is no response object: the answer is written by hand, and the connection ends with it. */
export function sendRawRefusal(socket: Duplex, refused: RefusedBytes): void {
  const lines = [
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status] ?? ""}`,
    ...Object.entries(refused.headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(refused.body)}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
  ];
  // Node takes its own listener away from the socket of a CONNECT. Without one, a client that resets
  // its connection would end the process.
  socket.on("error", () => socket.destroy());
  socket.end(`${lines.join("\r\n")}\r\n\r\n${refused.body}`);
  // Closing while bytes still arrive would reset the connection and lose the answer on its way.
  const timer = setTimeout(() => socket.destroy(), lingerMillisecondsMax);
  socket.once("close", () => clearTimeout(timer));
}
