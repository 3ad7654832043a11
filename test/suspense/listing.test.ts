// The list of what waits leaves nothing out in silence, and equal transfers of one transaction are told
// apart (threat 107).

import { describe, expect, test } from "vitest";
import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { findSentBefore } from "../../service/suspense/items.sql.ts";
import { Debts } from "../../service/suspense/debts.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import { openWorld } from "../payments/progress-world.ts";
import { base } from "../payments/progress-quotes.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

const deploymentId = "dep_usdc_base";

async function openList(engine: Engine) {
  const world = await openWorld(await openDatabase(engine));
  const ports = { ...world.parts, progress: world.progress };
  // The commands of suspense touch nothing else.
  const operator = {
    suspense: new Suspense(ports),
    debts: new Debts(world.parts),
    clock: world.clock,
  } as unknown as Operator;
  const list = async (...words: readonly string[]) => {
    const answer = await runAdmin({ words: ["suspense", "list", ...words] }, operator);
    expect(answer.errors).toBe("");
    return answer.output;
  };
  /** At the settlement account, nobody's, and booked. */
  const strays = (count: number) => query(world.database)`
    insert into deposits (
      chain_id, tx_hash, log_index, deployment_id, address, sender, amount_raw, block_number,
      block_hash, block_time, status, source, bookings, unmatched_raw, regular_raw, surplus_raw,
      booked_at
    )
    select ${base}, '0x' || lpad(to_hex(n), 8, '0'), 0, ${deploymentId}, '0xa', '0xb', 1, 1, '0xc',
      ${world.clock.now()}::timestamptz + (n / 100) * interval '1 second', 'final', 'settlement', 1, 1, 0, 0,
      ${world.clock.now()}
    from generate_series(1, ${count}::integer) as n returning tx_hash`;
  const exit = (of: ExitWish) => query(world.database)`
    insert into suspense_exits (
      id, chain_id, tx_hash, log_index, booking, deployment_id, amount_raw, way, status, address,
      signs_as, evidence, created_at, updated_at
    )
    values (${of.id}, ${base}, ${of.txHash}, ${of.logIndex}, 1, ${of.of ?? deploymentId}, 5, 'sent_back',
      ${of.status}, '0xd', 'settlement', 'x', ${world.clock.now()}, ${world.clock.now()})
    returning id`;
  return { ...world, list, strays, exit };
}

interface ExitWish {
  readonly id: string;
  readonly txHash: string;
  readonly logIndex: number;
  readonly status: "waiting" | "done";
  readonly of?: string;
}

const itemsIn = (text: string) => text.match(/eip155:8453\/0x[0-9a-f]{8}\/0/g) ?? [];

describe.each(engines)("on %s", (engine) => {
  test("what is not shown is said, and found by going on after the last one", async () => {
    const { list, strays } = await openList(engine);
    await strays(1_101);
    const first = await list();
    expect(first).toMatch(
      /\nThere are more than 500: see them with --after eip155:8453\/0x000001f4\/0\n/,
    );
    const pages = [itemsIn(first.split("There are")[0] ?? "")];
    for (const after of ["eip155:8453/0x000001f4/0", "eip155:8453/0x000003e8/0"]) {
      pages.push(itemsIn((await list("--after", after)).split("There are")[0] ?? ""));
    }
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 101]);
    expect(new Set(pages.flat()).size).toBe(1_101);
    expect(await list("--after", "eip155:8453/0x000003e8/0")).not.toContain("There are");
  });

  test("500 of them are all there is", async () => {
    const { list, strays } = await openList(engine);
    await strays(500);
    const text = await list();
    expect(itemsIn(text)).toHaveLength(500);
    expect(text).not.toContain("There are");
  });

  test("what is being sent back is narrowed by what it is of, as the rest", async () => {
    const { list, strays, exit } = await openList(engine);
    await strays(2);
    const one = { logIndex: 0, status: "waiting" } as const;
    await exit({ ...one, id: "sus_usdc", txHash: "0x00000001" });
    await exit({ ...one, id: "sus_eth", txHash: "0x00000002", of: "dep_eth_base" });
    const shown = async (...words: readonly string[]) =>
      (await list(...words)).match(/^sus_\w+/gm) ?? [];
    expect(await shown()).toEqual(["sus_eth", "sus_usdc"]);
    expect(await shown("--deployment", "dep_eth_base")).toEqual(["sus_eth"]);
    expect(await shown("--deployment", deploymentId)).toEqual(["sus_usdc"]);
    expect(await shown("--merchant", "mer_nobody")).toEqual([]);
  });

  test("of two equal transfers of one transaction only what was sent back is not given again", async () => {
    const { database, clock, exit } = await openList(engine);
    const place = { chainId: base, txHash: "0xf" };
    for (const logIndex of [3, 7]) {
      await query(database)`
        insert into deposits (
          chain_id, tx_hash, log_index, deployment_id, address, sender, amount_raw, block_number,
          block_hash, block_time, status, source, bookings, reversals, unmatched_raw, regular_raw,
          surplus_raw, booked_at
        )
        values (${base}, '0xf', ${logIndex}, ${deploymentId}, '0xa', '0xb', 5, 1, '0xc',
          ${clock.now()}, 'final', 'settlement', 2, 1, 5, 0, 0, ${clock.now()}) returning tx_hash`;
    }
    const sentBack = (id: string, logIndex: number) =>
      exit({ id, txHash: "0xf", logIndex, status: "done" });
    const before = async () => {
      const found = [];
      for (const logIndex of [3, 7]) {
        const [row] = await database.run(findSentBefore, { ...place, logIndex });
        found.push(row?.id ?? null);
      }
      return found;
    };
    expect(await before()).toEqual([null, null]);
    await sentBack("sus_1", 7);
    expect(await before()).toEqual(["sus_1", null]);
    // The other one is a payment's, by an operator's decision or by the rules.
    const taken = (isAccepted: boolean, unmatchedRaw: number) => query(database)`
      update deposits set unmatched_raw = ${unmatchedRaw}::integer,
        regular_raw = 5 - ${unmatchedRaw}::integer,
        accepted_at = case when ${isAccepted}::boolean then ${clock.now()}::timestamptz end
      where tx_hash = '0xf' and log_index = 3 returning tx_hash`;
    await taken(true, 5);
    expect(await before()).toEqual([null, "sus_1"]);
    await taken(false, 0);
    expect(await before()).toEqual([null, "sus_1"]);
    await taken(false, 5);
    await sentBack("sus_2", 3);
    expect(await before()).toEqual(["sus_1", "sus_2"]);
  });
});
