// The ways of a withdrawal through its states, here and in the database (threat 15).

import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { withdrawalSteps } from "../../service/withdrawals/states.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { withdrawalStatuses, type WithdrawalStatus } from "../../service/database/words.ts";
import { openScene, whole } from "./scene.ts";

function reachable(from: WithdrawalStatus): ReadonlySet<WithdrawalStatus> {
  const found = new Set<WithdrawalStatus>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of withdrawalSteps[at]) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

test("from broadcast on there is no way to anything that could be sent again", () => {
  expect([...reachable("broadcast")].toSorted()).toEqual(["confirmed", "failed"]);
});

test.each(["confirmed", "failed", "cancelled", "rejected"] as const)("%s is the end", (status) => {
  expect(withdrawalSteps[status]).toEqual([]);
});

test("whatever way it goes, it was never broadcast and cancelled", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 30 }), (choices) => {
      const way: WithdrawalStatus[] = ["pending"];
      for (const choice of choices) {
        const next = withdrawalSteps[way.at(-1) ?? "pending"];
        if (next.length === 0) break;
        way.push(next[choice % next.length] ?? "pending");
      }
      expect(way.includes("broadcast") && way.includes("cancelled")).toBe(false);
      expect(way.filter((one) => one === "broadcast").length).toBeLessThanOrEqual(1);
    }),
  );
});

describe.each(engines)("on %s", (engine) => {
  test("the database takes these steps and no others, whoever asks", async () => {
    const scene = await openScene(engine);
    const owner = await scene.newOwner();
    await scene.fund(owner, whole);
    const { id: addressId } = await scene.register(owner);
    const { id } = await scene.request(owner, addressId, "1");
    await query(scene.database, tryStep);
    const rows = await query(
      scene.database,
      sql<{ step_from: WithdrawalStatus; step_to: WithdrawalStatus }>`
        select step_from, step_to
        from unnest(${sql.lit(list)}::text[]) step_from, unnest(${sql.lit(list)}::text[]) step_to
        where step_from <> step_to and try_step(${sql.lit(id)}, step_from, step_to)`,
    );
    for (const from of withdrawalStatuses) {
      const taken = rows.filter((row) => row.step_from === from).map((row) => row.step_to);
      expect([from, taken.toSorted()]).toEqual([from, withdrawalSteps[from].toSorted()]);
    }
    await scene.startProcess().send();
    await query(scene.database, sql`alter table withdrawals disable trigger withdrawals_step`);
    await query(scene.database, sql`update withdrawals set status = 'processing'`);
    await query(scene.database, sql`alter table withdrawals enable trigger withdrawals_step`);
    const back = query(scene.database, sql`update withdrawals set status = 'pending'`);
    await expect(back).rejects.toMatchObject({ constraint: "withdrawals_signed" });
  });
});

const list = `{${withdrawalStatuses.join(",")}}`;

/** On a copy of the row that begins there. */
const tryStep = sql`
  create function try_step(id text, step_from text, step_to text) returns boolean
  language plpgsql as $$
  declare
    copy text := 'wdr_' || step_from || step_to;
  begin
    insert into withdrawals
      select (jsonb_populate_record(w, jsonb_build_object(
        'id', copy, 'status', step_from, 'idempotency_key', null))).*
      from withdrawals w where w.id = try_step.id;
    update withdrawals set status = step_to where withdrawals.id = copy;
    delete from withdrawals where withdrawals.id = copy;
    return true;
  exception when check_violation then
    return false;
  end $$`;
