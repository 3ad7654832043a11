// More settlements than the chain takes: what is let in settles, and what is not hears when to come again.

import { expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { waitingMax } from "../../service/x402/waiting.ts";
import { query } from "../support/service-parts.ts";
import { settlementAddress } from "./action-signer.ts";
import { merchant, price } from "./scene.ts";
import { expectPaid, impatient, local, scene, shop, signedPayment, useStage } from "./stage.ts";

useStage();

const more = 8;

/** Another process has the account, and sends nothing. */
async function occupyAccount(): Promise<() => Promise<unknown>> {
  const expires = new Date(scene.clock.nowMilliseconds() + 60_000);
  await query(scene.database)`insert into sender_accounts
      (chain_id, account, lease_token, lease_expires_at)
    values (${local.chainId}, ${settlementAddress}, 'another', ${expires})
    on conflict (chain_id, account)
      do update set lease_token = 'another', lease_expires_at = ${expires}
    returning account`;
  return () =>
    query(scene.database)`update sender_accounts set lease_token = null, lease_expires_at = null
      returning account`;
}

test("as many are let in as leave soon; the others hear when to come again, and settle then", async () => {
  const leaveAccount = await occupyAccount();
  const { x402 } = impatient();
  const signed = [];
  for (let count = 0; count < waitingMax + more; count += 1) signed.push(await signedPayment());
  const before = await local.balanceOf(settlementAddress);
  const asked = await Promise.allSettled(
    signed.map(({ command }) => x402.settle(merchant, command)),
  );
  const refused: { readonly id: string; readonly command: SettleCommand }[] = [];
  for (const [index, answer] of asked.entries()) {
    const one = signed[index];
    if (answer.status === "fulfilled") expect(answer.value.isSettled).toBe(false);
    else if (one !== undefined) {
      expect(answer.reason).toBeInstanceOf(ServiceError);
      expect(answer.reason).toMatchObject({ code: "service_unavailable", retryAfterSeconds: 2 });
      expect(await scene.settlements(one.id)).toEqual([]);
      refused.push(one);
    }
  }
  expect(refused).toHaveLength(more);

  await leaveAccount();
  // Sixteen at a time, as nodes take them.
  for (let round = 0; round < 4; round += 1) {
    await shop.send();
    await scene.mine();
  }
  for (const { command } of refused) {
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
  }
  for (const { id } of signed) await expectPaid(id);
  const moved = (await local.balanceOf(settlementAddress)) - before;
  expect(moved).toBe(price * BigInt(signed.length));
});
