// Deliveries that have ended unsent are sent anew when an operator says so: those whose attempts are used up, and
// those that were skipped while their endpoint was off. The id, the payload and its place among the events of its
// resource stay; the attempts begin again.
//
// There may be very many, so that each page of them is a statement by itself. The audit log says that a run begins before
// the first of them is changed, and what was done after the last one. Whatever ends a run halfway, the next one goes on
// with what is left: what is queued has not ended any more.

import assert from "node:assert";
import { auditValues } from "../audit/audit.ts";
import type { AuditAction } from "../audit/audit.ts";
import { recordAudit } from "../audit/audit.sql.ts";
import { isUnavailable } from "../errors.ts";
import { type Look, NotReachable, OperatorError } from "../operator-error.ts";
import type { Environment } from "../owner.ts";
import type { StoragePorts } from "../ports/recording.ts";
import { resendableMilliseconds, resendGapMilliseconds } from "./delivery-rules.ts";
import { findResentEndpoint, queueDeliveriesAgain, readDeliveryPage } from "./resending.sql.ts";
import type { ResentEndpoint } from "./resending.sql.ts";

/** Deliveries of the merchant that a statement looks at: for so long what would change the endpoint waits. */
const pageRowsMax = 500;

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
  /** queued anew */
  readonly failed: number;
  /** queued anew */
  readonly skipped: number;
  /** on their way already */
  readonly pending: number;
  readonly delivered: number;
  readonly cancelled: number;
}

/** What an operator says yes to. */
export interface Resending {
  readonly endpointId: string;
  readonly url: string;
  readonly since: Date;
  readonly until: Date;
}

export interface ResendReport extends Counts, Resending {
  readonly merchantId: string;
  readonly environment: Environment;
  /** since when every attempt at the endpoint has failed; null: the last one has not, or there was none */
  readonly failingSince: Date | null;
  /** when the last of those that are sent anew is due; null: none is */
  readonly lastDueAt: Date | null;
  /** the endpoint was switched off, or got another URL, before all of them were looked at */
  readonly isCutShort: boolean;
}

export interface ResendOptions {
  /** counts them, and writes nothing: they are too many to be tried in one transaction */
  readonly isDryRun: boolean;
  /** throws where it is not what somebody meant */
  readonly look?: Look<Resending>;
  /** deliveries of the merchant that one statement looks at */
  readonly rowsMax?: number;
}

export class WebhookResending {
  readonly #ports: StoragePorts;

  constructor(ports: StoragePorts) {
    this.#ports = ports;
  }

  /**
   * Throws `OperatorError`: there is no such endpoint, it is off or fails, or there can be nothing in the period; and
   * `NotReachable` where the database has gone away between two pages.
   */
  async resend(wish: ResendWish, options: ResendOptions): Promise<ResendReport> {
    const { database, clock } = this.#ports;
    const { endpointId, eventId } = wish;
    const endpoint = await findEndpoint(database, wish);
    if (endpoint === undefined) throw new OperatorError(`There is no endpoint ${endpointId}.`);
    if (!endpoint.active) throw new OperatorError(offText(endpoint));
    const period = periodOf(wish, endpoint, clock.nowMilliseconds());
    options.look?.({ endpointId, url: endpoint.url, ...period });
    // One is how somebody sees whether it works.
    if (endpoint.failing_since !== null && eventId === undefined) {
      throw new OperatorError(failingText(endpoint, endpoint.failing_since));
    }
    return await new ResendRun(this.#ports, { ...wish, ...period }, options).all(endpoint);
  }
}

type Period = Pick<Resending, "since" | "until">;

/** Of the event alone where there is one. */
function periodOf(wish: ResendWish, endpoint: ResentEndpoint, nowMilliseconds: number): Period {
  const first = new Date(nowMilliseconds - resendableMilliseconds);
  const { since = first, until: wanted, eventId } = wish;
  const now = new Date(nowMilliseconds);
  const until = wanted === undefined || wanted > now ? now : wanted;
  if (since.getTime() < first.getTime() - typingMilliseconds) {
    throw new OperatorError(
      `What was recorded before ${first.toISOString()} cannot be sent anew: ${tooOld}. Say a later --since.`,
    );
  }
  if (since >= until) throw new OperatorError("The period ends before it begins.");
  if (eventId === undefined) return { since, until };
  const at = endpoint.event_at;
  if (at === null) throw new OperatorError(`${eventId} was never recorded for ${endpoint.id}.`);
  const recorded = `${eventId} was recorded for ${endpoint.id} at ${at.toISOString()}`;
  if (at < since && at < first) {
    throw new OperatorError(
      `${recorded}, and cannot be sent anew after 26 days: ${tooOld}. Give it to the merchant as a file: ` +
        'docs/operations.md, "A receiver is down for days".',
    );
  }
  if (at < since || at >= until)
    throw new OperatorError(`${recorded}, which is outside of this period.`);
  return { since: at, until: new Date(at.getTime() + 1) };
}

const tooOld = "its event may be deleted before all attempts would be made";

/** A delivery in the order of their time. */
interface Place {
  readonly at: Date;
  readonly id: string;
}

interface Page {
  readonly counts: Counts;
  /** of those that are queued anew */
  readonly lastDueAt: Date | null;
  /** undefined: it was the last one */
  readonly next: Place | undefined;
}

/** The whole period, page by page. */
class ResendRun {
  readonly #ports: StoragePorts;
  readonly #wish: ResendWish & Period;
  readonly #options: ResendOptions;
  readonly #counts = { failed: 0, skipped: 0, pending: 0, delivered: 0, cancelled: 0 };
  #lastDueAt: Date | null = null;
  #hasBegun = false;

  constructor(ports: StoragePorts, wish: ResendWish & Period, options: ResendOptions) {
    this.#ports = ports;
    this.#wish = wish;
    this.#options = options;
  }

  async all(endpoint: ResentEndpoint): Promise<ResendReport> {
    const { since, until } = this.#wish;
    const { id: endpointId, merchant_id: merchantId, environment, url } = endpoint;
    const failingSince = endpoint.failing_since;
    const about = { endpointId, merchantId, environment, url, failingSince, since, until };
    try {
      const isCutShort = !(await this.#pages(endpoint));
      if (this.#hasBegun) await this.#recordEnd(endpoint, isCutShort);
      return { ...about, ...this.#counts, lastDueAt: this.#lastDueAt, isCutShort };
    } catch (error) {
      if (!this.#hasBegun || !isUnavailable(error)) throw error;
      throw new NotReachable(this.#brokenText());
    }
  }

  /** False: the endpoint is not as it was before all of them. */
  async #pages(first: ResentEndpoint): Promise<boolean> {
    let endpoint = first;
    for (let from: Place | undefined = { at: this.#wish.since, id: "" }; from !== undefined;) {
      const page: Page | undefined = await this.#page(endpoint, from);
      if (page === undefined) {
        const now = await findEndpoint(this.#ports.database, this.#wish);
        if (now?.active !== true || now.url !== first.url) return false;
        endpoint = now;
      } else {
        this.#add(page);
        from = page.next;
      }
    }
    return true;
  }

  /** Undefined: none of it, since somebody else was at it, or has changed the endpoint. */
  async #page(endpoint: ResentEndpoint, from: Place): Promise<Page | undefined> {
    const { database, clock } = this.#ports;
    const { until } = this.#wish;
    const { rowsMax = pageRowsMax } = this.#options;
    const values = this.#valuesOf(endpoint, from);
    const [found] = await database.run(readDeliveryPage, { ...values, until, rowsMax });
    assert(found !== undefined, "the statement has one row");
    const { rows, last_at: at, last_id: id, busy_until: others, ...counts } = found;
    const next = rows < rowsMax || at === null || id === null ? undefined : { at, id };
    const count = counts.failed + counts.skipped;
    if (count === 0) return { counts, lastDueAt: null, next };
    const now = clock.nowMilliseconds();
    // Found together with the page: what is queued after that makes it another page. Of a dry run nothing is queued.
    const busy = later(others, this.#lastDueAt);
    const free = busy === null ? now : busy.getTime() + resendGapMilliseconds;
    const dueFrom = new Date(Math.max(now, free));
    if (this.#options.isDryRun) {
      const lastDueAt = new Date(dueFrom.getTime() + (count - 1) * resendGapMilliseconds);
      return { counts, lastDueAt, next };
    }
    await this.#recordBegin(endpoint);
    const { at: lastAt, id: lastId } = next ?? { at: until, id: "" };
    const [queued] = await database.run(queueDeliveriesAgain, {
      ...values,
      url: endpoint.url,
      count,
      lastAt,
      lastId,
      dueFrom,
      gapMilliseconds: resendGapMilliseconds,
    });
    assert(queued !== undefined, "the statement has one row");
    const { last_due_at: lastDueAt, failed, skipped } = queued;
    return lastDueAt === null
      ? undefined
      : { counts: { ...counts, failed, skipped }, lastDueAt, next };
  }

  #valuesOf(endpoint: ResentEndpoint, from: Place) {
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

  async #recordBegin(endpoint: ResentEndpoint): Promise<void> {
    if (!this.#hasBegun) await this.#record(endpoint, "webhook_deliveries.resend_begun", {});
    this.#hasBegun = true;
  }

  async #recordEnd(endpoint: ResentEndpoint, isCutShort: boolean): Promise<void> {
    const { failed, skipped } = this.#counts;
    const details = { failed, skipped, is_cut_short: isCutShort };
    await this.#record(endpoint, "webhook_deliveries.resent", details);
  }

  async #record(endpoint: ResentEndpoint, action: AuditAction, details: object): Promise<void> {
    const { since, until, eventId } = this.#wish;
    const period = { since: since.toISOString(), until: until.toISOString() };
    const values = auditValues({
      occurredAt: this.#ports.clock.now(),
      actor: "operator",
      action,
      merchantId: endpoint.merchant_id,
      environment: endpoint.environment,
      subject: { type: "webhook_endpoint", id: endpoint.id },
      details: { ...period, event_id: eventId ?? null, url: endpoint.url, ...details },
    });
    await this.#ports.database.run(recordAudit, values);
  }

  #add({ counts, lastDueAt }: Page): void {
    this.#counts.failed += counts.failed;
    this.#counts.skipped += counts.skipped;
    this.#counts.pending += counts.pending;
    this.#counts.delivered += counts.delivered;
    this.#counts.cancelled += counts.cancelled;
    this.#lastDueAt = lastDueAt ?? this.#lastDueAt;
  }

  /** What was asked for last may have been done. */
  #brokenText(): string {
    const { endpointId, since, until, eventId } = this.#wish;
    const { failed, skipped } = this.#counts;
    const due =
      this.#lastDueAt === null ? "" : `, the last one due at ${this.#lastDueAt.toISOString()}`;
    const event = eventId === undefined ? "" : ` --event ${eventId}`;
    return (
      `The database does not answer any more. Queued before: ${failed} failed and ${skipped} skipped${due}; ` +
      "a page more may be. What is queued is not queued twice. Go on with: npm run admin -- webhook resend " +
      `--endpoint ${endpointId} --since ${since.toISOString()} --until ${until.toISOString()}${event}`
    );
  }
}

async function findEndpoint(
  database: StoragePorts["database"],
  { endpointId: id, eventId }: Pick<ResendWish, "endpointId" | "eventId">,
): Promise<ResentEndpoint | undefined> {
  const [endpoint] = await database.run(findResentEndpoint, { id, eventId: eventId ?? null });
  return endpoint;
}

function later(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one;
}

const reasons = {
  merchant: " by the merchant",
  gone: " since it answered 410",
  failing: " since it failed for too long",
} as const;

/** Nothing is sent to it: what is queued would only wait, and is given up after three days. */
function offText({ id, inactive_reason: reason, inactive_since: since }: ResentEndpoint): string {
  const why = reason === null ? "" : `,${reasons[reason]}`;
  return (
    `${id} is switched off since ${since?.toISOString() ?? "some time"}${why}. ` +
    "Its merchant switches it on when its receiver works: " +
    `POST /v1/webhook-endpoints/${id}/status with {"active":true}. Then do this again.`
  );
}

/** What happens now would stand behind all that is queued and cannot be sent. */
function failingText({ id }: ResentEndpoint, since: Date): string {
  return (
    `${id} fails since ${since.toISOString()}: nothing has arrived since then, and what is new would wait behind all ` +
    "of this. Send one of them first, with --event EVENT_ID; when it has arrived, do this again."
  );
}
