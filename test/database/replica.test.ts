// A server that follows the one that takes writes: it answers reads that may be a second late, and only while it is known
// to be no later. Frozen, behind, killed, promoted or somebody else's, it is left alone, and nobody goes without an answer.

import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { PostgresOptions } from "../../adapters/database/postgres.ts";
import type { ReplicaNews } from "../../adapters/database/replica.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { afterTicks } from "../../adapters/database/ticks.ts";
import type { ServerNews } from "../../adapters/database/server-watch.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import type { PostgresServer } from "../support/postgres-server.ts";

const addMerchant = statement<{ id: string }>("test.replica_add_merchant")((p) =>
  queries.insertInto("merchants").values({ id: p.id, name: "name", created_at: new Date(0) }),
);
const found = () =>
  queries
    .selectFrom("merchants")
    .select(sql<string[]>`coalesce(array_agg(id order by id), '{}')`.as("ids"))
    .select(sql<string>`current_setting('port')`.as("port"));
const readNow = statement<object>("test.replica_read_now")(found);
const readLate = statement<object>("test.replica_read_late", { mayBeStale: true })(found);

const hasPatience = { timeout: patienceMilliseconds };

let primary: PostgresServer;
let standby: PostgresServer;
let others: PostgresServer[] = [];
const opened: OpenedDatabase[] = [];
let news: (ReplicaNews | ServerNews)[] = [];

function urlOf({ port }: Pick<PostgresServer, "port">, database = "postgres"): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}

async function open(more: Partial<PostgresOptions> = {}): Promise<OpenedDatabase> {
  const onNews = (one: ReplicaNews | ServerNews) => void news.push(one);
  const servers = { url: urlOf(primary), replicaUrl: urlOf(standby) };
  const database = await openPostgres({ ...servers, connectionsMax: 4, onNews, ...more });
  opened.push(database);
  return database;
}

async function follow(leader: PostgresServer): Promise<PostgresServer> {
  await leader.stop();
  // Standing for the seconds after which it asks again.
  const settings = { wal_retrieve_retry_interval: "50ms" };
  const follower = await startPostgresServer({ isDurable: false, standbyOf: leader, settings });
  await leader.start();
  return follower;
}

/** The standby is asked already. */
async function openUsed(): Promise<OpenedDatabase> {
  const database = await open();
  await vi.waitUntil(isAnsweredBy(database, true), hasPatience);
  expect(news).toContainEqual({ kind: "replica_used", server: `127.0.0.1:${standby.port}` });
  news = [];
  return database;
}

/** What came back, and from where. */
async function read(database: OpenedDatabase, how = readLate) {
  const [row] = await database.run(how, {});
  return { ids: row?.ids ?? [], isOfStandby: row?.port === String(standby.port) };
}

const isAnsweredBy = (database: OpenedDatabase, isStandby: boolean) => async () =>
  (await read(database)).isOfStandby === isStandby;

const kinds = () => news.map(({ kind }) => kind);

beforeEach(async () => {
  primary = await startPostgresServer({ isDurable: false });
  standby = await follow(primary);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  await Promise.all([primary, standby, ...others].map((server) => server.remove()));
  others = [];
  news = [];
});

test("answers reads that may be late, and no others", async () => {
  const database = await openUsed();
  await database.run(addMerchant, { id: "mer_1" });
  expect(await read(database, readNow)).toEqual({ ids: ["mer_1"], isOfStandby: false });
  const inside = await database.transaction(async (transaction) => transaction.run(readLate, {}));
  expect(inside).toEqual([{ ids: ["mer_1"], port: String(primary.port) }]);
  await vi.waitUntil(async () => (await read(database)).ids.length === 1, hasPatience);
  expect(news).toEqual([]);
});

test("what was committed more than a second before is in every answer, however late it is", async () => {
  const database = await openUsed();
  const reads: { readonly at: number; readonly ids: readonly string[] }[] = [];
  const commits: { readonly at: number; readonly id: string }[] = [];
  for (let round = 0; round < 3; round++) {
    await standby.execute("select pg_wal_replay_pause()");
    const id = `mer_${round}`;
    await database.run(addMerchant, { id });
    commits.push({ at: performance.now(), id });
    let isLeft = false;
    while (!isLeft || performance.now() < (commits.at(-1)?.at ?? 0) + 1_500) {
      const at = performance.now();
      const { ids, isOfStandby } = await read(database);
      reads.push({ at, ids });
      isLeft ||= !isOfStandby;
      await new Promise(setImmediate);
    }
    await standby.execute("select pg_wal_replay_resume()");
    await vi.waitUntil(isAnsweredBy(database, true), hasPatience);
  }
  const late = reads.filter(({ at, ids }) =>
    commits.some((commit) => at - commit.at > 1_000 && !ids.includes(commit.id)),
  );
  expect(late).toEqual([]);
  // It was late, and it was asked.
  const missing = commits.filter(({ at, id }) =>
    reads.some((one) => one.at > at && !one.ids.includes(id)),
  );
  expect(missing).toEqual(commits);
  const reason = "what was written a second ago has not come";
  expect(news).toContainEqual(expect.objectContaining({ kind: "replica_left", reason }));
});

const losses: Readonly<Record<string, readonly [() => unknown, () => unknown]>> = {
  "is frozen, and thaws": [() => standby.freeze(), () => standby.thaw()],
  "is killed, and starts again": [() => standby.crash(), () => standby.start()],
};

test.each(Object.entries(losses))("one that %s: nobody goes without an answer", async (_, way) => {
  const [lose, bringBack] = way;
  const database = await openUsed();
  await database.run(addMerchant, { id: "mer_1" });
  await lose();
  // Ten seconds: each may wait one second for a connection or an answer, and not the fifteen of the other server.
  let isLate = false;
  const cancel = afterTicks(40, () => (isLate = true));
  const answers = await Promise.all(Array.from({ length: 20 }, () => read(database)));
  cancel();
  expect(isLate).toBe(false);
  expect(answers.filter(({ isOfStandby }) => isOfStandby)).toEqual([]);
  expect(answers.every(({ ids }) => ids.includes("mer_1"))).toBe(true);
  await vi.waitUntil(() => kinds().includes("replica_left"), hasPatience);
  await bringBack();
  await vi.waitUntil(isAnsweredBy(database, true), hasPatience);
});

test("one that is frozen when the service ends keeps it no longer than others", async () => {
  const sockets = () => process.getActiveResourcesInfo().filter((one) => one === "TCPSocketWrap");
  const before = sockets();
  const database = await openUsed();
  const idle = sockets();
  standby.freeze();
  const reading = read(database);
  opened.length = 0;
  await database.close();
  expect(await reading).toEqual({ ids: [], isOfStandby: false });
  expect(idle.length).toBeGreaterThan(before.length);
  await vi.waitUntil(() => sockets().length <= before.length, hasPatience);
  standby.thaw();
});

test("one that was promoted is asked no more", async () => {
  const database = await openUsed();
  await standby.execute("select pg_promote()");
  await vi.waitUntil(isAnsweredBy(database, false), hasPatience);
  await standby.execute(`insert into merchants values ('mer_of_another', 'name', 'active', now())`);
  await vi.waitUntil(() => news.length > 0, hasPatience);
  for (let count = 0; count < 50; count++) {
    expect(await read(database)).toEqual({ ids: [], isOfStandby: false });
  }
});

test.each([
  [
    "another server",
    async () => {
      const stranger = await startPostgresServer({ isDurable: false });
      others.push(stranger);
      const database = await open({ url: urlOf(stranger), replicaUrl: urlOf(primary) });
      await database.close();
      opened.length = 0;
      const itsStandby = await follow(stranger);
      others.push(itsStandby);
      return urlOf(itsStandby);
    },
  ],
  [
    "another database of the same server",
    async () => {
      await primary.execute("create database another");
      await openPostgres({ url: urlOf(primary, "another") }).then((other) => other.close());
      return urlOf(standby, "another");
    },
  ],
])("one that follows %s is never asked", async (_, prepare) => {
  const replicaUrl = await prepare();
  news = [];
  const database = await open({ replicaUrl });
  await vi.waitUntil(async () => {
    expect((await read(database)).isOfStandby).toBe(false);
    return news.some(({ kind }) => kind === "replica_left");
  }, hasPatience);
  expect(kinds()).not.toContain("replica_used");
});

test("one that did not come along to the promoted server is asked no more", async () => {
  const successor = await follow(primary);
  others.push(successor);
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${successor.port}`;
  const database = await open({ url: `postgres://postgres@${hosts}/postgres` });
  await vi.waitUntil(isAnsweredBy(database, true), hasPatience);
  await primary.crash();
  await successor.execute("select pg_promote()");
  await vi.waitUntil(() => kinds().includes("changed"), hasPatience);
  await database.run(addMerchant, { id: "mer_after" });
  const committed = performance.now();
  await vi.waitUntil(isAnsweredBy(database, false), hasPatience);
  while (performance.now() < committed + 1_500) {
    const at = performance.now();
    const { ids } = await read(database);
    if (at > committed + 1_000) expect(ids).toEqual(["mer_after"]);
  }
  expect(kinds()).toContain("replica_left");
});

test("of a cell its own tables are read", async () => {
  const plain = await open();
  await plain.run(addMerchant, { id: "mer_plain" });
  const cell = await open({ cell: "east" });
  await cell.run(addMerchant, { id: "mer_east" });
  await vi.waitUntil(async () => {
    const { ids, isOfStandby } = await read(cell);
    return isOfStandby && ids.includes("mer_east");
  }, hasPatience);
  expect((await read(cell)).ids).toEqual(["mer_east"]);
});

test.each([
  ["fails there", "0"],
  ["takes too long there", "(select 1 from pg_sleep(60))"],
])("what %s is read where it is written, and the others go on there", async (_, there) => {
  const text = `1 / (case when pg_is_in_recovery() then ${there} else 1 end)`;
  const reading = statement<object>(`test.replica_${there.length}`, { mayBeStale: true })(() =>
    queries.selectNoFrom(sql<number>`${sql.raw(text)}`.as("one")),
  );
  const database = await openUsed();
  // More of them than there are connections.
  const wishes = Array.from({ length: 6 }, () => database.run(reading, {}));
  await vi.waitUntil(isAnsweredBy(database, true), hasPatience);
  for (const answer of await Promise.all(wishes)) expect(answer).toEqual([{ one: 1 }]);
  await vi.waitUntil(isAnsweredBy(database, true), hasPatience);
  expect(JSON.stringify(news)).not.toMatch(/division|cancel|timeout/);
});
