// What stands before the first round: two databases with the same merchants on one server, and a
// recording of what the service does for a request of one of them.

import assert from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openPostgres } from "../../../adapters/database/postgres.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { readWritten } from "./check.ts";
import type { Written } from "./check.ts";
import type { CreatingPlan } from "./contenders.ts";
import { recordStatements } from "./recording.ts";
import { buildScript } from "./script.ts";
import type { PgbenchScript } from "./script.ts";
import { makeServiceDatabase } from "../service/database.ts";
import { productionEnvironment } from "../service/environment.ts";
import { startBenchService } from "../service/service.ts";
import { call, openShops, orderBody } from "../service/shops.ts";

export interface Prepared {
  readonly serviceUrl: string;
  readonly pgbenchUrl: string;
  readonly plan: CreatingPlan;
  readonly script: PgbenchScript;
  /** what stands in both databases */
  readonly before: Written;
}

interface Wish {
  readonly merchants: number;
  /** where webhooks go; undefined: they are not sent */
  readonly receiver: Receiver | undefined;
}

export async function prepare(
  server: PostgresServer,
  { merchants, receiver }: Wish,
): Promise<Prepared> {
  const serviceUrl = await makeServiceDatabase(server);
  const production = productionEnvironment(serviceUrl);
  // Production sends nothing to receivers on this machine.
  const delivering = { NODE_ENV: "test", WEBHOOK_HTTP_HOSTS: "127.0.0.1" };
  const environment = receiver === undefined ? production : { ...production, ...delivering };
  const { shops, script } = await openAndRecord({
    environment,
    url: serviceUrl,
    webhookUrl: receiver?.url ?? "https://shop.example/hooks",
    count: merchants,
  });
  const before = await readWritten(serviceUrl);
  await server.execute("create database pgbench template service");
  const plan = { environment, shops, isDelivering: receiver !== undefined };
  return { serviceUrl, pgbenchUrl: server.url("pgbench"), plan, script, before };
}

interface SetUp {
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly webhookUrl: string;
  readonly count: number;
}

/** Merchants, and a recording of what a request of one of them does. */
async function openAndRecord({ environment, url, webhookUrl, count }: SetUp) {
  const database = await openPostgres({ url });
  const recorder = recordStatements(database);
  const quiet = { ...environment, LOG_LEVEL: "warn" };
  const service = await startBenchService(quiet, recorder.database);
  const shops = await openShops(service, { count, webhookUrl });
  const [shop] = shops;
  assert(shop !== undefined, "there is at least one merchant");
  const record = async (orderNumber: string) => {
    recorder.take();
    await call(service, shop, {
      method: "POST",
      path: "/v1/payments",
      body: orderBody(orderNumber),
    });
    return recorder.take();
  };
  await record("first"); // it brings the catalog into memory
  const [one, other] = [await record("second"), await record("third")];
  await service.close();
  await database.close();
  return { shops, script: buildScript(one, other, shops) };
}

export interface Receiver {
  readonly url: string;
  readonly received: () => number;
  readonly close: () => void;
}

/** Takes webhooks and counts them. */
export async function startReceiver(): Promise<Receiver> {
  let received = 0;
  const receiver = createServer((request, response) => {
    received++;
    request.resume();
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = receiver.address() as AddressInfo;
  const close = (): void => {
    receiver.closeAllConnections();
    receiver.close();
  };
  return { url: `http://127.0.0.1:${port}/hooks`, received: () => received, close };
}
