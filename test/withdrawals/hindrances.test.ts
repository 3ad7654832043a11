// What holds back a withdrawal, and what only looks like it: the same of another merchant, of its other half, of
// another address, currency or chain. Asked of each step that looks: the queue, the claim, the signature.

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { eventValues } from "../../service/events/events.ts";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import type { AccountKind } from "../../service/database/words.ts";
import type { Owner } from "../../service/owner.ts";
import {
  broadcastWithdrawal,
  claimWithdrawal,
  listQueuedInVain,
  listToQueue,
  readIsFree,
} from "../../service/withdrawals/sending.sql.ts";
import { anyEvent } from "../support/any-event.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { chainId, coin, openScene, type Scene, usdc, whole } from "./scene.ts";

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  let owner: Owner;
  let other: Owner;
  let addressId: string;
  let otherAddressId: string;
  let id: string;
  let posted = 0;
  beforeEach(async () => {
    scene = await openScene(engine);
    await scene.policy.setFee(usdc.deploymentId, "0.5");
    [owner, other] = [await scene.newOwner(), await scene.newOwner()];
    for (const one of [owner, other]) await scene.fund(one, 1000n * whole);
    addressId = (await scene.register(owner)).id;
    otherAddressId = (await scene.register(other)).id;
    // 899.5 stay.
    id = (await scene.request(owner, addressId, "100")).id;
  });

  const run = (text: string) => query(scene.database, sql.raw(text));
  const post = (whose: Owner, account: AccountKind, { raw, of = usdc.deploymentId }: Money) => {
    const values = ledgerValues(scene, {
      kind: "test",
      reference: String((posted += 1)),
      occurredAt: scene.clock.now(),
      postings: [
        { account, deploymentId: of, owner: whose, amountRaw: raw },
        { account: "chain:hot", deploymentId: of, owner: null, amountRaw: -raw },
      ],
    });
    return scene.database.run(postTransaction, values);
  };
  interface Money {
    readonly raw: bigint;
    readonly of?: string;
  }
  const owe = (raw: bigint, of?: string, whose = owner) =>
    post(whose, "merchant:debt", of === undefined ? { raw } : { raw, of });
  const have = (raw: bigint, of: string, whose = owner) =>
    post(whose, "merchant:available", { raw: -raw, of });
  /** Test keys have real coins, too. */
  const onMainNetwork = () =>
    run(`update deployments set is_test_network = false where id = '${usdc.deploymentId}'`);
  const otherHalf = (): Owner => ({ ...owner, environment: "live" });
  const later = (seconds: number): string =>
    new Date(scene.clock.nowMilliseconds() + seconds * 1000).toISOString();

  /** How it is at each step. */
  const looks = async () => {
    const { database } = scene;
    const now = scene.clock.now();
    const event = () =>
      eventValues(
        scene,
        anyEvent({
          ...owner,
          type: "withdrawal.processing",
          resource: { type: "withdrawal", id },
          data: {},
        }),
      );
    const values = { chainId, now, rowsMax: 9 };
    const listed = await database.run(listToQueue, { ...values, account: scene.hotAddress });
    await run(`insert into outgoing_transactions (id, chain_id, account, account_role, purpose, subject_id,
        deployment_id, amount_raw, action, not_before, created_at, updated_at)
      values ('out_1', '${chainId}', 'ours', 'hot', 'withdrawal', '${id}', '${usdc.deploymentId}', 1, '{}',
        now(), now(), now())`);
    const inVain = await database.run(listQueuedInVain, values);
    const [free] = await database.run(readIsFree, { id });
    const claimed = await database.run(claimWithdrawal, { id, now, ...event() });
    await run(`update withdrawals set status = 'processing' where id = '${id}'`);
    const signed = { id, now, txHash: "0x1", sendsNothing: false };
    const stored = await database.run(broadcastWithdrawal, { ...signed, ...event() });
    return {
      isListed: listed.some((one) => one.id === id),
      isInVain: inVain.some((one) => one.id === id),
      isWanted: free?.is_free,
      isClaimed: claimed.length === 1,
      isStored: stored.length === 1,
    };
  };
  const free = {
    isListed: true,
    isInVain: false,
    isWanted: true,
    isClaimed: true,
    isStored: true,
  };
  const held = {
    isListed: false,
    isInVain: true,
    isWanted: false,
    isClaimed: false,
    isStored: false,
  };

  const neighbours: Readonly<Record<string, () => Promise<unknown>>> = {
    nothing: () => Promise.resolve(),
    "another frozen deployment": () =>
      run(`insert into deployment_freezes values ('dep_usdc_base', 'x', now())`),
    "a deployment that is off elsewhere": () =>
      run("update deployments set withdrawal_enabled = false where id = 'dep_usdc_base'"),
    "a suspended merchant beside it": () =>
      run(`update merchants set status = 'suspended' where id = '${other.merchantId}'`),
    "another disabled address": () => scene.addresses.disable(otherAddressId),
    "another address that has become ours": () =>
      run(`insert into own_accounts
        select lower(address), 'treasury', now() from withdraw_addresses where id = '${otherAddressId}'`),
    "a debt of another merchant": () => owe(10n ** 30n, undefined, other),
    "a debt of its other half": () => owe(10n ** 30n, undefined, otherHalf()),
    "a debt in another currency": () => owe(10n ** 30n, "dep_dai_ethereum"),
    "a debt in coins of a test network, of a withdrawal on a main one": async () => {
      await onMainNetwork();
      await owe(10n ** 30n, "dep_usdc_sepolia");
    },
    "a debt on a main network of what stays on another one": async () => {
      await onMainNetwork();
      await have(whole, "dep_usdc_base");
      await owe(900_500_000n);
    },
    "a debt of as much as stays": () => owe(899_500_000n),
    "a debt of as much as stays in other units": async () => {
      await run("update deployments set decimals = 8 where id = 'dep_usdc_sepolia'");
      await owe(89_950_000_000n, "dep_usdc_sepolia");
    },
    "a debt of what stays on another chain as well": async () => {
      await have(whole, "dep_usdc_sepolia");
      await owe(900_500_000n);
    },
    "a debt of what waits beside it, with its fee": async () => {
      // 889 are available, and 10.5 are set aside.
      await scene.request(owner, addressId, "10");
      await owe(899_500_000n);
    },
    "another address that waits": () =>
      run(`update withdraw_addresses set reverted_count = 1, waits_until = '${later(1)}'
        where id = '${otherAddressId}'`),
    "an address that has waited": () =>
      run(`update withdraw_addresses set reverted_count = 1, waits_until = '${later(0)}'`),
    "another one on its way to an address that has not failed": async () => {
      const { id: before } = await scene.request(owner, addressId, "1");
      await run(`update withdrawals set status = 'processing' where id = '${before}'`);
    },
    "another one on its way elsewhere": async () => {
      await run(`update withdraw_addresses set reverted_count = 1, waits_until = '${later(0)}'`);
      const { id: before } = await scene.request(other, otherAddressId, "1");
      await run(`update withdrawals set status = 'processing' where id = '${before}'`);
    },
    "another one that waits for its address as well": async () => {
      await run(`update withdraw_addresses set reverted_count = 1, waits_until = '${later(0)}'`);
      await scene.request(owner, addressId, "1");
    },
  };
  test.each(Object.keys(neighbours))("%s holds nothing back", async (name) => {
    await neighbours[name]?.();
    expect(await looks()).toEqual(free);
  });

  const hindrances: Readonly<Record<string, () => Promise<unknown>>> = {
    "a frozen deployment": () =>
      run(`insert into deployment_freezes values ('${usdc.deploymentId}', 'x', now())`),
    "a deployment that is off": () =>
      run(`update deployments set withdrawal_enabled = false where id = '${usdc.deploymentId}'`),
    "a suspended merchant": () =>
      run(`update merchants set status = 'suspended' where id = '${owner.merchantId}'`),
    "a disabled address": () => scene.addresses.disable(addressId),
    "an address that has become ours": () =>
      run(`insert into own_accounts
        select lower(address), 'treasury', now() from withdraw_addresses where id = '${addressId}'`),
    "a debt of more than stays": () => owe(899_500_001n),
    "a debt of more than stays in other units": async () => {
      await run("update deployments set decimals = 8 where id = 'dep_usdc_sepolia'");
      await owe(89_950_000_001n, "dep_usdc_sepolia");
    },
    "a debt, whatever another merchant has": async () => {
      await have(10n ** 30n, "dep_usdc_sepolia", other);
      await scene.request(other, otherAddressId, "500");
      await owe(899_500_001n);
    },
    "a debt, whatever its other half has": async () => {
      await have(10n ** 30n, "dep_usdc_sepolia", otherHalf());
      await owe(899_500_001n);
    },
    "a debt on a main network, whatever it has of coins that are worth nothing": async () => {
      await onMainNetwork();
      await have(10n ** 30n, "dep_usdc_sepolia");
      await owe(899_500_001n);
    },
    "a debt, whatever it has of another currency": async () => {
      await scene.fund(owner, 10n ** 18n, coin);
      await scene.request(owner, addressId, { amount: "0.25", ...coin });
      await owe(899_500_001n);
    },
    "a debt, whatever is owed to it otherwise": async () => {
      await post(owner, "merchant:unmatched", { raw: -whole });
      await owe(899_500_001n);
    },
    "a debt of more than what waits beside it": async () => {
      await scene.request(owner, addressId, "10");
      await owe(899_500_001n);
    },
    "a debt of what has been claimed beside it": async () => {
      const { id: before } = await scene.request(owner, addressId, "10");
      await run(`update withdrawals set status = 'processing' where id = '${before}'`);
      await owe(889_000_001n);
    },
  };
  test.each(Object.keys(hindrances))("%s holds it back at every step", async (name) => {
    await hindrances[name]?.();
    expect(await looks()).toEqual(held);
  });

  // What has its nonce is signed all the same.
  const waiting = { ...free, isListed: false, isInVain: true, isClaimed: false };
  const waits: Readonly<Record<string, () => Promise<unknown>>> = {
    "its address waits": () =>
      run(`update withdraw_addresses set reverted_count = 1, waits_until = '${later(1)}'
        where id = '${addressId}'`),
    "another one is claimed for its address, which has failed": async () => {
      await run(`update withdraw_addresses set reverted_count = 1, waits_until = '${later(0)}'`);
      const { id: before } = await scene.request(owner, addressId, "1");
      await run(`update withdrawals set status = 'processing' where id = '${before}'`);
    },
    "another one is sent to its address, which has failed": async () => {
      await run(`update withdraw_addresses set reverted_count = 1, waits_until = '${later(0)}'`);
      const { id: before } = await scene.request(owner, addressId, "1");
      await run(`update withdrawals set status = 'processing' where id = '${before}'`);
      await run(
        `update withdrawals set status = 'broadcast', tx_hash = '0x2' where id = '${before}'`,
      );
    },
  };
  test.each(Object.keys(waits))("while %s it is not claimed", async (name) => {
    await waits[name]?.();
    expect(await looks()).toEqual(waiting);
  });

  test("what the operator has to approve first is not claimed", async () => {
    await run(`update withdrawals set held_because = 'above_single_limit' where id = '${id}'`);
    const { isListed, isClaimed } = await looks();
    expect([isListed, isClaimed]).toEqual([false, false]);
  });

  test("what was approved is free, and has waited since then", async () => {
    const approvedAt = later(5);
    await run(`update withdrawals set held_because = 'above_daily_limit', approved_at = '${approvedAt}'
      where id = '${id}'`);
    scene.clock.advance(1_000);
    const { id: second } = await scene.request(owner, addressId, "1");
    const values = { chainId, now: scene.clock.now(), account: scene.hotAddress };
    const listed = await scene.database.run(listToQueue, { ...values, rowsMax: 9 });
    expect(listed.map((row) => [row.id, row.since.toISOString()])).toEqual([
      [id, approvedAt],
      [second, later(0)],
    ]);
    const [only, ...more] = await scene.database.run(listToQueue, { ...values, rowsMax: 1 });
    expect([only?.id, more]).toEqual([id, []]);
    // By their times, and not by their ids.
    await run(`update withdrawals set created_at = '${later(-60)}' where id = '${second}'`);
    const again = await scene.database.run(listToQueue, { ...values, rowsMax: 9 });
    expect(again.map((row) => row.id)).toEqual([second, id]);
    const elsewhere = { ...values, chainId: "eip155:1", rowsMax: 9 };
    expect(await scene.database.run(listToQueue, elsewhere)).toEqual([]);
    expect(await looks()).toEqual(free);
  });
});
