// A real chain on which the catalog says that USDC keeps a part, and nodes that have forgotten what there
// was, leave something out, or say of a balance what they like.

import { sql } from "kysely";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { ChainRescan } from "../../service/chains/rescan.ts";
import { Cursors } from "../../service/cursor.ts";
import type { Chain } from "../../service/ports/chain.ts";
import { openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { chainUnavailable } from "../support/scripted-faults.ts";
import { query } from "../support/service-parts.ts";
import { watchBase } from "./watched-world.ts";

interface NodeState {
  /** what there was in older blocks */
  isForgotten: boolean;
  /** It leaves the transfers of a block out. */
  isSilent: boolean;
  /** what an address has after a block with something for it, and nothing before it; undefined: the truth */
  saidRaw: bigint | undefined;
  /** balances */
  asked: number;
  /** blocks, as the watcher and whoever else reads them */
  readonly read: bigint[];
  /** what happens while a block is read */
  meanwhile: (() => Promise<unknown>) | undefined;
}

export async function watchMarked(
  local: TestChain,
  engine: Engine = "PostgreSQL",
  urls?: string[],
) {
  const watched = await watchBase(local, await openDatabase(engine), urls);
  const { database, clock, progress } = watched;
  await query(
    database,
    sql`insert into capabilities values
      ('dep_usdc_base', 'deposit', 'transfer_fee', 'supported', '{}', 1, null)`,
  );
  await query(database, sql`update catalog set version = version + 1`);
  const state: NodeState = {
    isForgotten: false,
    isSilent: false,
    saidRaw: undefined,
    asked: 0,
    read: [],
    meanwhile: undefined,
  };
  /** blocks with who got something in them */
  const filled = new Set<string>();
  const saying =
    (truth: Chain["balanceAt"]): Chain["balanceAt"] =>
    async (...of) => {
      state.asked += 1;
      if (state.isForgotten) throw chainUnavailable();
      if (state.saidRaw !== undefined) return filled.has(`${of[2]} ${of[0]}`) ? state.saidRaw : 0n;
      return truth(...of);
    };
  const chain: Chain = {
    ...watched.chain,
    balanceAt: saying(watched.chain.balanceAt),
    agreedBalanceAt: saying(watched.chain.agreedBalanceAt),
    block: async (...of) => {
      state.read.push(of[0]);
      await state.meanwhile?.();
      const block = await watched.chain.block(...of);
      for (const { to } of block?.transfers ?? []) filled.add(`${block?.hash} ${to}`);
      return block === undefined || !state.isSilent ? block : { ...block, transfers: [] };
    },
  };
  const alarms: (readonly [string, Readonly<Record<string, unknown>>])[] = [];
  const settlement = `0x${"51".repeat(20)}`;
  const watcher = watched.watcher({
    chain,
    alarm: (what, facts) => void alarms.push([what, facts]),
  });
  const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  return {
    ...watched,
    state,
    alarms,
    settlement,
    look: () => watched.look(watcher),
    /** the one that `look` runs */
    marked: watcher,
    rescan: (fromNumber: bigint, { isDryRun = false } = {}) =>
      new ChainRescan({
        database,
        clock,
        catalog,
        chainOf: () => Promise.resolve(chain),
        onTouched: (inside, ids) => progress.refresh(inside, ids),
      }).run(local.chainId, fromNumber, { isDryRun }),
    /** The catalog says it no more. */
    unmark: async () => {
      await query(database, sql`delete from capabilities where key = 'transfer_fee'`);
      await query(database, sql`update catalog set version = version + 1`);
    },
    measured: () =>
      query(
        database,
        sql<{ logged: string; arrived: string | null }>`
          select logged_raw::text as logged, arrived_raw::text as arrived
          from measured_transfers order by block_number, log_index`,
      ),
  };
}
