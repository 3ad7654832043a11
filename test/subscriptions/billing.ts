// Subscriptions in a world of their own, and what customers do with the bills.

import { ChainHealth } from "../../service/chains/health.ts";
import { expirePayments } from "../../service/payments/expiry.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import type { Owner } from "../../service/owner.ts";
import { Subscriptions } from "../../service/subscriptions/subscriptions.ts";
import type { NewSubscription } from "../../service/subscriptions/subscriptions.ts";
import type { Subscription } from "../../service/subscriptions/model.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { chainId, usdc } from "../withdrawals/scene.ts";
import type { PaymentStatus, SubscriptionStatus } from "../../service/database/words.ts";
import { dayMilliseconds, daySeconds, openWorld } from "../support/world.ts";

/** Each try can be paid for a week, the longest that there is. */
export const intervalDays = 30;
export const tryDays = 7;

export interface Bill {
  readonly period_start: Date;
  readonly try: number;
  readonly refused: string | null;
  readonly payment_id: string | null;
  readonly status: PaymentStatus | null;
  readonly order_no: string | null;
  readonly lives_seconds: number | null;
}

export async function openBilling(engine: Engine) {
  const world = await openWorld(engine);
  const { database, clock, acceptance, once } = world;
  const subscriptions = new Subscriptions(world);
  const progress = new PaymentProgress(world);
  const health = new ChainHealth(world);
  const expiry = expirePayments({ ...world, progress, health, connectedChainIds: [] });
  const { bill } = world.startProcess();

  const accept = (owner: Owner, currencies: ReadonlyMap<string, null>) =>
    once(owner, async (finish) => {
      await acceptance.replace({ ...owner, currencies }, finish);
    });
  const newShop = async (): Promise<Owner> => {
    const owner = await world.newOwner();
    await accept(owner, new Map([[usdc.currencyId, null]]));
    return owner;
  };
  const subscribe = (owner: Owner, change: Partial<NewSubscription> = {}) =>
    subscriptions.create(owner, {
      currencyId: usdc.currencyId,
      chainId,
      amount: "9.99",
      intervalSeconds: intervalDays * daySeconds,
      missedPeriods: "collapse",
      userId: "u-1",
      firstBillAt: undefined,
      ...change,
    });
  const bills = (id: string): Promise<readonly Bill[]> =>
    query(database)<Bill>`select b.period_start, b.try, b.refused, b.payment_id, p.status,
        p.merchant_order_no as order_no,
        extract(epoch from p.expires_at - p.created_at)::int as lives_seconds
      from subscription_bills b left join payments p on p.id = b.payment_id
      where b.subscription_id = ${id} order by b.period_start, b.try`;
  const setPayment = async (id: string | null | undefined, status: PaymentStatus) => {
    await query(
      database,
    )`update payments set status = ${status}, version = version + 1 where id = ${id}`;
  };
  /** What the customer does with the newest bill. */
  const answer = async (id: string, status: PaymentStatus) => {
    await setPayment((await bills(id)).at(-1)?.payment_id, status);
  };
  const passDays = async (days: number): Promise<void> => {
    clock.advance(days * dayMilliseconds);
    await expiry.run();
  };
  /** Tries that nobody pays, the one that is open included. */
  const leaveUnpaid = async (tries: number): Promise<void> => {
    for (let count = 0; count < tries; count++) {
      await bill();
      await passDays(tryDays + 0.01);
    }
    await bill();
  };
  const reach = {
    incomplete: () => Promise.resolve(),
    active: async (id: string) => {
      await bill();
      await answer(id, "paid");
      await bill();
      clock.advance(intervalDays * dayMilliseconds);
    },
    past_due: async (id: string) => {
      await reach.active(id);
      await leaveUnpaid(3);
    },
  };
  return {
    ...world,
    subscriptions,
    accept,
    newShop,
    subscribe,
    bill,
    bills,
    setPayment,
    ...paying(world, progress),
    answer,
    passDays,
    leaveUnpaid,
    /** One that the biller has brought to this status. */
    subscribed: async (
      owner: Owner,
      status: Exclude<SubscriptionStatus, "cancelled" | "expired">,
    ): Promise<Subscription> => {
      const { id } = await subscribe(owner);
      await reach[status](id);
      return subscriptions.get(owner, id);
    },
    cancel: (owner: Owner, id: string) =>
      once<Subscription>(owner, (finish) => subscriptions.cancel(owner, id, finish)),
    typesAbout: async (id: string): Promise<readonly string[]> => {
      const events = await world.eventsAbout(id);
      return events.map(({ type }) => type.replace("subscription.", ""));
    },
  };
}

let transfers = 0;

/** Customers whose money the chain has. */
function paying(
  { database, clock }: Awaited<ReturnType<typeof openWorld>>,
  progress: PaymentProgress,
) {
  const refresh = (...paymentIds: readonly string[]) =>
    database.transaction((inside) => progress.refresh(inside, paymentIds));
  return {
    refresh,
    /** In raw units; not final: somebody has only seen it. */
    pay: async (
      paymentId: string | null | undefined,
      amountRaw: bigint,
      state: "seen" | "final" = "final",
    ): Promise<string> => {
      if (typeof paymentId !== "string") throw new Error("there is no payment");
      const hash = `0xpaid${++transfers}`;
      await query(database)`insert into deposits (chain_id, tx_hash, log_index, deployment_id,
          payment_id, address, amount_raw, block_number, block_hash, block_time, status)
        values (${chainId}, ${hash}, 0, ${usdc.deploymentId}, ${paymentId}, '0xpayer',
          ${amountRaw.toString()}::numeric, 1, '0xblock', ${clock.now()}, ${state})`;
      await refresh(paymentId);
      return hash;
    },
    /** Of all of them at once, as a block brings them. */
    finalize: async (...hashes: readonly string[]): Promise<void> => {
      const rows = await query(database)<{ payment_id: string }>`
        update deposits set status = 'final' where tx_hash = any(${hashes}) returning payment_id`;
      await refresh(...rows.map((row) => row.payment_id));
    },
  };
}

/** With a merchant that accepts what is billed. */
export async function openShop(engine: Engine) {
  const world = await openBilling(engine);
  return { world, owner: await world.newShop() };
}

/** And with a subscription that the biller has brought to this status. */
export async function openSubscription(
  engine: Engine,
  status: Exclude<SubscriptionStatus, "cancelled" | "expired"> = "incomplete",
) {
  const { world, owner } = await openShop(engine);
  return { ...(await world.subscribed(owner, status)), world, owner };
}
