// What money is to the payment that it came for.

import { expect, test } from "vitest";
import { purposeOf } from "../../service/payments/authorization-facts.ts";

const settled = { scheme: "exact", method: "eip3009", status: "settled", reason: null } as const;
const upto = { ...settled, scheme: "upto" } as const;
const mismatch = "x402_transfer_mismatch";

test.each([
  ["what was sent to its address", null, "price"],
  ["an exact amount", settled, "price"],
  ["an exact amount of one that has failed since", { ...settled, status: "failed" }, "price"],
  ["an exact amount that is another one", { ...settled, reason: mismatch }, "unmatched"],
  ["the whole of what may be used", upto, "held"],
  ["what was used", { ...upto, method: "permit2" }, "charged"],
  ["what may be used, too late", { ...upto, status: "failed" }, "unmatched"],
  ["what was used, and is another amount", { ...upto, reason: mismatch }, "unmatched"],
] as const)("%s", (_, authorization, purpose) => {
  expect(purposeOf(authorization)).toBe(purpose);
});
