// The reserve where deposits lie at more addresses than a chain can be asked about.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import {
  moveAddressRound,
  recordAddressDifferences,
  recordAddressesLeftOut,
} from "../../service/ledger/address-rounds.sql.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { alice, usdc } from "./fixture.ts";
import { addDeposits, openReserve, quiet } from "./reserve-scene.ts";

describe.each(engines)("on %s", (engine) => {
  const hour = 3_600_000;

  /** What is at two addresses, 40 and 30, and 30 in the hot account; 90 of it are owed. */
  const openMany = async () => {
    const reserve = await openReserve(engine);
    const { post, held, askedOnly, database, clock } = reserve;
    await post("deposit_credited", "a", [
      ["chain:deposit_addresses", 70n, null],
      ["chain:hot", 30n, null],
      ["merchant:available", -90n, alice],
      ["platform:fees", -10n, null],
    ]);
    await addDeposits(database, [
      ["0xa", 40, 1],
      ["0xb", 30, 1],
      // Not booked: nobody is owed it.
      ["0xb", 500, 0],
    ]);
    held.set(usdc, 30n);
    askedOnly.set(usdc, []);
    const round = async (runs: number) => {
      const last = {
        lastStartedAt: null,
        lastEndedAt: null,
        lastRuns: null,
        lastAddresses: null,
      };
      const begun = { deploymentId: usdc, runs: 1, addresses: 1n, startedAt: clock.now() };
      await database.run(moveAddressRound, { ...begun, ...last, after: "", through: "0xa" });
      const whole = { lastStartedAt: clock.now(), lastEndedAt: clock.now(), lastRuns: runs };
      const ended = { ...whole, startedAt: null, runs: 0, addresses: 0n, lastAddresses: 2n };
      await database.run(moveAddressRound, {
        deploymentId: usdc,
        after: "0xa",
        through: "",
        ...ended,
      });
    };
    const compare = async (...differing: readonly (readonly [string, number, number])[]) => {
      const text = differing.map(([address, heldRaw, bookedRaw]) => {
        return { address, held_raw: `${heldRaw}`, booked_raw: `${bookedRaw}` };
      });
      await database.run(recordAddressDifferences, {
        deploymentId: usdc,
        blockNumber: 1n,
        now: clock.now(),
        agreeing: [],
        differing: JSON.stringify(text),
      });
    };
    return { ...reserve, round, compare };
  };

  test("what booked deposits have brought counts, once each address was compared lately", async () => {
    const { check, round, held, inFlight, clock, database } = await openMany();
    expect((await check()).said).toEqual([`${usdc} unknown`]);
    await round(2);
    expect(await check()).toEqual(quiet);
    held.set(usdc, 20n);
    expect(await check()).toEqual(quiet);
    held.set(usdc, 19n);
    expect((await check()).said).toEqual([`${usdc} 89 + 0 < 90 new`]);
    inFlight.set(usdc, 1n);
    expect((await check()).said).toEqual([]);
    // Two runs take two hours: twice as long, and two more.
    clock.advance(6 * hour);
    expect((await check()).said).toEqual([]);
    clock.advance(1);
    expect((await check()).said).toEqual([`${usdc} unknown`]);
    await round(2);
    expect((await check()).said).toEqual([]);
    await database.run(recordAddressesLeftOut, {
      deploymentId: usdc,
      now: clock.now(),
      compared: [],
      leftOut: ["0xb"],
    });
    clock.advance(24 * hour);
    await round(2);
    expect((await check()).said).toEqual([]);
    clock.advance(1);
    expect((await check()).said).toEqual([`${usdc} unknown`]);
  });

  test("what was asked about counts as the chain says, and not twice", async () => {
    const { check, round, held, askedOnly } = await openMany();
    await round(1);
    askedOnly.set(usdc, ["0xa"]);
    held.set(usdc, 30n + 30n);
    expect(await check()).toEqual(quiet);
    held.set(usdc, 30n + 29n);
    expect((await check()).said).toEqual([`${usdc} 89 + 0 < 90 new`]);
  });

  test("what is on its way counts at an address that was not asked, and what is swept does not", async () => {
    const { check, round, database } = await openMany();
    await round(1);
    const sweep = (status: string) =>
      query(
        database,
        sql.raw<object>(`
          with sweep as (
            insert into sweeps (id, kind, chain_id, deployment_id, address, derivation_index,
              method, target, target_address, amount_raw, covered_raw, status, created_at,
              updated_at)
            values ('swp_1', 'sweep', 'eip155:1', '${usdc}', '0xa', 1, 'collect', 'hot', '0xhot',
              40, 40, 'moving', now(), now())
            on conflict (id) do update set status = '${status}', left_raw = 40, arrived_raw = 40
            returning id)
          update deposits set sweep_id = sweep.id from sweep where address = '0xa'`),
      );
    await sweep("moving");
    expect(await check()).toEqual(quiet);
    await sweep("moved");
    expect((await check()).said).toEqual([`${usdc} 60 + 0 < 90 new`]);
  });

  test("what two comparisons have found missing does not count", async () => {
    const { check, round, compare, clock } = await openMany();
    await round(1);
    // That another address has more is no replacement, and what was swept is lost already.
    await compare(["0xa", 29, 40], ["0xb", 900, 30], ["0xswept", 0, 500]);
    expect(await check()).toEqual(quiet);
    clock.advance(299_999);
    await compare(["0xa", 29, 40], ["0xb", 900, 30], ["0xswept", 0, 500]);
    expect(await check()).toEqual(quiet);
    clock.advance(1);
    await compare(["0xa", 30, 40]);
    expect(await check()).toEqual(quiet);
    // What only the last one has found may be a wrong answer.
    await compare(["0xa", 0, 40]);
    expect(await check()).toEqual(quiet);
    await compare(["0xa", 29, 40]);
    expect((await check()).said).toEqual([`${usdc} 89 + 0 < 90 new`]);
  });

  test("what was lost with something that is swept does not count again", async () => {
    const { check, round, compare, clock, held, database } = await openMany();
    await round(1);
    held.set(usdc, 20n);
    // Of 60 that came to it another 30 were swept, and brought nothing.
    await compare(["0xb", 30, 60]);
    clock.advance(hour);
    await compare(["0xb", 30, 60]);
    expect(await check()).toEqual(quiet);
    await compare(["0xb", 29, 60]);
    expect((await check()).said).toEqual([`${usdc} 89 + 0 < 90 new`]);
    // Nor is anything missing where nothing counts, for however long nobody can say what is there.
    await compare(["0xb", 30, 60]);
    const values = { deploymentId: usdc, compared: [], leftOut: ["0xswept"] };
    await database.run(recordAddressesLeftOut, { ...values, now: clock.now() });
    clock.advance(48 * hour);
    await round(1);
    expect((await check()).said).toEqual([]);
  });

  test("what was more and is less now was found once", async () => {
    const { check, round, compare, clock } = await openMany();
    await round(1);
    await compare(["0xa", 50, 40]);
    clock.advance(hour);
    await compare(["0xa", 0, 40]);
    expect(await check()).toEqual(quiet);
    clock.advance(hour);
    await compare(["0xa", 0, 40]);
    expect((await check()).said).toEqual([`${usdc} 60 + 0 < 90 new`]);
  });
});
