// What is asked of a database that may stand still: an answer that never comes is an error, and not the end of the program.

import { query as ask } from "../bench/measuring.ts";
import type { Patience, Rows } from "../bench/measuring.ts";

const patience: Patience = { connectionTimeoutMillis: 10_000, query_timeout: 60_000 };

/** On a connection of its own. */
export function query(url: string, text: string): Promise<Rows> {
  return ask(url, text, patience);
}
