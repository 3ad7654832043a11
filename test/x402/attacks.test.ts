// What somebody gains who puts authorizations together as nobody should, and what is lost when the
// watcher and the settlements do not keep step: nothing.

import { describe, expect, test } from "vitest";
import { stepsOf } from "../../service/payments/rules.ts";
import { quotesOf } from "../payments/progress-quotes.ts";
import { query } from "../support/service-parts.ts";
import { authorize, newNonce, signed, stranger, payer } from "./payers.ts";
import { merchant, price, settleDown } from "./scene.ts";
import { impatient, scene, signedPayment, local, setStage, shop, useStage } from "./stage.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { callOf, type Signed, submitByContract } from "./strangers.ts";

useStage();

/** All in one transaction, mined. */
async function submitTogether(all: readonly Signed[]): Promise<void> {
  await submitByContract(all.map((one) => ({ target: local.usdAddress, callData: callOf(one) })));
  await scene.mine();
}

/** With the nonce of another authorization of the same payer, to an account of the payer's own. */
async function decoy(nonce: string): Promise<Signed> {
  const { signature, authorization } = await signed(scene, { nonce, to: stranger.address });
  if (authorization.method !== "eip3009") throw new Error("it is signed by EIP-3009");
  return { ...authorization, signature };
}

async function outcomeOf(settling: Promise<{ readonly isSettled: boolean }>): Promise<string> {
  try {
    return String((await settling).isSettled);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("one transfer in a transaction that uses two authorizations", () => {
  test.each([true, false])(
    "settles one payment, whatever is asked first (watched in between: %s)",
    async (isWatched) => {
      const [one, other] = [await scene.addPayment(), await scene.addPayment()];
      const real = await authorize(scene, one);
      const nonce = newNonce();
      const claimed = await authorize(scene, other, { nonce });
      await submitTogether([await decoy(nonce), real.payload]);
      const first = await outcomeOf(shop.x402.settle(merchant, claimed));
      if (isWatched) {
        await scene.watch();
        await shop.reconcile();
      }
      const second = await outcomeOf(shop.x402.settle(merchant, real));
      expect([first, second]).toEqual(["x402_transfer_mismatch", "true"]);
      await settleDown(scene, shop);
      expect(await scene.status(other)).toBe("pending");
      expect(await scene.status(one)).toBe("paid");
      expect((await scene.balances())["chain:settlement"]).toBe(price);
      expect(await scene.differences()).toEqual([]);
    },
  );

  test("settles one payment, when two processes see it at the same moment", async () => {
    await setStage("PostgreSQL");
    const [one, other] = [await scene.addPayment(), await scene.addPayment()];
    const real = await authorize(scene, one);
    const nonce = newNonce();
    const claimed = await authorize(scene, other, { nonce });
    await submitTogether([await decoy(nonce), real.payload]);
    // Both have asked the chain before either of them decides.
    const both = Promise.withResolvers<undefined>();
    const asked = new Set<string>();
    const processOf = async (id: string) =>
      scene.startProcess({
        chain: await scene.openChain(),
        reached: async (point) => {
          if (point !== "asked") return;
          asked.add(id);
          if (asked.size === 2) both.resolve(undefined);
          await both.promise;
        },
      });
    const [first, second] = [await processOf(one), await processOf(other)];
    const outcomes = await Promise.all([
      outcomeOf(first.x402.settle(merchant, real)),
      outcomeOf(second.x402.settle(merchant, claimed)),
    ]);
    expect(outcomes.toSorted()).toEqual(["true", "x402_transfer_mismatch"]);
    await settleDown(scene, shop);
    const statuses = [await scene.status(one), await scene.status(other)];
    expect(statuses).toEqual(outcomes[0] === "true" ? ["paid", "pending"] : ["pending", "paid"]);
    expect(await scene.differences()).toEqual([]);
  });

  test("that is less than another payment's is not taken from the one that has it", async () => {
    const [one, other] = [
      await scene.addPayment(),
      await scene.addPayment({ priceRaw: price + 1n }),
    ];
    const real = await authorize(scene, one);
    const nonce = newNonce();
    const claimed = await authorize(scene, other, { nonce, amountRaw: price + 1n });
    await submitTogether([await decoy(nonce), real.payload]);
    expect(await outcomeOf(shop.x402.settle(merchant, real))).toBe("true");
    const second = await outcomeOf(shop.x402.settle(merchant, claimed));
    expect(second).toBe("x402_transfer_mismatch");
    // The jobs look at the other one first.
    await scene.watch();
    await query(
      scene.database,
    )`update x402_settlements set checked_at = null where payment_id = ${other} returning id`;
    await settleDown(scene, shop);
    expect(await scene.status(one)).toBe("paid");
    expect(await scene.status(other)).toBe("pending");
    expect((await scene.balances())["chain:settlement"]).toBe(price);
    expect(await scene.differences()).toEqual([]);
  });
});

describe("somebody else's transaction that a reorganisation takes away", () => {
  test("is replaced by ours, which had been taken back", async () => {
    const { id, command } = await signedPayment();
    await submitTogether([command.payload]);
    expect(await outcomeOf(shop.x402.settle(merchant, command))).toBe("true");
    expect(await scene.sent()).toEqual([]);
    await local.reorg(1);
    await scene.mine();
    await settleDown(scene, shop);
    await settleDown(scene, shop);
    expect(await scene.sent()).toHaveLength(1);
    expect(await scene.status(id)).toBe("paid");
    expect((await scene.balances())["chain:settlement"]).toBe(price);
    expect(await scene.differences()).toEqual([]);
  });

  test("after the end of the authorization leaves the payment free", async () => {
    const { id, command } = await signedPayment();
    await submitTogether([command.payload]);
    expect(await outcomeOf(shop.x402.settle(merchant, command))).toBe("true");
    await local.reorg(1);
    await local.setTime(command.payload.validBefore + 1n);
    await scene.mine();
    await settleDown(scene, shop);
    expect(await scene.settlements(id)).toMatchObject([
      { status: "failed", reason: "x402_simulation_failed" },
    ]);
    expect(await scene.sent()).toEqual([]);
    expect(await scene.status(id)).toBe("pending");
  });
});

describe("a settlement that nobody has looked at for long", () => {
  test("is credited, although the watcher has forgotten its block", async () => {
    const { x402 } = impatient();
    const id = await scene.addPayment();
    await x402.settle(merchant, await authorize(scene, id));
    const block = await scene.mine();
    await scene.mine(6);
    await scene.watch();
    await query(
      scene.database,
    )`delete from chain_blocks where block_number <= ${block.number + 1n} returning block_number`;
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    expect((await scene.balances())["chain:settlement"]).toBe(price);
    expect(await scene.differences()).toEqual([]);
  });
});

describe("an authorization that is used, while one node does not know where", () => {
  test.each(["the use", "its receipt"])("is not given up (unknown: %s)", async (unknown) => {
    const behind = { is: false };
    const { chain } = scene;
    const lagging: typeof chain = {
      ...chain,
      useOf: async (authorization, fromBlock) =>
        behind.is && unknown === "the use" ? undefined : chain.useOf(authorization, fromBlock),
      settlementReceipt: async (txHash, authorization) =>
        behind.is ? undefined : chain.settlementReceipt(txHash, authorization),
    };
    const process = scene.startProcess({ chain: lagging, waitMilliseconds: 0 });
    const { id, command } = await signedPayment();
    await submitTogether([command.payload]);
    // It is accepted as used; what follows sees less.
    const found = { is: false };
    const late: typeof chain = {
      ...lagging,
      estimate: async (from, action) => {
        behind.is = found.is;
        found.is = true;
        return chain.estimate(from, action);
      },
    };
    const impatient = scene.startProcess({ chain: late, waitMilliseconds: 0 });
    expect(await outcomeOf(impatient.x402.settle(merchant, command))).toBe("false");
    await process.reconcile();
    expect(await scene.settlements(id)).toMatchObject([{ status: "queued" }]);
    behind.is = false;
    await process.reconcile();
    expect(await scene.settlements(id)).toMatchObject([{ status: "settled" }]);
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
  });

  test("is, if nobody knows it after minutes", async () => {
    const isUsedElsewhere = { is: false };
    const { chain } = scene;
    const process = scene.startProcess({
      waitMilliseconds: 0,
      chain: {
        ...chain,
        estimate: async (from, action) => {
          if (!isUsedElsewhere.is) return chain.estimate(from, action);
          return { isPossible: false, text: "it is used" };
        },
        authorizationState: async (authorization) => {
          const state = await chain.authorizationState(authorization);
          const said = { ...state, isUsed: state.isUsed || isUsedElsewhere.is };
          isUsedElsewhere.is = true;
          return said;
        },
        useOf: () => Promise.resolve(undefined),
      },
    });
    const { id, command } = await signedPayment();
    expect(await outcomeOf(process.x402.settle(merchant, command))).toBe("false");
    await process.send();
    expect(await scene.settlements(id)).toMatchObject([{ status: "queued" }]);
    scene.clock.advance(180_000);
    await process.send();
    expect(await scene.settlements(id)).toMatchObject([
      { status: "failed", reason: "x402_authorization_used" },
    ]);
    expect(await scene.sent()).toEqual([]);
    expect(await scene.status(id)).toBe("pending");
  });
});

describe("authorizations that wait for their usage", () => {
  test("are not asked about before their deadline", async () => {
    await approvePermit2(local, payer.address);
    const { id, command } = await signedPayment({ scheme: "upto", method: "permit2" });
    await shop.x402.settle(merchant, command);
    const looked = () =>
      query(scene.database)<{ checked_at: Date | null }>`select checked_at from x402_settlements
        where payment_id = ${id}`;
    const before = await looked();
    scene.clock.advance(10_000);
    await shop.reconcile();
    expect(before).toHaveLength(1);
    expect(await looked()).toEqual(before);
  });
});

describe("money that came beside an upto authorization, and is gone for good", () => {
  test("takes nothing back while what was charged is there", () => {
    const standard = { deploymentId: "dep_usdc_base", amountRaw: price, isBooked: true } as const;
    const blockTime = scene.clock.now();
    const charged = { ...standard, blockTime, state: "final", isApart: true } as const;
    const gone = { ...standard, blockTime, state: "orphaned" } as const;
    const stepsWith = (upto: "used" | "open") =>
      stepsOf({
        status: "paid",
        quotes: quotesOf({ usdc: price.toString() }),
        expiresAt: blockTime,
        deposits: [charged, gone],
        isTimeOver: false,
        x402: { expected: [], upto, isFailing: false },
      }).map(({ to }) => to);
    expect(stepsWith("used")).toEqual([]);
    expect(stepsWith("open")).toEqual(["reversed"]);
  });
});
