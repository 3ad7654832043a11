// Who may sign for an account of ours, and which nonces it has given: of this account, whatever is known of others.

import { beforeEach, describe, expect, test } from "vitest";
import { auditValues } from "../../service/audit/audit.ts";
import type { Database } from "../../service/ports/database.ts";
import {
  extendSenderLease,
  findSenderAccounts,
  readKnownNonces,
  releaseSenderLease,
  stopForForeignUse,
  takeSenderLease,
} from "../../service/sending/accounts.sql.ts";
import { sumMerchantSettlementGas, sumSettlementGas } from "../../service/sending/gas.sql.ts";
import { resumeWithdrawals, stopWithdrawals } from "../../service/withdrawals/policy.sql.ts";
import { engines } from "../support/engines.ts";
import { addMerchant, query } from "../support/service-parts.ts";
import { changedKeys, contentsOf, stored, type Row } from "../support/table-steps.ts";
import { at, broadcast, openQueue, otherChain, others, ours } from "./queue-rows.ts";
import { put, putNonce, queued } from "./queue-rows.ts";
import { chainId, usdc } from "./scene.ts";

const place = { chainId, account: ours };
const own = `sender_accounts ${chainId} ${ours}`;

const looksMax = 1000;

/** In a transaction, until so many others wait for a lock. */
async function waiting(inside: Database, count: number): Promise<void> {
  for (let looks = 0; looks < looksMax; looks++) {
    // What others do is as of the first look otherwise.
    await query(inside)`select pg_stat_clear_snapshot()`;
    const rows = await query(inside)`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (rows.length >= count) return;
  }
  throw new Error("too few wait for a lock");
}

describe.each(engines)("on %s", (engine) => {
  let database: Database;
  beforeEach(async () => {
    ({ database } = await openQueue(engine));
  });
  const contents = () =>
    contentsOf(database, {
      sender_accounts: "t.chain_id || ' ' || t.account",
      withdrawal_stops: "t.chain_id",
    });
  const setLease = (token: string | null, expiresAt: Date | null) =>
    query(
      database,
    )`update sender_accounts set lease_token = ${token}, lease_expires_at = ${expiresAt}
      where chain_id = ${chainId} and account = ${ours}`;

  describe("the lease of an account", () => {
    const taking = { ...place, leaseToken: "new", now: at(60), expiresAt: at(120) };
    test.each([
      ["of nobody", null, null, true],
      ["that has run out just now", "another's", at(60), true],
      ["that has not run out", "another's", at(61), false],
    ] as const)("%s", async (...[, token, until, isTaken]) => {
      await setLease(token, until);
      const was = await contents();
      expect(await database.run(takeSenderLease, taking)).toHaveLength(isTaken ? 1 : 0);
      const is = await contents();
      expect(changedKeys(was, is)).toEqual(isTaken ? [own] : []);
      const lease = { lease_token: "new", lease_expires_at: at(120) };
      if (isTaken) expect(is.get(own)).toMatchObject(stored(lease));
    });

    test("is made for an account that nobody knew", async () => {
      const was = await contents();
      const values = { ...taking, account: "a new one" };
      expect(await database.run(takeSenderLease, values)).toHaveLength(1);
      expect(changedKeys(was, await contents())).toEqual([`sender_accounts ${chainId} a new one`]);
    });

    test.each<readonly [string, Row, boolean]>([
      ["its holder", {}, true],
      ["an earlier one", { leaseToken: "an earlier one" }, false],
      ["the same elsewhere", { chainId: otherChain }, false],
      ["another account's", { account: others }, false],
    ])("is extended and given back by %s: only if it is that", async (_, wrong, isOwn) => {
      const values = { ...place, leaseToken: "mine", ...wrong };
      const was = await contents();
      const extended = await database.run(extendSenderLease, { ...values, expiresAt: at(90) });
      expect(extended).toHaveLength(isOwn ? 1 : 0);
      const is = await contents();
      expect(changedKeys(was, is)).toEqual(isOwn ? [own] : []);
      if (isOwn) expect(is.get(own)).toMatchObject(stored({ lease_expires_at: at(90) }));
      await database.run(releaseSenderLease, values);
      const after = await contents();
      expect(changedKeys(is, after)).toEqual(isOwn ? [own] : []);
      const free = { lease_token: null, lease_expires_at: null };
      if (isOwn) expect(after.get(own)).toMatchObject(free);
    });
  });

  test("known are the nonces that were stored, and the one that is reserved", async () => {
    const known = async () => (await database.run(readKnownNonces, place))[0];
    // Of others, and of what is sent already.
    await put(database, "out_1", { ...broadcast, account: others, reserved_nonce: 80 });
    await putNonce(database, "out_1", { chain_id: chainId, account: others, nonce: 80 });
    await put(database, "out_2", { ...broadcast, chain_id: otherChain, reserved_nonce: 90 });
    await putNonce(database, "out_2", { chain_id: otherChain, account: ours, nonce: 90 });
    await put(database, "out_3", { ...queued, account: others, reserved_nonce: 81 });
    await put(database, "out_4", { ...queued, chain_id: otherChain, reserved_nonce: 91 });
    await put(database, "out_5", { ...broadcast, reserved_nonce: 70 });
    const none = { foreign_count: null, last_given: null, last_asked: null, is_stopped: false };
    expect(await known()).toEqual(none);
    await put(database, "out_6", { ...queued, reserved_nonce: 4 });
    expect(await known()).toEqual({ ...none, last_given: 3n, last_asked: 4n });
    for (const nonce of [2, 3]) {
      await put(database, `out_stored_${nonce}`, { ...broadcast, reserved_nonce: nonce });
      const chain_id = chainId;
      await putNonce(database, `out_stored_${nonce}`, { chain_id, account: ours, nonce });
    }
    expect(await known()).toEqual({ ...none, last_given: 3n, last_asked: 4n });
    await query(
      database,
    )`update outgoing_transactions set reserved_nonce = null where id = 'out_6'`;
    expect(await known()).toEqual({ ...none, last_given: 3n, last_asked: 3n });
    await query(database)`update sender_accounts set foreign_count = case
      when chain_id = ${chainId} and account = ${ours} then 7 else 8 end`;
    expect(await known()).toMatchObject({ foreign_count: 7n, is_stopped: false });
    await query(database)`insert into withdrawal_stops values
      (${otherChain}, 'another chain', now())`;
    expect(await known()).toMatchObject({ is_stopped: false });
    for (const stopped of [chainId, "*"]) {
      await query(database)`delete from withdrawal_stops`;
      await query(database)`insert into withdrawal_stops values (${stopped}, 'a doubt', now())`;
      expect(await known()).toMatchObject({ is_stopped: true });
    }
  });

  test("what others have used stops the chain, by whoever has the account, and is written down each time", async () => {
    const stop = (more: Row, reason = "others have used it") => {
      const values = { ...place, leaseToken: "mine", usedCount: 9n, reason, now: at(5) };
      const subject = { type: "chain", id: chainId };
      const action = "withdrawals.stopped";
      const audit = { occurredAt: at(5), actor: "system", action, subject, details: {} } as const;
      return database.run(stopForForeignUse, { ...values, ...auditValues(audit), ...more });
    };
    const audited = async () =>
      (await query(database)`select from audit_entries where action = 'withdrawals.stopped'`)
        .length;
    const was = await contents();
    for (const wrong of [{ leaseToken: "x" }, { chainId: otherChain }, { account: others }]) {
      expect(await stop(wrong)).toEqual([]);
    }
    expect(changedKeys(was, await contents())).toEqual([]);
    expect(await audited()).toBe(0);
    expect(await stop({})).toHaveLength(1);
    const is = await contents();
    expect(changedKeys(was, is)).toEqual([own, `withdrawal_stops ${chainId}`]);
    expect(is.get(own)).toMatchObject({ foreign_count: 9, lease_token: "mine" });
    const reason = { reason: "others have used it", since: at(5) };
    expect(is.get(`withdrawal_stops ${chainId}`)).toMatchObject(stored(reason));
    expect(await audited()).toBe(1);
    // They have been stopped since then, and now for this as well.
    expect(await stop({ usedCount: 11n }, "again")).toHaveLength(1);
    const after = await contents();
    expect(changedKeys(is, after)).toEqual([own, `withdrawal_stops ${chainId}`]);
    expect(after.get(own)).toMatchObject({ foreign_count: 11 });
    const both = "again (found 2026-01-01T00:00:05Z); before that: others have used it";
    expect(after.get(`withdrawal_stops ${chainId}`)).toMatchObject(
      stored({ reason: both, since: at(5) }),
    );
    expect(await audited()).toBe(2);
    // The newest is whole, however many there were.
    await stop({ usedCount: 12n }, "x".repeat(1990));
    const last = (await contents()).get(`withdrawal_stops ${chainId}`);
    expect(last?.["reason"]).toBe(`${"x".repeat(1990)} (found 20`);
  });

  // One connection, as PGlite has it, lets nobody in between.
  describe.runIf(engine === "PostgreSQL")("a stop that several write at once", () => {
    const subject = { type: "chain", id: chainId };
    const entry = { occurredAt: at(5), actor: "system", subject, details: {} } as const;
    const audit = auditValues({ ...entry, action: "withdrawals.stopped" });
    const writing = { ...place, leaseToken: "mine", usedCount: 9n, now: at(5), ...audit };
    const found = (reason: string) => database.run(stopForForeignUse, { ...writing, reason });
    const said = (reason: string) =>
      database.run(stopWithdrawals, { ...writing, reason, isAdded: true });
    const lift = () => {
      const lifting = auditValues({ ...entry, action: "withdrawals.resumed" });
      return database.run(resumeWithdrawals, {
        chainId,
        reason: "looking",
        since: at(5),
        ...lifting,
      });
    };
    const stops = () =>
      query(database)<{ reason: string }>`select chain_id, reason from withdrawal_stops`;

    /** All of them wait for the audit log, or for one before, in this order; then they are let go on. */
    async function inOrder(...works: readonly (() => Promise<readonly unknown[]>)[]) {
      const ended: Promise<readonly unknown[]>[] = [];
      await database.transaction(async (inside) => {
        await query(inside)`select from audit_head for update`;
        for (const work of works) {
          ended.push(work());
          await waiting(inside, ended.length);
        }
      });
      return (await Promise.all(ended)).map((rows) => rows.length);
    }

    test("a stop that is being lifted in this moment stands afterwards, for what was found or said", async () => {
      for (const stopping of [found, said]) {
        await said("looking");
        expect(await inOrder(lift, () => stopping("others"))).toEqual([1, 1]);
        expect(await stops()).toEqual([{ chain_id: chainId, reason: "others" }]);
        await query(database)`delete from withdrawal_stops`;
      }
    });

    test("what is found or said just before it is lifted stays, and neither waits for the other for ever", async () => {
      for (const stopping of [found, said]) {
        await said("looking");
        expect(await inOrder(() => stopping("others"), lift)).toEqual([1, 0]);
        const [stop] = await stops();
        expect(stop?.reason).toMatch(/^others \((?:found|said) .*\); before that: looking$/);
        await query(database)`delete from withdrawal_stops`;
      }
    });
  });

  test("accounts of ours are found on their own chain", async () => {
    const find = async (chain: string) => {
      const values = { chainId: chain, senders: [ours, others, "a stranger"] };
      const found = await database.run(findSenderAccounts, values);
      return found.map(({ account }) => account).toSorted();
    };
    expect(await find(chainId)).toEqual([others, ours]);
    expect(await find(otherChain)).toEqual([ours]);
  });

  test("what settlements cost is what they did cost, or may cost while that is not known", async () => {
    const purpose = "x402_settlement";
    const rows: readonly Row[] = [
      { ...broadcast, purpose, gas_max_raw: 1, signed_at: at(-10) },
      {
        ...broadcast,
        purpose,
        gas_max_raw: 50,
        gas_raw: 20,
        status: "succeeded",
        signed_at: at(-9),
      },
      { ...broadcast, purpose, gas_max_raw: 300, signed_at: at(-11) },
      { ...broadcast, purpose: "x402_release", gas_max_raw: 4000, signed_at: at(-9) },
      { ...broadcast, purpose, account: others, gas_max_raw: 50_000, signed_at: at(-9) },
      { ...broadcast, purpose, chain_id: otherChain, gas_max_raw: 600_000, signed_at: at(-9) },
      { ...queued, purpose },
    ];
    for (const [index, row] of rows.entries()) await put(database, `out_${index}`, row);
    const values = { ...place, since: at(-10) };
    expect(await database.run(sumSettlementGas, values)).toEqual([{ raw: "21" }]);
    expect(await database.run(sumSettlementGas, { ...values, since: at(-8) })).toEqual([
      { raw: "0" },
    ]);
  });

  test("of a merchant it is that of its settlements alone, whichever of the two is named", async () => {
    const purpose = "x402_settlement";
    for (const merchant of ["mer_1", "mer_2"]) {
      await addMerchant(database, merchant);
      await putSettlement(database, merchant);
    }
    const of = (more: Row): Row => ({ ...broadcast, purpose, ...more });
    const rows: readonly Row[] = [
      of({ subject_id: "stl_mer_1", gas_max_raw: 50, gas_raw: 20, signed_at: at(-10) }),
      of({ subject_id: "stl_mer_2", gas_max_raw: 1, signed_at: at(-9) }),
      of({ subject_id: "stl_mer_1", gas_max_raw: 300, purpose: "x402_release" }),
    ];
    for (const [index, row] of rows.entries()) await put(database, `out_${index}`, row);
    const sum = async (more: Row) => {
      const named = { merchantId: null, settlementId: null };
      const values = { ...place, since: at(-10), ...named, ...more };
      return (await database.run(sumMerchantSettlementGas, values))[0]?.raw;
    };
    expect(await sum({ merchantId: "mer_1" })).toBe("20");
    expect(await sum({ merchantId: "mer_2" })).toBe("1");
    expect(await sum({ settlementId: "stl_mer_1" })).toBe("20");
    expect(await sum({ merchantId: "mer_3" })).toBe("0");
    const wrongs = [{ since: at(-9) }, { chainId: otherChain }, { account: others }];
    for (const wrong of wrongs) expect(await sum({ merchantId: "mer_1", ...wrong })).toBe("0");
  });
});

async function putSettlement(database: Database, merchant: string): Promise<void> {
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status,
      quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    values (${`pay_${merchant}`}, ${merchant}, 'test', '1', 'paid', '[{}]', ${[chainId]}, 'to_primary', 0,
      ${`token ${merchant}`}, now(), now() + interval '1 h', now())`;
  await query(database)`insert into x402_settlements (id, merchant_id, environment, payment_id,
      deployment_id, chain_id, scheme, method, asset, payer, nonce, pay_to, authorized_raw, valid_after,
      valid_before, domain_name, domain_version, evidence_version, signature, amount_raw, status,
      from_block, created_at, updated_at)
    values (${`stl_${merchant}`}, ${merchant}, 'test', ${`pay_${merchant}`}, ${usdc.deploymentId},
      ${chainId}, 'exact', 'eip3009', '0xtoken', ${merchant}, '0x' || repeat('ab', 32), 'us', 1, 0, 1,
      'USD Coin', '2', 1, '0x' || repeat('cd', 65), 1, 'settled', 0, now(), now())`;
}
