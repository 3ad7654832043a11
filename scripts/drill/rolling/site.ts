// What is restarted under load: two servers on one PostgreSQL with one signer, behind the balancer, and their merchants.

import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { catalogWithLocalChain } from "../../../adapters/local-chain/local-catalog.ts";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { startNode } from "../../bench/settle/node.ts";
import { type Admin, withAdmin } from "../../cluster/merchants.ts";
import { freePorts, type Part, waitUntil } from "../../cluster/parts.ts";
import { Receiver } from "../../cluster/receiver.ts";
import {
  commonEnvironment,
  isReady,
  logOf,
  servicePart,
  signerPart,
} from "../../cluster/services.ts";
import type { Credentials } from "../../client/canonical.ts";
import { signingFetch } from "../../client/signing-fetch.ts";
import { usd } from "../../client/tool/test-usd.ts";
import { type Balancer, findBalancer, type ServerName, startBalancer } from "./balancer.ts";
import type { Customer, LoadPlan, LoadResult } from "./plan.ts";

export interface Server {
  readonly name: ServerName;
  readonly url: string;
  readonly part: Part;
  readonly log: () => readonly string[];
}

export interface Site {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly servers: readonly Server[];
  readonly balancer: Balancer;
  readonly receiver: Receiver;
  readonly customers: readonly Customer[];
  readonly close: () => Promise<void>;
}

const settings = join(import.meta.dirname, "../../../docs/running/deploy/server.env");
const readySecondsMax = 60;
const listeningEvery = 5;
const catalog = join(import.meta.dirname, "../../../adapters/catalog/catalog.json");
const scopes = [
  "webhooks:write",
  "webhooks:read",
  "payments:write",
  "currencies:read",
  "currencies:write",
];

export async function openSite(folder: string, customerCount: number): Promise<Site> {
  const programs = findBalancer(process.env);
  const [plain = 0, front = 0, statistics = 0, one = 0, two = 0] = await freePorts(5);
  const node = await startNode();
  const receiver = new Receiver();
  await receiver.start();
  const postgres = await startPostgresServer({ isDurable: true });
  const databaseUrl = await makeDatabase(postgres);
  const signer = signerPart(folder);
  signer.start();
  const environment = {
    ...commonEnvironment(folder, node.url),
    DATABASE_URL: databaseUrl,
    ...shipped(["DRAIN_SECONDS", "PROCESSES"]),
    PUBLIC_URL: `https://127.0.0.1:${front}`,
    TRUSTED_PROXIES: "127.0.0.1/32",
  };
  const servers: Server[] = [];
  for (const [name, port] of [["payments1", one] as const, ["payments2", two] as const]) {
    const part = servicePart(name, folder, { ...environment, PORT: String(port) });
    const log = () => readFileSync(logOf(name, folder), "utf8").split("\n");
    const server = { name, url: `http://127.0.0.1:${port}`, part, log };
    part.start();
    await untilReady(server);
    servers.push(server);
  }
  const ports = { plain, front, statistics, servers: [one, two] } as const;
  const balancer = await startBalancer({ folder, programs }, ports);
  const customers = await withAdmin(environment, databaseUrl, (admin) =>
    openCustomers(admin, { servers, receiver, count: customerCount }),
  );
  const close = async () => {
    await Promise.all(servers.map(({ part }) => part.stop()));
    await Promise.all([signer.stop(), balancer.part.stop()]);
    await Promise.all([node.stop(), receiver.stop()]);
    await postgres.remove();
  };
  return { folder, databaseUrl, servers, balancer, receiver, customers, close };
}

export async function untilReady({ name, url }: Pick<Server, "name" | "url">): Promise<void> {
  await waitUntil(`${name} is ready`, () => isReady(url), readySecondsMax);
}

/** As operators are given it. */
function shipped(names: readonly string[]): Readonly<Record<string, string>> {
  const lines = readFileSync(settings, "utf8").split("\n");
  return Object.fromEntries(
    names.map((name) => {
      const line = lines.find((one) => one.startsWith(`${name}=`));
      if (line === undefined) throw new Error(`server.env does not say ${name}`);
      return [name, line.slice(name.length + 1)];
    }),
  );
}

async function makeDatabase(postgres: PostgresServer): Promise<string> {
  await postgres.execute("create role payments login");
  await postgres.execute("create database payments owner payments");
  const url = new URL(postgres.url("payments"));
  url.username = "payments";
  return url.href;
}

interface Opening {
  readonly servers: readonly Server[];
  readonly receiver: Receiver;
  readonly count: number;
}

async function openCustomers(admin: Admin, opening: Opening): Promise<readonly Customer[]> {
  const { servers, receiver, count } = opening;
  const text = catalogWithLocalChain(readFileSync(catalog, "utf8"));
  await admin(["catalog", "apply", "catalog.json"], { name: "catalog.json", text });
  const customers: Customer[] = [];
  for (let number = 0; number < count; number++) {
    const made = await admin(["merchant", "create", "--name", `Shop ${number}`]);
    const merchant = found(made, /mer_\w+/);
    const words = ["--merchant", merchant, "--scopes", scopes.join(",")];
    const issued = await admin(["key", "create", ...words]);
    const credentials = {
      key: found(issued, /mk_test_\w+/),
      secret: found(issued, /sk_test_[\w-]+/),
    };
    const url = servers[number % servers.length]?.url ?? "";
    const ask = (method: string, path: string, body: object) =>
      asked(credentials, `${url}${path}`, { method, body });
    const currencies = { [usd.currencyId]: { chain_ids: [usd.chainId] } };
    await ask("PUT", "/v1/currency-acceptance", { currencies });
    // The events of all would be most of what there is to do.
    const types = number % listeningEvery === 0 ? "*" : "withdrawal.confirmed";
    const hook = { url: receiver.urlOf(credentials.key), event_types: [types] };
    const registered = await ask("POST", "/v1/webhook-endpoints", hook);
    receiver.trust(credentials.key, String(registered["secret"]));
    customers.push({ ...credentials, endpointId: String(registered["id"]) });
  }
  return customers;
}

function found(text: string, form: RegExp): string {
  const [first] = form.exec(text) ?? [];
  if (first === undefined) throw new Error(`no ${form.source} in: ${text}`);
  return first;
}

/** A request that is answered well. @returns its body */
export async function asked(
  credentials: Credentials,
  url: string,
  { method, body }: { readonly method: string; readonly body?: object },
): Promise<Readonly<Record<string, unknown>>> {
  const response = await signingFetch(credentials)(url, {
    method,
    headers: {
      "Idempotency-Key": crypto.randomUUID(),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Readonly<Record<string, unknown>>; // as the contract has it
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

export interface RunningLoad {
  readonly stop: () => Promise<LoadResult>;
}

export async function startLoad(site: Site, perSecond: number): Promise<RunningLoad> {
  const { url, authority } = site.balancer;
  const plan: LoadPlan = { url, authority, perSecond, customers: site.customers };
  const [planFile, resultFile] = ["plan.json", "result.json"].map((name) =>
    join(site.folder, name),
  ) as [string, string];
  writeFileSync(planFile, JSON.stringify(plan));
  const child = fork(join(import.meta.dirname, "load.ts"), [planFile, resultFile]);
  const ended = once(child, "exit");
  await Promise.race([once(child, "message"), ended]);
  return {
    stop: async () => {
      child.send("stop");
      const [code] = (await ended) as [number | null];
      if (code !== 0) throw new Error(`the load ended with ${code}`);
      return JSON.parse(readFileSync(resultFile, "utf8")) as LoadResult; // it wrote it
    },
  };
}
