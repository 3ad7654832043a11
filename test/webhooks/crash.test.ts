// A process is killed at the two moments that matter: after an event is there and before it is sent,
// and after it is sent and before that is written down.

import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { openPglite } from "../../adapters/database/pglite.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { claimMilliseconds } from "../../service/webhooks/dispatcher.ts";
import { endChildren, makeDataDirectory, startChild } from "../programs/child.ts";
import type { Child } from "../programs/child.ts";
import { engines, makePostgresDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { Outbox } from "./outbox.ts";
import { startReceiver } from "./receiver.ts";

afterEach(endChildren);

/** Outlives the processes that use it. */
async function makePlace(engine: Engine): Promise<string> {
  if (engine === "PostgreSQL") {
    const { url, remove } = await makePostgresDatabase();
    onTestFinished(remove);
    return url;
  }
  return join(await makeDataDirectory(), "database");
}

async function openOutbox(place: string): Promise<Outbox> {
  const database = await open(place);
  onTestFinished(database.close);
  return new Outbox({ database });
}

const open = (place: string) =>
  place.startsWith("postgres") ? openPostgres({ url: place }) : openPglite({ folder: place });

const startWorker = (act: string, place: string, more = {}): Child =>
  startChild(["test/webhooks/crash-worker.ts", act, place, JSON.stringify(more)]);

async function kill(worker: Child): Promise<void> {
  worker.kill("SIGKILL");
  await worker.ended;
}

async function recordInWorker(place: string, url: string) {
  const worker = startWorker("record", place, { url });
  const text = await worker.waitFor(/recorded .*\n/);
  await kill(worker);
  // The worker wrote it.
  return JSON.parse(text.slice("recorded ".length)) as {
    readonly id: string;
    readonly secret: string;
  };
}

async function recordHere(place: string, url: string): Promise<string> {
  const database = await open(place);
  const outbox = new Outbox({ database });
  await outbox.addEndpoint({ url });
  const id = await outbox.record({ resourceId: "pay_1" });
  await database.close();
  return id;
}

describe.each(engines)("on %s", (engine) => {
  test("killed after the commit of an event, before it is sent: it is delivered after all", async () => {
    await using receiver = await startReceiver((response) => response.end());
    const place = await makePlace(engine);
    const { id, secret } = await recordInWorker(place, receiver.url);
    expect(receiver.received).toEqual([]);

    const outbox = await openOutbox(place);
    expect(await outbox.settle()).toBe(1);
    const [received] = receiver.received;
    // One value each.
    const headers = received?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(received?.body ?? "", headers)).toMatchObject({ id });
    expect(await outbox.deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  test("killed between sending and recording: sent again under the same id, shipped once", async () => {
    const held = Promise.withResolvers<void>();
    const shipped = new Map<string, number>();
    await using receiver = await startReceiver((response, { headers }) => {
      const id = String(headers["webhook-id"]);
      shipped.set(id, (shipped.get(id) ?? 0) + 1);
      // The first one is never answered: its sender dies while it waits.
      if (shipped.get(id) === 1) held.resolve();
      else response.end();
    });
    const place = await makePlace(engine);
    const id = await recordHere(place, receiver.url);
    const worker = startWorker("deliver", place);
    await held.promise;
    await kill(worker);
    expect(worker.output()).toBe("delivering\n");

    const outbox = await openOutbox(place);
    expect(await outbox.settle()).toBe(0);
    outbox.clock.advance(claimMilliseconds);
    expect(await outbox.settle()).toBe(1);
    expect([...shipped]).toEqual([[id, 2]]);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(await outbox.deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });
});
