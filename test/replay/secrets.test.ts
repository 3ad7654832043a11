// What no report may hold, whoever wrote it into an answer.

import { expect, test } from "vitest";
import { buildRedaction } from "../../scripts/replay/secrets.ts";

const redact = buildRedaction("sk_test_a.b$&c");

test.each([
  ["the secret of the key, letter by letter", "is sk_test_a.b$&c!", "is [hidden]!"],
  ["the secret of another key", "sk_live_0123-_Z,", "sk_live_[hidden],"],
  ["the secret of a webhook", '"whsec_MDEy/Mz+Q1==","x"', '"whsec_[hidden]","x"'],
  [
    "the link to a checkout page",
    "https://pay.example/checkout/q7Zr2mXn4Vb8Kc1Lw5TyGa?x=1",
    "https://pay.example/checkout/[hidden]?x=1",
  ],
  [
    "the link to a checkout page of a cell",
    "https://pay.example/checkout/east.q7Zr2mXn4Vb8Kc1Lw5TyGa/status",
    "https://pay.example/checkout/[hidden]/status",
  ],
  ["nothing else", "mk_test_0123456789abcdef", "mk_test_0123456789abcdef"],
])("hides %s", (_what, text, shown) => {
  expect(redact(`${text} ${text}`)).toBe(`${shown} ${shown}`);
});
