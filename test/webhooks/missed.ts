// An endpoint that was off for a while, and what it has missed.

import { Audit } from "../../service/audit/audit.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { attemptDelaysSeconds } from "../../service/webhooks/delivery-rules.ts";
import type { Database } from "../../service/ports/database.ts";
import { queueDeliveriesAgain } from "../../service/webhooks/resending.sql.ts";
import { WebhookResending } from "../../service/webhooks/resending.ts";
import type { ResendOptions, ResendWish } from "../../service/webhooks/resending.ts";
import { type Outbox, secondMilliseconds } from "./outbox.ts";
import { openScripted } from "./scripted-sender.ts";

export const switchOff = (outbox: Outbox, id: string) =>
  query(outbox.database)`update webhook_endpoints
    set active = false, inactive_since = ${outbox.now}, inactive_reason = 'merchant'
    where id = ${id}`;

/** After 72 h the service counts its generation up. */
export const switchOn = (outbox: Outbox, id: string, isLate = false) =>
  query(outbox.database)`update webhook_endpoints
    set active = true, inactive_since = null, inactive_reason = null, failing_since = null,
      generation = generation + ${isLate ? 1 : 0}
    where id = ${id}`;

/** With all events of one resource, a second apart; the receiver answers. */
export async function openMissed(engine: Engine, count: number) {
  const { outbox, sender } = await openScripted(engine);
  const { id } = await outbox.addEndpoint();
  await switchOff(outbox, id);
  const events: string[] = [];
  for (let index = 0; index < count; index++) {
    events.push(await outbox.record({ resourceId: "pay_1" }));
    outbox.clock.advance(secondMilliseconds);
  }
  await switchOn(outbox, id);
  return { outbox, sender, id, events };
}

export function resend(
  outbox: Pick<Outbox, "database" | "clock">,
  wish: Partial<ResendWish> & Pick<ResendWish, "endpointId">,
  options: Partial<ResendOptions> = {},
) {
  const all = { since: undefined, until: undefined, eventId: undefined };
  return new WebhookResending(outbox).resend({ ...all, ...wish }, { isDryRun: false, ...options });
}

/** What happens before a page is queued: the first one has the number 1. */
export function beforeQueueing(
  { database }: Outbox,
  meanwhile: (page: number) => Promise<unknown> | undefined,
): Database {
  let page = 0;
  return {
    ...database,
    run: async (statement, values) => {
      if (statement.name === queueDeliveriesAgain.name) await meanwhile((page += 1));
      return await database.run(statement, values);
    },
  };
}

/** Of the audit log. */
export const entriesOf = async (database: Database) =>
  (await new Audit({ database }).list({ after: 0n, limit: 100 })).map((entry) => ({
    ...entry,
    details: JSON.parse(entry.details) as Record<string, unknown>,
  }));

export const isWaiting = ({ status }: { readonly status: string }): boolean => status === "pending";

/** Of all that is due. */
export async function useUpAttempts(outbox: Outbox): Promise<void> {
  for (const delay of attemptDelaysSeconds) {
    outbox.clock.advance((delay + 1) * secondMilliseconds);
    await outbox.settle();
  }
}
