// A primary and a standby without which it acknowledges nothing: what an operator has who wants to lose no payment.

import { vi } from "vitest";
import { openDoor } from "./door.ts";
import type { Door } from "./door.ts";
import { patienceMilliseconds } from "./patience.ts";
import { startPostgresServer } from "./postgres-server.ts";
import type { PostgresServer } from "./postgres-server.ts";

export interface Pair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** the network between them: all that the standby hears of the primary comes through it */
  readonly between: Door;
  /** for good: nothing is left */
  readonly remove: () => Promise<void>;
}

/** What a server that is killed has written is with the system, and needs no disk: it is quicker without. */
const quick = { fsync: "off" };
const hasPatience = { timeout: patienceMilliseconds };

/** @param fill puts something into the primary, which the standby has from the start on */
export async function startPair(
  fill: (primary: PostgresServer) => Promise<unknown> = () => Promise.resolve(),
): Promise<Pair> {
  // What was made is removed also where the next thing fails.
  await using begun = new AsyncDisposableStack();
  const primary = await startPostgresServer({ isDurable: true, settings: quick });
  begun.defer(primary.remove);
  await fill(primary);
  await primary.stop();
  const between = await openDoor(primary.port);
  begun.defer(between.close);
  const following = `host=127.0.0.1 port=${between.port} user=postgres application_name=standby`;
  const settings = { ...quick, primary_conninfo: following };
  const standby = await startPostgresServer({ isDurable: true, standbyOf: primary, settings });
  begun.defer(standby.remove);
  await primary.start();
  await untilSo(primary, "exists (select from pg_stat_replication)");
  await primary.execute("alter system set synchronous_standby_names = 'standby'");
  await primary.execute("select pg_reload_conf()");
  const made = begun.move();
  return { primary, standby, between, remove: () => made.disposeAsync() };
}

/** From now on it acknowledges by itself: an operator would never let it. */
export async function unfence({ primary }: Pair): Promise<void> {
  await primary.execute("alter system reset synchronous_standby_names");
  await primary.execute("select pg_reload_conf()");
}

/** @param condition in SQL */
export function untilSo(
  server: PostgresServer,
  condition: string,
  orElse: () => boolean = () => false,
): Promise<unknown> {
  const text = `do $$ begin assert ${condition}; end $$`;
  const isSo = async (): Promise<boolean> =>
    orElse() || (await server.execute(text).then(() => true, () => false)); // prettier-ignore
  return vi.waitUntil(isSo, hasPatience);
}
