// Every event is numbered without a gap, and reaches every endpoint that wants it, in order, or is
// given up by the documented rules.

import { attemptsMax } from "../../service/webhooks/delivery-rules.ts";
import type { TimedPayload } from "./receivers.ts";
import type { World } from "./world.ts";

export async function checkSequences(world: Pick<World, "rows" | "complain">): Promise<void> {
  const rows = await world.rows<{ resource_id: string; count: number; last: string }>(
    `select s.resource_id, count(e.id)::int as count, s.last::text as last
      from event_sequences s left join events e on e.merchant_id = s.merchant_id
        and e.environment = s.environment and e.resource_type = s.resource_type
        and e.resource_id = s.resource_id and e.sequence between 1 and s.last
      group by s.merchant_id, s.environment, s.resource_type, s.resource_id, s.last
      having count(e.id) <> s.last`,
  );
  for (const one of rows) {
    world.complain(`${one.resource_id} has ${one.count} events, and ${one.last} were counted`);
  }
  const lost = await world.rows<{ id: string }>(
    `select e.id from events e left join event_sequences s on s.merchant_id = e.merchant_id
        and s.environment = e.environment and s.resource_type = e.resource_type
        and s.resource_id = e.resource_id
      where s.last is null or e.sequence > s.last`,
  );
  for (const { id } of lost) world.complain(`${id} was not counted`);
}

interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly url: string;
  readonly status: string;
  readonly attempts: number;
  readonly is_given_up: boolean;
}

export async function checkDeliveries(world: World): Promise<void> {
  const rows = await world.rows<DeliveryRow>(
    `select d.id, d.event_id, w.url, d.status, d.attempts, d.generation < w.generation as is_given_up
      from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id order by d.id`,
  );
  const taken = new Set(
    world.receivers.attempts
      .filter(({ isTaken }) => isTaken)
      .map(({ url, payload }) => `${url} ${payload.id}`),
  );
  for (const { id, event_id: event, url, status, attempts, is_given_up: isGivenUp } of rows) {
    if (status === "pending") world.complain(`${id} is still pending after ${attempts} attempts`);
    if (status === "delivered" && !taken.has(`${url} ${event}`)) {
      world.complain(`${id} is called delivered, and nobody took it`);
    }
    if (status === "failed" && attempts < attemptsMax && !isGivenUp) {
      world.complain(`${id} was given up after ${attempts} attempts`);
    }
  }
  await checkComplete(world);
  checkOrder(world);
}

/** For every endpoint and every event that happened after it was made. */
async function checkComplete(world: World): Promise<void> {
  const rows = await world.rows<{ id: string; type: string }>(
    `select e.id, e.type from events e join webhook_endpoints w
        on w.merchant_id = e.merchant_id and w.environment = e.environment
      where e.resource_id <> w.id
        and not exists (select from webhook_deliveries d
          where d.event_id = e.id and d.endpoint_id = w.id)
        and e.occurred_at > w.created_at + interval '5 minutes'`,
  );
  for (const { id, type } of rows) world.complain(`${id} (${type}) is on its way to nobody`);
}

/**
 * Of each resource events are sent in their order. One that failed does not hold back newer ones, so
 * only what comes for the first time has to be newer than all before it; unless the clock of the
 * process that recorded it was ahead: then it is due later than the next one of another process.
 */
function checkOrder(world: World): void {
  const last = new Map<string, TimedPayload>();
  const seen = new Set<string>();
  const taken = new Set<string>();
  for (const { url, payload, isTaken } of world.receivers.attempts) {
    const { id, resource, sequence, timestamp } = payload;
    const place = `${url} ${resource.type} ${resource.id}`;
    const before = last.get(place);
    const event = `${url} ${id}`;
    const isNewer = before === undefined || sequence > before.sequence;
    if (!isNewer && !seen.has(event)) {
      if (timestamp > before.timestamp) world.note("events out of order by two clocks");
      else world.complain(`${place} was told ${sequence} after ${before.sequence}`);
    }
    if (isNewer) last.set(place, payload);
    seen.add(event);
    if (!isTaken) continue;
    if (taken.has(event)) world.note("deliveries twice");
    taken.add(event);
  }
}
