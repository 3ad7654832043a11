// The command in a process of its own, beside PostgreSQL: it asks the nodes itself, and has no key.

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { endChildren, makeDataDirectory, projectRoot, startChild } from "../programs/child.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { startTestChain } from "../support/local-chain.ts";
import type { TestChain } from "../support/local-chain.ts";
import { query } from "../support/service-parts.ts";

let node: TestChain;
beforeAll(async () => {
  node = await startTestChain({ chainNumber: 84_532n });
});
afterAll(async () => {
  await endChildren();
  await node.close();
});

test("reads a real chain again, and puts right what is stored of it", async () => {
  const { url, remove } = await makePostgresDatabase();
  const database = await openPostgres({ url, connectionsMax: 2 });
  const variables = {
    DATA_DIR: await makeDataDirectory(),
    DATABASE_URL: url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    EVM_RPC_URLS: `eip155:84532=${node.url}`,
  };
  const admin = async (...words: readonly string[]) => {
    const child = startChild(["adapters/admin.ts", ...words], variables);
    const { code } = await child.ended;
    return { code, text: child.output() + child.errors() };
  };
  try {
    const catalog = join(projectRoot, "adapters", "catalog", "catalog.json");
    const applied = await admin("catalog", "apply", catalog);
    expect(applied).toMatchObject({ code: 0 });
    await node.mine(10);
    const { number } = await node.newestBlock();
    await query(database)`insert into chain_cursors (chain_id, block_number, block_hash, block_time,
        checked_number, head_number, looked_at, updated_at)
      values ('eip155:84532', ${number}, '0xother', now(), ${number}, ${number}, now(), now())`;
    const of = ["--chain", "eip155:84532", "--from", (number - 5n).toString()];
    const seen = await admin("chain", "rescan", ...of, "--dry-run");
    expect(seen).toMatchObject({ code: 0 });
    expect(seen.text).toContain("Dry run: nothing was changed.");
    // What there is none of is not said.
    expect(seen.text).not.toMatch(/ more|^0 /m);
    expect((await admin("chain", "rescan", ...of, "--yes")).text).toContain("Done.");
    const blocks = await query(database)<{ hash: string }>`
      select c.block_hash as hash from chain_cursors c
      join chain_blocks b on b.block_number = c.block_number and b.block_hash = c.block_hash`;
    expect(blocks).toEqual([{ hash: (await node.newestBlock()).hash }]);
  } finally {
    await database.close();
    await remove();
  }
});
