// The addresses of payments.

import { describe, expect, test } from "vitest";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
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
