// A number that is to move nothing any more, so that those behind it go on.

import { afterAll, expect, onTestFinished, test } from "vitest";
import { NonceTaken } from "../../service/ports/signer.ts";
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
  // And from then on nothing else.
  const other = opened.desk.sign(chainId, intentOf());
  await expect(other).rejects.toBeInstanceOf(NonceTaken);
});
