// A merchant's server on the loopback address, with what a test wants it to answer.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  /** also those that never became a request */
  readonly connections: () => number;
  /** with TLS: those that went on with a session of before */
  readonly resumed: () => number;
}

export type Answer = (response: ServerResponse, request: Received) => void;

export function answerWith(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => void response.writeHead(status, headers).end();
}

/** `pem`: key and certificate, for a receiver with TLS. */
export async function startReceiver(answer: Answer, pem?: string): Promise<Receiver> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { method, url: path, headers, rawHeaders } = request;
      const one = { method, path, headers, rawHeaders, body };
      received.push(one);
      answer(response, one);
    });
  };
  const server =
    pem === undefined ? createServer(listener) : createTlsServer({ key: pem, cert: pem }, listener);
  let resumed = 0;
  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.isSessionReused()) resumed += 1;
  });
  const { port, connections, close } = await startListener(server);
  const scheme = pem === undefined ? "http" : "https";
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/hooks`,
    received,
    connections,
    resumed: () => resumed,
    [Symbol.asyncDispose]: close,
  };
}

interface Listener {
  readonly port: number;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export async function startListener(server: Server): Promise<Listener> {
  let connections = 0;
  const sockets = new Set<{ destroy: () => void }>();
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Node's type knows of pipes, too; this server listens at a port.
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return { port, connections: () => connections, close };
}

/** A certificate of the folder beside this, with its key. */
export const pem = (name: string): string =>
  readFileSync(join(import.meta.dirname, "certificates", `${name}.pem`), "utf8");
