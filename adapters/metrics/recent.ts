// What a process has found, as long as it is new: where another process goes on with the work, nobody shows what was.

import type { Clock } from "../system/clock.ts";

export class Recent<What> {
  readonly #clock: Pick<Clock, "nowMilliseconds">;
  readonly #keptMilliseconds: number;
  readonly #found = new Map<string, { readonly what: What; readonly at: number }>();

  constructor(clock: Pick<Clock, "nowMilliseconds">, keptMilliseconds: number) {
    this.#clock = clock;
    this.#keptMilliseconds = keptMilliseconds;
  }

  /** In place of what was found before by that name. */
  set(name: string, what: What): void {
    this.#found.set(name, { what, at: this.#clock.nowMilliseconds() });
  }

  /** What is older is forgotten. */
  all(): readonly What[] {
    const since = this.#clock.nowMilliseconds() - this.#keptMilliseconds;
    for (const [name, { at }] of this.#found) if (at < since) this.#found.delete(name);
    return Array.from(this.#found.values(), ({ what }) => what);
  }
}
