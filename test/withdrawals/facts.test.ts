// What is read for a decision about a withdrawal: of its own deployment, merchant, half, address and key, with the
// same of others beside it.

import { beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { readPayoutFacts, readWithdrawalFacts } from "../../service/withdrawals/facts.sql.ts";
import { findWithdrawal } from "../../service/withdrawals/withdrawals.sql.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { changedKeys, contentsOf, stored } from "../support/table-steps.ts";
import { openWorld, type World } from "../support/world.ts";
import { chainId, coin, usdc, whole } from "./scene.ts";

const base = "eip155:8453";

describe.each(engines)("on %s", (engine) => {
  let world: World;
  let owner: Owner;
  let other: Owner;
  let addressId: string;
  let keyId: string;
  beforeEach(async () => {
    world = await openWorld(engine);
    [owner, other] = [await world.newOwner(), await world.newOwner()];
    addressId = (await world.register(owner)).id;
    keyId = await world.newKey(owner);
    await world.policy.setFee(usdc.deploymentId, "3");
    await world.policy.setFee(usdc.deploymentId, "0.5");
    await world.policy.setFee(coin.deploymentId, "7");
    await world.policy.setLimits(usdc.deploymentId, { single: "100", daily: "150" });
    await world.policy.setLimits(coin.deploymentId, { single: "8", daily: "9" });
    await world.fund(owner, 1000n * whole);
    await world.fund(owner, 5n, coin);
    await world.fund(other, 2000n * whole);
    await world.fund({ ...owner, environment: "live" }, 4000n * whole);
  });

  interface Asked {
    readonly whose: Owner;
    readonly currencyId: string;
    readonly chainId: string;
    readonly withdrawAddressId: string;
    readonly keyId: string;
  }
  const facts = async (more: Partial<Asked> = {}) => {
    const asked = {
      whose: owner,
      currencyId: usdc.currencyId,
      chainId,
      withdrawAddressId: addressId,
    };
    const { whose, ...values } = { ...asked, keyId, ...more };
    const rows = await world.database.run(readWithdrawalFacts, { ...whose, ...values });
    expect(rows).toHaveLength(1);
    return rows[0];
  };
  const noAddress = { address_id: null, address_chain_id: null, address: null, activates_at: null };
  const noPlace = { deployment_id: null, chain_id: null, decimals: null, contract_address: null };
  const noMoney = { fee_version: null, fee_raw: null, single_max_raw: null, daily_max_raw: null };

  test("all of it, of its own", async () => {
    expect(await facts()).toMatchObject({
      currency_id: usdc.currencyId,
      currency_status: "active",
      deployment_id: usdc.deploymentId,
      chain_id: chainId,
      contract_address: usdc.contractAddress,
      decimals: 6,
      withdrawal_enabled: true,
      is_test_network: true,
      is_key_bound: true,
      is_key_greedy: false,
      address_id: addressId,
      address_chain_id: chainId,
      disabled_at: null,
      is_not_payable: false,
      fee_version: 2n,
      fee_raw: "500000",
      single_max_raw: "100000000",
      daily_max_raw: "150000000",
      available_raw: "1000000000",
    });
    const ofCoin = { deployment_id: coin.deploymentId, fee_version: 1n, available_raw: "5" };
    expect(await facts({ currencyId: coin.currencyId })).toMatchObject(ofCoin);
  });

  test("where there is no currency, chain, address or key, the rest is read all the same", async () => {
    const nobody = { currency_id: null, ...noPlace, ...noMoney, available_raw: "0" };
    expect(await facts({ currencyId: "cur_none" })).toMatchObject({
      ...nobody,
      address_id: addressId,
    });
    const nowhere = { currency_id: usdc.currencyId, ...noPlace, ...noMoney, available_raw: "0" };
    expect(await facts({ chainId: "eip155:999" })).toMatchObject(nowhere);
    expect(await facts({ withdrawAddressId: "wad_none" })).toMatchObject(noAddress);
    const noKey = { is_key_bound: false, is_key_greedy: false };
    expect(await facts({ keyId: "mk_none" })).toMatchObject({ ...noKey, address_id: addressId });
  });

  test("another merchant has its own money, and no address or key of this one", async () => {
    const noKey = { is_key_bound: false, is_key_greedy: false };
    const found = await facts({ whose: other });
    expect(found).toMatchObject({ ...noAddress, ...noKey, available_raw: "2000000000" });
    expect(found).toMatchObject({ deployment_id: usdc.deploymentId, fee_version: 2n });
  });

  test("the other half has its own money on main networks, and no test network", async () => {
    const whose = { ...owner, environment: "live" } as const;
    const noKey = { is_key_bound: false, is_key_greedy: false };
    const found = await facts({ whose });
    expect(found).toMatchObject({ ...noPlace, ...noAddress, ...noKey, available_raw: "0" });
    const main = await facts({ whose, chainId: base });
    expect(main).toMatchObject({ deployment_id: "dep_usdc_base", ...noMoney, available_raw: "0" });
    expect(await facts({ chainId: base })).toMatchObject({ deployment_id: "dep_usdc_base" });
  });

  test.each([
    ["live", ["withdrawals:write"], ["192.0.2.0/24"], true, false],
    ["live", ["withdrawals:write", "withdraw_addresses:write"], ["192.0.2.0/24"], true, true],
    ["test", ["withdraw_addresses:write"], ["192.0.2.0/24"], true, false],
    ["test", ["withdrawals:write"], [], false, false],
    ["test", ["withdrawals:write"], ["0.0.0.0/0"], false, false],
    ["test", ["withdrawals:write"], ["192.0.2.0/24", "0.0.0.0/7"], false, false],
    ["test", ["withdrawals:write"], ["10.0.0.0/8", "2001::/16"], true, false],
    ["test", ["withdrawals:write"], ["2000::/15"], false, false],
  ] as const)("of a %s key with %j from %j: bound %s, greedy %s", async (...given) => {
    const [environment, scopes, cidrs, isBound, isGreedy] = given;
    const renamed = keyId.replace("_test_", `_${environment}_`);
    // As it may stand there since before the rules for new ones.
    await query(world.database)`update api_keys
      set id = ${renamed}, environment = ${environment}, scopes = ${scopes}, cidrs = ${cidrs}
      where id = ${keyId}`;
    const found = await facts({ whose: { ...owner, environment }, keyId: renamed });
    expect(found).toMatchObject({ is_key_bound: isBound, is_key_greedy: isGreedy });
  });

  test("of a payout it is read by the deployment, with what is remembered of its key", async () => {
    const payout = async (deploymentId: string, more: object = {}) => {
      const values = { ...owner, deploymentId, withdrawAddressId: addressId, isKeyBound: true };
      return (await world.database.run(readPayoutFacts, { ...values, ...more }))[0];
    };
    expect(await payout(usdc.deploymentId)).toMatchObject({
      currency_id: usdc.currencyId,
      deployment_id: usdc.deploymentId,
      chain_id: chainId,
      address_id: addressId,
      is_key_bound: true,
      is_key_greedy: false,
      fee_version: 2n,
      available_raw: "1000000000",
    });
    expect(await payout(coin.deploymentId, { isKeyBound: false })).toMatchObject({
      currency_id: coin.currencyId,
      fee_version: 1n,
      is_key_bound: false,
      available_raw: "5",
    });
    const live = { environment: "live" };
    expect(await payout(usdc.deploymentId, live)).toMatchObject({ currency_id: null, ...noPlace });
    expect(await payout("dep_usdc_base", live)).toMatchObject({ currency_id: usdc.currencyId });
    expect(await payout("dep_none")).toMatchObject({ currency_id: null, address_id: addressId });
  });

  test("a withdrawal is found by its owner alone", async () => {
    const { id } = await world.request(owner, addressId, "1");
    await world.request(owner, addressId, "2");
    const find = async (more: object) =>
      (await world.database.run(findWithdrawal, { ...owner, id, ...more })).map((row) => row.id);
    expect(await find({})).toEqual([id]);
    expect(await find({ environment: "live" })).toEqual([]);
    expect(await find({ merchantId: other.merchantId })).toEqual([]);
    expect(await find({ id: "wdr_none" })).toEqual([]);
  });

  test("a cancellation is of one withdrawal, at its time", async () => {
    const { id } = await world.request(owner, addressId, "1");
    await world.request(owner, addressId, "2");
    await world.request(other, (await world.register(other)).id, "3");
    world.clock.advance(1_000);
    const contents = () => contentsOf(world.database, { withdrawals: "t.id" });
    const was = await contents();
    await world.cancel(owner, id);
    const is = await contents();
    const key = `withdrawals ${id}`;
    expect(changedKeys(was, is)).toEqual([key]);
    const changes = { status: "cancelled", updated_at: world.clock.now() };
    expect(is.get(key)).toEqual({ ...was.get(key), ...stored(changes) });
  });
});
