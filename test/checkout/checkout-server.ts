// A server with the checkout page, on chains that a test mines, with a clock that only it moves.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Clock, systemClock } from "../../adapters/system/clock.ts";
import { buildApplication } from "../../adapters/http/application.ts";
import { type AssemblyPorts, openService } from "../../adapters/assembly/service.ts";
import { readCheckoutFiles } from "../../adapters/http/checkout-files.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { buildHttpServer } from "../../adapters/http/server.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { encodeQr } from "../../adapters/http/qr-code.ts";
import { buildCheckoutRoutes } from "../../handlers/checkout/checkout-routes.ts";
import type { StreamLimits } from "../../handlers/checkout/event-streams.ts";
import { buildEdge } from "../../handlers/edge.ts";
import { buildJudge } from "../../handlers/judge.ts";
import { TransportError } from "../../handlers/errors.ts";
import { buildHandlers } from "../../handlers/handlers.ts";
import type { Currency, Deployment } from "../../service/catalog/model.ts";
import type { Checkout } from "../../service/checkout/checkout.ts";
import { ChainHealth } from "../../service/chains/health.ts";
import { ChainWatcher } from "../../service/chains/watcher.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Environment } from "../../service/owner.ts";
import { expirePayments } from "../../service/payments/expiry.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { Payments } from "../../service/payments/payments.ts";
import type { PaymentOrder } from "../../service/payments/order.ts";
import type { Chain, DepositAddressSource } from "../../service/ports/chain.ts";
import type { Database } from "../../service/ports/database.ts";
import type { WantedQuote } from "../../service/payments/quotes.ts";
import { LeastAmounts } from "../../service/x402/gas-cost.ts";
import { x402OffersOf } from "../../service/x402/requirements.ts";
import { coinOn, currencyOf, finalAfter, tokenOn } from "../catalog/fixtures.ts";
import { putCatalog } from "../support/catalog.ts";
import { clockOf } from "../support/clock.ts";
import { ScriptedAddressSource } from "../support/scripted-signer.ts";
import { drain } from "../chains/watching.ts";
import { buildServiceParts, query, TestClock } from "../support/service-parts.ts";
import { plainOrder } from "../payments/orders.ts";
import { patienceMilliseconds } from "../support/patience.ts";

export const base = "eip155:8453";
export const ethereum = "eip155:1";
/** In the catalog, and read by nobody. */
export const optimism = "eip155:10";
export const usdcOnBase = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const confirmations = 3;
/** our settlement account on Base */
export const payTo = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";

const eip3009 = {
  scope: "x402",
  key: "eip3009",
  status: "supported",
  parameters: { domain_name: "USD Coin", domain_version: "2" },
  delivery: { mode: "native" },
} as const;

function usdcOn(chain: number, id: string, contractAddress: string): Deployment {
  return tokenOn(chain, contractAddress, {
    id,
    // a million, so that what counts as dust is below any price here
    capabilities: [finalAfter(confirmations, "1000000000000"), eip3009],
  });
}

const catalog: readonly Currency[] = [
  currencyOf(
    "cur_usdc",
    [
      usdcOn(8453, "dep_usdc_base", usdcOnBase),
      usdcOn(1, "dep_usdc_ethereum", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
      usdcOn(10, "dep_usdc_optimism", "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"),
    ],
    { name: "USD Coin", assetClass: "stablecoin", accountingDecimals: 2 },
  ),
  currencyOf(
    "cur_eth",
    [coinOn(8453, { id: "dep_eth_base", capabilities: [finalAfter(confirmations)] })],
    {
      name: "Ether",
    },
  ),
];

export interface CheckoutOptions {
  readonly database: OpenedDatabase;
  readonly chains: readonly Chain[];
  readonly source?: DepositAddressSource;
  readonly catalog?: readonly Currency[];
  readonly streamLimits?: Partial<StreamLimits>;
  /** requests of an address in a minute; a test sends more than any customer */
  readonly requestsMax?: number;
  /** the clock of the machine, for chains that go by it */
  readonly isClockReal?: boolean;
  /** the same chains, with our accounts: what is signed there is settled */
  readonly settling?: Pick<AssemblyPorts, "settlementChains" | "actionSigner">;
  /** whose `X-Forwarded-For` counts */
  readonly trustedProxies?: string;
}

export interface PaymentWish extends Partial<PaymentOrder> {
  readonly merchantName?: string;
  readonly environment?: Environment;
}

export interface MadePayment {
  readonly id: string;
  readonly token: string;
  readonly url: string;
}

export const usdc: WantedQuote = { currencyId: "cur_usdc", amount: "25", chainIds: [base] };
export const eth: WantedQuote = { currencyId: "cur_eth", amount: "0.01", chainIds: null };

export type CheckoutServer = Awaited<ReturnType<typeof startCheckout>>;

export async function startCheckout(options: CheckoutOptions) {
  const { database, chains, requestsMax = 1_000_000 } = options;
  const testClock = new TestClock();
  const nowMilliseconds = options.isClockReal === true ? Date.now : testClock.nowMilliseconds;
  const clock = { ...systemClock, ...clockOf(nowMilliseconds) };
  const configuration = parseConfiguration({
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    NODE_ENV: "test",
    TRUSTED_PROXIES: options.trustedProxies,
  });
  const lines: string[] = [];
  const log = buildLogger("trace", { write: (line: string) => lines.push(line) });
  let url = "";
  const service = await openService(configuration, {
    clock,
    log,
    database,
    chains,
    ...options.settling,
    quotas: { checkout: requestsMax },
    ownUrl: () => url,
    depositSources: { evm: options.source ?? new ScriptedAddressSource() },
  });
  await putCatalog({ database, clock }, options.catalog ?? catalog);
  const { authentication, clientAddress, ids, checkHealth } = service;
  const judge = buildJudge(service.rules);
  const edge = buildEdge({
    clock,
    ids,
    log,
    authentication,
    clientAddress,
    judge,
    checkAnswers: true,
  });
  const noting = notingReads(service.checkout.checkout);
  const pages = buildCheckoutRoutes({
    ...service.checkout,
    checkout: noting.checkout,
    clock,
    encodeQr,
    assets: readCheckoutFiles(),
    readX402Offers: (payment) => {
      if (options.settling !== undefined) return service.checkout.readX402Offers(payment);
      const settlementAddresses = new Map([[base, payTo]]);
      const { catalog } = service.rules;
      const least = new LeastAmounts({ clock, chains: [] });
      return x402OffersOf({ clock, database, catalog, settlementAddresses, least }, payment);
    },
    onError: (error) => log.error({ err: error }, "checkout"),
    streamLimits: { lookMilliseconds: 50, ...options.streamLimits },
  });
  const application = buildApplication({
    handlers: buildHandlers(service.rules),
    edge,
    isReady: () => true,
    checkHealth,
    meet: (state) => authentication.meet(state.clientAddress),
    moreRoutes: pages.routes,
  });
  const http = buildHttpServer({
    application,
    edge,
    connections: { clock, log, trustedProxies: [] },
    transportError: (code, message, violations) => new TransportError(code, message, violations),
  });
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  // It listens on a port, so it has an address of this form.
  url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  const parts = buildServiceParts(database, testClock);
  const progress = new PaymentProgress(parts);
  const watchers = chains.map((chain) => {
    const onTouched = (inside: Database, ids: readonly string[]) => progress.refresh(inside, ids);
    return new ChainWatcher({ database, clock, catalog: service.rules.catalog, chain, onTouched });
  });
  const expiry = expirePayments({
    database,
    clock,
    progress,
    health: new ChainHealth({ database, clock }),
    connectedChainIds: chains.map(({ chainId }) => chainId),
  });
  return {
    url,
    clock: testClock,
    database,
    pages,
    /** lines of the log, as they were written */
    lines,
    /** the tokens of each question about all open pages */
    reads: noting.reads,
    /** those of pages that were read before */
    readsAgain: noting.readsAgain,
    failReads: noting.failReads,
    holdReads: noting.holdReads,
    until,
    /** Reads the chains, and does what follows. */
    watch: async () => {
      for (const watcher of watchers) await drain(watcher);
    },
    expire: () => drain(expiry),
    newPayment: (wish: PaymentWish = {}) => newPayment({ ...options, service, clock, url }, wish),
    close: async () => {
      pages.close();
      http.server.closeAllConnections();
      http.server.close();
      await once(http.server, "close");
      await service.close();
    },
  };
}

function newHold() {
  return {
    reached: Promise.withResolvers<undefined>(),
    released: Promise.withResolvers<undefined>(),
  };
}

/** The same rules, noting the tokens of each question about all open pages. */
function notingReads(checkout: Checkout) {
  const reads: (readonly string[])[] = [];
  const readsAgain: (readonly string[])[] = [];
  let isFailing = false;
  let hold: ReturnType<typeof newHold> | undefined;
  /** What is read from now on is given when it is let go. */
  const holdReads = () => {
    const held = newHold();
    hold = held;
    const release = () => {
      hold = undefined;
      held.released.resolve(undefined);
    };
    return { reached: held.reached.promise, release };
  };
  const noted =
    (list: (readonly string[])[], read: Checkout["readMany"]): Checkout["readMany"] =>
    (tokens) => {
      if (tokens.length > 0) list.push(tokens);
      if (isFailing) return Promise.reject(new ServiceError("service_unavailable", "away"));
      return read(tokens).then(async (found) => {
        hold?.reached.resolve(undefined);
        await hold?.released.promise;
        return found;
      });
    };
  const readMany = noted(reads, (tokens) => checkout.readMany(tokens));
  const readAgain = noted(readsAgain, (tokens) => checkout.readAgain(tokens));
  const noting = new Proxy(checkout, {
    get: (target, name) => {
      if (name === "readMany") return readMany;
      if (name === "readAgain") return readAgain;
      const value: unknown = Reflect.get(target, name, target);
      // Its methods look into private fields, which a proxy has not.
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    reads,
    readsAgain,
    holdReads,
    checkout: noting,
    failReads: (isOn: boolean) => (isFailing = isOn),
  };
}

/** Looks every 10 ms. */
async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + patienceMilliseconds;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error("it did not happen");
    await wait(10);
  }
}

interface MakingParts extends CheckoutOptions {
  readonly clock: Clock;
  readonly service: Awaited<ReturnType<typeof openService>>;
  readonly url: string;
}

let orders = 0;

async function newPayment(
  { service, database, clock, url, catalog: offered }: MakingParts,
  { merchantName = "Alpine Coffee Roasters", environment = "live", ...order }: PaymentWish,
): Promise<MadePayment> {
  const { id: merchantId } = await service.operator.merchants.create(merchantName);
  const owner = { merchantId, environment };
  await query(database)`insert into currency_acceptances
    select ${merchantId}, ${environment}, 1, version, now() from catalog`;
  await query(database)`insert into accepted_chains
    select ${merchantId}, ${environment}, 1, currency_id, chain_id from deployments`;
  orders += 1;
  // Made while all chains of the catalog were watched.
  const everywhere = (offered ?? catalog).flatMap(({ deployments }) =>
    deployments.map(({ chainId }) => chainId),
  );
  const payments = new Payments({
    ...buildServiceParts(database),
    clock,
    catalog: service.rules.catalog,
    publicUrl: () => url,
    watchedChainIds: new Set(everywhere),
  });
  const made = await payments.createInTransaction(database, owner, {
    merchantOrderNo: `A-${1000 + orders}`,
    quotes: [usdc],
    ...plainOrder,
    ...order,
  });
  const token = made.checkoutUrl.slice(made.checkoutUrl.lastIndexOf("/") + 1);
  return { id: made.id, token, url: `${url}/checkout/${token}` };
}

/** As text for people: what is there without any markup. */
export function textOf(markup: string): string {
  return markup
    .replaceAll(/<(head|script|svg)\b[\s\S]*?<\/\1>/g, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'")
    .trim();
}
