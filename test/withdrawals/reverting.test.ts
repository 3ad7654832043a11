// What was mined and came to nothing costs us gas, and its merchant nothing: its address has to wait, so
// that nobody can have that again and again (threat 97).

import { beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { engines } from "../support/engines.ts";
import { finalBlocks, openScene, usdc, whole } from "./scene.ts";

const minute = 60_000;

describe.each(engines)("on %s", (engine) => {
  let scene: Awaited<ReturnType<typeof openScene>>;
  let owner: Owner;
  let addressId: string;
  beforeEach(async () => {
    scene = await openScene(engine);
    owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    addressId = (await scene.register(owner)).id;
  });

  const ask = async (to = addressId) => {
    scene.clock.advance(1);
    return (await scene.request(owner, to, "1")).id;
  };
  const statusesOf = (ids: readonly string[]) => Promise.all(ids.map((id) => scene.statusOf(id)));
  const setReverting = (isReverting: boolean): void => {
    if (isReverting) scene.chain.reverting.add(usdc.contractAddress);
    else scene.chain.reverting.delete(usdc.contractAddress);
  };
  const send = () => scene.startProcess().send();
  const confirm = async (): Promise<void> => {
    scene.chain.mine(finalBlocks);
    await scene.startProcess().confirm();
  };
  /** The chain says that it will succeed, and then it does not. */
  const fail = async (id: string): Promise<void> => {
    await send();
    expect(await scene.statusOf(id)).toBe("broadcast");
    setReverting(true);
    await confirm();
    setReverting(false);
    expect(await scene.statusOf(id)).toBe("failed");
  };

  test("threat 97: an address that reverts waits, longer each time, and those that have received something do not", async () => {
    const { id: otherId } = await scene.register(owner);
    const proof = await ask(otherId);
    await send();
    await confirm();
    expect(await scene.statusOf(proof)).toBe("confirmed");
    let next = await ask();
    for (const minutes of [10, 20, 40]) {
      await fail(next);
      next = await ask();
      const other = await ask(otherId);
      scene.clock.advance(minutes * minute - 10);
      await send();
      expect(await statusesOf([next, other])).toEqual(["pending", "broadcast"]);
      await confirm();
      expect(await statusesOf([next, other])).toEqual(["pending", "confirmed"]);
      scene.clock.advance(10);
    }
    await send();
    expect(await scene.statusOf(next)).toBe("broadcast");
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("threat 97: what waits in the queue waits with it, can be cancelled, and comes one at a time", async () => {
    const first = await ask();
    await send();
    scene.signer.refusals = 3;
    const [second, third, fourth] = [await ask(), await ask(), await ask()];
    setReverting(true);
    await confirm();
    setReverting(false);
    await send();
    expect(await statusesOf([first, second, third, fourth])).toEqual([
      "failed",
      "pending",
      "pending",
      "pending",
    ]);
    expect((await scene.cancel(owner, fourth)).status).toBe("cancelled");
    scene.signer.refusals = 0;
    scene.clock.advance(10 * minute);
    await send();
    expect(await statusesOf([second, third])).toEqual(["broadcast", "pending"]);
    await send();
    expect(await scene.statusOf(third)).toBe("pending");
    await confirm();
    // One has arrived: all that is forgotten.
    const more = [third, await ask(), await ask()];
    await send();
    expect(await statusesOf([second, ...more])).toEqual([
      "confirmed",
      "broadcast",
      "broadcast",
      "broadcast",
    ]);
    await confirm();
    const again = await ask();
    await fail(again);
    const last = await ask();
    scene.clock.advance(10 * minute);
    await send();
    expect(await scene.statusOf(last)).toBe("broadcast");
  });

  test("threat 97: the wait ends at a day", async () => {
    for (let round = 0; round < 9; round++) {
      await fail(await ask());
      scene.clock.advance(24 * 60 * minute);
    }
    const last = await ask();
    await send();
    expect(await scene.statusOf(last)).toBe("broadcast");
  });
});
