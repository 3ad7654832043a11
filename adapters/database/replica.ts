// A server that follows the one that takes writes, for reads that may be a little late. A process writes a mark there up to
// five times a second, and what is read from the replica is read together with the newest mark that has come: what was
// committed before it has come, too. So it does not matter who answers, and how it got to where it is: a server that is
// behind, that follows another one, or that has gone another way lacks the mark, and then the other server is asked. Nobody
// waits longer than a second for it, and no marks are written when nobody has read for a while.

import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { staleMillisecondsMax } from "../../service/ports/database.ts";
import type { Database, Statement } from "../../service/ports/database.ts";
import type { NamedServer } from "../configuration/database-url.ts";
import type { Schema } from "./cell-schema.ts";
import { isAboutConnection, isAboutServer } from "./failures.ts";
import { planning } from "./fitness.ts";
import { buildPool, onConnection, optionsOf, useOf } from "./pool.ts";
import { ReplicaConnections } from "./replica-connections.ts";
import { runStatement } from "./session.ts";
import type { ConnectionUse, OpenedDatabase } from "./session.ts";

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

/** Between two marks, */
const markMilliseconds = 200;
/** while somebody has read in the last five seconds: open pages read every two. */
const wantedMilliseconds = 5_000;
/** For a connection, the mark and the answer together. */
const answerMillisecondsMax = 1_000;
/** What was said last is not said again in that time. */
const newsMilliseconds = 60_000;

const writeMark: Statement<{ readonly process: string; readonly mark: bigint }, object> = {
  name: "write_replica_mark",
  text: `with gone as (
      delete from replica_marks where process in (
        select process from replica_marks
        where marked_at < now() - interval '1 day' and $2::bigint % 1000 = 1 for update skip locked)
    )
    insert into replica_marks (process, mark, marked_at) values ($1::text, $2::bigint, now())
    on conflict (process) do update set mark = excluded.mark, marked_at = excluded.marked_at`,
  list: ({ process, mark }) => [process, mark],
};
const readMark: Statement<{ readonly process: string }, { readonly mark: bigint }> = {
  name: "read_replica_mark",
  text: "select mark from replica_marks where process = $1::text",
  list: ({ process }) => [process],
};

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
    connections: () => [...(database.connections?.() ?? []), replica.use],
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
  readonly #connections = new ReplicaConnections();
  readonly #pool: pg.Pool;
  /** One connection, to look with: nobody else stands in line for it. */
  readonly #ownPool: pg.Pool;
  readonly #process = crypto.randomUUID();
  /** when each was about to be written; those of the last second */
  readonly #marks = new Map<bigint, number>();
  readonly #closing = new AbortController();
  /** The last look has found a mark of the last second. */
  #isUsed = false;
  #mark = 0n;
  #wantedAt = Number.NEGATIVE_INFINITY;
  #markingSince = Number.NEGATIVE_INFINITY;
  /** when a mark was last acknowledged */
  #writtenAt = Number.NEGATIVE_INFINITY;
  #marking: Promise<void> | undefined;
  readonly #told = new Map<string, number>();
  #toldLast = "";

  /** @param primary the server that takes writes */
  constructor(options: ReplicaOptions, primary: Database) {
    const { server, schema, onIdleError, connectionsMax: max, applicationName } = options;
    this.#options = options;
    this.#primary = primary;
    const standing = schema === undefined ? planning : { ...planning, search_path: schema };
    const common: pg.PoolConfig = {
      connectionString: server.url,
      options: [server.options, optionsOf(standing)].filter(Boolean).join(" "),
      application_name: applicationName,
      connectionTimeoutMillis: answerMillisecondsMax,
      // A server that works on has said so before.
      query_timeout: answerMillisecondsMax + 500,
      Client: this.#connections.Client,
    };
    this.#pool = buildPool(onIdleError, { ...common, max: Math.max(1, max - 1) });
    this.#ownPool = buildPool(onIdleError, { ...common, max: 1 });
  }

  get use(): ConnectionUse {
    return useOf("replica", this.#pool);
  }

  /** Undefined: it is too late, or has failed, and the other server has to be asked. */
  async run<Values, Row>(
    statement: Statement<Values, Row>,
    values: Values,
  ): Promise<readonly Row[] | undefined> {
    this.#keepMarking();
    const askedAt = performance.now();
    if (!this.#isUsed) return undefined;
    return this.#within(() =>
      this.#read(this.#pool, askedAt, (client) => runStatement(client, statement, values)).catch(
        (error: unknown) => {
          const reason = reasonOf(error);
          // What is about the statement, such as a column that has not come yet, is about nobody else's; and whether it
          // is the server that is slow, the next look says, which waits behind nobody.
          const isGeneral = isAboutServer(error) || isAboutConnection(error);
          if (isGeneral && !/time-?out/i.test(reason)) this.#leave(reason);
          return undefined;
        },
      ),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#isUsed = false;
    await this.#marking;
    await this.#connections.end([this.#pool, this.#ownPool]);
  }

  /** Undefined: it takes too long. What comes then is nobody's any more. */
  async #within<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const over = new AbortController();
    const late = wait(answerMillisecondsMax, undefined, { signal: over.signal, ref: false });
    try {
      return await Promise.race([work(), late.catch(() => undefined)]);
    } finally {
      over.abort();
    }
  }

  /** What the work reads, if everything that was committed a second before `askedAt` is in it. */
  async #read<Result>(
    pool: pg.Pool,
    askedAt: number,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result | undefined> {
    const isOver = (): boolean => performance.now() - askedAt > answerMillisecondsMax;
    return await onConnection(pool, async (client, lose) => {
      // Nobody waits for it any more.
      if (isOver()) return undefined;
      return await inOneState(client, lose, async () => {
        const [row] = await runStatement(client, readMark, { process: this.#process });
        const markedAt = row === undefined ? undefined : this.#marks.get(row.mark);
        if (markedAt === undefined || askedAt - markedAt > staleMillisecondsMax)
          return this.#leaveAsLate(askedAt);
        return isOver() ? undefined : await work(client);
      });
    });
  }

  #leaveAsLate(askedAt: number): undefined {
    this.#isUsed = false;
    // At first there is none that could have come.
    if (askedAt - this.#markingSince <= staleMillisecondsMax) return;
    const isWritten = askedAt - this.#writtenAt <= staleMillisecondsMax;
    this.#leave(
      isWritten ? "what was written a second ago has not come" : "no mark could be written",
    );
  }

  #keepMarking(): void {
    this.#wantedAt = performance.now();
    this.#marking ??= this.#markWhileWanted().finally(() => {
      this.#marking = undefined;
      this.#isUsed = false;
    });
  }

  async #markWhileWanted(): Promise<void> {
    const { signal } = this.#closing;
    this.#markingSince = performance.now();
    while (!signal.aborted && performance.now() - this.#wantedAt < wantedMilliseconds) {
      if ((await this.#writeMark()) && (await this.#look())) this.#use();
      else this.#isUsed = false;
      // Aborted: it is over.
      await wait(markMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** False: nobody knows whether it was written. Then the other server is away, and says so to whoever asks it. */
  async #writeMark(): Promise<boolean> {
    const now = performance.now();
    this.#mark += 1n;
    for (const [mark, at] of this.#marks)
      if (now - at > staleMillisecondsMax) this.#marks.delete(mark);
    this.#marks.set(this.#mark, now);
    return this.#primary.run(writeMark, { process: this.#process, mark: this.#mark }).then(
      () => {
        this.#writtenAt = performance.now();
        return true;
      },
      () => false,
    );
  }

  async #look(): Promise<boolean> {
    const complete = () => Promise.resolve("complete");
    const looking = this.#read(this.#ownPool, performance.now(), complete).then(
      (found) => found ?? "incomplete",
      reasonOf,
    );
    const found = (await this.#within(() => looking)) ?? "it does not answer within a second";
    if (found !== "complete" && found !== "incomplete") this.#leave(found);
    return found === "complete";
  }

  #use(): void {
    if (this.#closing.signal.aborted) return;
    this.#isUsed = true;
    this.#tell({ kind: "replica_used", server: this.#options.server.name });
  }

  #leave(reason: string): void {
    this.#isUsed = false;
    if (this.#closing.signal.aborted) return;
    this.#tell({ kind: "replica_left", server: this.#options.server.name, reason });
  }

  /** One that comes and goes says each once in a while: the last word may be old by as much. */
  #tell(news: ReplicaNews): void {
    const text = news.kind === "replica_used" ? news.kind : news.reason;
    const now = performance.now();
    const before = this.#told.get(text) ?? Number.NEGATIVE_INFINITY;
    if (text === this.#toldLast || now - before < newsMilliseconds) return;
    this.#toldLast = text;
    this.#told.set(text, now);
    this.#options.onNews?.(news);
  }
}

/** One state of the database, and behind a pooler one server. */
async function inOneState<Result>(
  client: pg.PoolClient,
  lose: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  // At once, and also where a pooler takes nothing from whoever connects.
  await client.query(
    `begin isolation level repeatable read read only; set local statement_timeout = ${answerMillisecondsMax}`,
  );
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(lose);
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
