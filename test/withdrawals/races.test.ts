// Two that want the same: one of them gets it, whichever is faster (threats 16 and 17).

import { describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { openScene, whole } from "./scene.ts";

/** CANCEL_ROUNDS=2000 makes it ten thousand, which takes minutes. */
const rounds = Number(process.env["CANCEL_ROUNDS"] ?? 60);
const perRound = 5;

describe.each(engines)("on %s", (engine) => {
  test(
    "a cancellation and the sender: never both, and the money is at one place",
    async () => {
      const scene = await openScene(engine);
      const owner = await scene.newOwner();
      await scene.fund(owner, BigInt(rounds * perRound) * 10n * whole);
      const { id: addressId, address } = await scene.register(owner);
      const processes = [scene.startProcess(), scene.startProcess()];
      const outcomes = new Map<string, number>();
      const sent: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const made = await Promise.all(
          Array.from({ length: perRound }, () => scene.request(owner, addressId, "1")),
        );
        const ids = made.map(({ id }) => id);
        const [cancelled] = await Promise.all([
          Promise.allSettled(ids.map((id) => scene.cancel(owner, id))),
          ...processes.map(({ send }) => send()),
        ]);
        // What was neither is sent now.
        scene.chain.mine();
        await scene.startProcess().send();
        for (const [index, id] of ids.entries()) {
          const isCancelled = cancelled[index]?.status === "fulfilled";
          const status = (await scene.statusOf(id)) ?? "";
          expect([isCancelled, status]).toEqual([isCancelled, isCancelled ? "cancelled" : status]);
          expect(["cancelled", "broadcast", "processing"]).toContain(status);
          if (status !== "cancelled") sent.push(id);
          outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
        }
        scene.chain.mine();
      }
      // Both have happened, or this says nothing.
      expect([...outcomes.keys()]).toContain("cancelled");
      expect(scene.chain.transfersTo(address)).toHaveLength(sent.length);
      expect(await scene.balance(owner, "merchant:withdrawing")).toBe(BigInt(sent.length) * whole);
      expect(await scene.isLedgerWhole()).toBe(true);
    },
    Math.max(120_000, rounds * 500),
  );

  test("many requests for all there is: one gets it", async () => {
    const scene = await openScene(engine);
    const owner = await scene.newOwner();
    await scene.fund(owner, 100n * whole);
    const { id: addressId } = await scene.register(owner);
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, () => scene.request(owner, addressId, "100")),
    );
    const refused = results.filter((one) => one.status === "rejected");
    expect(refused).toHaveLength(39);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({
        code: "insufficient_balance",
        details: { available_raw: "0", required_raw: "100000000" },
      });
    }
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(100n * whole);
    expect(await scene.isLedgerWhole()).toBe(true);
  });
});
