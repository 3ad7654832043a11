// Deposits of tokens that keep a part and wait for the chain's word: the newest is asked about first, since
// nodes forget the oldest first, and none is left out for ever.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { engines } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { chainUnavailable } from "../support/scripted-faults.ts";
import { query } from "../support/service-parts.ts";
import type { Chain } from "../../service/ports/chain.ts";
import { price } from "../payments/progress-world.ts";
import { watchMarked } from "./marked-world.ts";
import { putCode, startBase, usdc } from "./watched-world.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startBase();
  await putCode(local, usdc, "ShortToken");
  await local.mint(local.accounts[0].address, 10n ** 12n, usdc);
});
afterAll(() => local.close());

const arrived = (price * 99n) / 100n;
const minuteMilliseconds = 60_000;
const runMilliseconds = 4_000;
/** Nobody says anything of blocks from this one on. */
const unsaidFrom = 1_000_000;
type World = Awaited<ReturnType<typeof watchMarked>>;

/** Blocks that nobody says anything of, and that have been due for so long. */
async function addUnsaid(
  { database, clock }: World,
  { from, count, askedBefore }: { from: number; count: number; askedBefore: number },
): Promise<void> {
  const askedAt = new Date(clock.nowMilliseconds() - askedBefore);
  await query(
    database,
    sql`insert into measured_transfers (chain_id, tx_hash, log_index, block_hash, block_number,
        deployment_id, address, logged_raw, arrived_raw, found_at, asked_at, told_at)
      select ${local.chainId}::text, '0x' || n, 0, '0xb' || n, n, 'dep_usdc_base', '0x' || n, 1000, null,
        ${askedAt}::timestamptz, ${askedAt}::timestamptz, ${askedAt}::timestamptz
      from generate_series(${from}::bigint, ${from + count - 1}::bigint) as n`,
  );
}

describe.each(engines)("on %s", (engine) => {
  test("one whose nodes failed for a moment does not wait behind hundreds that are forgotten", async () => {
    const world = await watchMarked(local, engine);
    const { mine, look, newPayment, deposits, state, clock, marked, measured } = world;
    const { id, pay } = await newPayment();
    // As old as can be, and due for hours: their nodes will never say anything of them.
    await addUnsaid(world, { from: -300, count: 300, askedBefore: 240 * minuteMilliseconds });
    state.isForgotten = true;
    await pay();
    await mine();
    await look();
    state.isForgotten = false;
    clock.advance(minuteMilliseconds);
    await marked.run();
    expect(await deposits(id)).toMatchObject([{ amount: `${arrived}` }]);
    expect(await measured()).toHaveLength(301);
  });

  test("an old one has its turn, however many new ones come that nobody says anything of", async () => {
    const world = await watchMarked(local, engine);
    const { mine, look, newPayment, deposits, state, clock } = world;
    const { id, pay } = await newPayment();
    state.isForgotten = true;
    await pay();
    await mine();
    await look();
    const block: Chain["block"] = (...of) => {
      if (of[0] >= BigInt(unsaidFrom)) throw chainUnavailable();
      return world.chain.block(...of);
    };
    const knowing = world.watcher({ chain: { ...world.chain, block } });
    clock.advance(minuteMilliseconds);
    // Ten have been due for longer than it.
    await addUnsaid(world, { from: unsaidFrom, count: 10, askedBefore: 2 * minuteMilliseconds });
    const counted: number[] = [];
    for (let run = 0; run < 12; run++) {
      await addUnsaid(world, {
        from: unsaidFrom + 100 * (run + 1),
        count: 3,
        askedBefore: minuteMilliseconds - 1,
      });
      clock.advance(runMilliseconds);
      await knowing.run();
      counted.push((await deposits(id)).length);
    }
    // Each run asks about one new one, and about the one that was asked about longest ago.
    expect(counted).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
  });
});

test("who catches up measures the newest first: what nodes still know counts at once", async () => {
  const world = await watchMarked(local);
  const { mine, newPayment, deposits, measured } = world;
  const payments = [await newPayment(), await newPayment(), await newPayment()];
  for (const { pay } of payments) {
    await pay();
    await mine();
  }
  const newest = (await local.rpc("eth_getBlockByNumber", ["latest", false])) as {
    hash: string;
    parentHash: string;
  };
  const known = new Set([newest.hash, newest.parentHash]);
  const saying =
    (truth: Chain["balanceAt"]): Chain["balanceAt"] =>
    (...of) => {
      if (!known.has(of[2])) throw chainUnavailable();
      return truth(...of);
    };
  const chain = {
    ...world.chain,
    balanceAt: saying(world.chain.balanceAt),
    agreedBalanceAt: saying(world.chain.agreedBalanceAt),
  };
  const knowing = world.watcher({ chain });
  for (let run = 0; run < 3; run++) await knowing.run();
  const logged = `${price}`;
  expect(await measured()).toEqual([
    { logged, arrived: null },
    { logged, arrived: null },
    { logged, arrived: `${arrived}` },
  ]);
  expect(await deposits(payments[2]?.id ?? "")).toMatchObject([{ amount: `${arrived}` }]);
});
