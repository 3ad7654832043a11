// How much gas a transaction of ours may take, by what it is, what it is for, and where.

import { describe, expect, test } from "vitest";
import { gasUnitsOf, hindranceOf } from "../../service/sending/gas-units.ts";
import type { ChainAction } from "../../service/ports/signer.ts";
import type { OutgoingPurpose } from "../../service/database/words.ts";

const base = "eip155:8453";
const token = { kind: "transfer", to: "0x1", contractAddress: "0x2", amountRaw: 1n } as const;
const coin = { ...token, contractAddress: null };
/** Only its kind counts. */
const settle = { kind: "settle" } as unknown as ChainAction;
const collect = { kind: "collect" } as unknown as ChainAction;

describe.each([
  [base, 0n],
  ["eip155:42161", 1_000_000n],
  ["eip155:421614", 1_000_000n],
])("on %s, where %i more pay for data", (chainId, data) => {
  test.each([
    ["a token", token, 100_000n],
    ["the chain's own coin", coin, 60_000n],
    ["a settlement", settle, 260_000n],
    ["what is collected", collect, 260_000n],
  ])("%s that nobody could estimate gets a bound", (_, action, units) => {
    const sent = { chainId, purpose: "sweep" } as const;
    expect(gasUnitsOf(sent, action, undefined)).toBe(units + data);
    const failing = { isPossible: false, text: "execution reverted" } as const;
    expect(gasUnitsOf(sent, action, failing)).toBe(units + data);
    expect(gasUnitsOf(sent, action, { isPossible: true, gasUnits: 10n })).toBe(13n);
  });

  test.each<readonly [OutgoingPurpose, bigint]>([
    ["withdrawal", 250_000n],
    ["refund", 250_000n],
    ["sweep", 600_000n],
    ["sweep_gas", 600_000n],
    ["consolidation", 600_000n],
    ["x402_settlement", 600_000n],
    ["x402_release", 600_000n],
  ])("a %s takes %i units at most", (purpose, most) => {
    const sent = { chainId, purpose };
    const taking = (gasUnits: bigint) => ({ isPossible: true, gasUnits }) as const;
    expect(hindranceOf(sent, taking(most + data))).toBeUndefined();
    expect(hindranceOf(sent, taking(most + data + 1n))).toEqual({
      text: `it would take ${most + data + 1n} units of gas, and may take ${most + data}`,
      isAboveGasLimit: true,
    });
    expect(gasUnitsOf(sent, token, taking(most + data))).toBe(most + data);
  });
});

test("an operator's bound is one for what others have asked for, and for nothing of our own", () => {
  const taking = { isPossible: true, gasUnits: 300_000n } as const;
  for (const purpose of ["withdrawal", "refund"] as const) {
    const sent = { chainId: base, purpose, withdrawalGasUnitsMax: 300_000n };
    expect(hindranceOf(sent, taking)).toBeUndefined();
    const less = { ...sent, withdrawalGasUnitsMax: 299_999n };
    expect(hindranceOf(less, taking)).toMatchObject({ isAboveGasLimit: true });
  }
  const own = { chainId: base, purpose: "sweep", withdrawalGasUnitsMax: 1n } as const;
  expect(hindranceOf(own, taking)).toBeUndefined();
});

test("what would fail is no matter of gas", () => {
  const failing = { isPossible: false, text: "execution reverted: blocked" } as const;
  expect(hindranceOf({ chainId: base, purpose: "withdrawal" }, failing)).toEqual({
    text: "execution reverted: blocked",
    isAboveGasLimit: false,
  });
});
