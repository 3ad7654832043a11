// What tests of found money read from the tables, and change in them.

import type { Database } from "../../service/ports/database.ts";
import { query } from "../support/service-parts.ts";

export interface Stored {
  readonly payment_id: string | null;
  readonly status: string;
  readonly source: string;
  readonly amount_raw: string;
}

export function queryOf(database: () => Database) {
  return {
    run: (text: TemplateStringsArray, ...values: readonly unknown[]) =>
      query(database())(text, ...values),
    deposits: () =>
      query(database())<Stored>`select payment_id, status, source, amount_raw::text from deposits
        order by block_number, log_index`,
  };
}
