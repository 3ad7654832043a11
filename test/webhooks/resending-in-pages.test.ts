// What is sent anew is queued page by page: whatever happens between two of them, each delivery is queued once, and none
// for an endpoint that is another one than somebody said yes to.

import { describe, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { NotReachable } from "../../service/operator-error.ts";
import { resendGapMilliseconds } from "../../service/webhooks/delivery-rules.ts";
import { engines } from "../support/engines.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import {
  beforeQueueing,
  entriesOf,
  isWaiting,
  openMissed,
  resend,
  switchOff,
  switchOn,
} from "./missed.ts";

describe.each(engines)("on %s", (engine) => {
  test("a run that ends halfway says what it has queued, and the next one goes on behind that", async () => {
    const { outbox, id } = await openMissed(engine, 10);
    const away = new ServiceError("service_unavailable", "The database is away.");
    const database = beforeQueueing(outbox, (page) =>
      page === 3 ? Promise.reject(away) : undefined,
    );
    const since = new Date(outbox.clock.nowMilliseconds() - hourMilliseconds);
    const started = outbox.now;
    const due = new Date(started.getTime() + 5 * resendGapMilliseconds).toISOString();
    await expect(
      resend({ database, clock: outbox.clock }, { endpointId: id, since }, { rowsMax: 3 }),
    ).rejects.toThrow(
      new NotReachable(
        `The database does not answer any more. Queued before: 0 failed and 6 skipped, the last one due at ${due}; ` +
          "a page more may be. What is queued is not queued twice. Go on with: npm run admin -- webhook resend " +
          `--endpoint ${id} --since ${since.toISOString()} --until ${started.toISOString()}`,
      ),
    );
    const left = await outbox.deliveries();
    expect(left.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 6 }, () => "pending"),
      ...Array.from({ length: 4 }, () => "skipped"),
    ]);
    expect(await resend(outbox, { endpointId: id, since }, { rowsMax: 3 })).toMatchObject({
      skipped: 4,
      pending: 6,
    });
    const times = (await outbox.deliveries()).map((one) => Number(one.next_attempt_at));
    expect(times).toEqual(times.map((_, at) => Number(times[0]) + at * resendGapMilliseconds));
    const entries = await entriesOf(outbox.database);
    const begun = "webhook_deliveries.resend_begun";
    expect(entries.map(({ action }) => action)).toEqual([
      begun,
      begun,
      "webhook_deliveries.resent",
    ]);
    expect(entries[2]).toMatchObject({
      actor: "operator",
      environment: "test",
      subject: { type: "webhook_endpoint", id },
      details: { event_id: null, failed: 0, skipped: 4, is_cut_short: false },
    });
  });

  test("a database that is away before anything is queued is none of it", async () => {
    const { outbox, id } = await openMissed(engine, 1);
    const away = new ServiceError("service_unavailable", "The database is away.");
    const run = () => Promise.reject(away);
    const database = { ...outbox.database, run };
    await expect(resend({ database, clock: outbox.clock }, { endpointId: id })).rejects.toBe(away);
  });

  test("a longer period, while a shorter one is on its way, is due behind it", async () => {
    const { outbox, id } = await openMissed(engine, 10);
    const [, , , , , sixth] = await outbox.deliveries();
    const { lastDueAt } = await resend(outbox, { endpointId: id, since: sixth?.created_at });
    outbox.clock.advance(resendGapMilliseconds);
    const tried = await resend(outbox, { endpointId: id }, { isDryRun: true, rowsMax: 2 });
    const report = await resend(outbox, { endpointId: id }, { rowsMax: 2 });
    expect(report).toMatchObject({ skipped: 5, pending: 5 });
    const end = Number(lastDueAt) + 5 * resendGapMilliseconds;
    expect([tried, report].map((one) => Number(one.lastDueAt))).toEqual([end, end]);
    const due = (await outbox.deliveries()).map((one) => Number(one.next_attempt_at));
    const inTurn = due.toSorted((one, other) => one - other);
    expect(inTurn).toEqual(due.map((_, at) => Number(inTurn[0]) + at * resendGapMilliseconds));
  });

  test.each(["switched off", "given another URL"])(
    "an endpoint that is %s meanwhile gets no more",
    async (how) => {
      const { outbox, id } = await openMissed(engine, 5);
      const change = () =>
        how === "switched off"
          ? switchOff(outbox, id)
          : query(outbox.database)`update webhook_endpoints set url = 'https://other.example'`;
      const database = beforeQueueing(outbox, (page) => (page === 2 ? change() : undefined));
      const wish = { endpointId: id };
      const report = await resend({ database, clock: outbox.clock }, wish, { rowsMax: 2 });
      expect(report).toMatchObject({ skipped: 2, isCutShort: true });
      expect((await outbox.deliveries()).filter(isWaiting)).toHaveLength(2);
      const [, end] = await entriesOf(outbox.database);
      expect(end).toMatchObject({ details: { skipped: 2, is_cut_short: true } });
    },
  );

  test("what somebody else queues in between is queued once, and the rest behind it", async () => {
    const { outbox, id, events } = await openMissed(engine, 6);
    const database = beforeQueueing(outbox, (page) =>
      page === 1 ? resend(outbox, { endpointId: id, eventId: events[1] }) : undefined,
    );
    const report = await resend({ database, clock: outbox.clock }, { endpointId: id });
    expect(report).toMatchObject({ skipped: 5, pending: 1 });
    const due = (await outbox.deliveries()).map(({ next_attempt_at: at }) => Number(at));
    const start = outbox.clock.nowMilliseconds();
    expect(due).toEqual([1, 0, 2, 3, 4, 5].map((place) => start + place * resendGapMilliseconds));
  });

  test("an endpoint that was off and is on again in between gets all in its new generation", async () => {
    const { outbox, id } = await openMissed(engine, 3);
    const database = beforeQueueing(outbox, (page) =>
      page === 1 ? switchOn(outbox, id, true) : undefined,
    );
    const report = await resend({ database, clock: outbox.clock }, { endpointId: id });
    expect(report).toMatchObject({ skipped: 3, isCutShort: false });
    expect((await outbox.deliveries()).map(({ generation }) => generation)).toEqual([2, 2, 2]);
  });
});
