// Money that waits for a decision is given to whom it belongs: by commands, once, with evidence
// (threat 107).

import { describe, expect, test } from "vitest";
import { paidBackJob } from "../../service/ledger/borne-debts.ts";
import { query } from "../support/service-parts.ts";
import { authorize, payer } from "../x402/payers.ts";
import { merchant, partner, price } from "../x402/scene.ts";
import { finalize, local, scene, setStage, shop, useStage } from "../x402/stage.ts";
import { engines } from "../support/engines.ts";
import { cancelledPayment, onlyItem, openDesk, owe, sendDown, spend, strayItem } from "./desk.ts";

useStage();

const toShop = `--merchant ${merchant.merchantId} --environment test --evidence "ticket 7"`;

/** A reorganisation takes the transaction of an item. @returns brings it again */
async function takenAway(item: string, blocks: number): Promise<() => Promise<void>> {
  const [, hash] = item.split("/");
  const raw = await local.rawOf(hash as `0x${string}`);
  await local.reorg(blocks, []);
  await scene.watch();
  return async () => {
    await local.rpc("eth_sendRawTransaction", [raw]);
    await scene.mine(14);
    await scene.watch();
  };
}

/** Of one payment's price: 1 % of it. */
const fee = 250_000n;
const half = (price - fee) / 2n;
/** What is left of a price, divided with a partner. */
const halved = {
  "chain:settlement": price,
  "platform:fees": fee,
  "merchant:available": half,
  [`merchant:available ${partner.merchantId}`]: half,
};

describe("what is nobody's", () => {
  test("is listed with its age and its sender, and goes to a merchant's balance", async () => {
    const { admin, audited } = await openDesk();
    const item = await strayItem();
    scene.clock.advance(7_200_000);
    const listed = await admin("suspense list");
    expect(listed).toMatchObject({ exitCode: 0, errors: "" });
    const [heading = "", row = ""] = listed.output.split("\n");
    expect(heading.split(/ {2,}/)).toEqual([
      "ITEM",
      "ACCOUNT",
      "AGE",
      "OF",
      "PAYMENT",
      "DEPLOYMENT",
      "AMOUNT",
      "SENDER",
    ]);
    expect(row.split(/ {2,}/)).toEqual([
      item,
      "payer:unmatched",
      "2h",
      "-",
      "-",
      "dep_usdc_local",
      "25",
      payer.address,
    ]);

    const before = await scene.balances();
    const shown = await admin(`suspense credit ${item} ${toShop} --dry-run`);
    expect(shown.output.split("\n")[0]).toMatch(/^Dry run: nothing was changed\./);
    expect(shown.output).toMatch(/payer:unmatched +dep_usdc_local +- +25000000 +25\n/);
    expect(shown.output).toMatch(
      /merchant:available +dep_usdc_local +mer_shop test +-25000000 +-25/,
    );
    expect(await scene.balances()).toEqual(before);
    expect(await audited()).toEqual([]);

    expect(await admin(`suspense credit ${item} ${toShop}`)).toMatchObject({ exitCode: 0 });
    expect(await scene.balances()).toEqual({
      "chain:settlement": price,
      "merchant:available": price,
    });
    expect(await audited()).toMatchObject([
      {
        action: "suspense.credited",
        actor: "operator",
        details: { item, evidence: "ticket 7", amount_raw: `${price}`, merchant_id: "mer_shop" },
      },
    ]);
    const again = await admin(`suspense credit ${item} ${toShop}`);
    expect(again).toMatchObject({ exitCode: 1, output: "" });
    expect(again.errors).toMatch(/was decided about already, as sus_\w+\.\n$/);
    expect((await admin("suspense list")).output).not.toContain(item);
    expect(await scene.differences()).toEqual([]);
  });

  test("pays the payment that it was sent for, with its fee and its shares", async () => {
    const { admin, audited } = await openDesk();
    const id = await scene.addPayment({ splitBps: 5_000 });
    const item = await strayItem();
    const wish = `suspense credit ${item} --payment ${id} --evidence "the payer has shown it"`;
    const shown = await admin(`${wish} --dry-run`);
    expect(shown.output).toContain("Dry run: nothing was changed.");
    expect(shown.output).toMatch(/Status +paid\n/);
    expect(await scene.status(id)).toBe("pending");
    expect(await scene.events(id)).toEqual([]);
    expect(await scene.balances()).toMatchObject({ "payer:unmatched": price });

    expect(await admin(wish)).toMatchObject({ exitCode: 0, errors: "" });
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.balances()).toEqual(halved);
    expect(await scene.events(id)).toEqual(["payment.confirming", "payment.paid"]);
    expect(await audited()).toMatchObject([{ details: { item, amount_raw: `${price}` } }]);
    expect(await admin(wish)).toMatchObject({ exitCode: 1 });
    expect(await scene.differences()).toEqual([]);
  });

  test("pays a live payment, too, where its network is no test network", async () => {
    const { admin } = await openDesk();
    await query(scene.database)`update deployments set is_test_network = false returning id`;
    const live = { ...merchant, environment: "live" } as const;
    const id = await scene.addPayment({ owner: live });
    const item = await strayItem();
    const wish = `suspense credit ${item} --payment ${id} --evidence "the payer has shown it"`;
    expect(await admin(wish)).toMatchObject({ exitCode: 0, errors: "" });
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.differences()).toEqual([]);
  });

  test("goes to the platform, and to nobody whom it cannot go to", async () => {
    const { admin, audited } = await openDesk();
    const item = await strayItem();
    const live = await scene.addPayment({ owner: { ...merchant, environment: "live" } });
    const refused = [
      [`suspense credit ${item} --evidence x`, "Say --payment, or --merchant with --environment."],
      [`suspense credit ${item} --payment pay_none --evidence x`, "There is no payment pay_none."],
      [
        `suspense credit ${item} --payment ${live} --evidence x`,
        "Coins of a test network pay no live payment.",
      ],
      [
        `suspense credit ${item} --merchant mer_shop --environment live --evidence x`,
        "Coins of a test network are nothing that a live balance can have.",
      ],
      [
        `suspense credit ${item}9 --merchant mer_shop --environment test --evidence x`,
        `Nothing waits as ${item}9: "suspense list" shows what does.`,
      ],
    ] as const;
    for (const [line, says] of refused) {
      expect(await admin(line)).toEqual({ exitCode: 1, output: "", errors: `${says}\n` });
    }
    expect(await admin(`suspense write-off ${item} --evidence "dust"`)).toMatchObject({
      exitCode: 0,
    });
    expect(await scene.balances()).toEqual({ "chain:settlement": price, "platform:fees": price });
    expect(await audited()).toMatchObject([
      { action: "suspense.written_off", details: { item, evidence: "dust" } },
    ]);
    expect(await scene.differences()).toEqual([]);
  });
});

describe("what came for a payment that was cancelled", () => {
  test("goes to its payment, which stays cancelled, and is divided by its terms", async () => {
    const { admin } = await openDesk();
    const { id, item } = await cancelledPayment(5_000);
    expect(await scene.balances()).toMatchObject({ "merchant:unmatched": price });
    const other = await scene.addPayment();
    const elsewhere = await admin(`suspense credit ${item} --payment ${other} --evidence x`);
    expect(elsewhere.errors).toContain(`${item} came to the address of ${id}`);
    const wish = `suspense credit ${item} --payment ${id} --evidence "the order was sent"`;
    expect(await admin(wish)).toMatchObject({ exitCode: 0, errors: "" });
    expect(await scene.status(id)).toBe("cancelled");
    expect(await scene.balances()).toEqual(halved);
    const data = await scene.eventData(id, "payment.deposit_after_close");
    expect(data).toMatchObject({
      status: "cancelled",
      deposit: { is_unmatched: false, amount_raw: `${price}`, sender: payer.address },
    });
    // Whatever looks at the payment again changes nothing.
    await finalize();
    expect(await scene.balances()).toMatchObject({ "merchant:available": half });
    expect(await scene.differences()).toEqual([]);
  });

  test("goes whole to its merchant's balance, pays a debt there first, and to no other merchant", async () => {
    const { admin } = await openDesk();
    const { item } = await cancelledPayment();
    const toPartner = `--merchant ${partner.merchantId} --environment test --evidence x`;
    expect(await admin(`suspense credit ${item} ${toPartner}`)).toMatchObject({ exitCode: 1 });
    await owe(1_000_000n);
    expect(await admin(`suspense credit ${item} ${toShop}`)).toMatchObject({ exitCode: 0 });
    const balances = await scene.balances();
    expect(balances).toMatchObject({ "merchant:available": price - 1_000_000n });
    expect(balances).not.toHaveProperty("merchant:debt");
    expect(balances).not.toHaveProperty("merchant:unmatched");
    expect(await scene.differences()).toEqual([]);
  });
});

describe("a reorganisation that takes it away", () => {
  test("after it was credited to a balance: what is spent is the merchant's debt, and people hear of it", async () => {
    const { admin } = await openDesk();
    const item = await strayItem();
    await admin(`suspense credit ${item} ${toShop}`);
    await spend(price - 1_000_000n);
    await local.reorg(6);
    await scene.mine(2);
    await scene.watch();
    expect(await scene.balances()).toEqual({
      "merchant:withdrawing": price - 1_000_000n,
      "merchant:debt": price - 1_000_000n,
    });
    await shop.tellGone();
    await shop.tellGone();
    expect(scene.alarms.filter(([what]) => what === "suspense_money_gone")).toMatchObject([
      ["suspense_money_gone", { way: "credited", amount_raw: `${price}` }],
    ]);
    expect(await scene.differences()).toEqual([]);
  });

  test("after it was credited to a cancelled payment's merchant, and brings it again: it waits again", async () => {
    const { admin } = await openDesk();
    const { item } = await cancelledPayment();
    await admin(`suspense credit ${item} ${toShop}`);
    const [, hash] = item.split("/");
    const raw = await local.rawOf(hash as `0x${string}`);
    await local.reorg(10, []);
    await scene.watch();
    expect(await scene.balances()).toEqual({});
    await local.rpc("eth_sendRawTransaction", [raw]);
    await scene.mine(6);
    await scene.watch();
    expect(await scene.balances()).toEqual({
      "chain:settlement": price,
      "merchant:unmatched": price,
    });
    await admin(`suspense credit ${await onlyItem()} ${toShop}`);
    expect(await scene.balances()).toMatchObject({ "merchant:available": price });
    expect(await scene.differences()).toEqual([]);
  });
});

test("what was credited, spent, taken away, and written off pays the platform back when it is credited again", async () => {
  const { admin } = await openDesk();
  const item = await strayItem();
  await admin(`suspense credit ${item} ${toShop}`);
  await spend(price);
  scene.clock.advance(60_000);
  const again = await takenAway(item, 6);
  const debt = "--merchant mer_shop --environment test --deployment dep_usdc_local --amount 25";
  expect(await admin(`debt write-off ${debt} --evidence "insolvent"`)).toMatchObject({
    exitCode: 0,
  });
  expect(await scene.balances()).toEqual({
    "merchant:withdrawing": price,
    "platform:fees": -price,
  });
  await again();
  await shop.match();
  const wish = `suspense credit ${await onlyItem()} ${toShop}`;
  const shown = await admin(`${wish} --dry-run`);
  expect(shown.output).toMatch(/platform:fees +dep_usdc_local +- +-25000000 +-25\n/);
  expect(await admin(wish)).toMatchObject({ exitCode: 0 });
  expect(await scene.balances()).toEqual({
    "merchant:withdrawing": price,
    "chain:settlement": price,
  });
  const job = paidBackJob(scene);
  await job.run();
  await job.run();
  expect(scene.alarms.filter(([what]) => what === "debt_paid_back")).toMatchObject([
    ["debt_paid_back", { merchant_id: "mer_shop", amount_raw: `${price}` }],
  ]);
  expect(await scene.differences()).toEqual([]);
});

test("what was used of an authorization pays back a debt that was written off when it comes again", async () => {
  const { admin } = await openDesk();
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
  await finalize();
  const [hash = ""] = await scene.sentFor(id);
  await scene.reportUsage(shop, id, "25");
  await finalize();
  expect(await scene.balances()).toEqual({
    "chain:settlement": price,
    "merchant:available": price - fee,
    "platform:fees": fee,
  });
  await spend(price - fee);
  const again = await takenAway(`_/${hash}`, 14);
  const debt = "--merchant mer_shop --environment test --deployment dep_usdc_local --amount 24.75";
  expect(await admin(`debt write-off ${debt} --evidence x`)).toMatchObject({ exitCode: 0 });
  await again();
  expect(await scene.balances()).toEqual({
    "chain:settlement": price,
    "merchant:withdrawing": price - fee,
    "platform:fees": fee,
  });
  expect(await scene.differences()).toEqual([]);
});

test("what was given to a payment is the payment's again when a reorganisation brings it again", async () => {
  const { admin } = await openDesk();
  const id = await scene.addPayment();
  const item = await strayItem();
  await admin(`suspense credit ${item} --payment ${id} --evidence x`);
  const [, hash] = item.split("/");
  const raw = await local.rawOf(hash as `0x${string}`);
  await local.reorg(6, []);
  await scene.watch();
  expect(await scene.status(id)).toBe("reversed");
  expect(await scene.balances()).toEqual({});
  await local.rpc("eth_sendRawTransaction", [raw]);
  await scene.mine(6);
  await scene.watch();
  await shop.match();
  await scene.watch();
  expect(await scene.status(id)).toBe("paid");
  expect(await scene.balances()).toMatchObject({ "merchant:available": price - fee });
  expect(await scene.differences()).toEqual([]);
});

test.each(engines)("several operators at once decide once (%s)", async (engine) => {
  await setStage(engine);
  const { admin, audited } = await openDesk();
  const id = await scene.addPayment();
  const item = await strayItem();
  const answers = await Promise.all([
    admin(`suspense credit ${item} ${toShop}`),
    admin(`suspense credit ${item} --payment ${id} --evidence x`),
    admin(`suspense return ${item} --to ${payer.address} --evidence x`),
    admin(`suspense write-off ${item} --evidence x`),
    admin(`suspense credit ${item} ${toShop}`),
  ]);
  expect(answers.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
  expect(answers.filter(({ exitCode }) => exitCode === 1)).toHaveLength(4);
  expect(await audited()).toHaveLength(1);
  await sendDown();
  const sum = await query(scene.database)<{ sum: string }>`
    select coalesce(sum(ledger_side(kind) * balance), 0)::text as sum from ledger_accounts`;
  expect(sum).toEqual([{ sum: "0" }]);
  expect(await scene.differences()).toEqual([]);
});
