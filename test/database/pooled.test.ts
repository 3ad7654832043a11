// Through a pooler in transaction mode that has fewer connections to the server than the service has to it, and gives each
// transaction another one: whatever relied on what a connection knows from before would fail or go astray.

import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { simulate } from "../simulation/simulation.ts";
import { execute, makePostgresDatabase } from "../support/engines.ts";
import type { MadePostgresDatabase } from "../support/engines.ts";
import { roleSettings } from "../support/pgbouncer.ts";
import { startPooler } from "../support/pooler.ts";
import type { Pooler } from "../support/pooler.ts";
import { shared } from "../support/shared.ts";
import { Load } from "./failover-load.ts";
import { openScene } from "./failover-scene.ts";

const serversMax = 3;
const seed = Number(process.env["SEED"]);
const steps = 100;

let begun: AsyncDisposableStack;
/** A test has its own, as settings are of a role. */
let role: string;
let made: MadePostgresDatabase;
let pooler: Pooler;
let url: string;

beforeEach(async () => {
  begun = new AsyncDisposableStack();
  role = `pooled_${randomBytes(6).toString("hex")}`;
  const settings = Object.entries(roleSettings).map(
    ([name, value]) => `alter role ${role} set ${name} = '${value}'`,
  );
  await execute([`create role ${role} superuser login`, ...settings].join("; "));
  begun.defer(() => execute(`drop role ${role}`));
  made = await makePostgresDatabase();
  begun.defer(made.remove);
  pooler = await startPooler({
    serverPort: Number(new URL(await shared("postgres")).port),
    serversMax,
    serversAtStart: 0,
    ofOthers: "ignored",
    next: "first back",
    statements: "kept",
  });
  begun.defer(pooler.close);
  url = pooler.url(new URL(made.url).pathname.slice(1), role);
});

afterEach(() => begun.disposeAsync());

/** Else this says nothing about a pooler. */
async function expectPooled(): Promise<void> {
  expect(pooler.preparedAgain()).toBeGreaterThan(0);
  const own = `select from pg_stat_activity where usename = '${role}' and backend_type = 'client backend'`;
  await execute(
    `do $$ begin assert (select count(*) from (${own}) own) between 2 and ${serversMax}; end $$`,
  );
}

test("requests, jobs and webhooks: each answer holds, and all belongs together", async () => {
  const scene = await openScene(url);
  begun.defer(scene.close);
  const load = new Load(scene.url, scene.shops, 4);
  begun.defer(() => load.end());
  await load.untilMore(60);
  await load.stop();
  await scene.untilDelivered(made.url);
  expect(await scene.faultsOf(load, made.url)).toEqual([]);
  expect(load.refused).toEqual([]);
  await expectPooled();
});

test("a life with everything that moves money adds up", async () => {
  process.stderr.write(`life through a pooler: SEED=${seed}, ${steps} steps\n`);
  const database = await openPostgres({ url, connectionsMax: 6 });
  begun.defer(database.close);
  await simulate(database, { seed, steps });
  await expectPooled();
});
