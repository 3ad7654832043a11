// A merchant cancels while the watcher sees the money: the two real programs, at the same moment.

import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { Cursors } from "../../service/cursor.ts";
import { ServiceError } from "../../service/errors.ts";
import { fingerprintOf } from "../../service/idempotency/idempotency.ts";
import { Payments } from "../../service/payments/payments.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { creator, openWorld, price } from "./progress-world.ts";
import type { World } from "./progress-world.ts";

const fee = price / 100n;
const rounds = 30;
/** So often is looked whether somebody waits for a lock. */
const looksMax = 10_000;

async function open(engine: Engine) {
  const database = await openDatabase(engine);
  const world = await openWorld(database);
  const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  const payments = new Payments({
    ...world.parts,
    catalog,
    publicUrl: () => "https://pay.example",
  });
  /** As a request does it. Gives the code of the refusal, or "cancelled". */
  const cancel = async (id: string): Promise<string> => {
    const request = {
      ...creator,
      key: randomBytes(8).toString("hex"),
      operationId: "cancelPayment",
      fingerprint: fingerprintOf({
        operationId: "cancelPayment",
        environment: creator.environment,
        path: { id },
        body: null,
      }),
    };
    const options = { isSecret: false, earlier: undefined };
    try {
      const { answer } = await world.parts.idempotency.run(request, options, async (fence) => {
        const stored = { status: 200, body: "cancelled" };
        await payments.cancel(creator, id, () => fence.finish(stored));
        return stored;
      });
      return answer.body;
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  };
  /** What the watcher does when it sees the price; `before` runs ahead of one of its statements. */
  const seeWith = async (id: string, name: string, before: () => Promise<void>) => {
    let attempts = 0;
    let isToCome = true;
    await database.transaction(async (inside) => {
      attempts += 1;
      const watched: Database = {
        ...inside,
        run: async (statement, values) => {
          if (statement.name === name && isToCome) {
            isToCome = false;
            await before();
          }
          return await inside.run(statement, values);
        },
      };
      await query(
        inside,
      )`insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address,
          amount_raw, block_number, block_hash, block_time, status)
        values ('eip155:8453', ${`0x${id}`}, 0, 'dep_usdc_base', ${id}, '0xa', ${price}, 100, '0xb',
          ${world.clock.now()}, 'seen')`;
      await world.progress.refresh(watched, [id]);
    });
    return { hash: `0x${id}`, attempts };
  };
  return { ...world, cancel, seeWith };
}

/** Either it is cancelled and the money waits, or it is paid; and the events say which. */
async function checkEnd(
  world: Omit<World, "cancel">,
  ...[id, hash, answer]: readonly [string, string, string]
) {
  const before = await world.balances();
  await world.finalize(hash);
  const after = await world.balances();
  const change = (name: string) => (after[name] ?? 0n) - (before[name] ?? 0n);
  const events = (await world.events(id)).map(({ type, sequence }) => `${sequence} ${type}`);
  const status = await world.status(id);
  const unmatched = change("merchant:unmatched creator");
  const available = change("merchant:available creator");
  expect(change("chain:deposit_addresses")).toBe(price);
  if (answer === "cancelled") {
    expect({ status, unmatched, available }).toEqual({
      status: "cancelled",
      unmatched: price,
      available: 0n,
    });
    expect(events).toEqual(["1 payment.cancelled", "2 payment.deposit_after_close"]);
  } else {
    expect({ answer, status, unmatched, available }).toEqual({
      answer: "payment_not_cancellable",
      status: "paid",
      unmatched: 0n,
      available: price - fee,
    });
    expect(events).toEqual(["1 payment.confirming", "2 payment.paid"]);
  }
}

describe.each(engines)("on %s", (engine) => {
  test("one of the two wins, and the other one knows it, whoever starts first", async () => {
    const world = await open(engine);
    for (let round = 0; round < rounds; round++) {
      const id = await world.addPayment();
      const isFirst = round % 2 === 0;
      const cancelling = isFirst ? world.cancel(id) : undefined;
      const seeing = world.see({ payment: id });
      const [answer, hash] = await Promise.all([cancelling ?? world.cancel(id), seeing]);
      await checkEnd(world, id, hash, answer);
    }
  });
});

// One connection, as PGlite has it, lets nobody in between.
describe("on PostgreSQL, step by step,", () => {
  test("cancelled between the watcher's reading and its lock: the watcher begins again", async () => {
    const world = await open("PostgreSQL");
    const id = await world.addPayment();
    let answer = "";
    const { hash, attempts } = await world.seeWith(id, "lock_payments", async () => {
      answer = await world.cancel(id);
    });
    expect({ answer, attempts }).toEqual({ answer: "cancelled", attempts: 2 });
    await checkEnd(world, id, hash, answer);
  });

  test("the watcher has the payment locked: the cancellation waits, and is refused", async () => {
    const world = await open("PostgreSQL");
    const id = await world.addPayment();
    let cancelling: Promise<string> | undefined;
    const { hash, attempts } = await world.seeWith(id, "change_payment", async () => {
      cancelling = world.cancel(id);
      await somebodyWaits(world.database);
    });
    expect(attempts).toBe(1);
    await checkEnd(world, id, hash, (await cancelling) ?? "was not asked for");
  });
});

async function somebodyWaits(database: Database): Promise<void> {
  for (let count = 0; count < looksMax; count++) {
    const rows = await query(database)`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (rows.length > 0) return;
  }
  throw new Error("nobody waits for a lock");
}
