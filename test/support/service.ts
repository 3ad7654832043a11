// The whole service for a test: a real port, a real database with the shipped catalog, the real
// rules. Beside it a second server on the same database with a quota of one request, and switches
// that make the database fail or wait. The dispatcher stays off: what it sends has tests of its own.

import assert from "node:assert";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { buildApplication } from "../../adapters/http/application.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { onAnsweredOf } from "../../adapters/assembly/observed.ts";
import { openService } from "../../adapters/assembly/service.ts";
import { type Clock, systemClock } from "../../adapters/system/clock.ts";
import {
  type Configuration,
  parseConfiguration,
} from "../../adapters/configuration/configuration.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import type { LoopLimits } from "../../adapters/webhooks/dispatcher-loop.ts";
import { buildHttpServer } from "../../adapters/http/server.ts";
import { Metrics } from "../../adapters/metrics/metrics.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import type { Tracing } from "../../adapters/tracing/tracing.ts";
import { buildEdge } from "../../handlers/edge.ts";
import { buildJudge } from "../../handlers/judge.ts";
import { TransportError } from "../../handlers/errors.ts";
import { buildHandlers } from "../../handlers/handlers.ts";
import type { Environment } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { type RatePolicy, ratePolicies } from "../../service/ports/rate-limits.ts";
import { scopes } from "../../service/merchants/scopes.ts";
import { catalogPath, shippedCatalogText } from "./catalog.ts";
import type { Signer } from "./contract-requests.ts";
import { type Engine, makeDatabase, makePostgresDatabase } from "./engines.ts";
import { type EffectHold, type Fault, FaultyDatabase } from "./faulty-database.ts";
import type { TestChain } from "./local-chain.ts";
import { watchedChains } from "./watched-chains.ts";
import { recordedProblems } from "./sent-events.ts";
import { type SettlingChain, startSettlingChain } from "./settling-chain.ts";

export type LogLine = Readonly<Record<string, unknown>>;

/** A merchant by one of its keys. */
export interface Merchant extends Signer {
  readonly merchantId: string;
}

export interface KeyWish {
  /** test when left out */
  readonly environment?: Environment;
  /** every scope when left out */
  readonly scopes?: readonly string[];
  readonly cidrs?: readonly string[];
  readonly isRevoked?: boolean;
  readonly isExpired?: boolean;
}

type Row = Readonly<Record<string, unknown>>;

export interface TestService {
  readonly url: string;
  /** the same service with a quota of one request a minute for each key and policy */
  readonly narrowUrl: string;
  /** of the second server; throws where there is none */
  readonly twinUrl: string;
  readonly log: readonly LogLine[];
  readonly everyScope: readonly string[];
  readonly newMerchant: () => Promise<Merchant>;
  /** a further key of the same merchant */
  readonly newKey: (merchant: Merchant, wish: KeyWish) => Promise<Merchant>;
  readonly suspend: (merchant: Merchant) => Promise<void>;
  readonly consents: Operator["merchants"]["consents"];
  readonly query: (sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;
  readonly count: (sql: string, values: readonly unknown[]) => Promise<number>;
  /** about a thing, or of a merchant */
  readonly countEvents: (id: string | undefined, type: string) => Promise<number>;
  /** throws where there is none */
  readonly chain: TestChain;
  /** of its first server; throws where nobody counts */
  readonly metrics: Metrics;
  readonly withFault: <Result>(fault: Fault, work: () => Promise<Result>) => Promise<Result>;
  readonly holdEffects: (letThrough?: number) => EffectHold;
  readonly close: () => Promise<void>;
}

export interface ServiceOptions {
  readonly engine?: Engine;
  readonly clock?: Clock;
  readonly treasuryAddress?: string;
  /** what its catalog file has in place of the shipped one */
  readonly changeCatalog?: (shipped: string) => string;
  /** with a second server like another process: on PostgreSQL, with connections of its own */
  readonly hasTwin?: boolean;
  /** with a real chain of its own, which mines by itself, and its deployments in the catalog */
  readonly hasChain?: boolean;
  /** with somebody who counts what its first server does */
  readonly hasMetrics?: boolean;
  /** tells of what its first server does */
  readonly tracing?: Tracing;
  /** CAIP-2, which it says it watches; all of the catalog when left out */
  readonly watching?: readonly string[];
}

/** Call it once in a file or a describe block; it is there once the tests run. */
export function useService(engine: Engine, options: ServiceOptions = {}): TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startService({ ...options, engine });
  });
  afterAll(async () => {
    await service?.close();
  });
  // Its members are looked up when they are used.
  return new Proxy({} as TestService, {
    get: (_, name) => {
      if (name === "everyScope") return scopes;
      if (service === undefined) throw new Error("the service starts with the first test");
      return service[name as keyof TestService];
    },
  });
}

/** Test keys that withdraw on main networks have to say where from. */
const loopback = ["127.0.0.0/8"];
/** What one live key may have without a list of addresses: all but to move money out. */
const liveScopes = scopes.filter((scope) => !/^(?:withdraw|payouts:write)/.test(scope));

/** Nobody waits for a minute, and a test sends more than any merchant. */
export const endless = Object.fromEntries(
  Object.keys(ratePolicies).map((policy) => [policy, 1_000_000]),
) as Readonly<Record<RatePolicy, number>>;

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { engine = "PostgreSQL", clock = systemClock, hasChain = false } = options;
  const settling = hasChain ? await startSettlingChain() : undefined;
  const { database: real, other, cell, remove } = await openDatabases(engine, options);
  const database = new FaultyDatabase(real, awayDatabase);
  const configuration = parseConfiguration({
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    NODE_ENV: "test",
    // The address of nobody: the database is open already.
    ...(cell === undefined ? {} : { CELL: cell, DATABASE_URL: "postgres://nobody" }),
    ...(options.treasuryAddress === undefined ? {} : { TREASURY_ADDRESS: options.treasuryAddress }),
  });
  const log: LogLine[] = [];
  const { watching = watchedChains } = options;
  const chains = settling?.ports ?? {};
  const parts = { configuration, database, clock, log, chains, watching };
  const { hasMetrics = false } = options;
  const metrics = hasMetrics ? new Metrics({ clock, log: { warn: () => undefined } }) : undefined;
  const counted = metrics?.database.observe(database) ?? database;
  const { tracing } = options;
  const observers = { metrics, tracing };
  const wide = await startServer({ ...parts, ...observers, database: counted, quotas: endless });
  const one = { read: 1, write: 1, money: 1 };
  const narrow = await startServer({ ...parts, quotas: { ...endless, ...one } });
  const twin =
    other === undefined
      ? undefined
      : await startServer({ ...parts, database: other, quotas: endless });
  const { changeCatalog = (text) => text } = options;
  const shipped = changeCatalog(shippedCatalogText);
  const text = hasChain ? catalogWithLocalChain(shipped) : shipped;
  await wide.operator.applyCatalog({ name: catalogPath, text }, { isDryRun: false });
  const query: TestService["query"] = (sql, values) =>
    // the empty name: not kept as a prepared statement
    real.run<readonly unknown[], Row>({ name: "", text: sql, list: (given) => given }, values);
  return {
    url: wide.url,
    narrowUrl: narrow.url,
    log,
    everyScope: scopes,
    ...people(wide.operator, wide.url, query),
    query,
    count: async (sql, values) => (await query(sql, values)).length,
    countEvents: async (id, type) => {
      const rows = "select 1 from events where $1 in (resource_id, merchant_id) and type = $2";
      return (await query(rows, [id, type])).length;
    },
    get twinUrl() {
      if (twin === undefined) throw new Error("this service has one server only");
      return twin.url;
    },
    get chain() {
      if (settling === undefined) throw new Error("this service has no chain of its own");
      return settling.local;
    },
    get metrics() {
      if (metrics === undefined) throw new Error("nobody counts what this service does");
      return metrics;
    },
    withFault: (fault, work) => database.withFault(fault, work),
    holdEffects: (letThrough) => database.holdEffects(letThrough),
    close: async () => {
      await Promise.all([wide.close(), narrow.close(), twin?.close()]);
      await settling?.close();
      const problems = await recordedProblems(query);
      await remove();
      // Whatever its tests were about, what the merchant hears is what the document says.
      assert.deepEqual(problems, []);
    },
  };
}

async function openDatabases(engine: Engine, { hasTwin = false }: ServiceOptions) {
  if (!hasTwin) return { ...(await makeDatabase(engine)), other: undefined };
  const { url, remove } = await makePostgresDatabase();
  const open = () => openPostgres({ url, connectionsMax: 6 });
  const [database, other] = await Promise.all([open(), open()]);
  const close = async (): Promise<void> => {
    await Promise.all([database.close(), other.close()]);
    await remove();
  };
  return { database, other, cell: undefined, remove: close };
}

export interface ServerOptions {
  readonly configuration: Configuration;
  /** in place of the configured one */
  readonly database?: OpenedDatabase;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  readonly log: LogLine[];
  readonly chains: SettlingChain["ports"] | Readonly<Record<string, never>>;
  readonly watching: readonly string[];
  readonly quotas: Readonly<Record<RatePolicy, number>>;
  readonly loopLimits?: LoopLimits;
}

/** One process of the service, as far as it can be in this one. */
export async function startServer(options: ServerOptions) {
  const { configuration, clock, metrics, tracing, log: lines } = options;
  // JSON.parse gives no type; every line of the log is an object.
  const output = { write: (line: string) => lines.push(JSON.parse(line) as LogLine) };
  const log = buildLogger("trace", output, tracing?.logFields);
  const opened = await openService(configuration, {
    clock,
    log,
    metrics,
    tracing,
    ...(options.database && { database: options.database }),
    quotas: options.quotas,
    watching: options.watching,
    ...(options.loopLimits && { loopLimits: options.loopLimits }),
    ...options.chains,
  });
  const { authentication, clientAddress, ids, operator, checkHealth } = opened;
  const judge = buildJudge(opened.rules);
  const edge = buildEdge({
    clock,
    ids,
    log,
    authentication,
    clientAddress,
    judge,
    checkAnswers: true,
    onBegun: tracing?.requests.onBegun,
    onAnswered: onAnsweredOf({ metrics, tracing }),
  });
  const handlers = buildHandlers(opened.rules);
  const application = buildApplication({ handlers, edge, isReady: () => true, checkHealth });
  const http = buildHttpServer({
    application,
    edge,
    connections: { clock, log, trustedProxies: [] },
    transportError: (code, message, violations) => new TransportError(code, message, violations),
    around: tracing?.requests.around,
  });
  metrics?.requests.watch(http);
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = http.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    operator,
    /** of its own, where it has opened one */
    database: opened.database,
    startWork: opened.startWork,
    close: async () => {
      http.server.closeAllConnections();
      http.server.close();
      await once(http.server, "close");
      await opened.close();
    },
  };
}

function people(
  { merchants, apiKeys: keys }: Operator,
  url: string,
  query: TestService["query"],
): Pick<TestService, "newMerchant" | "newKey" | "suspend" | "consents"> {
  const newKey = async (merchantId: string, wish: KeyWish): Promise<Merchant> => {
    const { key, secret } = await keys.create({
      merchantId,
      environment: wish.environment ?? "test",
      scopes: wish.scopes ?? (wish.environment === "live" ? liveScopes : scopes),
      cidrs: wish.cidrs ?? (wish.environment === "live" ? [] : loopback),
      expiresAt: null,
    });
    if (wish.isRevoked === true) await keys.revoke(key.id);
    if (wish.isExpired === true) {
      await query("update api_keys set expires_at = now() - interval '1 s' where id = $1", [
        key.id,
      ]);
    }
    return { url, merchantId, key: key.id, secret };
  };
  return {
    newMerchant: async () => newKey((await merchants.create("A merchant of a test")).id, {}),
    newKey: ({ merchantId }, wish) => newKey(merchantId, wish),
    consents: merchants.consents,
    suspend: async ({ merchantId }) => {
      await merchants.setStatus(merchantId, "suspended");
    },
  };
}

/** What a database that is down looks like: nobody listens on this port. */
const openAway = (): Promise<never> =>
  openPostgres({ url: "postgres://nobody@127.0.0.1:1/none" }).then(() => {
    throw new Error("somebody listens on port 1");
  });
export const awayDatabase: Database = { run: openAway, transaction: openAway };
