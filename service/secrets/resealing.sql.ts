// Everything in the database that is sealed, for sealing it again under a newer key. A value is
// replaced only while it is still the one that was read: whatever changed meanwhile is new anyway.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
import type { Statement } from "../ports/database.ts";
import { sealingContexts } from "./sealing.ts";
import { queries, statement } from "../database/statement.ts";

export interface SealedRow {
  readonly first: string;
  readonly second: string;
  readonly sealed: Uint8Array;
}

export interface PageValues {
  readonly afterFirst: string;
  readonly afterSecond: string;
  readonly rowsMax: number;
}

export interface ReplaceValues {
  readonly first: string;
  readonly second: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** One sealed column: its rows in pages by two key columns, and the context of each value. */
export interface SealedColumn {
  readonly name: string;
  readonly page: Statement<PageValues, SealedRow>;
  readonly replace: Statement<ReplaceValues, { readonly done: number }>;
  readonly contextOf: (row: SealedRow) => string;
}

type Place =
  | readonly ["api_keys", "id", "merchant_id", "secret_sealed"]
  | readonly ["webhook_endpoints", "id", "merchant_id", "secret_sealed"]
  | readonly ["webhook_endpoints", "id", "merchant_id", "previous_secret_sealed"]
  // Each environment has keys of its own.
  | readonly ["idempotency_keys", "merchant_id", "key", "body_sealed", Environment];

function sealedColumn(place: Place, contextOf: SealedColumn["contextOf"]): SealedColumn {
  const [table, first, second, column, environment] = place;
  const name = [table, column, environment].filter((word) => word !== undefined).join(".");
  // The names are those of the list above, never anybody's input.
  const at = {
    table: sql.table(table),
    first: sql.ref(first),
    second: sql.ref(second),
    column: sql.ref(column),
    isHere: environment === undefined ? sql`true` : sql`environment = ${sql.lit(environment)}`,
  };
  return {
    name,
    contextOf,
    page: statement<PageValues>(`list_sealed_${name}`)((p) =>
      queries
        .selectFrom(
          sql<SealedRow>`(select ${at.first} as first, ${at.second} as second, ${at.column} as sealed
            from ${at.table}
            where ${at.column} is not null and ${at.isHere}
              and (${at.first}, ${at.second}) > (${p.afterFirst}::text, ${p.afterSecond}::text)
            order by 1, 2 limit ${p.rowsMax})`.as("page"),
        )
        .select(["page.first", "page.second", "page.sealed"]),
    ),
    replace: statement<ReplaceValues>(`replace_${name}`)((p) =>
      queries
        .with("done", (q) =>
          q
            .updateTable(table)
            .set(sql.ref(column), sql`${p.after}::bytea`)
            .where(sql<boolean>`${at.first} = ${p.first} and ${at.second} = ${p.second}`)
            .where(sql<boolean>`${at.column} = ${p.before}::bytea and ${at.isHere}`)
            .returning(sql<number>`1`.as("one")),
        )
        .selectFrom("done")
        .select(sql<number>`count(*)::int`.as("done")),
    ),
  };
}

const sealedPlaces = [
  ["api_keys", "id", "merchant_id", "secret_sealed"],
  ["webhook_endpoints", "id", "merchant_id", "secret_sealed"],
  ["webhook_endpoints", "id", "merchant_id", "previous_secret_sealed"],
  ["idempotency_keys", "merchant_id", "key", "body_sealed", "live"],
  ["idempotency_keys", "merchant_id", "key", "body_sealed", "test"],
] as const satisfies readonly Place[];

const contextByTable: Readonly<Record<Place[0], SealedColumn["contextOf"]>> = {
  api_keys: ({ first, second }) => sealingContexts.apiKey(first, second),
  webhook_endpoints: ({ first }) => sealingContexts.webhookEndpoint(first),
  idempotency_keys: ({ first, second }) => sealingContexts.idempotency(first, second),
};

export const sealedColumns: readonly SealedColumn[] = sealedPlaces.map((place) =>
  sealedColumn(place, contextByTable[place[0]]),
);

/** The ids of the encryption keys that anything is sealed under, in hex. */
export const findSealingKeys = statement<object>("find_sealing_keys")(() =>
  queries
    .selectFrom(
      sql<{ id: string }>`(${sql.join(sealedPlaces.map(keysOf), sql` union `)})`.as("used"),
    )
    .select("used.id"),
);

function keysOf([table, , , column]: Place) {
  return sql`select encode(substring(${sql.ref(column)} from 2 for 4), 'hex') as id
    from ${sql.table(table)} where ${sql.ref(column)} is not null`;
}
