// An operator decides, or a sender stores a raised fee, and hears that the database was not available: whoever decides
// again is told what it is by now, and the money is where one decision puts it.

import { expect, test } from "vitest";
import { WithdrawalPolicy } from "../../service/withdrawals/policy.ts";
import { Cuts } from "../support/cuts.ts";
import { finalBlocks, openScene, usdc, whole } from "./scene.ts";

const away = { code: "service_unavailable" };

const decisions = {
  approve: (policy: WithdrawalPolicy, id: string) => policy.approve(id),
  reject: (policy: WithdrawalPolicy, id: string) => policy.reject(id, "a doubt"),
} as const;

test.each([
  ["approve", "not done", "pending"],
  ["approve", "done", "pending"],
  ["reject", "not done", "pending"],
  ["reject", "done", "rejected"],
] as const)("%s, and it was %s", async (way, kind, status) => {
  const scene = await openScene("PostgreSQL");
  const owner = await scene.newOwner();
  await scene.fund(owner, 1_000n * whole);
  const { id: addressId } = await scene.register(owner);
  await scene.policy.setLimits(usdc.deploymentId, { single: "50", daily: null });
  const { id } = await scene.request(owner, addressId, "100");
  const cuts = new Cuts(new Map([[1, kind]]));
  const policy = new WithdrawalPolicy({ ...scene, database: cuts.of(scene.database) });
  const decide = () => cuts.during(() => decisions[way](policy, id));
  await expect(decide()).rejects.toMatchObject(away);
  if (kind === "done") {
    const before = way === "approve" ? "does not wait for an approval" : "is not pending";
    await expect(decide()).rejects.toThrow(`${id} ${before} (${status}).`);
  } else await decide();
  await expect(decide()).rejects.toThrow(`${id} `);
  expect(await scene.policy.held()).toEqual([]);
  const left = way === "approve" ? 900n : 1_000n;
  expect(await scene.balance(owner, "merchant:available")).toBe(left * whole);
  expect(await scene.isLedgerWhole()).toBe(true);
  const entries = await scene.audit.list({ after: undefined, limit: 50 });
  const decided = entries.filter(({ action }) => /^withdrawal\.(approved|rejected)$/.test(action));
  expect(decided).toHaveLength(1);
});

test.each(["not done", "done"] as const)("decide, and it was %s", async (kind) => {
  const scene = await openScene("PostgreSQL");
  const owner = await scene.newOwner();
  await scene.fund(owner, 1_000n * whole);
  const { id: addressId } = await scene.register(owner);
  const { id } = await scene.request(owner, addressId, "100");
  const process = scene.startProcess();
  await process.send();
  scene.chain.mine(finalBlocks);
  scene.chain.faults.next("receipt", { kind: "less" }, Number.POSITIVE_INFINITY);
  await process.confirm();
  const cuts = new Cuts(new Map([[1, kind]]));
  const policy = new WithdrawalPolicy({ ...scene, database: cuts.of(scene.database) });
  const decide = () => cuts.during(() => policy.decide(id, "failed", "looked at the explorer"));
  await expect(decide()).rejects.toMatchObject(away);
  // Until the sender has heard of it, it can be decided again.
  await decide();
  scene.clock.advance(20_000);
  await process.confirm();
  expect(await scene.statusOf(id)).toBe("failed");
  expect(await scene.balance(owner, "merchant:available")).toBe(1_000n * whole);
  expect(await scene.isLedgerWhole()).toBe(true);
});

test.each(["not done", "done"] as const)("a raised fee is stored, and it was %s", async (kind) => {
  const scene = await openScene("PostgreSQL");
  const owner = await scene.newOwner();
  await scene.fund(owner, 1_000n * whole);
  const { id: addressId } = await scene.register(owner);
  const { id } = await scene.request(owner, addressId, "100");
  await scene.startProcess().send();
  // Blocks that have no place for it.
  scene.chain.perBlockMax = 0;
  scene.chain.mine(5);
  scene.clock.advance(20_000);
  const cuts = new Cuts(new Map([[1, kind]]), ["replace_withdrawal_transaction"]);
  const process = scene.startProcess({ database: cuts.of(scene.database) });
  await expect(cuts.during(() => process.send())).rejects.toMatchObject(away);
  expect(cuts.cut.get("replace_withdrawal_transaction")).toEqual(new Set([kind]));
  scene.clock.advance(60_000);
  await process.send();
  scene.chain.perBlockMax = Number.POSITIVE_INFINITY;
  scene.chain.mine(finalBlocks);
  scene.clock.advance(20_000);
  await process.confirm();
  expect(await scene.statusOf(id)).toBe("confirmed");
  expect(await scene.nonces()).toHaveLength(1);
  expect((await scene.attempts(id)).length).toBeGreaterThanOrEqual(2);
  expect(await scene.balance(owner, "merchant:available")).toBe(900n * whole);
  expect(await scene.isLedgerWhole()).toBe(true);
});
