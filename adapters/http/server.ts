// The Node server under Hono: limits on what a client may send and how slowly, and an answer in
// the contract's form for everything that Node itself would refuse in its own words.

import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError as UnreadableRequest } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { nodeListener } from "../../generated/runtime/listener.ts";
import { boundConnections } from "./connections.ts";
import type { ConnectionLimits, ConnectionPorts } from "./connections.ts";
import { originForm, targetProblem } from "./request-target.ts";
import { ServiceError } from "../../service/errors.ts";
import { isBeingRefused, refuse, sendRawRefusal, sendRefusal } from "./transport-refusal.ts";
import type { TransportPorts } from "./transport-refusal.ts";

export interface ServerLimits extends ConnectionLimits {
  readonly headerBytesMax: number;
  readonly headerCountMax: number;
  readonly headersTimeoutMilliseconds: number;
  readonly requestTimeoutMilliseconds: number;
  readonly keepAliveTimeoutMilliseconds: number;
  readonly timeoutCheckMilliseconds: number;
  readonly silenceMilliseconds: number;
}

export const serverLimits: ServerLimits = {
  headerBytesMax: 16_384,
  headerCountMax: 100,
  // A client that sends its headers a byte at a time gives up its connection after 10 s, and one
  // that does so with its 64 kB of body after 30 s.
  headersTimeoutMilliseconds: 10_000,
  requestTimeoutMilliseconds: 30_000,
  // Longer than the 60 s after which common load balancers drop an idle connection: the side that
  // sends requests must be the one that closes, else it loses one on a connection just closed.
  keepAliveTimeoutMilliseconds: 65_000,
  timeoutCheckMilliseconds: 1000,
  // Nothing came and nothing went, in the middle of an exchange: a client that never reads its
  // answer. Twice the time for a request, since a handler at work is silent as well.
  silenceMilliseconds: 60_000,
  // Our choice, and an operator's to change: more than any merchant's pool has, and fewer than what a
  // process takes well.
  connectionsMax: 10_000,
  connectionsPerAddressMax: 500,
  refusalsToldMilliseconds: 60_000,
};

export interface ServerPorts<State> extends TransportPorts<State> {
  readonly application: OpenAPIHono;
  readonly connections: ConnectionPorts;
  /** serves each request, as part of something */
  readonly around?:
    ((incoming: IncomingMessage, outgoing: ServerResponse, serve: () => void) => void) | undefined;
}

export interface HttpServer {
  readonly server: Server;
  /** answers under way, for a stop that lets them finish */
  readonly inFlight: ReadonlySet<ServerResponse>;
  /**
   * Handles nothing from now on, for a process whose state is unknown: no connection is taken, what comes on
   * those that there are is 503, and what has not come as a whole is cut.
   */
  readonly halt: () => void;
}

export function buildHttpServer<State>(
  ports: ServerPorts<State>,
  limits: ServerLimits = serverLimits,
): HttpServer {
  const inFlight = new Set<ServerResponse>();
  let isHalted = false;
  const server = createServer({
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMilliseconds,
    requestTimeout: limits.requestTimeoutMilliseconds,
    keepAliveTimeout: limits.keepAliveTimeoutMilliseconds,
    connectionsCheckingInterval: limits.timeoutCheckMilliseconds,
    requireHostHeader: false, // checked by us: Node's own 400 has no body
    noDelay: true,
  });
  server.timeout = limits.silenceMilliseconds; // between requests the keep-alive time replaces it
  // Node would drop what is over its count without a word. The size limit comes first anyway.
  server.maxHeadersCount = 0;
  // No end to the requests of one connection: Node refuses pipelined ones after it with a bare 503.
  server.maxRequestsPerSocket = 0;

  boundConnections(server, limits, ports.connections);

  // One for each request: its handler of errors hears nothing of whom it is about.
  const byFetch = (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
    getRequestListener(ports.application.fetch, {
      hostname: "localhost", // for HTTP/1.0, which has no Host
      errorHandler: (error: unknown) => answerOutside(ports, error, incoming),
    })(incoming, outgoing);
  const toOperation = nodeListener(ports.application, byFetch);
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    inFlight.add(outgoing);
    outgoing.once("close", () => inFlight.delete(outgoing));
    incoming.url = originForm(incoming.url ?? "");
    const error = isHalted ? halted() : headProblem(ports, incoming, limits);
    if (error === undefined)
      toOperation(incoming, outgoing); // answers every error itself
    else void refuse(ports, error, { incoming }).then((refused) => sendRefusal(outgoing, refused));
  };
  const { around } = ports;
  const served: typeof listener =
    around === undefined
      ? listener
      : (incoming, outgoing) => around(incoming, outgoing, () => listener(incoming, outgoing));
  server.on("request", served);
  // RFC 9110 section 10.1.1 lets us ignore an Expect we do not know; Node would send a bare 417.
  server.on("checkExpectation", served);
  server.on("clientError", (error, socket) => refuseBroken(ports, { error, socket, inFlight }));
  server.on("connect", (incoming, socket) => {
    const error = malformed(ports, "path", "", "CONNECT is not for this server");
    void sendRawRefusal(socket, refuse(ports, error, { incoming }));
  });
  const halt = (): void => {
    isHalted = true;
    server.close();
    for (const outgoing of inFlight) if (!outgoing.req.complete) outgoing.destroy();
  };
  return { server, inFlight, halt };
}

function halted(): Error {
  return new ServiceError("service_unavailable", "something has failed, and the process ends");
}

/** What is wrong with the head of a request, where neither Node nor Hono says it in our form. */
function headProblem<State>(
  ports: ServerPorts<State>,
  incoming: IncomingMessage,
  limits: ServerLimits,
): Error | undefined {
  const { rawHeaders } = incoming;
  if (rawHeaders.length > limits.headerCountMax * 2) {
    const message = `a request may have at most ${limits.headerCountMax} headers`;
    return ports.transportError("headers_too_large", message);
  }
  const target = targetProblem(incoming.url ?? "");
  if (target !== undefined) {
    return malformed(ports, "path", "", target);
  }
  if (!knownMethods.has(incoming.method ?? "")) return unknownMethod(ports);
  // Node keeps the first one without a word, and a proxy may have read the last.
  if (count(rawHeaders, "content-type") > 1) {
    const message = "must be given only once";
    const violation = {
      in: "header",
      pointer: "/Content-Type",
      rule: "repeated",
      message,
    } as const;
    return ports.transportError("invalid_header", `Content-Type ${message}`, [violation]);
  }
  // RFC 9112 section 3.2: no Host or more than one must be answered with 400.
  const hosts = count(rawHeaders, "host");
  if (hosts > 1 || (hosts === 0 && incoming.httpVersion !== "1.0")) {
    return malformed(ports, "header", "/Host", "there must be exactly one Host header");
  }
  return undefined;
}

/** @param wanted in lower case */
function count(rawHeaders: readonly string[], wanted: string): number {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) found += 1;
  }
  return found;
}

/** Those of RFC 9110 and RFC 5789: no other one is anything to us at any path. */
const knownMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
]);

/** Not of the form that RFC 9112 gives requests. */
function malformed<State>(
  ports: ServerPorts<State>,
  ...[part, pointer, message]: readonly [part: "path" | "header", pointer: string, message: string]
): Error {
  const violation = { in: part, pointer, rule: "form", message } as const;
  return ports.transportError("invalid_request", message, [violation]);
}

/** RFC 9110 section 9.1. */
function unknownMethod<State>(ports: ServerPorts<State>): Error {
  const known = [...knownMethods].join(", ");
  return ports.transportError("not_implemented", `the method is none of ${known}`);
}

/** Hono's adapter could not make a request of it (its Host), or something of ours broke. */
async function answerOutside<State>(
  ports: ServerPorts<State>,
  error: unknown,
  incoming: IncomingMessage,
): Promise<Response> {
  const isUnreadable = error instanceof UnreadableRequest;
  const message = "the Host header is not the name of a host";
  const cause = isUnreadable ? malformed(ports, "header", "/Host", message) : error;
  const { status, headers, body } = await refuse(ports, cause, { incoming });
  return new Response(body, { status, headers: { ...headers, Connection: "close" } });
}

interface BrokenConnection {
  /** with the bytes that it could not read */
  readonly error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer };
  readonly socket: Duplex;
  readonly inFlight: ReadonlySet<ServerResponse>;
}

/** Node's parser gave up on a connection. */
function refuseBroken<State>(ports: ServerPorts<State>, broken: BrokenConnection): void {
  const { error, socket, inFlight } = broken;
  if (isBeingRefused(socket)) return; // what still arrives is only thrown away
  // An answer that is half written cannot be followed by another one: the client would take the
  // second for the rest of the first.
  const isHalfWritten = (): boolean =>
    Array.from(inFlight).some((one) => one.socket === socket && one.headersSent);
  const mayAnswer = (): boolean => socket.writable && !isHalfWritten();
  if (!mayAnswer()) {
    socket.destroy();
    return;
  }
  void sendRawRefusal(socket, refuse(ports, reasonOf(ports, error), { socket }), mayAnswer);
}

/** A word that could be a method, and a target after it: no greeting of another protocol. */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ [/*]/;

function reasonOf<State>(ports: ServerPorts<State>, error: BrokenConnection["error"]): Error {
  const isMethod = error.code === "HPE_INVALID_METHOD";
  if (isMethod && requestLine.test(error.rawPacket?.toString("latin1", 0, 256) ?? "")) {
    return unknownMethod(ports);
  }
  if (error.code === "HPE_HEADER_OVERFLOW") {
    return ports.transportError("headers_too_large", "the headers are too large");
  }
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return ports.transportError("request_timeout", "the request did not arrive in time");
  }
  return malformed(ports, "header", "", "this is not an HTTP/1.1 request");
}
