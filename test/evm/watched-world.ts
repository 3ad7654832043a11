// A real chain that passes for Base, payments with addresses on it, and a watcher that reads it
// through the adapter. The clock goes with the chain.

import { openEvmChain } from "../../adapters/evm/chain.ts";
import { openDepositAddresses } from "../../adapters/evm/deposit-addresses.ts";
import { HDKey } from "@scure/bip32";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { ChainWatcher } from "../../service/chains/watcher.ts";
import type { WatcherPorts } from "../../service/chains/watcher.ts";
import { Cursors } from "../../service/cursor.ts";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
import type { Database } from "../../service/ports/database.ts";
import { base, quotesOf } from "../payments/progress-quotes.ts";
import type { Prices } from "../payments/progress-quotes.ts";
import { openWorld, price } from "../payments/progress-world.ts";
import { unkeptIndexes } from "../support/address-indexes.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { query, TestClock } from "../support/service-parts.ts";
import { collectingLog } from "./faulty-endpoint.ts";

/** Where the shipped catalog has them on this chain. */
export const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const eurc = "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42";
export const confirmations = 12;
export const secondsPerBlock = 2;
/** Past it a deposit is final: `safe` is nearer, and the second look is done. */
export const finalBlocks = confirmations + 4;
/** So many runs end whatever there is to do here. */
const runsMax = 200;

export async function startBase(): Promise<TestChain> {
  const genesisSeconds = Math.floor(new TestClock().nowMilliseconds() / 1000);
  const local = await startTestChain({ chainNumber: 8453n, genesisSeconds, secondsPerBlock });
  await putCode(local, usdc, "FalseToken");
  await local.mint(local.accounts[0].address, 10n ** 15n, usdc);
  await local.mine(3);
  return local;
}

/** The code of a contract of ours at an address of the catalog. */
export async function putCode(local: TestChain, address: string, name: string): Promise<void> {
  const made = await local.deploy(name);
  await local.rpc("anvil_setCode", [address, await local.rpc("eth_getCode", [made, "latest"])]);
  await local.mine();
}

let worlds = 0;

/** Addresses on a chain that several worlds share must be others in each of them. */
function seedOf(world: number): Uint8Array {
  return new Uint8Array(32).fill(world);
}

export type Watched = Awaited<ReturnType<typeof watchBase>>;

/** From the newest block on; another database each time. */
export async function watchBase(local: TestChain, database: Database, urls = [local.url]) {
  const world = await openWorld(database);
  const { clock, progress } = world;
  const { log, lines } = collectingLog();
  const limits = { pauseMilliseconds: 1 };
  const chain = await openEvmChain({ chainId: base, urls, clock, log, limits });
  const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  const watcher = (more: Partial<WatcherPorts> = {}) =>
    new ChainWatcher({
      database,
      clock,
      catalog,
      chain,
      onTouched: (inside, ids) => progress.refresh(inside, ids),
      ...more,
    });
  const { publicExtendedKey } = HDKey.fromMasterSeed(seedOf((worlds += 1)));
  const sources = { evm: openDepositAddresses(publicExtendedKey) };
  const addresses = new DepositAddresses({
    database,
    clock,
    sources,
    indexes: unkeptIndexes(database),
  });
  const keepTime = async () => {
    const { timestamp } = await local.newestBlock();
    clock.advance(Number(timestamp) * 1000 - clock.nowMilliseconds());
  };
  const mine = async (blocks = 1) => {
    await local.mine(blocks);
    await keepTime();
  };
  const expiry = world.expiry([base]);
  const look = async (one: Pick<ChainWatcher, "run"> = watcher()) => {
    for (let count = 0; count < runsMax; count++) {
      if (!(await one.run()).isMore) break;
    }
    await expiry.run();
  };
  await keepTime();
  await look();
  return {
    ...world,
    lines,
    chain,
    watcher,
    look,
    mine,
    keepTime,
    newPayment: async (prices: Prices = { usdc: `${price}` }) => {
      const id = await world.addPayment({ quotes: quotesOf(prices) });
      const to = await addresses.open(id, "evm");
      const from = local.accounts[0].address;
      const pay = (amountRaw = price, contractAddress: string | null = usdc) =>
        local.transfer({ from, to, amountRaw, contractAddress });
      return { id, to, pay };
    },
    told: async (id: string) =>
      (await world.events(id)).map(({ type }) => type.replace("payment.", "")),
    deposits: (id: string) =>
      query(database)<{ amount: string; status: string; deployment_id: string; tx_hash: string }>`
        select amount_raw::text as amount, status, deployment_id, tx_hash
        from deposits where payment_id = ${id} order by block_number, log_index`,
  };
}
