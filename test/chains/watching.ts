// A scripted chain, payments with addresses on it, and watchers of it on a database under test.

import type { CatalogDeployment, Deployment } from "../../service/catalog/model.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { ChainRescan } from "../../service/chains/rescan.ts";
import type { RescanPorts } from "../../service/chains/rescan.ts";
import { ChainWatcher } from "../../service/chains/watcher.ts";
import type { WatcherPorts, WatcherStep } from "../../service/chains/watcher.ts";
import { Cursors } from "../../service/cursor.ts";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
import type { JobRun } from "../../service/jobs/jobs.ts";
import type { Environment } from "../../service/owner.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { Database } from "../../service/ports/database.ts";
import { coinOn, currencyOf, tokenOn } from "../catalog/fixtures.ts";
import { putCatalog } from "../support/catalog.ts";
import { unkeptIndexes } from "../support/address-indexes.ts";
import { blockSeconds, ScriptedChain } from "../support/scripted-chain.ts";
import type { ScriptedChainOptions } from "../support/scripted-chain.ts";
import { addressOf, ScriptedAddressSource } from "../support/scripted-signer.ts";
import { addMerchant, query, TestClock } from "../support/service-parts.ts";

/** Where it may be killed. */
export const watcherSteps: readonly WatcherStep[] = [
  "head_read",
  "blocks_read",
  "deposits_found",
  "blocks_abandoned",
  "cursor_moved",
  "deposits_recorded",
  "payments_touched",
  "committed",
  "second_look_done",
  "deposits_finalized",
];

/** On the chain 1, in whole tokens of six digits. */
export const token = addressOf("token");
export const safeToken = addressOf("safe token");
export const finalizedToken = addressOf("finalized token");
/** Wants more blocks than come before the second look. */
export const cautiousToken = addressOf("cautious token");
export const endlessToken = addressOf("token without a finality");
/** On the chain 11155111. */
export const testToken = addressOf("test token");
export const confirmations = 3;
export const highValueRaw = 10_000_000_000n;

function finality(
  rule: "depth" | "safe" | "finalized",
  { blocks = confirmations, ...more }: Partial<Deployment> & { readonly blocks?: number } = {},
) {
  const parameters = { confirmations: blocks, rule, high_value_raw: highValueRaw.toString() };
  const capability = { scope: "deposit", key: "finality", status: "supported" } as const;
  return { capabilities: [{ ...capability, parameters, delivery: null }], ...more };
}

function tokenAt(chain: number, contractAddress: string, more: Partial<Deployment>): Deployment {
  const id = `dep_${contractAddress.slice(-8).toLowerCase()}`;
  return tokenOn(chain, contractAddress, { id, ...more });
}

export const coinDeployment = coinOn(1, { id: "dep_coin", ...finality("depth") });
export const tokenDeployment = tokenAt(1, token, finality("depth"));
const deployments: readonly Deployment[] = [
  coinDeployment,
  tokenDeployment,
  tokenAt(1, safeToken, finality("safe")),
  tokenAt(1, finalizedToken, finality("finalized")),
  tokenAt(1, cautiousToken, finality("depth", { blocks: 5 })),
  tokenAt(1, endlessToken, { capabilities: [], isDepositEnabled: false }),
  tokenAt(11_155_111, testToken, finality("depth", { isTestNetwork: true })),
];

export interface DepositRow {
  readonly tx_hash: string;
  readonly log_index: number;
  readonly deployment_id: string;
  readonly payment_id: string;
  readonly amount: string;
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly status: string;
}

interface PaymentWish {
  readonly environment?: Environment;
  /** of the token; 25 whole ones when left out */
  readonly dueRaw?: bigint;
  readonly status?: string;
  readonly merchantId?: string;
}

export interface WatchingOptions extends ScriptedChainOptions {
  /** how many blocks there are before it is watched */
  readonly blocks?: number;
}

export type Watching = Awaited<ReturnType<typeof startWatching>>;

/** The chain 1 with tags, watched from its head on. */
export async function startWatching(database: Database, options: WatchingOptions = {}) {
  const clock = new TestClock();
  await prepare(database, clock);
  const chain = new ScriptedChain({
    chainId: "eip155:1",
    genesisTime: clock.now(),
    safeLag: 5n,
    finalizedLag: 8n,
    ...options,
  });
  const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  const watcher = (ports: Partial<WatcherPorts> = {}) => {
    const onTouched = (inside: Database, ids: readonly string[]) => sumUp(inside, ids);
    return new ChainWatcher({ database, clock, catalog, chain, onTouched, ...ports });
  };
  const rescan = (ports: Partial<RescanPorts> = {}) =>
    new ChainRescan({
      database,
      clock,
      catalog,
      chainOf: (id) => Promise.resolve(id === chain.chainId ? chain : undefined),
      onTouched: (inside, ids) => sumUp(inside, ids),
      ...ports,
    });
  const mine = (count = 1) => {
    chain.mine(count);
    clock.advance(count * blockSeconds * 1000);
  };
  mine(options.blocks ?? 40);
  const addresses = new DepositAddresses({
    database,
    clock,
    sources: { evm: new ScriptedAddressSource() },
    indexes: unkeptIndexes(database),
  });
  const standard = watcher();
  return {
    chain,
    clock,
    database,
    mine,
    watcher,
    rescan,
    addresses,
    run: () => standard.run(),
    drain: () => drain(standard),
    newPayment: async (wish: PaymentWish = {}) => {
      const id = await addPayment(database, clock, wish);
      return { id, address: await addresses.open(id, "evm") };
    },
    deposits: () => readDeposits(database),
    statuses: async () => (await readDeposits(database)).map(({ status }) => status),
    /** what the payments know, see `sumUp` */
    sums: () => readSums(database),
    cursor: async () => {
      const [cursor] = await query(database)<{
        block_number: bigint;
        block_hash: string;
        checked_number: bigint;
      }>`
        select block_number, block_hash, checked_number from chain_cursors`;
      return cursor;
    },
  };
}

/** A run after the other until there is no more to do. */
export async function drain(watcher: Pick<ChainWatcher, "run">): Promise<readonly JobRun[]> {
  const runs: JobRun[] = [];
  for (let count = 0; count < 500; count++) {
    const run = await watcher.run();
    runs.push(run);
    if (!run.isMore) return runs;
  }
  throw new Error("the watcher does not come to an end");
}

const watched = "mer_watched";

async function prepare(database: Database, clock: TestClock): Promise<void> {
  const currency = currencyOf("cur_coin", [coinDeployment]);
  const tokens = deployments
    .slice(1)
    .map((one) => currencyOf(one.id.replace("dep_", "cur_"), [one]));
  await putCatalog({ database, clock }, [currency, ...tokens]);
  await addMerchant(database, watched);
  await query(
    database,
  )`create table sums (payment_id text primary key, seen numeric, final numeric, times integer)`;
}

let payments = 0;

async function addPayment(
  database: Database,
  clock: TestClock,
  {
    environment = "live",
    dueRaw = 25_000_000n,
    status = "pending",
    merchantId = watched,
  }: PaymentWish,
): Promise<string> {
  payments += 1;
  const id = `pay_${payments}`;
  const { id: deploymentId, chainId } = tokenDeployment;
  const quoted = { deploymentId, chainId, rawAmount: dueRaw.toString() };
  const quotes = JSON.stringify([{ currencyId: "cur_token", deployments: [quoted] }]);
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + 86_400_000);
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes,
      chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    values (${id}, ${merchantId}, ${environment}, ${id}, ${status}, ${quotes}::jsonb,
      ${[chainId]}::text[], 'to_primary', 100, ${id}, ${now}, ${expiresAt}, ${now})`;
  return id;
}

/** As the rules of payments would: what there is of each, worked out in the same transaction. */
async function sumUp(database: Database, paymentIds: readonly string[]): Promise<void> {
  await query(database)`insert into sums (payment_id, seen, final, times)
    select wanted.id,
      coalesce(sum(d.amount_raw) filter (where d.status = 'seen'), 0),
      coalesce(sum(d.amount_raw) filter (where d.status = 'final'), 0), 1
    from unnest(${paymentIds}::text[]) as wanted (id)
    left join deposits d on d.payment_id = wanted.id
    group by wanted.id
    on conflict (payment_id) do update set seen = excluded.seen, final = excluded.final,
      times = sums.times + 1`;
}

export interface Sums {
  readonly seen: string;
  readonly final: string;
  /** how often it was touched */
  readonly times: number;
}

async function readSums(database: Database): Promise<Readonly<Record<string, Sums>>> {
  const rows = await query(database)<Sums & { payment_id: string }>`
    select payment_id, seen::text, final::text, times from sums order by payment_id`;
  return Object.fromEntries(rows.map(({ payment_id: id, ...sums }) => [id, sums]));
}

function readDeposits(database: Database): Promise<readonly DepositRow[]> {
  return query(
    database,
  )<DepositRow>`select tx_hash, log_index, deployment_id, payment_id, amount_raw::text as amount,
      block_number, block_hash, status
    from deposits order by block_number, tx_hash, log_index`;
}

/** A chain of which some methods do something else. */
export function changedChain(chain: ScriptedChain, change: Partial<Chain>): Chain {
  const { chainId, head, block, balance, balanceAt, agreedBalanceAt } = chain;
  const { minedCount, fees, send, receipt, minedTransaction } = chain;
  const balances = { balance, balanceAt, agreedBalanceAt };
  const sending = { minedCount, fees, send, receipt, minedTransaction };
  return { chainId, head, block, ...balances, ...sending, ...change };
}

export function catalogDeployment(deployment: Deployment): CatalogDeployment {
  const capabilities = deployment.capabilities.map((one) => ({ ...one, evidenceVersion: 1n }));
  return { ...deployment, capabilities, deploymentVersion: 1n, delistingSince: null };
}
