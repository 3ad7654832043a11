// Random lives of payments: deposits in several currencies on two chains, confirmations, small and
// deep reorganisations, cancellation, the end of time, withdrawals that empty the accounts. Whatever
// comes after what: no unit is lost or made or with somebody else than what is left says, no status is
// reached on an unknown way, no event is missing.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { paymentEdges } from "../../service/payments/states.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { engines, makeDatabase } from "../support/engines.ts";
import { shareProblems } from "../support/shares.ts";
import { query } from "../support/service-parts.ts";
import { base, ethereum, quotesOf } from "./progress-quotes.ts";
import { creator, lifeMilliseconds, openWorld, partner, price } from "./progress-world.ts";
import type { PaymentWish, World } from "./progress-world.ts";

const places = [
  { chainId: base, deploymentId: "dep_usdc_base", unit: 1n },
  { chainId: ethereum, deploymentId: "dep_usdc_ethereum", unit: 1n },
  { chainId: base, deploymentId: "dep_eth_base", unit: 400_000_000n },
  { chainId: ethereum, deploymentId: "dep_usdt_ethereum", unit: 1n },
] as const;

type Action =
  | {
      readonly kind: "see";
      readonly place: number;
      readonly amountRaw: bigint;
      readonly at: number;
    }
  | { readonly kind: "finalize" | "orphan" | "include"; readonly which: number }
  | { readonly kind: "cancel" | "expire" | "touch" | "spend" };

/** Milliseconds after the creation; the last two are past the end, and past what counts. */
const moments = [0, lifeMilliseconds, lifeMilliseconds + 1, lifeMilliseconds + 7 * 86_400_000 + 1];

const which = fc.nat(100);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("see" as const),
      place: fc.constantFrom(0, 0, 0, 1, 2, 3),
      amountRaw: fc.oneof(
        fc.constantFrom(1n, price / 3n, price / 2n, price - 9_999n, price, price + 1n, 2n * price),
        fc.bigInt(1n, 2n * price),
      ),
      at: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("finalize" as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("orphan" as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("include" as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "cancel" as const,
        "expire" as const,
        "touch" as const,
        "spend" as const,
      ),
    }),
  },
);

const terms: fc.Arbitrary<PaymentWish> = fc.record({
  feeBps: fc.constantFrom(0, 1, 100, 3333, 10_000),
  overpayPolicy: fc.constantFrom("pro_rata" as const, "to_primary" as const),
  splits: fc.constantFrom(
    [],
    [{ merchantId: partner.merchantId, bps: 3333 }],
    [{ merchantId: partner.merchantId, bps: 10_000 }],
  ),
});

interface Seen {
  readonly hash: string;
  state: "seen" | "final" | "orphaned";
}

interface Life {
  readonly payment: string;
  readonly seen: Seen[];
}

async function act(world: World, { payment, seen }: Life, one: Action): Promise<void> {
  switch (one.kind) {
    case "see": {
      const place = places[one.place] ?? places[0];
      const hash = await world.see({
        payment,
        chainId: place.chainId,
        deploymentId: place.deploymentId,
        amountRaw: one.amountRaw * place.unit,
        blockTime: world.after(moments[one.at] ?? 0),
      });
      seen.push({ hash, state: "seen" });
      return;
    }
    case "finalize":
    case "orphan":
    case "include": {
      const allowed = { finalize: ["seen"], orphan: ["seen", "final"], include: ["orphaned"] };
      const fit = seen.filter(({ state }) => allowed[one.kind].includes(state));
      const chosen = fit[one.which % Math.max(1, fit.length)];
      if (chosen === undefined) return;
      await world[one.kind](chosen.hash);
      const next = { finalize: "final", orphan: "orphaned", include: "seen" } as const;
      chosen.state = next[one.kind];
      return;
    }
    case "cancel":
      await world.cancel(payment);
      return;
    case "expire":
      await world.database.transaction((inside) => world.progress.expire(inside, [payment]));
      return;
    case "touch":
      await world.touch(payment);
      return;
    case "spend":
      await spendEverything(world);
  }
}

let spent = 0;

/** So that what is taken back later is not there. */
async function spendEverything(world: World): Promise<void> {
  const rows = await query(world.database)<{
    merchant_id: string;
    deployment_id: string;
    balance: string;
  }>`
    select merchant_id, deployment_id, balance::text from ledger_accounts
    where kind = 'merchant:available' and balance > 0`;
  for (const { merchant_id: merchantId, deployment_id: deploymentId, balance } of rows) {
    const owner = { ...creator, merchantId };
    const amountRaw = BigInt(balance);
    spent++;
    await world.database.run(
      postTransaction,
      ledgerValues(world.parts, {
        kind: "withdrawal_reserved",
        reference: `wdr_${spent}`,
        occurredAt: world.clock.now(),
        postings: [
          { account: "merchant:available", deploymentId, owner, amountRaw },
          { account: "merchant:withdrawing", deploymentId, owner, amountRaw: -amountRaw },
        ],
      }),
    );
  }
}

const ways = new Set(paymentEdges.map(({ from, to, event }) => `${from} ${to} ${event}`));
const stays = new Set(["payment.reorged", "payment.deposit_after_close"]);

/** The events tell the whole story: each is a known way, and the last one is how it is now. */
async function checkStory(world: World, payment: string): Promise<void> {
  const events = await world.events(payment);
  const now = await world.status(payment);
  let at = "pending";
  for (const [index, { type, sequence, data }] of events.entries()) {
    expect(sequence).toBe(BigInt(index + 1));
    const to = String(data["status"]);
    // The test cancels without an event.
    if (to === "cancelled" && at === "pending") at = to;
    if (to === at) expect(stays).toContain(type);
    else expect(ways).toContain(`${at} ${to} ${type}`);
    at = to;
  }
  expect([at, now === "cancelled" && at === "pending" ? at : now]).toEqual([at, at]);
}

/** For each deployment: what the ledger has is what the chain says is final, and it sums to zero. */
async function checkMoney(world: World): Promise<void> {
  const rows = await query(world.database)<{
    id: string;
    held: string;
    booked: string;
    final: string;
    sum: string;
    loose: number;
  }>`
    select d.id,
      coalesce((select balance from ledger_accounts
        where kind = 'chain:deposit_addresses' and deployment_id = d.id), 0)::text as held,
      (select coalesce(sum(amount_raw), 0) from deposits
        where deployment_id = d.id and bookings > reversals)::text as booked,
      (select coalesce(sum(amount_raw), 0) from deposits where deployment_id = d.id
        and (status = 'final' or (status = 'seen' and bookings > reversals)))::text as final,
      (select coalesce(sum(ledger_side(kind) * balance), 0) from ledger_accounts
        where deployment_id = d.id)::text as sum,
      (select count(*)::integer from deposits where deployment_id = d.id
        and (status = 'orphaned' and bookings > reversals
          or status = 'final' and bookings = reversals)) as loose
    from deployments d where d.id = any(${`{${places.map((one) => one.deploymentId).join(",")}}`}::text[])`;
  expect(rows).toHaveLength(places.length);
  for (const { id, held, booked, final, sum, loose } of rows) {
    expect({ id, held, booked, sum, loose }).toEqual({
      id,
      held: final,
      booked: final,
      sum: "0",
      loose: 0,
    });
  }
}

describe.each(engines)("on %s", (engine) => {
  test("no life of a payment loses or makes a unit, takes an unknown way, or skips an event", async () => {
    const { database, remove } = await makeDatabase(engine);
    try {
      const world = await openWorld(database);
      const quotes = quotesOf({ usdc: `${price}`, eth: `${price * 400_000_000n}` });
      const reached = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(terms, fc.array(action, { maxLength: 10 })), {
            minLength: 1,
            maxLength: 2,
          }),
          async (lives) => {
            for (const [wish, actions] of lives) {
              const payment = await world.addPayment({ ...wish, quotes });
              const seen: Seen[] = [];
              for (const one of actions) {
                await act(world, { payment, seen }, one);
                reached.add(await world.status(payment));
              }
              await checkStory(world, payment);
            }
            await checkMoney(world);
            expect(await shareProblems(database)).toEqual([]);
          },
        ),
        { numRuns: 60 },
      );
      // The lives were not all the same.
      expect(reached.size).toBeGreaterThan(6);
    } finally {
      await remove();
    }
  });
});
