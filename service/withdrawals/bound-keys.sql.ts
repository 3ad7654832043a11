// Which API keys can be used from some addresses only.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/**
 * Of the API key that the alias names. One of before may have a range of nearly every address, which
 * restricts nothing; none is made with it any more.
 */
export function isBound(alias: string): RawBuilder<boolean> {
  const cidrs = sql.ref(`${alias}.cidrs`);
  return sql<boolean>`(${cidrs} <> '{}' and not exists (
    select from unnest(${cidrs}) range
    where masklen(range::cidr) < case family(range::cidr) when 4 then 8 else 16 end))`;
}
