// The connection to the server breaks when it has committed, and before anybody hears of it: on another connection the
// service finds out. Or it breaks just before that: the request gets "not now". Asked again, all is there once.

import { afterAll, beforeAll, expect, test } from "vitest";
import { make } from "../../scripts/bench/service/shops.ts";
import { usd } from "../../scripts/client/tool/test-usd.ts";
import { signingFetch } from "../../scripts/client/signing-fetch.ts";
import { startAnswerCutter } from "../support/answer-cutter.ts";
import type { AnswerCutter, Cut } from "../support/answer-cutter.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { openScene } from "./failover-scene.ts";
import type { Scene, Shop } from "./failover-scene.ts";

const begun = new AsyncDisposableStack();
let cutter: AnswerCutter;
let scene: Scene;

beforeAll(async () => {
  const made = await makePostgresDatabase();
  begun.defer(made.remove);
  cutter = await startAnswerCutter(made.url);
  begun.defer(cutter.close);
  scene = await openScene(cutter.urlOf(made.url));
  begun.defer(scene.close);
});
afterAll(() => begun.disposeAsync());

interface Case {
  readonly path: string;
  /** what is asked for, by a merchant that may have prepared it */
  readonly bodyOf: (shop: Shop) => Promise<object>;
  readonly writes: RegExp;
  /** of those of the merchant that were made by it */
  readonly rows: string;
}

const place = { currency_id: usd.currencyId, target_chain_id: usd.chainId };
const cases: readonly Case[] = [
  {
    path: "/v1/payments",
    bodyOf: () => {
      const quotes = { [usd.currencyId]: { amount: "1.25", chain_ids: [usd.chainId] } };
      return Promise.resolve({ merchant_order_no: "1", quotes, expires_in_secs: 3_600 });
    },
    writes: /insert into payments /,
    rows: "select p.id from payments p join api_keys k using (merchant_id) where k.id = $1",
  },
  {
    path: "/v1/withdrawals",
    bodyOf: ({ withdrawAddressId }) =>
      Promise.resolve({ ...place, amount: "1.5", withdraw_address_id: withdrawAddressId }),
    writes: /insert into withdrawals /,
    rows: "select w.id from withdrawals w join api_keys k using (merchant_id) where k.id = $1",
  },
  {
    // It retires the one that was paused, and makes another, in a transaction.
    path: "/v1/payout-schedules",
    bodyOf: async (shop) => {
      const when = { interval_secs: 86_400, min_send_amount: "10", mode: "auto_request" };
      const body = { ...place, ...when, withdraw_address_id: shop.withdrawAddressId };
      const paused = await make(scene, shop, { path: "/v1/payout-schedules", body });
      const headers = { "Idempotency-Key": "pause-1" };
      const target = `${scene.url}/v1/payout-schedules/${paused}/pause`;
      expect((await signingFetch(shop)(target, { method: "POST", headers })).status).toBe(200);
      return body;
    },
    writes: /update "payout_schedules"/,
    rows: `select s.id from payout_schedules s join api_keys k using (merchant_id)
      where k.id = $1 and s.status = 'active'`,
  },
];
const ways = cases.map((one): [string, Case] => [one.path, one]);

/** What a cut does to the request, and how often what it asks for is there then. */
async function cutOff(how: Cut["how"], { path, bodyOf, writes, rows }: Case) {
  const shop = await scene.newShop();
  const headers = { "Content-Type": "application/json", "Idempotency-Key": "key-1" };
  const asked = { method: "POST", headers, body: JSON.stringify(await bodyOf(shop)) };
  const send = signingFetch(shop, { attemptsMax: 1 });
  const idsOf = async () => (await scene.query(rows, [shop.key])).map(({ id }) => id);
  const before = cutter.cuts();
  cutter.cutNext({ writes, how });
  const first = await send(scene.url + path, asked);
  expect(cutter.cuts()).toBe(before + 1);
  const ids = await idsOf();
  const again = await send(scene.url + path, asked);
  expect(again.status).toBe(201);
  const { id } = (await again.json()) as { readonly id: string }; // as the contract has it
  expect(await idsOf()).toEqual([id]);
  const events = await scene.query("select 1 from events where resource_id = $1", [id]);
  expect(events).toHaveLength(1);
  return { first, ids, again: { id, isReplayed: again.headers.get("Idempotent-Replayed") } };
}

test.each(ways)("%s, done before the connection broke: it is found out at once", async (_, one) => {
  const { first, ids, again } = await cutOff("done", one);
  expect(first.status).toBe(201);
  expect(await first.json()).toMatchObject({ id: again.id });
  expect(ids).toEqual([again.id]);
  expect([first.headers.get("Idempotent-Replayed"), again.isReplayed]).toEqual(["true", "true"]);
});

test.each(ways)(
  "%s, not done when the connection broke: not now, and then once",
  async (_, one) => {
    const { first, ids, again } = await cutOff("not done", one);
    expect([first.status, first.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await first.json()).toMatchObject({ code: "service_unavailable" });
    expect(ids).toEqual([]);
    expect(again.isReplayed).toBeNull();
  },
);
