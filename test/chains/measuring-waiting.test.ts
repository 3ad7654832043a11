// Deposits of tokens that keep a part, where the chain does not say what came: they wait, nothing counts
// on the word of a log, and whatever reads the chain again keeps to what was measured.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { engines } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { query } from "../support/service-parts.ts";
import { price } from "../payments/progress-world.ts";
import { watchMarked } from "../evm/marked-world.ts";
import { eurc, finalBlocks, putCode, startBase, usdc } from "../evm/watched-world.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startBase();
  await putCode(local, usdc, "ShortToken");
  await local.mint(local.accounts[0].address, 10n ** 12n, usdc);
  await putCode(local, eurc, "FalseToken");
  await local.mint(local.accounts[0].address, 10n ** 12n, eurc);
});
afterAll(() => local.close());

const arrived = (price * 99n) / 100n;
const minuteMilliseconds = 60_000;

const watchForgetful = (engine: Engine = "PostgreSQL") => watchMarked(local, engine);

describe.each(engines)("on %s", (engine) => {
  test("nothing counts until the chain says it; others do not wait, and people are told once", async () => {
    const world = await watchForgetful(engine);
    const { look, mine, newPayment, deposits, told, state, clock, measured, alarms } = world;
    const { id, pay } = await newPayment();
    const other = await newPayment({ eth: `${price}` });
    state.isForgotten = true;
    await pay();
    await other.pay(price, null);
    await mine(finalBlocks);
    await look();
    expect(await told(other.id)).toEqual(["confirming", "paid"]);
    expect(await told(id)).toEqual([]);
    expect(await deposits(id)).toEqual([]);
    expect(await measured()).toEqual([{ logged: `${price}`, arrived: null }]);
    expect(alarms).toEqual([]);
    clock.advance(10 * minuteMilliseconds);
    await look();
    await look();
    expect(alarms).toEqual([
      ["transfer_unmeasured", expect.objectContaining({ logged_raw: `${price}` })],
    ]);
    state.isForgotten = false;
    // It had waited for ten minutes when it was asked about last: it waits as long again.
    clock.advance(9 * minuteMilliseconds);
    await look();
    expect(await deposits(id)).toEqual([]);
    clock.advance(minuteMilliseconds);
    await look();
    await look();
    expect(await deposits(id)).toMatchObject([{ amount: `${arrived}`, status: "final" }]);
    expect(await measured()).toEqual([{ logged: `${price}`, arrived: `${arrived}` }]);
    expect(await told(id)).toContain("partially_paid");
  });

  test("whose block is gone meanwhile, it counts in the block where it is", async () => {
    const { look, mine, newPayment, deposits, state, clock, measured } =
      await watchForgetful(engine);
    const { id, pay } = await newPayment();
    await mine();
    state.isForgotten = true;
    const hash = await pay();
    await mine(2);
    await look();
    await local.reorg(3, [hash]);
    state.isForgotten = false;
    await mine();
    await look();
    expect(await deposits(id)).toMatchObject([{ tx_hash: hash, amount: `${arrived}` }]);
    clock.advance(minuteMilliseconds);
    await look();
    expect(await measured()).toEqual([{ logged: `${price}`, arrived: `${arrived}` }]);
  });
});

test("what is found in a block while it is asked about waits on", async () => {
  const { look, mine, newPayment, deposits, state, clock, measured, database } =
    await watchForgetful();
  const { id, pay } = await newPayment();
  state.isForgotten = true;
  await pay();
  await mine(2);
  await look();
  expect(await measured()).toEqual([{ logged: `${price}`, arrived: null }]);
  state.isForgotten = false;
  state.meanwhile = () =>
    query(
      database,
      sql`insert into measured_transfers (chain_id, tx_hash, log_index, block_hash, block_number,
          deployment_id, address, logged_raw, arrived_raw, found_at, asked_at, told_at)
        select chain_id, tx_hash, log_index + 1, block_hash, block_number, deployment_id, address, 1000, null,
          found_at, asked_at, told_at
        from measured_transfers where log_index = (select min(log_index) from measured_transfers)
        on conflict do nothing`,
    );
  clock.advance(minuteMilliseconds);
  await look();
  expect(await deposits(id)).toMatchObject([{ amount: `${arrived}` }]);
  expect(await measured()).toEqual([
    { logged: `${price}`, arrived: `${arrived}` },
    { logged: "1000", arrived: null },
  ]);
});

test("an answer that leaves the transfer out ends no waiting: it counts when the chain says it", async () => {
  const world = await watchForgetful();
  const { look, mine, newPayment, deposits, state, clock, measured } = world;
  const { id, pay } = await newPayment();
  state.isForgotten = true;
  await pay();
  await mine(finalBlocks);
  await look();
  state.isSilent = true;
  clock.advance(minuteMilliseconds);
  await look();
  expect(await measured()).toEqual([{ logged: `${price}`, arrived: null }]);
  state.isForgotten = false;
  state.isSilent = false;
  // Asked is asked: again only a minute later.
  await look();
  expect(await deposits(id)).toEqual([]);
  clock.advance(minuteMilliseconds);
  await look();
  expect(await deposits(id)).toMatchObject([{ amount: `${arrived}` }]);
});

test("a node that has forgotten is asked about two blocks in a run, and ever more rarely", async () => {
  const { look, marked, mine, newPayment, deposits, state, clock, measured } =
    await watchForgetful();
  const payments = [await newPayment(), await newPayment(), await newPayment()];
  state.isForgotten = true;
  for (const { pay } of payments) {
    await pay();
    await mine();
    await look();
  }
  clock.advance(minuteMilliseconds);
  const runs: number[] = [];
  for (let run = 0; run < 4; run++) {
    state.asked = 0;
    await marked.run();
    runs.push(state.asked);
  }
  // Two balances of each block, before it and after it: the newest, and who was asked about longest ago.
  expect(runs).toEqual([4, 2, 0, 0]);
  state.asked = 0;
  for (let minute = 0; minute < 240; minute++) {
    clock.advance(minuteMilliseconds);
    for (let run = 0; run < 3; run++) await marked.run();
  }
  // After 2, 4, 8, 16, 32, 64, 124 and 184 minutes, or a little later.
  expect(state.asked).toBeLessThanOrEqual(3 * 2 * 9);
  expect(state.asked).toBeGreaterThanOrEqual(3 * 2 * 7);
  state.isForgotten = false;
  clock.advance(60 * minuteMilliseconds);
  // What is said does not end a run.
  await marked.run();
  expect((await measured()).map(({ arrived: one }) => one)).toEqual(
    payments.map(() => `${arrived}`),
  );
  for (const { id } of payments) expect(await deposits(id)).toHaveLength(1);
});

test("where two blocks of those that are read cannot be said, no third one is asked about", async () => {
  const { look, mine, newPayment, state, measured } = await watchForgetful();
  const payments = [await newPayment(), await newPayment(), await newPayment()];
  for (const { pay } of payments) {
    await pay();
    await mine();
  }
  state.isForgotten = true;
  await look();
  expect(state.asked).toBe(4);
  expect(await measured()).toHaveLength(3);
});

test("of an ordinary token in the same block the chain is not asked", async () => {
  const world = await watchForgetful();
  const { look, mine, newPayment, deposits, state, clock, measured, alarms } = world;
  const { pay } = await newPayment();
  const other = await newPayment();
  state.isForgotten = true;
  await pay();
  await other.pay(price, eurc);
  // Both are in the first of these.
  await mine(finalBlocks);
  await look();
  clock.advance(minuteMilliseconds);
  await look();
  clock.advance(10 * minuteMilliseconds);
  await look();
  expect(await deposits(other.id)).toMatchObject([{ amount: `${price}`, status: "final" }]);
  expect(await measured()).toEqual([{ logged: `${price}`, arrived: null }]);
  expect(alarms).toEqual([
    ["transfer_unmeasured", expect.objectContaining({ deployment_id: "dep_usdc_base" })],
  ]);
});

test("the same transfer mined again in another block is measured again, and is no news", async () => {
  const { look, mine, newPayment, deposits, told, measured } = await watchForgetful();
  const { id, pay } = await newPayment();
  await mine();
  const hash = await pay();
  await mine(2);
  await look();
  await local.reorg(3, [hash]);
  await mine(finalBlocks);
  await look();
  expect(await told(id)).toEqual(["partially_paid"]);
  expect(await deposits(id)).toMatchObject([{ amount: `${arrived}`, status: "final" }]);
  expect(await measured()).toHaveLength(2);
});

test("reading the chain again finds what was missed for what came, and keeps what nodes have forgotten", async () => {
  const world = await watchForgetful();
  const { look, mine, newPayment, deposits, database, state, rescan } = world;
  const { number } = await local.newestBlock();
  const [known, missed] = [await newPayment(), await newPayment()];
  await known.pay();
  await mine();
  await missed.pay();
  await mine(finalBlocks);
  await look();
  await query(database, sql`delete from deposits where payment_id = ${sql.lit(missed.id)}`);
  await query(database, sql`delete from measured_transfers where address = ${sql.lit(missed.to)}`);
  state.asked = 0;
  const report = await rescan(number + 1n);
  expect(state.asked).toBe(4);
  expect(report.changes).toMatchObject([{ what: "new", amountRaw: arrived }]);
  expect(await deposits(missed.id)).toMatchObject([{ amount: `${arrived}` }]);
  state.isForgotten = true;
  expect((await rescan(number + 1n)).changes).toEqual([]);
  expect(await deposits(known.id)).toMatchObject([{ amount: `${arrived}`, status: "final" }]);
});

test("what comes to a settlement account in one block is shared among those who sent it", async () => {
  const { watcher, look, mine, database, settlement } = await watchForgetful();
  const accounts = { settlement: [settlement] };
  const [, second, third] = local.accounts;
  for (const { address } of [second, third]) await local.mint(address, 10n * price, usdc);
  for (const [from, amountRaw] of [
    [second.address, price],
    [third.address, 3n * price],
  ] as const) {
    await local.transfer({ from, to: settlement, amountRaw, contractAddress: usdc });
  }
  await mine(finalBlocks);
  const own = watcher({ accounts });
  for (let runs = 0; runs < 3; runs++) await own.run();
  await look();
  const rows = await query(
    database,
    sql<{ amount: string; sender: string }>`
      select amount_raw::text as amount, sender from deposits order by log_index`,
  );
  expect(rows).toEqual([
    { amount: `${arrived}`, sender: second.address },
    { amount: `${3n * arrived}`, sender: third.address },
  ]);
  expect(await local.balanceOf(settlement, usdc)).toBe(4n * arrived);
});
