// Requests in: from Node directly where that is possible, else by way of fetch.

import type { Context } from "hono";
import type { IncomingMessage, ServerResponse } from "node:http";
import { joined } from "./bytes.ts";
import { findMedia } from "./bodies.ts";
import { Exchange, type MutableRequest } from "./exchange.ts";
import {
  Inflow,
  NodeSource,
  sourceOf,
  tooLarge,
  WebSource,
  type Bounds,
  type ByteSource,
} from "./inflow.ts";
import type { Plan } from "./plan.ts";
import type { Routed } from "./routing.ts";
import type { RawRequest } from "./runtime.ts";
import { noBytes, webResponse } from "./writing.ts";

/** What the server hands in. */
interface Bindings {
  /** @hono/node-server's */
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  /** Deno's */
  readonly remoteAddr?: { readonly hostname?: string };
  /** Bun's */
  readonly requestIP?: (request: Request) => { readonly address: string } | null;
}

function bindings(c: Context): Bindings {
  // Hono's own type is `any`; under other servers and in app.request() this is anything
  return (c.env ?? {}) as Bindings;
}

/** Of the peer, where the server is one that says it. */
function addressOf(c: Context): string | undefined {
  const server = bindings(c);
  if (typeof server.requestIP === "function") return server.requestIP(c.req.raw)?.address;
  return server.remoteAddr?.hostname;
}

export function rawRequest(c: Context): MutableRequest {
  const { incoming } = bindings(c);
  if (incoming !== undefined) {
    return rawIncoming(incoming);
  }
  const request = c.req.raw;
  // without a prototype: header names are the client's
  const headers = Object.create(null) as Record<string, string>;
  request.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return rawOf(request, headers, addressOf(c));
}

export function rawIncoming(incoming: IncomingMessage): MutableRequest {
  return rawOf(incoming, incoming.headers, incoming.socket.remoteAddress);
}

/** A request line may also hold the whole address (RFC 9112, section 3.2.2). */
const origin = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** Path and query of a request line or an address. */
function targetOf(url: string): string {
  if (url.charCodeAt(0) === 0x2f) return url;
  return url.slice(origin.exec(url)?.[0].length ?? 0);
}

function rawOf(
  line: { readonly method?: string | undefined; readonly url?: string | undefined },
  headers: RawRequest["headers"],
  remoteAddress: string | undefined,
): MutableRequest {
  const target = targetOf(line.url ?? "/");
  const mark = target.indexOf("?");
  return {
    method: line.method ?? "GET",
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers,
    body: noBytes,
    remoteAddress,
  };
}

/**
 * Straight to Node where that is possible: HTTP/1, and nothing around the route that would look at
 * the Response (HEAD, middleware). Everything else goes the way of fetch.
 */
export function serve(
  routed: Routed,
  raw: MutableRequest,
  c: Context,
): Response | Promise<Response> {
  const { incoming, outgoing } = bindings(c);
  if (
    incoming === undefined ||
    outgoing === undefined ||
    incoming.httpVersionMajor !== 1 ||
    incoming.method === "HEAD" ||
    incoming.readableDidRead ||
    c.req.routeIndex !== 0
  ) {
    return serveFetch(routed, raw, c);
  }
  serveNode(routed, raw, { incoming, outgoing }, c);
  return alreadySent;
}

export function serveNode(
  { plan, match }: Routed,
  raw: MutableRequest,
  { incoming, outgoing }: Required<Pick<Bindings, "incoming" | "outgoing">>,
  c?: Context,
): void {
  const { headers } = incoming;
  const exchange = new Exchange(plan, raw, outgoing, c);
  exchange.match = match;
  const isChunked = headers["transfer-encoding"] !== undefined;
  const length = Number(headers["content-length"] ?? 0);
  // neither header: the request has no body, whatever its method (RFC 9112, section 6.3)
  if (!isChunked && length === 0) {
    exchange.start();
    return;
  }
  const bounds = plan.body?.hasStream === true ? streamBounds(plan, raw) : undefined;
  const bytesMax = bounds?.bytesMax ?? plan.edge.bodyBytesMax;
  if (length > bytesMax) {
    abandon(exchange, incoming, bytesMax);
  } else if (bounds === undefined) {
    readNode(exchange, incoming);
  } else {
    exchange.inflow = new Inflow(new NodeSource(incoming), bounds);
    exchange.start();
  }
}

/** Of a body that the handler reads while it comes; undefined: this one is read before. */
function streamBounds({ body, edge }: Plan, { headers }: RawRequest): Bounds | undefined {
  const media = body && findMedia(body.media, String(headers["content-type"] ?? ""));
  if (media?.isStream !== true) return undefined;
  return {
    bytesMax: media.bytesMax ?? edge.bodyBytesMax,
    bytesMin: media.bytesMin ?? 0,
    isRequired: body?.required === true,
  };
}

const alreadySent = buildAlreadySent();

/** @hono/node-server writes nothing for a response that carries this header. */
function buildAlreadySent(): Response {
  const entries: [string, string][] = [["x-hono-already-sent", "true"]];
  const response = new Response(null, { headers: entries });
  // node-server may have replaced the global Response by one that it writes without looking at the
  // headers, until somebody has touched the body
  if (response.body !== null) throw new Error("a response without a body has a body");
  // read once for each request: own members spare the general machinery of Headers
  const headers = new Headers(entries);
  Object.defineProperty(headers, "has", { value: (name: string) => name === entries[0]?.[0] });
  Object.defineProperty(headers, Symbol.iterator, { value: () => entries.values() });
  Object.defineProperty(response, "headers", { value: headers });
  return response;
}

/**
 * A client that goes away in the middle needs no attention: no event comes any more, and the
 * exchange is forgotten together with the request that holds these listeners.
 */
function readNode(exchange: Exchange, incoming: IncomingMessage): void {
  let first: Buffer | undefined;
  let chunks: Buffer[] | undefined;
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > exchange.plan.edge.bodyBytesMax) {
      incoming.off("data", onData);
      incoming.off("end", onEnd);
      abandon(exchange, incoming, exchange.plan.edge.bodyBytesMax);
    } else if (first === undefined) {
      first = chunk;
    } else {
      (chunks ??= [first]).push(chunk);
    }
  };
  // not already with the last byte: an answer before the end makes node-server set up timers to
  // throw the rest of the body away
  const onEnd = (): void => {
    exchange.raw.body = chunks === undefined ? (first ?? noBytes) : Buffer.concat(chunks, size);
    exchange.start();
  };
  incoming.on("data", onData);
  incoming.on("end", onEnd);
}

/** Answers 413 without reading the body to its end. */
function abandon(exchange: Exchange, incoming: IncomingMessage, bytesMax: number): void {
  exchange.abandoned = incoming;
  exchange.turnAway(tooLarge(bytesMax));
}

function serveFetch({ plan, match }: Routed, raw: MutableRequest, c: Context): Promise<Response> {
  const exchange = new Exchange(plan, raw, undefined, c);
  exchange.match = match;
  if (plan.hasSignal) exchange.clientSignal = c.req.raw.signal;
  return new Promise((resolve) => {
    exchange.resolve = (answer) => resolve(webResponse(c, answer));
    const bounds = plan.body?.hasStream === true ? streamBounds(plan, raw) : undefined;
    if (bounds !== undefined) {
      startStream(exchange, c, bounds);
      return;
    }
    readFetch(c, raw, plan.edge.bodyBytesMax).then(
      (body) => {
        raw.body = body;
        exchange.start();
      },
      (error: unknown) => exchange.turnAway(error),
    );
  });
}

function startStream(exchange: Exchange, c: Context, bounds: Bounds): void {
  const { headers } = exchange.raw;
  const begin = (source: ByteSource | undefined): void => {
    if (source !== undefined) exchange.inflow = new Inflow(source, bounds);
    exchange.start();
  };
  if (Number(headers["content-length"] ?? 0) > bounds.bytesMax) {
    exchange.turnAway(tooLarge(bounds.bytesMax));
  } else if (c.req.raw.bodyUsed) {
    // a middleware has read it and Hono has kept it
    c.req.arrayBuffer().then(
      (kept) => begin(sourceOf(new Uint8Array(kept))),
      (error: unknown) => exchange.turnAway(error),
    );
  } else if (c.req.raw.body === null || headers["content-length"] === "0") {
    begin(undefined);
  } else {
    const source = new WebSource(c.req.raw.body);
    const isAnnounced = headers["content-length"] ?? headers["transfer-encoding"];
    if (isAnnounced !== undefined) {
      begin(source);
      return;
    }
    // there may be a stream and nothing in it, which is no body
    source.read().then(
      (first) => begin(first && sourceOf(first, source)),
      (error: unknown) => exchange.turnAway(error),
    );
  }
}

async function readFetch(c: Context, raw: RawRequest, bytesMax: number): Promise<Uint8Array> {
  const request = c.req.raw;
  if (Number(raw.headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  // GET and HEAD have no body in fetch, even when bytes were sent
  if (raw.method === "GET" || raw.method === "HEAD") return noBytes;
  if (request.bodyUsed) {
    // a middleware has read it and Hono has kept it
    const kept = new Uint8Array(await c.req.arrayBuffer());
    if (kept.length > bytesMax) throw tooLarge(bytesMax);
    return kept;
  }
  if (request.body === null) return noBytes;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // leaving the loop early cancels the stream
  const stream: ReadableStream<Uint8Array> = request.body;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  const [first = noBytes] = chunks;
  return chunks.length < 2 ? first : joined(chunks, size);
}
