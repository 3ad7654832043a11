// A payment that cannot be worked out stops nobody else: not the blocks of its chain, not the end of
// other payments; and what was put right from outside has its effect later.

import { describe, expect, test } from "vitest";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { ChainRescan } from "../../service/chains/rescan.ts";
import { ChainWatcher } from "../../service/chains/watcher.ts";
import { Cursors } from "../../service/cursor.ts";
import { expirePayments } from "../../service/payments/expiry.ts";
import type { PaymentProgress } from "../../service/payments/progress.ts";
import type { Database } from "../../service/ports/database.ts";
import { ServiceError } from "../../service/errors.ts";
import { PaymentTroubles } from "../../service/payments/troubles.ts";
import { ChainHealth } from "../../service/chains/health.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { blockSeconds, ScriptedChain } from "../support/scripted-chain.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { base, quotesOf } from "./progress-quotes.ts";
import { lifeMilliseconds, openWorld, price } from "./progress-world.ts";

/** As the shipped catalog has it on this chain. */
const contractAddress = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

async function openChain(engine: Engine) {
  const database = await openDatabase(engine);
  const world = await openWorld(database);
  const { clock } = world;
  const broken = new Set<string>();
  // As the database would say it: nothing more can be done in that transaction.
  const check = async (inside: Database, ids: readonly string[]) => {
    if (ids.some((id) => broken.has(id))) await query(inside)`select 1 / 0`;
  };
  const progress: Pick<PaymentProgress, "refresh" | "expire"> = {
    refresh: async (inside, ids) => {
      await check(inside, ids);
      await world.progress.refresh(inside, ids);
    },
    expire: async (inside, ids) => {
      await check(inside, ids);
      return await world.progress.expire(inside, ids);
    },
  };
  const chain = new ScriptedChain({ chainId: base, genesisTime: clock.now(), safeLag: 3n });
  const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  const alarms: unknown[] = [];
  const alarm = (what: string, facts: object) => void alarms.push({ what, ...facts });
  const troubles = new PaymentTroubles({ database, clock, progress, alarm });
  const ports = {
    database,
    clock,
    catalog,
    onTouched: progress.refresh,
    postpone: troubles.postpone,
  };
  const watcher = new ChainWatcher({ ...ports, chain });
  const health = new ChainHealth(ports);
  const expiry = expirePayments({
    ...ports,
    progress,
    troubles,
    health,
    connectedChainIds: [base],
  });
  const mine = (count = 1) => {
    chain.mine(count);
    clock.advance(count * blockSeconds * 1000);
  };
  const look = async () => {
    for (let count = 0; count < 100; count++) if (!(await watcher.run()).isMore) return;
  };
  mine(20);
  await look();
  let made = 0;
  return {
    ...world,
    chain,
    mine,
    look,
    expiry,
    alarms,
    retry: () => troubles.job().run(),
    listed: async () => (await troubles.list()).map(({ paymentId, tries }) => [paymentId, tries]),
    rescan: new ChainRescan({ ...ports, chainOf: () => Promise.resolve(chain) }),
    newPayment: async () => {
      const id = await world.addPayment({ quotes: quotesOf({ usdc: `${price}` }) });
      const to = addressOf(`deposit of ${id}`);
      await query(
        database,
      )`insert into deposit_addresses (chain_family, derivation_index, address, payment_id,
          created_at)
        values ('evm', ${++made}, ${to}, ${id}, ${clock.now()})`;
      return { id, pay: () => chain.deposit({ to, amountRaw: price, contractAddress }) };
    },
    /** Whatever is wrong with it: it cannot be worked out. */
    broken,
  };
}

describe.each(engines)("on %s", (engine) => {
  test("one that cannot be worked out holds up no other of its chain, and is paid once it can", async () => {
    const world = await openChain(engine);
    const { mine, look, retry, status, listed, alarms } = world;
    const [good, bad] = [await world.newPayment(), await world.newPayment()];
    world.broken.add(bad.id);
    good.pay();
    bad.pay();
    mine();
    await look();
    await retry();
    expect(await status(good.id)).toBe("confirming");
    expect(await status(bad.id)).toBe("pending");
    expect(await listed()).toEqual([[bad.id, 1]]);
    expect(alarms).toMatchObject([{ what: "payment_stuck", payment_id: bad.id, tries: 1 }]);
    // Its backoff has not passed.
    expect((await retry()).done).toBe(0);
    mine(40);
    await look();
    await retry();
    expect(await status(good.id)).toBe("paid");
    expect(await listed()).toEqual([[bad.id, 2]]);
    world.broken.clear();
    world.clock.advance(3_600_000);
    expect((await retry()).done).toBe(1);
    expect(await status(bad.id)).toBe("paid");
    expect(await listed()).toEqual([]);
    const balances = await world.balances();
    expect(balances["chain:deposit_addresses"]).toBe(2n * price);
  });

  test("one that cannot end holds up the end of no other", async () => {
    const world = await openChain(engine);
    const { status, expiry, mine, look } = world;
    const [good, bad] = [await world.newPayment(), await world.newPayment()];
    world.broken.add(bad.id);
    world.clock.advance(lifeMilliseconds);
    world.chain.mine(1, world.clock.now());
    mine();
    await look();
    expect((await expiry.run()).done).toBe(1);
    expect(await status(good.id)).toBe("expired");
    expect(await world.listed()).toEqual([[bad.id, 1]]);
    // Not again and again: it waits.
    expect((await expiry.run()).done).toBe(0);
    expect(await world.listed()).toEqual([[bad.id, 1]]);
    world.broken.clear();
    world.clock.advance(60_000);
    mine();
    await look();
    await world.retry();
    expect((await expiry.run()).done).toBe(1);
    expect(await status(bad.id)).toBe("expired");
  });

  test("each failure waits twice as long, and a database that is away is no failure", async () => {
    const world = await openChain(engine);
    const { id } = await world.newPayment();
    let failure: Error = new Error("broken");
    const troubles = new PaymentTroubles({
      ...world,
      progress: { refresh: () => Promise.reject(failure) },
      alarm: () => undefined,
    });
    await world.database.transaction((inside) => troubles.postpone(inside, [id], "a\0b"));
    await troubles.job().run();
    const [first] = await troubles.list();
    expect(first).toMatchObject({ paymentId: id, tries: 1, error: "Error: broken" });
    world.clock.advance(30_000);
    await troubles.job().run();
    const [second] = await troubles.list();
    const waits = (second?.nextTryAt.getTime() ?? 0) - world.clock.nowMilliseconds();
    expect([second?.tries, waits]).toEqual([2, 60_000]);
    world.clock.advance(60_000);
    failure = new ServiceError("service_unavailable", "away");
    await expect(troubles.job().run()).rejects.toThrow(failure);
    expect(await troubles.list()).toEqual([second]);
  });

  test("what a rescan finds gone is taken out of the ledger, and what it finds is paid", async () => {
    const world = await openChain(engine);
    const { chain, mine, look, status } = world;
    const [gone, found] = [await world.newPayment(), await world.newPayment()];
    const { number } = await chain.head();
    const hash = gone.pay();
    mine(40);
    await look();
    expect(await status(gone.id)).toBe("paid");
    chain.reorg(40, { drop: [hash], transactions: "same" });
    const rescan = () => world.rescan.run(base, number, { isDryRun: false });
    await rescan();
    expect(await status(gone.id)).toBe("reversed");
    expect(await world.balances()).toEqual({});
    found.pay();
    chain.reorg(30, { transactions: "same" });
    await rescan();
    mine(30);
    await look();
    expect(await status(found.id)).toBe("paid");
    expect((await world.balances())["chain:deposit_addresses"]).toBe(price);
  });
});
