// Every digit of a signature counts, whoever tries how often (threat 49).

import fc from "fast-check";
import { expect, test } from "vitest";
import { expectRefusal } from "../support/refusal.ts";
import { merchant } from "./scene.ts";
import { scene, shop, signedPayment, useStage } from "./stage.ts";

useStage();

test("a thousand bad payloads (threat 49) cost no transaction", async () => {
  const { id, command } = await signedPayment();
  const hexDigit = fc.integer({ min: 2, max: 131 });
  await fc.assert(
    fc.asyncProperty(hexDigit, fc.integer({ min: 1, max: 15 }), async (at, by) => {
      const { signature } = command.payload;
      const digit = (Number.parseInt(signature.charAt(at), 16) ^ by).toString(16);
      const changed = signature.slice(0, at) + digit + signature.slice(at + 1);
      const bad = { ...command, payload: { ...command.payload, signature: changed } };
      // A last byte of 0 or 1 may mean what 27 or 28 did.
      if (at >= 130 && /0[01]$/.test(changed)) return;
      await expectRefusal(shop.x402.settle(merchant, bad), "x402_invalid_signature");
    }),
    { numRuns: 1_000 },
  );
  expect(await scene.sent()).toEqual([]);
  expect(await scene.settlements(id)).toEqual([]);
  // A busy machine takes its time for so many.
});
