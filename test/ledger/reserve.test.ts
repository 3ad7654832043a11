// The reserve: what the chains hold against what we owe.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { Audit } from "../../service/audit/audit.ts";
import { ServiceError } from "../../service/errors.ts";
import {
  moveAddressRound,
  recordAddressDifferences,
} from "../../service/ledger/address-rounds.sql.ts";
import { reserveCheckJob } from "../../service/ledger/reserve.ts";
import type { HeldDeployment, ReservePorts } from "../../service/ledger/reserve.ts";
import { chainHoldings } from "../../service/ledger/reserve-holdings.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { alice, aliceTest, bob, buildLedger, credited, ether, usdc } from "./fixture.ts";

async function openReserve(engine: Engine) {
  const ledger = await buildLedger(await openDatabase(engine));
  const { database, clock } = ledger;
  const said: string[] = [];
  const held = new Map<string, bigint | Error>();
  const withoutAddresses = new Set<string>();
  const inFlight = new Map<string, bigint>();
  let reads = 0;
  const ports: ReservePorts = {
    database,
    clock,
    holdings: ({ id }: HeldDeployment) => {
      reads += 1;
      const holding = held.get(id);
      if (holding instanceof Error) return Promise.reject(holding);
      const isWithoutAddresses = withoutAddresses.has(id);
      return Promise.resolve(
        holding === undefined ? undefined : { raw: holding, isWithoutAddresses },
      );
    },
    inFlightRaw: (id) => Promise.resolve(inFlight.get(id) ?? 0n),
    onGap: ({ deploymentId, heldRaw, inFlightRaw, owedRaw }, isNew) =>
      said.push(`${deploymentId} ${heldRaw} + ${inFlightRaw} < ${owedRaw}${isNew ? " new" : ""}`),
    onUnknown: ({ id }) => said.push(`${id} unknown`),
  };
  const check = async (change: Partial<ReservePorts> = {}) => {
    said.length = 0;
    const run = await reserveCheckJob({ ...ports, ...change }).run();
    return { ...run, said: [...said] };
  };
  return { ...ledger, held, withoutAddresses, inFlight, check, ports, said, reads: () => reads };
}

const quiet = { done: 1, isMore: false, said: [] };

describe.each(engines)("on %s", (engine) => {
  test("everything that is owed counts, in both halves of all merchants, and nothing else", async () => {
    const { post, held, check } = await openReserve(engine);
    await post("test", "owed", [
      ["chain:hot", 63n, null],
      ["merchant:available", -1n, alice],
      ["merchant:available", -2n, aliceTest],
      ["merchant:withdrawing", -4n, bob],
      ["merchant:x402_hold", -8n, bob],
      ["merchant:unmatched", -16n, alice],
      ["payer:refund_due", -32n, bob],
    ]);
    await post("test", "not owed", [
      ["chain:hot", 300n, null],
      ["platform:fees", -100n, null],
      ["platform:capital", -200n, null],
    ]);
    held.set(usdc, 63n);
    expect(await check()).toEqual(quiet);
    held.set(usdc, 62n);
    expect(await check()).toEqual({ ...quiet, said: [`${usdc} 62 + 0 < 63 new`] });
  });

  test("a gap freezes once, with both numbers, and only an operator ends that", async () => {
    const { post, held, check, operations, clock, database } = await openReserve(engine);
    await post("deposit_credited", "a", credited(100n));
    await post("deposit_credited", "b", credited(5n, bob, ether));
    held.set(usdc, 99n).set(ether, 5n);
    const since = clock.now();
    expect(await check()).toEqual({ done: 2, isMore: false, said: [`${usdc} 99 + 0 < 100 new`] });
    const reason =
      "The chain holds 99 and 0 are on their way out, but 100 are owed, in smallest units.";
    expect(await operations.freezes()).toEqual([{ deploymentId: usdc, reason, since }]);

    // The money is back, and the freeze stands.
    clock.advance(1000);
    held.set(usdc, 98n);
    expect((await check()).said).toEqual([`${usdc} 98 + 0 < 100`]);
    held.set(usdc, 1000n);
    expect((await check()).said).toEqual([]);
    expect(await operations.freezes()).toEqual([{ deploymentId: usdc, reason, since }]);

    expect(await operations.unfreeze(usdc)).toMatchObject({ reason });
    expect(await operations.freezes()).toEqual([]);
    await expect(operations.unfreeze(usdc)).rejects.toThrow(`${usdc} is not frozen.`);
    held.set(usdc, 0n);
    expect((await check()).said).toEqual([`${usdc} 0 + 0 < 100 new`]);
    const entries = await new Audit({ database }).list({ after: 0n, limit: 10 });
    const changes = entries.filter((one) => one.subject.type === "deployment");
    expect(changes.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      "system deployment.frozen",
      "operator deployment.unfrozen",
      "system deployment.frozen",
    ]);
    expect(changes[0]?.details).toBe('{"held_raw":"99","in_flight_raw":"0","owed_raw":"100"}');
  });

  test("a withdrawal is no gap, from its signature to its end", async () => {
    const { post, held, inFlight, check } = await openReserve(engine);
    await post("deposit_credited", "a", credited(100n));
    held.set(usdc, 100n);
    const states: readonly (() => unknown)[] = [
      () =>
        post("withdrawal_reserved", "wdr_1", [
          ["merchant:available", 60n, alice],
          ["merchant:withdrawing", -60n, alice],
        ]),
      () => inFlight.set(usdc, 58n), // signed
      () => held.set(usdc, 42n), // mined, and not final
      async () => {
        await post("withdrawal_settled", "wdr_1", [
          ["merchant:withdrawing", 60n, alice],
          ["chain:hot", -58n, null],
          ["platform:fees", -2n, null],
        ]);
        inFlight.delete(usdc);
      },
    ];
    for (const next of states) {
      await next();
      expect(await check()).toEqual(quiet);
    }
    // The same without a withdrawal of ours is what this is for.
    held.set(usdc, 39n);
    expect((await check()).said).toEqual([`${usdc} 39 + 0 < 40 new`]);
  });

  test("what arrives and is booked between two readings is no gap either", async () => {
    const { post, check, operations } = await openReserve(engine);
    await post("deposit_credited", "a", credited(100n));
    let holding = 100n;
    let arrivals = 0;
    const holdings = async () => {
      const before = holding;
      if (arrivals < 2) {
        arrivals += 1;
        holding += 10n;
        await post("deposit_credited", `quick ${arrivals}`, credited(10n));
      }
      return { raw: before, isWithoutAddresses: false };
    };
    expect(await check({ holdings })).toEqual(quiet);
    expect(await operations.freezes()).toEqual([]);
  });

  test("where the chain does not answer nothing is decided, it is said, and the others go on", async () => {
    const { post, held, check, operations } = await openReserve(engine);
    await post("deposit_credited", "a", [...credited(100n), ...credited(5n, bob, ether)]);
    held.set(usdc, 1n);
    expect(await check()).toEqual({
      done: 1,
      isMore: false,
      said: [`${ether} unknown`, `${usdc} 1 + 0 < 100 new`],
    });
    await operations.unfreeze(usdc);
    held.set(ether, 5n).set(usdc, new ServiceError("chain_unavailable", "No answer."));
    expect(await check()).toEqual({ done: 1, isMore: false, said: [`${usdc} unknown`] });
    expect(await operations.freezes()).toEqual([]);
  });

  test("with too many addresses, what the books say is there counts, less what is missing", async () => {
    const { post, held, withoutAddresses, inFlight, check, operations, clock, database } =
      await openReserve(engine);
    await post("deposit_credited", "a", [
      ["chain:deposit_addresses", 70n, null],
      ["chain:hot", 30n, null],
      ["merchant:available", -90n, alice],
      ["platform:fees", -10n, null],
    ]);
    held.set(usdc, 30n);
    withoutAddresses.add(usdc);
    const now = clock.now();
    // Nobody has ever compared them.
    expect((await check()).said).toEqual([`${usdc} unknown`]);
    const round = { deploymentId: usdc, after: "", runs: 1, addresses: 1n };
    const last = { lastStartedAt: null, lastEndedAt: null, lastRuns: null, lastAddresses: null };
    const begun = { ...round, ...last, through: "0xa", startedAt: now };
    await database.run(moveAddressRound, begun);
    expect((await check()).said).toEqual([`${usdc} unknown`]);
    const ended = { ...round, after: "0xa", through: "", startedAt: null, runs: 0, addresses: 0n };
    const whole = { lastStartedAt: now, lastEndedAt: now, lastRuns: 2, lastAddresses: 2n };
    await database.run(moveAddressRound, { ...ended, ...whole });
    expect(await check()).toEqual(quiet);
    held.set(usdc, 20n);
    expect(await check()).toEqual(quiet);
    held.set(usdc, 19n);
    expect((await check()).said).toEqual([`${usdc} 89 + 0 < 90 new`]);
    inFlight.set(usdc, 1n);
    expect((await check()).said).toEqual([]);
    inFlight.delete(usdc);
    await operations.unfreeze(usdc);

    // Something is missing at an address; that another has more is no replacement.
    held.set(usdc, 30n);
    const compared = { deploymentId: usdc, blockNumber: 1n, now, agreeing: [] };
    const difference = (address: string, heldRaw: number, bookedRaw: number) => {
      return { address, held_raw: `${heldRaw}`, booked_raw: `${bookedRaw}` };
    };
    const record = (...differing: readonly object[]) =>
      database.run(recordAddressDifferences, {
        ...compared,
        differing: JSON.stringify(differing),
      });
    await record(difference("0xa", 0, 10), difference("0xb", 500, 1));
    expect(await check()).toEqual(quiet);
    await record(difference("0xa", 0, 11));
    expect((await check()).said).toEqual([`${usdc} 89 + 0 < 90 new`]);
  });

  test("one that fails is not in the way of the others for ever", async () => {
    const { post, held, ports, said } = await openReserve(engine);
    await post("deposit_credited", "a", [...credited(100n), ...credited(5n, bob, ether)]);
    held.set(ether, new Error("a fault of ours")).set(usdc, 1n);
    const job = reserveCheckJob(ports);
    await expect(job.run()).rejects.toThrow("a fault of ours");
    expect(await job.run()).toEqual({ done: 1, isMore: false });
    expect(said).toEqual([`${usdc} 1 + 0 < 100 new`]);
  });

  test("two processes that see one gap freeze once", async () => {
    const { post, held, ports, said, operations } = await openReserve(engine);
    await post("deposit_credited", "a", credited(100n));
    held.set(usdc, 1n);
    await Promise.all([reserveCheckJob(ports).run(), reserveCheckJob(ports).run()]);
    expect(said.toSorted()).toEqual([`${usdc} 1 + 0 < 100`, `${usdc} 1 + 0 < 100 new`]);
    expect(await operations.freezes()).toHaveLength(1);
  });

  test("who owes nothing is not asked about", async () => {
    const { post, check, reads } = await openReserve(engine);
    await post("funding", "a", [
      ["chain:hot", 5n, null],
      ["platform:capital", -5n, null],
    ]);
    expect(await check()).toEqual({ done: 0, isMore: false, said: [] });
    expect(reads()).toBe(0);
  });

  test("held is the hot account and every address that deposits arrived at, each once", async () => {
    const { database } = await openReserve(engine);
    const chainId = "eip155:1";
    await query(
      database,
      sql.raw<object>(`
        with payment as (
          insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes,
            chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
          values ('pay_1', 'mer_alice', 'live', '1', 'paid', '[{}]', '{eip155:1}', 'to_primary', 0,
            'token', now(), now() + interval '1 h', now())
          returning id)
        insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address,
          amount_raw, block_number, block_hash, block_time, status)
        select '${chainId}', '0x1', number, deployment_id, payment.id, address, 1, 1, '0xb', now(),
          status
        from payment, (values (0, '${usdc}', '0xa', 'final'), (1, '${usdc}', '0xa', 'seen'),
          (2, '${usdc}', '0xb', 'seen'), (3, '${usdc}', '0xc', 'orphaned'),
          (4, '${ether}', '0xd', 'final'), (5, '${usdc}', '0xhot', 'final')
        ) as one (number, deployment_id, address, status)`),
    );
    const balances: Record<string, bigint> = { "0xhot": 1n, "0xa": 10n, "0xb": 100n };
    const asked: string[] = [];
    const chain = {
      balance: (address: string, contract: string | null) => {
        asked.push(`${address} ${contract}`);
        return Promise.resolve(balances[address] ?? 1000n);
      },
    };
    const chainOf = (id: string) => (id === chainId ? { chain, accounts: ["0xhot"] } : undefined);
    const holdings = chainHoldings({ database, chainOf });
    const deployment = { id: usdc, chainId, contractAddress: "0xusdc" };
    expect(await holdings(deployment)).toEqual({ raw: 111n, isWithoutAddresses: false });
    expect(asked.toSorted()).toEqual(["0xa 0xusdc", "0xb 0xusdc", "0xhot 0xusdc"]);
    expect(await holdings({ ...deployment, chainId: "eip155:2" })).toBeUndefined();

    // Up to 5,000 each is asked about.
    const addAddresses = (from: number, to: number) =>
      query(
        database,
        sql.raw<object>(`
          insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address,
            amount_raw, block_number, block_hash, block_time, status)
          select '${chainId}', '0x2', number, '${usdc}', 'pay_1', '0xmany' || number, 1, 1, '0xb',
            now(), 'final'
          from generate_series(${from}::integer, ${to}::integer) as number`),
      );
    await addAddresses(1, 4_997);
    const held = await holdings(deployment);
    expect(held).toEqual({ raw: 111n + 4_997n * 1000n, isWithoutAddresses: false });
    asked.length = 0;
    await addAddresses(4_998, 4_998);
    expect(await holdings(deployment)).toEqual({ raw: 1n, isWithoutAddresses: true });
    expect(asked).toEqual(["0xhot 0xusdc"]);
  });
});
