// The real server of the project on a free port, in this process: real rules, real authentication, a
// database in memory that the tests of a file share. Only the log goes into an array.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buildApplication } from "../../adapters/http/application.ts";
import type { DocsSite } from "../../adapters/http/docs-routes.ts";
import { openService } from "../../adapters/assembly/service.ts";
import type { OpenedService } from "../../adapters/assembly/service.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { buildHttpServer, serverLimits } from "../../adapters/http/server.ts";
import type { HttpServer, ServerLimits } from "../../adapters/http/server.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import type { RateLimitOptions } from "../../adapters/http/rate-limits.ts";
import { errorHelpRoutes } from "../../handlers/error-help/routes.ts";
import { buildEdge } from "../../handlers/edge.ts";
import { buildJudge } from "../../handlers/judge.ts";
import type { RequestState } from "../../handlers/edge.ts";
import { TransportError } from "../../handlers/errors.ts";
import { buildHandlers } from "../../handlers/handlers.ts";
import { signSync } from "../../scripts/client/sign-sync.ts";
import type { AllHandlers } from "../../handlers/caller.ts";
import { scopes } from "../../service/merchants/scopes.ts";
import { makeDatabase } from "../support/engines.ts";

export type LogLine = Readonly<Record<string, unknown>>;

export interface ToSign {
  readonly method: string;
  /** with its query */
  readonly target: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
}

export type Headers = Readonly<Record<string, string>>;

export interface TestServer {
  readonly http: HttpServer;
  readonly port: number;
  readonly url: string;
  readonly log: LogLine[];
  readonly service: OpenedService;
  /** of a key with every scope */
  readonly credentials: { readonly key: string; readonly secret: string };
  readonly setReady: (isReady: boolean) => void;
  /** headers that let a request of a key with every scope in */
  readonly sign: (request: ToSign) => Headers;
  readonly close: () => Promise<void>;
}

export interface TestServerOptions {
  readonly limits?: Partial<ServerLimits>;
  /** replaces every handler; what it returns or throws is what all operations answer */
  readonly handler?: () => unknown;
  /** as in production: also what an operation does not promise is answered */
  readonly isUnchecked?: true;
  readonly quotas?: RateLimitOptions["quotas"];
  /** in place of a question to the database */
  readonly checkHealth?: () => Promise<void>;
  /** in place of the one that the tests of a file share */
  readonly database?: OpenedDatabase;
  /** without it there is a plain page at /docs */
  readonly docs?: DocsSite;
  /** beside what the tests need */
  readonly environment?: Readonly<Record<string, string>>;
}

let sharedDatabase: Promise<OpenedDatabase> | undefined;

/** For all files of a process. */
function openShared(): Promise<OpenedDatabase> {
  sharedDatabase ??= makeDatabase("PostgreSQL").then(({ database }) => database);
  return sharedDatabase;
}

const encryptionKey = randomBytes(32).toString("base64");

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const log: LogLine[] = [];
  // JSON.parse gives no type; every line of the log is an object.
  const output = { write: (line: string) => log.push(JSON.parse(line) as LogLine) };
  const logger = buildLogger("trace", output);
  const environment = { ENCRYPTION_KEY: encryptionKey, ...options.environment };
  const configuration = parseConfiguration(environment);
  const service = await openService(configuration, {
    clock: systemClock,
    log: logger,
    database: options.database ?? (await openShared()),
    ...(options.quotas === undefined ? {} : { quotas: options.quotas }),
  });
  const merchant = await service.operator.merchants.create("A merchant of a test");
  const issued = await service.operator.apiKeys.create({
    merchantId: merchant.id,
    environment: "test",
    scopes,
    cidrs: [],
    expiresAt: null,
  });
  let isReady = true;
  const http = buildHttp(service, {
    ...options,
    trustedProxies: configuration.trustedProxies,
    log: logger,
    isReady: () => isReady,
  });
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = http.server.address() as AddressInfo;
  return {
    http,
    port,
    url: `http://127.0.0.1:${port}`,
    log,
    service,
    credentials: { key: issued.key.id, secret: issued.secret },
    setReady: (value) => {
      isReady = value;
    },
    sign: (request) => signedHeaders({ key: issued.key.id, secret: issued.secret }, request),
    close: async () => {
      http.server.closeAllConnections();
      if (http.server.listening) {
        http.server.close();
        await once(http.server, "close");
      }
      await service.close();
    },
  };
}

interface HttpOptions extends TestServerOptions {
  readonly log: ReturnType<typeof buildLogger>;
  readonly trustedProxies: readonly string[];
  readonly isReady: () => boolean;
}

function buildHttp(service: OpenedService, options: HttpOptions): HttpServer {
  const { authentication, clientAddress, ids, rules } = service;
  const { checkHealth = service.checkHealth, trustedProxies } = options;
  const edge = buildEdge({
    clock: systemClock,
    ids,
    log: options.log,
    authentication,
    clientAddress,
    judge: buildJudge(rules),
    checkAnswers: options.isUnchecked !== true,
  });
  const handlers = handlersOf(buildHandlers(rules), options.handler);
  const meet = ({ clientAddress: address }: RequestState) => authentication.meet(address);
  const application = buildApplication({
    handlers,
    edge,
    isReady: options.isReady,
    checkHealth,
    meet,
    moreRoutes: errorHelpRoutes,
    ...(options.docs === undefined ? {} : { docs: options.docs }),
  });
  return buildHttpServer(
    {
      application,
      edge,
      connections: { clock: systemClock, log: options.log, trustedProxies },
      transportError: (code, message, violations) => new TransportError(code, message, violations),
    },
    { ...serverLimits, ...options.limits },
  );
}

function handlersOf(handlers: AllHandlers, handler: (() => unknown) | undefined): AllHandlers {
  if (handler === undefined) return handlers;
  const all = Object.keys(handlers).map((name) => [name, handler] as const);
  // The point of these tests: handlers that do what their types forbid.
  return Object.fromEntries(all) as unknown as AllHandlers;
}

export function signedHeaders(
  credentials: { readonly key: string; readonly secret: string },
  request: ToSign,
): Headers {
  const [path = "", query = ""] = request.target.split("?", 2);
  const { method, body } = request;
  const idempotencyKey =
    request.idempotencyKey ?? (method === "GET" ? undefined : randomBytes(8).toString("hex"));
  return { ...signSync({ ...credentials, method, path, query, body, idempotencyKey }) };
}

export const paymentBody = JSON.stringify({
  merchant_order_no: "A-1001",
  quotes: { cur_usdc: { amount: "25.00" } },
});
