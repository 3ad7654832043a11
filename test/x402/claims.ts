// Who may have the money of an authorization: what the tests of it share.

import { expect } from "vitest";
import type { SettleCommand } from "../../service/x402/model.ts";
import { storeNonces } from "../../service/x402/nonces.sql.ts";
import { queryOf } from "./found-looks.ts";
import { deploymentId, partner, price, settleDown } from "./scene.ts";
import { scene, shop } from "./stage.ts";
import { expectRefusal } from "../support/refusal.ts";

export const looks = queryOf(() => scene.database);

export async function cancel(id: string): Promise<void> {
  await looks.run`update payments set status = 'cancelled', version = version + 1 where id = ${id} returning id`;
}

/** As our own 402 does it. */
export async function tellNonce(id: string, nonce: string): Promise<void> {
  const row = { nonce, payer: "", payment_id: id, deployment_id: deploymentId };
  const nonces = JSON.stringify([{ ...row, due_raw: price.toString() }]);
  await scene.database.run(storeNonces, { nonces });
}

/** So soon that it would also be in time for a payment that has expired just now. */
export const soon = () => ({ validBefore: scene.nowSeconds() + 300n });

export async function claim(command: SettleCommand, paymentId: string): Promise<void> {
  await expectRefusal(
    shop.x402.settle(partner, { ...command, paymentId }),
    "x402_authorization_used",
  );
}

/** What came for it is its payment's, and nobody else's. */
export async function expectPaidAlone(id: string): Promise<void> {
  await settleDown(scene, shop);
  expect(await scene.status(id)).toBe("paid");
  const rows = await looks.deposits();
  expect(rows.filter(({ payment_id: paymentId }) => paymentId === id)).toHaveLength(1);
  expect(await scene.differences()).toEqual([]);
}
