// When a request to settle is one that was heard before: all that was signed and required is the same.

import { expect, test } from "vitest";
import type { X402SettlementsTable } from "../../service/database/tables/x402.ts";
import { refusalsOf, type ServiceError } from "../../service/errors.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { listSettlements } from "../../service/x402/settling.sql.ts";
import { isSameRequest, resultOf } from "../../service/x402/stored.ts";
import { authorize, stranger } from "./payers.ts";
import { merchant } from "./scene.ts";
import { scene, shop, useStage } from "./stage.ts";

useStage();

type Requirements = Partial<SettleCommand["requirements"]>;
type Payload = Partial<SettleCommand["payload"]>;

const otherNonce = `0x${"5".repeat(64)}`;

test("another word in any of it is another request", async () => {
  const id = await scene.addPayment();
  const command = await authorize(scene, id);
  await shop.x402.settle(merchant, command);
  const [row] = await scene.database.run(listSettlements, { paymentId: id, ...merchant });
  if (row === undefined) throw new Error("it was settled");
  const isSame = (requirements: Requirements, payload: Payload = {}): boolean =>
    isSameRequest(row, {
      ...command,
      requirements: { ...command.requirements, ...requirements },
      payload: { ...command.payload, ...payload } as SettleCommand["payload"],
    });
  expect(isSame({})).toBe(true);
  const { requirements, payload } = command;
  const spelled = (text: string): string => `0x${text.slice(2).toUpperCase()}`;
  expect(isSame({ payTo: spelled(requirements.payTo) }, { from: spelled(payload.from) })).toBe(
    true,
  );
  const others: readonly (readonly [Requirements, Payload])[] = [
    [{ network: "eip155:1" }, {}],
    [{ asset: stranger.address }, {}],
    [{ scheme: "upto" }, {}],
    [{ payTo: stranger.address }, {}],
    [{ maxAmountRaw: requirements.maxAmountRaw + 1n }, {}],
    [{ nonce: otherNonce }, {}],
    [{}, { method: "permit2" }],
    [{}, { from: stranger.address }],
    [{}, { to: stranger.address }],
    [{}, { amountRaw: payload.amountRaw - 1n }],
    [{}, { nonce: otherNonce }],
    [{}, { validAfter: payload.validAfter + 1n }],
    [{}, { validBefore: payload.validBefore + 1n }],
  ];
  expect(others.filter(([required, signed]) => isSame(required, signed))).toEqual([]);
});

test("a refusal names the transaction that failed, and none where none was sent", async () => {
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id));
  const [row] = await scene.database.run(listSettlements, { paymentId: id, ...merchant });
  if (row === undefined) throw new Error("it was settled");
  const failed = { ...row, status: "failed" as const, reason: "x402_expired" };
  const refused = (of: X402SettlementsTable): readonly ServiceError[] =>
    refusalsOf([() => resultOf(of)]);
  const code = "x402_expired";
  expect(refused(failed)).toMatchObject([{ code, details: { tx_hash: row.tx_hash } }]);
  const [unsent] = refused({ ...failed, tx_hash: null });
  expect(unsent).toMatchObject({ code });
  expect(unsent?.details).not.toHaveProperty("tx_hash");
});
