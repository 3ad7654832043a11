// What anybody can send to the settlement account costs a bounded number of questions to the chain, holds
// up nobody behind it, and is never silent (threat 106).

import { expect, test } from "vitest";
import { paymentOf } from "../../service/payments/facts.ts";
import { takeUnlookedArrivals } from "../../service/chains/unmatched.sql.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { settlementAddress } from "./action-signer.ts";
import { queryOf } from "./found-looks.ts";
import { authorize, payer, stranger } from "./payers.ts";
import { deploymentId, hourMilliseconds, merchant, price } from "./scene.ts";
import { local, scene, useStage } from "./stage.ts";
import { submit } from "./strangers.ts";

useStage();

const looks = queryOf(() => scene.database);
const cent = 10_000n;

/** One turn of the job at a time, and how often it has asked whether a nonce is used. */
function turning(change: Partial<SettlementChain> = {}) {
  const asked = { count: 0 };
  const { chain } = scene;
  const { x402 } = scene.startProcess({
    chain: {
      ...chain,
      authorizationState: (of) => {
        asked.count += 1;
        return chain.authorizationState(of);
      },
      ...change,
    },
  });
  const job = x402.jobs().find(({ name }) => name.startsWith("match-arrivals"));
  if (job === undefined) throw new Error("there is a job for the chain");
  const turn = async () => {
    asked.count = 0;
    await job.run();
    scene.clock.advance(10_000);
    return asked.count;
  };
  return { turn };
}

/** As software that has asked for the terms leaves them behind. */
async function tellTerms(paymentIds: readonly string[]): Promise<readonly string[]> {
  const shop = scene.startProcess();
  const nonces: string[] = [];
  for (const row of await scene.payments(paymentIds)) {
    const [offer] = await shop.x402.paymentRequirements(paymentOf(row));
    if (offer !== undefined) nonces.push(offer.nonce);
  }
  return nonces;
}

async function addPayments(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let left = count; left > 0; left--) ids.push(await scene.addPayment());
  return ids;
}

/** Nobody has looked at them yet. */
async function unlooked(): Promise<number> {
  const rows = await looks.run`select tx_hash from deposits
    where payment_id is null and looked_at is null`;
  return rows.length;
}

test("dust asks a hundred questions in a turn at most, and what was signed does not wait for it", async () => {
  const ids = await addPayments(60);
  await tellTerms(ids);
  for (let left = 5; left > 0; left--) {
    await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: cent });
  }
  const id = await scene.addPayment();
  const [nonce = ""] = await tellTerms([id]);
  await submit(await authorize(scene, id, { nonce }));
  await scene.mine();
  await scene.watch();
  expect(await unlooked()).toBe(6);
  const { turn } = turning();
  expect(await turn()).toBeLessThanOrEqual(100);
  const paid = (await looks.deposits()).find(({ amount_raw: raw }) => raw === String(price));
  expect(paid?.payment_id).toBe(id);
  for (let turns = 4; turns > 0; turns--) expect(await turn()).toBeLessThanOrEqual(100);
  expect(await unlooked()).toBe(0);
});

test("who has used up a turn's questions does not run again at once", async () => {
  await tellTerms(await addPayments(60));
  for (let left = 51; left > 0; left--) {
    await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: cent });
  }
  await scene.mine();
  await scene.watch();
  expect(await unlooked()).toBe(51);
  const { x402 } = scene.startProcess();
  const job = x402.jobs().find(({ name }) => name.startsWith("match-arrivals"));
  expect(await job?.run()).toMatchObject({ isMore: false });
  expect(await unlooked()).toBeGreaterThan(0);
});

test("fifty that no node knows do not keep those behind them, and people are told", async () => {
  const id = await scene.addPayment();
  const [nonce = ""] = await tellTerms([id]);
  await looks.run`
    insert into deposits (chain_id, tx_hash, log_index, deployment_id, address, sender, source,
      amount_raw, block_number, block_hash, block_time, status)
    select ${local.chainId}, '0x' || lpad(to_hex(n), 64, '0'), 0, ${deploymentId},
      ${settlementAddress}, ${stranger.address}, 'settlement', ${cent}, 1, '0xb',
      ${scene.clock.now()}, 'final' from generate_series(1, 50) as n returning tx_hash`;
  await submit(await authorize(scene, id, { nonce }));
  await scene.mine();
  await scene.watch();
  const { turn } = turning();
  await turn();
  await turn();
  const paid = (await looks.deposits()).filter(({ payment_id: owner }) => owner === id);
  expect(paid).toHaveLength(1);
  expect(scene.alarms).toEqual([]);
  scene.clock.advance(2 * hourMilliseconds);
  await turn();
  expect(scene.alarms).toEqual([
    ["arrivals_unlooked", expect.objectContaining({ chain_id: local.chainId, count: 50 })],
  ]);
});

test("one that fails for ever keeps nobody either", async () => {
  const id = await scene.addPayment();
  const [nonce = ""] = await tellTerms([id]);
  for (let left = 50; left > 0; left--) {
    await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: cent });
  }
  await scene.mine();
  const hash = await submit(await authorize(scene, id, { nonce }));
  await scene.mine();
  await scene.watch();
  const { turn } = turning({
    usesIn: (txHash, proxies) =>
      txHash === hash
        ? scene.chain.usesIn(txHash, proxies)
        : Promise.reject(new Error("the node is broken")),
  });
  await expect(turn()).rejects.toThrow("the node is broken");
  await turn();
  const paid = (await looks.deposits()).filter(({ payment_id: owner }) => owner === id);
  expect(paid).toHaveLength(1);
});

test("what is new and worth nothing does not hold up what came before it", async () => {
  await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: price });
  await scene.mine();
  await scene.watch();
  const { chainId } = scene.local;
  const take = async (minute: number) => {
    const now = new Date(scene.clock.nowMilliseconds() + minute * 60_000);
    const due = { chainId, triedBefore: new Date(now.getTime() - 30_000), now, rowsMax: 20 };
    return scene.database.run(takeUnlookedArrivals, due);
  };
  const [old] = await take(1);
  expect(old).toBeDefined();
  // In each minute more dust than a turn takes.
  for (let minute = 2; minute < 5; minute++) {
    await looks.run`
      insert into deposits (chain_id, tx_hash, log_index, deployment_id, address, sender, source,
        amount_raw, block_number, block_hash, block_time, status)
      select chain_id, '0x' || lpad(to_hex(${minute}::integer * 1000 + n), 64, '0'), 0, deployment_id,
        address, sender, source, 1, block_number + ${minute}::integer, block_hash,
        block_time + ${minute}::integer * interval '1 minute', 'seen'
      from deposits, generate_series(1, 25) as n where amount_raw = ${price} returning tx_hash`;
  }
  const taken = await take(5);
  expect(taken).toHaveLength(20);
  expect(taken.map(({ tx_hash: hash }) => hash)).toContain(old?.tx_hash);
});

test("of two equal payments that moved in their transaction, each keeps its money", async () => {
  const [one, other] = [await scene.addPayment(), await scene.addPayment()];
  await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: price });
  await scene.mine();
  await scene.watch();
  // As a reorganisation leaves it: two transfers of one transaction were theirs at other places.
  await looks.run`update deposits set log_index = 203 returning tx_hash`;
  await looks.run`
    insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address, sender,
      source, amount_raw, block_number, block_hash, block_time, status)
    select chain_id, tx_hash, place, deployment_id, owner, address, sender, source, amount_raw,
      block_number, block_hash, block_time, state
    from deposits, (values (102, ${other}, 'orphaned'), (101, ${one}, 'orphaned'),
      (204, null, 'seen')) as more (place, owner, state) returning tx_hash`;
  const { turn } = turning();
  await turn();
  const rows = await looks.run`select log_index, payment_id from deposits
    where status <> 'orphaned' order by log_index`;
  expect(rows).toEqual([
    { log_index: 203, payment_id: one },
    { log_index: 204, payment_id: other },
  ]);
});

test("what an account of ours brings is no payer's, whichever process knows the account", async () => {
  await rememberOwnAccounts(scene, [{ account: payer.address, role: "treasury" }]);
  await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: price });
  await scene.mine();
  await scene.watch();
  expect(await looks.deposits()).toEqual([]);
});

test("what a payer has sent beside waits while its settlement lacks its money, and no longer", async () => {
  const shop = scene.startProcess();
  const beside = 100n * cent;
  await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: beside });
  await scene.mine(8);
  await scene.watch();
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id, {}));
  const held = async () => (await scene.balances())["payer:unmatched"] ?? 0n;
  // Nobody has read its block: what came before may be its money.
  await shop.match();
  expect(await held()).toBe(0n);
  await scene.watch();
  await shop.reconcile();
  expect(await scene.settlements(id)).toMatchObject([{ status: "settled" }]);
  await shop.match();
  expect(await held()).toBe(beside);
});
