// The connections of pools, which can all be ended although their server does not hear it.

import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/** For a goodbye. */
const goodbyeMilliseconds = 500;

export class ReplicaConnections {
  readonly #open = new Set<pg.Client>();

  /** For the options of the pool. */
  get Client(): typeof pg.Client {
    const open = this.#open;
    return class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config);
        open.add(this);
        // Between being new and being used nobody else listens.
        this.on("error", () => undefined);
        this.once("end", () => open.delete(this));
      }
    };
  }

  /** Ends the pools, and then whatever a frozen server keeps open. */
  async end(pools: readonly pg.Pool[]): Promise<void> {
    const over = new AbortController();
    const ended = Promise.all(pools.map((pool) => pool.end()));
    const late = wait(goodbyeMilliseconds, undefined, { signal: over.signal });
    await Promise.race([Promise.all([ended, ...this.#ends()]), late]);
    over.abort();
    await late.catch(() => undefined);
    for (const client of this.#open) client.connection.stream.destroy();
    await ended;
  }

  #ends(): readonly Promise<unknown>[] {
    return Array.from(
      this.#open,
      (client) => new Promise((resolve) => client.once("end", resolve)),
    );
  }
}
