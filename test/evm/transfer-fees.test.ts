// Tokens that keep a part of what is sent, on a real chain: what counts is what the address has got.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { query } from "../support/service-parts.ts";
import { price } from "../payments/progress-world.ts";
import { finalBlocks, putCode, startBase, usdc, watchBase } from "./watched-world.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startBase();
});
afterAll(() => local.close());

/** 99 of 100. */
const arrived = (price * 99n) / 100n;

/** USDC behaves like this token, and the catalog says of it that it keeps a part. */
async function watchFees(name: string, engine: Engine = "PostgreSQL") {
  await putCode(local, usdc, name);
  await local.mint(local.accounts[0].address, 10n ** 12n, usdc);
  const watched = await watchBase(local, await openDatabase(engine));
  await query(
    watched.database,
    sql`insert into capabilities values
      ('dep_usdc_base', 'deposit', 'transfer_fee', 'supported', '{}', 1, null)`,
  );
  await query(watched.database, sql`update catalog set version = version + 1`);
  return watched;
}

describe.each(engines)("on %s", (engine) => {
  test.each(["FeeToken", "ShortToken", "BackFeeToken"])(
    "of %s a deposit counts for what came",
    async (name) => {
      const { look, mine, newPayment, status, deposits, balances } = await watchFees(name, engine);
      const { id, pay, to } = await newPayment();
      await pay();
      await mine();
      await look();
      expect(await deposits(id)).toMatchObject([{ amount: `${arrived}`, status: "seen" }]);
      expect(await status(id)).toBe("partially_paid");
      await pay(price / 50n);
      await mine(finalBlocks);
      await look();
      expect(await status(id)).toBe("overpaid");
      const held = arrived + ((price / 50n) * 99n) / 100n;
      expect(await local.balanceOf(to, usdc)).toBe(held);
      expect(await balances()).toMatchObject({ "chain:deposit_addresses": held });
    },
  );
});

test("of a token that charges its sender, a deposit counts in full", async () => {
  const { look, mine, newPayment, told, balances } = await watchFees("TopToken");
  const { id, pay } = await newPayment();
  await pay();
  await mine(finalBlocks);
  await look();
  expect(await told(id)).toEqual(["confirming", "paid"]);
  expect(await balances()).toMatchObject({ "chain:deposit_addresses": price });
});

test("what moved nothing is no deposit", async () => {
  const { look, mine, newPayment, told, deposits } = await watchFees("EmptyToken");
  const { id, pay } = await newPayment();
  await pay();
  await mine(finalBlocks);
  await look();
  expect(await deposits(id)).toEqual([]);
  expect(await told(id)).toEqual([]);
});
