// A settlement that comes back after a reorganisation may bring another amount: a token keeps a part of what is
// sent, or another part than before. What is due to its payer is what is sent, and the books say so (threat 48).

import { describe, expect, test } from "vitest";
import { price } from "../payments/progress-world.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { fee, openRestWorld, rest, used } from "./rest-world.ts";

const arrived = (price * 99n) / 100n;
const restOfLess = arrived - used;
const divided = { "merchant:available": used - fee };

describe.each(engines)("on %s", (engine) => {
  test("what waits in the queue is sent as what is due now, and waits for nobody's decision", async () => {
    const world = await openRestWorld(await openDatabase(engine));
    const life = await world.begin();
    expect(await life.release()).toEqual({ raw: `${rest}`, action_raw: `${rest}` });
    await life.taken();
    await life.backWith(arrived);
    const { balances, isItem, state } = await life.look();
    expect(state).toMatchObject({ release: "queued", refund_raw: `${restOfLess}` });
    expect(balances).toEqual({ ...divided, "payer:refund_due": restOfLess });
    expect(await life.release()).toEqual({ raw: `${restOfLess}`, action_raw: `${restOfLess}` });
    expect(isItem).toBe(false);
    await life["release signed"]();
    await life["release sent"]();
    expect(await life.look()).toMatchObject({ balances: divided, chainRaw: used, feesRaw: fee });
  });

  test("what is signed stays what was promised", async () => {
    const world = await openRestWorld(await openDatabase(engine));
    const life = await world.begin();
    await life["release signed"]();
    await life.taken();
    await life.backWith(arrived);
    expect((await life.look()).state.refund_raw).toBe(`${rest}`);
    expect(await life.release()).toEqual({ raw: `${rest}`, action_raw: `${rest}` });
    await life["release sent"]();
    const { balances, chainRaw } = await life.look();
    expect(chainRaw).toBe(arrived - rest);
    // What came less is the merchant's debt, less what it has got: it is its payment's settlement.
    const lacks = rest - restOfLess - (used - fee);
    expect(lacks).toBeLessThan(0n);
    expect(balances).toEqual({ "merchant:available": -lacks });
  });

  test("what was written off stays the platform's when its settlement brings less, and goes again", async () => {
    const world = await openRestWorld(await openDatabase(engine));
    for (const back of [used, used - 100_000n, arrived, price]) {
      const life = await world.begin();
      await life["release signed"]();
      await life["release failed"]();
      await life["written off"]();
      for (const brought of [back, price]) {
        await life.taken();
        const { balances, chainRaw, feesRaw } = await life.look();
        expect({ balances, chainRaw, feesRaw }).toEqual({
          balances: {},
          chainRaw: 0n,
          feesRaw: 0n,
        });
        await life.backWith(brought);
      }
      await life.taken();
      const { balances, chainRaw, feesRaw } = await life.look();
      expect({ balances, chainRaw, feesRaw }).toEqual({ balances: {}, chainRaw: 0n, feesRaw: 0n });
    }
  });

  test("what was promised and does not leave is due no more when its settlement goes again", async () => {
    const world = await openRestWorld(await openDatabase(engine));
    const life = await world.begin();
    await life["release signed"]();
    await life.taken();
    await life["debt borne"]();
    await life.backWith(arrived);
    await life["release failed"]();
    await life.taken();
    const { balances, state, chainRaw, feesRaw } = await life.look();
    expect({ balances, chainRaw, feesRaw }).toEqual({ balances: {}, chainRaw: 0n, feesRaw: 0n });
    expect(state).toMatchObject({ refund_raw: null, borne_raw: "0" });
  });

  test("what comes back with a rest, where it brought none before, is due to its payer", async () => {
    const world = await openRestWorld(await openDatabase(engine));
    const life = await world.begin();
    await life.taken();
    await life.backWith(used);
    expect((await life.look()).balances).toEqual(divided);
    await life.taken();
    await life.backWith(price);
    expect((await life.look()).balances).toEqual({ ...divided, "payer:refund_due": rest });
    expect(await life.release()).toEqual({ raw: `${rest}`, action_raw: `${rest}` });
  });
});
