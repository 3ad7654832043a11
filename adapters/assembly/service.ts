// Puts the service together: database, keys, rules, and what works in the background. Without the
// HTTP side, so that the server, the operator's commands and the tests all use the same one.

import { randomFillSync } from "node:crypto";
import type { WatchedAccounts } from "../../service/chains/deposits.ts";
import { Acceptance } from "../../service/catalog/acceptance.ts";
import { ApiKeys } from "../../service/merchants/api-keys.ts";
import { Audit } from "../../service/audit/audit.ts";
import { Authentication } from "../../service/merchants/authentication.ts";
import { parseCatalogFile } from "../../service/catalog/file.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import type { Cursors } from "../../service/cursor.ts";
import type { DepositAddressPorts } from "../../service/addresses/deposit-addresses.ts";
import { Dispatcher } from "../../service/webhooks/dispatcher.ts";
import { Idempotency } from "../../service/idempotency/idempotency.ts";
import { Jobs } from "../../service/jobs/jobs.ts";
import { LedgerOperations } from "../../service/ledger/operations.ts";
import { Merchants } from "../../service/merchants/merchants.ts";
import type { RecordingPorts } from "../../service/ports/recording.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Identifiers } from "../../service/ports/identifiers.ts";
import type { Random } from "../../service/ports/random.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import type { ActionSigner, IndexKeeper } from "../../service/ports/signer.ts";
import type { WatchedChains } from "../../service/ports/watched-chains.ts";
import type { WebhookSender } from "../../service/ports/webhook-sender.ts";
import { Payments } from "../../service/payments/payments.ts";
import { PayoutSchedules } from "../../service/payouts/schedules.ts";
import { SignerIdentity } from "../../service/addresses/signer-identity.ts";
import { SignerJournals } from "../../service/addresses/signer-journals.ts";
import { Subscriptions } from "../../service/subscriptions/subscriptions.ts";
import { findMissingKeys, resealEverything } from "../../service/secrets/resealing.ts";
import { Sealer } from "../../service/secrets/sealing.ts";
import type { SealingRing } from "../../service/secrets/sealing.ts";
import { ping } from "../../service/database/health.ts";
import type { Monitoring } from "../../service/monitoring/monitoring.ts";
import { WebhookDeliveries } from "../../service/webhooks/deliveries.ts";
import { WebhookEndpoints } from "../../service/webhooks/endpoints.ts";
import { WebhookResending } from "../../service/webhooks/resending.ts";
import { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import { WithdrawalPolicy } from "../../service/withdrawals/policy.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { Debts } from "../../service/suspense/debts.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { Withdrawals } from "../../service/withdrawals/withdrawals.ts";
import { addressRanges } from "../system/address-ranges.ts";
import { buildAlarm } from "../system/alarm.ts";
import type { Alarm } from "../system/alarm.ts";
import type { Operator } from "../operator/command.ts";
import { rehearsing } from "../operator/rehearsal.ts";
import type { AdminFile } from "../operator/words.ts";
import { buildChainMoney, ownAccountsOf, warnOfTreasury } from "./money.ts";
import { buildChainOperator } from "./operator.ts";
import type { ChainKnowledge, ConnectedChains } from "./chains.ts";
import type { Clock } from "../system/clock.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { WatchedSigner } from "./signer-jobs.ts";
import { buildAddressIndexes } from "./address-indexes.ts";
import { buildCheckout } from "./checkout.ts";
import { buildCursors, coolingOf, publicUrlOf, urlPolicyOf } from "./configured.ts";
import type { Cell } from "../../service/cell.ts";
import type { CheckoutParts } from "./checkout.ts";
import { missingForPayments } from "../../service/checkout/first-payment.ts";
import { applyFirstCatalog, buildReadMissing } from "./first-payment.ts";
import type { FirstCatalogOptions } from "./first-payment.ts";
import type { Missing } from "../../service/checkout/first-payment.ts";
import { databasePlaceOf } from "./database-place.ts";
import { openDatabase } from "../database/open.ts";
import type { OpenedDatabase } from "../database/session.ts";
import { DispatcherLoop } from "../webhooks/dispatcher-loop.ts";
import type { LoopLimits } from "../webhooks/dispatcher-loop.ts";
import { EncryptionKeyError, openSealingRing } from "../configuration/encryption-key.ts";
import { buildIdentifiers } from "../system/identifiers.ts";
import { buildLeases } from "./job-leases.ts";
import { JobLoop } from "./job-loop.ts";
import type { Logger } from "../system/logging.ts";
import { buildMonitoring, databaseObserver, observed, observedChains } from "./observed.ts";
import type { Observers } from "./observed.ts";
import { systemRandom } from "../system/random.ts";
import { buildRateLimits } from "../http/rate-limits.ts";
import type { RateLimitOptions } from "../http/rate-limits.ts";
import { backgroundJobs } from "./jobs.ts";
import { stopLoops } from "./stop-loops.ts";
import { buildClientAddress } from "../http/trusted-proxies.ts";
import type { Forwarded } from "../http/trusted-proxies.ts";
import { wakingDatabase } from "./waking-database.ts";

export interface AssemblyPorts extends Observers {
  readonly clock: Clock;
  readonly log: Logger;
  /** in place of the configured one; stays open when the service closes */
  readonly database?: OpenedDatabase;
  /** in place of the published ones */
  readonly quotas?: RateLimitOptions["quotas"];
  /** with none, webhooks are sent to whom they are for */
  readonly sender?: WebhookSender;
  readonly loopLimits?: LoopLimits;
  /** for a server: a database that never had a catalog gets the shipped one */
  readonly firstCatalog?: FirstCatalogOptions;
  /** where the server listens, for links to itself where no PUBLIC_URL is configured */
  readonly ownUrl?: () => string;
  /** in place of what follows: connects the chains, once the database is open */
  readonly connectChains?: (knowledge: ChainKnowledge) => Promise<ConnectedChains | undefined>;
  /** in place of `chains`, for a process that only looks: called where somebody wants it */
  readonly readChains?: (knowledge: ChainKnowledge) => Promise<readonly Chain[]>;
  /** the chains that are watched; with none, no job about chains runs */
  readonly chains?: readonly Chain[];
  /** CAIP-2, in place of those of `chains`, for a process that does not watch them itself */
  readonly watching?: readonly string[];
  /** those of `chains` that money is sent on, and on which x402 settles */
  readonly settlementChains?: readonly SettlementChain[];
  /** keys for all that is sent; with none, withdrawals wait */
  readonly actionSigner?: ActionSigner;
  /** in place of how long a settlement usually waits for its chain */
  readonly settling?: { readonly settleWaitMilliseconds: number };
  /** makes the addresses of payments, by family; with none, no payment gets one */
  readonly depositSources?: DepositAddressPorts["sources"];
  /** remembers how many addresses were given; with none, the database alone does */
  readonly indexKeeper?: IndexKeeper;
  /** whose identity and journal are watched; with none, nobody's */
  readonly signer?: WatchedSigner;
}

/** What the handlers are built with. */
type Rules = ReturnType<typeof buildRules> & Pick<ReturnType<typeof buildChainMoney>, "x402">;

export interface OpenedService {
  readonly database: Database;
  readonly ids: Identifiers;
  readonly rules: Rules;
  readonly checkout: CheckoutParts;
  readonly authentication: Authentication;
  readonly clientAddress: (request: Forwarded) => string | undefined;
  readonly operator: Operator;
  /** Throws `service_unavailable` when the database does not answer. */
  readonly checkHealth: () => Promise<void>;
  /** What there has to be before a first payment can be taken. */
  readonly readMissing: () => Promise<readonly Missing[]>;
  /** Begins to send webhooks and to run the jobs. */
  readonly startWork: () => void;
  /** Begins nothing more of it from the call on, and waits a while for what is under way. */
  readonly stopWork: () => Promise<void>;
  /** Ends the work and closes the database, in this order. */
  readonly close: () => Promise<void>;
}

/** The database first: its lock on the data folder also guards the key file in there. */
export async function openService(
  configuration: Configuration,
  ports: AssemblyPorts,
): Promise<OpenedService> {
  const opened = ports.database ?? (await openConfigured(configuration, ports));
  try {
    const ring = openSealingRing(configuration);
    await checkSealingKeys(opened, new Sealer(ring, systemRandom));
    const catalog = new CatalogReader({ database: opened, cursors: buildCursors(ring) });
    if (ports.firstCatalog !== undefined) {
      await applyFirstCatalog({ ...ports, database: opened }, ports.firstCatalog);
    }
    const connected = await ports.connectChains?.({ database: opened, catalog });
    const sender = ports.sender ?? (await openSender(configuration, ports));
    const chainPorts = observedChains(ports, chainPortsOf(connected));
    const withChains = { ...ports, ...chainPorts, sender: observed(ports).sender(sender) };
    const wish = { ...ports, database: opened, configuration: configuration.chains };
    try {
      await rememberOwnAccounts(wish, ownAccountsOf({ ...wish, ...withChains }));
      if (connected !== undefined) await warnOfTreasury(wish);
    } catch (error) {
      await connected?.close();
      throw error;
    }
    return assemble({ configuration, ports: withChains, opened, ring, connected });
  } catch (error) {
    if (ports.database === undefined) await opened.close();
    throw error;
  }
}

function openConfigured(configuration: Configuration, ports: AssemblyPorts) {
  const place = databasePlaceOf(configuration, ports.log, ports.metrics?.database.onNews);
  return openDatabase(place, databaseObserver(ports));
}

/** Only where it is wanted: HTTP brings much along, and an operator's command sends nothing. */
async function openSender(
  { webhookHttpHosts: allowedHttpHosts, webhookBlockedRanges: blockedRanges }: Configuration,
  { clock }: AssemblyPorts,
): Promise<WebhookSender> {
  const { buildResolve, buildWebhookSender } = await import("../webhooks/sender.ts");
  return buildWebhookSender({ clock, resolve: buildResolve(), allowedHttpHosts, blockedRanges });
}

function chainPortsOf(connected: ConnectedChains | undefined): Partial<AssemblyPorts> {
  if (connected === undefined) return {};
  const { chains, signer, depositSources } = connected;
  const keys = { actionSigner: signer, indexKeeper: signer, signer };
  return { chains, settlementChains: chains, depositSources, ...keys };
}

/** Better at the start than with the first merchant's request. */
async function checkSealingKeys(database: Database, sealer: Sealer): Promise<void> {
  const missing = await findMissingKeys({ database, sealer });
  if (missing.length === 0) return;
  throw new EncryptionKeyError(
    `The database holds secrets sealed under an encryption key that is not given (id ${missing.join(", ")}).\n` +
      "Start with the ENCRYPTION_KEY they were sealed with, or name it in ENCRYPTION_KEYS_OLDER.",
  );
}

interface Parts {
  readonly configuration: Configuration;
  readonly ports: AssemblyPorts & Required<Pick<AssemblyPorts, "sender">>;
  readonly opened: OpenedDatabase;
  readonly ring: SealingRing;
  readonly connected: ConnectedChains | undefined;
}

/** What nearly every rule asks for. */
interface Common extends RecordingPorts, WatchedChains {
  readonly random: Random;
  readonly sealer: Sealer;
  readonly cell: Cell;
}

const strangeProxy =
  "a peer sends X-Forwarded-For and is not in TRUSTED_PROXIES: its clients count as one";

function assemble({ configuration, ports, opened, ring, connected }: Parts): OpenedService {
  const { clock, log, quotas } = ports;
  const fillRandom = (bytes: Uint8Array): void => void randomFillSync(bytes);
  const identifiers = buildIdentifiers({ clock, fillRandom });
  const sealer = new Sealer(ring, systemRandom);
  const { chains = [], settlementChains = [], actionSigner } = ports;
  const watchedChainIds = new Set(ports.watching ?? chains.map(({ chainId }) => chainId));
  const { cell, processes } = configuration;
  const outside = { clock, random: systemRandom, identifiers, sealer, watchedChainIds, cell };
  const seen = observed(ports);
  const counted = seen.database(opened);
  const loop = buildLoop({ configuration, ports, common: { ...outside, database: counted } });
  const database = wakingDatabase(counted, () => loop.wake());
  const common = { ...outside, database };
  const limits = buildRateLimits({ processes, ...(quotas && { quotas }) });
  const rulesOn = rulesOf(common, { configuration, ports, cursors: buildCursors(ring) });
  const ruled = rulesOn(database);
  const told = { log, alarm: buildAlarm({ log, clock, onTold: seen.onAlarm }), ...seen.money };
  const addresses = buildAddressIndexes({ ...ports, ...common, ...told, ...ruled });
  const money = buildChainMoney({
    ...common,
    ...ports.settling,
    ...told,
    catalog: ruled.catalog,
    settlementChains,
    actionSigner,
    configuration: configuration.chains,
  });
  const rules: Rules = { ...ruled, x402: money.x402 };
  const background = backgroundJobs({
    ...common,
    ...rules,
    ...told,
    ...seen.background,
    chains,
    settlementChains: actionSigner === undefined ? [] : settlementChains,
    ownAccounts: money.accounts,
    watchedAccounts: money.watched,
  });
  const publicUrl = publicUrlOf(configuration, ports);
  const jobs = new Jobs(common, [...background, ...money.jobs, ...addresses.jobs]);
  const leases = buildLeases(configuration, { ...common, chains, actionSigner, log });
  const jobLoop = new JobLoop({ jobs: seen.jobs(jobs), log, leases });
  const monitoring = buildMonitoring(ports, { ...common, jobs });
  const operated = { jobs, monitoring, rulesOn, ports, accounts: money.watched, ...told };
  return {
    database: common.database,
    ids: identifiers,
    rules,
    checkout: buildCheckout({ ...common, ...rules, ...ports, ...addresses, limits }, publicUrl),
    authentication: new Authentication({ ...common, limits, ranges: addressRanges }),
    clientAddress: buildClientAddress(configuration.trustedProxies, (peer) =>
      log.warn({ peer }, strangeProxy),
    ),
    readMissing: buildReadMissing(common),
    operator: buildOperator(common, operated),
    checkHealth: async () => void (await opened.run(ping, {})),
    startWork: () => {
      loop.start();
      jobLoop.start();
    },
    stopWork: () => stopLoops({ loop, jobLoop, log }),
    close: async () => {
      await stopLoops({ loop, jobLoop, log });
      await connected?.close();
      if (ports.database === undefined) await opened.close();
    },
  };
}

interface RuleParts extends Pick<Parts, "configuration" | "ports"> {
  readonly cursors: Cursors;
}

/** On any database, such as a transaction. */
function rulesOf(common: Common, parts: RuleParts) {
  return (database: Database) => buildRules({ ...common, database }, parts);
}

function buildRules(common: Common, { configuration, ports, cursors }: RuleParts) {
  const { database } = common;
  const catalog = new CatalogReader({ database, cursors });
  const publicUrl = publicUrlOf(configuration, ports);
  const payments = new Payments({ ...common, catalog, publicUrl });
  return {
    webhookEndpoints: new WebhookEndpoints({ ...common, urlPolicy: urlPolicyOf(configuration) }),
    webhookDeliveries: new WebhookDeliveries(common),
    catalog,
    acceptance: new Acceptance({ ...common, catalog }),
    idempotency: new Idempotency({ ...common, onReplayed: observed(ports).onReplayed }),
    withdrawAddresses: new WithdrawAddresses({
      ...common,
      coolingMilliseconds: coolingOf(configuration),
    }),
    withdrawals: new Withdrawals(common),
    payments,
    payoutSchedules: new PayoutSchedules({ ...common, cursors }),
    subscriptions: new Subscriptions({ ...common, payments }),
  };
}

interface LoopParts extends Pick<Parts, "configuration" | "ports"> {
  readonly common: Common;
}

function buildLoop({ configuration, ports, common }: LoopParts): DispatcherLoop {
  const { sender, log, loopLimits } = ports;
  const seen = observed(ports);
  const dispatcher = new Dispatcher({
    ...common,
    sender,
    urlPolicy: urlPolicyOf(configuration),
    onAttempted: seen.onAttempted,
    onUnreadableSecret: (endpoint_id, err) =>
      log.error({ endpoint_id, err }, "a webhook secret cannot be opened"),
  });
  return new DispatcherLoop({
    dispatcher: seen.dispatcher(dispatcher),
    log,
    ...(loopLimits === undefined ? {} : { limits: loopLimits }),
  });
}

interface OperatorParts extends Pick<Parts, "ports"> {
  readonly jobs: Jobs;
  readonly monitoring: Monitoring;
  readonly rulesOn: (database: Database) => ReturnType<typeof buildRules>;
  readonly alarm: Alarm;
  readonly accounts: WatchedAccounts;
}

function buildOperator(common: Common, parts: OperatorParts): Operator {
  const { jobs, monitoring, ports, alarm, accounts } = parts;
  const { database, clock, identifiers: ids } = common;
  const rules = parts.rulesOn(database);
  const { withdrawAddresses, subscriptions } = rules;
  const catalog = new CatalogWriter(common);
  return {
    clock,
    merchants: new Merchants({ database, clock, ids }),
    apiKeys: new ApiKeys({ ...common, ranges: addressRanges }),
    jobs,
    monitoring,
    audit: new Audit({ database }),
    signerIdentity: new SignerIdentity({ database, clock }),
    signerJournals: new SignerJournals({ database, clock }),
    withdrawalPolicy: new WithdrawalPolicy(common),
    ...buildChainOperator({ ...common, ...ports, ...rules, database, alarm, accounts }),
    withdrawAddresses,
    subscriptions,
    webhookResending: new WebhookResending(common),
    ledger: new LedgerOperations(common),
    suspense: new Suspense({ ...common, progress: new PaymentProgress(common) }),
    debts: new Debts(common),
    applyCatalog: async (file: AdminFile, options) =>
      await catalog.apply(parseCatalogFile(file.text, file.name), options),
    reseal: (options) => resealEverything(common, options),
    readMissing: () => missingForPayments(common),
    rehearse: rehearsing(database, (inside) =>
      buildOperator({ ...common, database: inside }, parts),
    ),
  };
}
