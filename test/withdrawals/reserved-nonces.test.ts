// The signer never signs a nonce for a second thing, so a nonce that it was asked for belongs to its
// withdrawal, whoever dies and whatever changes meanwhile: it is sent with it, or its nonce is used
// for nothing, and it never holds up the others for good (threats 14 and 18).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import type { Owner } from "../../service/owner.ts";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type { ActionSigner } from "../../service/ports/signer.ts";
import { leaseMilliseconds } from "../../service/sending/lease.ts";
import type { SenderPoint } from "../../service/sending/ports.ts";
import { engines } from "../support/engines.ts";
import { ScriptedKeys } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { chainId, finalBlocks, openScene, type Scene, usdc, whole } from "./scene.ts";
import { dyingAt } from "../support/dying.ts";

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  /** in whose way the other one stands */
  let owner: Owner;
  let address: string;
  let id: string;
  let behind: { readonly owner: Owner; readonly addressId: string; readonly address: string };

  beforeEach(async () => {
    scene = await openScene(engine);
    owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    const { id: addressId, ...one } = await scene.register(owner);
    ({ address } = one);
    ({ id } = await scene.request(owner, addressId, "100"));
    const other = await scene.newOwner();
    await scene.fund(other, 1000n * whole);
    const { id: otherId, ...more } = await scene.register(other);
    behind = { owner: other, addressId: otherId, ...more };
  });

  const askBehind = async () => {
    scene.clock.advance(1);
    return (await scene.request(behind.owner, behind.addressId, "7")).id;
  };
  const alarms = () => scene.alarms.map(([what]) => what);
  const arrived = (to: string) => scene.chain.transfersTo(to).map(({ amountRaw }) => amountRaw);
  const suspend = () =>
    query(
      scene.database,
      sql`update merchants set status = 'suspended' where id = ${sql.lit(owner.merchantId)}`,
    );
  const release = () => query(scene.database, sql`update merchants set status = 'active'`);

  const dieAt = async (point: SenderPoint): Promise<void> => {
    const { reached, died } = dyingAt(point);
    void scene.startProcess({ reached }).send();
    await died;
    scene.clock.advance(leaseMilliseconds);
  };
  const settle = async (process = scene.startProcess()): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
  };
  const expectGivenUp = async (): Promise<void> => {
    expect(await scene.statusOf(id)).toBe("failed");
    expect(await scene.withdrawals.get(owner, id)).toMatchObject({ reason: "given_up" });
    expect((await scene.eventsOf(id)).at(-1)).toBe("withdrawal.failed");
    expect(arrived(address)).toEqual([]);
    expect(await scene.balance(owner, "merchant:available")).toBe(1000n * whole);
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(0n);
    expect(await scene.isLedgerWhole()).toBe(true);
  };

  describe.each(["claimed", "signed"] as const)("after a death when it was just %s", (point) => {
    test("it goes first, with its nonce", async () => {
      await dieAt(point);
      const later = await askBehind();
      await settle();
      expect(await scene.attempts(id)).toMatchObject([{ nonce: 0n }]);
      expect(await scene.attempts(later)).toMatchObject([{ nonce: 1n }]);
      expect([arrived(address), arrived(behind.address)]).toEqual([[100n * whole], [7n * whole]]);
    });

    test("it fails if it must not be sent any more, and the others go on", async () => {
      await dieAt(point);
      const later = await askBehind();
      await suspend();
      await settle();
      await expectGivenUp();
      expect(await scene.statusOf(later)).toBe("confirmed");
      expect(await scene.nonces()).toEqual([0n, 1n]);
      expect(alarms()).toEqual(["withdrawal_given_up"]);
    });

    test("while all is stopped it waits with its nonce, and is sent after that", async () => {
      await dieAt(point);
      const later = await askBehind();
      await scene.policy.stop(chainId, "somebody is in");
      await settle();
      expect([await scene.statusOf(id), await scene.statusOf(later)]).toEqual([
        "processing",
        "pending",
      ]);
      expect(await scene.chain.minedCount(scene.hotAddress)).toBe(0n);
      await scene.policy.resume(chainId);
      await settle();
      expect([arrived(address), arrived(behind.address)]).toEqual([[100n * whole], [7n * whole]]);
      expect(await scene.nonces()).toEqual([0n, 1n]);
    });

    test("no hand makes it pending or cancels it while it has its nonce", async () => {
      await dieAt(point);
      const back = query(scene.database, sql`update withdrawals set status = 'pending'`);
      await expect(back).rejects.toMatchObject({ constraint: "withdrawals_reserved" });
      await expect(scene.cancel(owner, id)).rejects.toMatchObject({
        code: "withdrawal_not_cancellable",
      });
    });

    test("it is given back if a stranger used its nonce, once somebody has looked", async () => {
      await dieAt(point);
      const { chain, hotAddress } = scene;
      const intent = { nonce: 0n, to: behind.address, contractAddress: null, amountRaw: 1n };
      const fees = await chain.fees();
      const stranger = new ScriptedKeys(hotAddress);
      await chain.send((await stranger.sign(chainId, { ...intent, fees })).raw);
      chain.mine();
      await settle();
      expect(alarms()).toEqual(["account_used_by_others"]);
      expect(await scene.statusOf(id)).toBe("pending");
      await scene.policy.resume(chainId);
      scene.clock.advance(60_000);
      await settle();
      expect(await scene.statusOf(id)).toBe("confirmed");
      expect(arrived(address)).toEqual([100n * whole]);
      expect(await scene.nonces()).toEqual([1n]);
    });
  });

  test.each(["given_up", "signed", "stored", "sent"] as const)(
    "what was given up stays so, also after a death when it was just %s",
    async (point) => {
      await dieAt("signed");
      await suspend();
      await dieAt(point);
      await release();
      await settle();
      await expectGivenUp();
      expect(await scene.nonces()).toEqual([0n]);
    },
  );

  test("what was given up is sent again as it was if a final block is gone", async () => {
    await dieAt("claimed");
    await suspend();
    await settle();
    const later = await askBehind();
    await scene.startProcess().send();
    scene.chain.reorg(4 * finalBlocks, { transactions: "dropped" });
    scene.clock.advance(20_000);
    await settle();
    await expectGivenUp();
    expect(await scene.statusOf(later)).toBe("confirmed");
    expect(arrived(behind.address)).toEqual([7n * whole]);
  });

  test("whoever slept with something signed writes nothing after it was given up", async () => {
    const awake = Promise.withResolvers<undefined>();
    const asleep = Promise.withResolvers<undefined>();
    const sleeper = scene.startProcess({
      reached: async (point) => {
        if (point !== "signed") return;
        asleep.resolve(undefined);
        await awake.promise;
      },
    });
    const turn = sleeper.send();
    await asleep.promise;
    scene.clock.advance(leaseMilliseconds);
    await suspend();
    await scene.startProcess().send();
    await release();
    awake.resolve(undefined);
    await turn;
    await settle();
    await expectGivenUp();
    expect(await scene.attempts(id)).toHaveLength(1);
  });

  /** A signer that says so of the withdrawal that was asked for first. */
  const signerThat = (error: () => Error): ActionSigner => ({
    accounts: scene.signer.accounts,
    nextNonce: scene.signer.nextNonce,
    signAction: async (chain, intent) => {
      if (intent.action.kind === "transfer" && intent.action.to === address) throw error();
      return scene.signer.signAction(chain, intent);
    },
  });

  test("a signer that is away leaves it its nonce, and signs that when it is there again", async () => {
    const away = () => new ServiceError("chain_unavailable", "The signer does not answer.");
    const process = scene.startProcess({ signer: signerThat(away) });
    const later = await askBehind();
    for (let turn = 0; turn < 2; turn++) {
      await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
      expect(await scene.statusOf(id)).toBe("processing");
    }
    await settle();
    expect(await scene.attempts(id)).toMatchObject([{ nonce: 0n }]);
    expect(await scene.attempts(later)).toMatchObject([{ nonce: 1n }]);
    expect(arrived(address)).toEqual([100n * whole]);
  });

  test("a limit that the signer has since fails it, and the others go on", async () => {
    await dieAt("claimed");
    const later = await askBehind();
    const limit = () => new SignerRefusal("above the limit");
    await settle(scene.startProcess({ signer: signerThat(limit) }));
    await expectGivenUp();
    expect(await scene.statusOf(later)).toBe("confirmed");
    expect(alarms()).toEqual(["signer_refuses", "withdrawal_given_up"]);
  });

  test("a nonce that the signer knows for something else waits for people, with all others", async () => {
    await dieAt("claimed");
    const later = await askBehind();
    const taken = () => new NonceTaken("signed for something else");
    const process = scene.startProcess({ signer: signerThat(taken) });
    await expect(process.send()).rejects.toThrow("something else");
    expect([await scene.statusOf(id), await scene.statusOf(later)]).toEqual([
      "processing",
      "pending",
    ]);
    expect(alarms()).toEqual(["signer_refuses"]);
    expect(scene.chain.waiting).toEqual([]);
  });

  test("an account that cannot pay for it any more uses its nonce for nothing", async () => {
    await dieAt("signed");
    const { chain, hotAddress } = scene;
    const all = await chain.balance(hotAddress, usdc.contractAddress);
    chain.mint(hotAddress, usdc.contractAddress, -all);
    await settle();
    await expectGivenUp();
  });
});
