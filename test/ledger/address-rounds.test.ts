// The addresses of payments are compared with their deposits in turn, so that however many there are, none
// hides a loss.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { chainId, usdc, whole } from "../sending/scene.ts";
import { bookDeposit } from "../sending/deposits.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { openCheck } from "./account-scene.ts";

type Check = Awaited<ReturnType<typeof openCheck>>;

const addressAt = (number: number): string => `0x${String(number).padStart(40, "0")}`;

/** Deposits of one payment, a dollar each at an address of its own; number 1 is the oldest. */
async function depositAt(check: Check, numbers: readonly number[]): Promise<void> {
  const { chain, database } = check;
  const wish = { chainId, deploymentId: usdc.deploymentId, index: 1n, amountRaw: whole };
  const hash = await bookDeposit(check, { ...wish, address: addressAt(numbers[0] ?? 1) });
  for (const one of numbers) chain.mint(addressAt(one), usdc.contractAddress, whole);
  await query(
    database,
    sql.raw(`
    insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address, amount_raw,
      block_number, block_hash, block_time, status, bookings, regular_raw, surplus_raw, unmatched_raw,
      booked_at)
    select chain_id, tx_hash, number, deployment_id, payment_id, '0x' || lpad(number::text, 40, '0'),
      amount_raw, block_number, block_hash, block_time, status, bookings, regular_raw, surplus_raw,
      unmatched_raw, booked_at
    from deposits, unnest(array[${numbers.slice(1).join()}]::integer[]) as number
    where tx_hash = '${hash}'`),
  );
  const oldest = addressAt(numbers[0] ?? 1);
  await query(
    database,
    sql.raw(`update deposits set block_number = 2 where address <> '${oldest}'`),
  );
  chain.mine(3);
}

const numbersTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => at + 1);

const ofPayments = (asked: readonly string[]): readonly string[] =>
  asked.filter((one) => /^0x0{30}/.test(one));

describe.each(engines)("on %s", (engine) => {
  test("of 5,001 addresses each is compared in two runs: the oldest hides no loss", async () => {
    const check = await openCheck(engine);
    const { chain, read, look, clock } = check;
    await depositAt(check, numbersTo(5_001));
    chain.mint(addressAt(1), usdc.contractAddress, -whole);
    chain.mint(addressAt(5_001), usdc.contractAddress, whole);
    chain.mine();
    await read();
    const told = [];
    for (let runs = 1; runs <= 3; runs++) {
      told.push(...(await look()));
      clock.advance(3_600_000);
    }
    expect(told).toEqual([
      `${usdc.deploymentId} deposit_addresses_with_less -${whole}`,
      `${usdc.deploymentId} deposit_addresses ${whole}`,
    ]);
  });

  test.each([
    [5, 3],
    [4, 2],
    [1, 1],
  ])("of %i addresses, two in a run, each is compared in any %i runs", async (count, every) => {
    const check = await openCheck(engine, { addressesMax: 2, againMax: 1 });
    await depositAt(check, numbersTo(count));
    await check.read();
    const runs: (readonly string[])[] = [];
    while (runs.length < 3 * every) runs.push(ofPayments(await check.runAnew()));
    for (let from = 0; from + every <= runs.length; from++) {
      const some = runs.slice(from, from + every).flat();
      expect(some.toSorted()).toEqual(numbersTo(count).map(addressAt));
    }
  });

  test("two processes at once compare the same page, and leave none out", async () => {
    const check = await openCheck(engine, { addressesMax: 2, againMax: 1 });
    await depositAt(check, numbersTo(6));
    await check.read();
    const asked = [];
    for (let runs = 1; runs <= 3; runs++) asked.push(...ofPayments(await check.runTwice()));
    expect(new Set(asked)).toEqual(new Set(numbersTo(6).map(addressAt)));
  });

  test("a page that the chain did not answer for is compared in the next run", async () => {
    const check = await openCheck(engine, { addressesMax: 2, againMax: 1 });
    await depositAt(check, numbersTo(4));
    await check.read();
    expect(ofPayments(await check.runAnew())).toEqual([addressAt(1), addressAt(2)]);
    check.chain.faults.next("balanceAt", { kind: "unavailable" }, Number.POSITIVE_INFINITY);
    await check.runAnew();
    check.chain.faults.clear();
    expect(ofPayments(await check.runAnew())).toEqual([addressAt(3), addressAt(4)]);
  });

  test("what differs is looked at again in the next run, told, and shown until it agrees", async () => {
    const check = await openCheck(engine, { addressesMax: 2, againMax: 2 });
    const { chain, read, look, clock, admin } = check;
    await depositAt(check, numbersTo(6));
    chain.mint(addressAt(1), usdc.contractAddress, -whole);
    chain.mine();
    await read();
    const lost = `${usdc.deploymentId} deposit_addresses_with_less -${whole}`;
    const told = [];
    for (let runs = 1; runs <= 4; runs++) {
      told.push(...(await look()));
      clock.advance(3_600_000);
    }
    expect(told).toEqual([lost]);
    expect((await admin("ledger balances")).output).toContain("deposit_addresses_with_less: -1 ");
    // It is back, and it is found in the next run, whosever turn it is.
    chain.mint(addressAt(1), usdc.contractAddress, whole);
    chain.mine();
    await read();
    await look();
    expect((await admin("ledger balances")).output).not.toContain("deposit_addresses_with_less");
  });

  test("says how long a round takes, and when the last one ended", async () => {
    const check = await openCheck(engine, { addressesMax: 2, againMax: 1 });
    const { read, runAnew, clock, admin } = check;
    await depositAt(check, numbersTo(5));
    await read();
    const [begin, hour] = [clock.nowMilliseconds(), 3_600_000];
    const at = (hours: number) => new Date(begin + hours * hour).toISOString();
    const line = async () => {
      const { output } = await admin("ledger balances");
      return output.split("\n").filter((one) => one.startsWith("COMPARED"));
    };
    expect(await line()).toEqual([]);
    const start = `COMPARED    ${usdc.deploymentId} addresses of payments: `;
    await runAnew();
    expect(await line()).toEqual([`${start}no round has ended yet; 2 in 1 run since ${at(0)}`]);
    await runAnew();
    await runAnew();
    const ended = `${start}the last round ended ${at(2)}, 5 in 3 runs since ${at(0)}`;
    expect(await line()).toEqual([ended]);
    await runAnew();
    await runAnew();
    expect(await line()).toEqual([`${ended}; 4 in 2 runs since ${at(3)}`]);
  });
});
