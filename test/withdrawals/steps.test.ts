// The steps of withdrawals and of the addresses they go to, by themselves: what has to be so that each is taken,
// and what it writes.

import { describe, expect, test } from "vitest";
import { auditValues } from "../../service/audit/audit.ts";
import type { AuditDraft } from "../../service/audit/audit.ts";
import { eventValues } from "../../service/events/events.ts";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import {
  announceAddress,
  disableAddress,
  listAddressesToAnnounce,
} from "../../service/withdrawals/addresses.sql.ts";
import { release, settlement } from "../../service/withdrawals/model.ts";
import type { Withdrawal } from "../../service/withdrawals/model.ts";
import {
  approveWithdrawal,
  decideWithdrawal,
  listHeldWithdrawals,
  rejectWithdrawal,
} from "../../service/withdrawals/policy.sql.ts";
import {
  broadcastWithdrawal,
  claimWithdrawal,
  endWithdrawal,
  rejectCostlyWithdrawal,
  replaceTransaction,
  unclaimWithdrawal,
} from "../../service/withdrawals/sending.sql.ts";
import { anyEvent } from "../support/any-event.ts";
import { type Engine, engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { contentsOf, expectStep, putRow, type Row, type Step } from "../support/table-steps.ts";
import { chainId, openScene, usdc, whole } from "./scene.ts";

const start = Date.parse("2026-01-01T00:00:00.000Z");
const at = (seconds: number): Date => new Date(start + seconds * 1000);
const id = "wdr_1";
const pending = { status: "pending" };
const held = { ...pending, held_because: "above_single_limit" };
const processing = { status: "processing" };
const broadcast = { status: "broadcast", tx_hash: "0xold" };

async function open(engine: Engine) {
  const scene = await openScene(engine);
  const { database } = scene;
  const owner = await scene.newOwner();
  await scene.fund(owner, 1000n * whole);
  const { id: own } = await scene.register(owner);
  const { id: other } = await scene.register(owner);
  const { id: made } = await scene.request(owner, own, "100");
  const [found] = await query(database)<{ row: Row }>`
    select to_jsonb(w) as row from withdrawals w where id = ${made}`;
  await query(database)`update withdrawals set id = ${id} where id = ${made}`;
  const withdrawal: Withdrawal = {
    id,
    owner,
    currencyId: usdc.currencyId,
    deploymentId: usdc.deploymentId,
    chainId,
    sendAmountRaw: 100n * whole,
    feeRaw: 0n,
    status: "pending",
    txHash: null,
    reason: null,
  };
  const put = (name: string, row: Row) =>
    putRow(database, "withdrawals", { ...found?.row, id: name, idempotency_key: name, ...row });
  const prepare = async (row: Row) => {
    await query(database)`delete from withdrawals`;
    await query(database)`delete from outgoing_transactions`;
    await query(database)`update withdraw_addresses set reverted_count = 3, waits_until = null`;
    await put(id, row);
    // Beside it, in every state, to both addresses.
    await put("wdr_2", { ...pending, withdraw_address_id: other });
    await put("wdr_3", held);
    await put("wdr_4", { ...processing, withdraw_address_id: other });
    await put("wdr_5", { ...broadcast, withdraw_address_id: other });
    await put("wdr_6", { status: "failed", tx_hash: "0x6" });
    const signed = row["status"] === "broadcast" ? [id, "wdr_5"] : ["wdr_5"];
    for (const name of signed) await putOutgoing(name, {});
  };
  const putOutgoing = (name: string, more: Row) =>
    putRow(database, "outgoing_transactions", {
      id: `out_${name}`,
      chain_id: chainId,
      account: "ours",
      account_role: "hot",
      purpose: "withdrawal",
      subject_id: name,
      deployment_id: usdc.deploymentId,
      amount_raw: 1,
      action: {},
      status: "broadcast",
      sends_nothing: false,
      gas_units_max: 1,
      gas_max_raw: 1,
      tx_hash: "0xold",
      unclear_at: at(0),
      not_before: at(0),
      created_at: at(0),
      signed_at: at(0),
      updated_at: at(0),
      ...more,
    });
  const contents = () =>
    contentsOf(database, {
      withdrawals: "t.id",
      withdraw_addresses: "t.id",
      withdrawal_days: "t.merchant_id",
      events: "t.resource_id || ' ' || t.type",
      audit_entries: "t.subject_id || ' ' || t.action",
    });
  return { ...scene, owner, own, other, withdrawal, put, putOutgoing, prepare, contents };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** What it writes beside its own row. */
function eventOf(
  { owner, ...scene }: Opened,
  type: "withdrawal.processing" | "withdrawal.rejected",
) {
  const resource = { type: "withdrawal", id };
  return eventValues(scene, anyEvent({ ...owner, type, resource, data: {} }));
}

function auditOf({ owner }: Opened, action: AuditDraft["action"]) {
  const subject = { type: "withdrawal", id };
  const draft = { occurredAt: at(1), actor: "operator", action, ...owner, subject, details: {} };
  return auditValues(draft as AuditDraft);
}

const dayOf = ({ owner }: Opened): string => `withdrawal_days ${owner.merchantId}`;
const now = at(1);

const steps: Readonly<Record<string, (scene: Opened) => Step>> = {
  "it is claimed": (scene) => ({
    statement: claimWithdrawal,
    before: pending,
    values: { id, now, ...eventOf(scene, "withdrawal.processing") },
    wrongValues: [{ id: "wdr_7" }],
    wrongBefore: [processing, held, broadcast, { status: "cancelled" }],
    changes: { status: "processing", updated_at: now },
    writes: { [`events ${id} withdrawal.processing`]: { sequence: 1 } },
  }),
  "it is no longer claimed": () => ({
    statement: unclaimWithdrawal,
    before: processing,
    values: { id, now },
    wrongValues: [{ id: "wdr_7" }],
    wrongBefore: [pending, { status: "cancelled" }],
    changes: { status: "pending", updated_at: now },
  }),
  "what was signed for it is stored": (scene) => ({
    statement: broadcastWithdrawal,
    before: processing,
    values: {
      id,
      now,
      txHash: "0xnew",
      sendsNothing: false,
      ...eventOf(scene, "withdrawal.processing"),
    },
    wrongValues: [{ id: "wdr_7" }],
    wrongBefore: [pending, broadcast],
    changes: { status: "broadcast", tx_hash: "0xnew", updated_at: now },
    writes: { [`events ${id} withdrawal.processing`]: {} },
  }),
  "what was signed instead is stored": () => ({
    statement: replaceTransaction,
    before: broadcast,
    values: { id, now, txHash: "0xnew" },
    wrongValues: [{ id: "wdr_7" }],
    wrongBefore: [processing, { ...broadcast, status: "failed" }],
    changes: { tx_hash: "0xnew", updated_at: now },
  }),
  "it is approved": (scene) => ({
    statement: approveWithdrawal,
    before: held,
    values: { id, now, ...auditOf(scene, "withdrawal.approved") },
    wrongValues: [{ id: "wdr_7" }, { id: "wdr_2" }],
    wrongBefore: [pending, { ...held, approved_at: at(0) }, { ...held, status: "cancelled" }],
    changes: { approved_at: now, updated_at: now },
    writes: { [`audit_entries ${id} withdrawal.approved`]: {} },
  }),
  "it is rejected": (scene) => ({
    statement: rejectWithdrawal,
    before: held,
    values: {
      id,
      now,
      reason: "no",
      ...auditOf(scene, "withdrawal.rejected"),
      ...eventOf(scene, "withdrawal.rejected"),
      ...ledgerValues(scene, release(scene.withdrawal, now)),
    },
    wrongValues: [{ id: "wdr_7" }],
    wrongBefore: [processing, broadcast, { status: "cancelled" }],
    changes: { status: "rejected", reason: "no", updated_at: now },
    writes: {
      [`audit_entries ${id} withdrawal.rejected`]: {},
      [`events ${id} withdrawal.rejected`]: {},
      [dayOf(scene)]: { total_raw: 0 },
    },
  }),
  "it is rejected for what it costs": (scene) => ({
    statement: rejectCostlyWithdrawal,
    before: pending,
    values: {
      id,
      now,
      reason: "gas_above_limit",
      ...eventOf(scene, "withdrawal.rejected"),
      ...ledgerValues(scene, release(scene.withdrawal, now)),
    },
    wrongValues: [{ id: "wdr_7" }],
    wrongBefore: [processing, broadcast, { status: "cancelled" }],
    changes: { status: "rejected", reason: "gas_above_limit", updated_at: now },
    writes: { [`events ${id} withdrawal.rejected`]: {}, [dayOf(scene)]: { total_raw: 0 } },
  }),
  "somebody says what became of it": (scene) => ({
    statement: decideWithdrawal,
    before: broadcast,
    values: { id, now, decidedAs: "failed", ...auditOf(scene, "withdrawal.decided") },
    wrongValues: [{ id: "wdr_7" }],
    wrongBefore: [processing, { ...broadcast, status: "confirmed" }],
    changes: { decided_as: "failed", updated_at: now },
    writes: { [`audit_entries ${id} withdrawal.decided`]: {} },
  }),
};

const unproven = { isProven: false, contract_address: null };

const endings: readonly (readonly [
  status: "confirmed" | "failed",
  isForNothing: boolean,
  count: number,
  address: Row | undefined,
  more?: Row & { readonly isProven?: boolean },
])[] = [
  ["confirmed", false, 3, { reverted_count: 0, waits_until: null }],
  ["confirmed", false, 0, undefined],
  ["confirmed", false, 0, { is_proven: true }, unproven],
  ["confirmed", false, 0, undefined, { isProven: false }],
  ["failed", false, 0, undefined, unproven],
  ["failed", false, 3, undefined],
  ["failed", true, 0, { reverted_count: 1, waits_until: at(1 + 600) }],
  ["failed", true, 1, { reverted_count: 2, waits_until: at(1 + 1200) }],
  ["failed", true, 7, { reverted_count: 8, waits_until: at(1 + 76_800) }],
  ["failed", true, 8, { reverted_count: 9, waits_until: at(1 + 86_400) }],
  ["failed", true, 2000, { reverted_count: 2001, waits_until: at(1 + 86_400) }],
];

describe.each(engines)("on %s", (engine) => {
  test.each(Object.entries(steps))("%s", async (_, stepOf) => {
    const scene = await open(engine);
    await expectStep({ ...scene, key: `withdrawals ${id}` }, stepOf(scene));
  });

  test.for(endings)(
    "it has %s, for nothing: %s, where %i before it came to nothing",
    async ([status, isForNothing, count, address, more = {}]) => {
      const { isProven = true, ...row } = more;
      const scene = await open(engine);
      const prepare = async (row: Row) => {
        await scene.prepare(row);
        await query(scene.database)`
          update withdraw_addresses set reverted_count = ${count}, is_proven = ${isProven}`;
      };
      const money = {
        confirmed: settlement(scene.withdrawal, now, 0n),
        failed: release(scene.withdrawal, now),
      };
      await expectStep(
        { ...scene, prepare, key: `withdrawals ${id}` },
        {
          statement: endWithdrawal,
          before: { ...broadcast, ...row },
          values: {
            id,
            now,
            status,
            txHash: "0xend",
            reason: "why",
            isForNothing,
            ...eventOf(scene, "withdrawal.processing"),
            ...ledgerValues(scene, money[status]),
          },
          wrongValues: [{ id: "wdr_7" }],
          wrongBefore: [processing, { ...broadcast, status: "failed" }],
          changes: { status, reason: "why", tx_hash: "0xend", updated_at: now },
          writes: {
            [`events ${id} withdrawal.processing`]: {},
            ...(address === undefined ? {} : { [`withdraw_addresses ${scene.own}`]: address }),
          },
        },
      );
    },
  );

  test.each<readonly [string, Row]>([
    ["nothing unclear about it", { unclear_at: null }],
    ["an end of its transaction", { status: "succeeded" }],
    ["another purpose of what is unclear", { purpose: "refund" }],
    ["another one that is unclear", { subject_id: "wdr_7" }],
  ])("nobody says what became of it where there is %s", async (_, outgoing) => {
    const scene = await open(engine);
    await scene.prepare(broadcast);
    await query(scene.database)`delete from outgoing_transactions where subject_id = ${id}`;
    await scene.putOutgoing(id, outgoing);
    const values = {
      id,
      now,
      decidedAs: "failed",
      ...auditOf(scene, "withdrawal.decided"),
    } as const;
    expect(await scene.database.run(decideWithdrawal, values)).toEqual([]);
  });

  test("those that wait for the operator are shown, the oldest first, and no more than so many", async () => {
    const { database, put, prepare } = await open(engine);
    await prepare({ ...held, created_at: at(7) });
    await put("wdr_7", { ...held, created_at: at(6) });
    await put("wdr_8", { ...held, approved_at: at(6) });
    await put("wdr_9", { ...held, status: "cancelled" });
    await put("wdr_0", { ...held, created_at: at(5), held_because: "above_daily_limit" });
    const list = async (rowsMax: number) =>
      (await database.run(listHeldWithdrawals, { rowsMax })).map((row) => row.id);
    expect(await list(9)).toEqual(["wdr_3", "wdr_0", "wdr_7", "wdr_1"]);
    expect(await list(2)).toEqual(["wdr_3", "wdr_0"]);
  });

  test("an address is announced once it is active, and disabled, once", async () => {
    const { database, own, owner, contents, ...scene } = await open(engine);
    const resource = { type: "withdraw_address", id: own };
    const type = "withdraw_address.activated";
    const set = (text: string, value: Date | null) =>
      text === "announced"
        ? query(database)`update withdraw_addresses set announced_at = ${value} where id = ${own}`
        : query(database)`update withdraw_addresses set disabled_at = ${value} where id = ${own}`;
    const announce = async () => {
      const event = eventValues(scene, anyEvent({ ...owner, type, resource, data: {} }));
      return (await database.run(announceAddress, { id: own, now, ...event })).length;
    };
    const disable = async () => {
      const subject = { type: "withdraw_address", id: own };
      const action = "withdraw_address.disabled";
      const audit = { occurredAt: now, actor: "operator", action, subject, details: {} } as const;
      return (await database.run(disableAddress, { id: own, now, ...auditValues(audit) })).length;
    };
    await set("disabled", at(0));
    expect([await announce(), await disable()]).toEqual([0, 0]);
    await set("disabled", null);
    await set("announced", at(0));
    expect(await announce()).toBe(0);
    await set("announced", null);
    const was = await contents();
    expect([await announce(), await announce()]).toEqual([1, 0]);
    expect([await disable(), await disable()]).toEqual([1, 0]);
    const is = await contents();
    const times = { announced_at: now, disabled_at: now };
    for (const [key, row] of is) {
      if (!key.startsWith("withdraw_addresses ")) continue;
      const isOwn = key.endsWith(own);
      for (const [name, time] of Object.entries(times)) {
        const text = expect.stringContaining(time.toISOString().slice(0, 19)) as string;
        expect(row[name]).toEqual(isOwn ? text : was.get(key)?.[name]);
      }
    }
  });

  test("addresses are announced in the order of their times, from then on", async () => {
    const { database, own, other, owner, register } = await open(engine);
    const { id: third } = await register(owner);
    const { id: fourth } = await register(owner);
    const times = [
      [own, at(5), null, null],
      [other, at(4), null, null],
      [third, at(3), at(3), null],
      [fourth, at(3), null, at(3)],
    ] as const;
    for (const [address, activates, announced, disabled] of times) {
      await query(database)`update withdraw_addresses
        set activates_at = ${activates}, announced_at = ${announced}, disabled_at = ${disabled}
        where id = ${address}`;
    }
    const list = async (seconds: number, rowsMax = 9) => {
      const rows = await database.run(listAddressesToAnnounce, { now: at(seconds), rowsMax });
      return rows.map((row) => row.id);
    };
    expect(await list(3.9)).toEqual([]);
    expect(await list(4)).toEqual([other]);
    expect(await list(5)).toEqual([other, own]);
    expect(await list(5, 1)).toEqual([other]);
  });
});
