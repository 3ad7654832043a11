// Requesting and cancelling withdrawals: each documented status really produced, on both engines.

import { describe, expect } from "vitest";
import { errorOf, bodyOf } from "../support/contract-answers.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import { type Merchant } from "../support/service.ts";
import {
  activeAddress,
  fund,
  payableRequest,
  pendingWithdrawal,
} from "../support/withdrawal-resources.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { outcome, type Scene, describeOnEngines } from "./scene.ts";

const txHash = `0x${"ab".repeat(32)}`;
const operationId = "requestWithdrawal";

function describeRequest(scene: Scene): void {
  const { service, asker, test } = scene;
  const ask = (merchant: Merchant, body: JsonObject) => asker.ask(merchant, operationId, { body });
  const balance = async ({ merchantId }: Merchant, kind: string): Promise<string> => {
    const rows = await service.query(
      `select balance::text as raw from ledger_accounts
        where merchant_id = $1 and kind = $2 and deployment_id = 'dep_usdc_base'`,
      [merchantId, kind],
    );
    const raw = rows[0]?.["raw"];
    return typeof raw === "string" ? raw : "0";
  };

  const subject: Replayed = {
    operationId,
    prepare: async (merchant) => ({ body: await payableRequest(service.query, merchant) }),
    badBody: {
      body: {
        currency_id: "cur\0usdc",
        target_chain_id: "eip155:8453",
        amount: "1",
        withdraw_address_id: "wad_1",
      },
      code: "invalid_request",
    },
    countEffects: (merchant, { body }) =>
      service.count(
        "select 1 from withdrawals where merchant_id = $1 and withdraw_address_id = $2",
        [merchant.merchantId, textOf(bodyOf(body)["withdraw_address_id"])],
      ),
  };
  testWriting(scene, subject);

  test("201 with the amount and the fee set aside, and the event in the same words", async () => {
    const merchant = await service.newMerchant();
    const body = await payableRequest(service.query, merchant, { amount: "100.50" });
    const answer = await ask(merchant, body);
    expect(answer.status).toBe(201);
    const { id, ...rest } = bodyOf(answer.body);
    expect(rest).toEqual({
      currency_id: "cur_usdc",
      currency_chain_id: "dep_usdc_base",
      target_chain_id: "eip155:8453",
      send_amount_raw: "100500000",
      withdrawal_fee_raw: "0",
      total_debit_raw: "100500000",
      status: "pending",
    });
    expect(await balance(merchant, "merchant:available")).toBe("899500000");
    expect(await balance(merchant, "merchant:withdrawing")).toBe("100500000");
    const events = await service.query("select type, data from events where resource_id = $1", [
      id,
    ]);
    expect(events.map(({ type }) => type)).toEqual(["withdrawal.requested"]);
    expect(JSON.parse(String(events[0]?.["data"]))).toEqual({
      ...bodyOf(answer.body),
      tx_hash: null,
    });
  });

  test("201 with the newest fee of the deployment, which later fees do not change", async () => {
    const merchant = await service.newMerchant();
    await fund(service.query, merchant.key, { deploymentId: "dep_usdc_polygon", amountRaw: 10n });
    const addressId = await activeAddress(service.query, merchant, "eip155:137");
    const set = (version: number, fee: string) =>
      service.query("insert into withdrawal_fees values ('dep_usdc_polygon', $1, $2, now())", [
        version,
        fee,
      ]);
    const body = {
      currency_id: "cur_usdc",
      target_chain_id: "eip155:137",
      amount: "0.000001",
      withdraw_address_id: addressId,
    };
    await set(1, "1");
    await set(2, "3");
    const answer = await ask(merchant, body);
    expect(bodyOf(answer.body)).toMatchObject({ withdrawal_fee_raw: "3", total_debit_raw: "4" });
    await set(3, "7");
    const poor = await ask(merchant, body);
    expect(outcome(poor)).toEqual([422, "insufficient_balance"]);
    expect(errorOf(poor.body).details).toMatchObject({ available_raw: "6", required_raw: "8" });
  });

  test.for<[JsonObject, string]>([
    [{ currency_id: "cur_none" }, "currency_not_found"],
    [{ currency_id: "__proto__" }, "currency_not_found"],
    [{ target_chain_id: "eip155:999999" }, "chain_not_accepted"],
    [{ currency_id: "cur_usdt" }, "chain_not_accepted"],
    [{ withdraw_address_id: "wad_00000000000000000000000000" }, "withdraw_address_not_found"],
    [{ withdraw_address_id: "pay_1" }, "withdraw_address_not_found"],
    [{ amount: "0" }, "amount_too_small"],
    [{ amount: "0.000000" }, "amount_too_small"],
    [{ amount: "1.0000001" }, "amount_precision"],
    [{ amount: "9".repeat(100) }, "amount_too_large"],
    [{ amount: (2n ** 256n / 1_000_000n + 1n).toString() }, "amount_too_large"],
    [{ amount: "1000.000001" }, "insufficient_balance"],
  ])("422 for %j: %s", async ([change, code], { merchant }) => {
    const body = await payableRequest(service.query, merchant, change);
    expect(outcome(await ask(merchant, body))).toEqual([422, code]);
    expect(await balance(merchant, "merchant:available")).toBe("1000000000");
  });

  test("422 names the currency that may have been meant", async () => {
    const merchant = await service.newMerchant();
    const body = await payableRequest(service.query, merchant, { currency_id: "USDC" });
    const answer = await ask(merchant, body);
    expect(outcome(answer)).toEqual([422, "currency_not_found"]);
    expect(errorOf(answer.body).details).toMatchObject({
      near_currency_ids: ["cur_usdc", "cur_usdt"],
    });
  });

  test("422 for an address of another chain, of another merchant, and of the other half", async () => {
    const merchant = await service.newMerchant();
    const body = await payableRequest(service.query, merchant);
    const far = await activeAddress(service.query, merchant, "eip155:1");
    const stranger = await service.newMerchant();
    const foreign = await activeAddress(service.query, stranger, "eip155:8453");
    const scopes = ["withdraw_addresses:write"];
    const live = await service.newKey(merchant, { environment: "live", scopes });
    const half = await activeAddress(service.query, live, "eip155:8453");
    const codes = [];
    for (const withdraw_address_id of [far, foreign, half]) {
      codes.push(outcome(await ask(merchant, { ...body, withdraw_address_id }))[1]);
    }
    expect(codes).toEqual([
      "withdraw_address_chain_mismatch",
      "withdraw_address_not_found",
      "withdraw_address_not_found",
    ]);
  });

  test("403 on a main network with a test key that may be used from anywhere, not on a test network", async () => {
    const merchant = await service.newMerchant();
    const anywhere = await service.newKey(merchant, { cidrs: [] });
    const body = await payableRequest(service.query, merchant);
    expect(outcome(await ask(anywhere, body))).toEqual([403, "ip_not_allowed"]);
    // Nor with one of before, whose ranges are nearly every address.
    for (const wide of ["0.0.0.0/0", "128.0.0.0/1", "::/0"]) {
      const set = "update api_keys set cidrs = array['127.0.0.0/8', $1] where id = $2";
      await service.query(set, [wide, anywhere.key]);
      expect(outcome(await ask(anywhere, body))).toEqual([403, "ip_not_allowed"]);
    }
    expect((await ask(merchant, body)).status).toBe(201);
    const chainId = "eip155:84532";
    const money = { deploymentId: "dep_usdc_base_sepolia", amountRaw: 1_000_000_000n };
    await fund(service.query, merchant.key, money);
    const withdraw_address_id = await activeAddress(service.query, anywhere, chainId);
    const there = { ...body, target_chain_id: chainId, withdraw_address_id };
    expect((await ask(anywhere, there)).status).toBe(201);
  });

  test("403 for a live key of before that registers addresses as well", async () => {
    const merchant = await service.newMerchant();
    const wish = { environment: "live", cidrs: ["127.0.0.0/8"] } as const;
    const register = await service.newKey(merchant, {
      environment: "live",
      scopes: ["withdraw_addresses:write"],
    });
    const body = await payableRequest(service.query, register);
    const scopes = ["withdrawals:write"];
    const [sound, greedy] = [
      await service.newKey(merchant, { ...wish, scopes }),
      await service.newKey(merchant, { ...wish, scopes }),
    ];
    const more = "update api_keys set scopes = scopes || $2::text[] where id = $1";
    await service.query(more, [greedy.key, ["withdraw_addresses:write"]]);
    const refused = await ask(greedy, body);
    expect(outcome(refused)).toEqual([403, "insufficient_scope"]);
    const excluded = { excluded_scope: "withdraw_addresses:write" };
    expect(errorOf(refused.body).details).toMatchObject(excluded);
    expect((await ask(sound, body)).status).toBe(201);
  });

  test("422 for an address that is cooling off, and for one that the operator disabled", async () => {
    const merchant = await service.newMerchant();
    const body = await payableRequest(service.query, merchant);
    const id = body["withdraw_address_id"];
    const set = "update withdraw_addresses set activates_at = now() + interval '1 h' where id = $1";
    await service.query(set, [id]);
    const cooling = await ask(merchant, body);
    expect(outcome(cooling)).toEqual([422, "withdraw_address_inactive"]);
    expect(errorOf(cooling.body).details).toMatchObject({ status: "pending_activation" });
    await service.query(
      "update withdraw_addresses set activates_at = created_at, disabled_at = now() where id = $1",
      [id],
    );
    const disabled = await ask(merchant, body);
    expect(outcome(disabled)).toEqual([422, "withdraw_address_inactive"]);
    expect(errorOf(disabled.body).details).toMatchObject({ status: "disabled" });
  });

  test("422 where withdrawals of the currency are off", async ({ merchant }) => {
    const body = await payableRequest(service.query, merchant);
    const set = "update deployments set withdrawal_enabled = $1 where id = 'dep_usdc_base'";
    await service.query(set, [false]);
    const answer = await ask(merchant, body);
    await service.query(set, [true]);
    expect(outcome(answer)).toEqual([422, "withdrawals_disabled"]);
    expect((await ask(merchant, body)).status).toBe(201);
  });

  test("money on one chain pays nothing on another", async ({ merchant }) => {
    await fund(service.query, merchant.key, {
      deploymentId: "dep_usdc_ethereum",
      amountRaw: 10n ** 12n,
    });
    const body = await payableRequest(service.query, merchant, { amount: "1001" });
    expect(outcome(await ask(merchant, body))).toEqual([422, "insufficient_balance"]);
  });
}

function describeCancel(scene: Scene): void {
  const { service, asker, test } = scene;
  const cancelling = async (merchant: Merchant) => ({
    path: { id: await pendingWithdrawal(service.query, merchant) },
  });
  const subject: Replayed = {
    operationId: "cancelWithdrawal",
    prepare: cancelling,
    countEffects: (_, { path }) => service.countEvents(path?.["id"], "withdrawal.cancelled"),
  };
  testWriting(scene, subject);

  test("200 releases all of it, once, and says the same again", async ({ merchant }) => {
    const path = { id: await pendingWithdrawal(service.query, merchant) };
    for (const _ of [1, 2, 3]) {
      const answer = await asker.ask(merchant, "cancelWithdrawal", { path });
      expect([answer.status, answer.body]).toEqual([200, { status: "cancelled" }]);
    }
    const rows = await service.query(
      "select kind, balance::text as raw from ledger_accounts where merchant_id = $1 order by 1",
      [merchant.merchantId],
    );
    expect(rows).toEqual([
      { kind: "merchant:available", raw: "1000000000" },
      { kind: "merchant:withdrawing", raw: "0" },
    ]);
    expect(await subject.countEffects(merchant, { path })).toBe(1);
  });

  test.for(["processing", "broadcast", "confirmed", "failed", "rejected"])(
    "409 for one that is %s",
    async (status, { merchant }) => {
      const id = await pendingWithdrawal(service.query, merchant);
      const way = status === "rejected" ? ["rejected"] : ["processing", "broadcast", status];
      for (const step of way.slice(0, way.indexOf(status) + 1)) {
        const set = `update withdrawals set status = $1, tx_hash = '${txHash}' where id = $2`;
        await service.query(set, [step, id]);
      }
      const answer = await asker.ask(merchant, "cancelWithdrawal", { path: { id } });
      expect(outcome(answer)).toEqual([409, "withdrawal_not_cancellable"]);
      expect(errorOf(answer.body).details).toMatchObject({ status, tx_hash: txHash });
    },
  );

  test("404 for one of another merchant, and for one of the merchant's other half", async () => {
    const merchant = await service.newMerchant();
    const path = { id: await pendingWithdrawal(service.query, merchant) };
    const stranger = await service.newMerchant();
    const wish = {
      environment: "live",
      scopes: ["withdrawals:write"],
      cidrs: ["127.0.0.0/8"],
    } as const;
    const live = await service.newKey(merchant, wish);
    for (const other of [stranger, live]) {
      const answer = await asker.ask(other, "cancelWithdrawal", { path });
      expect(outcome(answer)).toEqual([404, "not_found"]);
    }
    const rows = await service.query("select status from withdrawals where id = $1", [path.id]);
    expect(rows).toEqual([{ status: "pending" }]);
  });
}

describeOnEngines((scene) => {
  describe("requestWithdrawal", () => {
    describeRequest(scene);
  });
  describe("cancelWithdrawal", () => {
    describeCancel(scene);
  });
});
