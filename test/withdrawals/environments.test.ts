// Coins of test networks are worth nothing, and live keys do not meet them: not where an address is
// registered, not where a withdrawal is asked for, and not where a schedule pays out. Test keys have both kinds.

import { describe, expect, test } from "vitest";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import type { Owner } from "../../service/owner.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { expectRefusal } from "../support/refusal.ts";
import { chainId, openScene, type Scene, usdc, whole } from "./scene.ts";

/** With an address on the test network, as it is where the network has become one since. */
async function withAddress(scene: Scene, { merchantId }: Owner): Promise<Owner> {
  const ofTest = { merchantId, environment: "test" } as const;
  const { id } = await scene.register(ofTest);
  await query(scene.database)`update withdraw_addresses set environment = 'live' where id = ${id}`;
  await scene.fund({ merchantId, environment: "live" }, 1000n * whole);
  return { merchantId, environment: "live" };
}

async function addressOfOwner(scene: Scene, { merchantId }: Owner): Promise<string> {
  const [row] = await query(scene.database)<{ id: string }>`
    select id from withdraw_addresses where merchant_id = ${merchantId}`;
  return row?.id ?? "";
}

describe.each(engines)("on %s", (engine) => {
  test("a live key withdraws from no test network, however much is there", async () => {
    const scene = await openScene(engine);
    const live = await withAddress(scene, await scene.newOwner());
    const withdrawAddressId = await addressOfOwner(scene, live);
    await expectRefusal(scene.request(live, withdrawAddressId, "100"), "chain_not_accepted");
    const payout = {
      owner: live,
      deploymentId: usdc.deploymentId,
      withdrawAddressId,
      isKeyBound: true,
      occurredAt: scene.clock.now(),
    };
    for (const amount of [
      { kind: "exact", sendAmountRaw: whole },
      { kind: "all", minimumRaw: 1n },
    ] as const) {
      const paid = await scene.database.transaction((inside) =>
        scene.withdrawals.requestInTransaction(inside, { ...payout, amount }),
      );
      expect(paid).toMatchObject({ refused: "currency_not_found" });
    }
    expect(await query(scene.database)`select id from withdrawals`).toEqual([]);
    expect(await scene.balance(live, "merchant:available")).toBe(1000n * whole);
    // The same with the test keys of the merchant is a withdrawal.
    const own = await scene.newOwner();
    await scene.fund(own, 1000n * whole);
    const { id } = await scene.register(own);
    await scene.request(own, id, "100");
    expect(await scene.balance(own, "merchant:available")).toBe(900n * whole);
  });

  test("a live key registers no address of a test network", async () => {
    const scene = await openScene(engine);
    const { merchantId } = await scene.newOwner();
    const register = scene.register({ merchantId, environment: "live" });
    await expectRefusal(register, "chain_not_accepted", { chain_id: chainId });
    expect(await query(scene.database)`select id from withdraw_addresses`).toEqual([]);
  });

  test("coins of a test network secure no debt in real ones (threat 25)", async () => {
    const scene = await openScene(engine);
    const { database } = scene;
    const owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    const { id: addressId } = await scene.register(owner);
    const { id } = await scene.request(owner, addressId, "600");
    await query(database)`
      update deployments set is_test_network = false where id = ${usdc.deploymentId}`;
    await scene.fund(owner, 10n ** 12n * whole, { deploymentId: "dep_usdc_sepolia" });
    const owe = (amountRaw: bigint) => {
      const of = { deploymentId: "dep_usdc_base", amountRaw };
      const debt = { ...of, account: "merchant:debt", owner } as const;
      const hot = { ...of, account: "chain:hot", owner: null, amountRaw: -amountRaw } as const;
      const about = { kind: "test_debt", reference: `${amountRaw}`, occurredAt: scene.clock.now() };
      const values = ledgerValues(scene, { ...about, postings: [debt, hot] });
      return database.run(postTransaction, values);
    };
    await owe(400n * whole + 1n);
    await scene.startProcess().send();
    expect(await scene.statusOf(id)).toBe("pending");
    await owe(-1n);
    await scene.startProcess().send();
    expect(await scene.statusOf(id)).toBe("broadcast");
  });
});
