// An authorization belongs to the first payment that it was handed in for. What was signed is public as soon as it is
// sent, and whoever has read it there has no claim to its money, whatever became of that payment (threats 43 and 93).

import { describe, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import type { Database } from "../../service/ports/database.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { findAuthorizationOwner, storeNonces } from "../../service/x402/nonces.sql.ts";
import { nonceOf } from "../../service/x402/requirements.ts";
import { queryOf } from "./found-looks.ts";
import { authorize, newNonce, otherPayer, payer, signed, stranger } from "./payers.ts";
import { deploymentId, merchant, partner, price, settleDown, startProcess } from "./scene.ts";
import { addDrainer, finalize, impatient, local, scene, shop, useStage } from "./stage.ts";
import { callOf, permitCallOf, submit, submitByContract } from "./strangers.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { expectRefusal } from "../support/refusal.ts";

useStage({ isPermitted: true });

const looks = queryOf(() => scene.database);

async function cancel(id: string): Promise<void> {
  await looks.run`update payments set status = 'cancelled', version = version + 1 where id = ${id} returning id`;
}

/** As our own 402 does it. */
async function tellNonce(id: string, nonce: string): Promise<void> {
  const row = { nonce, payer: "", payment_id: id, deployment_id: deploymentId };
  const nonces = JSON.stringify([{ ...row, due_raw: price.toString() }]);
  await scene.database.run(storeNonces, { nonces });
}

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

/** So soon that it would also be in time for a payment that has expired just now. */
const soon = () => ({ validBefore: scene.nowSeconds() + 300n });

async function claim(command: SettleCommand, paymentId: string): Promise<void> {
  await expectRefusal(
    shop.x402.settle(partner, { ...command, paymentId }),
    "x402_authorization_used",
  );
}

/** What came for it is its payment's, and nobody else's. */
async function expectPaidAlone(id: string): Promise<void> {
  await settleDown(scene, shop);
  expect(await scene.status(id)).toBe("paid");
  const rows = await looks.deposits();
  expect(rows.filter(({ payment_id: paymentId }) => paymentId === id)).toHaveLength(1);
  expect(await scene.differences()).toEqual([]);
}

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

describe("a nonce that a payer works out before it is told", () => {
  /** Of two merchants: one is over, and so far within what its payer may sign. */
  async function twoPayments() {
    const over = await scene.addPayment({ owner: partner, lifeMilliseconds: 1_000 });
    const id = await scene.addPayment();
    return { over, id };
  }

  test.each([true, false])(
    "leaves what was accepted with its payment (the block is read: %s)",
    async (isRead) => {
      const { over, id } = await twoPayments();
      const nonce = nonceOf(over, deploymentId);
      const command = await authorize(scene, id, { nonce, ...soon() });
      expect(await impatient().x402.settle(merchant, command)).toMatchObject({ isSettled: false });
      await tellNonce(over, nonce);
      scene.clock.advance(2_000);
      await scene.expire([over]);
      await scene.mine();
      if (isRead) await scene.watch();
      await claim(command, over);
      expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
      await expectPaidAlone(id);
    },
  );

  test.each([true, false])(
    "leaves what was found used with its payment (the block is read: %s)",
    async (isRead) => {
      const { over, id } = await twoPayments();
      scene.clock.advance(2_000);
      await scene.expire([over]);
      const nonce = nonceOf(id, deploymentId);
      const command = await authorize(scene, id, { nonce, ...soon() });
      const hash = await submit(command);
      await scene.mine();
      if (isRead) await scene.watch();
      const late = { ...command, paymentId: over };
      const told = { isSettled: isRead, txHash: hash };
      expect(await shop.x402.settle(partner, late)).toMatchObject(told);
      await tellNonce(id, nonce);
      await expectRefusal(shop.x402.settle(merchant, command), "x402_authorization_used");
      await settleDown(scene, shop);
      expect(await scene.status(over)).toBe("paid_late");
      expect(await scene.status(id)).toBe("pending");
      expect(await shop.x402.settle(partner, late)).toMatchObject({ isSettled: true });
      expect(await scene.differences()).toEqual([]);
    },
  );
});

test.each([true, false])(
  "one transfer is not told to two authorizations of its transaction (the other payment is open: %s)",
  async (isOpen) => {
    const life = { lifeMilliseconds: 1_000 };
    // The chain is one for both: of what the other has sent, nothing is known here.
    const by = isOpen ? payer : otherPayer;
    await local.mint(by.address, 2n * price);
    await approvePermit2(local, by.address);
    const decoyed = await scene.addPayment({ owner: partner, ...life });
    const id = await scene.addPayment(isOpen ? {} : life);
    scene.clock.advance(2_000);
    await scene.expire(isOpen ? [decoyed] : [decoyed, id]);
    // Permit2 says nothing of where what its nonce was used for has gone.
    const wish = { nonce: newNonce(), method: "permit2", payer: by, ...soon() } as const;
    const claimed = await authorize(scene, decoyed, wish);
    const away = await signed(scene, { ...wish, to: stranger.address });
    const real = await authorize(scene, id, { payer: by, ...soon() });
    const own = { target: local.usdAddress, callData: callOf(real.payload) };
    await submitByContract([permitCallOf(away), own]);
    await scene.mine();
    const outcomes = async () => {
      const asked = [shop.x402.settle(partner, claimed), shop.x402.settle(merchant, real)];
      const answers = await Promise.allSettled(asked);
      return answers.filter((one) => one.status === "fulfilled" && one.value.isSettled).length;
    };
    expect(await outcomes()).toBeLessThanOrEqual(1);
    await scene.watch();
    expect(await outcomes()).toBe(1);
    await settleDown(scene, shop);
    expect(await outcomes()).toBe(1);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
    expect(await scene.differences()).toEqual([]);
  },
);
