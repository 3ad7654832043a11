// The whole service on a primary with a synchronous standby, under load: the primary is killed, or cut off and frozen, and
// the standby promoted. What was answered is there once, with all that belongs to it.

import { afterEach, beforeEach, expect, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { afterTicks } from "../../adapters/database/ticks.ts";
import { startPair, unfence, untilSo } from "../support/synchronous-pair.ts";
import type { Pair } from "../support/synchronous-pair.ts";
import { Load } from "./failover-load.ts";
import { numbersOn, openScene } from "./failover-scene.ts";
import type { Scene } from "./failover-scene.ts";

const eachShopAtOnce = 4;
/** Of each kind of request several. */
const some = 60;

let begun: AsyncDisposableStack;
let pair: Pair;
let scene: Scene;

beforeEach(async () => {
  begun = new AsyncDisposableStack();
  pair = await startPair(async (primary) => {
    const database = await openPostgres({ url: primary.url("postgres"), connectionsMax: 2 });
    await database.close();
  });
  begun.defer(pair.remove);
  const hosts = [pair.primary, pair.standby].map(({ port }) => `127.0.0.1:${port}`).join(",");
  const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  scene = await openScene(url);
  begun.defer(scene.close);
});

afterEach(() => begun.disposeAsync());

function startLoad(): Load {
  const load = new Load(scene.url, scene.shops, eachShopAtOnce);
  begun.defer(() => load.end());
  return load;
}

const changes = () =>
  scene.log.filter(({ msg }) => msg === "another database server takes the writes now");

/** Ends the load, and looks at everything on the server that goes on. */
async function expectWhole(load: Load): Promise<void> {
  await load.stop();
  const url = pair.standby.url("postgres");
  await scene.untilDelivered(url);
  expect(await scene.faultsOf(load, url)).toEqual([]);
  // Nobody got any other refusal, waited for long, or lost the connection to us.
  const notNow = { status: 503, retryAfter: "1", isLate: false };
  for (const attempt of load.refused) expect(attempt).toEqual(notNow);
  expect(changes()).toHaveLength(1);
}

test("a primary that is killed: each answer holds on the promoted standby", async () => {
  const load = startLoad();
  await load.untilMore(some);
  await pair.primary.crash();
  const refusedBefore = load.refused.length;
  await load.until(() => load.refused.length > refusedBefore);
  await pair.standby.execute("select pg_promote()");
  await load.untilMore(some);
  await expectWhole(load);
});

test("a primary that is cut off and frozen costs at most 5 s from the freeze on, and gets nothing when it thaws", async () => {
  const { primary, standby, between } = pair;
  const load = startLoad();
  await load.untilMore(some);
  // What it commits from here on nobody else has: it may not be answered.
  between.isShut = true;
  between.breakAll();
  const answered = load.answered;
  const waits = "exists (select from pg_stat_activity where wait_event = 'SyncRep')";
  await untilSo(primary, waits, () => load.answered > answered + some);
  let isLate = false;
  // 5 s of a process that comes to its turns.
  const cancel = afterTicks(20, () => (isLate = true));
  primary.freeze();
  const begun = new Set(load.numbers);
  await standby.execute("select pg_promote()");
  // One more than may have been on their way from before.
  await load.untilMore(2 * eachShopAtOnce + 1);
  cancel();
  expect(isLate).toBe(false);
  await load.untilMore(some);
  primary.thaw();
  await load.untilMore(some);
  await expectWhole(load);
  expect(load.refused.length).toBeGreaterThan(0);

  // It may show now what it has done without its standby: of what was asked for since then there is nothing.
  await unfence(pair);
  // What waits there has its number until everybody sees what it did.
  await untilSo(primary, "not exists (select from pg_stat_activity where backend_xid is not null)");
  const there = await numbersOn(primary.url("postgres"));
  const later = load.numbers.filter((number) => !begun.has(number));
  expect(later.length).toBeGreaterThan(some);
  expect(later.filter((number) => there.has(number))).toEqual([]);
});
