// Recurring payouts and subscriptions on a real database, with the real rules of withdrawals and
// payments beneath them. The clock moves only when a test says so; several processes may have clocks
// that differ.

import { scheduleJobs } from "../../adapters/assembly/jobs.ts";
import type { ScheduleJobPorts } from "../../adapters/assembly/jobs.ts";
import { addressRanges } from "../../adapters/system/address-ranges.ts";
import { Acceptance } from "../../service/catalog/acceptance.ts";
import { ChainHealth } from "../../service/chains/health.ts";
import type { StaleLimits } from "../../service/chains/health.ts";
import { Cursors } from "../../service/cursor.ts";
import { ApiKeys } from "../../service/merchants/api-keys.ts";
import type { KeyWish } from "../../service/merchants/api-keys.ts";
import type { JobRun } from "../../service/jobs/jobs.ts";
import type { Owner } from "../../service/owner.ts";
import { Payments } from "../../service/payments/payments.ts";
import type { PayoutSchedule } from "../../service/payouts/model.ts";
import { PayoutSchedules } from "../../service/payouts/schedules.ts";
import type { CreateScheduleCommand } from "../../service/payouts/schedules.ts";
import type { Database } from "../../service/ports/database.ts";
import { Withdrawals } from "../../service/withdrawals/withdrawals.ts";
import type { Engine } from "./engines.ts";
import { query } from "./service-parts.ts";
import { chainId, openScene, usdc, whole } from "../withdrawals/scene.ts";
import { clockOf } from "./clock.ts";

export const daySeconds = 86_400;
export const dayMilliseconds = daySeconds * 1000;
const publicUrl = () => "https://pay.example";

export interface ProcessWish {
  /** of its clock, against that of the test */
  readonly skewMilliseconds?: number;
  readonly database?: Database;
  readonly withdrawals?: ScheduleJobPorts["withdrawals"];
  readonly watchedChainIds?: ReadonlySet<string>;
  readonly limits?: StaleLimits;
  /** what is due is judged by the clock of the database itself, as it is outside of tests */
  readonly isOnDatabaseClock?: boolean;
}

export interface ToldEvent {
  readonly type: string;
  readonly sequence: bigint;
  readonly data: Readonly<Record<string, unknown>>;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(engine: Engine) {
  const scene = await openScene(engine);
  const { clock, catalog } = scene;
  const schedules = new PayoutSchedules({
    ...scene,
    cursors: new Cursors(Buffer.alloc(32, 7), []),
  });
  const keys = new ApiKeys({ ...scene, ranges: addressRanges });
  const startProcess = (wish: ProcessWish = {}) => {
    const { skewMilliseconds = 0, database = scene.database, limits } = wish;
    const skewed = clockOf(() => clock.nowMilliseconds() + skewMilliseconds);
    const { watchedChainIds = scene.watchedChainIds } = wish;
    const ports = { ...scene, database, clock: skewed, watchedChainIds };
    const jobs = scheduleJobs({
      ...ports,
      payments: new Payments({ ...ports, catalog, publicUrl }),
      withdrawals: wish.withdrawals ?? new Withdrawals(ports),
      health: new ChainHealth(limits === undefined ? ports : { ...ports, limits }),
      ...(wish.isOnDatabaseClock === true ? {} : { now: () => Promise.resolve(clock.now()) }),
    });
    const run = (name: string): Promise<JobRun> => {
      const job = jobs.find((one) => one.name === name);
      if (job === undefined) throw new Error(`there is no job ${name}`);
      return job.run();
    };
    return {
      payOut: () => run("run-payouts"),
      retire: () => run("retire-payouts"),
      bill: () => run("bill-subscriptions"),
    };
  };
  return {
    ...scene,
    schedules,
    payments: new Payments({ ...scene, publicUrl }),
    acceptance: new Acceptance(scene),
    startProcess,
    /** The chain was read up to now. */
    readChain: () =>
      query(scene.database)`
        insert into chain_cursors (
          chain_id, block_number, block_hash, block_time, checked_number, head_number, looked_at,
          updated_at
        )
        values (${chainId}, 1000, '0xc', ${clock.now()}, 0, 1000, ${clock.now()}, ${clock.now()})
        on conflict (chain_id) do update
          set block_time = excluded.block_time, looked_at = excluded.looked_at`,
    keys,
    ...scheduleSteps(scene, schedules, keys),
    ...looks(scene.database),
  };
}

function scheduleSteps(
  { register, once }: Awaited<ReturnType<typeof openScene>>,
  schedules: PayoutSchedules,
  keys: ApiKeys,
) {
  const newKey = async (owner: Owner, wish: Partial<KeyWish> = {}): Promise<string> => {
    const rights = { scopes: ["payouts:write"], cidrs: ["192.0.2.0/24"], expiresAt: null };
    const { key } = await keys.create({ ...owner, ...rights, ...wish });
    return key.id;
  };
  return {
    /** Makes payout schedules, from some addresses only. */
    newKey,
    /** Daily, from 10 USDC on, to an address of its own and by a key of its own. */
    schedule: async (
      owner: Owner,
      change: Partial<CreateScheduleCommand> = {},
    ): Promise<PayoutSchedule> => {
      const { id: withdrawAddressId } = await register(owner);
      const command: CreateScheduleCommand = {
        currencyId: usdc.currencyId,
        chainId,
        withdrawAddressId,
        intervalSeconds: daySeconds,
        minSendAmount: "10",
        mode: "auto_request",
        firstRunAt: undefined,
        keyId: change.keyId ?? (await newKey(owner)),
        ...change,
      };
      return once<PayoutSchedule>(owner, (finish) => schedules.create(owner, command, finish));
    },
    pause: (owner: Owner, id: string): Promise<PayoutSchedule> =>
      once<PayoutSchedule>(owner, (finish) => schedules.pause(owner, id, finish)),
  };
}

function looks(database: Database) {
  return {
    /** Of one thing, in their order. */
    eventsAbout: async (id: string): Promise<readonly ToldEvent[]> => {
      const rows = await query(database)<{ type: string; sequence: bigint; data: string }>`
        select type, sequence, data from events where resource_id = ${id} order by sequence`;
      // Every event of these has an object as its data.
      return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as ToldEvent["data"] }));
    },
    runsOf: (id: string) =>
      query(database)<{
        slot: Date;
        missed: number;
        outcome: string;
        reason: string | null;
        withdrawal_id: string | null;
      }>`select slot, missed, outcome, reason, withdrawal_id from payout_runs
        where schedule_id = ${id} order by slot`,
    scheduleRow: async (id: string) => {
      const [row] = await query(database)<{ status: string; next_run_at: Date }>`
        select status, next_run_at from payout_schedules where id = ${id}`;
      if (row === undefined) throw new Error(`there is no schedule ${id}`);
      return row;
    },
    withdrawalsOf: (owner: Owner) =>
      query(database)<{ id: string; send_amount_raw: string; status: string }>`
        select id, send_amount_raw::text, status from withdrawals
        where merchant_id = ${owner.merchantId} order by created_at, id`,
    /** Rows of every table that a run writes to. */
    counts: async (): Promise<unknown> => {
      const [row] = await query(database)<Record<string, string>>`
        select (select count(*)::text from withdrawals) as withdrawals,
          (select count(*)::text from payout_runs) as runs,
          (select count(*)::text from events) as events,
          (select sum(last)::text from event_sequences) as sequences,
          (select count(*)::text from ledger_transactions) as ledger,
          (select coalesce(sum(total_raw), 0)::text from withdrawal_days) as days,
          (select coalesce(max(version), 0)::text from payout_schedules) as version,
          (select coalesce(sum(version), 0)::text from subscriptions) as subscriptions,
          (select count(*)::text from subscription_bills) as bills,
          (select coalesce(sum(version), 0)::text from payments) as payments`;
      return row;
    },
  };
}

/** With a merchant that has 100 USDC. */
export async function openFunded(engine: Engine) {
  const world = await openWorld(engine);
  const owner = await world.newOwner();
  await world.fund(owner, 100n * whole);
  return { world, owner };
}

/** And with a schedule that pays them out. */
export async function openSchedule(engine: Engine, change: Partial<CreateScheduleCommand> = {}) {
  const { world, owner } = await openFunded(engine);
  return { ...(await world.schedule(owner, change)), world, owner };
}

/** Everything but the statement with this number in a transaction; its commit comes after the last. */
export function failingAt(real: Database, failAt: number): Database & { readonly reached: number } {
  let count = 0;
  const step = (): void => {
    count += 1;
    if (count === failAt) throw new Error(`step ${failAt} fails`);
  };
  return {
    get reached() {
      return count;
    },
    run: real.run,
    transaction: (work) =>
      real.transaction(async (inside) => {
        const result = await work({
          run: (statement, values) => {
            step();
            return inside.run(statement, values);
          },
          transaction: inside.transaction,
        });
        step();
        return result;
      }),
  };
}

/** `before` runs when a transaction is about to begin. */
export function beforeTransaction(real: Database, before: () => Promise<unknown>): Database {
  return {
    run: real.run,
    transaction: async (work) => {
      await before();
      return real.transaction(work);
    },
  };
}
