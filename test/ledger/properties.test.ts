// Whatever is posted, in whatever order and however much at once: the books are right.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { debitKinds } from "../../service/ledger/model.ts";
import { CheckViolation } from "../../service/ports/database.ts";
import { engines, makeDatabase } from "../support/engines.ts";
import type { MadeDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { alice, aliceTest, bob, buildLedger, ether, usdc } from "./fixture.ts";
import { accountKinds, type AccountKind } from "../../service/database/words.ts";
import type { LedgerFixture, Leg } from "./fixture.ts";

const owners = [alice, aliceTest, bob];
const amount = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).filter((one) => one !== 0n);
const place = fc.tuple(
  fc.constantFrom(...accountKinds),
  fc.constantFrom(...owners),
  fc.constantFrom(usdc, ether),
);

function leg(
  [kind, owner, deploymentId]: [AccountKind, (typeof owners)[number], string],
  of: bigint,
): Leg {
  const isMerchants = kind.startsWith("merchant:") || kind === "payer:refund_due";
  return [kind, of, isMerchants ? owner : null, deploymentId];
}

/** Balanced, by one more leg for each deployment that would not be. */
const transaction = fc
  .tuple(fc.array(fc.tuple(place, amount), { minLength: 1, maxLength: 6 }), place)
  .map(([parts, [restKind, restOwner]]) => {
    const legs = parts.map(([where, of]) => leg(where, of));
    for (const deploymentId of [usdc, ether]) {
      const sum = legs.reduce((sum, one) => (one[3] === deploymentId ? sum + one[1] : sum), 0n);
      if (sum !== 0n) legs.push(leg([restKind, restOwner, deploymentId], -sum));
    }
    return legs;
  });

/** What the balances must be, by plain addition. */
class Model {
  readonly balances = new Map<string, bigint>();

  add(legs: readonly Leg[]): void {
    for (const [kind, of, owner, deploymentId = usdc] of legs) {
      const whose = owner === null ? [] : [owner.merchantId, owner.environment];
      const key = [kind, deploymentId, ...whose].join(" ");
      const side = debitKinds.has(kind) ? 1n : -1n;
      this.balances.set(key, (this.balances.get(key) ?? 0n) + side * of);
    }
  }

  nonZero(): Readonly<Record<string, bigint>> {
    return Object.fromEntries(Array.from(this.balances).filter(([, balance]) => balance !== 0n));
  }
}

describe.each(engines)("on %s", (engine) => {
  let made: MadeDatabase;
  let ledger: LedgerFixture;
  const model = new Model();
  let references = 0;

  beforeAll(async () => {
    made = await makeDatabase(engine);
    ledger = await buildLedger(made.database);
  });
  afterAll(() => made.remove());

  /** True: posted. False: refused, since somebody would be below zero. */
  async function post(legs: readonly Leg[]): Promise<boolean> {
    references += 1;
    try {
      await ledger.post("test", String(references), legs);
      return true;
    } catch (error) {
      expect(error).toEqual(new CheckViolation("ledger_accounts_not_negative"));
      return false;
    }
  }

  test("every balance is the sum of its postings, and every deployment sums to zero", async () => {
    const sequences = fc.array(fc.oneof(transaction, transaction, fc.constant("together")), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(sequences, async (steps) => {
        const waiting: Leg[][] = [];
        const postAll = async (all: readonly Leg[][]) => {
          const isPosted = await Promise.all(all.map(post));
          for (const [index, legs] of all.entries()) if (isPosted[index] === true) model.add(legs);
        };
        for (const step of steps) {
          if (step !== "together") waiting.push(step);
          else await postAll(waiting.splice(0));
        }
        for (const legs of waiting) await postAll([legs]);
        expect(await ledger.balances()).toEqual(model.nonZero());
        expect((await ledger.verify()).differences).toEqual([]);
        const off = await query(ledger.database)<{ deployment_id: string }>`
          select deployment_id from ledger_accounts group by deployment_id having sum(
            case when kind like 'chain:%' or kind in ('merchant:debt', 'platform:gas')
            then balance else -balance end
          ) <> 0`;
        expect(off).toEqual([]);
      }),
      { numRuns: 40 },
    );
    // Both kinds of outcome were there, or this has proved little.
    const [transactions] = await ledger.counts();
    expect(transactions).toBeGreaterThan(10);
    expect(references).toBeGreaterThan(transactions);
  });
});
