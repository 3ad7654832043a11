// Branches that are abandoned: what was in them is gone, and may come again (threats 24 and 25).

import { describe, expect, test } from "vitest";
import { ForkTooDeep } from "../../service/chains/branches.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { drain, startWatching, token } from "./watching.ts";
import type { Watching } from "./watching.ts";

const whole = 1_000_000n;

/** A payment with one deposit in the newest block, seen. */
async function withDeposit(watching: Watching) {
  const payment = await watching.newPayment();
  await watching.drain();
  const deposit = { to: payment.address, contractAddress: token, amountRaw: whole };
  const txHash = watching.chain.deposit(deposit);
  watching.mine();
  await watching.drain();
  return { payment, txHash };
}

describe.each(engines)("on %s", (engine) => {
  const open = async () => startWatching(await openDatabase(engine));

  test("a deposit of an abandoned block is orphaned, and its payment hears of it", async () => {
    const watching = await open();
    const { chain, mine, sums } = watching;
    const { payment } = await withDeposit(watching);
    mine();
    await watching.drain();
    chain.reorg(2, { transactions: "dropped" });
    await watching.drain();
    expect(await watching.statuses()).toEqual(["orphaned"]);
    expect(await sums()).toEqual({ [payment.id]: { seen: "0", final: "0", times: 2 } });
    const { number, hash } = await chain.head();
    expect(await watching.cursor()).toMatchObject({ block_number: number, block_hash: hash });
    mine(10);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["orphaned"]);
  });

  test("one that is in both branches was never gone", async () => {
    const watching = await open();
    const { chain, mine, sums } = watching;
    const { payment } = await withDeposit(watching);
    mine();
    await watching.drain();
    const [before] = await watching.deposits();
    for (const transactions of ["same", "later"] as const) {
      chain.reorg(2, { transactions });
      await watching.drain();
      const [after] = await watching.deposits();
      expect(after).toMatchObject({ tx_hash: before?.tx_hash, status: "seen" });
      expect(after?.block_hash).not.toBe(before?.block_hash);
    }
    // Touched for each branch, and with nothing missing whenever it looked.
    expect(await sums()).toEqual({ [payment.id]: { seen: "1000000", final: "0", times: 3 } });
    mine(3);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["final"]);
  });

  test("one that comes with another log index counts once", async () => {
    const watching = await open();
    const { chain, mine, sums } = watching;
    const { payment } = await withDeposit(watching);
    chain.reorg(1, { logsBefore: 3 });
    await watching.drain();
    const rows = await watching.deposits();
    expect(rows.map(({ log_index: log, status }) => [log, status])).toEqual([
      [0, "orphaned"],
      [3, "seen"],
    ]);
    // And back to where it was.
    chain.reorg(1);
    mine(3);
    await watching.drain();
    const again = await watching.deposits();
    expect(again.map(({ log_index: log, status }) => `${log} ${status}`).toSorted()).toEqual([
      "0 final",
      "3 orphaned",
    ]);
    expect((await sums())[payment.id]).toMatchObject({ seen: "0", final: "1000000" });
  });

  test("a final deposit is taken back too, and final again when it comes again", async () => {
    const watching = await open();
    const { chain, mine, sums } = watching;
    const { payment } = await withDeposit(watching);
    mine(30);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["final"]);
    chain.reorg(31, { transactions: "dropped" });
    await watching.drain();
    expect(await watching.statuses()).toEqual(["orphaned"]);
    expect((await sums())[payment.id]).toMatchObject({ seen: "0", final: "0" });
    // The first branch was not the last word; this one has it again.
    const txHash = chain.deposit({ to: payment.address, contractAddress: token, amountRaw: whole });
    mine(3);
    await watching.drain();
    expect(await watching.deposits()).toMatchObject([
      { status: "orphaned" },
      { tx_hash: txHash, status: "final" },
    ]);
  });

  test("nothing is decided while the other branch is the shorter one", async () => {
    const watching = await open();
    const { chain, mine } = watching;
    await withDeposit(watching);
    mine(3);
    await watching.drain();
    const before = await watching.cursor();
    chain.reorg(4, { transactions: "dropped", length: 2 });
    await watching.drain();
    expect(await watching.cursor()).toEqual(before);
    expect(await watching.statuses()).toEqual(["final"]);
    mine(2);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["orphaned"]);
  });

  test("a branch that leaves before all that is kept stops everything until somebody looks", async () => {
    const watching = await open();
    const { chain, mine, newPayment } = watching;
    const narrow = watching.watcher({ limits: { keptBlocks: 10n } });
    const { address: to } = await newPayment();
    await drain(narrow);
    chain.deposit({ to, contractAddress: token, amountRaw: whole });
    mine(12);
    await drain(narrow);
    // What was not read a second time when it moved is forgotten with the next block.
    mine();
    await drain(narrow);
    const before = [await watching.cursor(), await watching.deposits()];
    chain.reorg(10, { transactions: "dropped" });
    for (let count = 0; count < 2; count++) {
      await expect(narrow.run()).rejects.toThrow(ForkTooDeep);
      mine();
      expect([await watching.cursor(), await watching.deposits()]).toEqual(before);
    }
  });

  test("finds the fork at any depth", async () => {
    const watching = await open();
    const { chain, mine } = watching;
    await watching.drain();
    for (const depth of [1, 2, 3, 4, 5, 7, 8, 9, 13, 20, 31]) {
      mine(depth);
      await watching.drain();
      const kept = (await chain.head()).number - BigInt(depth);
      const before = await readKept(watching.database);
      chain.reorg(depth);
      await watching.drain();
      const after = await readKept(watching.database);
      const changed = after.filter(({ number, hash }) => hash !== before.get(number));
      expect(changed.map(({ number }) => number)).toEqual(
        Array.from({ length: depth }, (_, index) => kept + 1n + BigInt(index)),
      );
    }
  });

  test("the same place with another transfer: what was booked is undone before it changes", async () => {
    const watching = await open();
    const { chain, database, mine } = watching;
    const [one, other] = [await watching.newPayment(), await watching.newPayment()];
    await watching.drain();
    const of = { contractAddress: token };
    chain.deposit(
      { ...of, to: one.address, amountRaw: whole },
      { ...of, to: other.address, amountRaw: 2n * whole },
    );
    mine(3);
    await watching.drain();
    await query(
      database,
    )`update deposits set bookings = 1, regular_raw = amount_raw, surplus_raw = 0,
      unmatched_raw = 0, booked_at = now()`;
    // Moved by one, the first transfer is where the second one was.
    chain.reorg(3, { logsBefore: 1 });
    const heard: string[] = [];
    const reversing = watching.watcher({
      onTouched: async (inside: Database, ids) => {
        const rows = await query(inside)<{ text: string }>`
          update deposits set reversals = bookings
          where status = 'orphaned' and payment_id = any(${ids}::text[]) and bookings > reversals
          returning payment_id || ' ' || regular_raw::text || ' ' || amount_raw::text as text`;
        heard.push(...rows.map(({ text }) => text).toSorted());
      },
    });
    await drain(reversing);
    expect(heard.toSorted()).toEqual([`${one.id} 1000000 1000000`, `${other.id} 2000000 2000000`]);
    const rows = await watching.deposits();
    const brief = rows.map(
      ({ log_index: log, payment_id: id, amount, status }) => `${log} ${id} ${amount} ${status}`,
    );
    expect(brief.toSorted()).toEqual([
      `0 ${one.id} 1000000 orphaned`,
      `1 ${one.id} 1000000 final`,
      `2 ${other.id} 2000000 final`,
    ]);
  });
});

async function readKept(database: Database) {
  const rows = await query(database)<{ number: bigint; hash: string }>`
    select block_number as number, block_hash as hash from chain_blocks order by 1`;
  const byNumber = new Map(rows.map(({ number, hash }) => [number, hash]));
  return Object.assign(rows, { get: (number: bigint) => byNumber.get(number) });
}
