// What is asked of the database, by the names of the statements: never their texts or values.

import { SpanKind } from "@opentelemetry/api";
import type { Database } from "../../service/ports/database.ts";
import type { Spans, Work } from "./spans.ts";

function workOf(name: string): Work {
  return {
    name,
    kind: SpanKind.CLIENT,
    attributes: { "db.system.name": "postgresql", "db.query.summary": name },
  };
}

const asItIs = (database: Database): Database => database;

export class DatabaseTracing {
  readonly #spans: Spans;

  constructor(spans: Spans) {
    this.#spans = spans;
  }

  /** Above what makes one call of many: each caller sees its own statement, and how long it waited for it. */
  readonly observe = (database: Database): Database => ({
    run: (statement, values) => {
      if (!this.#spans.isRecording()) return database.run(statement, values);
      return this.#spans.part(workOf(statement.name), () => database.run(statement, values));
    },
    transaction: (work, joint) =>
      this.#spans.part(workOf(joint?.name ?? "transaction"), (span) => {
        // A joint one is run by whoever came first.
        const asOurs = this.#spans.keep();
        const seen = span === undefined ? asItIs : this.observe;
        return database.transaction((inside) => asOurs(() => work(seen(inside))), joint);
      }),
  });

  /** Asked where a call waits for others; hears with how many it went to the server. */
  readonly follow = (): ((sets: number) => void) | undefined => {
    const span = this.#spans.active();
    if (span?.isRecording() !== true) return undefined;
    return (sets) => {
      if (sets > 1) span.setAttribute("db.operation.batch.size", sets);
    };
  };
}
