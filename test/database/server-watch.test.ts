// A primary with a synchronous standby: frozen, promoted, thawed, and in the wrong order. Nobody waits for a server that
// does not answer, what was acknowledged is on the one that goes on, and nothing goes to the other one any more.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { afterTicks, tickMilliseconds } from "../../adapters/database/ticks.ts";
import type { ReplicaNews } from "../../adapters/database/replica.ts";
import type { ServerNews } from "../../adapters/database/server-watch.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { openDoor } from "../support/door.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { startPair, unfence } from "../support/synchronous-pair.ts";
import type { Pair } from "../support/synchronous-pair.ts";

const addMerchant = statement<{ id: string }>("test.watch_add_merchant")((p) =>
  queries.insertInto("merchants").values({ id: p.id, name: "name", created_at: new Date(0) }),
);
const listMerchants = statement<object>("test.watch_list_merchants")(() =>
  queries.selectFrom("merchants").select("id").orderBy("id"),
);

const unavailable = { name: "ServiceError", code: "service_unavailable", retryAfterSeconds: 1 };
const hasPatience = { timeout: patienceMilliseconds };

let pair: Pair;
let primary: PostgresServer;
let standby: PostgresServer;
let opened: OpenedDatabase[] = [];
let news: (ReplicaNews | ServerNews)[] = [];

/** Named in this order, as libpq has it. */
function urlOf(...servers: readonly PostgresServer[]): string {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(",");
  return `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
}

async function open(url: string): Promise<OpenedDatabase> {
  const onNews = (one: ReplicaNews | ServerNews) => void news.push(one);
  const database = await openPostgres({ url, connectionsMax: 6, onNews });
  opened.push(database);
  return database;
}

function nameOf({ port }: PostgresServer): string {
  return `127.0.0.1:${port}`;
}

/** True as soon as somebody takes writes. */
async function isWriting(database: OpenedDatabase, id: string): Promise<boolean> {
  return database.run(addMerchant, { id }).then(
    () => true,
    () => false,
  );
}

beforeEach(async () => {
  pair = await startPair();
  ({ primary, standby } = pair);
});

afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  opened = [];
  news = [];
  await pair.remove();
});

test("behind a frozen server nobody waits as long as for a time-out, and it is used again after", async () => {
  await unfence(pair);
  const database = await open(urlOf(primary));
  await database.run(addMerchant, { id: "mer_before" });
  // Both have a connection: one that waits for a new one may be told so by whoever opens it.
  await database.transaction((inside) =>
    Promise.all([inside.run(listMerchants, {}), database.run(listMerchants, {})]),
  );
  primary.freeze();
  const waiting = [
    database.run(addMerchant, { id: "mer_during" }),
    database.transaction((inside) => inside.run(listMerchants, {})),
  ];
  const began = performance.now();
  // 5 s of a process that comes to its turns: what is promised.
  let isLate = false;
  const stopCounting = afterTicks(20, () => (isLate = true));
  const ended = await Promise.allSettled(waiting);
  stopCounting();
  expect({ isLate, tickMilliseconds }).toEqual({ isLate: false, tickMilliseconds: 250 });
  // The 2 s, and the 2.5 s that it has to answer: no timer comes early.
  expect(performance.now() - began).toBeGreaterThan(4_400);
  for (const one of ended) {
    // Not the driver's own limit, which is 15 s.
    const cause = { message: "Connection terminated unexpectedly" };
    expect(one).toMatchObject({ status: "rejected", reason: { ...unavailable, cause } });
  }
  const silent = { message: `${nameOf(primary)} does not answer` };
  await expect(database.run(listMerchants, {})).rejects.toMatchObject({ cause: silent });
  await expect(
    database.transaction((inside) => inside.run(listMerchants, {})),
  ).rejects.toMatchObject({ ...unavailable, cause: silent });
  expect(news).toEqual([{ kind: "silent", server: nameOf(primary) }]);

  primary.thaw();
  await vi.waitUntil(() => isWriting(database, "mer_after"), hasPatience);
  expect(news.at(-1)).toEqual({ kind: "back", server: nameOf(primary) });
  const found = (await database.run(listMerchants, {})).map(({ id }) => id);
  // The one in between is unknown: the server may have done it before it heard that nobody listens any more.
  expect(found.filter((id) => id !== "mer_during")).toEqual(["mer_after", "mer_before"]);
});

const losses: Readonly<Record<string, readonly [() => unknown, () => unknown]>> = {
  "is frozen, and thaws": [() => primary.freeze(), () => primary.thaw()],
  "is killed, and starts again": [() => primary.crash(), () => primary.start()],
};

test.each(Object.entries(losses))("a primary %s: all goes to the promoted one", async (_, way) => {
  const [lose, bringBack] = way;
  const database = await open(urlOf(primary, standby));
  const acknowledged: string[] = [];
  let count = 0;
  const over = new AbortController();
  const writer = async () => {
    while (!over.signal.aborted) {
      const id = `mer_${String(count++).padStart(6, "0")}`;
      if (await isWriting(database, id)) acknowledged.push(id);
      else await new Promise(setImmediate);
    }
  };
  const writers = Promise.all(Array.from({ length: 4 }, writer));
  await vi.waitUntil(() => acknowledged.length > 100, hasPatience);
  await lose();
  await standby.execute("select pg_promote()");
  await vi.waitUntil(() => news.some(({ kind }) => kind === "changed"), hasPatience);
  const before = acknowledged.length;
  await vi.waitUntil(() => acknowledged.length > before + 100, hasPatience);
  await bringBack();
  // Else it would wait for its standby, and answer nobody.
  await unfence(pair);
  const later = acknowledged.length;
  await vi.waitUntil(() => acknowledged.length > later + 100, hasPatience);
  over.abort();
  await writers;
  expect(news.findLast(({ kind }) => kind !== "older")).toEqual({
    kind: "changed",
    before: nameOf(primary),
    server: nameOf(standby),
  });
  const kept = (await database.run(listMerchants, {})).map(({ id }) => id);
  expect(kept.filter((id) => acknowledged.includes(id))).toEqual(acknowledged.toSorted());
  // Somebody else asks the old one: what was acknowledged since then is not there.
  const old = await open(urlOf(primary));
  const stale = new Set((await old.run(listMerchants, {})).map(({ id }) => id));
  expect(acknowledged.slice(before).filter((id) => stale.has(id))).toEqual([]);

  // The new one goes away for a while, and the old one takes writes: nobody asks it to.
  await standby.crash();
  for (let count = 0; count < 20; count++) {
    expect(await isWriting(database, `mer_lost_${count}`)).toBe(false);
    await new Promise((resolve) => void afterTicks(1, () => resolve(undefined)));
  }
  // Who looks after it is told why, once.
  const older = { kind: "older", server: nameOf(primary), timeline: 1, usedTimeline: 2 };
  expect(news.filter(({ kind }) => kind === "older")).toEqual([older]);
  await standby.start();
  await vi.waitUntil(() => isWriting(database, "mer_late"), hasPatience);
  const ofOld = (await old.run(listMerchants, {})).map(({ id }) => id);
  expect(ofOld.filter((id) => id.startsWith("mer_l"))).toEqual([]);
  expect(news.filter(({ kind }) => kind === "changed")).toHaveLength(1);

  // A server process that starts now sees two that take writes.
  const started = await open(urlOf(primary, standby));
  await started.run(addMerchant, { id: "mer_started" });
  expect(await database.run(listMerchants, {})).toContainEqual({ id: "mer_started" });
});

test("while a frozen one has not answered, the others are asked again", async () => {
  const door = await openDoor(standby.port);
  const url = urlOf(primary).replace("/postgres?", `,127.0.0.1:${door.port}/postgres?`);
  const database = await open(url);
  const before = door.asked;
  primary.freeze();
  const writing = isWriting(database, "mer_1");
  await vi.waitUntil(() => news.some(({ kind }) => kind === "silent"), hasPatience);
  // One look is as long as a server may take to answer.
  expect(door.asked - before).toBeGreaterThan(2);
  expect(await writing).toBe(false);
  primary.thaw();
  await door.close();
});

test("finds the one that takes writes wherever it is named, and says why there is none", async () => {
  const database = await open(urlOf(standby, primary));
  await expect(database.run(addMerchant, { id: "mer_1" })).resolves.toEqual([]);
  expect(news).toEqual([]);
  await primary.crash();
  await expect(open(urlOf(standby, primary))).rejects.toMatchObject({
    ...unavailable,
    cause: {
      message: expect.stringMatching(
        `^none of its servers takes writes: ${nameOf(standby)} takes no writes; ` +
          `${nameOf(primary)} cannot be used \\(.*ECONNREFUSED`,
      ) as string,
    },
  });
});

test("a primary that is made read-only is left for the one that was promoted", async () => {
  const database = await open(urlOf(primary, standby));
  await database.run(addMerchant, { id: "mer_1" });
  await standby.execute("select pg_promote()");
  await primary.execute("alter system set default_transaction_read_only = on");
  await primary.execute("select pg_reload_conf()");
  await vi.waitUntil(() => isWriting(database, "mer_2"), hasPatience);
  expect(news).toEqual([{ kind: "changed", before: nameOf(primary), server: nameOf(standby) }]);
  await expect(database.run(listMerchants, {})).resolves.toEqual([
    { id: "mer_1" },
    { id: "mer_2" },
  ]);
});

test("a server that takes no new connections and answers on old ones is left alone", async () => {
  await unfence(pair);
  const door = await openDoor(primary.port);
  const database = await open(`postgres://postgres@127.0.0.1:${door.port}/postgres`);
  await Promise.all(Array.from({ length: 6 }, (_, at) => isWriting(database, `mer_${at}`)));
  door.isShut = true;
  await primary.execute(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like '%insert into "merchants"%'
      and pid <> pg_backend_pid() limit 1`,
  );
  let failed = 0;
  let written = 0;
  // 5 s: two looks are over by then.
  const over = new AbortController();
  afterTicks(20, () => over.abort());
  for (let count = 0; !over.signal.aborted; count++) {
    if (await isWriting(database, `mer_more_${count}`)) written += 1;
    else failed += 1;
  }
  expect(news).toEqual([]);
  expect(failed).toBeLessThan(written);
  door.isShut = false;
  await vi.waitUntil(() => isWriting(database, "mer_end"), hasPatience);
  await database.close();
  opened = [];
  await door.close();
});

test("whoever is under way when the service ends waits for a frozen server no longer than others", async () => {
  const database = await openPostgres({ url: urlOf(primary), connectionsMax: 4 });
  await database.run(listMerchants, {});
  const begun = Promise.withResolvers<undefined>();
  const frozen = Promise.withResolvers<undefined>();
  const working = database.transaction(async (inside) => {
    begun.resolve(undefined);
    await frozen.promise;
    return inside.run(listMerchants, {});
  });
  const ended = Promise.allSettled([working]);
  await begun.promise;
  primary.freeze();
  frozen.resolve(undefined);
  const [[outcome]] = await Promise.all([ended, database.close()]);
  const cause = { message: "Connection terminated unexpectedly" };
  expect(outcome).toMatchObject({ status: "rejected", reason: { ...unavailable, cause } });
});

test("a certificate that cannot be read when a server is looked at is told, and ends nothing", async () => {
  const url = `${urlOf(primary, standby)}&sslmode=verify-full&sslrootcert=/nowhere/root.crt`;
  await expect(open(url)).rejects.toMatchObject({
    ...unavailable,
    cause: { message: expect.stringContaining("no such file") as string },
  });
});
