import { describe, expect, test } from "vitest";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { ethereum, quotesOf } from "./progress-quotes.ts";
import { creator, lifeMilliseconds, openWorld, partner, price } from "./progress-world.ts";
import type { World } from "./progress-world.ts";

const fee = price / 100n;
const half = price / 2n;

/** The names of the events without their prefix; their numbers have no gap. */
async function told(world: World, id: string): Promise<readonly string[]> {
  const events = await world.events(id);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => BigInt(at + 1)));
  return events.map(({ type }) => type.replace("payment.", ""));
}

describe.each(engines)("on %s", (engine) => {
  const open = async () => openWorld(await openDatabase(engine));

  test("a payment in two parts is announced, confirms, is paid, and the merchant has the money", async () => {
    const world = await open();
    const id = await world.addPayment();
    const one = await world.see({ payment: id, amountRaw: half });
    expect(await world.status(id)).toBe("partially_paid");
    const other = await world.see({ payment: id, amountRaw: half });
    expect(await world.status(id)).toBe("confirming");
    await world.finalize(one);
    expect(await world.status(id)).toBe("confirming");
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": half,
      "merchant:available creator": half - fee / 2n,
      "platform:fees": fee / 2n,
    });
    await world.finalize(other);
    expect(await world.status(id)).toBe("paid");
    expect(await told(world, id)).toEqual(["partially_paid", "confirming", "paid"]);
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:available creator": price - fee,
      "platform:fees": fee,
    });
  });

  test("an event says what the payment is, and what arrived where", async () => {
    const world = await open();
    await world.readUpTo("eip155:8453", world.clock.now(), 104n);
    const id = await world.addPayment({ quotes: quotesOf({ usdc: `${price}` }) });
    const hash = await world.see({ payment: id, amountRaw: price + half, blockNumber: 100n });
    await world.finalize(hash);
    const [confirming, overpaid] = await world.events(id);
    expect(confirming?.data).toMatchObject({ id, status: "confirming" });
    expect(overpaid?.type).toBe("payment.overpaid");
    expect(overpaid?.data).toMatchObject({
      id,
      status: "overpaid",
      merchant_order_no: id,
      tx_hash: hash,
      confirmations: 5,
      deposit: {
        currency_chain_id: "dep_usdc_base",
        chain_id: "eip155:8453",
        amount_raw: `${price + half}`,
        is_unmatched: false,
        sender: null,
      },
      quotes: {
        cur_usdc: {
          deployments: [
            { chain_id: "eip155:8453", due_raw: `${price}`, received_raw: `${price + half}` },
            { chain_id: "eip155:1", due_raw: `${price}`, received_raw: "0" },
          ],
        },
      },
    });
    expect(JSON.stringify(overpaid?.data)).not.toMatch(/checkout/);
  });

  test("what was done is not done again, however often somebody asks", async () => {
    const world = await open();
    const id = await world.addPayment();
    await world.finalize(await world.see({ payment: id }));
    const before = [await world.events(id), await world.balances()];
    await world.touch(id, id, "pay_nobody");
    await Promise.all([world.touch(id), world.touch(id), world.touch(id)]);
    expect([await world.events(id), await world.balances()]).toEqual(before);
  });

  test("a reorganisation before the end takes the payment back, and its money never counts", async () => {
    const world = await open();
    const id = await world.addPayment();
    const one = await world.see({ payment: id, amountRaw: half });
    const other = await world.see({ payment: id, amountRaw: half });
    await world.orphan(other);
    expect(await world.status(id)).toBe("partially_paid");
    await world.orphan(one);
    expect(await world.status(id)).toBe("pending");
    await world.include(one);
    await world.include(other);
    expect(await world.status(id)).toBe("confirming");
    expect(await told(world, id)).toEqual([
      "partially_paid",
      "confirming",
      "reorged",
      "reorged",
      "partially_paid",
      "confirming",
    ]);
    expect(await world.balances()).toEqual({});
  });

  test("threat 25: what a paid payment loses is taken back to the unit, the shares too", async () => {
    const world = await open();
    const splits = [{ merchantId: partner.merchantId, bps: 3333 }];
    const id = await world.addPayment({ splits });
    const hash = await world.see({ payment: id, amountRaw: price + 1n });
    await world.finalize(hash);
    const base = price - fee;
    const share = (base * 3333n) / 10_000n;
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": price + 1n,
      "merchant:available creator": base - share + 1n,
      "merchant:available partner": share,
      "platform:fees": fee,
    });
    await world.orphan(hash);
    expect(await world.status(id)).toBe("reversed");
    expect(await told(world, id)).toEqual(["confirming", "paid", "reversed"]);
    expect(await world.balances()).toEqual({});
    const kinds = await query(world.database)<{ kind: string; count: number }>`
      select t.kind, count(*)::integer as count from ledger_transactions t
      join ledger_postings o on o.transaction_id = t.id group by t.kind order by t.kind`;
    expect(kinds).toEqual([
      { kind: "deposit_credited", count: 4 },
      { kind: "deposit_reversed", count: 4 },
    ]);
  });

  test("threat 25: what was spent is a debt, which the next money pays first", async () => {
    const world = await open();
    const id = await world.addPayment({ feeBps: 0 });
    const hash = await world.see({ payment: id });
    await world.finalize(hash);
    await world.spend(price - 100n);
    await world.orphan(hash);
    expect(await world.balances()).toEqual({
      "merchant:debt creator": price - 100n,
      "merchant:withdrawing creator": price - 100n,
    });
    const next = await world.addPayment({ feeBps: 0 });
    const nextHash = await world.see({ payment: next });
    await world.finalize(nextHash);
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:available creator": 100n,
      "merchant:withdrawing creator": price - 100n,
    });
    // And when that goes as well, both of it is owed again.
    await world.orphan(nextHash);
    expect(await world.balances()).toEqual({
      "merchant:debt creator": price - 100n,
      "merchant:withdrawing creator": price - 100n,
    });
  });

  test("a deposit that comes back is booked a second time, and its payment is restored", async () => {
    const world = await open();
    const id = await world.addPayment();
    const hash = await world.see({ payment: id });
    await world.finalize(hash);
    await world.orphan(hash);
    await world.include(hash);
    expect(await world.balances()).toEqual({});
    expect(await world.status(id)).toBe("reversed");
    await world.finalize(hash);
    expect(await world.status(id)).toBe("paid");
    expect(await told(world, id)).toEqual(["confirming", "paid", "reversed", "restored"]);
    const [, , , restored] = await world.events(id);
    expect(restored?.data).toMatchObject({ status: "paid", tx_hash: hash });
    expect(await world.balances()).toMatchObject({ "merchant:available creator": price - fee });
    // And the same again, as often as the chain likes.
    await world.orphan(hash);
    expect(await world.status(id)).toBe("reversed");
  });

  test("part of what was reversed is told, and what completes it restores the payment", async () => {
    const world = await open();
    const id = await world.addPayment();
    const hash = await world.see({ payment: id });
    await world.finalize(hash);
    await world.orphan(hash);
    const late = world.after(lifeMilliseconds + 1);
    for (const blockTime of [world.clock.now(), late]) {
      await world.finalize(await world.see({ payment: id, amountRaw: half, blockTime }));
    }
    expect(await world.status(id)).toBe("paid_late");
    const after = (await told(world, id)).slice(2);
    expect(after).toEqual(["reversed", "deposit_after_close", "restored"]);
  });

  test("one that only moves to another block stays booked", async () => {
    const world = await open();
    const id = await world.addPayment();
    const hash = await world.see({ payment: id });
    await world.finalize(hash);
    await world.include(hash);
    await world.finalize(hash);
    expect(await told(world, id)).toEqual(["confirming", "paid"]);
    expect(await world.balances()).toMatchObject({ "chain:deposit_addresses": price });
  });

  test("more money for a paid payment is surplus, and when it goes the payment stays paid", async () => {
    const world = await open();
    const splits = [{ merchantId: partner.merchantId, bps: 5000 }];
    const id = await world.addPayment({ feeBps: 0, splits });
    const one = await world.see({ payment: id });
    const other = await world.see({ payment: id, amountRaw: half });
    await world.finalize(one);
    await world.finalize(other);
    expect(await world.status(id)).toBe("paid");
    expect(await world.balances()).toMatchObject({
      "merchant:available creator": half + half,
      "merchant:available partner": half,
    });
    await world.orphan(other);
    expect(await world.status(id)).toBe("paid");
    expect(await told(world, id)).toEqual(["confirming", "paid", "deposit_after_close", "reorged"]);
    expect(await world.balances()).toMatchObject({ "merchant:available creator": half });
    await world.orphan(one);
    expect(await world.status(id)).toBe("reversed");
    expect(await world.balances()).toEqual({});
  });

  test("of each unit too much the partner has its part of all of them together", async () => {
    const world = await open();
    const splits = [{ merchantId: partner.merchantId, bps: 5000 }];
    const id = await world.addPayment({ feeBps: 0, splits, overpayPolicy: "pro_rata" });
    await world.finalize(await world.see({ payment: id }));
    for (const [partnerRaw, creatorRaw] of [
      [half, half + 1n],
      [half + 1n, half + 1n],
      [half + 1n, half + 2n],
    ] as const) {
      await world.finalize(await world.see({ payment: id, amountRaw: 1n }));
      expect(await world.balances()).toMatchObject({
        "merchant:available creator": creatorRaw,
        "merchant:available partner": partnerRaw,
      });
    }
  });

  test("what comes after the cancellation waits apart, without fee and splits", async () => {
    const world = await open();
    const splits = [{ merchantId: partner.merchantId, bps: 5000 }];
    const id = await world.addPayment({ splits });
    await world.cancel(id);
    const sender = "0x00000000000000000000000000000000000000Ab";
    const hash = await world.see({ payment: id, sender });
    expect(await told(world, id)).toEqual([]);
    await world.finalize(hash);
    expect(await world.status(id)).toBe("cancelled");
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:unmatched creator": price,
    });
    const [event] = await world.events(id);
    expect(event?.type).toBe("payment.deposit_after_close");
    expect(event?.data).toMatchObject({
      status: "cancelled",
      tx_hash: hash,
      deposit: { amount_raw: `${price}`, is_unmatched: true, sender },
      quotes: { cur_usdc: { deployments: [{ received_raw: "0" }, { received_raw: "0" }] } },
    });
    await world.orphan(hash);
    expect(await world.balances()).toEqual({});
    expect(await told(world, id)).toEqual(["deposit_after_close", "reorged"]);
  });

  test("what is more than seven days late waits apart as well", async () => {
    const world = await open();
    const id = await world.addPayment({ status: "expired" });
    const end = lifeMilliseconds + 7 * 86_400_000;
    await world.finalize(
      await world.see({ payment: id, amountRaw: half, blockTime: world.after(end + 1) }),
    );
    expect(await told(world, id)).toEqual(["deposit_after_close"]);
    expect(await world.balances()).toMatchObject({ "merchant:unmatched creator": half });
    await world.finalize(await world.see({ payment: id, blockTime: world.after(end) }));
    expect(await world.status(id)).toBe("paid_late");
    expect(await told(world, id)).toEqual(["deposit_after_close", "paid_late"]);
  });

  test("money in a currency that was not asked for waits apart", async () => {
    const world = await open();
    const id = await world.addPayment();
    const where = { chainId: ethereum, deploymentId: "dep_usdt_ethereum" };
    await world.finalize(await world.see({ payment: id, ...where }));
    expect(await world.status(id)).toBe("pending");
    expect(await told(world, id)).toEqual(["deposit_after_close"]);
    expect(await world.balances("dep_usdt_ethereum")).toMatchObject({
      "merchant:unmatched creator": price,
    });
  });

  test("late parts are told, and the one that completes the price makes it paid late", async () => {
    const world = await open();
    const id = await world.addPayment({ status: "underpaid" });
    const late = world.after(lifeMilliseconds + 1);
    await world.finalize(await world.see({ payment: id, amountRaw: half, blockTime: late }));
    expect(await world.status(id)).toBe("underpaid");
    const last = await world.see({ payment: id, amountRaw: half, blockTime: late });
    await world.finalize(last);
    expect(await told(world, id)).toEqual(["deposit_after_close", "paid_late"]);
    await world.orphan(last);
    expect(await world.status(id)).toBe("reversed");
  });

  test("parts in two currencies are booked in the units of each", async () => {
    const world = await open();
    const eth = 10_000_000_000_000_000n;
    const splits = [{ merchantId: partner.merchantId, bps: 2500 }];
    const id = await world.addPayment({ feeBps: 0, splits });
    const coins = { payment: id, amountRaw: eth, deploymentId: "dep_eth_base" };
    await world.finalize(await world.see({ payment: id, amountRaw: half }));
    await world.finalize(await world.see(coins));
    expect(await world.status(id)).toBe("overpaid");
    // Half of it paid the price, the other half is the creator's alone.
    expect(await world.balances("dep_eth_base")).toEqual({
      "chain:deposit_addresses": eth,
      "merchant:available creator": eth - eth / 8n,
      "merchant:available partner": eth / 8n,
    });
    expect(await world.balances()).toMatchObject({ "merchant:available partner": half / 4n });
  });

  test("threat 77: dust changes nothing but the books", async () => {
    const world = await open();
    const id = await world.addPayment({ feeBps: 0 });
    await world.finalize(await world.see({ payment: id, amountRaw: price / 1000n }));
    expect(await world.status(id)).toBe("pending");
    expect(await told(world, id)).toEqual([]);
    expect(await world.balances()).toMatchObject({ "merchant:available creator": price / 1000n });
  });

  test("what a merchant has or owes with its test keys is nothing to its live money", async () => {
    const world = await open();
    const owes = await world.addPayment({ feeBps: 0 });
    const hash = await world.see({ payment: owes });
    await world.finalize(hash);
    const owner = { ...creator, environment: "test" } as const;
    const of = { deploymentId: "dep_usdc_base", owner };
    await world.database.run(
      postTransaction,
      ledgerValues(world.parts, {
        kind: "deposit_reversed",
        reference: "as it may stand",
        occurredAt: world.clock.now(),
        postings: [
          { ...of, account: "merchant:available", amountRaw: -3n * price },
          { ...of, account: "merchant:debt", amountRaw: 3n * price },
        ],
      }),
    );
    const stand = (kind: string, environment: string) =>
      query(world.database)<{ balance: string }>`
        select balance::text from ledger_accounts
        where kind = ${kind} and environment = ${environment}`.then(([row]) => row?.balance ?? "0");
    // Live money pays no debt of the other one, and what lacks is not taken there.
    expect(await stand("merchant:available", "live")).toBe(`${price}`);
    await world.finalize(await world.see({ payment: await world.addPayment({ feeBps: 0 }) }));
    expect(await stand("merchant:available", "live")).toBe(`${2n * price}`);
    await world.spend(2n * price);
    await world.orphan(hash);
    expect(await stand("merchant:debt", "live")).toBe(`${price}`);
    expect(await stand("merchant:available", "test")).toBe(`${3n * price}`);
    expect(await stand("merchant:debt", "test")).toBe(`${3n * price}`);
  });

  test("many watchers at once book each deposit once", async () => {
    const world = await open();
    const ids = await Promise.all([1, 2, 3, 4].map(() => world.addPayment()));
    await Promise.all(ids.map(async (id) => world.finalize(await world.see({ payment: id }))));
    await Promise.all([...ids, ...ids.toReversed()].map((id) => world.touch(id, ...ids)));
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": 4n * price,
      "merchant:available creator": 4n * (price - fee),
      "platform:fees": 4n * fee,
    });
    for (const id of ids) expect(await told(world, id)).toEqual(["confirming", "paid"]);
  });
});
