// Whether a payout schedule was made by a key that could be used from some addresses only.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { isBound } from "../withdrawals/bound-keys.sql.ts";

/**
 * Of the schedule `s`. What it remembers was right by the rule of its day; a key whose range was one of
 * nearly every address counted as bound then. Where nobody knows which key it was, each counts that could
 * have been.
 */
export const isMadeByBound: RawBuilder<boolean> = sql<boolean>`(
  s.is_key_bound and not exists (
    select from api_keys maker
    where maker.merchant_id = s.merchant_id and maker.environment = s.environment
      and case when s.api_key_id is not null then maker.id = s.api_key_id
        else 'payouts:write' = any (maker.scopes) and maker.created_at <= s.created_at end
      and not ${isBound("maker")}))`;
