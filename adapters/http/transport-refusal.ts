// Answers to what never becomes a request of Hono: broken HTTP, floods of headers, hopeless
// targets. They wear the contract's error body and X-Request-Id like every other answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressRanges } from "../system/address-ranges.ts";
import type { Edge, Violation } from "../../generated/runtime/runtime.ts";
import { headerText } from "../../generated/runtime/writing.ts";

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
  readonly connections: {
    /** CIDR ranges */
    readonly trustedProxies: readonly string[];
  };
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

/**
 * Counts for the client's address as every request does. What nobody could read says nothing of whom a proxy
 * sends it for: that counts for nobody, or a stranger would use up what the proxy has.
 */
export async function refuse<State>(
  { edge, connections }: Pick<TransportPorts<State>, "edge" | "connections">,
  error: unknown,
  { incoming, socket = incoming?.socket }: Origin,
): Promise<RefusedBytes> {
  const peer = socket instanceof Socket ? socket.remoteAddress : undefined;
  const state = edge.begin(
    {
      method: incoming?.method ?? "",
      path: incoming?.url?.split("?", 1)[0] ?? "",
      query: "",
      headers: incoming?.headers ?? {},
      remoteAddress: peer,
    },
    undefined,
  );
  let cause = error;
  try {
    const isOfProxy = (address: string): boolean =>
      addressRanges.contains(connections.trustedProxies, address);
    if (incoming !== undefined || (peer !== undefined && !isOfProxy(peer)))
      await edge.turnedAway?.(state);
  } catch (other) {
    cause = other;
  }
  const { status, headers = {}, body } = edge.refuse(cause, state, undefined);
  edge.answered?.(state, status, undefined);
  const fields: Record<string, string> = { "Content-Type": "application/json" };
  for (const [name, value] of Object.entries({ ...headers, ...edge.headers(state, status) })) {
    if (value !== undefined) fields[name] = headerText(value);
  }
  return { status, headers: fields, body: JSON.stringify(body) };
}

/** The request was read, so its response exists; the rest of its body is not waited for. */
export function sendRefusal(outgoing: ServerResponse, refused: RefusedBytes): void {
  const length = String(Buffer.byteLength(refused.body));
  const fields = { ...refused.headers, "Content-Length": length, Connection: "close" };
  outgoing.writeHead(refused.status, fields);
  outgoing.end(refused.body);
}

/** Those that an answer by hand is on its way to. */
const refusedSockets = new WeakSet<Duplex>();

export function isBeingRefused(socket: Duplex): boolean {
  return refusedSockets.has(socket);
}

/** There is no response object: the answer is written by hand, and the connection ends with it. */
export async function sendRawRefusal(
  socket: Duplex,
  refusing: Promise<RefusedBytes>,
  mayAnswer: () => boolean = () => true,
): Promise<void> {
  refusedSockets.add(socket);
  // Node takes its own listener away from the socket of a CONNECT. Without one, a client that resets
  // its connection would end the process.
  socket.on("error", () => socket.destroy());
  const refused = await refusing;
  if (!mayAnswer()) {
    socket.destroy();
    return;
  }
  const lines = [
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status] ?? ""}`,
    ...Object.entries(refused.headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(refused.body)}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${refused.body}`);
  // Closing while bytes still arrive would reset the connection and lose the answer on its way.
  const timer = setTimeout(() => socket.destroy(), lingerMillisecondsMax);
  socket.once("close", () => clearTimeout(timer));
}
