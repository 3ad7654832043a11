// Listing payout schedules: each documented status really produced, on both engines.

import { expect } from "vitest";
import { type Answer, bodyOf } from "../support/contract-answers.ts";
import { type Json } from "../support/contract-document.ts";
import { createSchedule } from "../support/schedule-resources.ts";
import type { Merchant } from "../support/service.ts";
import { activeAddress } from "../support/withdrawal-resources.ts";
import { testRefusals } from "./refusals.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

function describeList(scene: Scene): void {
  const { service, asker, test } = scene;
  const pause = (merchant: Merchant, id: string): Promise<Answer> =>
    asker.ask(merchant, "pausePayoutSchedule", { path: { id } });
  const liveKey = (merchant: Merchant): Promise<Merchant> =>
    service.newKey(merchant, {
      environment: "live",
      scopes: ["payouts:read", "payouts:write"],
      cidrs: ["127.0.0.0/8"],
    });
  const list = (merchant: Merchant, query = ""): Promise<Answer> =>
    asker.ask(merchant, "listPayoutSchedules", { query });
  const idsOf = ({ status, body }: Answer): readonly Json[] => {
    expect({ status, body }).toMatchObject({ status: 200 });
    const { schedules } = bodyOf(body);
    if (!Array.isArray(schedules)) throw new Error("no list");
    return schedules.map((one: Json) => bodyOf(one)["id"] ?? null);
  };
  testRefusals(scene, { operationId: "listPayoutSchedules", prepare: () => ({}) });

  test("an empty list has no next page", async () => {
    const answer = await list(await service.newMerchant());
    expect([answer.status, answer.body]).toEqual([200, { schedules: [] }]);
    expect(answer.headers.has("Link") || answer.headers.has("X-Next-Cursor")).toBe(false);
  });

  test("the filters combine, and a name that nobody has gives an empty page", async () => {
    const merchant = await service.newMerchant();
    const base = (await createSchedule(service.query, merchant)).id;
    const paused = (await createSchedule(service.query, merchant)).id;
    await pause(merchant, paused);
    const withdraw_address_id = await activeAddress(service.query, merchant, "eip155:1");
    const change = { withdraw_address_id, target_chain_id: "eip155:1", currency_id: "cur_dai" };
    const far = (await createSchedule(service.query, merchant, change)).id;
    const found = async (query: string) => idsOf(await list(merchant, query));
    expect(await found("")).toEqual([far, paused, base]);
    expect(await found("status=active")).toEqual([far, base]);
    expect(await found("status=paused")).toEqual([paused]);
    expect(await found("status=retired")).toEqual([]);
    expect(await found("target_chain_id=eip155%3A1")).toEqual([far]);
    expect(await found("currency_id=cur_usdc&status=active")).toEqual([base]);
    expect(await found("currency_id=cur_dai&target_chain_id=eip155%3A8453")).toEqual([]);
    for (const name of ["cur_none", "", "%00", "a%00b", "__proto__"]) {
      expect(await found(`currency_id=${name}`)).toEqual([]);
      expect(await found(`target_chain_id=${name}`)).toEqual([]);
    }
  });

  test("pages show each once, also those of one moment, by the links alone", async () => {
    const merchant = await service.newMerchant();
    const made: string[] = [];
    for (const _ of [1, 2, 3, 4, 5]) made.push((await createSchedule(service.query, merchant)).id);
    await service.query("update payout_schedules set created_at = $2 where merchant_id = $1", [
      merchant.merchantId,
      "2026-01-01T00:00:00.123Z",
    ]);
    const pages: (readonly Json[])[] = [];
    let query: string | undefined = "limit=2&status=active&currency_id=cur_usdc";
    while (query !== undefined) {
      const answer = await list(merchant, query);
      pages.push(idsOf(answer));
      const link = answer.headers.get("Link");
      expect(link === null).toBe(answer.headers.get("X-Next-Cursor") === null);
      query =
        link === null ? undefined : /^<\/v1\/payout-schedules\?(.*)>; rel="next"$/.exec(link)?.[1];
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(made.toSorted().toReversed());
  });

  test("400 for a cursor that is forged, or of other filters, another merchant or environment", async () => {
    const merchant = await service.newMerchant();
    for (const _ of [1, 2]) await createSchedule(service.query, merchant);
    const first = await list(merchant, "limit=1&status=active");
    const cursor = first.headers.get("X-Next-Cursor") ?? "";
    expect(cursor).not.toBe("");
    const forged = `${cursor.slice(0, 4)}${cursor[4] === "A" ? "B" : "A"}${cursor.slice(5)}`;
    const stranger = await service.newMerchant();
    const live = await liveKey(merchant);
    const asked = [
      await list(merchant, `status=active&cursor=${forged}`),
      await list(merchant, "status=active&cursor=x"),
      await list(merchant, `cursor=${cursor}`),
      await list(merchant, `status=paused&cursor=${cursor}`),
      await list(merchant, `status=active&currency_id=cur_usdc&cursor=${cursor}`),
      await list(stranger, `status=active&cursor=${cursor}`),
      await list(live, `status=active&cursor=${cursor}`),
    ];
    expect(asked.map(outcome)).toEqual(asked.map(() => [400, "invalid_cursor"]));
    // The size of a page is no filter.
    expect(idsOf(await list(merchant, `status=active&limit=50&cursor=${cursor}`))).toHaveLength(1);
  });

  test.each(["limit=0", "limit=101", "limit=x", "status=gone", "status=active&status=active"])(
    "400 for %s",
    async (query) => {
      expect((await list(await service.newMerchant(), query)).status).toBe(400);
    },
  );

  test("shows nobody else's, and not those of the other half", async ({ merchant }) => {
    const own = (await createSchedule(service.query, merchant)).id;
    const live = await liveKey(merchant);
    const liveOwn = (await createSchedule(service.query, live)).id;
    expect(idsOf(await list(merchant))).toEqual([own]);
    expect(idsOf(await list(live))).toEqual([liveOwn]);
    expect(idsOf(await list(await service.newMerchant()))).toEqual([]);
  });
}

describeOnEngines(describeList);
