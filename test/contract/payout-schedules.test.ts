// Creating and pausing payout schedules: each documented status really produced, on both engines.

import { describe, expect } from "vitest";
import { type Answer, briefly, errorOf, bodyOf } from "../support/contract-answers.ts";
import { type Json, type JsonObject, textOf } from "../support/contract-document.ts";
import { addAddress, createSchedule, scheduleBody } from "../support/schedule-resources.ts";
import { type Merchant } from "../support/service.ts";
import { activeAddress } from "../support/withdrawal-resources.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { outcome, type Scene, describeOnEngines } from "./scene.ts";

const dayMilliseconds = 86_400_000;

function isoIn(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

function stepsOf({ service, asker }: Scene) {
  const create = (merchant: Merchant, body: JsonObject): Promise<Answer> =>
    asker.ask(merchant, "createPayoutSchedule", { body });
  return {
    create,
    createWith: async (merchant: Merchant, change: JsonObject): Promise<Answer> =>
      create(merchant, await scheduleBody(service.query, merchant, change)),
    pause: (merchant: Merchant, id: string): Promise<Answer> =>
      asker.ask(merchant, "pausePayoutSchedule", { path: { id } }),
    eventsOf: async (id: Json | undefined) => {
      const rows = await service.query(
        "select type, sequence::int, data from events where resource_id = $1 order by sequence",
        [id],
      );
      return rows.map((row) => ({ ...row, data: JSON.parse(String(row["data"])) as Json }));
    },
    /** A live key with addresses of its own: it may not register any. */
    liveKey: (merchant: Merchant): Promise<Merchant> =>
      service.newKey(merchant, {
        environment: "live",
        scopes: ["payouts:read", "payouts:write"],
        cidrs: ["127.0.0.0/8"],
      }),
  };
}

function describeCreate(scene: Scene): void {
  const { service, asker, test } = scene;
  const { create, createWith, pause, eventsOf, liveKey } = stepsOf(scene);
  const operationId = "createPayoutSchedule";
  const subject: Replayed = {
    operationId,
    prepare: async (merchant) => ({ body: await scheduleBody(service.query, merchant) }),
    badBody: {
      body: {
        currency_id: "cur\0usdc",
        target_chain_id: "eip155:8453",
        withdraw_address_id: "wad_1",
        interval_secs: 86_400,
        min_send_amount: "1",
        mode: "notify_only",
      },
      code: "invalid_request",
    },
    countEffects: (merchant, { body }) =>
      service.count(
        "select 1 from payout_schedules where merchant_id = $1 and withdraw_address_id = $2",
        [merchant.merchantId, textOf(bodyOf(body)["withdraw_address_id"])],
      ),
  };
  testWriting(scene, subject);

  test("201 with the next run one interval from now, and the event in the same words", async () => {
    const merchant = await service.newMerchant();
    const body = await scheduleBody(service.query, merchant, { interval_secs: 7200 });
    const answer = await create(merchant, body);
    expect(answer.status).toBe(201);
    const schedule = bodyOf(answer.body);
    const created = Date.parse(textOf(schedule["created_at"]));
    expect(schedule).toEqual({
      ...body,
      id: expect.stringMatching(/^pos_[0-9A-Z]{26}$/) as unknown,
      currency_chain_id: "dep_usdc_base",
      min_send_amount: "50",
      min_send_raw: "50000000",
      status: "active",
      enabled: true,
      next_run_at: new Date(created + 7_200_000).toISOString(),
      created_at: schedule["created_at"],
      updated_at: schedule["created_at"],
    });
    expect(await eventsOf(schedule["id"])).toEqual([
      { type: "payout_schedule.created", sequence: 1, data: schedule },
    ]);
  });

  test.for<[string, string]>([
    ["2999-01-03T06:00:00+01:00", "2999-01-03T05:00:00.000Z"],
    ["2999-01-03T06:00:00-00:30", "2999-01-03T06:30:00.000Z"],
    ["2999-01-03t06:00:00z", "2999-01-03T06:00:00.000Z"],
    ["2999-01-03T06:00:00.123456789Z", "2999-01-03T06:00:00.123Z"],
    ["2996-02-29T23:59:59.9Z", "2996-02-29T23:59:59.900Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("201 with the first run at %s", async ([first_run_at, next_run_at], { merchant }) => {
    const answer = await createWith(merchant, { first_run_at });
    expect([answer.status, bodyOf(answer.body)["next_run_at"]]).toEqual([201, next_run_at]);
  });

  test.for([
    "2999-02-29T06:00:00Z",
    "2999-01-03T06:00:00",
    "2999-01-03",
    "2999-12-31T23:59:60Z",
    "tomorrow",
    // It is the year 10000 in UTC.
    "9999-12-31T23:59:59-00:01",
  ])("400 for the first run at %s", async (first_run_at, { merchant }) => {
    const answer = await createWith(merchant, { first_run_at });
    expect(outcome(answer)).toEqual([400, "invalid_request"]);
    expect(briefly(answer)).toEqual([expect.stringMatching(/^body \/first_run_at /)]);
  });

  test.for([isoIn(-60_000), "0000-01-01T00:00:00+23:59", "1969-12-31T23:59:59Z"])(
    "422 for a first run in the past: %s",
    async (first_run_at, { merchant }) => {
      const answer = await createWith(merchant, { first_run_at });
      expect(outcome(answer)).toEqual([422, "first_run_in_past"]);
      expect(errorOf(answer.body).details).toMatchObject({ pointer: "/first_run_at" });
    },
  );

  test.for(["currency_id", "target_chain_id", "withdraw_address_id"])(
    "400 for U+0000 in %s, with its place",
    async (name, { merchant }) => {
      const answer = await createWith(merchant, { [name]: "a\0b" });
      expect(outcome(answer)).toEqual([400, "invalid_request"]);
      expect(briefly(answer)).toEqual([`body /${name} unicode`]);
    },
  );

  test.for(["3599", "0", "-1", "31622401", "4294967296", "9007199254740991"])(
    "threat 38: 422 for an interval of %s seconds",
    async (interval, { merchant }) => {
      const interval_secs = Number(interval);
      const answer = await createWith(merchant, { interval_secs });
      expect(outcome(answer)).toEqual([422, "interval_out_of_range"]);
      expect(errorOf(answer.body).details).toMatchObject({ minimum: 3600, maximum: 31_622_400 });
    },
  );

  test.for(["9223372036854775807", "-9223372036854775808", "9007199254740993", "1e300"])(
    "threat 38: an interval of %s seconds is refused as it stands, and never rounded",
    async (interval, { merchant }) => {
      const body = await scheduleBody(service.query, merchant, { interval_secs: 0 });
      const text = JSON.stringify(body).replace('"interval_secs":0', `"interval_secs":${interval}`);
      const answer = await asker.askPlainly(merchant, operationId, {
        body: text,
        headers: { "Content-Type": "application/json" },
      });
      expect([400, 422]).toContain(answer.status);
      expect(["invalid_request", "interval_out_of_range"]).toContain(errorOf(answer.body).code);
    },
  );

  test.for([3600, 31_622_400])(
    "201 for an interval of %i seconds",
    async (interval_secs, { merchant }) => {
      expect((await createWith(merchant, { interval_secs })).status).toBe(201);
    },
  );

  test.for([
    [{ currency_id: "cur_none" }, "currency_not_found"],
    [{ currency_id: "cur_none", interval_secs: 1, min_send_amount: "0" }, "currency_not_found"],
    [{ target_chain_id: "eip155:999999" }, "chain_not_accepted"],
    [{ withdraw_address_id: "wad_00000000000000000000000000" }, "withdraw_address_not_found"],
    [{ withdraw_address_id: "__proto__" }, "withdraw_address_not_found"],
    [{ min_send_amount: "0" }, "amount_too_small"],
    [{ min_send_amount: "0.00" }, "amount_too_small"],
    [{ min_send_amount: "0.0000001" }, "amount_precision"],
    [{ min_send_amount: "9".repeat(80) }, "amount_too_large"],
    [{ interval_secs: 1, min_send_amount: "0" }, "interval_out_of_range"],
  ] as const)("422 for %j: %s", async ([change, code], { merchant }) => {
    const answer = await createWith(merchant, change);
    expect(outcome(answer)).toEqual([422, code]);
  });

  test("422 names the currency that may have been meant", async ({ merchant }) => {
    const answer = await createWith(merchant, { currency_id: "cur_uscd" });
    expect(outcome(answer)).toEqual([422, "currency_not_found"]);
    expect(errorOf(answer.body).details).toMatchObject({
      near_currency_ids: ["cur_usdc", "cur_usdt"],
    });
  });

  test("422 for an address of another chain, merchant or environment, or not active", async () => {
    const merchant = await service.newMerchant();
    const body = await scheduleBody(service.query, merchant);
    const far = await activeAddress(service.query, merchant, "eip155:1");
    const others = await Promise.all([service.newMerchant(), liveKey(merchant)]);
    const foreign = await Promise.all(others.map((one) => scheduleBody(service.query, one)));
    const ids = [far, ...foreign.map((one) => one["withdraw_address_id"] ?? null)];
    const codes = [];
    for (const withdraw_address_id of ids) {
      codes.push(outcome(await create(merchant, { ...body, withdraw_address_id }))[1]);
    }
    const set = "update withdraw_addresses set disabled_at = now() where id = $1";
    await service.query(set, [body["withdraw_address_id"]]);
    codes.push(outcome(await create(merchant, body))[1]);
    expect(codes).toEqual([
      "withdraw_address_chain_mismatch",
      "withdraw_address_not_found",
      "withdraw_address_not_found",
      "withdraw_address_inactive",
    ]);
  });

  test("threat 84: 403 on a main network by a test key from anywhere, not on a test network", async () => {
    const merchant = await service.newMerchant();
    const anywhere = await service.newKey(merchant, { cidrs: [] });
    const body = await scheduleBody(service.query, merchant);
    for (const mode of ["auto_request", "notify_only"]) {
      const answer = await create(anywhere, { ...body, mode });
      expect(outcome(answer)).toEqual([403, "ip_not_allowed"]);
    }
    expect((await create(merchant, body)).status).toBe(201);
    const chainId = "eip155:84532";
    const withdraw_address_id = await addAddress(service.query, anywhere.key, chainId);
    const there = { ...body, target_chain_id: chainId, withdraw_address_id };
    expect((await create(anywhere, there)).status).toBe(201);
  });

  test("threat 84: 403 for live keys of before, from anywhere or with the scope for addresses", async () => {
    const merchant = await service.newMerchant();
    const [anywhere, greedy] = [await liveKey(merchant), await liveKey(merchant)];
    await service.query("update api_keys set cidrs = '{}' where id = $1", [anywhere.key]);
    const more = "update api_keys set scopes = scopes || $2::text[] where id = $1";
    await service.query(more, [greedy.key, ["withdraw_addresses:write"]]);
    const body = await scheduleBody(service.query, greedy);
    expect(outcome(await create(anywhere, body))).toEqual([403, "ip_not_allowed"]);
    const refused = await create(greedy, body);
    expect(outcome(refused)).toEqual([403, "insufficient_scope"]);
    const excluded = { excluded_scope: "withdraw_addresses:write" };
    expect(errorOf(refused.body).details).toMatchObject(excluded);
    expect((await create(await liveKey(merchant), body)).status).toBe(201);
  });

  test("threat 84: a schedule counts among what moves money", async ({ merchant }) => {
    const answer = await createWith(merchant, {});
    expect(answer.headers.get("RateLimit-Policy")).toMatch(/^"money";/);
  });

  test("422 where withdrawals are off; one that is there is no longer enabled", async () => {
    const merchant = await service.newMerchant();
    const body = await scheduleBody(service.query, merchant);
    await createSchedule(service.query, merchant);
    const set = "update deployments set withdrawal_enabled = $1 where id = 'dep_usdc_base'";
    const list = async () => {
      const { body: page } = await asker.ask(merchant, "listPayoutSchedules", {});
      return JSON.stringify(page);
    };
    await service.query(set, [false]);
    const [answer, whileOff] = [await create(merchant, body), await list()];
    await service.query(set, [true]);
    expect(outcome(answer)).toEqual([422, "withdrawals_disabled"]);
    expect(whileOff).toContain('"status":"active","enabled":false');
    expect(await list()).toContain('"status":"active","enabled":true');
  });

  test("409 for an active twin, which it names; its other half and other chains are no twins", async () => {
    const merchant = await service.newMerchant();
    const body = await scheduleBody(service.query, merchant);
    const twin = bodyOf((await create(merchant, body)).body);
    const answer = await create(merchant, { ...body, mode: "notify_only", interval_secs: 3600 });
    expect(outcome(answer)).toEqual([409, "schedule_already_exists"]);
    expect(errorOf(answer.body).details).toMatchObject({ schedule_id: twin["id"] });
    const live = await liveKey(merchant);
    expect((await create(live, await scheduleBody(service.query, live))).status).toBe(201);
    expect((await create(merchant, await scheduleBody(service.query, merchant))).status).toBe(201);
  });

  test("a paused twin is retired by the new one, which it names, and both are told", async () => {
    const merchant = await service.newMerchant();
    const body = await scheduleBody(service.query, merchant);
    const old = textOf(bodyOf((await create(merchant, body)).body)["id"]);
    await pause(merchant, old);
    const answer = await create(merchant, body);
    expect(answer.status).toBe(201);
    const { id } = bodyOf(answer.body);
    const [, , retired] = await eventsOf(old);
    expect(retired).toMatchObject({
      type: "payout_schedule.retired",
      sequence: 3,
      data: { status: "retired", enabled: false, reason: "replaced", replaced_by: id },
    });
    expect((await eventsOf(id)).map(({ data }) => data)).toEqual([answer.body]);
    const again = await pause(merchant, old);
    const retiredAt = bodyOf(answer.body)["created_at"];
    expect(bodyOf(again.body)).toMatchObject({ status: "retired", retired_at: retiredAt });
  });

  test.for([false, true])(
    "of many at once one is made, the others hear of it (paused twin: %s)",
    async (isTwinPaused, { merchant }) => {
      const body = await scheduleBody(service.query, merchant);
      if (isTwinPaused) {
        await pause(merchant, textOf(bodyOf((await create(merchant, body)).body)["id"]));
      }
      const answers = await Promise.all(Array.from({ length: 6 }, () => create(merchant, body)));
      const made = answers.filter(({ status }) => status === 201);
      expect(made).toHaveLength(1);
      const { id } = bodyOf(made[0]?.body);
      for (const other of answers.filter(({ status }) => status !== 201)) {
        expect(outcome(other)).toEqual([409, "schedule_already_exists"]);
        expect(errorOf(other.body).details).toMatchObject({ schedule_id: id });
      }
      const open = await service.query(
        "select id from payout_schedules where merchant_id = $1 and status <> 'retired'",
        [merchant.merchantId],
      );
      expect(open).toEqual([{ id }]);
      const retired = await service.countEvents(merchant.merchantId, "payout_schedule.retired");
      expect(retired).toBe(isTwinPaused ? 1 : 0);
    },
  );
}

function describePause(scene: Scene): void {
  const { service, test } = scene;
  const { pause, eventsOf, liveKey } = stepsOf(scene);
  const operationId = "pausePayoutSchedule";
  const pausing = async (merchant: Merchant) => ({
    path: { id: (await createSchedule(service.query, merchant)).id },
  });
  const subject: Replayed = {
    operationId,
    prepare: pausing,
    countEffects: (_, { path }) => service.countEvents(path?.["id"], "payout_schedule.paused"),
  };
  testWriting(scene, subject);

  test("200 keeps the grid, once, and says the same again", async ({ merchant }) => {
    const first_run_at = isoIn(dayMilliseconds);
    const schedule = await createSchedule(service.query, merchant, { first_run_at });
    const answers = [];
    for (const _ of [1, 2, 3]) answers.push(await pause(merchant, schedule.id));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const paused = bodyOf(answers[0]?.body);
    expect(paused).toEqual({
      ...schedule,
      status: "paused",
      enabled: false,
      next_run_at: first_run_at,
      updated_at: paused["updated_at"],
      retired_at: null,
    });
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => paused));
    const { retired_at: _, ...told } = paused;
    const events = await eventsOf(schedule.id);
    expect(events.slice(1)).toEqual([{ type: "payout_schedule.paused", sequence: 2, data: told }]);
  });

  test("many pauses at once, each with a key of its own, tell it once", async ({ merchant }) => {
    const { id } = await createSchedule(service.query, merchant);
    const answers = await Promise.all(Array.from({ length: 6 }, () => pause(merchant, id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await eventsOf(id)).toHaveLength(2);
  });

  test("404 for one of another merchant, and for one of the merchant's other half", async () => {
    const merchant = await service.newMerchant();
    const { id } = await createSchedule(service.query, merchant);
    for (const other of [await service.newMerchant(), await liveKey(merchant)]) {
      expect(outcome(await pause(other, id))).toEqual([404, "not_found"]);
    }
    expect(await eventsOf(id)).toHaveLength(1);
  });
}

describeOnEngines((scene) => {
  describe("createPayoutSchedule", () => {
    describeCreate(scene);
  });
  describe("pausePayoutSchedule", () => {
    describePause(scene);
  });
});
