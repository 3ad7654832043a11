// The closed words of columns are what the database takes there: no word less, and none that it refuses.

import { expect, test } from "vitest";
import * as words from "../../service/database/words.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

const columns: readonly (readonly [string, readonly string[]])[] = [
  ["payments.status", words.paymentStatuses],
  ["payout_schedules.mode", words.payoutModes],
  ["payout_schedules.status", words.payoutScheduleStatuses],
  ["subscriptions.status", words.subscriptionStatuses],
  ["subscriptions.missed_periods", words.missedPeriodRules],
  ["withdraw_addresses.destination_type", words.destinationTypes],
  ["withdrawals.status", words.withdrawalStatuses],
  ["ledger_accounts.kind", words.accountKinds],
  ["deployments.chain_family", words.chainFamilies],
  ["deployments.asset_kind", words.assetKinds],
  ["deployments.token_standard", words.tokenStandards],
];

test.each(engines)("on %s, they are those of the checks of the columns", async (engine) => {
  const database = await openDatabase(engine);
  const checks = await query(database)<{ place: string; check: string }>`
    select c.conrelid::regclass || '.' || a.attname as place, pg_get_constraintdef(c.oid) as check
    from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c'`;
  const allowed = (place: string): readonly string[] =>
    checks
      .filter((one) => one.place === place && one.check.includes("= ANY (ARRAY["))
      .flatMap(({ check }) => [...check.matchAll(/'([^']+)'::text/g)].map(([, word]) => word ?? ""))
      .toSorted();
  for (const [place, known] of columns) {
    expect([place, known.toSorted()]).toEqual([place, allowed(place)]);
  }
});
