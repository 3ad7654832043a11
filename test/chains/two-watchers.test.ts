// Two processes that watch a chain while it changes its mind: each may have another branch in its hands,
// and none writes down what belongs to the one that the other has left (threats 24, 26 and 27).

import { describe, expect, test } from "vitest";
import type { WatcherStep } from "../../service/chains/watcher.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { changedChain, drain, startWatching, token } from "./watching.ts";
import type { Watching } from "./watching.ts";

const whole = 1_000_000n;

class Killed extends Error {}

/** A watcher that does something, once, when it has come so far. */
function stopping(watching: Watching, at: WatcherStep, then: () => Promise<unknown>) {
  let isToCome = true;
  return watching.watcher({
    onStep: async (step) => {
      if (step !== at || !isToCome) return;
      isToCome = false;
      await then();
    },
  });
}

/** It reads what is new, and ends before it looks again. */
function dying(watching: Watching, chain: Chain = watching.chain) {
  const onStep = (step: WatcherStep): void => {
    if (step === "committed") throw new Killed();
  };
  return watching.watcher({ chain, onStep });
}

/** Something happens, once, while it has a block in its hands. */
function interrupted(watching: Watching, number: bigint, then: () => Promise<unknown>) {
  const { chain } = watching;
  let isToCome = true;
  return watching.watcher({
    chain: changedChain(chain, {
      block: async (asked, contracts) => {
        const block = await chain.block(asked, contracts);
        if (asked === number && isToCome) {
          isToCome = false;
          await then();
        }
        return block;
      },
    }),
  });
}

describe.each(engines)("on %s", (engine) => {
  /** One payment, and all blocks of the chain looked at twice that can be. */
  async function open() {
    const watching = await startWatching(await openDatabase(engine));
    const { address: to } = await watching.newPayment();
    await watching.drain();
    const pay = () => watching.chain.deposit({ to, contractAddress: token, amountRaw: whole });
    return { ...watching, pay };
  }

  /** Where it stands, without how far it was checked. */
  async function position({ cursor }: Watching) {
    const { block_number: number, block_hash: hash } = (await cursor()) ?? {};
    return { number, hash };
  }

  test("what follows from one branch is not put after the newest block of the other", async () => {
    const watching = await open();
    const { chain, mine, pay } = watching;
    pay();
    mine();
    const late = stopping(watching, "deposits_found", async () => {
      // As high as the first one stands, and without the money that it has in its hands.
      chain.reorg(2, { transactions: "dropped", length: 1 });
      await watching.drain();
    });
    const { isMore } = await late.run();
    const { number, hash } = await chain.head();
    expect([isMore, await position(watching), await watching.statuses()]).toEqual([
      true,
      { number, hash },
      [],
    ]);
    mine(10);
    await watching.drain();
    expect(await watching.statuses()).toEqual([]);
  });

  test("who looks a second time says so, also after another one's first look", async () => {
    const watching = await open();
    const { chain, mine, pay } = watching;
    pay();
    mine();
    const { number } = await chain.head();
    await expect(drain(dying(watching))).rejects.toThrow(Killed);
    mine(10);
    const asked: unknown[] = [];
    const block: Chain["block"] = (at, contracts, isAgain) => {
      if (at === number && contracts.length > 0) asked.push(isAgain);
      return chain.block(at, contracts);
    };
    await drain(watching.watcher({ chain: changedChain(chain, { block }) }));
    expect([asked, await watching.statuses()]).toEqual([[true], ["final"]]);
  });

  test("what was looked at twice in one branch is not final by that in the other", async () => {
    const watching = await open();
    const { chain, mine, pay } = watching;
    pay();
    mine(2);
    await watching.drain();
    mine(2);
    const late = stopping(watching, "second_look_done", async () => {
      chain.reorg(4);
      await expect(drain(dying(watching))).rejects.toThrow(Killed);
    });
    expect(await late.run()).toMatchObject({ isMore: true });
    expect(await watching.statuses()).toEqual(["seen"]);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["final"]);
  });

  test("a look that agrees with a branch that is gone is not noted", async () => {
    const watching = await open();
    const { chain, clock, database, mine } = watching;
    mine();
    await watching.drain();
    let before: unknown;
    const run: Database["run"] = async (statement, values) => {
      const rows = await database.run(statement, values);
      if (statement.name === "read_chain_cursor" && before === undefined) {
        chain.reorg(1);
        await watching.drain();
        before = await looked(database);
        clock.advance(60_000);
      }
      return rows;
    };
    const late = watching.watcher({ database: { ...database, run } });
    // What it goes by is gone: it reads nothing, and says nothing of the chain.
    await late.run();
    expect(await looked(database)).toEqual(before);
    await watching.drain();
    expect(await looked(database)).not.toEqual(before);
  });

  test("the blocks of a new branch are looked at twice, whatever of the old one was", async () => {
    const watching = await open();
    const { chain, mine, pay } = watching;
    pay();
    mine(8);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["final"]);
    chain.reorg(8);
    // It reads the new branch, and misses the money in it.
    const blind = changedChain(chain, {
      block: async (number, contracts) => {
        const block = await chain.block(number, contracts);
        return block && { ...block, transfers: [] };
      },
    });
    await expect(drain(dying(watching, blind))).rejects.toThrow(Killed);
    expect(await watching.statuses()).toEqual(["orphaned"]);
    await watching.drain();
    mine(3);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["final"]);
  });

  test("a second look at one branch says nothing of the other one", async () => {
    const watching = await open();
    const { chain, mine, pay } = watching;
    pay();
    mine(4);
    // Read once: the second look is left to the next one, which the chain overtakes.
    await expect(drain(dying(watching))).rejects.toThrow(Killed);
    const { number: head } = await chain.head();
    const late = interrupted(watching, head - 3n, async () => {
      chain.reorg(4, { transactions: "dropped" });
      await expect(drain(dying(watching))).rejects.toThrow(Killed);
    });
    expect(await late.run()).toMatchObject({ isMore: true });
    expect(await watching.statuses()).toEqual(["orphaned"]);
    mine(10);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["orphaned"]);
  });

  test("a slow second look sets nobody back", async () => {
    const watching = await open();
    const { chain, mine } = watching;
    mine(4);
    await expect(drain(dying(watching))).rejects.toThrow(Killed);
    const { number: head } = await chain.head();
    const slow = interrupted(watching, head - 3n, async () => {
      mine(5);
      await watching.drain();
    });
    expect(await slow.run()).toMatchObject({ isMore: true });
    expect(await watching.cursor()).toMatchObject({ checked_number: head + 2n });
  });
});

async function looked(database: Database) {
  return await query(database)`select looked_at, head_number from chain_cursors`;
}
