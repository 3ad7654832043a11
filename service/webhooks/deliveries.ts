// What became of a merchant's events.

import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import { keptMilliseconds, resumableMilliseconds } from "./delivery-rules.ts";
import type { Owner } from "../owner.ts";
import { listNewestDeliveries } from "./deliveries.sql.ts";

/** Our choice: the interface names no parameters, so the list is what one looks at after a fault. */
const shownMax = 100;

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

  /** Newest first, over all endpoints of the owner. */
  async listNewest({ merchantId, environment }: Owner): Promise<readonly WebhookDelivery[]> {
    const nowMilliseconds = this.#clock.nowMilliseconds();
    const rows = await this.#database.run(listNewestDeliveries, {
      merchantId,
      environment,
      since: new Date(nowMilliseconds - keptMilliseconds),
      resumableSince: new Date(nowMilliseconds - resumableMilliseconds),
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
