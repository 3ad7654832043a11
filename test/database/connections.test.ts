// A statement that fails costs no connection, and one that may still be in a transaction is given to nobody.

import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { runTransaction } from "../../adapters/database/session.ts";
import { statement } from "../../service/database/statement.ts";
import type { Database } from "../../service/ports/database.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { patienceMilliseconds } from "../support/patience.ts";

let database: OpenedDatabase;
let remove = (): Promise<void> => Promise.resolve();
beforeAll(async () => {
  const made = await makePostgresDatabase();
  ({ remove } = made);
  // One for statements that wait for the disk.
  database = await openPostgres({ url: made.url, connectionsMax: 2 });
});
afterAll(async () => {
  await database.close();
  await remove();
});

const backend = statement<object>("test.which_backend")(
  () => sql<{ pid: number }>`select pg_backend_pid() as pid`,
);
const twice = statement<object>("test.same_name_twice")(
  () => sql`insert into merchants (id, name, created_at)
    select 'mer_1', 'name', now() from generate_series(1, 2)`,
);
const full = statement<object>("test.full_disk")(
  () => sql`do $$ begin raise exception 'no space' using errcode = '53100'; end $$`,
);
const gone = statement<object>("test.gone")(
  () => sql`do $$ begin raise exception 'shutting down' using errcode = '57P01'; end $$`,
);

const pidOf = async (): Promise<number | undefined> => (await database.run(backend, {}))[0]?.pid;
const inTransaction = (one: typeof twice): Promise<readonly unknown[]> =>
  database.transaction((inside: Database) => inside.run(one, {}));

test("what a statement fails on leaves the connection as it was", async () => {
  const pid = await pidOf();
  await expect(database.run(twice, {})).rejects.toMatchObject({ name: "UniqueViolation" });
  await expect(database.run(full, {})).rejects.toMatchObject({ code: "service_unavailable" });
  await expect(inTransaction(twice)).rejects.toMatchObject({ name: "UniqueViolation" });
  await expect(inTransaction(full)).rejects.toMatchObject({ code: "service_unavailable" });
  expect(await pidOf()).toBe(pid);
});

test("where the server is what failed, the next one gets another connection", async () => {
  const pid = await pidOf();
  await expect(database.run(gone, {})).rejects.toMatchObject({ code: "service_unavailable" });
  const next = await pidOf();
  expect(next).not.toBe(pid);
  await expect(inTransaction(gone)).rejects.toMatchObject({ code: "service_unavailable" });
  expect(await pidOf()).not.toBe(next);
});

test("what a connection has prepared and can use no more goes with it", async () => {
  const all = statement<object>("test.all_of_a_table")(
    () => sql<Readonly<Record<string, unknown>>>`select * from grown`,
  );
  const change = (text: string) =>
    database.run(
      statement<object>(`test.change_${text.length}`)(() => sql.raw(text)),
      {},
    );
  const later = { code: "service_unavailable", cause: { code: "0A000" } };
  await change("create table grown as select 1 as one");
  await expect(database.run(all, {})).resolves.toEqual([{ one: 1 }]);
  await change("alter table grown add column two integer default 2");
  await expect(database.run(all, {})).rejects.toMatchObject(later);
  await expect(database.run(all, {})).resolves.toEqual([{ one: 1, two: 2 }]);
  await change("alter table grown add column three integer default 3 not null");
  await expect(inTransaction(all)).rejects.toMatchObject(later);
  await expect(inTransaction(all)).resolves.toEqual([{ one: 1, two: 2, three: 3 }]);
  await change("drop table grown");
});

test("work that hides a statement's failure is not told that it counts", async () => {
  const hiding = database.transaction(async (inside) => {
    await inside.run(full, {}).catch(() => undefined);
    return "done";
  });
  await expect(hiding).rejects.toThrow("the transaction was not committed: ROLLBACK");
});

test("whoever holds a transaction that was not rolled back hears of it, and why it failed", async () => {
  const refused = new Error("not now");
  const asked: string[] = [];
  const client = {
    query: (text: string) => {
      asked.push(text);
      return text === "rollback" ? Promise.reject(refused) : Promise.resolve({ rows: [] });
    },
  };
  let isOpen = false;
  const failed = new Error("why");
  const transaction = runTransaction(
    // Of a driver's connection this is all that is used.
    client as unknown as Parameters<typeof runTransaction>[0],
    () => Promise.reject(failed),
    () => {
      isOpen = true;
    },
  );
  await expect(transaction).rejects.toBe(failed);
  expect(isOpen).toBe(true);
  expect(asked).toEqual(["begin isolation level serializable", "rollback"]);
});

test("a server that lets nobody in, whatever it says, is for another time", async () => {
  const made = await makePostgresDatabase();
  onTestFinished(made.remove);
  const name = new URL(made.url).pathname.slice(1);
  const role = `guest_of_${name}`;
  const admin = await openPostgres({ url: made.url, connectionsMax: 2 });
  onTestFinished(admin.close);
  const say = (text: string) => admin.run({ name: "", text, list: () => [] }, {});
  await say(`create role ${role} login`);
  await say(`create schema cell_guest authorization ${role}`);
  onTestFinished(async () => {
    await say(`drop owned by ${role}`);
    await say(`drop role ${role}`);
  });
  const url = new URL(made.url);
  url.username = role;
  const guest = await openPostgres({ url: url.href, cell: "guest", connectionsMax: 2 });
  onTestFinished(guest.close);
  expect(await guest.run(backend, {})).toHaveLength(1);
  await say(`revoke connect on database ${name} from public`);
  await say(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  const answers: unknown[] = [];
  // The first may be told that its connection is gone.
  for (let attempt = 0; attempt < 4; attempt++)
    answers.push(await guest.run(backend, {}).catch((error: unknown) => error));
  expect(answers.at(-1)).toMatchObject({
    code: "service_unavailable",
    cause: { code: "42501", severity: "FATAL" },
  });
  await say(`grant connect on database ${name} to public`);
  expect(await guest.run(backend, {})).toHaveLength(1);
});

test("a connection that breaks while it is asked where it looks breaks nothing else", async () => {
  const made = await makePostgresDatabase();
  onTestFinished(made.remove);
  const target = new URL(made.url);
  const serverPort = Number(target.port);
  let isCutting = false;
  const sockets = new Set<Socket>();
  // As a pooler whose server goes: the login is fine, and the first question is not answered.
  const door = createServer((client) => {
    const server = connect(serverPort, target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    client.on("data", (bytes) => {
      if (isCutting && bytes.toString("latin1", 0, 1) === "Q") client.destroy();
      else server.write(bytes);
    });
    server.pipe(client);
    client.once("close", () => server.destroy());
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    door.close();
  });
  target.port = String((door.address() as AddressInfo).port); // a TCP server has this form of address
  const opened = await openPostgres({ url: target.href, connectionsMax: 2 });
  onTestFinished(opened.close);
  expect(await opened.run(backend, {})).toHaveLength(1);
  isCutting = true;
  for (const socket of sockets) socket.destroy();
  for (let attempt = 0; attempt < 4; attempt++)
    await expect(opened.run(backend, {})).rejects.toMatchObject({ code: "service_unavailable" });
  isCutting = false;
  const again = () => opened.run(backend, {}).then(({ length }) => length);
  await expect
    .poll(() => again().catch(() => 0), { timeout: patienceMilliseconds, interval: 100 })
    .toBe(1);
});
