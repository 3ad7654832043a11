// A server that follows the one that takes writes, for reads that may be a little late. It is asked only while it is known
// to hold everything that was committed a second ago; else, and whenever it fails, the other one is. Nobody waits for it
// longer than a second, and nobody looks after it when nobody has read for a while.

import { setTimeout as wait } from "node:timers/promises";
import { callbackify } from "node:util";
import pg from "pg";
import type { Database, Statement } from "../../service/ports/database.ts";
import type { NamedServer } from "../configuration/database-url.ts";
import { checkPlace } from "./cell-schema.ts";
import type { Schema } from "./cell-schema.ts";
import { planning } from "./fitness.ts";
import { buildPool, onConnection, optionsOf } from "./pool.ts";
import { runStatement } from "./session.ts";
import type { OpenedDatabase } from "./session.ts";

/** What became of it, for the log. */
export type ReplicaNews =
  | { readonly kind: "replica_used"; readonly server: string }
  | { readonly kind: "replica_left"; readonly server: string; readonly reason: string };

export interface ReplicaOptions {
  readonly server: NamedServer;
  readonly schema: Schema;
  readonly applicationName: string;
  readonly connectionsMax: number;
  readonly onNews: ((news: ReplicaNews) => void) | undefined;
  readonly onIdleError: ((error: Error) => void) | undefined;
}

/** What it answers lacks nothing that was committed as long before it was asked. */
const staleMillisecondsMax = 1_000;
/** Between two looks, */
const lookMilliseconds = 200;
/** while somebody has read in the last five seconds: open pages read every two. */
const wantedMilliseconds = 5_000;
/** Neither a connection nor an answer is waited for longer. */
const answerMillisecondsMax = 1_000;
/** One that comes and goes says each once in that time. */
const newsMilliseconds = 60_000;
/** For a goodbye: a frozen server never hears it. */
const goodbyeMilliseconds = 500;

interface PrimaryRow {
  readonly system: string;
  readonly timeline: number;
  readonly place: string;
}

interface ReplicaRow extends Omit<PrimaryRow, "place"> {
  /** null: it follows nobody */
  readonly place: string | null;
}

/** The first eight digits of a file of the log are its timeline (PostgreSQL 15, 9.27.4, `pg_walfile_name`). */
const readPlace: Statement<object, PrimaryRow> = {
  name: "read_log_place",
  text: `select system_identifier::text as system,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer as timeline,
    pg_current_wal_insert_lsn()::text as place
  from pg_control_system()`,
  list: () => [],
  // Nothing waits for it.
  isDurable: false,
};
const replicaQuestion = `select system_identifier::text as system, timeline_id as timeline,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as place
  from pg_control_system(), pg_control_checkpoint()`;

/** Where the log of the writing server ended at a time. */
interface Mark extends Omit<PrimaryRow, "place"> {
  readonly place: bigint;
  readonly atMilliseconds: number;
}

/** Reads that may be stale go there while it can be used. */
export function readingFrom(database: OpenedDatabase, options: ReplicaOptions): OpenedDatabase {
  const replica = new Replica(options, database);
  const underWay = new Set<Promise<unknown>>();
  const runLate: OpenedDatabase["run"] = async (statement, values) => {
    const rows = await replica.run(statement, values);
    return rows ?? database.run(statement, values);
  };
  return {
    ...database,
    run: (statement, values) => {
      if (statement.mayBeStale !== true) return database.run(statement, values);
      const reading = runLate(statement, values);
      const ended: Promise<unknown> = reading
        .catch(() => undefined)
        .finally(() => underWay.delete(ended));
      underWay.add(ended);
      return reading;
    },
    close: async () => {
      // Who is left without an answer there goes to the other one.
      await replica.close();
      await Promise.all(underWay);
      await database.close();
    },
  };
}

class Replica {
  readonly #options: ReplicaOptions;
  readonly #primary: Database;
  readonly #pool: pg.Pool;
  /** the last second of them, the newest last */
  #marks: readonly Mark[] = [];
  /** It has everything that was committed before. */
  #completeAt = Number.NEGATIVE_INFINITY;
  readonly #connections = new Set<pg.Client>();
  readonly #closing = new AbortController();
  #wantedAt = Number.NEGATIVE_INFINITY;
  #lookingSince = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #told: ReplicaNews["kind"] | undefined;
  readonly #toldAt = new Map<ReplicaNews["kind"], number>();

  /** @param primary the server that takes writes */
  constructor(options: ReplicaOptions, primary: Database) {
    const { server, schema, onIdleError, connectionsMax: max, applicationName } = options;
    this.#options = options;
    this.#primary = primary;
    const standing = schema === undefined ? planning : { ...planning, search_path: schema };
    const ours = optionsOf({ ...standing, default_transaction_read_only: "on" });
    this.#pool = buildPool(onIdleError, {
      connectionString: server.url,
      options: [server.options, ours].filter(Boolean).join(" "),
      application_name: applicationName,
      max,
      connectionTimeoutMillis: answerMillisecondsMax,
      query_timeout: answerMillisecondsMax,
      verify: callbackify((client: pg.PoolClient) => checkPlace(client, schema)),
      Client: clientsOf(this.#connections),
    });
  }

  /** Undefined: it is too late, or has failed, and the other server has to be asked. */
  async run<Values, Row>(
    statement: Statement<Values, Row>,
    values: Values,
  ): Promise<readonly Row[] | undefined> {
    this.#keepLooking();
    if (performance.now() - this.#completeAt > staleMillisecondsMax) return undefined;
    try {
      return await onConnection(this.#pool, (client) => runStatement(client, statement, values));
    } catch (error) {
      // Also what is about the statement: a table may have a column that has not come yet.
      this.#leave(reasonOf(error));
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const ended = this.#pool.end();
    const isOver = ended.then(() => true);
    if (!(await Promise.race([isOver, wait(goodbyeMilliseconds, false)]))) {
      for (const client of this.#connections) client.connection.stream.destroy();
    }
    await Promise.all([ended, this.#looking]);
  }

  #keepLooking(): void {
    this.#wantedAt = performance.now();
    this.#looking ??= this.#lookWhileWanted().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookWhileWanted(): Promise<void> {
    const { signal } = this.#closing;
    this.#lookingSince = performance.now();
    while (!signal.aborted && performance.now() - this.#wantedAt < wantedMilliseconds) {
      await this.#look();
      // Aborted: it is over.
      await wait(lookMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const mark = await this.#mark();
    // Then nobody hears of writes either.
    if (mark === undefined) return;
    try {
      const { rows } = await onConnection(this.#pool, (client) =>
        client.query<ReplicaRow>(replicaQuestion),
      );
      const [found] = rows;
      if (found !== undefined) this.#compare(mark, found);
    } catch (error) {
      this.#leave(reasonOf(error));
    }
  }

  async #mark(): Promise<Mark | undefined> {
    const atMilliseconds = performance.now();
    const [row] = await this.#primary.run(readPlace, {}).catch(() => []);
    if (row === undefined) return undefined;
    const mark = { ...row, place: placeOf(row.place), atMilliseconds };
    const oldest = atMilliseconds - staleMillisecondsMax;
    const kept = this.#marks.filter((one) => one.atMilliseconds >= oldest && isOneLog(one, mark));
    this.#marks = [...kept, mark];
    return mark;
  }

  #compare(mark: Mark, found: ReplicaRow): void {
    if (found.place === null) {
      this.#leave("it follows no other server");
      return;
    }
    if (found.system !== mark.system) {
      this.#leave("it follows another server than that of DATABASE_URL");
      return;
    }
    // What it holds beyond the place where the timelines part is not what is there.
    if (found.timeline !== mark.timeline) {
      const message = `its last checkpoint is of timeline ${found.timeline}, and ${mark.timeline} is written`;
      this.#leave(message);
      return;
    }
    const place = placeOf(found.place);
    const reached = this.#marks.findLast((one) => one.place <= place);
    if (reached === undefined) {
      const isLongAsked = performance.now() - this.#lookingSince > staleMillisecondsMax;
      // What it was complete by counts until a second has passed.
      if (isLongAsked) this.#tellLeft("it is more than a second behind");
      return;
    }
    this.#completeAt = reached.atMilliseconds;
    this.#tell({ kind: "replica_used", server: this.#options.server.name });
  }

  #leave(reason: string): void {
    this.#completeAt = Number.NEGATIVE_INFINITY;
    this.#tellLeft(reason);
  }

  #tellLeft(reason: string): void {
    const { name: server } = this.#options.server;
    this.#tell({ kind: "replica_left", server, reason });
  }

  #tell(news: ReplicaNews): void {
    const { kind } = news;
    const now = performance.now();
    const toldAt = this.#toldAt.get(kind) ?? Number.NEGATIVE_INFINITY;
    if (kind === this.#told || now - toldAt < newsMilliseconds || this.#closing.signal.aborted)
      return;
    this.#told = kind;
    this.#toldAt.set(kind, now);
    this.#options.onNews?.(news);
  }
}

/** Those that are open are in the set. Between being new and being used nobody else listens to them. */
function clientsOf(connections: Set<pg.Client>) {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      connections.add(this);
      this.on("error", () => undefined);
      this.once("end", () => connections.delete(this));
    }
  };
}

function isOneLog(one: Omit<PrimaryRow, "place">, other: Omit<PrimaryRow, "place">): boolean {
  return one.system === other.system && one.timeline === other.timeline;
}

/** A place in the log as a number (PostgreSQL 15, 8.20, `pg_lsn`). */
function placeOf(text: string): bigint {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
