// Sends what the events table holds to the endpoints that want it: claims what is due, signs and
// sends it, and records what came of it. At least once: a claim that is not recorded, because the
// process was killed or the database was away, runs out, and somebody sends the event again.

import { auditValues } from "../audit/audit.ts";
import { judgeAttempt } from "./delivery-rules.ts";
import type { AttemptOutcome, AttemptResult } from "./delivery-rules.ts";
import { dataAbout, eventValues } from "../events/events.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { Random } from "../ports/random.ts";
import type { WebhookSender } from "../ports/webhook-sender.ts";
import { sealingContexts, UnsealError } from "../secrets/sealing.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { recordAttempt, recordDisablingAttempt } from "./outcomes.sql.ts";
import type { FinishedAttempt } from "./outcomes.sql.ts";
import { claimDueDeliveries, listWaitingEndpoints, passedMax } from "./dispatcher.sql.ts";
import type { ClaimedRow, WaitingEndpoint } from "./dispatcher.sql.ts";
import { publishedEndpoint } from "./endpoint-model.ts";
import type { PublishedWebhookEndpoint } from "./endpoint-model.ts";
import { signWebhook } from "./signature.ts";
import { webhookUrlProblem } from "./url.ts";
import type { WebhookUrlPolicy } from "./url.ts";

/** Well beyond the longest attempt: whoever still holds a claim then is not coming back. */
export const claimMilliseconds = 60_000;

/** Under way at once for one endpoint: a slow receiver ties up no more than these. */
export const perEndpointMax = 4;

/** The same for one merchant, whatever the number of its endpoints. */
export const perMerchantMax = 32;

/** Endpoints with anything due that are listed at a time. */
const endpointsAtOnce = 64;

/**
 * Each that is weighed against the others takes some of the database's time, whatever is taken of it: of those that
 * are listed no more than fill the room twice, should they have enough, and enough of them to choose from.
 */
const weighedMin = 16;
const roomsFilled = 2;

/** Claims that lost against another worker; the next poll tries again anyway. */
const claimTriesMax = 3;
const tokenBytes = 16;
const userAgent = "merchant-crypto-payments-webhooks/1";

export interface DispatcherPorts extends RecordingPorts {
  readonly random: Random;
  readonly sealer: Pick<Sealer, "open">;
  readonly sender: WebhookSender;
  readonly urlPolicy: Omit<WebhookUrlPolicy, "isTest">;
  /** An operator has to know: the encryption key that sealed it may be missing. */
  readonly onUnreadableSecret: (endpointId: string, error: UnsealError) => void;
  /** hears of each attempt, also where nothing could be sent */
  readonly onAttempted?: ((outcome: AttemptOutcome) => void) | undefined;
}

export interface ClaimedDelivery {
  readonly row: ClaimedRow;
  readonly token: string;
}

interface Claimed {
  readonly claimed: readonly ClaimedDelivery[];
  /** Endpoints that were not weighed may have something. */
  readonly isPart: boolean;
}

/** What a merchant's server gets, in the order of the contract. */
type Envelope = Pick<ClaimedRow, "event_id" | "type" | "occurred_at" | "merchant_id"> &
  Pick<ClaimedRow, "sequence" | "resource_type" | "resource_id" | "data">;

export class Dispatcher {
  readonly #ports: DispatcherPorts;
  /** The endpoint that the last claim came to; empty: to the end. */
  #after = "";
  #hasMore = false;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
  }

  /** There may be more of what the last claim took: it has not been at all endpoints. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /**
   * Takes at most `room` of what is due. Each of them is to be delivered at once. It goes round the endpoints,
   * some at a time, from where it stopped before, until it has any or has been at all of them.
   */
  async claim(room: number): Promise<readonly ClaimedDelivery[]> {
    const from = this.#after;
    let isBehindEnd = from === "";
    for (;;) {
      const { due, last } = await this.#listDue();
      // Whatever hinders it here hinders none of the others: the next claim begins behind these.
      this.#after = last ?? "";
      const { claimed, isPart } = await this.#claimOf(due, room);
      const isAround = isBehindEnd && (last === undefined || (from !== "" && last >= from));
      this.#hasMore = !isAround || isPart;
      if (isAround || claimed.length > 0) return claimed;
      isBehindEnd ||= last === undefined;
    }
  }

  /** `last`: undefined where there are no more behind these. */
  async #listDue() {
    const { database, clock } = this.#ports;
    const values = { now: clock.now(), after: this.#after, dueMax: endpointsAtOnce };
    const rows = await database.run(listWaitingEndpoints, values);
    const due = rows.filter(({ is_due: isDue }) => isDue);
    const isPart = due.length === endpointsAtOnce || rows.length === passedMax;
    return { due, last: isPart ? rows.at(-1)?.endpoint_id : undefined };
  }

  /** Of some of them, and where these have nothing, of all. */
  async #claimOf(due: readonly WaitingEndpoint[], room: number): Promise<Claimed> {
    const wanted = Math.max(weighedMin, Math.ceil((room * roomsFilled) / perEndpointMax));
    const claimed = await this.#claimSome(due, { room, wanted });
    const isPart = wanted < due.length;
    if (claimed.length > 0 || !isPart) return { claimed, isPart };
    return { claimed: await this.#claimSome(due, { room, wanted: due.length }), isPart: false };
  }

  async #claimSome(
    due: readonly WaitingEndpoint[],
    { room, wanted }: { readonly room: number; readonly wanted: number },
  ): Promise<readonly ClaimedDelivery[]> {
    if (due.length === 0) return [];
    const { database } = this.#ports;
    for (let tries = 1; ; tries++) {
      const token = this.#token();
      const now = this.#ports.clock.now();
      const expiresAt = new Date(now.getTime() + claimMilliseconds);
      try {
        const limits = { room, perEndpointMax, perMerchantMax };
        const endpointIds = chosenBy(token, due, wanted);
        const values = { now, endpointIds, token, expiresAt, ...limits };
        const rows = await database.run(claimDueDeliveries, values);
        return rows.map((row) => ({ row, token }));
      } catch (error) {
        // Another worker chose something that ours does not go with, and was first.
        if (!(error instanceof UniqueViolation)) throw error;
        if (tries === claimTriesMax) return [];
      }
    }
  }

  /**
   * One attempt. False: the claim had run out, and what was recorded by another one stands.
   * @param onAttempted the receiver has answered, or will not; what came of it is not recorded yet
   */
  async deliver(claimed: ClaimedDelivery, onAttempted?: () => void): Promise<boolean> {
    const outcome = await this.#attempt(claimed.row);
    onAttempted?.();
    this.#ports.onAttempted?.(outcome);
    const { row } = claimed;
    const result = judgeAttempt({
      attemptsBefore: row.attempts,
      failingSince: row.failing_since,
      outcome,
      now: this.#ports.clock.now(),
      random: this.#fraction(),
    });
    return await this.#record(claimed, result);
  }

  async #attempt(row: ClaimedRow): Promise<AttemptOutcome> {
    const { sender, urlPolicy } = this.#ports;
    // Looked at again: what is allowed may have changed since the endpoint was saved.
    const isTest = row.environment === "test";
    if (webhookUrlProblem(row.url, { ...urlPolicy, isTest }) !== undefined) {
      return { kind: "failed", reason: "url_not_allowed" };
    }
    const secrets = this.#secrets(row);
    if (secrets === undefined) return { kind: "failed", reason: "secret_unreadable" };
    const body = Buffer.from(payloadText(row), "utf8");
    const timestampSeconds = Math.floor(this.#ports.clock.now().getTime() / 1000);
    const content = { id: row.event_id, timestampSeconds, body };
    return await sender.send({
      endpointId: row.endpoint_id,
      url: row.url,
      isTest,
      headers: {
        "content-type": "application/json",
        "user-agent": userAgent,
        "webhook-id": row.event_id,
        "webhook-timestamp": String(timestampSeconds),
        "webhook-signature": signWebhook(secrets, content),
      },
      body,
    });
  }

  /**
   * The previous secret signs along until it expires, if it can be read. Undefined: the current one
   * cannot, and nothing that the receiver would trust can be sent.
   */
  #secrets(row: ClaimedRow): readonly string[] | undefined {
    const current = this.#opened(row, row.secret_sealed);
    if (current === undefined) return undefined;
    const { previous_secret_sealed: sealed, previous_secret_expires_at: until } = row;
    if (sealed === null || until === null || until <= this.#ports.clock.now()) return [current];
    const previous = this.#opened(row, sealed);
    return previous === undefined ? [current] : [current, previous];
  }

  #opened(row: ClaimedRow, sealed: Uint8Array): string | undefined {
    const { sealer, onUnreadableSecret } = this.#ports;
    try {
      return sealer.open(sealed, sealingContexts.webhookEndpoint(row.endpoint_id));
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      onUnreadableSecret(row.endpoint_id, error);
      return undefined;
    }
  }

  async #record({ row, token }: ClaimedDelivery, result: AttemptResult): Promise<boolean> {
    const { database } = this.#ports;
    const finished = this.#finished({ row, token }, result);
    if (result.endpoint.kind !== "disabled") {
      const { isSuccess } = result;
      return (await database.run(recordAttempt, { ...finished, isSuccess })).length === 1;
    }
    const { reason } = result.endpoint;
    const rows = await database.run(recordDisablingAttempt, {
      ...finished,
      ...eventValues(this.#ports, {
        merchantId: row.merchant_id,
        environment: row.environment,
        type: "webhook_endpoint.disabled",
        resource: { type: "webhook_endpoint", id: row.endpoint_id },
        data: dataAbout("webhook_endpoint", { ...disabledEndpoint(row, finished.now), reason }),
        exceptEndpointId: row.endpoint_id,
      }),
      ...auditValues({
        occurredAt: finished.now,
        actor: "system",
        action: "webhook_endpoint.disabled",
        merchantId: row.merchant_id,
        environment: row.environment,
        subject: { type: "webhook_endpoint", id: row.endpoint_id },
        details: { reason, last_status: finished.lastStatus, last_error: finished.lastError },
      }),
      reason,
      failingSince: row.failing_since,
    });
    return rows.length === 1;
  }

  #finished({ row, token }: ClaimedDelivery, result: AttemptResult): FinishedAttempt {
    const { delivery } = result;
    return {
      deliveryId: row.id,
      token,
      now: this.#ports.clock.now(),
      status: delivery.kind,
      nextAttemptAt: delivery.kind === "pending" ? delivery.nextAttemptAt : null,
      lastStatus: result.status,
      lastError: result.failure,
    };
  }

  #token(): string {
    return Buffer.from(this.#ports.random.bytes(tokenBytes)).toString("hex");
  }

  /** From 0 up to but without 1. */
  #fraction(): number {
    return Buffer.from(this.#ports.random.bytes(4)).readUInt32BE() / 2 ** 32;
  }
}

/**
 * So many endpoints: one of each merchant, then a second one of each, and so on, whichever the token says. So those of
 * one merchant, which stand side by side, do not come before all others.
 */
function chosenBy(
  token: string,
  due: readonly WaitingEndpoint[],
  count: number,
): readonly string[] {
  if (due.length <= count) return due.map(({ endpoint_id: id }) => id);
  const [first, second] = [token.slice(0, 8), token.slice(8, 16)].map((part) => parseInt(part, 16));
  const merchants = [...Map.groupBy(due, ({ merchant_id: id }) => id).values()];
  const order = beginningAt(merchants, first).map((own) => beginningAt(own, second));
  const chosen: string[] = [];
  for (let round = 0; chosen.length < count; round++) {
    for (const own of order) {
      const one = own[round];
      if (one !== undefined && chosen.length < count) chosen.push(one.endpoint_id);
    }
  }
  return chosen;
}

function beginningAt<Item>(items: readonly Item[], place = 0): readonly Item[] {
  const start = place % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** As text, and `data` as the text that was recorded: the same bytes on every attempt. */
export function payloadText(event: Envelope): string {
  const head = JSON.stringify({
    id: event.event_id,
    type: event.type,
    timestamp: event.occurred_at.toISOString(),
    api_version: "v1",
    merchant_id: event.merchant_id,
    sequence: Number(event.sequence),
    resource: { type: event.resource_type, id: event.resource_id },
  });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}

function disabledEndpoint(row: ClaimedRow, inactiveSince: Date): PublishedWebhookEndpoint {
  return publishedEndpoint({
    id: row.endpoint_id,
    url: row.url,
    eventTypes: row.event_types,
    active: false,
    inactiveSince,
    createdAt: row.endpoint_created_at,
  });
}
