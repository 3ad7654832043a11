// A number that is to move nothing any more, so that those behind it go on.

import { afterAll, expect, onTestFinished, test } from "vitest";
import { endChildren, makeFolder } from "../programs/child.ts";
import { chainId, customer, intentOf, limits, openDesk, policyOf, transferOf } from "./desk.ts";

// its folders go with it
afterAll(endChildren);

test("nothing is signed under any number, also where no limit names the coin", async () => {
  const opened = openDesk(makeFolder(), policyOf({ ...limits, limits: [] }));
  onTestFinished(opened.close);
  const sign = (to: string) => {
    const action = transferOf({ to, contractAddress: null, amountRaw: 0n });
    return opened.desk.sign(chainId, intentOf({ action }));
  };
  await expect(sign(customer)).rejects.toThrow(/no limit names/);
  await sign(opened.hotAddress);
  // Its number is free still: for nothing again, and for what a limit names, which here is nothing.
  await sign(opened.hotAddress);
  await expect(sign(customer)).rejects.toThrow(/no limit names/);
  const token = opened.desk.sign(chainId, intentOf());
  await expect(token).rejects.toThrow(/no limit names/);
});
