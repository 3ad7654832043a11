// What an operator decides where the chain moved something else than was asked for: it ends there and
// nowhere else, once, and is in the audit log.

import { beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { engines } from "../support/engines.ts";
import { finalBlocks, openScene, type Scene, whole } from "./scene.ts";

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  let owner: Owner;
  let id: string;
  beforeEach(async () => {
    scene = await openScene(engine);
    owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    const { id: addressId } = await scene.register(owner);
    ({ id } = await scene.request(owner, addressId, "100"));
  });

  /** Sent and final; what was moved is less than what was asked for. */
  const becomeUnclear = async (times = Number.POSITIVE_INFINITY) => {
    const process = scene.startProcess();
    await process.send();
    scene.chain.mine(finalBlocks);
    scene.chain.faults.next("receipt", { kind: "less" }, times);
    await process.confirm();
    return process;
  };
  const confirm = async (process = scene.startProcess()) => {
    scene.clock.advance(20_000);
    await process.confirm();
  };

  test.each([
    ["confirmed", 900n],
    ["failed", 1000n],
  ] as const)("as %s: the money is where that says", async (decidedAs, available) => {
    const process = await becomeUnclear();
    await confirm(process);
    expect(await scene.statusOf(id)).toBe("broadcast");
    await scene.policy.decide(id, decidedAs, "looked at the explorer");
    await confirm(process);
    expect(await scene.statusOf(id)).toBe(decidedAs);
    expect(await scene.balance(owner, "merchant:available")).toBe(available * whole);
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(0n);
    expect(await scene.isLedgerWhole()).toBe(true);
    const [entry] = await scene.audit.list({ after: undefined, limit: 1 });
    expect(entry).toMatchObject({ actor: "operator", action: "withdrawal.decided" });
    await expect(scene.policy.decide(id, "confirmed", "again")).rejects.toThrow(
      `${id} has ended: it is ${decidedAs}.`,
    );
  });

  test("before anything is unclear there is nothing to decide, and the refusal says what to do", async () => {
    const tooEarly = () => scene.policy.decide(id, "failed", "too early");
    await expect(tooEarly()).rejects.toThrow(
      `${id} is pending: nothing was sent, and "withdrawal reject" takes it back.`,
    );
    const process = scene.startProcess();
    await process.send();
    const signedAt = scene.clock.now().toISOString();
    const [attempt] = await scene.attempts(id);
    await expect(tooEarly()).rejects.toThrow(
      `Nothing of ${id} is unclear: the chain says what becomes of its transaction ${attempt?.tx_hash}, signed at ` +
        `${signedAt}. Where that moves something else than was asked for, the alarm unclear_transfer ` +
        "tells: decide then.",
    );
    scene.chain.mine(finalBlocks);
    await confirm(process);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.balance(owner, "merchant:available")).toBe(900n * whole);
    await expect(tooEarly()).rejects.toThrow(`${id} has ended: it is confirmed.`);
    const entries = await scene.audit.list({ after: undefined, limit: 50 });
    expect(entries.filter(({ action }) => action === "withdrawal.decided")).toEqual([]);
  });

  test("where the chain says what happened after all, that counts", async () => {
    const process = await becomeUnclear(1);
    await scene.policy.decide(id, "failed", "looked at the wrong one");
    await confirm(process);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.balance(owner, "merchant:available")).toBe(900n * whole);
  });
});
