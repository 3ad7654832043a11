// The service on a server of PostgreSQL, or several, with merchants and the receiver of their events, and what is judged in
// the end: each answer against what there is.

import { randomBytes } from "node:crypto";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { vi } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { tickMilliseconds } from "../../adapters/database/ticks.ts";
import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import { loopLimits } from "../../adapters/webhooks/dispatcher-loop.ts";
import { call, make } from "../../scripts/bench/service/shops.ts";
import { usd } from "../../scripts/client/tool/test-usd.ts";
import { ledgerFaults, orderFaults, webhookFaults } from "../../scripts/cluster/judging.ts";
import { Receiver } from "../../scripts/cluster/receiver.ts";
import { Audit } from "../../service/audit/audit.ts";
import { claimMilliseconds } from "../../service/webhooks/dispatcher.ts";
import { checkSequences } from "../simulation/event-checks.ts";
import { catalogPath, shippedCatalogText } from "../support/catalog.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { endless, startServer } from "../support/service.ts";
import type { LogLine } from "../support/service.ts";
import { watchedChains } from "../support/watched-chains.ts";
import { fund, newAddress } from "../support/withdrawal-resources.ts";
import type { Query } from "../support/withdrawal-resources.ts";
import type { Load, Order } from "./failover-load.ts";

export interface Shop {
  readonly key: string;
  readonly secret: string;
  readonly withdrawAddressId: string;
}

const shopCount = 2;
const amountRaw = 1_000_000_000_000n;
const scopes = [
  "webhooks:write",
  "payments:write",
  "currencies:write",
  "withdrawals:write",
  "withdraw_addresses:write",
  "payouts:write",
] as const;

export type Scene = Awaited<ReturnType<typeof openScene>>;

export async function openScene(databaseUrl: string) {
  // What was opened is closed also where the next thing fails.
  await using begun = new AsyncDisposableStack();
  const clock = new LaterClock();
  const log: LogLine[] = [];
  const receiver = new Receiver();
  await receiver.start();
  begun.defer(() => receiver.stop());
  const service = await startServer({
    configuration: parseConfiguration({
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      WITHDRAW_ADDRESS_COOLING_SECONDS: "0",
      WEBHOOK_HTTP_HOSTS: "127.0.0.1",
      NODE_ENV: "test",
    }),
    clock,
    log,
    chains: {},
    watching: watchedChains,
    quotas: endless,
    loopLimits: { ...loopLimits, backOffMilliseconds: 50, backOffMillisecondsMax: 400 },
  });
  begun.defer(service.close);
  const text = catalogWithLocalChain(shippedCatalogText);
  await service.operator.applyCatalog({ name: catalogPath, text }, { isDryRun: false });
  const shops: Shop[] = [];
  for (let count = 0; count < shopCount; count++) shops.push(await openShop(service, receiver));
  service.startWork();
  const opened = begun.move();
  return {
    url: service.url,
    shops,
    newShop: () => openShop(service, receiver),
    query: queryOf(service.database),
    log,
    untilDelivered: (url: string) => untilDelivered(url, clock),
    faultsOf: (load: Load, url: string) => faultsOf(load, receiver, url),
    close: () => opened.disposeAsync(),
  };
}

/** A merchant with money, an address to send it to, and an endpoint for all events. */
async function openShop(
  service: Awaited<ReturnType<typeof startServer>>,
  receiver: Receiver,
): Promise<Shop> {
  const { merchants, apiKeys } = service.operator;
  const { id: merchantId } = await merchants.create("Shop");
  const cidrs = ["127.0.0.0/8"];
  const wish = { merchantId, environment: "test", scopes, cidrs, expiresAt: null } as const;
  const created = await apiKeys.create(wish);
  const credentials = { key: created.key.id, secret: created.secret };
  const acceptance = { currencies: { [usd.currencyId]: { chain_ids: [usd.chainId] } } };
  const path = "/v1/currency-acceptance";
  await call(service, credentials, { method: "PUT", path, body: acceptance });
  const endpoint = { url: receiver.urlOf(credentials.key), event_types: ["*"] };
  const registering = { method: "POST", path: "/v1/webhook-endpoints", body: endpoint } as const;
  const registered = await call(service, credentials, registering);
  // As the contract has it.
  receiver.trust(credentials.key, (JSON.parse(registered) as { secret: string }).secret);
  await fund(queryOf(service.database), credentials.key, {
    deploymentId: usd.deploymentId,
    amountRaw,
  });
  const withdrawAddressId = await make(service, credentials, {
    path: "/v1/withdraw-addresses",
    body: { chain_id: usd.chainId, address: newAddress(), label: "vault" },
  });
  return { ...credentials, withdrawAddressId };
}

/**
 * What nobody has recorded is sent again when its claim has run out, and what was refused when its time has come: the clock
 * goes there as soon as nothing is under way.
 */
function untilDelivered(url: string, clock: LaterClock): Promise<void> {
  clock.lateness += claimMilliseconds;
  return usingDatabase(url, async (query) => {
    const isDone = async () => {
      const now = clock.now();
      const [row] = await query(
        `select min(next_attempt_at) as next,
          bool_or(next_attempt_at <= $1::timestamptz or claim_expires_at > $1::timestamptz) as is_moving
        from webhook_deliveries where status = 'pending'`,
        [now],
      );
      const { next, is_moving: isMoving } = row ?? {};
      if (!(next instanceof Date)) return true;
      if (isMoving !== true) clock.lateness += next.getTime() - now.getTime();
      return false;
    };
    await vi.waitUntil(isDone, { timeout: patienceMilliseconds, interval: tickMilliseconds });
  });
}

/** One sentence for each. */
async function faultsOf(load: Load, receiver: Receiver, url: string): Promise<readonly string[]> {
  return usingDatabase(url, async (query, database) => {
    const faults: string[] = [];
    const compare = async (what: string, orders: readonly Order[]) => {
      const rows = await numbered(query, what);
      faults.push(...orderFaults(what, orders, rows));
    };
    await compare("payments", load.payments);
    await compare("withdrawals", load.withdrawals);
    await compare("withdraw_addresses", load.addresses);
    await checkSequences({
      rows: async <Row>(text: string) => (await query(text, [])) as readonly Row[],
      complain: (problem) => void faults.push(problem),
    });
    const { problems } = await new Audit({ database }).verify();
    return [
      ...faults,
      ...problems,
      ...(await webhookFaults({ receiver, url })),
      ...(await ledgerFaults(url)),
    ];
  });
}

const numbersOf: Readonly<Record<string, string>> = {
  payments: "select merchant_order_no as number, id from payments",
  withdrawals: "select idempotency_key as number, id from withdrawals",
  withdraw_addresses: "select label as number, id from withdraw_addresses where label <> 'vault'",
};

async function numbered(query: Query, table: string) {
  const rows = await query(numbersOf[table] ?? "", []);
  return rows.map(({ number, id }) => ({ number: String(number), id: String(id) }));
}

/** Of everything that the load makes, on one server. */
export function numbersOn(url: string): Promise<ReadonlySet<string>> {
  return usingDatabase(url, async (query) => {
    const rows = await Promise.all(Object.keys(numbersOf).map((table) => numbered(query, table)));
    return new Set(rows.flat().map(({ number }) => number));
  });
}

async function usingDatabase<Result>(
  url: string,
  use: (query: Query, database: OpenedDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await openPostgres({ url, connectionsMax: 2 });
  try {
    return await use(queryOf(database), database);
  } finally {
    await database.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

function queryOf({ run }: Pick<OpenedDatabase, "run">): Query {
  // the empty name: not kept as a prepared statement
  return (sql, values) =>
    run<readonly unknown[], Row>({ name: "", text: sql, list: (given) => given }, values);
}

/** The machine's time, and later where a test wants it. */
class LaterClock {
  lateness = 0;
  readonly now = (): Date => new Date(this.nowMilliseconds());
  readonly nowMilliseconds = (): number => Date.now() + this.lateness;
  readonly monotonicMilliseconds = (): number => performance.now();
}
