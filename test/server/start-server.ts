// The real server of the project on a free port, in this process: only the log goes into an array.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { randomFillSync } from "node:crypto";
import { buildApplication } from "../../adapters/application.ts";
import { systemClock } from "../../adapters/clock.ts";
import { buildHttpServer, serverLimits } from "../../adapters/http-server.ts";
import type { HttpServer, ServerLimits } from "../../adapters/http-server.ts";
import { buildIdentifiers } from "../../adapters/identifiers.ts";
import { buildLogger } from "../../adapters/logging.ts";
import { buildEdge } from "../../handlers/edge.ts";
import { TransportError } from "../../handlers/errors.ts";
import { handlers } from "../../handlers/handlers.ts";

export type LogLine = Readonly<Record<string, unknown>>;

export interface TestServer {
  readonly http: HttpServer;
  readonly port: number;
  readonly url: string;
  readonly log: LogLine[];
  readonly setReady: (isReady: boolean) => void;
  readonly close: () => Promise<void>;
}

export interface TestServerOptions {
  readonly limits?: Partial<ServerLimits>;
  /** replaces every handler; what it returns or throws is what all operations answer */
  readonly handler?: () => unknown;
}

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const log: LogLine[] = [];
  // JSON.parse gives no type; every line of the log is an object.
  const output = { write: (line: string) => log.push(JSON.parse(line) as LogLine) };
  let isReady = true;
  const fillRandom = (bytes: Uint8Array): void => void randomFillSync(bytes);
  const edge = buildEdge({
    clock: systemClock,
    ids: buildIdentifiers({ clock: systemClock, fillRandom }),
    log: buildLogger("trace", output),
    checkAnswers: true,
  });
  const application = buildApplication({
    handlers: handlersOf(options.handler),
    edge,
    isReady: () => isReady,
  });
  const http = buildHttpServer(
    {
      application,
      edge,
      transportError: (code, message, violations) => new TransportError(code, message, violations),
    },
    { ...serverLimits, ...options.limits },
  );
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = http.server.address() as AddressInfo;
  return {
    http,
    port,
    url: `http://127.0.0.1:${port}`,
    log,
    setReady: (value) => {
      isReady = value;
    },
    close: async () => {
      http.server.closeAllConnections();
      if (!http.server.listening) return;
      http.server.close();
      await once(http.server, "close");
    },
  };
}

function handlersOf(handler: (() => unknown) | undefined): typeof handlers {
  if (handler === undefined) return handlers;
  const all = Object.keys(handlers).map((name) => [name, handler] as const);
  // The point of these tests: handlers that do what their types forbid.
  return Object.fromEntries(all) as unknown as typeof handlers;
}

/** Headers of the right form; nothing checks the signature yet. */
export const wellFormedHeaders = {
  "X-Api-Key": "mk_test_0123456789abcdef",
  "X-Timestamp": "1767225600",
  "X-Nonce": "n-8f14e45fceea167a5a36dedd4bea2543",
  "X-Signature": "cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d",
  "Idempotency-Key": "order-A-1001",
} as const;

export const paymentBody = JSON.stringify({
  merchant_order_no: "A-1001",
  quotes: { cur_usdc: { amount: "25.00" } },
});
