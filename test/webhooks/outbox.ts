// A database with merchants, endpoints and events, and a dispatcher whose time stands still until a
// test moves it.

import { randomBytes } from "node:crypto";
import { sql } from "kysely";
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
import type { WebhookEndpointsTable } from "../../service/database/tables/webhooks.ts";

export const secondMilliseconds = 1_000;
export const hourMilliseconds = 3_600_000;

/** Half of the way, so that there is no jitter. */
const half = new Uint8Array([128, 0, 0, 0]);
const random = {
  bytes: (count: number) => (count === half.length ? half : new Uint8Array(randomBytes(count))),
};

export class TestClock {
  #milliseconds: number;
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }
  readonly now = (): Date => new Date(this.#milliseconds);
  readonly nowMilliseconds = (): number => this.#milliseconds;
  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}

const insertMerchant = statement<{ id: string; now: Date }>("test_insert_merchant")((p) =>
  queries.insertInto("merchants").values({ id: p.id, name: "Shop", created_at: p.now }),
);

type NewEndpoint = Pick<
  WebhookEndpointsTable,
  | "id"
  | "merchant_id"
  | "environment"
  | "slot"
  | "url"
  | "event_types"
  | "secret_sealed"
  | "created_at"
>;

const insertEndpoint = statement<NewEndpoint>("test_insert_endpoint")((p) =>
  queries.insertInto("webhook_endpoints").values({
    id: p.id,
    merchant_id: p.merchant_id,
    environment: p.environment,
    slot: p.slot,
    url: p.url,
    event_types: p.event_types,
    active: true,
    secret_sealed: p.secret_sealed,
    created_at: p.created_at,
    updated_at: p.created_at,
    idempotency_key: p.id,
  }),
);

const recordEvent = statement<EventValues>("test_record_event")((p) =>
  recordingEvent(
    queries.with("cause", () => sql<{ one: number }>`(select 1 as one)`),
    "cause",
    p,
  )
    .selectFrom("cause")
    .select("one"),
);

const listDeliveries = statement<object>("test_list_deliveries")(() =>
  queries.selectFrom("webhook_deliveries").selectAll().orderBy("created_at").orderBy("id"),
);

const readEndpoint = statement<{ id: string }>("test_read_endpoint")((p) =>
  queries.selectFrom("webhook_endpoints").selectAll().where("id", "=", p.id),
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
    });
  }

  get now(): Date {
    return this.clock.now();
  }

  /** The first one is used where none is named. */
  async addMerchant(): Promise<string> {
    const id = this.identifiers.next("mer");
    await this.database.run(insertMerchant, { id, now: this.now });
    this.#merchantId ||= id;
    return id;
  }

  async addEndpoint(options: EndpointOptions = {}): Promise<{ id: string; secret: string }> {
    const merchantId = options.merchantId ?? (this.#merchantId || (await this.addMerchant()));
    const slot = (this.#slots.get(merchantId) ?? 0) + 1;
    this.#slots.set(merchantId, slot);
    const id = this.identifiers.next("whe");
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    await this.database.run(insertEndpoint, {
      id,
      merchant_id: merchantId,
      environment: options.environment ?? "test",
      slot,
      url: options.url ?? `https://shop.example/${slot}`,
      event_types: options.eventTypes ?? ["*"],
      secret_sealed: this.sealer.seal(secret, sealingContexts.webhookEndpoint(id)),
      created_at: this.now,
    });
    return { id, secret };
  }

  /** Gives back the id of the event. */
  async record(options: EventOptions = {}): Promise<string> {
    const values = eventValues(this, {
      merchantId: options.merchantId ?? this.#merchantId,
      environment: options.environment ?? "test",
      type: options.type ?? "payment.paid",
      resource: { type: "payment", id: options.resourceId ?? this.identifiers.next("pay") },
      data: options.data ?? { status: "paid", fee: { amount: "1.00" } },
    });
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
    return await this.database.run(listDeliveries, {});
  }

  async endpoint(id: string) {
    const [row] = await this.database.run(readEndpoint, { id });
    if (row === undefined) throw new Error(`no endpoint ${id}`);
    return row;
  }
}

export function senderToLoopback(clock: TestClock): WebhookSender {
  const resolve = () => Promise.reject(new Error("no names in this test"));
  return buildWebhookSender({ clock, resolve, allowedHttpHosts });
}
