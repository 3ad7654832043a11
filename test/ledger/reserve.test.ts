// The reserve: what the chains hold against what we owe.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { Audit } from "../../service/audit/audit.ts";
import { ServiceError } from "../../service/errors.ts";
import { reserveCheckJob } from "../../service/ledger/reserve.ts";
import { chainHoldings } from "../../service/ledger/reserve-holdings.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { alice, aliceTest, bob, credited, ether, usdc } from "./fixture.ts";
import { addPayment, openReserve, quiet } from "./reserve-scene.ts";

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

    // It says the greatest gap, also when there is a smaller one or none.
    clock.advance(1000);
    for (const raw of [98n, 99n]) {
      held.set(usdc, raw);
      expect((await check()).said).toEqual([`${usdc} ${raw} + 0 < 100`]);
    }
    held.set(usdc, 1000n);
    expect((await check()).said).toEqual([]);
    const greatest = reason.replace("99", "98");
    expect(await operations.freezes()).toEqual([{ deploymentId: usdc, reason: greatest, since }]);

    expect(await operations.unfreeze(usdc)).toMatchObject({ reason: greatest });
    expect(await operations.freezes()).toEqual([]);
    await expect(operations.unfreeze(usdc)).rejects.toThrow(`${usdc} is not frozen.`);
    held.set(usdc, 0n);
    expect((await check()).said).toEqual([`${usdc} 0 + 0 < 100 new`]);
    const entries = await new Audit({ database }).list({ after: 0n, limit: 10 });
    const changes = entries.filter((one) => one.subject.type === "deployment");
    expect(changes.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      "system deployment.frozen",
      "system deployment.frozen",
      "operator deployment.unfrozen",
      "system deployment.frozen",
    ]);
    expect(changes[0]?.details).toBe('{"held_raw":"99","in_flight_raw":"0","owed_raw":"100"}');
    const more = '{"held_raw":"98","in_flight_raw":"0","owed_raw":"100","was_frozen":true}';
    expect(changes[1]?.details).toBe(more);
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
      return { raw: before };
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
      isHindered: true,
      said: [`${ether} unknown`, `${usdc} 1 + 0 < 100 new`],
    });
    await operations.unfreeze(usdc);
    held.set(ether, 5n).set(usdc, new ServiceError("chain_unavailable", "No answer."));
    expect(await check()).toEqual({
      done: 1,
      isMore: false,
      isHindered: true,
      said: [`${usdc} unknown`],
    });
    expect(await operations.freezes()).toEqual([]);
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
    await addPayment(database);
    await query(
      database,
      sql.raw<object>(`
        insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address,
          amount_raw, block_number, block_hash, block_time, status)
        select '${chainId}', '0x1', number, deployment_id, 'pay_1', address, 1, 1, '0xb', now(),
          status
        from (values (0, '${usdc}', '0xa', 'final'), (1, '${usdc}', '0xa', 'seen'),
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
    expect(await holdings(deployment)).toEqual({ raw: 111n });
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
    expect(held).toEqual({ raw: 111n + 4_997n * 1000n });
    asked.length = 0;
    await addAddresses(4_998, 4_998);
    expect(await holdings(deployment)).toEqual({ raw: 1n, asked: ["0xhot"] });
    expect(asked).toEqual(["0xhot 0xusdc"]);

    // Of more only those that something is on its way from.
    await query(
      database,
      sql.raw<object>(`
        with sweep as (
          insert into sweeps (id, kind, chain_id, deployment_id, address, derivation_index, method,
            target, target_address, amount_raw, covered_raw, status, created_at, updated_at)
          values ('swp_1', 'sweep', '${chainId}', '${usdc}', '0xb', 1, 'collect', 'hot', '0xhot', 1,
            1, 'moving', now(), now())
          returning id, address)
        update deposits d set sweep_id = sweep.id from sweep where d.address = sweep.address`),
    );
    asked.length = 0;
    expect(await holdings(deployment)).toEqual({ raw: 101n, asked: ["0xb", "0xhot"] });
    expect(asked).toEqual(["0xb 0xusdc", "0xhot 0xusdc"]);
  });
});
