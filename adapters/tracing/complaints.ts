// What the library complains of, for the log. It knows one place for that in the whole process.

import { diag, DiagLogLevel } from "@opentelemetry/api";
import type { Clock } from "../system/clock.ts";

export type Warn = (fields: object, message: string) => void;

/** Longer complaints say nothing more. */
const charactersMax = 200;

/** Those of the building that wait for the log; each is about a variable. */
const keptMax = 20;

export class Complaints {
  readonly #clock: Pick<Clock, "monotonicMilliseconds">;
  readonly #everyMilliseconds: number;
  readonly #kept: string[] = [];
  #warn: Warn | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "monotonicMilliseconds">, everyMilliseconds: number) {
    this.#clock = clock;
    this.#everyMilliseconds = everyMilliseconds;
  }

  /** Before anything of the library is built: what nobody hears then is not said again. */
  listen(): void {
    const hear = (complaint: string): void => this.#hear(shortened(complaint));
    const ignore = (): void => undefined;
    diag.setLogger(
      { error: hear, warn: hear, info: ignore, debug: ignore, verbose: ignore },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
  }

  /** The log hears now what has come until here, and later not more than one in a while. */
  tellTo(warn: Warn): void {
    this.#warn = warn;
    for (const said of this.#kept.splice(0)) {
      warn({ said }, "traces are not configured as they should be; the service goes on");
    }
  }

  #hear(said: string): void {
    if (this.#warn === undefined) {
      if (this.#kept.length < keptMax) this.#kept.push(said);
      return;
    }
    const now = this.#clock.monotonicMilliseconds();
    if (now - this.#toldAt < this.#everyMilliseconds) return;
    this.#toldAt = now;
    this.#warn({ said }, "traces cannot be sent as they should; the service goes on without them");
  }
}

/** What made the library complain: of an error that it writes as JSON, what it says and no stack. */
function shortened(complaint: string): string {
  return (/"message":"((?:[^"\\]|\\.)*)"/.exec(complaint)?.[1] ?? complaint).slice(
    0,
    charactersMax,
  );
}
