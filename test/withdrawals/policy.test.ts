// What keeps money where it is: limits, the operator's word, the switch for all, frozen deployments
// and merchants in debt (threats 23 and 67); and withdrawals that nobody asked for by hand.

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { OperatorError } from "../../service/operator-error.ts";
import type { Owner } from "../../service/owner.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import type { PayoutCommand } from "../../service/withdrawals/withdrawals.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { chainId, openScene, type Scene, usdc, whole } from "./scene.ts";

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  let owner: Owner;
  let addressId: string;
  let shop: string;
  let debts = 0;
  beforeEach(async () => {
    scene = await openScene(engine);
    owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    ({ id: addressId, address: shop } = await scene.register(owner));
  });
  const ask = async (amount: string) => (await scene.request(owner, addressId, amount)).id;
  const owe = (deploymentId: string, amountRaw: bigint) =>
    scene.database.run(
      postTransaction,
      ledgerValues(scene, {
        kind: "test_debt",
        reference: String((debts += 1)),
        occurredAt: scene.clock.now(),
        postings: [
          { account: "merchant:debt", deploymentId, owner, amountRaw },
          { account: "chain:hot", deploymentId, owner: null, amountRaw: -amountRaw },
        ],
      }),
    );
  const isSent = async (id: string): Promise<boolean> => {
    scene.clock.advance(60_000);
    await scene.startProcess().send();
    return (await scene.statusOf(id)) === "broadcast";
  };

  test("above the limit for one, and above that for a day, it waits for the operator", async () => {
    await scene.policy.setLimits(usdc.deploymentId, { single: "100", daily: "150" });
    const fine = await ask("100");
    const large = await ask("100.000001");
    const small = await ask("1");
    expect(await isSent(fine)).toBe(true);
    expect([await isSent(large), await isSent(small)]).toEqual([false, false]);
    const held = await scene.policy.held();
    // Both were asked for in the same millisecond: in any order.
    const reasons = held.map(({ withdrawal, because }) => [withdrawal.id, because] as const);
    expect(Object.fromEntries(reasons)).toEqual({
      [large]: "above_single_limit",
      [small]: "above_daily_limit",
    });
    expect(new Set(held.map(({ address }) => address))).toEqual(new Set([shop]));
    await scene.policy.approve(large);
    expect(await isSent(large)).toBe(true);
    await scene.policy.reject(small, "asked the merchant, and it knows nothing of it");
    expect(await scene.statusOf(small)).toBe("rejected");
    expect((await scene.eventsOf(small)).at(-1)).toBe("withdrawal.rejected");
    await expect(scene.policy.approve(small)).rejects.toThrow(OperatorError);
    await expect(scene.policy.reject(large, "too late")).rejects.toThrow(OperatorError);
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(200_000_001n);
    expect(await scene.isLedgerWhole()).toBe(true);
    // The next day counts from nothing.
    await query(scene.database, sql`update withdrawal_days set day = day - 1`);
    expect(await isSent(await ask("100"))).toBe(true);
  });

  test("threat 67: what is cancelled or rejected gives its part of the day back, once", async () => {
    await scene.policy.setLimits(usdc.deploymentId, { single: null, daily: "5" });
    const held = async () => (await scene.policy.held()).map(({ withdrawal }) => withdrawal.id);
    const first = await ask("5");
    await Promise.all([scene.cancel(owner, first), scene.cancel(owner, first)]);
    const second = await ask("5");
    expect(await held()).toEqual([]);
    const above = await ask("1");
    expect(await held()).toEqual([above]);
    await scene.policy.reject(second, "not expected");
    await scene.policy.reject(above, "not expected");
    const more = [await ask("2"), await ask("3")];
    expect(await held()).toEqual([]);
    const last = await ask("0.000001");
    expect(await held()).toEqual([last]);
    expect(more).toHaveLength(2);
  });

  test("threat 67: a day is one of the database's clock, whatever a process takes for one", async () => {
    await scene.policy.setLimits(usdc.deploymentId, { single: null, daily: "5" });
    const held = async () => (await scene.policy.held()).map(({ withdrawal }) => withdrawal.id);
    await ask("5");
    scene.clock.advance(86_400_000);
    const late = await ask("1");
    expect(await held()).toEqual([late]);
  });

  test("threat 67: what is cancelled on a later day is given back to its own", async () => {
    await scene.policy.setLimits(usdc.deploymentId, { single: null, daily: "5" });
    const early = await ask("5");
    await query(scene.database, sql`update withdrawal_days set day = day - 1`);
    await query(scene.database, sql`update withdrawals set counted_day = counted_day - 1`);
    await ask("5");
    await scene.cancel(owner, early);
    const late = await ask("1");
    expect((await scene.policy.held()).map(({ withdrawal }) => withdrawal.id)).toEqual([late]);
  });

  test("requests at once count each other for the day", async () => {
    await scene.policy.setLimits(usdc.deploymentId, { single: null, daily: "5" });
    await Promise.all(Array.from({ length: 10 }, () => ask("1")));
    expect(await scene.policy.held()).toHaveLength(5);
  });

  test("the sum of a day has no end, although its column has", async () => {
    await scene.policy.setLimits(usdc.deploymentId, { single: null, daily: "5" });
    await ask("1");
    await query(
      scene.database,
      sql`update withdrawal_days set total_raw = repeat('9', 78)::numeric`,
    );
    const id = await ask("1");
    expect((await scene.policy.held()).map(({ withdrawal }) => withdrawal.id)).toEqual([id]);
  });

  test("a token of another chain, and an account of ours there, is no address here either", async () => {
    const usdcOnBase = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    const account = addressOf("an account on another chain");
    const insert = sql`insert into sender_accounts (chain_id, account)
      values ('eip155:8453', ${sql.lit(account)})`;
    await query(scene.database, insert);
    for (const address of [usdcOnBase, account]) {
      await expect(scene.register(owner, address)).rejects.toMatchObject({
        code: "address_not_allowed",
      });
    }
  });

  test("while all are stopped nothing is claimed", async () => {
    const id = await ask("1");
    await scene.policy.stop("*", "somebody is in");
    expect(await scene.policy.stop("*", "again")).toEqual({ wasStopped: true });
    await expect(scene.policy.stop("*", "again")).rejects.toThrow(OperatorError);
    expect(await isSent(id)).toBe(false);
    expect(await scene.statusOf(id)).toBe("pending");
    const more = await ask("1");
    expect(await isSent(more)).toBe(false);
    await scene.policy.resume("*");
    scene.clock.advance(60_000);
    expect([await isSent(id), await isSent(more)]).toEqual([true, true]);
    await scene.policy.stop("eip155:1", "another chain");
    expect(await isSent(await ask("1"))).toBe(true);
  });

  test("a switch that is thrown while something is signed still counts", async () => {
    const id = await ask("1");
    const stopping = scene.startProcess({
      reached: async (point) => {
        if (point === "signed") await scene.policy.stop("*", "just in time");
      },
    });
    await stopping.send();
    expect(await scene.statusOf(id)).toBe("processing");
    expect(scene.chain.waiting).toEqual([]);
    expect(await scene.nonces()).toEqual([]);
  });

  test("a frozen deployment, debt, a disabled address and a suspended merchant: it waits", async () => {
    const { database } = scene;
    const id = await ask("1");
    const freeze = sql`insert into deployment_freezes
      values (${sql.lit(usdc.deploymentId)}, 'less there than owed', now())`;
    await query(database, freeze);
    expect(await isSent(id)).toBe(false);
    await query(database, sql`delete from deployment_freezes`);
    await owe("dep_usdc_sepolia", 1000n * whole);
    expect(await isSent(id)).toBe(false);
    await owe("dep_usdc_sepolia", -1000n * whole);
    await query(database, sql`update merchants set status = 'suspended'`);
    expect(await isSent(id)).toBe(false);
    await query(database, sql`update merchants set status = 'active'`);
    await scene.addresses.disable(addressId);
    expect(await isSent(id)).toBe(false);
    expect(await scene.statusOf(id)).toBe("pending");
    await query(database, sql`update withdraw_addresses set disabled_at = null`);
    expect(await isSent(id)).toBe(true);
  });

  test("a debt in another currency holds nothing back (threat 25)", async () => {
    await owe("dep_dai_ethereum", 10n ** 30n);
    expect(await isSent(await ask("1000"))).toBe(true);
  });

  test("a debt holds back as much as is owed, on every chain of its currency (threat 25)", async () => {
    await owe("dep_usdc_sepolia", 300n * whole);
    await owe(usdc.deploymentId, 100n * whole);
    expect(await isSent(await ask("600"))).toBe(true);
    const one = await ask("0.000001");
    expect(await isSent(one)).toBe(false);
    await owe("dep_usdc_sepolia", -1n);
    expect(await isSent(one)).toBe(true);
    const rest = await ask("399.999999");
    expect(await isSent(rest)).toBe(false);
    await owe("dep_usdc_sepolia", 1n - 300n * whole);
    await owe(usdc.deploymentId, -100n * whole);
    expect(await isSent(rest)).toBe(true);
  });

  test("what waits beside it secures a debt, until it leaves (threat 25)", async () => {
    await owe(usdc.deploymentId, 500n * whole);
    const ids = [await ask("300"), await ask("300"), await ask("300")];
    for (const id of ids) await isSent(id);
    const waiting: string[] = [];
    for (const id of ids) if ((await scene.statusOf(id)) === "pending") waiting.push(id);
    expect(waiting).toHaveLength(2);
    const [one = "", other = ""] = waiting;
    await scene.cancel(owner, one);
    expect(await isSent(other)).toBe(false);
    await owe(usdc.deploymentId, -100n * whole);
    expect(await isSent(other)).toBe(true);
  });

  test("an address that has become ours, or a token, since is not paid to", async () => {
    await scene.startProcess().send();
    const { address } = await scene.register(owner, addressOf("to be ours"));
    const rows = await query(
      scene.database,
      sql<{ id: string }>`select id from withdraw_addresses where address = ${sql.lit(address)}`,
    );
    const id = rows[0]?.id ?? "";
    await query(scene.database, sql`update sender_accounts set account = ${sql.lit(address)}`);
    const inactive = { code: "withdraw_address_inactive" };
    await expect(scene.request(owner, id, "1")).rejects.toMatchObject(inactive);
    await query(scene.database, sql`delete from sender_accounts`);
    await query(
      scene.database,
      sql`update deployments set contract_address = lower(${sql.lit(address)})
        where id = 'dep_usdc_base'`,
    );
    await expect(scene.request(owner, id, "1")).rejects.toMatchObject(inactive);
  });

  test("threat 21: what an address of ours was registered as before it was ours is paid no more", async () => {
    const { id, address } = await scene.register(owner, addressOf("the treasury to be"));
    const waiting = (await scene.request(owner, id, "1")).id;
    const treasury = { account: address, role: "treasury" } as const;
    for (const _ of [1, 2]) await rememberOwnAccounts(scene, [treasury]);
    expect(await isSent(waiting)).toBe(false);
    expect(await scene.statusOf(waiting)).toBe("pending");
    const inactive = { code: "withdraw_address_inactive" };
    await expect(scene.request(owner, id, "1")).rejects.toMatchObject(inactive);
    const [other, stranger] = [await scene.newOwner(), await scene.newOwner()];
    const notAllowed = { code: "address_not_allowed" };
    await expect(scene.register(other, address)).rejects.toMatchObject(notAllowed);
    expect((await scene.cancel(owner, waiting)).status).toBe("cancelled");
    expect((await scene.register(stranger, addressOf("nobody's"))).id).toMatch(/^wad_/);
  });

  test("threat 21: an address that payers were given is not paid to, although it was registered first", async () => {
    const { id, address } = await scene.register(owner, addressOf("a deposit to be"));
    await query(
      scene.database,
      sql`with payment as (
        insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes,
          chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
        values ('pay_1', ${sql.lit(owner.merchantId)}, 'test', 'A-1', 'pending', '[{}]',
          '{eip155:8453}', 'to_primary', 0, 't', now(), now() + interval '1 h', now()) returning id)
      insert into deposit_addresses (chain_family, derivation_index, address, payment_id, created_at)
        select 'evm', 1000000, ${sql.lit(address)}, id, now() from payment`,
    );
    const inactive = { code: "withdraw_address_inactive" };
    await expect(scene.request(owner, id, "1")).rejects.toMatchObject(inactive);
  });

  test("who registered where money may go is in the audit log", async () => {
    const rows = await query(
      scene.database,
      sql<{ actor: string; subject_id: string; details: string }>`
        select actor, subject_id, details from audit_entries
        where action = 'withdraw_address.registered'`,
    );
    const address = addressOf("a new one");
    const { id } = await scene.register(owner, address);
    expect(rows).toMatchObject([{ actor: "api_key mk_1", subject_id: addressId }]);
    const taken = scene.register(owner, address);
    await expect(taken).rejects.toMatchObject({ code: "address_already_registered" });
    const entries = await scene.audit.list({ after: undefined, limit: 2 });
    expect(entries.map(({ subject }) => subject.id)).toEqual([addressId, id]);
    expect(JSON.parse(entries[1]?.details ?? "")).toMatchObject({ chain_id: chainId, address });
  });

  test("everything the operator does is in the audit log", async () => {
    await scene.policy.setFee(usdc.deploymentId, "0.5");
    await scene.policy.setLimits(usdc.deploymentId, { single: "1", daily: null });
    const id = await ask("2");
    await scene.policy.approve(id);
    await scene.policy.reject(id, "no");
    await scene.policy.stop(chainId, "no");
    await scene.policy.resume(chainId);
    await scene.addresses.disable(addressId);
    const rows = await query(
      scene.database,
      sql<{ action: string }>`select action from audit_entries
        where action like 'withdraw%' order by sequence`,
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "withdraw_address.registered",
      "withdrawal_fee.set",
      "withdrawal_limits.set",
      "withdrawal.approved",
      "withdrawal.rejected",
      "withdrawals.stopped",
      "withdrawals.resumed",
      "withdraw_address.disabled",
    ]);
  });

  test("an address is usable at its time, and its merchant hears of it once", async () => {
    const { clock, database } = scene;
    const cooling = new WithdrawAddresses({
      ...scene,
      database,
      coolingMilliseconds: { mainNetwork: 86_400_000, testNetwork: 1000 },
    });
    const register = (address: string) =>
      scene.once<{ id: string }>(owner, (finish) => {
        const more = { destinationType: "self_hosted", label: null, keyId: "mk_1" } as const;
        return cooling.register(owner, { chainId, address, ...more }, finish);
      });
    const { id } = await register(addressOf("cold wallet"));
    const jobs = [cooling.announcing(), cooling.announcing()];
    const announce = async () => {
      await Promise.all(jobs.map((job) => job.run()));
      return (await scene.eventsOf(id)).filter((one) => one.endsWith("activated")).length;
    };
    clock.advance(999);
    expect(await announce()).toBe(0);
    await expect(scene.request(owner, id, "1")).rejects.toMatchObject({
      code: "withdraw_address_inactive",
    });
    clock.advance(1);
    await scene.request(owner, id, "1");
    expect(await announce()).toBe(1);
    expect(await announce()).toBe(1);
  });

  describe("without a request of its own", () => {
    const payOut = (amount: PayoutCommand["amount"], address = addressId) =>
      scene.database.transaction((database) =>
        scene.withdrawals.requestInTransaction(database, {
          owner,
          deploymentId: usdc.deploymentId,
          withdrawAddressId: address,
          isKeyBound: true,
          amount,
          occurredAt: scene.clock.now(),
        }),
      );

    test("all that is available less the fee, and a refusal as a value", async () => {
      await scene.policy.setFee(usdc.deploymentId, "1");
      const all = { kind: "all", minimumRaw: 999n * whole } as const;
      const result = await payOut(all);
      expect(result).toMatchObject({ withdrawal: { sendAmountRaw: 999n * whole, feeRaw: whole } });
      expect(await scene.balance(owner, "merchant:available")).toBe(0n);
      expect(await payOut(all)).toMatchObject({ refused: "amount_too_small" });
      expect(await payOut({ kind: "exact", sendAmountRaw: 1n })).toMatchObject({
        refused: "insufficient_balance",
      });
      expect(await payOut(all, "wad_none")).toMatchObject({
        refused: "withdraw_address_not_found",
      });
      expect(await scene.isLedgerWhole()).toBe(true);
    });

    test("several at once spend the balance once", async () => {
      const all = { kind: "all", minimumRaw: 1n } as const;
      const results = await Promise.all(Array.from({ length: 5 }, () => payOut(all)));
      expect(results.filter((one) => "withdrawal" in one)).toHaveLength(1);
      expect(await scene.balance(owner, "merchant:withdrawing")).toBe(1000n * whole);
    });
  });
});
