// x402 on a real database and a real chain, as one process or several: everything but HTTP. The clock
// stands still but for what a test advances; a request that waits mines a block in place of the time.

import { openEvmChain } from "../../adapters/evm/chain.ts";
import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import type { Currency } from "../../service/catalog/model.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { ChainWatcher } from "../../service/chains/watcher.ts";
import { Cursors } from "../../service/cursor.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { verifyLedger } from "../../service/ledger/verifier.ts";
import { OutgoingConfirmer } from "../../service/sending/confirmer.ts";
import { OutgoingSender } from "../../service/sending/sender.ts";
import { sweepEnds } from "../../service/sweeps/ends.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { refundSending } from "../../service/suspense/refunds.ts";
import { goneJob, takeBackGone } from "../../service/suspense/gone.ts";
import { withBatching } from "../../adapters/database/batching.ts";
import type { Database } from "../../service/ports/database.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import type { SenderPoint } from "../../service/sending/ports.ts";
import type { FinishingValues } from "../../service/idempotency/idempotency.sql.ts";
import { lockPayments } from "../../service/payments/facts.sql.ts";
import { X402 } from "../../service/x402/x402.ts";
import type { X402Point } from "../../service/x402/reconciler.ts";
import { collectingLog } from "../evm/faulty-endpoint.ts";
import { catalogOf, putCatalog, shippedCatalogText } from "../support/catalog.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { addMerchant, buildServiceParts, query, TestClock } from "../support/service-parts.ts";
import { markLookedAt } from "../support/looked-at.ts";
import { settlementAddress, testActionSigner } from "./action-signer.ts";

export const merchant = { merchantId: "mer_shop", environment: "test" } as const;
export const partner = { merchantId: "mer_partner", environment: "test" } as const;
export const deploymentId = "dep_usdc_local";
/** in the smallest units of the token */
export const price = 25_000_000n;
export const hourMilliseconds = 3_600_000;

export interface ProcessOptions {
  readonly reached?: (point: SenderPoint | X402Point) => Promise<void>;
  readonly chain?: SettlementChain;
  /** no chain is connected */
  readonly isAlone?: boolean;
  /** what the settlements of one merchant may cost in a day */
  readonly merchantGasRaw?: () => bigint | null;
  /** by a request, before it says that the outcome is open */
  readonly waitMilliseconds?: number;
  /** in place of mining a block */
  readonly onPause?: () => Promise<unknown>;
}

export interface PaymentWish {
  readonly priceRaw?: bigint;
  readonly lifeMilliseconds?: number;
  readonly splitBps?: number;
  readonly owner?: { readonly merchantId: string; readonly environment: "test" | "live" };
  /** in place of the token of the local chain */
  readonly contractAddress?: string;
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
export type Process = ReturnType<Scene["startProcess"]>;

/** The chain's first block is as old as the clock. */
export function startX402Chain(): Promise<TestChain> {
  const genesisSeconds = Math.floor(new TestClock().nowMilliseconds() / 1000);
  return startTestChain({ genesisSeconds, secondsPerBlock: 1 });
}

export function localCurrencies(change: (text: string) => string = (text) => text) {
  return catalogOf(change(catalogWithLocalChain(shippedCatalogText)));
}

export async function openScene(
  database: Database,
  local: TestChain,
  currencies: readonly Currency[] = localCurrencies(),
) {
  const clock = new TestClock();
  const parts = buildServiceParts(database, clock);
  await putCatalog(parts, currencies);
  await addMerchant(database, merchant.merchantId);
  await addMerchant(database, partner.merchantId);
  const catalog = new CatalogReader({ database, cursors: new Cursors(Buffer.alloc(32, 7), []) });
  const { log } = collectingLog();
  const { chainId } = local;
  const open = () => openEvmChain({ chainId, urls: [local.url], clock, log });
  const chain = await open();
  const alarms: (readonly [string, Readonly<Record<string, unknown>>])[] = [];
  const alarm = (what: string, facts: Readonly<Record<string, unknown>>): void =>
    void alarms.push([what, facts]);
  const signer = testActionSigner();
  const progress = new PaymentProgress(parts);
  const watcher = new ChainWatcher({
    database,
    clock,
    catalog,
    chain,
    // What other tests have left on the chain is not this one's.
    limits: { firstBlocks: 0n },
    accounts: { settlement: [settlementAddress] },
    onTouched: (inside, ids) => progress.refresh(inside, ids),
    onNobodysGone: (inside, gone) => takeBackGone(parts, inside, gone),
  });
  await markLookedAt(database, chain, settlementAddress);
  await local.giveCoin(settlementAddress, 10n ** 20n);
  await keepUp(clock, local);
  const watch = () => drained({ name: "watch", everyMilliseconds: 0, run: () => watcher.run() });
  await watch();
  // Blocks of this test's own, for reorganisations.
  await local.mine(8);
  await keepUp(clock, local);
  await watch();
  const base = { ...parts, clock, catalog, local, chain, signer, alarms, alarm, progress };
  return {
    ...base,
    openChain: open,
    watch,
    /** blocks, and the clock with them */
    mine: async (blocks = 1) => {
      const block = await local.mine(blocks);
      await keepUp(clock, local);
      return block;
    },
    startProcess: (options: ProcessOptions = {}) => startProcess(base, options),
    /** their time is over, by whatever was read */
    expire: (ids: readonly string[]) =>
      database.transaction((inside) => progress.expire(inside, ids)),
    addPayment: (wish: PaymentWish = {}) => addPayment(base, wish),
    ...buildLooks(database, clock),
    payments: (ids: readonly string[]) =>
      database.transaction((inside) => inside.run(lockPayments, { ids })),
    /** as a request with a key of its own */
    reportUsage: async (process: { readonly x402: X402 }, paymentId: string, amount: string) => {
      const said = { usageId: "usage-1", evidence: { tokens: 12 } };
      const report = { ...said, paymentId, actualAmount: amount };
      const reporter = { ...merchant, keyId: "mk_test_1" };
      const owner = merchant.merchantId;
      await process.x402.reportUsage(reporter, report, () => finishingOf(owner, clock));
    },
    nowSeconds: () => BigInt(Math.floor(clock.nowMilliseconds() / 1000)),
    /** Takes all of its tokens away in the next block, before whatever else is in it. */
    drain: async ({ address }: { readonly address: string }) => {
      const amountRaw = await local.balanceOf(address);
      const gasPrice = "0x174876e800";
      await local.rpc("anvil_impersonateAccount", [address]);
      const data = `0xa9059cbb${"00".repeat(12)}${"dead".repeat(10)}${amountRaw.toString(16).padStart(64, "0")}`;
      const transaction = { from: address, to: local.usdAddress, data, gas: "0x30d40", gasPrice };
      await local.rpc("eth_sendTransaction", [transaction]);
    },
  };
}

let keys = 0;

/** The values of a request with a key that nobody has used. */
export function finishingOf(merchantId: string, clock: TestClock): FinishingValues {
  keys += 1;
  return {
    fenceMerchantId: merchantId,
    fenceEnvironment: "test",
    fenceKey: `key-${keys}`,
    fenceOperationId: "reportX402Usage",
    fenceFingerprint: new Uint8Array(32),
    answerStatus: 201,
    answerHeaders: null,
    answerBody: "{}",
    answerBodySealed: null,
    answerBodyExpiresAt: null,
    finishedAt: clock.now(),
    answerExpiresAt: new Date(clock.nowMilliseconds() + hourMilliseconds),
  };
}

/** What a process works with. */
export interface Base extends ReturnType<typeof buildServiceParts> {
  readonly clock: TestClock;
  readonly catalog: CatalogReader;
  readonly local: Pick<TestChain, "chainId" | "usdAddress" | "mine" | "newestBlock">;
  readonly chain: SettlementChain;
  readonly signer: ReturnType<typeof testActionSigner>;
  readonly alarm: (what: string, facts: Readonly<Record<string, unknown>>) => void;
  readonly progress: PaymentProgress;
}

async function keepUp(clock: TestClock, local: Pick<TestChain, "newestBlock">): Promise<void> {
  const { timestamp } = await local.newestBlock();
  const ahead = Number(timestamp) * 1000 - clock.nowMilliseconds();
  if (ahead > 0) clock.advance(ahead);
}

async function drained(job: Job): Promise<number> {
  let done = 0;
  for (let run = 0; run < 100; run++) {
    const { done: more, isMore } = await job.run();
    done += more;
    if (!isMore) return done;
  }
  throw new Error(`${job.name} does not come to an end`);
}

export function startProcess(scene: Base, options: ProcessOptions) {
  // As a server has it: what comes together is one statement, or one transaction.
  const base = { ...scene, database: withBatching(scene.database) };
  const { local, clock, signer, alarm } = base;
  const chain = options.chain ?? base.chain;
  const reached = options.reached === undefined ? {} : { reached: options.reached };
  const sending = [{ chain, signer }];
  const merchantGasRaw = () => Promise.resolve(options.merchantGasRaw?.() ?? null);
  const ends = sweepEnds({ ...base, alarm });
  const refunds = refundSending(base);
  const x402 = new X402({
    ...base,
    ...reached,
    chains: options.isAlone === true ? [] : [{ chain, settlementAddress }],
    sendNow: (chainId, account) => sender.sendNow(chainId, account),
    waitMilliseconds: options.waitMilliseconds ?? 20_000,
    pause: async (milliseconds) => {
      clock.advance(milliseconds);
      await (options.onPause ?? local.mine)();
      await keepUp(clock, local);
    },
    releaseMilliseconds: 24 * hourMilliseconds,
    merchantGasRaw,
  });
  const sender: OutgoingSender = new OutgoingSender({
    ...base,
    ...reached,
    chains: sending,
    steps: { refund: refunds.steps },
    gasBudgetRaw: () => Promise.resolve(null),
    merchantGasRaw,
    onImpossible: async (found) => {
      if (found.purpose === "refund") await refunds.onImpossible(found);
      else await x402.onImpossible(found);
    },
  });
  const confirmer = new OutgoingConfirmer({
    ...base,
    chains: [chain],
    onEnded: {
      withdrawal: () => Promise.resolve(),
      refund: refunds.onEnded,
      ...ends.onEnded,
      ...x402.onEnded,
    },
  });
  const jobs = [...x402.jobs(), ...sender.jobs(), ...confirmer.jobs(), goneJob(base)];
  const atOnce = (start: string) => {
    const found = jobs.find(({ name }) => name.startsWith(start));
    if (found === undefined) throw new Error(`there is no job ${start}`);
    return drained(found);
  };
  const job = (start: string) => async () => {
    // What is looked at again after a while is looked at now.
    clock.advance(20_000);
    return atOnce(start);
  };
  return {
    x402,
    sender,
    reconcile: job("settle-x402"),
    release: job("release-x402"),
    /** what arrived at the settlement account, and the ledger of what is nobody's */
    match: async () => (await atOnce("match-arrivals")) + (await atOnce("book-unmatched")),
    send: job("send-"),
    confirm: job("confirm-"),
    tellGone: job("tell-gone-suspense"),
  };
}

let payments = 0;

async function addPayment(
  { database, clock, local }: Base,
  {
    priceRaw = price,
    lifeMilliseconds = 1_800_000,
    splitBps,
    owner = merchant,
    contractAddress,
  }: PaymentWish,
): Promise<string> {
  payments += 1;
  const id = `pay_${payments}`;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + lifeMilliseconds);
  const usual = [
    {
      currencyId: "cur_usdc",
      amount: "25",
      code: "USDC",
      symbol: "USDC",
      name: "USD Coin",
      accountingDecimals: 2,
      deployments: [
        {
          deploymentId,
          chainId: local.chainId,
          chainFamily: "evm",
          decimals: 6,
          rawAmount: priceRaw.toString(),
          assetKind: "token",
          tokenStandard: "erc20",
          contractAddress: contractAddress ?? local.usdAddress,
        },
      ],
    },
  ];
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes,
      chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    values (${id}, ${owner.merchantId}, ${owner.environment}, ${id}, 'pending',
      ${JSON.stringify(usual)}::jsonb, ${[local.chainId]}, 'to_primary', 100, ${id},
      ${now}, ${expiresAt}, ${now}) returning id`;
  if (splitBps !== undefined) {
    await query(database)`insert into payment_splits (payment_id, position, merchant_id, bps)
      values (${id}, 0, ${partner.merchantId}, ${splitBps}) returning payment_id`;
  }
  return id;
}

/** What a test reads. */
function buildLooks(database: Database, clock: TestClock) {
  return {
    status: async (paymentId: string) => {
      const [row] = await query(database)<{ status: string }>`
        select status from payments where id = ${paymentId}`;
      return row?.status;
    },
    settlements: (paymentId: string) =>
      query(database)<{
        id: string;
        status: string;
        reason: string | null;
        tx_hash: string | null;
        transfer_log: number | null;
      }>`
        select id, status, reason, tx_hash, transfer_log from x402_settlements
        where payment_id = ${paymentId} order by created_at, id`,
    events: async (paymentId: string) => {
      const rows = await query(database)<{ type: string }>`select type from events
        where resource_id = ${paymentId} order by sequence`;
      return rows.map(({ type }) => type);
    },
    eventData: async (paymentId: string, type: string) => {
      const rows = await query(database)<{ data: string }>`select data from events
        where resource_id = ${paymentId} and type = ${type} order by sequence desc`;
      return JSON.parse(rows[0]?.data ?? "null") as Record<string, unknown>;
    },
    /** every account that is not empty, as `kind` or `kind merchant` */
    balances: async () => {
      const rows = await query(database)<{
        kind: string;
        merchant_id: string | null;
        balance: string;
      }>`
        select kind, merchant_id, balance::text from ledger_accounts
        where balance <> 0 and deployment_id = ${deploymentId} order by key`;
      const named = rows.map(({ kind, merchant_id: id, balance }) => [
        id === null || id === merchant.merchantId ? kind : `${kind} ${id}`,
        BigInt(balance),
      ]);
      return Object.fromEntries(named) as Readonly<Record<string, bigint>>;
    },
    differences: async () => (await verifyLedger({ database, clock })).differences,
    /** hashes of what was signed to settle the payment */
    sentFor: async (paymentId: string) => {
      const rows = await query(database)<{ tx_hash: string }>`
        select a.tx_hash from outgoing_attempts a
        join outgoing_transactions o on o.id = a.outgoing_id
        join x402_settlements s on s.id = o.subject_id
        where s.payment_id = ${paymentId} order by o.purpose = 'x402_release', a.attempt`;
      return rows.map(({ tx_hash: hash }) => hash);
    },
    sent: async () => {
      const rows = await query(database)<{ tx_hash: string }>`
        select tx_hash from outgoing_attempts order by signed_at`;
      return rows.map(({ tx_hash: hash }) => hash);
    },
  };
}

/** As the jobs go round: until nothing changes any more. */
export async function settleDown(scene: Scene, shop: Process, rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await scene.watch();
    await shop.reconcile();
    await shop.send();
    await scene.mine();
    await shop.confirm();
    await shop.match();
  }
  await scene.watch();
  await shop.reconcile();
}
