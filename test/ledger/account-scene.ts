// The comparison of each account with the books, on a scene where the books are right.

import { sql } from "kysely";
import { ServiceError } from "../../service/errors.ts";
import { accountCheckJob } from "../../service/ledger/account-check.ts";
import type { AccountCheckPorts } from "../../service/ledger/account-check.ts";
import type { CheckedChain } from "../../service/ledger/account-comparison.ts";
import type { AddressLimits } from "../../service/ledger/address-rounds.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { chainId, coin, ether, openScene, usdc, whole } from "../sending/scene.ts";
import type { Engine } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { runLedgerCommand } from "./commands.ts";

export const treasury = addressOf("treasury");
export const hour = 3_600_000;
export const cent = 10_000n;

/** The settlement account has 100 coins and 1,000 dollars of the operator's, and the books say so. */
export async function openCheck(engine: Engine, limits?: AddressLimits) {
  const scene = await openScene(engine);
  const { database, clock, chain, signer } = scene;
  const { hotAddress: hot, settlementAddress: settlement } = signer.accounts;
  await rememberOwnAccounts(scene, [
    { account: hot, role: "hot" },
    { account: settlement, role: "settlement" },
    { account: treasury, role: "treasury" },
  ]);
  for (const [of, amountRaw] of [
    [coin, 100n * ether],
    [usdc, 1_000n * whole],
  ] as const) {
    const at = { deploymentId: of.deploymentId, owner: null };
    await scene.post([
      { ...at, account: "chain:settlement", amountRaw },
      { ...at, account: "platform:capital", amountRaw: -amountRaw },
    ]);
  }
  const told: string[] = [];
  const asked: string[] = [];
  const silent = new Set<string>();
  const listened: CheckedChain = {
    block: chain.block,
    receipt: chain.receipt,
    agreedBalanceAt: chain.agreedBalanceAt,
    balanceAt: async (...of) => {
      asked.push(of[0]);
      if (silent.has(of[0])) throw new ServiceError("chain_unavailable", "no node answers");
      return await chain.balanceAt(...of);
    },
  };
  const ports: AccountCheckPorts = {
    ...scene,
    own: [],
    ...(limits && { limits }),
    chainOf: (id) => (id === chainId ? listened : undefined),
    toldFromRaw: () => Promise.resolve(cent),
    onDifference: ({ deploymentId, account, heldRaw, bookedRaw }) =>
      told.push(`${deploymentId} ${account} ${heldRaw - bookedRaw}`),
    onUncompared: ({ deploymentId }) => told.push(`${deploymentId} uncompared`),
    onUnanswered: ({ deploymentId }, addresses) =>
      told.push(`${deploymentId} ${addresses} unanswered`),
  };
  const job = accountCheckJob(ports);
  const run = async (of = job): Promise<void> => {
    while ((await of.run()).isMore);
  };
  return {
    ...scene,
    hot,
    settlement,
    /** for their balances the chain gives no answer */
    silent,
    /** As the watcher leaves it, with all blocks up to so many before the newest read twice. */
    read: async (behind = 0n): Promise<bigint> => {
      const { number } = await chain.head();
      const block = await chain.block(number - behind, []);
      if (block === undefined) throw new Error("the chain has no such block");
      await query(database, sql`delete from chain_blocks`);
      await query(
        database,
        sql.raw(`
        with cursor as (
          insert into chain_cursors (chain_id, block_number, block_hash, block_time, checked_number,
            head_number, looked_at, updated_at)
          values ('${chainId}', ${number}, '0x', now(), ${block.number}, ${number}, now(), now())
          on conflict (chain_id) do update set checked_number = excluded.checked_number
          returning chain_id)
        insert into chain_blocks (chain_id, block_number, block_hash, parent_hash, block_time)
        select chain_id, ${block.number}, '${block.hash}', '0x', '${block.time.toISOString()}'
        from cursor`),
      );
      return block.number;
    },
    /** What people are told, by two comparisons with an hour between them. */
    compare: async (): Promise<readonly string[]> => {
      told.length = 0;
      await run();
      clock.advance(hour);
      await run();
      return told.toSorted();
    },
    look: async (): Promise<readonly string[]> => {
      told.length = 0;
      await run();
      return told.toSorted();
    },
    runOnce: () => job.run(),
    /** As after a restart, or in another process; gives whose balances the chain was asked for. */
    runAnew: async (): Promise<readonly string[]> => {
      asked.length = 0;
      await run(accountCheckJob(ports));
      clock.advance(hour);
      return [...asked];
    },
    /** Two processes at the same moment. */
    runTwice: async (): Promise<readonly string[]> => {
      asked.length = 0;
      await Promise.all([run(), run(accountCheckJob(ports))]);
      clock.advance(hour);
      return [...asked];
    },
    admin: (line: string) => runLedgerCommand(scene, line),
  };
}
