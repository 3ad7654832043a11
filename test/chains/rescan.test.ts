// The operator's way out where the watcher has stopped, or was told something wrong twice: a part of
// the chain is read again, and only what is otherwise changes (threats 24 and 27).

import { describe, expect, test } from "vitest";
import { ForkTooDeep } from "../../service/chains/branches.ts";
import type { RescanReport } from "../../service/chains/rescan.ts";
import { OperatorError } from "../../service/operator-error.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { cautiousToken, changedChain, drain } from "./watching.ts";
import { startWatching, token, tokenDeployment } from "./watching.ts";
import type { Watching } from "./watching.ts";

const whole = 1_000_000n;
const of = "eip155:1";
const dryRun = { isDryRun: true };
const forReal = { isDryRun: false };

const brief = ({ changes }: RescanReport) =>
  changes.map(({ what, paymentId }) => `${what} ${paymentId}`).toSorted();

const linked = async ({ database }: Watching) => {
  const rows = await query(database)<{
    block_number: bigint;
    block_hash: string;
    parent_hash: string;
  }>`
    select block_number, block_hash, parent_hash from chain_blocks order by block_number`;
  return rows.slice(1).every((row, index) => {
    const before = rows[index];
    return before?.block_number === row.block_number - 1n && before.block_hash === row.parent_hash;
  });
};

const audited = ({ database }: Watching) =>
  query(database)<{ details: string }>`
    select details from audit_entries where action = 'chain.rescanned' order by sequence`;

async function state(watching: Watching) {
  return [await watching.cursor(), await watching.deposits(), await watching.sums()];
}

describe.each(engines)("on %s", (engine) => {
  const open = async () => startWatching(await openDatabase(engine));

  /** Three deposits far below the head, and a watcher that keeps ten blocks. */
  async function withDeepFork(watching: Watching) {
    const { chain, mine, newPayment } = watching;
    const payments = [await newPayment(), await newPayment(), await newPayment()] as const;
    const narrow = watching.watcher({ limits: { keptBlocks: 10n } });
    await drain(narrow);
    const from = (await chain.head()).number + 1n;
    const hashes = payments.map(({ address: to }) => pay(watching, to));
    mine(29);
    await drain(narrow);
    // What was not read a second time when it moved is forgotten with the next block.
    mine();
    await drain(narrow);
    const gone = hashes.at(-1) ?? "";
    chain.reorg(30, { transactions: "later", drop: [gone] });
    mine();
    await expect(narrow.run()).rejects.toThrow(ForkTooDeep);
    return { narrow, from, payments, rescan: watching.rescan({ limits: { keptBlocks: 10n } }) };
  }

  function pay({ chain }: Watching, to: string): string {
    return chain.deposit({ to, contractAddress: token, amountRaw: whole });
  }

  test("after a fork deeper than what is kept: what is gone goes, what moved stays paid", async () => {
    const watching = await open();
    const { narrow, from, payments, rescan } = await withDeepFork(watching);
    const [one, other, gone] = payments;
    const before = await state(watching);
    const expected = [`gone ${gone.id}`, `moved ${one.id}`, `moved ${other.id}`].toSorted();
    const seen = await rescan.run(of, from, dryRun);
    expect(brief(seen)).toEqual(expected);
    expect(seen).toMatchObject({ same: 0, otherBlocks: 10 });
    expect(await state(watching)).toEqual(before);
    expect(await audited(watching)).toEqual([]);
    const done = await rescan.run(of, from, forReal);
    expect(brief(done)).toEqual(expected);
    expect(await linked(watching)).toBe(true);
    expect((await watching.sums())[one.id]).toEqual({ seen: `${whole}`, final: "0", times: 3 });
    expect((await watching.sums())[gone.id]).toMatchObject({ seen: "0", final: "0" });
    const [entry] = await audited(watching);
    expect(JSON.parse(entry?.details ?? "")).toMatchObject({ gone: 1, moved: 2, new: 0 });
    watching.mine(10);
    await drain(narrow);
    expect((await watching.statuses()).toSorted()).toEqual(["final", "final", "orphaned"]);
    expect((await watching.cursor())?.block_hash).toBe((await watching.chain.head()).hash);
    // Again there is nothing to do, and nobody is touched.
    const sums = await watching.sums();
    const again = await rescan.run(of, from, forReal);
    expect(again).toMatchObject({ changes: [], same: 2, otherBlocks: 0 });
    expect(await watching.sums()).toEqual(sums);
  });

  test("it has to begin where both branches are still one", async () => {
    const watching = await open();
    const { from, rescan } = await withDeepFork(watching);
    const before = await state(watching);
    const tooLate = rescan.run(of, from + 20n, forReal);
    await expect(tooLate).rejects.toThrow(/has another block \d+ than the one that is stored/);
    // Below what is kept, the deposits say where.
    await expect(rescan.run(of, from + 2n, forReal)).rejects.toThrow(`another block ${from}`);
    expect(await state(watching)).toEqual(before);
  });

  test("a deposit that both looks missed is found, and no other payment is touched", async () => {
    const watching = await open();
    const { chain, mine, newPayment } = watching;
    const [missed, other] = [await newPayment(), await newPayment()];
    await watching.drain();
    pay(watching, other.address);
    mine(5);
    await watching.drain();
    pay(watching, missed.address);
    mine();
    const { number } = await chain.head();
    chain.faults.next("block", { kind: "no_transfers" }, Number.POSITIVE_INFINITY);
    await watching.drain();
    mine(4);
    await watching.drain();
    chain.faults.clear();
    mine(10);
    await watching.drain();
    expect(await watching.deposits()).toHaveLength(1);
    const sums = await watching.sums();
    const done = await watching.rescan().run(of, number - 6n, forReal);
    expect(brief(done)).toEqual([`new ${missed.id}`]);
    expect(done).toMatchObject({ same: 1, otherBlocks: 0 });
    expect((await watching.sums())[other.id]).toEqual(sums[other.id]);
    mine();
    await watching.drain();
    expect((await watching.sums())[missed.id]).toMatchObject({ final: `${whole}` });
  });

  test("a deposit that never was goes, and the chain goes on", async () => {
    const watching = await open();
    const { chain, mine, newPayment } = watching;
    const { id, address: to } = await newPayment();
    await watching.drain();
    mine();
    const from = addressOf("nobody");
    const transfer = { txHash: `0x${"f".repeat(64)}`, logIndex: 0, contractAddress: token, from };
    const forged = { ...transfer, to, amountRaw: whole };
    chain.faults.next("block", { kind: "forged", transfer: forged });
    await watching.drain();
    mine(3);
    await expect(watching.drain()).rejects.toThrow("does not answer");
    const { block_number: number = 0n } = (await watching.cursor()) ?? {};
    // What came to addresses is in the blocks: nobody is asked for receipts.
    const receipt = () => Promise.reject(new Error("a receipt"));
    const chainOf = () => Promise.resolve(changedChain(chain, { receipt }));
    const done = await watching.rescan({ chainOf }).run(of, number - 5n, forReal);
    expect(brief(done)).toEqual([`gone ${id}`]);
    mine(5);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["orphaned"]);
    expect((await watching.sums())[id]).toMatchObject({ seen: "0", final: "0" });
  });

  test.each([
    ["of another amount", { amountRaw: 5n * whole }, "gone new"],
    ["of another token", { contractAddress: cautiousToken }, "gone new"],
    ["to somebody else", { to: addressOf("a stranger") }, "gone"],
    ["from somebody else", { from: addressOf("another payer") }, "moved"],
  ])(
    "a transfer %s, of which both looks made a deposit, is put right",
    async (_, real, changes) => {
      const watching = await open();
      const { chain, mine, newPayment } = watching;
      const { id, address: to } = await newPayment();
      await watching.drain();
      const forged = { to, contractAddress: token, amountRaw: whole, from: addressOf("a payer") };
      chain.deposit({ ...forged, ...real });
      mine(4);
      const lying = watching.watcher({
        chain: changedChain(chain, {
          block: async (number, contracts) => {
            const block = await chain.block(number, contracts);
            return (
              block && {
                ...block,
                transfers: block.transfers.map((one) => ({ ...one, ...forged })),
              }
            );
          },
        }),
      });
      await drain(lying);
      expect((await watching.sums())[id]).toMatchObject({ final: `${whole}` });
      const { block_number: number = 0n } = (await watching.cursor()) ?? {};
      const done = await watching.rescan().run(of, number - 5n, forReal);
      expect(brief(done)).toEqual(changes.split(" ").map((what) => `${what} ${id}`));
      mine(10);
      await watching.drain();
      const [row] = await query(watching.database)`
      select address, sender, amount_raw::text, status from deposits`;
      const sender = "from" in real ? real.from : forged.from;
      const isGone = changes === "gone";
      const amount = "amountRaw" in real ? real.amountRaw : whole;
      expect(row).toEqual({
        address: to,
        sender,
        amount_raw: `${amount}`,
        status: isGone ? "orphaned" : "final",
      });
    },
  );

  test("what came by x402 stays with its block, moves with its transaction, and goes without it", async () => {
    const watching = await open();
    const { chain, mine, newPayment } = watching;
    await newPayment();
    await watching.drain();
    const settlement = addressOf("settlement");
    const hash = pay(watching, settlement);
    mine();
    const { number } = await chain.head();
    await watching.drain();
    const paymentId = await storeX402(watching, hash, number);
    mine(3);
    await watching.drain();
    const rescan = watching.rescan();
    const same = await rescan.run(of, number - 1n, forReal);
    expect(same).toMatchObject({ changes: [], same: 1 });
    const head = await chain.head();
    chain.reorg(Number(head.number - number) + 1, { transactions: "later" });
    mine();
    const moved = await rescan.run(of, number - 1n, forReal);
    expect(brief(moved)).toEqual([`moved ${paymentId}`]);
    const [row] = await watching.deposits();
    expect(row).toMatchObject({ status: "seen", block_number: number + 1n });
    const now = await chain.head();
    chain.reorg(Number(now.number - number) + 1, { transactions: "dropped" });
    mine();
    expect(brief(await rescan.run(of, number - 1n, forReal))).toEqual([`gone ${paymentId}`]);
    expect(await watching.statuses()).toEqual(["orphaned"]);
  });

  test("a watcher that reads on at the same time is no harm", async () => {
    const watching = await open();
    const { chain, mine, newPayment } = watching;
    const { id, address } = await newPayment();
    await watching.drain();
    const { number } = await chain.head();
    pay(watching, address);
    mine();
    chain.faults.next("block", { kind: "no_transfers" }, Number.POSITIVE_INFINITY);
    await watching.drain();
    mine(4);
    await watching.drain();
    chain.faults.clear();
    let reads = 0;
    const slow = {
      chainId: chain.chainId,
      head: async () => {
        const head = await chain.head();
        // It has looked, and now the watcher moves.
        if (reads++ < 2) {
          mine();
          await watching.drain();
        }
        return head;
      },
    };
    const rescan = watching.rescan({
      chainOf: () => Promise.resolve(Object.assign(Object.create(chain), slow)),
    });
    expect(brief(await rescan.run(of, number, forReal))).toEqual([`new ${id}`]);
    expect(await linked(watching)).toBe(true);
    mine(3);
    await watching.drain();
    expect((await watching.sums())[id]).toMatchObject({ final: `${whole}` });
  });

  test("one that cannot be done changes nothing", async () => {
    const watching = await open();
    const { chain, mine } = watching;
    mine(3);
    await watching.drain();
    const before = await state(watching);
    const rescan = watching.rescan({ limits: { blocksMax: 5n } });
    const { number } = await chain.head();
    for (const wrong of [0n, number + 1n, number - 5n]) {
      await expect(rescan.run(of, wrong, forReal)).rejects.toThrow(OperatorError);
    }
    await expect(rescan.run("eip155:666", 1n, forReal)).rejects.toThrow("not connected");
    const least = `--from is ${number - 4n} or more`;
    await expect(rescan.run(of, number - 5n, forReal)).rejects.toThrow(least);
    expect(await rescan.run(of, number - 4n, dryRun)).toMatchObject({ changes: [] });
    // The first block there is.
    const wide = watching.rescan({ limits: { blocksMax: number + 1n } });
    expect(await wide.run(of, 1n, dryRun)).toMatchObject({ changes: [], otherBlocks: 0 });
    chain.faults.next("block", { kind: "unavailable" });
    await expect(rescan.run(of, number, forReal)).rejects.toThrow("does not answer");
    chain.reorg(2, { length: 1 });
    await expect(rescan.run(of, number, forReal)).rejects.toThrow("wait until it is as long");
    expect(await state(watching)).toEqual(before);
  });
});

/** As the reconciler of x402 writes it down. */
async function storeX402({ database, chain }: Watching, hash: string, number: bigint) {
  const block = await chain.block(number, []);
  const [payment] = await query(database)<{ id: string }>`select id from payments limit 1`;
  const id = payment?.id ?? "";
  await query(
    database,
  )`insert into x402_settlements (id, merchant_id, environment, payment_id, deployment_id,
      chain_id, scheme, method, asset, payer, nonce, pay_to, authorized_raw, valid_after,
      valid_before, domain_name, domain_version, evidence_version, signature, amount_raw, status,
      from_block, created_at, updated_at)
    select 'stl_1', merchant_id, environment, id, ${tokenDeployment.id}, ${of}, 'exact', 'eip3009',
      ${token}, 'payer', ${`0x${"0".repeat(64)}`}, 'us', ${whole}, 0, 9999999999, 'T', '1', 1,
      ${`0x${"0".repeat(130)}`}, ${whole}, 'settled', 1, now(), now()
    from payments where id = ${id}`;
  await query(
    database,
  )`insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address,
      amount_raw, block_number, block_hash, block_time, status, source, settlement_id)
    values (${of}, ${hash}, 0, ${tokenDeployment.id}, ${id}, ${addressOf("settlement")}, ${whole}, ${number},
      ${block?.hash ?? ""}, now(), 'seen', 'x402', 'stl_1')`;
  return id;
}
