// Recurring payouts as a merchant sees them: creating, listing and pausing them. What a run does is
// the business of the runner.

import { rawAmountOf } from "../amounts.ts";
import type { CursorPosition, Cursors } from "../cursor.ts";
import { refusalsOf, ServiceError } from "../errors.ts";
import { eventValues } from "../events/events.ts";
import { decideAgain, storeAnswer, isChanged } from "../idempotency/decide-again.ts";
import { keyExpired, keyTaken } from "../idempotency/idempotency.ts";
import type { Finish } from "../idempotency/idempotency.ts";
import type { Owner } from "../owner.ts";
import { isPayoutPossible, isPayoutScheduleId, payoutScheduleEvent } from "./model.ts";
import type { PayoutSchedule, PayoutScheduleFacts } from "./model.ts";
import { UniqueViolation } from "../ports/database.ts";
import {
  createSchedule,
  findOpenSchedule,
  findSchedule,
  listSchedules,
  pauseSchedule,
  retireSchedule,
} from "./schedules.sql.ts";
import type { CreateScheduleValues, PayoutScheduleRow } from "./schedules.sql.ts";
import { findPlace, placeProblemsOf } from "../withdrawals/withdrawals.ts";
import type { PlaceParts } from "../withdrawals/withdrawals.ts";
import type { PayoutMode, PayoutScheduleStatus } from "../database/words.ts";
import type { WithdrawalPlace } from "../withdrawals/decision.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { WatchedChains } from "../ports/watched-chains.ts";

/** Our choice: hourly at most, since each run costs a fee; yearly at least. */
export const intervalSeconds = { min: 3_600, max: 366 * 86_400 } as const;

export interface PayoutSchedulePorts extends RecordingPorts, WatchedChains {
  readonly cursors: Cursors;
}

export interface CreateScheduleCommand {
  readonly currencyId: string;
  /** CAIP-2 */
  readonly chainId: string;
  readonly withdrawAddressId: string;
  readonly intervalSeconds: number;
  /** decimal text */
  readonly minSendAmount: string;
  readonly mode: PayoutMode;
  /** one interval from now when omitted */
  readonly firstRunAt: Date | undefined;
  /** the API key that asks for it */
  readonly keyId: string;
}

/** Of a command of which parts are not known; the amount is the least that is sent. */
export interface ScheduleParts extends PlaceParts {
  readonly intervalSeconds: number | undefined;
  readonly firstRunAt: Date | undefined;
}

export interface ListSchedulesCommand {
  readonly status: PayoutScheduleStatus | undefined;
  readonly currencyId: string | undefined;
  readonly chainId: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface SchedulePage {
  readonly schedules: readonly PayoutSchedule[];
  /** null on the last page */
  readonly nextCursor: string | null;
}

export class PayoutSchedules {
  readonly #ports: PayoutSchedulePorts;

  constructor(ports: PayoutSchedulePorts) {
    this.#ports = ports;
  }

  /**
   * A paused one for the same currency, chain and address is retired by the new one. Throws what
   * `placeOf` refuses, `interval_out_of_range`,
   * `first_run_in_past`, `amount_precision`, `amount_too_small`, `amount_too_large`,
   * `schedule_already_exists`. Texts must be without U+0000.
   */
  async create(
    owner: Owner,
    command: CreateScheduleCommand,
    finish: Finish<PayoutSchedule>,
  ): Promise<void> {
    const { clock, database, watchedChainIds } = this.#ports;
    await decideAgain("schedule", async () => {
      const now = clock.now();
      const place = await findPlace(database, { owner, ...command }, { now, watchedChainIds });
      const schedule = this.#draft(owner, { command, place, now });
      return this.#isCreated(schedule, finish);
    });
  }

  /** What `create` would refuse of a body of which parts are not known. Nothing is written. */
  async problemsOf(
    owner: Owner,
    keyId: string,
    parts: ScheduleParts,
  ): Promise<readonly ServiceError[]> {
    const { intervalSeconds: interval, firstRunAt } = parts;
    return [
      ...(await placeProblemsOf(this.#ports, { owner, keyId }, parts)),
      ...refusalsOf([
        () => interval !== undefined && checkInterval(interval),
        () => checkFirstRun(firstRunAt, this.#ports.clock.now()),
      ]),
    ];
  }

  /** False: another schedule came or changed in between, and nothing was written. */
  async #isCreated(schedule: PayoutSchedule, finish: Finish<PayoutSchedule>): Promise<boolean> {
    const { database } = this.#ports;
    const values = this.#createValues(schedule, finish);
    try {
      const created = await database.run(createSchedule, values);
      if (created.length === 0) throw keyTaken();
      return true;
    } catch (error) {
      if (!isAboutTwin(error)) throw error;
    }
    const { owner, deploymentId, withdrawAddressId } = schedule;
    const [row] = await database.run(findOpenSchedule, {
      merchantId: owner.merchantId,
      environment: owner.environment,
      deploymentId,
      withdrawAddressId,
    });
    if (row === undefined) return false;
    const twin = scheduleOf(row, schedule.createdAt);
    if (twin.status === "active") throw alreadyExists(twin);
    return this.#isReplaced(twin, schedule, values);
  }

  /** Both or none: a merchant must not be left without the paused one. */
  async #isReplaced(
    twin: PayoutSchedule,
    schedule: PayoutSchedule,
    values: CreateScheduleValues,
  ): Promise<boolean> {
    const retired = retireValues(this.#ports, twin, {
      now: schedule.createdAt,
      facts: { reason: "replaced", replaced_by: schedule.id },
    });
    try {
      return await this.#ports.database.transaction(async (database) => {
        const rows = await database.run(retireSchedule, retired);
        if (rows.length === 0) return false;
        const created = await database.run(createSchedule, values);
        // Thrown, so that the paused one stays what it is.
        if (created.length === 0) throw keyTaken();
        return true;
      });
    } catch (error) {
      if (isAboutTwin(error)) return false;
      throw error;
    }
  }

  #draft(
    { merchantId, environment }: Owner,
    { command, place, now }: { command: CreateScheduleCommand; place: WithdrawalPlace; now: Date },
  ): PayoutSchedule {
    const { intervalSeconds: interval, firstRunAt } = command;
    checkInterval(interval);
    checkFirstRun(firstRunAt, now);
    return {
      id: this.#ports.identifiers.next("pos"),
      owner: { merchantId, environment },
      currencyId: place.currencyId,
      deploymentId: place.deploymentId,
      chainId: place.chainId,
      decimals: place.decimals,
      withdrawAddressId: place.withdrawAddressId,
      intervalSeconds: interval,
      minSendRaw: rawAmountOf(command.minSendAmount, place.decimals, "/min_send_amount"),
      mode: command.mode,
      keyId: command.keyId,
      isKeyBound: place.isKeyBound,
      status: "active",
      isPossible: true,
      version: 1n,
      nextRunAt: firstRunAt ?? new Date(now.getTime() + interval * 1000),
      createdAt: now,
      updatedAt: now,
      retiredAt: null,
    };
  }

  #createValues(schedule: PayoutSchedule, finish: Finish<PayoutSchedule>): CreateScheduleValues {
    const { id, owner, currencyId, deploymentId, chainId, withdrawAddressId } = schedule;
    return {
      ...owner,
      id,
      currencyId,
      deploymentId,
      chainId,
      withdrawAddressId,
      intervalSeconds: schedule.intervalSeconds,
      minSendRaw: schedule.minSendRaw,
      mode: schedule.mode,
      keyId: schedule.keyId,
      isKeyBound: schedule.isKeyBound,
      nextRunAt: schedule.nextRunAt,
      now: schedule.createdAt,
      ...eventValues(this.#ports, payoutScheduleEvent("payout_schedule.created", schedule)),
      ...finish(schedule),
    };
  }

  /** Newest first. Throws `invalid_cursor`. */
  async list(owner: Owner, command: ListSchedulesCommand): Promise<SchedulePage> {
    const { database, cursors } = this.#ports;
    const { merchantId, environment } = owner;
    const { status = null, currencyId = null, chainId = null, cursor, limit } = command;
    const filters = { operation: "listPayoutSchedules", environment, status, currencyId, chainId };
    const scope = { merchantId, filters };
    const after = cursor === undefined ? undefined : cursors.read(scope, cursor);
    // The database keeps no U+0000, so no schedule has it.
    if (`${currencyId ?? ""}${chainId ?? ""}`.includes("\0")) {
      return { schedules: [], nextCursor: null };
    }
    const rows = await database.run(listSchedules, {
      merchantId,
      environment,
      status,
      currencyId,
      chainId,
      ...positionOf(after),
      rowsMax: limit + 1,
    });
    const now = this.#ports.clock.now();
    const schedules = rows.slice(0, limit).map((row) => scheduleOf(row, now));
    const last = schedules.at(-1);
    const hasMore = rows.length > limit && last !== undefined;
    return {
      schedules,
      nextCursor: hasMore ? cursors.write(scope, [last.createdAt.toISOString(), last.id]) : null,
    };
  }

  /**
   * A schedule that is paused or retired already is left as it is. Throws `not_found`.
   */
  async pause(owner: Owner, id: string, finish: Finish<PayoutSchedule>): Promise<void> {
    const { database } = this.#ports;
    await decideAgain("schedule", async () => {
      const schedule = await this.#get(owner, id);
      if (schedule.status !== "active") return storeAnswer(database, finish(schedule));
      const now = this.#ports.clock.now();
      const paused: PayoutSchedule = { ...schedule, status: "paused", updatedAt: now };
      const rows = await database.run(pauseSchedule, {
        ...paused.owner,
        id,
        versionRead: schedule.version,
        now,
        ...eventValues(this.#ports, payoutScheduleEvent("payout_schedule.paused", paused)),
        ...finish(paused),
      });
      return isChanged(rows);
    });
  }

  async #get({ merchantId, environment }: Owner, id: string): Promise<PayoutSchedule> {
    const [row] = isPayoutScheduleId(id)
      ? await this.#ports.database.run(findSchedule, { merchantId, environment, id })
      : [];
    if (row !== undefined) return scheduleOf(row, this.#ports.clock.now());
    throw new ServiceError("not_found", "There is no payout schedule with this id.");
  }
}

/** The values of `retireSchedule`. */
export function retireValues(
  ports: Pick<PayoutSchedulePorts, "clock" | "identifiers">,
  schedule: PayoutSchedule,
  { now, facts }: { readonly now: Date; readonly facts: PayoutScheduleFacts },
) {
  const retired: PayoutSchedule = {
    ...schedule,
    status: "retired",
    updatedAt: now,
    retiredAt: now,
  };
  return {
    ...schedule.owner,
    id: schedule.id,
    versionRead: schedule.version,
    now,
    ...eventValues(ports, payoutScheduleEvent("payout_schedule.retired", retired, facts)),
  };
}

export function scheduleOf(row: PayoutScheduleRow, now: Date): PayoutSchedule {
  return {
    id: row.id,
    owner: { merchantId: row.merchant_id, environment: row.environment },
    currencyId: row.currency_id,
    deploymentId: row.deployment_id,
    chainId: row.chain_id,
    decimals: row.decimals,
    withdrawAddressId: row.withdraw_address_id,
    intervalSeconds: Number(row.interval_seconds),
    minSendRaw: BigInt(row.min_send_raw),
    mode: row.mode,
    keyId: row.api_key_id,
    isKeyBound: row.is_key_bound,
    status: row.status,
    isPossible: isPayoutPossible(row, now),
    version: row.version,
    nextRunAt: row.next_run_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    retiredAt: row.retired_at,
  };
}

function checkInterval(interval: number): void {
  const { min, max } = intervalSeconds;
  if (interval < min || interval > max) {
    throw new ServiceError(
      "interval_out_of_range",
      `interval_secs must be from ${min} to ${max}.`,
      { details: { pointer: "/interval_secs", minimum: min, maximum: max } },
    );
  }
}

function checkFirstRun(firstRunAt: Date | undefined, now: Date): void {
  if (firstRunAt !== undefined && firstRunAt < now) {
    throw new ServiceError("first_run_in_past", "first_run_at is in the past.", {
      details: { pointer: "/first_run_at", server_time: now.toISOString() },
    });
  }
}

function positionOf(after: CursorPosition | undefined) {
  const [createdAt, id] = after ?? [];
  if (createdAt === undefined || id === undefined) return { afterCreatedAt: null, afterId: null };
  return { afterCreatedAt: new Date(createdAt), afterId: id };
}

/** The request made a schedule once and its answer is forgotten, or there is an open schedule. */
function isAboutTwin(error: unknown): boolean {
  if (!(error instanceof UniqueViolation)) return false;
  if (error.constraint === "payout_schedules_idempotency_key") throw keyExpired();
  return error.constraint === "payout_schedules_one_open";
}

function alreadyExists({ id }: PayoutSchedule): ServiceError {
  return new ServiceError(
    "schedule_already_exists",
    "An active schedule for this currency, chain and address exists.",
    { details: { schedule_id: id } },
  );
}
