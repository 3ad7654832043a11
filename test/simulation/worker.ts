// One process of the service: everything that works in the background and everything that answers
// requests, on the database that all share. It may die at any step and is built anew then.

import { createHash } from "node:crypto";
import { addressRanges } from "../../adapters/system/address-ranges.ts";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";
import { ledgerJobs, scheduleJobs } from "../../adapters/assembly/jobs.ts";
import { buildHandlers } from "../../handlers/handlers.ts";
import { Acceptance } from "../../service/catalog/acceptance.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { ChainHealth } from "../../service/chains/health.ts";
import { watcherJobs } from "../../service/chains/watcher.ts";
import { Cursors } from "../../service/cursor.ts";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
import { Dispatcher } from "../../service/webhooks/dispatcher.ts";
import { Idempotency } from "../../service/idempotency/idempotency.ts";
import { Jobs } from "../../service/jobs/jobs.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { LedgerOperations } from "../../service/ledger/operations.ts";
import { ApiKeys } from "../../service/merchants/api-keys.ts";
import { Merchants } from "../../service/merchants/merchants.ts";
import { expirePayments } from "../../service/payments/expiry.ts";
import { OutgoingConfirmer, outgoingInFlightRaw } from "../../service/sending/confirmer.ts";
import { OutgoingSender } from "../../service/sending/sender.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import { refundSending } from "../../service/suspense/refunds.ts";
import { takeBackGone } from "../../service/suspense/gone.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { Payments } from "../../service/payments/payments.ts";
import { PayoutSchedules } from "../../service/payouts/schedules.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { IdentifierPrefix } from "../../service/ports/identifiers.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import { forgetSealedSecrets, freeIdempotencyKeys } from "../../service/idempotency/forget.ts";
import { finishDeliveries } from "../../service/webhooks/retention.ts";
import { Sealer, sealingKey } from "../../service/secrets/sealing.ts";
import { sweepEnds } from "../../service/sweeps/ends.ts";
import { Sweeps } from "../../service/sweeps/sweeps.ts";
import { Subscriptions } from "../../service/subscriptions/subscriptions.ts";
import { WebhookDeliveries } from "../../service/webhooks/deliveries.ts";
import { WebhookEndpoints } from "../../service/webhooks/endpoints.ts";
import { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import { WithdrawalPolicy } from "../../service/withdrawals/policy.ts";
import { withdrawalSending } from "../../service/withdrawals/sending.ts";
import { X402 } from "../../service/x402/x402.ts";
import type { X402Ports } from "../../service/x402/x402.ts";
import { Withdrawals } from "../../service/withdrawals/withdrawals.ts";
import { clockOf } from "../support/clock.ts";
import { unkeptIndexes } from "../support/address-indexes.ts";
import { addressOf, ScriptedAddressSource, ScriptedKeys } from "../support/scripted-signer.ts";
import { Draws } from "./attempts.ts";
import { databaseOf, Life } from "./life.ts";
import { assetOf, deep, wholeOf } from "./market.ts";
import type { SimulatedChain } from "./market.ts";
import type { World } from "./world.ts";

const minuteMilliseconds = 60_000;
const coolingMilliseconds = {
  mainNetwork: 60 * minuteMilliseconds,
  testNetwork: minuteMilliseconds,
};
const sealingRing = {
  current: sealingKey(createHash("sha256").update("simulation").digest()),
  older: [],
};
const urlPolicy = { allowedHttpHosts: new Set<string>(), ownHosts: new Set(["pay.example"]) };
/** Deliveries in one run of the dispatcher. */
const deliveriesAtOnce = 8;
export const settlementAccount = addressOf("settlement");
export const treasuryAccount = addressOf("treasury");
/** Of each asset, in whole units: the hot account keeps that, and the treasury gets the rest. */
const floatWhole = 5_000n;
/** Of any transfer, whatever becomes of it. */
const hotEstimate = { isPossible: true, gasUnits: 60_000n } as const;
/** Signs without the rules of a signer, which a world has one of. */
export const hotAccount = new ScriptedKeys();
export const namedAccounts = [
  { account: hotAccount.address, role: "hot" },
  { account: settlementAccount, role: "settlement" },
  { account: treasuryAccount, role: "treasury" },
] as const;

export type Worker = ReturnType<typeof startWorker>;
type Common = ReturnType<typeof commonOf>;

/** `skewMilliseconds`: by how much its clock is ahead. */
export function startWorker(world: World, skewMilliseconds: number) {
  const life = new Life((where) => world.note("kills", where));
  const common = commonOf(world, life, () => world.nowMilliseconds + skewMilliseconds);
  const settling = world.chains.map((one) => settlingOf(world, one, life));
  const rules: ReturnType<typeof buildRules> = buildRules(common, settling, {
    alarm: (what) => world.alarm(what),
    sendNow: (chainId, account) => sending.sender.sendNow(chainId, account),
  });
  const sending = buildSending(common, world, { life, x402: rules.x402 });
  const chains = world.chains.map((one) => chainOf(world, one, life));
  const jobList = [
    ...chainJobs(common, { chains, life }),
    ...sending.jobs,
    ...scheduleJobs({ ...common, ...rules, health: common.health, now: common.now }),
    ...moneyJobs(common, world, chains),
    ...rules.x402.jobs(),
    dispatching(common, world),
    finishDeliveries(common),
    forgetSealedSecrets(common),
    freeIdempotencyKeys(common),
    rules.withdrawAddresses.announcing(),
  ];
  return {
    life,
    skewMilliseconds,
    ...common,
    ...rules,
    handlers: buildHandlers(rules),
    jobs: new Jobs(common, jobList),
    addresses: new DepositAddresses({
      ...common,
      sources: { evm: new ScriptedAddressSource() },
      indexes: unkeptIndexes(common.database),
    }),
    merchants: new Merchants({ ...common, ids: common.identifiers }),
    apiKeys: new ApiKeys({ ...common, ranges: addressRanges }),
    policy: new WithdrawalPolicy(common),
    ledger: new LedgerOperations(common),
    suspense: new Suspense({ ...common, progress: new PaymentProgress(common) }),
  };
}

function commonOf(world: World, life: Life, nowMilliseconds: () => number) {
  const clock = clockOf(nowMilliseconds);
  const fillRandom = (bytes: Uint8Array): void => world.dice.fill(bytes);
  const draws = { ids: new Draws<string>(), bytes: new Draws<Uint8Array>() };
  const random = {
    bytes: (count: number): Uint8Array => {
      const draw = (): Uint8Array => {
        const bytes = new Uint8Array(count);
        fillRandom(bytes);
        return bytes;
      };
      return draws.bytes.take(count, draw).slice();
    },
  };
  const identifiers = buildIdentifiers({ clock, fillRandom });
  const database = databaseOf(life, world.cuts.of(world.database), {
    gate: world.gate,
    draws: [draws.ids, draws.bytes],
  });
  const cursors = new Cursors(Buffer.alloc(32, 7), []);
  return {
    database,
    clock,
    random,
    identifiers: {
      next: (prefix: IdentifierPrefix) => draws.ids.take(prefix, () => identifiers.next(prefix)),
    },
    sealer: new Sealer(sealingRing, random),
    cursors,
    urlPolicy,
    catalog: new CatalogReader({ database, cursors }),
    health: new ChainHealth({ database, clock }),
    now: () => Promise.resolve(clock.now()),
    watchedChainIds: new Set(world.chains.map(({ chain }) => chain.chainId)),
    publicUrl: () => "https://pay.example",
  };
}

function buildRules(
  common: Common,
  chains: readonly SettlementChain[],
  { alarm, sendNow }: { readonly alarm: (what: string) => void } & Pick<X402Ports, "sendNow">,
) {
  const payments = new Payments(common);
  return {
    webhookEndpoints: new WebhookEndpoints(common),
    webhookDeliveries: new WebhookDeliveries(common),
    catalog: common.catalog,
    acceptance: new Acceptance(common),
    idempotency: new Idempotency(common),
    withdrawAddresses: new WithdrawAddresses({
      ...common,
      coolingMilliseconds,
    }),
    withdrawals: new Withdrawals(common),
    payments,
    payoutSchedules: new PayoutSchedules(common),
    subscriptions: new Subscriptions({ ...common, payments }),
    x402: new X402({
      ...common,
      chains: chains.map((chain) => ({ chain, settlementAddress: settlementAccount })),
      sendNow,
      waitMilliseconds: 0,
      pause: () => Promise.resolve(),
      releaseMilliseconds: 0,
      merchantGasRaw: () => Promise.resolve(null),
      alarm,
    }),
  };
}

/** As one process reaches it: a question is a turn, and now and then an answer has a hole. */
function chainOf(world: World, { chain, hidden }: SimulatedChain, life: Life): Chain {
  const asked = <Result>(question: () => Promise<Result>): Promise<Result> =>
    world.gate.pass(() => {
      life.assertAlive();
      return question();
    });
  return {
    chainId: chain.chainId,
    head: () => asked(chain.head),
    block: async (number, contracts) => {
      const block = await asked(() => chain.block(number, contracts));
      // Once for each block: two looks at it do not both miss something.
      const isHidden = block !== undefined && world.isHidingTransfers && !hidden.has(block.hash);
      if (!isHidden || block.transfers.length === 0) return block;
      hidden.add(block.hash);
      world.note("faults", "block without its transfers");
      return { ...block, transfers: [] };
    },
    balance: (address, contract) => asked(() => chain.balance(address, contract)),
    balanceAt: (address, contract, hash) => asked(() => chain.balanceAt(address, contract, hash)),
    agreedBalanceAt: (address, contract, hash) =>
      asked(() => chain.agreedBalanceAt(address, contract, hash)),
    minedCount: (address) => asked(() => chain.minedCount(address)),
    fees: () => asked(chain.fees),
    send: (raw) => asked(() => chain.send(raw)),
    receipt: (txHash) => asked(() => chain.receipt(txHash)),
    minedTransaction: (txHash) => asked(() => chain.minedTransaction(txHash)),
  };
}

/** Withdrawals are sent whatever the chain would say: some are to fail. */
function settlingOf(world: World, one: SimulatedChain, life: Life): SettlementChain {
  const asked = <Result>(question: () => Promise<Result>): Promise<Result> =>
    world.gate.pass(() => {
      life.assertAlive();
      return question();
    });
  return {
    ...chainOf(world, one, life),
    estimate: (from, action) =>
      world.gate.pass(() => {
        life.assertAlive();
        if (from === hotAccount.address) return Promise.resolve(hotEstimate);
        return one.chain.estimate(from, action);
      }),
    signerOf: one.chain.signerOf,
    authorizationState: (of) => asked(() => one.chain.authorizationState(of)),
    useOf: (...wish) => asked(() => one.chain.useOf(...wish)),
    usesIn: (txHash) => asked(() => one.chain.usesIn(txHash)),
    settlementReceipt: (...wish) => asked(() => one.chain.settlementReceipt(...wish)),
  };
}

interface ChainParts {
  readonly chains: readonly Chain[];
  readonly life: Life;
}

function chainJobs(common: Common, { chains, life }: ChainParts): readonly Job[] {
  const progress = new PaymentProgress(common);
  return [
    ...watcherJobs({
      ...common,
      chains,
      accounts: { settlement: [settlementAccount] },
      onTouched: (database, ids) => progress.refresh(database, ids),
      onNobodysGone: (database, chainId) => takeBackGone(common, database, chainId),
      // Some of them are in the middle of a transaction: no turn of their own.
      onStep: (step) => life.reach(step),
    }),
    expirePayments({
      ...common,
      progress,
      connectedChainIds: chains.map(({ chainId }) => chainId),
    }),
  ];
}

/**
 * Nothing is swept on the chain that takes back what was final: a deposit that is gone there takes its
 * sweep with it, and then the books and the chain differ rightly.
 */
function buildSending(
  common: Common,
  world: World,
  { life, x402 }: { readonly life: Life; readonly x402: X402 },
) {
  const alarm: (typeof world)["alarm"] = (what, facts) => world.alarm(what, facts);
  const reached = (point: string): Promise<void> => world.gate.pass(() => life.reach(point));
  const connected = world.chains.map((one) => {
    return { chain: settlingOf(world, one, life), signer: world.signer };
  });
  const parts = { ...common, chains: connected, alarm, reached };
  const ends = sweepEnds(parts);
  const withdrawals = withdrawalSending(parts);
  const refunds = refundSending({ ...parts, progress: new PaymentProgress(common) });
  const sender = new OutgoingSender({
    ...parts,
    steps: { withdrawal: withdrawals.steps, refund: refunds.steps },
    gasBudgetRaw: () => Promise.resolve(null),
    merchantGasRaw: () => Promise.resolve(null),
    onImpossible: async (found) => {
      if (found.purpose === "withdrawal") await withdrawals.onImpossible(found);
      else if (found.purpose === "refund") await refunds.onImpossible(found);
      else if (found.purpose === "x402_settlement") await x402.onImpossible(found);
      else await ends.onImpossible(found);
    },
  });
  const confirmer = new OutgoingConfirmer({
    ...parts,
    chains: connected.map(({ chain }) => chain),
    onEnded: {
      withdrawal: withdrawals.onEnded,
      refund: refunds.onEnded,
      ...x402.onEnded,
      ...ends.onEnded,
    },
  });
  const configuration = () => ({
    treasuryAddress: treasuryAccount,
    floatRawMax: (deploymentId: string) =>
      Promise.resolve(floatWhole * wholeOf(assetOf(deploymentId))),
    minimumRaw: () => null,
  });
  const deepChains = world.chains.filter(({ character }) => character === deep);
  const deepIds = new Set(deepChains.map(({ chain }) => chain.chainId));
  const sweeping = connected.filter(({ chain }) => !deepIds.has(chain.chainId));
  const sweeps = new Sweeps({ ...parts, chains: sweeping, configuration });
  return { sender, jobs: [...sender.jobs(), ...confirmer.jobs(), ...sweeps.jobs()] };
}

function moneyJobs(common: Common, world: World, chains: readonly Chain[]): readonly Job[] {
  const log = {
    warn: () => world.note("reserve", "unknown"),
    error: (facts: object, message = "") => world.error(facts, message),
  };
  return ledgerJobs({
    ...common,
    log,
    ownAccounts: namedAccounts,
    chainOf: (chainId) => chains.find((one) => one.chainId === chainId),
    inFlightRaw: (deploymentId) => outgoingInFlightRaw(common.database, deploymentId),
  });
}

function dispatching(common: Common, world: World): Job {
  const dispatcher = new Dispatcher({
    ...common,
    sender: world.receivers,
    onUnreadableSecret: (endpointId) => world.complain(`the secret of ${endpointId} is unreadable`),
  });
  const run = async () => {
    const claimed = await dispatcher.claim(deliveriesAtOnce);
    for (const one of claimed) await dispatcher.deliver(one);
    // Of one endpoint fewer are taken at once, however many wait.
    return { done: claimed.length, isMore: claimed.length > 0 };
  };
  return { name: "dispatch", everyMilliseconds: 1_000, run };
}
