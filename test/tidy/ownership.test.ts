import { describe, expect, test } from "vitest";
import { ownershipProblems, readOwnedTables } from "./ownership-rules.ts";
import { readSourceFiles } from "./source-files.ts";
import { readStatements } from "./statements.ts";

const owned = readOwnedTables(readSourceFiles("adapters/database/migrations/*.sql"));

/** Files whose statements no request of a merchant runs, or that find out whose request it is. */
const systemFiles: Readonly<Record<string, string>> = {
  "service/merchants/api-keys.sql.ts": "the operator's commands, and finding the merchant of a key",
  "service/audit/audit.sql.ts": "the log is the operator's",
  "service/chains/watcher.sql.ts": "a chain is read for all merchants at once",
  "service/chains/recording.sql.ts": "a chain is read for all merchants at once",
  "service/chains/arrivals.sql.ts": "what the chain says of everybody's authorizations",
  "service/chains/rescan.sql.ts": "a chain is read for all merchants at once",
  "service/sweeps/settings.sql.ts": "the operator's commands",
  "service/monitoring/monitoring.sql.ts": "counts for the operator, of all merchants together",
  "service/checkout/checkout.sql.ts":
    "of the payment whose secret link was asked for: customers have no key",
  "service/webhooks/outcomes.sql.ts": "by the holder of a claim: see the claims of the dispatcher",
  "service/webhooks/dispatcher.sql.ts":
    "the dispatcher sends for all merchants; joined by whole keys",
  "service/webhooks/retention.sql.ts": "what time does to everybody's deliveries",
  "service/ledger/balances.sql.ts": "the operator's commands",
  "service/ledger/borne-debts.sql.ts": "what chains bring again of what the platform has borne",
  "service/ledger/account-check.sql.ts": "what is ours, for all merchants together",
  "service/ledger/address-rounds.sql.ts": "what is ours, for all merchants together",
  "service/ledger/reserve.sql.ts": "what is owed to all merchants together",
  "service/ledger/verifier.sql.ts": "adds up the whole ledger",
  "service/addresses/own-addresses.sql.ts": "a chain is read for all merchants at once",
  "service/payments/facts.sql.ts": "what chains and time do to everybody's payments",
  "service/payments/booking.sql.ts": "what chains and time do to everybody's payments",
  "service/payments/progress.sql.ts": "what chains and time do to everybody's payments",
  "service/payments/troubles.sql.ts": "what chains and time do to everybody's payments",
  "service/chains/unmatched.sql.ts": "what is nobody's so far has no owner to compare",
  "service/x402/arrivals.sql.ts": "what is nobody's so far has no owner to compare",
  "service/suspense/accepting.sql.ts": "the operator's commands",
  "service/suspense/debts.sql.ts": "the operator's commands",
  "service/suspense/exits.sql.ts": "the operator's commands, and what the queue made of them",
  "service/suspense/forgotten.sql.ts": "the operator's commands",
  "service/suspense/items.sql.ts": "the operator's commands",
  "service/suspense/refunds.sql.ts": "the queue sends everybody's refunds",
  "service/sending/sender.sql.ts": "one queue sends for all merchants",
  "service/x402/nonces.sql.ts": "finds out whose money it is",
  "service/payouts/runner.sql.ts": "runs what is due, of all merchants",
  "service/sweeps/sweeps.sql.ts": "what arrived for everybody is brought together",
  "service/sweeps/forgotten.sql.ts": "the operator's commands",
  "service/secrets/resealing.sql.ts": "the operator changes the encryption key of everything",
  "service/withdrawals/forgotten.sql.ts": "the operator's commands",
  "service/withdrawals/policy.sql.ts": "the operator's commands",
  "service/withdrawals/sending.sql.ts": "the queue sends everybody's withdrawals",
  "service/payments/charging.sql.ts": "divides up what everybody's authorizations brought",
  "service/x402/reconciler.sql.ts": "what the chain says of everybody's authorizations",
};

/** The same for single statements. */
const systemStatements: Readonly<Record<string, string>> = {
  find_newest_deposit_address: "whose key the addresses are of, not whose payments",
  note_sender_account: "whether an account is ours, whosever payment it is of",
  find_deposit_address: "of a payment that its caller has found under its owner",
  insert_deposit_address: "of a payment that its caller has found under its owner",
  count_sweepable: "the operator's commands",
  sum_merchant_settlement_gas: "what a merchant costs the platform, with its test keys too",
  forget_sealed_answers: "what time does to everybody's answers",
  sweep_idempotency_keys: "what time does to everybody's answers",
  read_oldest_sealed_answer: "how old the oldest row is, whosever it is",
  read_oldest_idempotency_key: "how old the oldest row is, whosever it is",
  register_withdraw_address: "nobody's money goes to an address that is ours, for whomever it is",
  list_withdraw_addresses_to_announce: "tells everybody what has become active",
  announce_withdraw_address: "tells everybody what has become active",
  list_subscriptions: "the operator's commands, of one merchant in both environments",
  read_payment_needs: "whether there is anything at all, whosever it is",
  list_subscriptions_to_bill: "bills what is due, of all merchants",
  list_subscription_bills: "of a subscription that the biller has found",
  lock_subscription: "bills what is due, of all merchants",
  find_withdraw_address_by_id: "the operator's commands",
  disable_withdraw_address: "the operator's commands",
  find_resent_webhook_endpoint: "the operator's commands",
};

/**
 * They name their owner, and ask beside that whether an address is one of ours: it is, whosever payment
 * it was given for.
 */
const askingWhatIsOurs: ReadonlySet<string> = new Set(
  [
    "find_open_payout_schedule",
    "find_payout_schedule",
    "list_payout_schedules",
    "read_payout_facts",
    "read_withdrawal_facts",
    "read_withdrawals_facts",
  ]
    .map((name) => `${name}: deposit_addresses without merchant_id`)
    // An authorization is one payment's, whosever that is.
    .concat("insert_x402_settlement: x402_nonces without merchant_id"),
);

async function readProblems(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await readStatements();
  return new Map(found.map((one) => [`${one.path} ${one.name}`, ownershipProblems(one, owned)]));
}

describe("statements about what merchants own (threat 50)", () => {
  test("name the owner, but for those of the system", async () => {
    const problems = await readProblems();
    expect(problems.size).toBeGreaterThan(50);
    const excused = new Set<string>();
    const open = Array.from(problems).flatMap(([where, found]) => {
      const [file = "", name = ""] = where.split(" ");
      const excuses = [file, name].filter((one) => one in { ...systemFiles, ...systemStatements });
      if (found.length === 0) return [];
      for (const one of [...excuses, ...found]) excused.add(one);
      return excuses.length === 0 ? found.filter((one) => !askingWhatIsOurs.has(one)) : [];
    });
    expect(open).toEqual([]);
    // an excuse that nobody needs would be there for the next one
    const listed = [...Object.keys({ ...systemFiles, ...systemStatements }), ...askingWhatIsOurs];
    expect(listed.filter((one) => !excused.has(one))).toEqual([]);
  });

  test("are about the tables that have an owner, and about what belongs to them", () => {
    const names = ["api_keys", "webhook_endpoints", "webhook_deliveries", "events", "deposits"];
    expect(names.filter((name) => !owned.has(name))).toEqual([]);
    expect(["merchants", "currencies", "nonces"].filter((name) => owned.has(name))).toEqual([]);
  });
});

const endpoints = '"webhook_endpoints"';
const owner = '"merchant_id" = $1 and "environment" = $2';

test.each([
  [
    "a read without owner",
    `select 1 from ${endpoints} where "id" = $1`,
    "merchant_id, environment",
  ],
  [
    "a read of both environments",
    `select 1 from ${endpoints} where merchant_id = $1`,
    "environment",
  ],
  ["a change", `update ${endpoints} set "active" = $1`, "merchant_id, environment"],
  [
    "a deletion",
    `delete from ${endpoints} as e using x where e.id = x.id`,
    "merchant_id, environment",
  ],
  [
    "an owner compared elsewhere only",
    `with a as (select 1 from ${endpoints} where ${owner}) delete from ${endpoints}`,
    "merchant_id, environment",
  ],
  [
    "a row of one's own that replaces any other",
    `insert into ${endpoints} values ($1) on conflict ("id") do update set "url" = $2`,
    "merchant_id, environment",
  ],
])("%s is seen", (_name, text, columns) => {
  const problem = `x: webhook_endpoints without ${columns}`;
  expect(ownershipProblems({ name: "x", text }, owned)).toEqual([problem]);
});

test.each([
  ["both compared", `select 1 from ${endpoints} where ${owner}`],
  [
    "an alias",
    `select 1 from a, webhook_endpoints e where e.merchant_id = $1 and e.environment = $2`,
  ],
  ["another table", `select "webhook_endpoints"."id" from "currencies"`],
  [
    "locked under its owner before it is changed",
    `with a as (select 1 from ${endpoints} where ${owner} for no key update)
      update ${endpoints} set "active" = $3 where "id" = $4`,
  ],
])("%s is fine", (_name, text) => {
  expect(ownershipProblems({ name: "x", text }, owned)).toEqual([]);
});
