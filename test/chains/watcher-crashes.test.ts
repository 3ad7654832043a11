// Killed at any step, run twice at once, on a chain that changes its mind: what is written in the
// end is what one calm watcher writes that only ever saw the end (threats 24 and 26).

import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChainWatcher, WatcherStep } from "../../service/chains/watcher.ts";
import { engines, type MadeDatabase, makeDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { drain, startWatching, token, watcherSteps } from "./watching.ts";
import type { Watching } from "./watching.ts";

const event = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("pay"), user: fc.nat(2), more: fc.nat(3) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("mine"), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("reorg"),
      depth: fc.integer({ min: 1, max: 6 }),
      transactions: fc.constantFrom("same", "later", "dropped"),
      logsBefore: fc.nat(2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("fault"),
      method: fc.constantFrom("head", "block"),
      fault: fc.constantFrom("unavailable", "old", "other_chain", "lost"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("run") }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("two runs") }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("killed"), step: fc.constantFrom(...watcherSteps) }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer One> ? One : never;

class Killed extends Error {}

describe.each(engines)("on %s", (engine) => {
  let made: MadeDatabase;
  let watching: Watching;
  beforeAll(async () => {
    made = await makeDatabase(engine);
    watching = await startWatching(made.database);
  });
  afterAll(async () => {
    await made.remove();
  });

  async function play(events: readonly Event[], chained: Watching, addresses: readonly string[]) {
    const { chain } = chained;
    const killable = (at: WatcherStep) =>
      chained.watcher({
        onStep: (step) => {
          if (step === at) throw new Killed();
        },
      });
    for (const one of events) {
      if (one.kind === "pay" && "user" in one) {
        const to = addresses[one.user] ?? "";
        const wish = { to, contractAddress: token, amountRaw: 1_000_000n };
        chain.deposit(...Array.from({ length: 1 + one.more }, () => wish));
      }
      if ("count" in one) chained.mine(one.count);
      if ("depth" in one) chain.reorg(one.depth, one);
      if ("fault" in one) chain.faults.next(one.method, { kind: one.fault, blocks: 2 });
      if (one.kind === "run") await tolerant(chained.watcher());
      if (one.kind === "two runs") {
        await Promise.all([tolerant(chained.watcher()), tolerant(chained.watcher())]);
      }
      if ("step" in one) await tolerant(killable(one.step));
    }
  }

  test("the end is the same, whatever was on the way", async () => {
    const payments = [0, 1, 2].map(async () => await watching.newPayment());
    const addresses = (await Promise.all(payments)).map(({ address }) => address);
    const property = fc.asyncProperty(
      fc.array(event, { minLength: 5, maxLength: 30 }),
      async (events) => {
        await forget(watching);
        watching.chain.faults.clear();
        await watching.drain();
        const from = await firstBlock(watching);
        await play(events, watching, addresses);
        watching.chain.faults.clear();
        // Long enough that everything is final or gone.
        watching.mine(8);
        await watching.drain();
        const wild = await ending(watching);
        expect(await sumsOfDeposits(watching)).toEqual(wild.sums);
        await forget(watching);
        const { number: head } = await watching.chain.head();
        await drain(watching.watcher({ limits: { firstBlocks: head - from } }));
        const calm = await ending(watching);
        expect({ ...wild, sums: {} }).toEqual({ ...calm, sums: {} });
      },
    );
    await fc.assert(property, { numRuns: engine === "PGlite" ? 30 : 20 });
  });

  test.each(watcherSteps)(
    "killed at %s, the next run ends where it would have ended",
    async (at) => {
      await forget(watching);
      await watching.drain();
      const { address: to, id } = await watching.newPayment();
      const wish = { to, contractAddress: token, amountRaw: 1_000_000n };
      watching.chain.deposit(wish);
      watching.mine(4);
      watching.chain.deposit(wish);
      watching.mine();
      await watching.drain();
      watching.chain.reorg(3);
      watching.mine(3);
      let isHit = false;
      const killed = watching.watcher({
        onStep: (step) => {
          if (step !== at) return;
          isHit = true;
          throw new Killed();
        },
      });
      await expect(drain(killed)).rejects.toThrow(Killed);
      expect(isHit).toBe(true);
      expect(await sumsOfDeposits(watching)).toMatchObject(await watching.sums().then(pick(id)));
      await watching.drain();
      expect((await watching.sums())[id]).toMatchObject({ seen: "0", final: "2000000" });
    },
  );
});

const pick =
  (id: string) =>
  (sums: Awaited<ReturnType<Watching["sums"]>>): Record<string, object> => {
    const { seen, final } = sums[id] ?? { seen: "", final: "" };
    return { [id]: { seen, final } };
  };

/** The chain may refuse, and the watcher be killed; anything else is a fault. */
async function tolerant(watcher: ChainWatcher): Promise<void> {
  try {
    await watcher.run();
  } catch (error) {
    const isExpected =
      error instanceof Killed ||
      (error instanceof Error && "code" in error && error.code === "chain_unavailable") ||
      // Blocks of another chain for as long as the walk back took.
      (error instanceof Error && error.name === "ForkTooDeep");
    if (!isExpected) throw error;
  }
}

/** As if nobody had ever watched. */
async function forget({ database }: Watching): Promise<void> {
  for (const table of ["deposits", "chain_blocks", "chain_cursors", "sums"]) {
    await query(database)`delete from ${sql.table(table)}`;
  }
}

async function firstBlock({ database }: Watching): Promise<bigint> {
  const [row] = await query(database)<{
    first: bigint;
  }>`select min(block_number) as first from chain_blocks`;
  return row?.first ?? 0n;
}

/** All that counts. */
async function ending(watching: Watching) {
  const deposits = await watching.deposits();
  const blocks = await query(watching.database)<{ number: bigint; hash: string }>`
    select block_number as number, block_hash as hash from chain_blocks order by 1`;
  const sums = await watching.sums();
  return {
    cursor: await watching.cursor(),
    blocks,
    deposits: deposits.filter((row) => row.status !== "orphaned"),
    sums: Object.fromEntries(
      Object.entries(sums).map(([id, { seen, final }]) => [id, { seen, final }]),
    ),
  };
}

/** What the payments should know by now. */
async function sumsOfDeposits({ database }: Watching): Promise<Record<string, object>> {
  const rows = await query(database)<{ id: string; seen: string; final: string }>`
    select payment_id as id, coalesce(sum(amount_raw) filter (where status = 'seen'), 0)::text as seen,
      coalesce(sum(amount_raw) filter (where status = 'final'), 0)::text as final
    from deposits group by payment_id`;
  return Object.fromEntries(rows.map(({ id, seen, final }) => [id, { seen, final }]));
}
