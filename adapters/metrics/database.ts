// How the database is used: what goes to the server, what it fails with, how full its connections are.

import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import { ServiceError } from "../../service/errors.ts";
import { CheckViolation, UniqueViolation } from "../../service/ports/database.ts";
import type { Database } from "../../service/ports/database.ts";
import type { ReplicaNews } from "../database/replica.ts";
import type { ServerNews } from "../database/server-watch.ts";
import type { OpenedDatabase } from "../database/session.ts";
import type { Clock } from "../system/clock.ts";
import { HistogramInPlace } from "./in-place.ts";

type Work<Result> = (inside: Database) => Promise<Result>;
type Form = "single" | "batch" | "transaction";

const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15];
const batchBuckets = [1, 2, 4, 8, 16, 32, 64];

export class DatabaseMetrics {
  readonly #clock: Pick<Clock, "monotonicMilliseconds">;
  readonly #durations: HistogramInPlace<"form">;
  readonly #errors: Counter<"kind">;
  readonly #batches: HistogramInPlace;
  readonly #news: Counter<"kind">;
  readonly #repeated: Counter;
  #database: OpenedDatabase | undefined;

  constructor(registry: Registry, clock: Pick<Clock, "monotonicMilliseconds">) {
    this.#clock = clock;
    const registers = [registry];
    this.#durations = new HistogramInPlace({
      name: "pay_database_round_trip_seconds",
      help: "Calls of the server. form: a single statement, a batch of equal ones, or a whole transaction.",
      label: "form",
      buckets: durationBuckets,
      registry,
    });
    this.#errors = new Counter({
      name: "pay_database_errors_total",
      help: "Calls that failed. kind: unavailable; unique_violation and check_violation, by which rules find out.",
      labelNames: ["kind"],
      registers,
    });
    this.#batches = new HistogramInPlace({
      name: "pay_database_batch_size",
      help: "Calls that went to the server together, of statements that can.",
      buckets: batchBuckets,
      registry,
    });
    this.#news = new Counter({
      name: "pay_database_server_news_total",
      help: "kind: silent, back, changed (another server takes the writes), older, replica_used, replica_left.",
      labelNames: ["kind"],
      registers,
    });
    this.#repeated = new Counter({
      name: "pay_database_transactions_repeated_total",
      help: "Times that a transaction was run again, since another one had been in its way.",
      registers,
    });
    this.#addConnections(registers);
  }

  readonly onBatch = (sets: number): void => this.#batches.observe(sets);

  readonly onNews = ({ kind }: ServerNews | ReplicaNews): void => this.#news.inc({ kind });

  /** Each of its calls is one of the server. */
  readonly observe = (database: OpenedDatabase): OpenedDatabase => {
    this.#database = database;
    return {
      ...database,
      run: (statement, values) => {
        const form = "columns" in statement ? "batch" : "single";
        return this.#timed(form, () => database.run(statement, values));
      },
      transaction: (work, joint) =>
        this.#timed("transaction", () => database.transaction(this.#counted(work), joint)),
    } satisfies OpenedDatabase & Database;
  };

  #counted<Result>(work: Work<Result>): Work<Result> {
    let isRepeated = false;
    return (inside) => {
      if (isRepeated) this.#repeated.inc();
      isRepeated = true;
      return work(inside);
    };
  }

  async #timed<Result>(form: Form, call: () => Promise<Result>): Promise<Result> {
    const begun = this.#clock.monotonicMilliseconds();
    try {
      return await call();
    } catch (error) {
      const kind = kindOf(error);
      if (kind !== undefined) this.#errors.inc({ kind });
      throw error;
    } finally {
      this.#durations.observe((this.#clock.monotonicMilliseconds() - begun) / 1000, form);
    }
  }

  #addConnections(registers: Registry[]): void {
    const uses = () => this.#database?.connections?.() ?? [];
    void new Gauge({
      name: "pay_database_connections",
      help: "kind: durable waits for the disk, relaxed need not, replica reads elsewhere. state: in_use or idle.",
      labelNames: ["kind", "state"],
      registers,
      collect() {
        for (const { kind, open, idle } of uses()) {
          this.set({ kind, state: "idle" }, idle);
          this.set({ kind, state: "in_use" }, open - idle);
        }
      },
    });
    void new Gauge({
      name: "pay_database_connections_max",
      help: "How many there may be.",
      labelNames: ["kind"],
      registers,
      collect() {
        for (const { kind, max } of uses()) this.set({ kind }, max);
      },
    });
    void new Gauge({
      name: "pay_database_waiting",
      help: "Calls that wait for a connection.",
      labelNames: ["kind"],
      registers,
      collect() {
        for (const { kind, waiting } of uses()) this.set({ kind }, waiting);
      },
    });
  }
}

/** Undefined: what the work of a transaction threw, which is no failure of the database. */
function kindOf(error: unknown): string | undefined {
  if (error instanceof UniqueViolation) return "unique_violation";
  if (error instanceof CheckViolation) return "check_violation";
  const isAway = error instanceof ServiceError && error.code === "service_unavailable";
  return isAway ? "unavailable" : undefined;
}
