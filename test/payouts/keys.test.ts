// A payout schedule is a standing withdrawal: what a key must be to withdraw holds when it makes one,
// and again whenever it runs (threat 84).

import { describe, expect, test } from "vitest";
import { keyCommands } from "../../adapters/operator/keys.ts";
import { resultText } from "../../adapters/operator/results.ts";
import { readWords } from "../../adapters/operator/words.ts";
import type { Owner } from "../../service/owner.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { dayMilliseconds, openFunded, openSchedule } from "../support/world.ts";
import type { World } from "../support/world.ts";
import { usdc, whole } from "../withdrawals/scene.ts";

async function passDay(world: World): Promise<void> {
  world.clock.advance(dayMilliseconds);
  await world.readChain();
}

/** As an operator does who finds out that coins of this chain have a worth. */
const becomeMain = (world: World) =>
  query(world.database)`update deployments set is_test_network = false
    where id = ${usdc.deploymentId}`;

async function endOf(world: World, id: string): Promise<unknown> {
  const [last] = (await world.eventsAbout(id)).slice(-1);
  return [last?.type, last?.data["reason"], (await world.scheduleRow(id)).status];
}

const endedBecause = (reason: string) => ["payout_schedule.retired", reason, "retired"];

describe.each(engines)("on %s", (engine) => {
  test("threat 84: it remembers which key made it, and whether that was bound", async () => {
    const { world, owner } = await openFunded(engine);
    const [bound, anywhere] = [await world.newKey(owner), await world.newKey(owner, { cidrs: [] })];
    for (const keyId of [bound, anywhere]) await world.schedule(owner, { keyId });
    const rows = await query(world.database)`select api_key_id, is_key_bound
      from payout_schedules order by is_key_bound desc`;
    expect(rows).toEqual([
      { api_key_id: bound, is_key_bound: true },
      { api_key_id: anywhere, is_key_bound: false },
    ]);
  });

  test("threat 84: with its key revoked for cause it runs no more, and ends", async () => {
    const { world, owner } = await openFunded(engine);
    const keyId = await world.newKey(owner);
    const [due, notice, paused] = [
      await world.schedule(owner, { keyId }),
      await world.schedule(owner, { keyId, mode: "notify_only" }),
      await world.schedule(owner, { keyId }),
    ];
    const other = await world.schedule(owner, { mode: "notify_only" });
    await world.pause(owner, paused.id);
    expect((await world.keys.revoke(keyId)).openSchedules).toBe(3);
    const page = await world.schedules.list(owner, allSchedules);
    const possible = page.schedules.filter(({ isPossible }) => isPossible);
    expect(possible.map(({ id }) => id)).toEqual([other.id]);
    await passDay(world);
    const { payOut, retire } = world.startProcess();
    expect((await payOut()).done).toBe(3);
    expect((await retire()).done).toBe(1);
    for (const { id } of [due, notice, paused]) {
      expect(await world.runsOf(id)).toEqual([]);
      expect(await endOf(world, id)).toEqual(endedBecause("api_key_revoked"));
    }
    expect(await world.withdrawalsOf(owner)).toEqual([]);
    expect(await world.runsOf(other.id)).toMatchObject([{ outcome: "due" }]);
  });

  test("threat 84: one whose key is merely replaced, over or not needed any more goes on", async () => {
    const { world, owner } = await openFunded(engine);
    const [replaced, over, unneeded] = [
      await world.newKey(owner),
      await world.newKey(owner, { expiresAt: new Date("2026-01-01T12:00:00Z") }),
      await world.newKey(owner),
    ];
    const made = [];
    for (const keyId of [replaced, over, unneeded]) {
      made.push(await world.schedule(owner, { keyId, mode: "notify_only" }));
    }
    const rotated = await world.keys.rotate({ keyId: replaced, overlapMilliseconds: 0 });
    expect(rotated.openSchedules).toBe(1);
    await world.keys.revoke(unneeded, { isForCause: false });
    await passDay(world);
    const { payOut, retire } = world.startProcess();
    expect([(await payOut()).done, (await retire()).done]).toEqual([3, 0]);
    for (const { id } of made) expect(await world.runsOf(id)).toMatchObject([{ outcome: "due" }]);
    // It comes out later that there was a cause, also of a key that has long expired.
    for (const keyId of [replaced, over, unneeded]) await world.keys.revoke(keyId);
    await passDay(world);
    expect((await payOut()).done).toBe(3);
    for (const { id } of made) {
      expect(await endOf(world, id)).toEqual(endedBecause("api_key_revoked"));
    }
    const entries = await query(world.database)<{ details: string }>`
      select details from audit_entries where subject_id = ${unneeded} order by sequence`;
    expect(entries.map(({ details }) => JSON.parse(details) as object).slice(1)).toEqual([
      { for_cause: false },
      { for_cause: true },
    ]);
  });

  test("threat 84: a run and a revocation at once: the run came first, or it never came", async () => {
    const { world, owner } = await openFunded(engine);
    const [one, other] = [world.startProcess(), world.startProcess()];
    for (let round = 0; round < 6; round++) {
      const keyId = await world.newKey(owner);
      const { id } = await world.schedule(owner, { keyId, mode: "notify_only" });
      await passDay(world);
      await Promise.all([one.payOut(), world.keys.revoke(keyId), other.payOut()]);
      const before = await world.runsOf(id);
      expect(before.length).toBeLessThanOrEqual(1);
      await passDay(world);
      await one.payOut();
      expect(await world.runsOf(id)).toEqual(before);
      expect(await endOf(world, id)).toEqual(endedBecause("api_key_revoked"));
    }
  });

  test("threat 84: on a main network nothing leaves by one that no bound key has made", async () => {
    const { world, owner } = await openFunded(engine);
    const keyId = await world.newKey(owner, { cidrs: [] });
    const due = await world.schedule(owner, { keyId });
    const paused = await world.schedule(owner, { keyId });
    const bound = await world.schedule(owner, { mode: "notify_only" });
    await world.pause(owner, paused.id);
    await becomeMain(world);
    const asked = await payOutAnyway(world, owner, due.withdrawAddressId);
    expect(asked).toMatchObject({ refused: "ip_not_allowed" });
    await passDay(world);
    const { payOut, retire } = world.startProcess();
    await payOut();
    await retire();
    for (const { id } of [due, paused]) {
      expect(await world.runsOf(id)).toEqual([]);
      expect(await endOf(world, id)).toEqual(endedBecause("api_key_not_bound"));
    }
    expect(await world.withdrawalsOf(owner)).toEqual([]);
    expect(await world.runsOf(bound.id)).toMatchObject([{ outcome: "due" }]);
  });

  test("threat 84: what a key with a range of nearly every address has made ends as if it had none", async () => {
    const { world, owner } = await openFunded(engine);
    const made = [];
    for (const range of ["0.0.0.0/0", "10.0.0.0/7", "2000::/15", "10.0.0.0/8", "2000::/16"]) {
      const keyId = await world.newKey(owner);
      // As keys could be made before, and as their schedules remember them.
      await query(world.database)`update api_keys set cidrs = ${[range]} where id = ${keyId}`;
      const { id } = await world.schedule(owner, { keyId, mode: "notify_only" });
      await query(world.database)`update payout_schedules set is_key_bound = true where id = ${id}`;
      made.push(id);
    }
    const paused = made[0] ?? "";
    await world.pause(owner, paused);
    await becomeMain(world);
    await passDay(world);
    const { payOut, retire } = world.startProcess();
    await payOut();
    await retire();
    const ends = [];
    for (const id of made) ends.push((await world.runsOf(id)).length || (await endOf(world, id)));
    const ended = endedBecause("api_key_not_bound");
    expect(ends).toEqual([ended, ended, ended, 1, 1]);
  });

  test("threat 84: where nobody knows which key it was, each that could have made it counts", async () => {
    const { world, owner } = await openFunded(engine);
    const keyId = await world.newKey(owner);
    const { id } = await world.schedule(owner, { keyId, mode: "notify_only" });
    await query(world.database)`update payout_schedules set api_key_id = null where id = ${id}`;
    // Made after it, so it was not that one.
    world.clock.advance(1_000);
    const later = await world.newKey(owner, { cidrs: [] });
    await becomeMain(world);
    await passDay(world);
    const { payOut } = world.startProcess();
    await payOut();
    expect(await world.runsOf(id)).toMatchObject([{ outcome: "due" }]);
    await query(world.database)`update api_keys set created_at = '2020-01-01' where id = ${later}`;
    await passDay(world);
    await payOut();
    expect(await endOf(world, id)).toEqual(endedBecause("api_key_not_bound"));
  });

  test("threat 84: who revokes a key hears what becomes of its schedules", async () => {
    const { world, owner } = await openFunded(engine);
    const keyId = await world.newKey(owner);
    await world.schedule(owner, { keyId });
    const since = `${keyId} is revoked since 2026-01-01T00:00:00.000Z.\n`;
    const made = "Payout schedules that it made: 1. They";
    expect(await revoke(world, keyId, "--keep-schedules")).toBe(`${since}${made} go on.\n`);
    const ended = `${since}${made} run no more and end within minutes.\n`;
    expect(await revoke(world, keyId)).toBe(ended);
    // What was said once is not taken back.
    expect(await revoke(world, keyId, "--keep-schedules")).toBe(ended);
    await world.startProcess().retire();
    expect(await revoke(world, keyId)).toBe(since);
  });

  test("threat 84: who revokes a key for cause hears of what the keys before it have made", async () => {
    const { world, owner } = await openFunded(engine);
    const first = await world.newKey(owner);
    await world.schedule(owner, { keyId: first });
    const next = async (keyId: string): Promise<string> =>
      (await world.keys.rotate({ keyId, overlapMilliseconds: 0 })).key.id;
    const second = await next(first);
    await world.schedule(owner, { keyId: second });
    const third = await next(await next(second));
    // Another one's, and its next one's.
    const stranger = await world.newKey(owner);
    await world.schedule(owner, { keyId: stranger });
    await world.schedule(owner, { keyId: await next(stranger) });
    const since = `${third} is revoked since 2026-01-01T00:00:00.000Z.\n`;
    expect(await revoke(world, third, "--keep-schedules")).toBe(since);
    const made = [first, second]
      .toSorted()
      .map(
        (keyId) =>
          `Payout schedules made by ${keyId}, which it came from by rotation: 1. They go on. If somebody ` +
          `else may have had that one: npm run admin -- key revoke ${keyId}\n`,
      );
    expect(await revoke(world, third)).toBe(since + made.join(""));
    expect(await revoke(world, first)).toContain("1. They run no more and end within minutes.");
    expect(await revoke(world, third)).toBe(since + made.find((text) => text.includes(second)));
    await query(
      world.database,
    )`update payout_schedules set status = 'retired', retired_at = created_at
      where api_key_id = ${second}`;
    expect(await revoke(world, third)).toBe(since);
  });

  test("threat 84: the limit of the operator holds for each run", async () => {
    const { world, owner, id } = await openSchedule(engine);
    await world.policy.setLimits(usdc.deploymentId, { single: "60", daily: null });
    await passDay(world);
    await world.startProcess().payOut();
    const [run] = await world.runsOf(id);
    expect(await world.policy.held()).toMatchObject([
      { withdrawal: { id: run?.withdrawal_id }, because: "above_single_limit" },
    ]);
    expect(await world.balance(owner, "merchant:withdrawing")).toBe(100n * whole);
  });
});

async function revoke({ keys, clock }: World, ...words: readonly string[]): Promise<string> {
  const command = keyCommands.find(({ name }) => name === "key revoke");
  if (command === undefined) throw new Error("there is no such command");
  return resultText(await command.run(readWords(command, words), { apiKeys: keys, clock }));
}

const allSchedules = {
  status: undefined,
  currencyId: undefined,
  chainId: undefined,
  cursor: undefined,
  limit: 20,
} as const;

function payOutAnyway({ database, withdrawals, clock }: World, owner: Owner, address: string) {
  return database.transaction((inside) =>
    withdrawals.requestInTransaction(inside, {
      owner,
      deploymentId: usdc.deploymentId,
      withdrawAddressId: address,
      isKeyBound: false,
      amount: { kind: "all", minimumRaw: 1n },
      occurredAt: clock.now(),
    }),
  );
}
