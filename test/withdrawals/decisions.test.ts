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
  const becomeUnclear = async () => {
    const process = scene.startProcess();
    await process.send();
    scene.chain.mine(finalBlocks);
    scene.chain.faults.next("receipt", { kind: "less" }, Number.POSITIVE_INFINITY);
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
    await expect(scene.policy.decide(id, "confirmed", "again")).rejects.toThrow(`is ${decidedAs}`);
  });

  test("where the chain says what happened, that counts", async () => {
    const process = scene.startProcess();
    await expect(scene.policy.decide(id, "failed", "too early")).rejects.toThrow("is pending");
    await process.send();
    await scene.policy.decide(id, "failed", "by mistake");
    scene.chain.mine(finalBlocks);
    await confirm(process);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.balance(owner, "merchant:available")).toBe(900n * whole);
  });
});
