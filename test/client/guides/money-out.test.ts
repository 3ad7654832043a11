// The programs of the guides about money that goes out, subscriptions and webhooks, run as they stand there, each with
// what it does on the server and on the local chain.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { usd } from "../../../scripts/client/tool/test-usd.ts";
import type { Wallet } from "../../../scripts/demo/wallet.ts";
import { type Child, endChildren } from "../../programs/child.ts";
import { patienceMilliseconds } from "../../support/patience.ts";
import { deliver, freePort, type GuideShop, openGuideShop } from "./guide.ts";
import {
  eventually,
  type GuideMerchant,
  type GuideWorld,
  linesOf,
  shown,
  startGuideWorld,
} from "./guide-world.ts";

type Settings = Readonly<Record<string, string>>;

let world: GuideWorld;
let shop: GuideShop;
/** What takes the service long goes on while other tests run. */
let funds: ReturnType<typeof openFunds>;
let subscription: ReturnType<typeof openSubscription>;
beforeAll(async () => {
  shop = openGuideShop(["take-a-payment", "pay-out", "subscriptions", "webhooks"]);
  world = await startGuideWorld();
  [funds, subscription] = [openFunds(), openSubscription()];
  // Who awaits them hears of a failure.
  for (const begun of [funds, subscription]) begun.catch(() => undefined);
});
afterAll(endChildren);

test("the programs are right by the types of the package", async () => {
  expect(await shop.mistakes).toEqual([]);
});

/** A merchant whose events come to a receiver of a guide. */
async function openReceiver(program: string, name: string) {
  const merchant = await world.newGuideMerchant();
  const PORT = await freePort();
  const settings = { ...merchant.settings, PORT, INBOX_DB: join(shop.folder, `${name}.db`) };
  const WEBHOOK_URL = `http://127.0.0.1:${PORT}/webhooks`;
  const output = await shop.run("setup.ts", { ...settings, WEBHOOK_URL });
  const [id, secret] = [shown(output, "ENDPOINT_ID"), shown(output, "WEBHOOK_SECRET")];
  const all = { ...settings, ENDPOINT_ID: id, WEBHOOK_SECRET: secret };
  return { merchant, settings: all, WEBHOOK_URL, receiver: await begin(program, all) };
}

async function begin(program: string, settings: Settings): Promise<Child> {
  const child = shop.start(program, settings);
  await child.waitFor(/^listening/m);
  return child;
}

async function end(child: Child): Promise<void> {
  child.kill("SIGKILL");
  await child.ended;
}

const openInbox = ({ INBOX_DB = "" }: Settings): DatabaseSync =>
  new DatabaseSync(INBOX_DB, { timeout: patienceMilliseconds });

let orders = 0;
async function newPayment({ client }: GuideMerchant, amount: string) {
  orders += 1;
  const merchant_order_no = `C-${orders}`;
  const quotes = { [usd.currencyId]: { amount } };
  return client.payments.createPayment({ merchant_order_no, quotes });
}

/** 99 USDC that can be withdrawn, brought together already. */
async function openFunds() {
  const { merchant, settings } = await openReceiver("receiver.ts", "pay-out");
  await world.pay((await newPayment(merchant, "100")).checkout_url, "100");
  await world.untilAvailable(merchant.id, 99_000_000n);
  await world.admin("chain", "sweep", "--chain", usd.chainId);
  await eventually(async () => {
    expect(await world.admin("chain", "sweeps")).toMatch(/ moved /);
  });
  return settings;
}

/** One that is billed and paid. */
async function openSubscription() {
  const { merchant, settings, receiver } = await openReceiver("billing.ts", "billing");
  const place = ["--currency", usd.currencyId, "--chain", usd.chainId, "--user-id", "u-1"];
  const whose = ["--merchant", merchant.id, "--environment", "test"];
  const price = ["--amount", "9.99", "--interval", "30d"];
  const made = await world.admin("subscription", "create", ...whose, ...place, ...price);
  const id = /sub_\w+/.exec(made)?.[0] ?? "";
  const mailed = await receiver.waitFor(/^mail .*\n/m);
  const [, told, amount, page = ""] = linesOf(mailed, "mail")[0]?.split(" ") ?? [];
  expect([told, amount]).toEqual([id, "9.99"]);
  await world.pay(page, "9.99");
  await receiver.waitFor(new RegExp(`^open u-1 ${id} \\d{4}-\\d\\d-\\d\\dT\\S+Z$`, "m"));
  return { settings, receiver, id };
}

describe("webhooks", () => {
  let merchant: GuideMerchant;
  let settings: Settings;
  let receiver: Child;
  let inbox: DatabaseSync;
  beforeAll(async () => {
    ({ merchant, settings, receiver } = await openReceiver("receiver.ts", "webhooks"));
    inbox = openInbox(settings);
  });
  afterAll(() => inbox.close());

  const kept = (resource: string): readonly unknown[] =>
    inbox
      .prepare("select sequence from inbox where resource = ? order by sequence")
      .all(resource)
      .map(({ sequence }) => sequence);
  const arrive = (resource: string, ...sequences: readonly number[]) =>
    eventually(() => expect(kept(resource)).toEqual(sequences));
  const work = () => shop.run("worker.ts", settings);

  test("what is stored is done once, and what is older than the newest is old news", async () => {
    const { id } = await newPayment(merchant, "5");
    await arrive(id, 1);
    expect(linesOf(await work(), "new")).toContain(`new payment.created ${id} pending`);
    expect(await work()).toBe("");
    await merchant.client.payments.cancelPayment({ id });
    await arrive(id, 1, 2);
    expect(await work()).toBe(`new payment.cancelled ${id} cancelled\n`);
    inbox.prepare("update inbox set done_at = null where resource = ? and sequence = 1").run(id);
    expect(await work()).toBe(`old payment.created ${id}\n`);
  });

  const keep = (id: string, sequence: number, body: string) =>
    inbox.prepare("insert into inbox values (?, ?, ?, ?, null)").run(id, id, sequence, body);

  test("two workers at once do each work once", async () => {
    const wanted = Array.from({ length: 100 }, (_, index) => `evt_twin_${index}`);
    for (const id of wanted) {
      keep(
        id,
        1,
        JSON.stringify({ id, type: "moon.full", sequence: 1, resource: { id }, data: {} }),
      );
    }
    const outputs = await Promise.all([work(), work()]);
    const done = linesOf(outputs.join(""), "new").map((line) => line.trim());
    expect(done.toSorted()).toEqual(wanted.map((id) => `new moon.full ${id}`).toSorted());
  });

  test("work that fails stays open, and what comes after it is done", async () => {
    const body = JSON.stringify({
      type: "moon.full",
      sequence: 1,
      resource: { id: "y" },
      data: {},
    });
    keep("evt_x", 1, "no JSON");
    keep("evt_y", 1, body);
    const child = shop.start("worker.ts", settings);
    expect((await child.ended).code).toBe(1);
    expect(child.errors()).toMatch(/^not done evt_x SyntaxError: .*\n$/);
    expect(child.output()).toBe("new moon.full y \n");
    const stays = inbox.prepare("select id from inbox where done_at is null").all();
    expect(stays).toEqual([{ id: "evt_x" }]);
    inbox.exec("delete from inbox where id = 'evt_x'");
  });

  test("what is delivered twice is stored once, and answered as it was", async () => {
    const resource = { type: "payment", id: "pay_2" };
    const event = { id: "evt_2", type: "payment.paid", sequence: 1, resource, data: {} };
    for (const _time of [1, 2]) expect(await deliver(settings, event)).toBe(204);
    expect(kept("pay_2")).toEqual([1]);
    const changed = JSON.stringify(event).replace("pay_2", "pay_3");
    expect(await deliver(settings, event, changed)).toBe(400);
    expect(kept("pay_3")).toEqual([]);
  });

  test("a body that was not signed is refused and not stored", async () => {
    const before = inbox.prepare("select count(*) as count from inbox").get();
    const url = `http://127.0.0.1:${settings["PORT"]}/webhooks`;
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
    expect(inbox.prepare("select count(*) as count from inbox").get()).toEqual(before);
  });

  test("what came while the receiver was away is sent again by itself", async () => {
    await end(receiver);
    const { id } = await newPayment(merchant, "6");
    await eventually(async () => {
      const { deliveries } = await merchant.client.webhookDeliveries.listWebhookDeliveries();
      expect(deliveries[0]).toMatchObject({ status: "pending", attempts: 1 });
    });
    receiver = await begin("receiver.ts", settings);
    await arrive(id, 1);
  });

  test("after a rotation the old secret will do beside the new one, and each alone", async () => {
    const output = await shop.run("rotate.ts", settings, ["2027"]);
    expect(await shop.run("rotate.ts", settings, ["2027"])).toBe(output);
    const secret = shown(output, "WEBHOOK_SECRET");
    expect(secret).not.toBe(settings["WEBHOOK_SECRET"]);
    await arrive((await newPayment(merchant, "7")).id, 1);
    for (const WEBHOOK_SECRET of [`${secret} ${settings["WEBHOOK_SECRET"]}`, secret]) {
      await end(receiver);
      settings = { ...settings, WEBHOOK_SECRET };
      receiver = await begin("receiver.ts", settings);
      await arrive((await newPayment(merchant, "8")).id, 1);
    }
  });

  test("what was skipped while the endpoint was off is found by catch-up.ts, and sent as it says", async () => {
    const OUTAGE_BEGAN = new Date().toISOString();
    const id = settings["ENDPOINT_ID"] ?? "";
    const { webhookEndpoints } = merchant.client;
    await webhookEndpoints.setWebhookEndpointStatus({ id, active: false });
    const { id: payment } = await newPayment(merchant, "9");
    const told = await shop.run("catch-up.ts", { ...settings, OUTAGE_BEGAN });
    expect(linesOf(told, "switched")).toEqual([`switched on ${id}`]);
    expect(linesOf(told, "lost")).toEqual(["lost 1"]);
    expect((await webhookEndpoints.getWebhookEndpoint({ id })).active).toBe(true);
    const [, words = ""] = /^ask the operator: (.+)$/m.exec(told) ?? [];
    expect(kept(payment)).toEqual([]);
    await world.admin(...words.split(" "));
    await arrive(payment, 1);
    const after = await shop.run("catch-up.ts", { ...settings, OUTAGE_BEGAN });
    expect(after).toBe("on their way 0\nlost 0\ncancelled 0\n");
  });

  test("what was pending when the endpoint answered 410 is counted by catch-up.ts as cancelled", async () => {
    const gone = createServer((_request, answer) => answer.writeHead(410).end());
    await once(gone.listen(0, "127.0.0.1"), "listening");
    // It listens on a port, so it has an address of this form.
    const { port } = gone.address() as AddressInfo;
    const other = await world.newGuideMerchant();
    const { webhookEndpoints } = other.client;
    const url = `http://127.0.0.1:${port}/webhooks`;
    const { id } = await webhookEndpoints.registerWebhookEndpoint({ url });
    await newPayment(other, "3");
    const isOff = async () =>
      expect(await webhookEndpoints.getWebhookEndpoint({ id })).toMatchObject({ active: false });
    await eventually(isOff);
    gone.close();
    const whose = { ...other.settings, ENDPOINT_ID: id, OUTAGE_BEGAN: "2026-01-01T00:00:00.000Z" };
    const told = await shop.run("catch-up.ts", whose);
    expect(told).toBe(`switched on ${id}\non their way 0\nlost 0\ncancelled 1\n`);
  });
});

describe("pay out", () => {
  let settings: Settings;
  let inbox: DatabaseSync;
  let vault: Wallet;
  beforeAll(async () => {
    settings = await funds;
    inbox = openInbox(settings);
    vault = await world.newWallet(0n);
  });
  afterAll(() => inbox.close());

  const balance = () => vault.balance(usd.address);
  const typesOf = (resource: string): readonly unknown[] =>
    inbox
      .prepare("select body from inbox where resource = ? order by sequence")
      .all(resource)
      // It has the form of its contract, since the service has signed it.
      .map(({ body }) => (JSON.parse(String(body)) as { readonly type: string }).type);
  const idIn = (output: string): string => /\b(?:wdr|pos)_\w+/.exec(output)?.[0] ?? "";

  test("an address is registered, money withdrawn once though asked for twice, and seen to arrive", async () => {
    const registered = await shop.run("address.ts", { ...settings, ADDRESS: vault.address });
    const ADDRESS_ID = shown(registered, "ADDRESS_ID");
    settings = { ...settings, ADDRESS_ID };
    await eventually(() => expect(typesOf(ADDRESS_ID)).toContain("withdraw_address.registered"));

    const first = await shop.run("withdraw.ts", settings, ["refund-A-1001", "7.50"]);
    expect(first).toMatch(/^new: wdr_\w+ pending debit 7500000\n$/);
    const again = await shop.run("withdraw.ts", settings, ["refund-A-1001", "7.50"]);
    expect(again).toBe(first.replace("new:", "as answered before:"));
    const steps = ["requested", "processing", "broadcast", "confirmed"];
    const told = steps.map((step) => `withdrawal.${step}`);
    await eventually(() => expect(typesOf(idIn(first))).toEqual(told));
    expect(await balance()).toBe(7_500_000n);
  });

  test.each([
    ["boat", "5000", '"code":"insufficient_balance"'],
    ["refund-A-1001", "8", '"code":"idempotency_key_reused"'],
  ])("%s of %s is refused, and says so by its end", async (name, amount, code) => {
    const child = shop.start("withdraw.ts", settings, [name, amount]);
    expect((await child.ended).code).toBe(1);
    expect(child.errors()).toContain(code);
    expect(child.output()).toBe("");
  });

  test("a schedule sends the rest, is paused, and is made anew", async () => {
    const FIRST_RUN_AT = new Date(Date.now() + 4_000).toISOString();
    const made = await shop.run("schedule.ts", { ...settings, FIRST_RUN_AT });
    expect(made).toMatch(/^pos_\w+ active next run /);
    await eventually(async () => expect(await balance()).toBe(99_000_000n));
    const told = ["payout_schedule.created", "payout_schedule.run_requested"];
    await eventually(() => expect(typesOf(idIn(made))).toEqual(told));

    const twin = shop.start("schedule.ts", settings);
    expect((await twin.ended).code).toBe(1);
    expect(twin.errors()).toContain("schedule_already_exists");
    const paused = await shop.run("schedule.ts", settings, ["pause", idIn(made)]);
    expect(paused).toBe(`${idIn(made)} paused\n`);
    const again = await shop.run("schedule.ts", settings);
    expect(idIn(again)).not.toBe(idIn(made));
    const ended = ["payout_schedule.paused", "payout_schedule.retired"];
    await eventually(() => expect(typesOf(idIn(made))).toEqual([...told, ...ended]));
  });
});

test("a subscription is billed, paid, opened and cancelled", async () => {
  const { settings, receiver, id } = await subscription;
  expect(await shop.run("cancel.ts", settings, [id])).toBe(`${id} cancelled\n`);
  expect(await shop.run("cancel.ts", settings, [id])).toBe(`${id} cancelled\n`);
  await receiver.waitFor(new RegExp(`^close ${id}$`, "m"));
  expect(linesOf(receiver.output(), "open")).toHaveLength(1);
  expect(receiver.errors()).toBe("");
});

test("billing.ts opens once for each period, and has what is reversed, in parts or late looked at", async () => {
  const { settings, receiver } = await subscription;
  const told = (
    id: string,
    [sequence, status, type = status]: readonly [number, string, string?],
  ) => ({
    id: `evt_${id}_${sequence}`,
    type: `payment.${type}`,
    sequence,
    resource: { type: "payment", id },
    data: { merchant_order_no: `sub_x/${id}/1`, status, user_id: "u-2" },
  });
  const paid = told("a", [1, "paid"]);
  const end = { id: "sub_x" };
  const events = [
    paid,
    paid,
    told("a", [3, "reversed"]),
    told("a", [2, "paid", "deposit_after_close"]),
    told("b", [1, "underpaid"]),
    { id: "evt_end", type: "subscription.cancelled", sequence: 2, resource: end, data: end },
    told("c", [1, "paid"]),
    { ...told("d", [1, "paid"]), data: { merchant_order_no: "A-1001", status: "paid" } },
  ];
  const before = receiver.output().length;
  for (const event of events) expect(await deliver(settings, event)).toBe(204);
  const lines = () => receiver.output().slice(before).trim().split("\n");
  await eventually(() => {
    expect(lines()).toEqual([
      "open u-2 sub_x a",
      "look at sub_x/a/1 reversed",
      "look at sub_x/a/1 payment.deposit_after_close",
      "look at sub_x/b/1 underpaid",
      "close sub_x",
      "look at sub_x/c/1 paid after its end",
    ]);
  });
});
