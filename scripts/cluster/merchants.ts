// Who takes part: merchants that an operator has made, and the money that they withdraw from.

import { readFileSync } from "node:fs";
import { openService } from "../../adapters/assembly/service.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import { type AdminRequest, runAdmin } from "../../adapters/operator/command.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { call, make } from "../bench/service/shops.ts";
import type { Credentials } from "../client/canonical.ts";
import { coin, usd } from "../client/tool/test-usd.ts";
import type { Receiver } from "./receiver.ts";
import type { Service } from "./services.ts";

export interface Merchant extends Credentials {
  /** as the operator has it */
  readonly id: string;
  /** where it sends its requests */
  readonly service: Service;
}

export interface Merchants {
  readonly all: readonly Merchant[];
  /** one for each service, with the address that its money may be sent to, and a key of its own for that */
  readonly rich: readonly (Merchant & { readonly withdrawAddressId: string })[];
  /** who hands in what buyers have signed, by a key of its own for that; their events are sent */
  readonly settling: readonly Merchant[];
}

/** An operator's command. @returns its output */
export type Admin = (words: readonly string[], file?: AdminRequest["file"]) => Promise<string>;

/** Beside the services, on the server that leads. */
export async function withAdmin<Result>(
  environment: Readonly<Record<string, string>>,
  url: string,
  use: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const database = await openPostgres({ url, connectionsMax: 2 });
  try {
    const { operator } = await openService(
      parseConfiguration({ ...environment, DATABASE_URL: url }),
      { clock: systemClock, log: buildLogger("silent", { write: () => undefined }), database },
    );
    return await use(async (words, file) => {
      const request = file === undefined ? { words } : { words, file };
      const { exitCode, output, errors } = await runAdmin(request, operator);
      if (exitCode !== 0) throw new Error(`admin ${words.join(" ")}: ${errors}${output}`);
      return output;
    });
  } finally {
    await database.close();
  }
}

const catalog = new URL("../../adapters/catalog/catalog.json", import.meta.url);
const local = { chain_ids: [usd.chainId] };
const acceptance = { currencies: { [usd.currencyId]: local, [coin.currencyId]: local } };

interface Opening {
  readonly services: readonly Service[];
  readonly count: number;
  /** where the rich want their money */
  readonly vault: string;
  readonly receiver: Receiver;
}

/** Half of the merchants use one service, half the other. */
export async function openMerchants(
  admin: Admin,
  { services, count, vault, receiver }: Opening,
): Promise<Merchants> {
  const text = catalogWithLocalChain(readFileSync(catalog, "utf8"));
  await admin(["catalog", "apply", "catalog.json"], { name: "catalog.json", text });
  const all: Merchant[] = [];
  for (let number = 0; number < count; number++) {
    const service = services[number % services.length];
    if (service === undefined) throw new Error("there is no service");
    const id = idIn(await admin(["merchant", "create", "--name", `Shop ${number}`]));
    const credentials = await issueKey(admin, id, scopes);
    const path = "/v1/currency-acceptance";
    await call(service, credentials, { method: "PUT", path, body: acceptance });
    if (number < listeningMax) await listen(receiver, { id, service, ...credentials });
    all.push({ id, service, ...credentials });
  }
  const rich = await Promise.all(
    all.slice(0, services.length).map(async ({ id, service }) => {
      const credentials = await issueKey(admin, id, scopes);
      const body = { chain_id: usd.chainId, address: vault, label: "vault" };
      const path = "/v1/withdraw-addresses";
      const withdrawAddressId = await make(service, credentials, { path, body });
      return { id, service, ...credentials, withdrawAddressId };
    }),
  );
  const settling: Merchant[] = [];
  for (const { id, service } of all.slice(0, settlingMax)) {
    settling.push({ id, service, ...(await issueKey(admin, id, settlingScopes)) });
  }
  return { all, rich, settling };
}

const settlingMax = 4;
const settlingScopes = ["payments:write", "x402:settle", "x402:usage"];

/** The events of all would be most of what there is to do. */
const listeningMax = 8;

/** All events of the merchant go to an endpoint of its own. */
async function listen(receiver: Receiver, { service, ...credentials }: Merchant): Promise<void> {
  const { key } = credentials;
  const body = { url: receiver.urlOf(key), event_types: ["*"] };
  const registering = { method: "POST", path: "/v1/webhook-endpoints", body } as const;
  const registered = await call(service, credentials, registering);
  // As the contract has it.
  const { secret } = JSON.parse(registered) as { secret: string };
  receiver.trust(key, secret);
}

const scopes = [
  "webhooks:write",
  "payments:write",
  "currencies:write",
  "withdrawals:write",
  "withdraw_addresses:write",
];

function idIn(output: string): string {
  const id = /mer_\w+/.exec(output)?.[0];
  if (id === undefined) throw new Error(`no merchant in: ${output}`);
  return id;
}

async function issueKey(
  admin: Admin,
  id: string,
  allowed: readonly string[],
): Promise<Credentials> {
  const given = ["--merchant", id, "--scopes", allowed.join(",")];
  const issued = await admin(["key", "create", ...given]);
  const key = /mk_test_\w+/.exec(issued)?.[0];
  const secret = /sk_test_[\w-]+/.exec(issued)?.[0];
  if (key === undefined || secret === undefined) throw new Error(`no key in: ${issued}`);
  return { key, secret };
}
