// The database server goes away and comes back: the service says so, and recovers by itself.

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import type { PostgresServer } from "../support/postgres-server.ts";

const addMerchant = statement<{ id: string }>("test.add_merchant")((p) =>
  queries.insertInto("merchants").values({ id: p.id, name: "name", created_at: new Date(0) }),
);
const countMerchants = statement<object>("test.count_merchants")(() =>
  queries.selectFrom("merchants").select((q) => q.fn.countAll<bigint>().as("count")),
);
const setting = () => sql<{ setting: string }>`
  select current_setting('synchronous_commit') as setting`;
const sleep = statement<object>("test.sleep")(() => sql`select pg_sleep(60)`);

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer({ isDurable: true });
});
afterAll(() => server.remove());

const unavailable = { name: "ServiceError", code: "service_unavailable" };

test("answers service_unavailable while the server is gone, and works again after", async () => {
  const database = await openPostgres({ url: server.url("postgres"), connectionsMax: 6 });
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => database.run(addMerchant, { id: `mer_${index}` })),
  );
  const running = database.run(sleep, {});
  const inTransaction = database.transaction((inside) => inside.run(sleep, {}));
  const cutOff = Promise.allSettled([running, inTransaction]);
  await expect(database.run(countMerchants, {})).resolves.toStrictEqual([{ count: 8n }]);
  await server.crash();
  expect(await cutOff).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
  await expect(database.run(countMerchants, {})).rejects.toMatchObject(unavailable);
  await expect(
    database.transaction((inside) => inside.run(countMerchants, {})),
  ).rejects.toMatchObject(unavailable);

  await server.start();
  await expect(database.run(countMerchants, {})).resolves.toStrictEqual([{ count: 8n }]);
  await database.close();
});

test("says so at once when there is no server at the start", async () => {
  const nobody = openPostgres({ url: "postgres://postgres@127.0.0.1:1/postgres" });
  await expect(nobody).rejects.toMatchObject(unavailable);
});

test("waits for the disk, except for statements that say they need not", async () => {
  const database = await openPostgres({ url: server.url("postgres") });
  const usual = statement<object>("test.usual")(setting);
  const relaxed = statement<object>("test.relaxed", { isDurable: false })(setting);
  await expect(database.run(usual, {})).resolves.toStrictEqual([{ setting: "on" }]);
  await expect(database.run(relaxed, {})).resolves.toStrictEqual([{ setting: "off" }]);
  await expect(database.run(usual, {})).resolves.toStrictEqual([{ setting: "on" }]);
  await database.close();
});
