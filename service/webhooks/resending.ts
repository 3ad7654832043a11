// Deliveries that have ended unsent are sent anew when an operator says so: those whose attempts are used up, and
// those that were skipped while their endpoint was off. The id, the payload and its place among the events of its
// resource stay; the attempts begin again.
//
// There may be very many, so that each page of them is a transaction, with its own entry in the audit log. Whatever
// ends a run halfway, the next one goes on with what is left: what is queued has not ended any more.

import assert from "node:assert";
import { auditValues } from "../audit/audit.ts";
import { recordAudit } from "../audit/audit.sql.ts";
import { OperatorError } from "../operator-error.ts";
import type { Environment } from "../owner.ts";
import type { Database } from "../ports/database.ts";
import type { StoragePorts } from "../ports/recording.ts";
import { resendableMilliseconds, resendGapMilliseconds } from "./delivery-rules.ts";
import { holdEndpoint, queueDeliveriesAgain, readDeliveryPage } from "./resending.sql.ts";
import type { HeldEndpoint } from "./resending.sql.ts";

/** Deliveries of the merchant that a transaction looks at: for so long attempts of the endpoint wait to be recorded. */
const pageRowsMax = 1_000;

/** What was typed as so many days ago is a moment older when it comes here. */
const typingMilliseconds = 60_000;

export interface ResendWish {
  readonly endpointId: string;
  /** recorded from this moment on; undefined: as long as they can be sent anew */
  readonly since: Date | undefined;
  /** and before this one; undefined: now */
  readonly until: Date | undefined;
  /** undefined: of every event */
  readonly eventId: string | undefined;
}

/** How many of the endpoint's deliveries in the period there were, by what had become of them. */
interface Counts {
  /** sent anew */
  readonly failed: number;
  /** sent anew */
  readonly skipped: number;
  /** on their way already */
  readonly pending: number;
  readonly delivered: number;
  readonly cancelled: number;
}

export interface ResendReport extends Counts {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly since: Date;
  readonly until: Date;
  /** when the last of those that are sent anew is due; null: none is */
  readonly lastDueAt: Date | null;
  /** the endpoint was switched off before all of them were looked at */
  readonly isCutShort: boolean;
}

export interface ResendOptions {
  /** counts them, and writes nothing: they are too many to be tried in one transaction */
  readonly isDryRun: boolean;
  /** deliveries of the merchant that one transaction looks at */
  readonly rowsMax?: number;
}

export class WebhookResending {
  readonly #ports: StoragePorts;

  constructor(ports: StoragePorts) {
    this.#ports = ports;
  }

  /** Throws `OperatorError`: there is no such endpoint, it is off, or there can be nothing in the period. */
  async resend(wish: ResendWish, options: ResendOptions): Promise<ResendReport> {
    const { database, clock } = this.#ports;
    const endpoint = await findEndpoint(database, wish);
    if (endpoint === undefined) throw new OperatorError(`There is no endpoint ${wish.endpointId}.`);
    if (!endpoint.active) throw new OperatorError(offText(endpoint));
    const period = periodOf(wish, endpoint, clock.nowMilliseconds());
    return await new ResendRun(this.#ports, { ...wish, ...period }, options).all(endpoint);
  }
}

type Period = Pick<ResendReport, "since" | "until">;

/** Of the event alone where there is one. */
function periodOf(wish: ResendWish, endpoint: HeldEndpoint, nowMilliseconds: number): Period {
  const first = new Date(nowMilliseconds - resendableMilliseconds);
  const { since = first, until: wanted, eventId } = wish;
  const now = new Date(nowMilliseconds);
  const until = wanted === undefined || wanted > now ? now : wanted;
  if (since.getTime() < first.getTime() - typingMilliseconds) {
    throw new OperatorError(
      `What was recorded before ${first.toISOString()} cannot be sent anew: its event is deleted before all attempts ` +
        "would be made. Say a later --since.",
    );
  }
  if (since >= until) throw new OperatorError("The period ends before it begins.");
  if (eventId === undefined) return { since, until };
  const at = endpoint.event_at;
  if (at === null || at < since || at >= until) {
    throw new OperatorError(`${eventId} was not recorded for ${endpoint.id} in this period.`);
  }
  return { since: at, until: new Date(at.getTime() + 1) };
}

/** A delivery in the order of their time. */
interface Place {
  readonly at: Date;
  readonly id: string;
}

/** What became of a page; undefined: nothing, since the endpoint is off. */
type Page =
  | {
      readonly counts: Counts;
      /** of those that are sent anew */
      readonly lastDueAt: Date | null;
      /** of those that wait for their first attempt, whoever has queued them */
      readonly busyUntil: Date | null;
      /** undefined: it was the last one */
      readonly next: Place | undefined;
    }
  | undefined;

/** The whole period, page by page. */
class ResendRun {
  readonly #ports: StoragePorts;
  readonly #wish: ResendWish & Period;
  readonly #options: ResendOptions;
  readonly #counts = { failed: 0, skipped: 0, pending: 0, delivered: 0, cancelled: 0 };
  #lastDueAt: Date | null = null;
  #busyUntil: Date | null = null;

  constructor(ports: StoragePorts, wish: ResendWish & Period, options: ResendOptions) {
    this.#ports = ports;
    this.#wish = wish;
    this.#options = options;
  }

  async all(endpoint: HeldEndpoint): Promise<ResendReport> {
    const { since, until } = this.#wish;
    const { id: endpointId, merchant_id: merchantId, environment, url } = endpoint;
    const about = { endpointId, merchantId, environment, url, since, until };
    for (let from: Place | undefined = { at: since, id: "" }; from !== undefined;) {
      const page: Page = await this.#transact(endpoint, from);
      if (page === undefined) return { ...about, ...this.#result(), isCutShort: true };
      this.#add(page);
      from = page.next;
    }
    return { ...about, ...this.#result(), isCutShort: false };
  }

  /** Has no effect outside of the database: a transaction may be run twice. */
  async #transact(endpoint: HeldEndpoint, from: Place): Promise<Page> {
    const { database } = this.#ports;
    if (this.#options.isDryRun) return await this.#page(database, endpoint, from);
    return await database.transaction(async (inside) => {
      const held = await findEndpoint(inside, this.#wish);
      return held?.active === true ? await this.#page(inside, held, from) : undefined;
    });
  }

  async #page(database: Database, endpoint: HeldEndpoint, from: Place): Promise<Page> {
    const { until } = this.#wish;
    const { rowsMax = pageRowsMax } = this.#options;
    const values = this.#valuesOf(endpoint, from);
    const [found] = await database.run(readDeliveryPage, { ...values, until, rowsMax });
    assert(found !== undefined, "the statement has one row");
    const { rows, last_at: at, last_id: id, last_due_at: foundDueAt, ...counts } = found;
    const next = rows < rowsMax || at === null || id === null ? undefined : { at, id };
    const busyUntil = later(this.#busyUntil, foundDueAt);
    const count = counts.failed + counts.skipped;
    if (count === 0) return { counts, lastDueAt: null, busyUntil, next };
    const now = this.#ports.clock.nowMilliseconds();
    const free = busyUntil === null ? now : busyUntil.getTime() + resendGapMilliseconds;
    const dueFrom = new Date(Math.max(now, free));
    if (this.#options.isDryRun) {
      const lastDueAt = new Date(dueFrom.getTime() + (count - 1) * resendGapMilliseconds);
      return { counts, lastDueAt, busyUntil: lastDueAt, next };
    }
    const { at: lastAt, id: lastId } = next ?? { at: until, id: "" };
    const wanted = { ...values, lastAt, lastId, dueFrom, gapMilliseconds: resendGapMilliseconds };
    const [queued] = await database.run(queueDeliveriesAgain, wanted);
    assert(queued !== undefined, "the statement has one row");
    const { last_due_at: lastDueAt, ...done } = queued;
    if (done.failed + done.skipped > 0) await this.#record(database, endpoint, done);
    return {
      counts: { ...counts, ...done },
      lastDueAt,
      busyUntil: later(busyUntil, lastDueAt),
      next,
    };
  }

  #valuesOf(endpoint: HeldEndpoint, from: Place) {
    return {
      merchantId: endpoint.merchant_id,
      environment: endpoint.environment,
      endpointId: endpoint.id,
      eventId: this.#wish.eventId ?? null,
      generation: endpoint.generation,
      cancelledGeneration: endpoint.cancelled_generation,
      afterAt: from.at,
      afterId: from.id,
    };
  }

  async #record(
    database: Database,
    endpoint: HeldEndpoint,
    { failed, skipped }: Pick<Counts, "failed" | "skipped">,
  ): Promise<void> {
    const { since, until, eventId } = this.#wish;
    const period = { since: since.toISOString(), until: until.toISOString() };
    const values = auditValues({
      occurredAt: this.#ports.clock.now(),
      actor: "operator",
      action: "webhook_deliveries.resent",
      merchantId: endpoint.merchant_id,
      environment: endpoint.environment,
      subject: { type: "webhook_endpoint", id: endpoint.id },
      details: { ...period, event_id: eventId ?? null, failed, skipped },
    });
    await database.run(recordAudit, values);
  }

  #add({ counts, lastDueAt, busyUntil }: NonNullable<Page>): void {
    this.#counts.failed += counts.failed;
    this.#counts.skipped += counts.skipped;
    this.#counts.pending += counts.pending;
    this.#counts.delivered += counts.delivered;
    this.#counts.cancelled += counts.cancelled;
    this.#lastDueAt = later(this.#lastDueAt, lastDueAt);
    this.#busyUntil = busyUntil;
  }

  #result() {
    return { ...this.#counts, lastDueAt: this.#lastDueAt };
  }
}

async function findEndpoint(
  database: Database,
  { endpointId: id, eventId }: Pick<ResendWish, "endpointId" | "eventId">,
): Promise<HeldEndpoint | undefined> {
  const [endpoint] = await database.run(holdEndpoint, { id, eventId: eventId ?? null });
  return endpoint;
}

function later(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one;
}

const reasons = {
  merchant: "by the merchant",
  gone: "since it answered 410",
  failing: "since it failed for too long",
} as const;

/** Nothing is sent to it: what is queued would only wait, and is given up after three days. */
function offText({ id, inactive_reason: reason, inactive_since: since }: HeldEndpoint): string {
  const why = reason === null ? "" : ` ${reasons[reason]}`;
  return (
    `${id} is switched off since ${since?.toISOString() ?? "some time"},${why}. ` +
    "Its merchant switches it on when its receiver works: " +
    `POST /v1/webhook-endpoints/${id}/status with {"active":true}. Then do this again.`
  );
}
