// Withdrawals that are asked for at one moment are one read and one statement, and each is what it would
// have been if they had come one after the other.

import { sql } from "kysely";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import type { Owner } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { countingDatabase } from "../support/counting-database.ts";
import { engines, openDatabase, type Engine } from "../support/engines.ts";
import { ScriptedChain } from "../support/scripted-chain.ts";
import { ScriptedActionSigner } from "../support/scripted-outgoing.ts";
import { query } from "../support/service-parts.ts";
import { Withdrawals } from "../../service/withdrawals/withdrawals.ts";
import { chainId, coin, openSceneOn, usdc, whole } from "./scene.ts";

/** A door that opens when so many calls of the statement stand before it: all go in at once, in their order. */
function gateBefore(inside: Database, statementName: string) {
  let wanted = 0;
  let standing: (() => void)[] = [];
  const run: Database["run"] = async (statement, values) => {
    if (statement.name === statementName && wanted > 0) {
      const opened = new Promise<void>((resolve) => void standing.push(resolve));
      if (standing.length === wanted) {
        for (const open of standing) open();
        wanted = 0;
        standing = [];
      }
      await opened;
    }
    return inside.run(statement, values);
  };
  const database: Database = { run, transaction: inside.transaction };
  return { database, await: (count: number) => void (wanted = count) };
}

async function openTogether(engine: Engine) {
  const { names, database: counted } = countingDatabase(await openDatabase(engine));
  const gate = gateBefore(withBatching(counted), "request_withdrawal");
  const chain = new ScriptedChain({ chainId });
  const scene = await openSceneOn(gate.database, { chain, signer: new ScriptedActionSigner() });
  const newShop = async (fundedRaw = 1_000_000n * whole) => {
    const owner = await scene.newOwner();
    await scene.fund(owner, fundedRaw);
    await scene.fund(owner, fundedRaw, coin);
    const { id: addressId } = await scene.register(owner);
    return { owner, addressId };
  };
  const heldOf = async (id: string): Promise<string | null> => {
    const rows = await query(
      scene.database,
      sql<{ held_because: string | null }>`
        select held_because from withdrawals where id = ${sql.lit(id)}`,
    );
    return rows[0]?.held_because ?? null;
  };
  const totalOf = async ({ merchantId }: Owner, deploymentId: string): Promise<bigint> => {
    const rows = await query(
      scene.database,
      sql<{ raw: string }>`select total_raw::text as raw from withdrawal_days
        where merchant_id = ${sql.lit(merchantId)} and deployment_id = ${sql.lit(deploymentId)}`,
    );
    return BigInt(rows[0]?.raw ?? 0);
  };
  return { ...scene, names, newShop, heldOf, totalOf, together: gate.await };
}

interface Shop {
  readonly owner: Owner;
  readonly addressId: string;
}

const codeOf = (result: PromiseSettledResult<unknown>): unknown =>
  result.status === "fulfilled" ? "made" : (result.reason as { readonly code?: unknown }).code;

const wish = fc.record({
  shop: fc.nat(2),
  asset: fc.constantFrom(usdc, usdc, coin),
  units: fc.integer({ min: 1, max: 6 }),
});
const limit = fc.option(fc.integer({ min: 1, max: 14 }), { nil: null });

describe.each(engines)("on %s", (engine) => {
  test("each counts with those before it, whatever limits there are", async () => {
    const scene = await openTogether(engine);
    const waves = fc.array(fc.array(wish, { minLength: 2, maxLength: 12 }), {
      minLength: 1,
      maxLength: 3,
    });
    const limits = fc.record({ single: limit, daily: limit });
    let combined = 0;
    await fc.assert(
      fc.asyncProperty(waves, limits, limits, async (asked, ofToken, ofCoin) => {
        const textOf = (units: number | null) => (units === null ? null : String(units));
        const of = new Map([
          [usdc.deploymentId, ofToken],
          [coin.deploymentId, ofCoin],
        ]);
        for (const [deploymentId, { single, daily }] of of) {
          await scene.policy.setLimits(deploymentId, {
            single: textOf(single),
            daily: textOf(daily),
          });
        }
        const shops = [
          await scene.newShop(10n ** 30n),
          await scene.newShop(10n ** 30n),
          await scene.newShop(10n ** 30n),
        ];
        const counted = new Map<string, number>();
        for (const wave of asked) {
          scene.names.length = 0;
          scene.together(wave.length);
          const made = await Promise.all(
            wave.map(({ shop, asset: { currencyId }, units }) => {
              const one = shops[shop];
              if (one === undefined) throw new Error("there are three");
              const wanted = { amount: String(units), currencyId };
              return scene.request(one.owner, one.addressId, wanted);
            }),
          );
          expect(scene.names.filter((name) => name.startsWith("request_withdrawal"))).toEqual([
            "request_withdrawals",
          ]);
          combined += wave.length;
          for (const [index, { shop, asset, units }] of wave.entries()) {
            const place = `${shop} ${asset.deploymentId}`;
            const total = (counted.get(place) ?? 0) + units;
            counted.set(place, total);
            const { single, daily } = of.get(asset.deploymentId) ?? { single: null, daily: null };
            const aboveDaily = daily !== null && total > daily ? "above_daily_limit" : null;
            const expected = single !== null && units > single ? "above_single_limit" : aboveDaily;
            expect(await scene.heldOf(made[index]?.id ?? "")).toBe(expected);
          }
        }
        for (const [place, units] of counted) {
          const [shop = "", deploymentId = ""] = place.split(" ");
          const one = shops[Number(shop)];
          if (one === undefined) throw new Error("there are three");
          const unit = deploymentId === usdc.deploymentId ? whole : 10n ** 18n;
          expect(await scene.totalOf(one.owner, deploymentId)).toBe(BigInt(units) * unit);
          expect(
            await scene.balance(one.owner, "merchant:withdrawing", {
              currencyId: "",
              deploymentId,
            }),
          ).toBe(BigInt(units) * unit);
        }
      }),
      { numRuns: 15 },
    );
    expect(combined).toBeGreaterThan(30);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("where together they are too much, those that fit are made and nobody else notices", async () => {
    const scene = await openTogether(engine);
    const poor = await scene.newShop(10n * whole);
    const rich = await scene.newShop();
    scene.together(9);
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) =>
        index % 3 === 2
          ? scene.request(rich.owner, rich.addressId, "3")
          : scene.request(poor.owner, poor.addressId, "3"),
      ),
    );
    const codes = results.map(codeOf);
    expect(codes.filter((_, index) => index % 3 === 2)).toEqual(["made", "made", "made"]);
    expect(codes.filter((code) => code === "made")).toHaveLength(6);
    expect(codes.filter((code) => code === "insufficient_balance")).toHaveLength(3);
    expect(await scene.balance(poor.owner, "merchant:withdrawing")).toBe(9n * whole);
    expect(await scene.balance(rich.owner, "merchant:withdrawing")).toBe(9n * whole);
    expect(await scene.totalOf(poor.owner, usdc.deploymentId)).toBe(9n * whole);
    expect(await scene.totalOf(rich.owner, usdc.deploymentId)).toBe(9n * whole);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("what one of them names wrongly is refused to it alone, and by its own reason", async () => {
    const scene = await openTogether(engine);
    const [one, other] = [await scene.newShop(), await scene.newShop()];
    const asked = [
      scene.request(one.owner, one.addressId, "1"),
      scene.request(one.owner, other.addressId, "1"),
      scene.request(other.owner, other.addressId, { amount: "1", currencyId: "cur_none" }),
      scene.request(other.owner, other.addressId, "2"),
    ];
    const codes = (await Promise.allSettled(asked)).map(codeOf);
    expect(codes).toEqual(["made", "withdraw_address_not_found", "currency_not_found", "made"]);
    expect(scene.names).toContain("read_withdrawals_facts");
  });

  test("a day that is counted full holds back every one of them", async () => {
    const scene = await openTogether(engine);
    const { owner, addressId } = await scene.newShop();
    await scene.policy.setLimits(usdc.deploymentId, { single: null, daily: "1000" });
    await scene.request(owner, addressId, "1");
    await query(
      scene.database,
      sql`update withdrawal_days set total_raw = repeat('9', 78)::numeric`,
    );
    scene.together(3);
    const made = await Promise.all(
      ["1", "2", "3"].map((amount) => scene.request(owner, addressId, amount)),
    );
    for (const { id } of made) expect(await scene.heldOf(id)).toBe("above_daily_limit");
    expect(await scene.totalOf(owner, usdc.deploymentId)).toBe(10n ** 78n - 1n);
  });

  test("two processes ask for the same accounts in opposite orders: all are made", async () => {
    const { names, database: counted } = countingDatabase(await openDatabase(engine));
    const chain = new ScriptedChain({ chainId });
    const outgoing = { chain, signer: new ScriptedActionSigner() };
    const first = await openSceneOn(withBatching(counted), outgoing);
    const other = new Withdrawals({ ...first, database: withBatching(counted) });
    const shops: Shop[] = [];
    for (let n = 0; n < 8; n++) {
      const owner = await first.newOwner();
      await first.fund(owner, 1_000n * whole);
      shops.push({ owner, addressId: (await first.register(owner)).id });
    }
    const ask = (withdrawals: Withdrawals, { owner, addressId: withdrawAddressId }: Shop) =>
      first.once<{ id: string }>(owner, (finish) => {
        const place = { currencyId: usdc.currencyId, chainId, withdrawAddressId };
        return withdrawals.request(owner, { ...place, amount: "1", keyId: "mk_1" }, finish);
      });
    const rounds = 12;
    for (let round = 0; round < rounds; round++) {
      await Promise.all([
        ...shops.map((shop) => ask(first.withdrawals, shop)),
        ...shops.toReversed().map((shop) => ask(other, shop)),
      ]);
    }
    expect(names.filter((name) => name === "request_withdrawals").length).toBeGreaterThan(rounds);
    for (const { owner } of shops) {
      expect(await first.balance(owner, "merchant:withdrawing")).toBe(2n * BigInt(rounds) * whole);
    }
    expect(await first.isLedgerWhole()).toBe(true);
  });
});
