// What became of a merchant's events.

import type { Clock } from "./ports/clock.ts";
import type { Database } from "./ports/database.ts";
import { listNewestDeliveries } from "./store/webhook-deliveries.ts";

/** Our choice: the interface names no parameters, so the list is what one looks at after a fault. */
const shownMax = 100;
const shownDays = 30;
const dayMilliseconds = 86_400_000;

export interface WebhookDelivery {
  readonly id: string;
  readonly eventType: string;
  readonly status: "pending" | "delivered" | "failed" | "skipped" | "cancelled";
  /** finished HTTP attempts */
  readonly attempts: number;
  readonly createdAt: Date;
}

export class WebhookDeliveries {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(ports: { readonly database: Database; readonly clock: Clock }) {
    this.#database = ports.database;
    this.#clock = ports.clock;
  }

  /** Newest first, over all endpoints of the merchant. */
  async listNewest(merchantId: string): Promise<readonly WebhookDelivery[]> {
    const since = new Date(this.#clock.nowMilliseconds() - shownDays * dayMilliseconds);
    const rows = await this.#database.run(listNewestDeliveries, {
      merchantId,
      since,
      rowsMax: shownMax,
    });
    return rows.map(({ id, event_type, status, attempts, created_at }) => ({
      id,
      eventType: event_type,
      status,
      attempts,
      createdAt: created_at,
    }));
  }
}
