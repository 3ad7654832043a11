// Where Prometheus asks: a listener of its own, so that nobody who reaches the service reaches the numbers.

import { once } from "node:events";
import { lstatSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { MetricsPlace } from "../configuration/metrics.ts";
import { isAnswered, listenOnSocket } from "../system/private-socket.ts";
import { contentTypes, formatFor } from "./formats.ts";
import type { MetricsFormat } from "./formats.ts";
import { inWords, MetricsListenError } from "./listen-error.ts";

const path = "/metrics";
/** Who asks for numbers comes every few seconds, and there are few of them. */
const connectionsMax = 32;
const silenceMilliseconds = 30_000;
/** Whoever is in the group of the server may ask, too: it holds no secret. */
const socketMode = 0o660;

export interface MetricsListenerPorts {
  readonly text: (format: MetricsFormat) => Promise<string>;
  readonly log: { readonly error: (fields: object, message: string) => void };
}

export interface MetricsListener {
  /** where it listens, for people */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Throws `MetricsListenError`. */
export async function listenForMetrics(
  place: MetricsPlace,
  ports: MetricsListenerPorts,
): Promise<MetricsListener> {
  const server = createServer((request, response) => void answer(ports, request, response));
  server.maxConnections = connectionsMax;
  server.timeout = silenceMilliseconds;
  try {
    await listen(server, place);
  } catch (error) {
    throw new MetricsListenError(place, error);
  }
  // Whatever becomes of it, those who pay are served.
  server.on("error", (error) => ports.log.error({ err: error }, "nobody can ask for numbers"));
  return {
    url: urlOf(server, place),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve)); // removes a socket's file as well
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { text, log }: MetricsListenerPorts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", url = "" } = request;
  if (url.split("?", 1)[0] !== path) return plain(response, 404, `The numbers are at ${path}.`);
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return plain(response, 405, "GET is all there is.");
  }
  const format = formatFor(request.headers.accept);
  try {
    const body = await text(format);
    response.writeHead(200, { "Content-Type": contentTypes[format], "Cache-Control": "no-store" });
    response.end(method === "HEAD" ? undefined : body);
  } catch (error) {
    log.error({ err: error }, "the numbers for Prometheus could not be read");
    plain(response, 500, "The numbers could not be read; the log says why.");
  }
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" });
  response.end(`${text}\n`);
}

async function listen(server: Server, place: MetricsPlace): Promise<void> {
  if (place.kind === "socket") {
    await removeAbandoned(place.path);
    return listenOnSocket(server, place.path, socketMode);
  }
  server.listen(place.port, place.host);
  // Throws what it emits as an error before that.
  await once(server, "listening");
}

/** One that a dead process has left; of a living one it stays, and listening fails. */
async function removeAbandoned(socketPath: string): Promise<void> {
  const found = lstatSync(socketPath, { throwIfNoEntry: false });
  if (found?.isSocket() !== true || (await isAnswered(socketPath))) return;
  rmSync(socketPath, { force: true });
}

function urlOf(server: Server, place: MetricsPlace): string {
  if (place.kind === "socket") return inWords(place);
  // A server that listens on a port (not on a pipe) has an address of this form.
  const { address, port } = server.address() as AddressInfo;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}${path}`;
}
