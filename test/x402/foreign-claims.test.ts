// An authorization belongs to the first payment that it was accepted for. What was signed is public as soon as it is
// sent, and whoever has read it there has no claim to its money, whatever became of that payment (threat 40).

import { describe, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import type { Database } from "../../service/ports/database.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import { findAuthorizationOwner } from "../../service/x402/nonces.sql.ts";
import { cancel, claim, expectPaidAlone, looks, soon, tellNonce } from "./claims.ts";
import { authorize, newNonce, otherPayer, signed, stranger } from "./payers.ts";
import { deploymentId, merchant, partner, price, settleDown, startProcess } from "./scene.ts";
import { addDrainer, finalize, impatient, local, scene, shop, useStage } from "./stage.ts";
import { callOf, permitCallOf, submit, submitByContract } from "./strangers.ts";
import { Cuts } from "../support/cuts.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { accountOf } from "../support/test-accounts.ts";
import { expectRefusal } from "../support/refusal.ts";

useStage({ isPermitted: true });

/** Of whom nothing else is on the chain. */
const third = accountOf(`0x${"48".repeat(32)}`);

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ServiceError && error.code === code;

/** Payments of somebody who reads what others have signed: only some of them are to be paid. */
const thieves: Readonly<Record<string, () => Promise<string>>> = {
  pending: () => scene.addPayment({ owner: partner }),
  cancelled: async () => {
    const id = await scene.addPayment({ owner: partner });
    await cancel(id);
    return id;
  },
  expired: async () => {
    const id = await scene.addPayment({ owner: partner, lifeMilliseconds: 1_000 });
    scene.clock.advance(2_000);
    await scene.expire([id]);
    return id;
  },
  settled: async () => {
    const id = await scene.addPayment({ owner: partner });
    await local.mint(otherPayer.address, price);
    const own = await authorize(scene, id, { payer: otherPayer });
    expect(await shop.x402.settle(partner, own)).toMatchObject({ isSettled: true });
    await settleDown(scene, shop);
    return id;
  },
};

describe.each(Object.keys(thieves))("a payment of another merchant that is %s", (state) => {
  test.each(["eip3009", "permit2"] as const)(
    "gets nothing of what is mined, and not yet written down (%s)",
    async (method) => {
      const theft = (await thieves[state]?.()) ?? "";
      const before = (await looks.deposits()).length;
      const id = await scene.addPayment();
      const command = await authorize(scene, id, { method, ...soon() });
      expect(await impatient().x402.settle(merchant, command)).toMatchObject({ isSettled: false });
      await scene.mine();
      // The block is read, so that a deposit could be written down.
      await scene.watch();
      expect(await scene.settlements(id)).toMatchObject([{ status: "queued" }]);
      await claim(command, theft);
      expect((await looks.deposits()).slice(before)).toMatchObject([{ payment_id: null }]);
      expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
      await expectPaidAlone(id);
    },
  );

  test("gets nothing of what has failed, before it is used and after", async () => {
    const theft = (await thieves[state]?.()) ?? "";
    const { drainer, x402, refill } = await addDrainer("45");
    const id = await scene.addPayment();
    const command = await authorize(scene, id, { payer: drainer, ...soon() });
    await expectRefusal(x402.settle(merchant, command), "x402_reverted");
    await scene.mine(3);
    await shop.reconcile();
    expect(await scene.settlements(id)).toMatchObject([{ status: "failed" }]);
    await refill();
    if (state === "pending") await claim(command, theft);
    await submit(command);
    await scene.mine();
    await scene.watch();
    await claim(command, theft);
    scene.clock.advance(60_000);
    await shop.reconcile();
    await finalize();
    await expectPaidAlone(id);
  });
});

test("another token, chain, payer or nonce is another authorization", async () => {
  const id = await scene.addPayment();
  const command = await authorize(scene, id);
  await shop.x402.settle(merchant, command);
  const { from, nonce } = command.payload;
  const of = { chainId: local.chainId, deploymentId, payer: from, nonce, paymentId: "pay_0" };
  const changes = [
    {},
    { chainId: "eip155:1" },
    { deploymentId: "dep_usdc_base" },
    { payer: otherPayer.address },
    { nonce: `0x${"1".repeat(64)}` },
  ];
  const owners = () =>
    Promise.all(
      changes.map(async (change) => {
        const rows = await scene.database.run(findAuthorizationOwner, { ...of, ...change });
        return rows.map(({ payment_id: paymentId }) => paymentId);
      }),
    );
  const nonces = () => looks.run`select payment_id from x402_nonces where nonce = ${nonce}`;
  expect(await nonces()).toEqual([{ payment_id: id }]);
  // Of another chain only what the row of the nonce says is another one.
  expect(await owners()).toEqual([[id], [id], [], [], []]);
  // As a version before has accepted it.
  await looks.run`delete from x402_nonces where nonce = ${nonce} returning nonce`;
  expect(await owners()).toEqual([[id], [], [], [], []]);
  const named = await scene.addPayment();
  await tellNonce(named, nonce);
  for (const [paymentId, owner] of [
    [id, { payment_id: id, is_named: false }],
    [named, { payment_id: id, is_named: false }],
  ] as const) {
    const rows = await scene.database.run(findAuthorizationOwner, { ...of, paymentId });
    expect(rows).toEqual([owner]);
  }
});

describe("two payments that are told of at once what a stranger has sent", () => {
  /** A process in which another request runs from its beginning to its end at a moment of one of its own. */
  function processWith(at: "accepting" | "storing", other: () => Promise<unknown>) {
    let isFirst = true;
    const first = async (): Promise<void> => {
      const isNow = isFirst;
      isFirst = false;
      if (isNow) await other();
    };
    const chain: SettlementChain = {
      ...scene.chain,
      estimate: async (...asked) => {
        await first();
        return scene.chain.estimate(...asked);
      },
    };
    const database: Database = {
      ...scene.database,
      transaction: async (work, together) => {
        await first();
        return scene.database.transaction(work, together);
      },
    };
    const [own, options] = at === "accepting" ? [scene, { chain }] : [{ ...scene, database }, {}];
    return startProcess(own, options);
  }

  async function submitted() {
    const over = await scene.addPayment({ owner: partner });
    await cancel(over);
    const id = await scene.addPayment();
    const command = await authorize(scene, id);
    const hash = await submit(command);
    await scene.mine();
    return { id, command, hash, late: { ...command, paymentId: over } };
  }

  test("are not both paid: the one that is over was stored first", async () => {
    const { id, command, hash, late } = await submitted();
    await scene.watch();
    const claims = () =>
      expectRefusal(shop.x402.settle(partner, late), "payment_not_payable", { tx_hash: hash });
    const { x402 } = processWith("accepting", claims);
    await expectRefusal(x402.settle(merchant, command), "x402_authorization_used");
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("pending");
    expect(await scene.settlements(id)).toEqual([]);
    expect(await scene.balances()).toEqual({
      "chain:settlement": price,
      "merchant:unmatched mer_partner": price,
    });
    expect(await scene.differences()).toEqual([]);
    // Whoever has it hears the same again.
    await claims();
  });

  test("nor is one told before the block is read: then it has it, and the other one is refused", async () => {
    const { id, command, hash, late } = await submitted();
    const isOpen = async () =>
      expect(await shop.x402.settle(partner, late)).toMatchObject({
        isSettled: false,
        txHash: hash,
      });
    const { x402 } = processWith("accepting", isOpen);
    await expectRefusal(x402.settle(merchant, command), "x402_authorization_used");
    await isOpen();
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("pending");
    await expectRefusal(shop.x402.settle(partner, late), "payment_not_payable", { tx_hash: hash });
  });

  test("nor two by two authorizations of its transaction, where one looks before the other has stored it", async () => {
    const over = await scene.addPayment({ owner: partner, lifeMilliseconds: 1_000 });
    const id = await scene.addPayment({ lifeMilliseconds: 1_000 });
    scene.clock.advance(2_000);
    await scene.expire([over, id]);
    const wish = { nonce: newNonce(), method: "permit2", payer: third, ...soon() } as const;
    await local.giveCoin(third.address, 10n ** 20n);
    await local.mint(third.address, 2n * price);
    await approvePermit2(local, third.address);
    const claimed = await authorize(scene, over, wish);
    const away = await signed(scene, { ...wish, to: stranger.address });
    const real = await authorize(scene, id, { payer: third, ...soon() });
    const own = { target: local.usdAddress, callData: callOf(real.payload) };
    await submitByContract([permitCallOf(away), own]);
    await scene.mine();
    await scene.watch();
    const settles = async () =>
      expect(await shop.x402.settle(merchant, real)).toMatchObject({ isSettled: true });
    const { x402 } = processWith("storing", settles);
    await expectRefusal(x402.settle(partner, claimed), "payment_not_payable");
    await settleDown(scene, shop);
    expect([await scene.status(id), await scene.status(over)]).toEqual(["paid_late", "expired"]);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
  });

  test.each(["done", "not done"] as const)(
    "is given to a payment that is over once, when nobody heard that it was (it was %s)",
    async (kind) => {
      const { hash, late } = await submitted();
      await scene.watch();
      const cuts = new Cuts(new Map([[1, kind]]), ["record_x402_arrival"]);
      const { x402 } = startProcess({ ...scene, database: cuts.of(scene.database) }, {});
      const settle = () => cuts.during(() => x402.settle(partner, late));
      await expectRefusal(settle(), "service_unavailable");
      const nonces = await looks.run`select payment_id from x402_nonces where payer <> ''`;
      expect(nonces).toEqual(kind === "done" ? [{ payment_id: late.paymentId }] : []);
      await expectRefusal(settle(), "payment_not_payable", { tx_hash: hash });
      await settleDown(scene, shop);
      expect(await scene.balances()).toEqual({
        "chain:settlement": price,
        "merchant:unmatched mer_partner": price,
      });
      expect(await scene.differences()).toEqual([]);
    },
  );

  test("are not both paid: the one that is open was stored first", async () => {
    const { id, command, late } = await submitted();
    await scene.watch();
    const dying = scene.startProcess({
      reached: (point) => Promise.reject(new Error(`it dies when it is ${point}`)),
    });
    const accepts = () =>
      expect(dying.x402.settle(merchant, command)).rejects.toThrow("dies when it is accepted");
    const { x402 } = processWith("storing", accepts);
    await expectRefusal(x402.settle(partner, late), "x402_authorization_used");
    await expectPaidAlone(id);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
  });

  test("wait for each other where both are being written", async () => {
    const { command, late } = await submitted();
    await scene.watch();
    const answers = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? scene.startProcess().x402.settle(merchant, command)
          : scene.startProcess().x402.settle(partner, late),
      ),
    );
    const settled = answers.filter(({ status }) => status === "fulfilled").length;
    const kept = answers.filter(
      (one) => one.status === "rejected" && hasCode(one.reason, "payment_not_payable"),
    ).length;
    const used = answers.filter(
      (one) => one.status === "rejected" && hasCode(one.reason, "x402_authorization_used"),
    ).length;
    expect([settled, kept, used].toSorted((one, other) => one - other)).toEqual([0, 6, 6]);
    await settleDown(scene, shop);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
    expect(await scene.differences()).toEqual([]);
  });
});
