// A database with merchants, endpoints and events, and a dispatcher whose time stands still until a
// test moves it.

import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";
import { buildWebhookSender } from "../../adapters/webhooks/sender.ts";
import { Dispatcher } from "../../service/webhooks/dispatcher.ts";
import type { EventType } from "../../service/events/types.ts";
import { eventValues } from "../../service/events/events.ts";
import type { Environment } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import type { WebhookSender } from "../../service/ports/webhook-sender.ts";
import { Sealer, sealingContexts, sealingKey } from "../../service/secrets/sealing.ts";
import { recordingEvent } from "../../service/events/events.sql.ts";
import type { EventValues } from "../../service/events/events.sql.ts";
import { queries, statement } from "../../service/database/statement.ts";
import type {
  WebhookDeliveriesTable,
  WebhookEndpointsTable,
} from "../../service/database/tables/webhooks.ts";
import { anyEvent } from "../support/any-event.ts";
import { addMerchant, query, TestClock } from "../support/service-parts.ts";

export const secondMilliseconds = 1_000;

/** Half of the way, so that there is no jitter. */
const half = new Uint8Array([128, 0, 0, 0]);
const random = {
  bytes: (count: number) => (count === half.length ? half : new Uint8Array(randomBytes(count))),
};

const recordEvent = statement<EventValues>("test_record_event")((p) =>
  recordingEvent(
    queries.with("cause", () => sql<{ one: number }>`(select 1 as one)`),
    "cause",
    p,
  )
    .selectFrom("cause")
    .select("one"),
);

export interface EndpointOptions {
  /** receivers of tests are on a private network, so test keys made them */
  readonly environment?: Environment;
  readonly url?: string;
  readonly merchantId?: string;
  readonly eventTypes?: readonly string[];
}

export interface EventOptions {
  readonly environment?: Environment;
  readonly merchantId?: string;
  readonly type?: EventType;
  readonly resourceId?: string;
  /** in place of a payment */
  readonly resource?: { readonly type: string; readonly id: string };
  readonly data?: object;
}

export interface OutboxOptions {
  readonly database: Database;
  /** in place of one that reaches 127.0.0.1 */
  readonly sender?: WebhookSender;
  readonly startMilliseconds?: number;
  /** 32 bytes: for two outboxes that read each other's secrets */
  readonly encryptionKey?: Uint8Array;
}

export const allowedHttpHosts: ReadonlySet<string> = new Set(["127.0.0.1"]);

export class Outbox {
  readonly database: Database;
  readonly clock: TestClock;
  readonly identifiers;
  readonly dispatcher: Dispatcher;
  readonly sealer: Sealer;
  /** endpoints, once for each secret that did not open */
  readonly unreadableSecrets: string[] = [];
  /** how attempts ended: a status, or why there is none */
  readonly attempted: (number | string)[] = [];
  readonly #slots = new Map<string, number>();
  #merchantId = "";

  constructor({ database, sender, startMilliseconds, encryptionKey }: OutboxOptions) {
    this.database = database;
    // Receivers with the official library compare with the machine's clock.
    this.clock = new TestClock(startMilliseconds ?? Date.now());
    this.identifiers = buildIdentifiers({
      clock: this.clock,
      fillRandom: (bytes) => bytes.set(randomBytes(bytes.length)),
    });
    const current = sealingKey(encryptionKey ?? new Uint8Array(32).fill(1));
    this.sealer = new Sealer({ current, older: [] }, random);
    this.dispatcher = new Dispatcher({
      database,
      clock: this.clock,
      random,
      identifiers: this.identifiers,
      sealer: this.sealer,
      sender: sender ?? senderToLoopback(this.clock),
      urlPolicy: { allowedHttpHosts, ownHosts: new Set() },
      onUnreadableSecret: (endpointId) => this.unreadableSecrets.push(endpointId),
      onAttempted: (outcome) =>
        this.attempted.push(outcome.kind === "failed" ? outcome.reason : outcome.status),
    });
  }

  get now(): Date {
    return this.clock.now();
  }

  /** The first one is used where none is named. */
  async addMerchant(): Promise<string> {
    const id = this.identifiers.next("mer");
    await addMerchant(this.database, id);
    this.#merchantId ||= id;
    return id;
  }

  async addEndpoint(options: EndpointOptions = {}): Promise<{ id: string; secret: string }> {
    const merchantId = options.merchantId ?? (this.#merchantId || (await this.addMerchant()));
    const slot = (this.#slots.get(merchantId) ?? 0) + 1;
    this.#slots.set(merchantId, slot);
    const id = this.identifiers.next("whe");
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    const sealed = this.sealer.seal(secret, sealingContexts.webhookEndpoint(id));
    await query(this.database)`insert into webhook_endpoints
      (id, merchant_id, environment, slot, url, event_types, active, secret_sealed, created_at,
        updated_at, idempotency_key)
      values (${id}, ${merchantId}, ${options.environment ?? "test"}, ${slot},
        ${options.url ?? `https://shop.example/${slot}`}, ${options.eventTypes ?? ["*"]}, true,
        ${sealed}, ${this.now}, ${this.now}, ${id})`;
    return { id, secret };
  }

  /** Gives back the id of the event. */
  async record(options: EventOptions = {}): Promise<string> {
    const values = eventValues(
      this,
      anyEvent({
        merchantId: options.merchantId ?? this.#merchantId,
        environment: options.environment ?? "test",
        type: options.type ?? "payment.paid",
        resource: options.resource ?? {
          type: "payment",
          id: options.resourceId ?? this.identifiers.next("pay"),
        },
        data: options.data ?? { status: "paid", fee: { amount: "1.00" } },
      }),
    );
    await this.database.run(recordEvent, values);
    return values.eventId;
  }

  /** Claims once and delivers all of it at the same time; gives back how many there were. */
  async round(room = 16): Promise<number> {
    const claimed = await this.dispatcher.claim(room);
    await Promise.all(claimed.map((one) => this.dispatcher.deliver(one)));
    return claimed.length;
  }

  /** Rounds until nothing is due. */
  async settle(): Promise<number> {
    let count = 0;
    for (let last = -1; last !== 0; count += last) last = await this.round();
    return count;
  }

  async deliveries() {
    return await query(this.database)<Selectable<WebhookDeliveriesTable>>`
      select * from webhook_deliveries order by created_at, id`;
  }

  async endpoint(id: string) {
    const [row] = await query(this.database)<Selectable<WebhookEndpointsTable>>`
      select * from webhook_endpoints where id = ${id}`;
    if (row === undefined) throw new Error(`no endpoint ${id}`);
    return row;
  }
}

export function senderToLoopback(clock: TestClock): WebhookSender {
  const resolve = () => Promise.reject(new Error("no names in this test"));
  return buildWebhookSender({ clock, resolve, allowedHttpHosts, blockedRanges: [] });
}
