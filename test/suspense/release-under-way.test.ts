// What a payer is due waits for a decision while the sender has begun with it all the same: whoever decides then would
// have it leave twice (threat 48).

import { beforeEach, expect, test } from "vitest";
import { withdrawOutgoing } from "../../service/sending/queue.sql.ts";
import type { Database } from "../../service/ports/database.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import { query } from "../support/service-parts.ts";
import { scene, useStage } from "../x402/stage.ts";
import { failedRelease, openDesk, sendDown, setBlocked } from "./desk.ts";

useStage();

/** Nobody else's on this chain. */
const home = "0x00000000000000000000000000000000000A11cE";
const evidence = "a second account";
const refused = "is being sent to its payer: wait for its end";

beforeEach(async () => {
  await setBlocked(false);
  await scene.mine();
});

const releases = () =>
  query(scene.database)<{ status: string }>`select status from outgoing_transactions
    where purpose = 'x402_release'`;
const exits = () => query(scene.database)`select id from suspense_exits`;

test("one that the sender has a nonce for is decided about by nobody", async () => {
  const { admin } = await openDesk();
  const { item } = await failedRelease(() => setBlocked(true));
  const setNonce = (nonce: bigint | null) => query(scene.database)`
    update outgoing_transactions set reserved_nonce = ${nonce}::bigint where purpose = 'x402_release'`;
  const before = await scene.balances();
  await setNonce(1_000n);
  for (const way of [`return ${item} --to ${home}`, `write-off ${item}`]) {
    const { exitCode, errors } = await admin(`suspense ${way} --evidence "${evidence}"`);
    expect(exitCode).toBe(1);
    expect(errors).toContain(refused);
  }
  expect(await releases()).toEqual([{ status: "queued" }]);
  expect(await exits()).toEqual([]);
  expect(await scene.balances()).toEqual(before);
  // The signature was refused: it waits again, and is given back once.
  await setNonce(null);
  const { exitCode } = await admin(`suspense return ${item} --to ${home} --evidence "${evidence}"`);
  expect(exitCode).toBe(0);
  expect(await releases()).toEqual([{ status: "withdrawn" }]);
  await sendDown();
  expect(await exits()).toHaveLength(1);
  expect(await scene.differences()).toEqual([]);
});

test("nor is one that has left since it was looked at", async () => {
  await openDesk();
  const { item } = await failedRelease(() => setBlocked(true));
  const before = await scene.balances();
  let isLeaving = true;
  const leaving = (database: Database): Database => ({
    ...database,
    transaction: (work) => database.transaction((inside) => work(leaving(inside))),
    run: async (statement, values) => {
      if (statement.name === withdrawOutgoing.name && isLeaving) {
        isLeaving = false;
        await query(database)`update outgoing_transactions
          set status = 'broadcast', reserved_nonce = 1000, signed_at = now(), gas_units_max = 1, gas_max_raw = 1,
            tx_hash = 'signed'
          where purpose = 'x402_release'`;
      }
      return database.run(statement, values);
    },
  });
  const parts = { ...scene, database: leaving(scene.database) };
  const suspense = new Suspense({ ...parts, progress: new PaymentProgress(parts) });
  const decided = suspense.writeOff({ item, evidence });
  await expect(decided).rejects.toThrow(refused);
  expect(isLeaving).toBe(false);
  expect(await exits()).toEqual([]);
  expect(await scene.balances()).toEqual(before);
});
