// What is held for an authorization up to an amount, or went back to its payer, pays for nothing: neither the price of
// its payment, of which partners have a share, nor a period of a subscription (threat 47).

import { describe, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { billingJob } from "../../service/subscriptions/biller.ts";
import { query } from "../support/service-parts.ts";
import { authorize, payer } from "./payers.ts";
import { deploymentId, hourMilliseconds, merchant, price } from "./scene.ts";
import { finalize, local, scene, sendTo, shop, useStage } from "./stage.ts";

useStage();

/** Of the price, after a fee of a hundredth. */
const half = (price * 99n) / 100n / 2n;

const hold = async (id: string): Promise<void> => {
  await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
  await finalize();
};

/** Nobody has reported a usage in time. */
async function giveBack(): Promise<void> {
  scene.clock.advance(24 * hourMilliseconds);
  await shop.release();
  await shop.send();
  await scene.mine(4);
  await shop.confirm();
}

const pay = async (id: string, amountRaw = price): Promise<void> => {
  await sendTo(id, amountRaw);
  await finalize();
};

describe("a partner has its share of what is paid to the address", () => {
  test("after all that was held went back", async () => {
    const before = await local.balanceOf(payer.address);
    const id = await scene.addPayment({ splitBps: 5000 });
    await hold(id);
    await giveBack();
    expect(await local.balanceOf(payer.address)).toBe(before);
    expect(await scene.status(id)).toBe("expired");
    await pay(id);
    expect(await scene.status(id)).toBe("paid_late");
    const shares = { "merchant:available mer_partner": half, "merchant:available": half };
    expect(await scene.balances()).toMatchObject(shares);
    expect(await scene.eventData(id, "payment.paid_late")).toMatchObject({
      quotes: { cur_usdc: { deployments: [{ received_raw: `${price}` }] } },
    });
    expect(await scene.differences()).toEqual([]);
  });

  test("while it is held", async () => {
    const id = await scene.addPayment({ splitBps: 5000 });
    await hold(id);
    await pay(id);
    await giveBack();
    const shares = { "merchant:available mer_partner": half, "merchant:available": half };
    expect(await scene.balances()).toMatchObject(shares);
    expect(await scene.differences()).toEqual([]);
  });

  test("after a part was used, as far as that has not paid the price", async () => {
    const id = await scene.addPayment({ splitBps: 5000 });
    await hold(id);
    await scene.reportUsage(shop, id, "10");
    await finalize();
    const used = 10_000_000n;
    const partner = (used * 99n) / 100n / 2n;
    expect(await scene.balances()).toMatchObject({ "merchant:available mer_partner": partner });
    await pay(id);
    // Fifteen are left of the price, and ten are a surplus, which is the creator's.
    const later = ((price - used) * 99n) / 100n / 2n;
    expect(await scene.balances()).toMatchObject({
      "merchant:available mer_partner": partner + later,
    });
    expect(await scene.differences()).toEqual([]);
  });
});

test.each(["before", "after"])(
  "no period of a subscription is paid by it, %s it goes back",
  async (when) => {
    const id = await scene.addPayment();
    const now = scene.clock.now();
    const [ends, next] = [0.5, 720].map(
      (hours) => new Date(now.getTime() + hours * hourMilliseconds),
    );
    await query(scene.database)`
    insert into subscriptions (id, merchant_id, environment, status, currency_id, deployment_id,
      chain_id, amount_raw, interval_seconds, next_bill_at, open_period, open_try, created_at, updated_at)
    values ('sub_1', ${merchant.merchantId}, ${merchant.environment}, 'active', 'cur_usdc', ${deploymentId},
      ${local.chainId}, ${price}::numeric, 2592000, ${next}, ${now}, 1, ${now}, ${now}) returning id`;
    await query(scene.database)`
    insert into subscription_bills (subscription_id, period_start, try, payment_id, amount_raw, created_at, ends_at)
    values ('sub_1', ${now}, 1, ${id}, ${price}::numeric, ${now}, ${ends}) returning try`;
    const refuse = () => new ServiceError("deposits_disabled", "The second try is not made here.");
    const biller = billingJob({
      ...scene,
      watchedChainIds: new Set([local.chainId]),
      payments: {
        createInTransaction: () => Promise.reject(refuse()),
        cancelInTransaction: () => Promise.resolve(false),
      },
    });
    const openTry = async () => {
      const [row] = await query(scene.database)<{ open_try: number | null }>`
      select open_try from subscriptions where id = 'sub_1'`;
      return row?.open_try;
    };
    await hold(id);
    if (when === "before") await biller.run();
    expect(await openTry()).toBe(1);
    await giveBack();
    await biller.run();
    expect(await openTry()).toBe(2);
  },
);
