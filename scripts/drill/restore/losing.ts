// The first half of a drill: load, a base backup under it, a moment, more load, and the machine of the database is lost.

import { setTimeout as pause } from "node:timers/promises";
import { numberToHex } from "viem/utils";
import type { Dice } from "../../../test/simulation/dice.ts";
import { query } from "../../bench/measuring.ts";
import { Load } from "../../cluster/load.ts";
import { waitUntil } from "../../cluster/parts.ts";
import { usd } from "../../client/tool/test-usd.ts";
import { Wallet } from "../../demo/wallet.ts";
import { Customers } from "./customers.ts";
import type { Unopened } from "./customers.ts";
import { nameMoment, takeBackup, urlOf } from "./postgres.ts";
import { payerIndex, untilReady } from "./site.ts";
import type { Site } from "./site.ts";

export const moment = "before_the_loss";

export interface Lost {
  readonly load: Load;
  readonly customers: Customers;
  /** opened and paid after the moment: the database knows the payments, and not their addresses */
  readonly late: readonly Unopened[];
  readonly momentAt: Date;
  readonly lostAt: Date;
  readonly backupSeconds: number;
}

const lateCount = 3;
const warmSecondsMax = 60;
const minedSecondsMax = 30;

/** Nothing of the service and of the database is left when it resolves. */
export async function loseAll(site: Site, dice: Dice): Promise<Lost> {
  const { node, merchants, place, service } = site;
  const load = new Load(new Wallet(node.url, usd.chainNumber, payerIndex));
  await load.enrich(merchants, () => isAllPaid(site));
  load.start(merchants);
  const customers = new Customers(load, site.wallet);
  customers.start();
  await waitUntil("withdrawals are confirmed", () => hasConfirmed(site), warmSecondsMax);
  const begunAt = performance.now();
  await takeBackup(place);
  const backupSeconds = (performance.now() - begunAt) / 1_000;
  await pause(dice.between(3_000, 6_000));
  const late = customers.keep(lateCount);
  const momentAt = await nameMoment(place, moment);
  for (const one of late) await customers.pay(one);
  // As at a deployment: the new process takes a block of addresses that the backup does not know of.
  await service.part.stop();
  service.part.start();
  await untilReady(service);
  await pause(dice.between(5_000, 9_000));
  await customers.stop();
  await holdTransaction(site);
  const lostAt = new Date();
  await Promise.all([service.part.lose(), site.postgres.lose()]);
  await dropTransactions(site);
  await load.stop(0);
  return { load, customers, late, momentAt, lostAt, backupSeconds };
}

async function isAllPaid({ place }: Site): Promise<boolean> {
  const [row] = await query(urlOf(place), "select every(status = 'paid') as paid from payments");
  return row?.["paid"] === true;
}

async function hasConfirmed({ place }: Site): Promise<boolean> {
  const [row] = await query(
    urlOf(place),
    "select count(*)::integer as count from withdrawals where status = 'confirmed'",
  );
  return Number(row?.["count"]) >= 2;
}

/** No block is made any more, and a transaction of the hot account waits for one. */
async function holdTransaction({ node, hot }: Site): Promise<void> {
  await node.rpc("evm_setIntervalMining", [0]);
  const countAt = async (block: string): Promise<bigint> =>
    BigInt(String(await node.rpc("eth_getTransactionCount", [hot, block])));
  await waitUntil(
    "a transaction of the hot account waits",
    async () => (await countAt("pending")) > (await countAt("latest")),
    minedSecondsMax,
  );
}

/** The node forgets what it has not mined of the hot account, as it does at a restart. Then blocks are made again. */
async function dropTransactions({ node, hot }: Site): Promise<void> {
  await node.rpc("anvil_removePoolTransactions", [hot]);
  await node.rpc("evm_setIntervalMining", [1]);
  await waitUntil("blocks are made again", async () => {
    const block = BigInt(String(await node.rpc("eth_blockNumber")));
    await node.rpc("eth_getBlockByNumber", [numberToHex(block), false]);
    return block > 0n;
  });
}
