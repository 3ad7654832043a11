// What people are told of transfers whose arrival nobody has measured.

import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { watchMarked } from "../evm/marked-world.ts";
import { startBase } from "../evm/watched-world.ts";
import { engines } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { query } from "../support/service-parts.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startBase();
});
afterAll(() => local.close());

const minuteMilliseconds = 60_000;

describe.each(engines)("on %s", (engine) => {
  test("each transfer of a transaction by itself, and once", async () => {
    const { database, clock, marked, alarms, state } = await watchMarked(local, engine);
    state.isForgotten = true;
    const [now, then] = [0, 11].map(
      (minutes) => new Date(clock.nowMilliseconds() - minutes * minuteMilliseconds),
    );
    await query(
      database,
      sql`insert into measured_transfers (chain_id, tx_hash, log_index, block_hash, block_number,
          deployment_id, address, logged_raw, arrived_raw, found_at, asked_at, told_at)
        select ${local.chainId}::text, tx_hash, log_index, block_hash, -1, 'dep_usdc_base', '0x1', 1000, null,
          found_at::timestamptz, ${now}::timestamptz, null
        from (values ('0xa1', 0, '0xb1', ${then}), ('0xa1', 1, '0xb1', ${now}), ('0xa1', 2, '0xb1', ${then}),
          ('0xa1', 0, '0xb2', ${now}), ('0xa2', 0, '0xb1', ${then}), ('0xa2', 1, '0xb1', ${now}))
          as row (tx_hash, log_index, block_hash, found_at)`,
    );
    const toldOf = (): unknown[] => alarms.splice(0).map(([, { transfer }]) => transfer);
    await marked.run();
    expect(toldOf()).toEqual(["0xa1 0", "0xa1 2", "0xa2 0"]);
    await marked.run();
    expect(toldOf()).toEqual([]);
    clock.advance(11 * minuteMilliseconds);
    await marked.run();
    expect(toldOf()).toEqual(["0xa1 0", "0xa1 1", "0xa2 1"]);
  });
});
