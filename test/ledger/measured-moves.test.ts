// What is missing from a balance is shared among the transfers of its block: exactly, and never more to
// one than its log says.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placeOfTransfer, sharesOf } from "../../service/ledger/measured-moves.ts";
import type { ChainTransfer } from "../../service/ports/chain.ts";
import { addressOf } from "../support/scripted-signer.ts";

const token = addressOf("token");
const ours = addressOf("ours");
const hot = addressOf("hot");
const [payer, other] = [addressOf("payer"), addressOf("other")];
const at = {
  address: ours,
  contractAddress: token,
  ours: new Set([hot.toLowerCase()]),
  sent: new Set<string>(),
};

let logs = 0;
/** In a transaction of its own. */
function moved(from: string, to: string, amountRaw: bigint): ChainTransfer {
  logs += 1;
  return { txHash: `0x${logs}`, logIndex: logs, contractAddress: token, from, to, amountRaw };
}

const inOne = (txHash: string, ...transfers: readonly ChainTransfer[]): readonly ChainTransfer[] =>
  transfers.map((one) => ({ ...one, txHash }));

const arrivedOf = (transfers: readonly ChainTransfer[], difference: bigint) => {
  const { arrived } = sharesOf(transfers, at, difference);
  return transfers.map((one) => arrived.get(placeOfTransfer(one)));
};
const leftOf = (transfers: readonly ChainTransfer[], difference: bigint, sent: string[] = []) => [
  ...sharesOf(transfers, { ...at, sent: new Set(sent) }, difference).left.values(),
];

describe("what came", () => {
  test("is what the balance has more, up to what the log says", () => {
    const one = moved(payer, ours, 100n);
    expect(arrivedOf([one], 99n)).toEqual([99n]);
    expect(arrivedOf([one], 100n)).toEqual([100n]);
    // A balance that grows by itself is nobody's deposit.
    expect(arrivedOf([one], 105n)).toEqual([100n]);
    expect(arrivedOf([one], 0n)).toEqual([0n]);
    expect(arrivedOf([one], -5n)).toEqual([0n]);
  });

  test("is shared in proportion, with what does not divide to the first", () => {
    const three = [moved(payer, ours, 100n), moved(other, ours, 300n), moved(payer, ours, 100n)];
    expect(arrivedOf(three, 495n)).toEqual([99n, 297n, 99n]);
    expect(arrivedOf(three, 499n)).toEqual([100n, 300n, 99n]);
  });

  test("leaves out what another token moved, what others got, and what we moved away", () => {
    const elsewhere = { ...moved(payer, ours, 40n), contractAddress: other };
    const swept = moved(ours, hot, 70n);
    const two = [elsewhere, moved(payer, other, 9n), swept, moved(payer, ours, 100n)];
    expect(arrivedOf(two, 29n).at(-1)).toBe(99n);
  });

  test("counts for less what the token takes back in the same transaction, in a log of its own", () => {
    const one = moved(payer, ours, 100n);
    expect(arrivedOf(inOne("0xa", one, moved(ours, other, 1n)), 99n)[0]).toBe(99n);
    // What went to an account of ours in the same transaction was moved by us.
    expect(arrivedOf(inOne("0xa", one, moved(ours, hot, 60n)), 39n)[0]).toBe(99n);
  });

  test("nothing is moved by a transfer to oneself, or by one of nothing", () => {
    expect(arrivedOf([moved(ours, ours, 50n), moved(payer, ours, 0n)], 0n)).toEqual([
      undefined,
      0n,
    ]);
  });
});

describe("what left", () => {
  test("is what the balance has less, whatever the log says", () => {
    const one = moved(ours, payer, 100n);
    expect(leftOf([one], -100n)).toEqual([100n]);
    expect(leftOf([one], -101n)).toEqual([101n]);
    expect(leftOf([one], 0n)).toEqual([0n]);
  });

  test("with something that came: what is missing is missing from that first", () => {
    const two = [moved(payer, ours, 100n), moved(ours, other, 50n)];
    expect(leftOf(two, 49n)).toEqual([50n]);
    expect(leftOf(two, -51n)).toEqual([51n]);
  });

  test("by a transaction of ours that brings something back is told from its neighbours", () => {
    const hook = inOne("0xa", moved(ours, payer, 100n), moved(payer, ours, 1n));
    const block = [...hook, moved(ours, other, 7n)];
    expect(leftOf(block, -106n, ["0xa"])).toEqual([100n, 7n]);
    // Nobody can tell by the balances that a unit was taken beside from that it has not come back.
    expect(leftOf(block, -107n, ["0xa"])).toEqual([100n, 7n]);
    expect(leftOf(block, -214n, ["0xa"])).toEqual([200n, 14n]);
    // By one that others have sent, it is what the token keeps of the unit.
    expect(leftOf(block, -106n)).toEqual([106n]);
  });

  test("of two transactions is told apart, with both logs of one together", () => {
    const three = [
      ...inOne("0xa", moved(ours, other, 1n), moved(ours, payer, 99n)),
      moved(ours, payer, 100n),
    ];
    expect(leftOf(three, -200n)).toEqual([100n, 100n]);
    expect(leftOf(three, -202n)).toEqual([101n, 101n]);
  });
});

test("whatever moved, the shares add up to the balance, and none is more than its log", () => {
  const amounts = fc.array(fc.bigInt(0n, 10n ** 24n), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(amounts, fc.bigInt(0n, 10_000n), (raws, part) => {
      const transfers = raws.map((raw) => moved(payer, ours, raw));
      const said = raws.reduce((sum, one) => sum + one, 0n);
      const came = (said * part) / 10_000n;
      const shares = arrivedOf(transfers, came);
      expect(shares.reduce((sum: bigint, one) => sum + (one ?? 0n), 0n)).toBe(came);
      for (const [place, one] of shares.entries()) {
        expect(one ?? 0n).toBeLessThanOrEqual(raws[place] ?? 0n);
      }
    }),
  );
});
