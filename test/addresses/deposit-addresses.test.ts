// The addresses of payments.

import { describe, expect, test } from "vitest";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
import { insertDepositAddress } from "../../service/addresses/deposit-addresses.sql.ts";
import type { Database } from "../../service/ports/database.ts";
import { unkeptIndexes } from "../support/address-indexes.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { ScriptedAddressSource } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { startWatching } from "../chains/watching.ts";
import { expectRefusal } from "../support/refusal.ts";

const readIndexes = (database: Database) =>
  query(database)<{ payment_id: string; index: bigint; address: string }>`
    select payment_id, derivation_index as index, address from deposit_addresses
    order by derivation_index`;

describe.each(engines)("on %s", (engine) => {
  const open = async () => {
    const database = await openDatabase(engine);
    const { clock, newPayment } = await startWatching(database, { blocks: 1 });
    const source = new ScriptedAddressSource();
    const sources = { evm: source };
    return {
      database,
      newPayment,
      source,
      addresses: new DepositAddresses({
        database,
        clock,
        sources,
        indexes: unkeptIndexes(database),
      }),
    };
  };

  test("a payment keeps the address it was given first", async () => {
    const { addresses, newPayment, source } = await open();
    const { id, address } = await newPayment();
    for (let count = 0; count < 3; count++) {
      expect(await addresses.open(id, "evm")).toBe(address);
    }
    expect(source.derived).toEqual([]);
  });

  test("every payment has an address and an index of its own", async () => {
    const { database, newPayment } = await open();
    for (let count = 0; count < 5; count++) await newPayment();
    const rows = await readIndexes(database);
    expect(rows.map(({ index }) => index)).toEqual([0n, 1n, 2n, 3n, 4n]);
    expect(new Set(rows.map(({ address }) => address)).size).toBe(5);
  });

  test("many at once are given one address, and no index is used twice", async () => {
    const { addresses, database, newPayment, source } = await open();
    const [{ id }, other] = [await newPayment(), await newPayment()];
    await query(database)`delete from deposit_addresses where payment_id = ${id}`;
    const given = await Promise.all(Array.from({ length: 20 }, () => addresses.open(id, "evm")));
    expect(new Set(given).size).toBe(1);
    expect(new Set(source.derived).size).toBe(source.derived.length);
    const rows = await readIndexes(database);
    expect(rows.map((row) => row.payment_id).toSorted()).toEqual([id, other.id].toSorted());
  });

  test("there is none for a payment that does not exist, or where no address can be made", async () => {
    const { addresses, database, newPayment } = await open();
    const { id } = await newPayment();
    await expectRefusal(addresses.open("pay_none", "evm"), "payment_not_found");
    await expectRefusal(addresses.open(id, "solana"), "chain_unavailable");
    expect(await readIndexes(database)).toHaveLength(1);
  });
});

test("an address that is being given holds up no other one", async () => {
  const database = await openDatabase("PostgreSQL");
  const { clock, newPayment } = await startWatching(database, { blocks: 1 });
  const payments = [await newPayment(), await newPayment()];
  await query(database)`delete from deposit_addresses`;
  const give = (inside: Database, place: 0 | 1) =>
    inside.run(insertDepositAddress, {
      paymentId: payments[place]?.id ?? "",
      family: "evm",
      index: BigInt(100 + place),
      address: `0x${place}`,
      now: clock.now(),
    });
  await database.transaction(async (inside) => {
    expect(await give(inside, 0)).toHaveLength(1);
    // Within the other one, which ends after it.
    expect(await give(database, 1)).toHaveLength(1);
  });
});

test("when a chain's first address was given is noted, whoever gives it", async () => {
  const database = await openDatabase("PostgreSQL");
  const { clock, newPayment } = await startWatching(database, { blocks: 1 });
  const first = clock.now();
  const { id } = await newPayment();
  const read = () =>
    query(database)<{ chain_id: string; since: Date }>`
      select chain_id, since from first_deposit_addresses order by chain_id`;
  const noted = await read();
  expect(noted.length).toBeGreaterThan(0);
  for (const { since } of noted) expect(since).toEqual(first);
  clock.advance(60_000);
  await newPayment();
  expect(await read()).toEqual(noted);
  // A process whose clock is behind, or one of the version before.
  const earlier = new Date(first.getTime() - 1_000);
  await query(database)`delete from deposit_addresses where payment_id = ${id}`;
  await query(
    database,
  )`insert into deposit_addresses (chain_family, derivation_index, address, payment_id, created_at)
    values ('evm', 200, '0xe', ${id}, ${earlier}::timestamptz)`;
  expect(await read()).toEqual(noted.map((one) => ({ ...one, since: earlier })));
});
