// Addresses are easily registered. Where coin never arrived, what came to nothing at another address of the same
// merchant counts too (threat 97).

import { beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { engines } from "../support/engines.ts";
import { coin, finalBlocks, openScene, whole } from "./scene.ts";

const minute = 60_000;

describe.each(engines)("on %s", (engine) => {
  let scene: Awaited<ReturnType<typeof openScene>>;
  let owner: Owner;
  beforeEach(async () => {
    scene = await openScene(engine);
    owner = await scene.newOwner();
    await scene.fund(owner, 10n ** 18n, coin);
  });

  const newAddress = async (of = owner) => (await scene.register(of)).id;
  const ask = async (to: string, of = owner) => {
    scene.clock.advance(1);
    const wanted = { amount: "0.000001", currencyId: coin.currencyId };
    return (await scene.request(of, to, wanted)).id;
  };
  const statusesOf = (ids: readonly string[]) => Promise.all(ids.map((id) => scene.statusOf(id)));
  const countOf = async (status: string, ids: readonly string[]) =>
    (await statusesOf(ids)).filter((one) => one === status).length;
  const send = () => scene.startProcess().send();
  const confirm = async (isReverting = false): Promise<void> => {
    if (isReverting) scene.chain.reverting.add("coin");
    scene.chain.mine(finalBlocks);
    await scene.startProcess().confirm();
    scene.chain.reverting.delete("coin");
  };

  test("threat 97: one address after another that reverts costs a handful of transfers, not one burst each", async () => {
    const ids: string[] = [];
    for (let round = 0; round < 4; round++) {
      const address = await newAddress();
      for (let count = 0; count < 8; count++) ids.push(await ask(address));
      await send();
      await send();
      await confirm(true);
    }
    expect(await countOf("failed", ids)).toBe(8);
    // Eight failures are a wait of 1,280 minutes, nine of a day.
    for (const [minutes, failed] of [
      [1_279, 8],
      [1, 9],
      [1_439, 9],
      [1, 10],
    ] as const) {
      scene.clock.advance(minutes * minute);
      await send();
      expect(await countOf("broadcast", ids)).toBe(failed - (await countOf("failed", ids)));
      await confirm(true);
      expect(await countOf("failed", ids)).toBe(failed);
    }
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("threat 97: where something has arrived, and of another merchant, nothing waits for that", async () => {
    const [proven, bad, fresh] = [await newAddress(), await newAddress(), await newAddress()];
    const other = await scene.newOwner();
    await scene.fund(other, 10n ** 18n, coin);
    const others = await newAddress(other);
    const first = await ask(proven);
    await send();
    await confirm();
    const failing = await ask(bad);
    await send();
    await confirm(true);
    expect(await statusesOf([first, failing])).toEqual(["confirmed", "failed"]);
    const free = [await ask(proven), await ask(proven), await ask(others, other)];
    const held = [await ask(fresh), await ask(fresh), await ask(bad)];
    await send();
    expect(await statusesOf([...free, ...held])).toEqual([
      ...free.map(() => "broadcast"),
      ...held.map(() => "pending"),
    ]);
    await confirm();
    // After the wait they get one, all together; where that has arrived, the rest follows.
    scene.clock.advance(10 * minute);
    await send();
    await send();
    expect(await statusesOf(held)).toEqual(["broadcast", "pending", "pending"]);
    await confirm();
    await send();
    expect(await statusesOf(held)).toEqual(["confirmed", "broadcast", "broadcast"]);
    await confirm();
    expect(await statusesOf(held)).toEqual(held.map(() => "confirmed"));
  });

  test("threat 97: what comes to nothing where something has arrived holds up only that address", async () => {
    const [proven, fresh] = [await newAddress(), await newAddress()];
    const first = await ask(proven);
    await send();
    await confirm();
    const failing = await ask(proven);
    await send();
    await confirm(true);
    expect(await statusesOf([first, failing])).toEqual(["confirmed", "failed"]);
    const [again, beside] = [await ask(proven), await ask(fresh)];
    await send();
    expect(await statusesOf([again, beside])).toEqual(["pending", "broadcast"]);
  });

  test("threat 97: a second failure in a row makes the others wait from when it failed", async () => {
    const bad = await newAddress();
    await ask(bad);
    await send();
    await confirm(true);
    scene.clock.advance(10 * minute);
    await ask(bad);
    await send();
    await confirm(true);
    const fresh = await ask(await newAddress());
    scene.clock.advance(20 * minute - 2);
    await send();
    expect(await scene.statusOf(fresh)).toBe("pending");
    scene.clock.advance(1);
    await send();
    expect(await scene.statusOf(fresh)).toBe("broadcast");
  });

  test("threat 97: a token proves nothing of what its recipient does with coin, and waits for nobody", async () => {
    await scene.fund(owner, 10n * whole);
    const [bad, fresh] = [await newAddress(), await newAddress()];
    const failing = await ask(bad);
    await send();
    await confirm(true);
    expect(await scene.statusOf(failing)).toBe("failed");
    const token = await scene.request(owner, fresh, "1");
    await send();
    await confirm();
    const coins = await ask(fresh);
    await send();
    expect(await statusesOf([token.id, coins])).toEqual(["confirmed", "pending"]);
  });

  test("threat 97: what failed a month ago is forgotten, and addresses without a past get eight at a time", async () => {
    const failing = await ask(await newAddress());
    await send();
    await confirm(true);
    expect(await scene.statusOf(failing)).toBe("failed");
    scene.clock.advance(30 * 24 * 60 * minute);
    const [one, two] = [await newAddress(), await newAddress()];
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await ask(one), await ask(two));
    await send();
    await send();
    expect(await countOf("broadcast", ids)).toBe(8);
    await confirm();
    await send();
    expect(await countOf("broadcast", ids)).toBe(2);
  });
});
