// No statement looks at more when there is ten times of the past that test/growth/history.ts makes: payments, what they
// got and sent, deliveries, postings. Counted are pages, which do not depend on who else is at work;
// `npm run bench:growth` does the same with more. What grows with other things is not seen here.

import { beforeAll, expect, test } from "vitest";
import { useQuietServer } from "../database/quiet-server.ts";
import { type GrownLife, playGrown } from "./grown-life.ts";

const openQuiet = useQuietServer();
const seed = 12;
/** A tree gets a level, and rows of one thing lie on other pages: no statement goes near this for it. */
const pagesMore = 100;

/** What grows, with the reason; nothing else may, and each of these does. */
const growing: Readonly<Record<string, string>> = {
  read_deposits_from_block:
    "answers with every deposit from a block on: an operator reads a chain again",
};

/**
 * What none of these lives has anything for, neither while it is played nor in its tables, or what cannot be asked
 * with values that were guessed.
 */
const unseen = [
  "add_paid_back",
  "cancel_payment",
  "cancel_subscription",
  "count_deployment_floats",
  "end_payment_trouble",
  "extend_job_leases",
  "find_deployment_float",
  "find_other_signer",
  "forget_waiting",
  "fulfil_sweep_order",
  "list_due_payment_troubles",
  "list_freezes",
  "list_payment_troubles",
  "list_signer_identities",
  "list_untold_debts",
  "list_waiting_transfers",
  "mark_debt_told",
  "mark_late_transfer_told",
  "mark_little_transfer_told",
  "mark_waiting_asked",
  "note_payment_troubles",
  "pause_payout_schedule",
  "ping",
  "read_acceptance",
  "read_database_time",
  "read_measured_transfers",
  "read_oldest_nonce",
  "read_signer_journal",
  "record_borne_debt",
  "record_measured_transfers",
  "release_job_lease",
  "replace_webhook_endpoint",
  "rotate_webhook_endpoint_secret",
  "store_refused_signer",
  "store_signer_journal",
  "sweep_nonces",
  "take_job_lease",
];

let short: GrownLife;
let long: GrownLife;

beforeAll(async () => {
  short = await playGrown(await openQuiet(), { seed, payments: 10_000 });
  long = await playGrown(await openQuiet(), { seed, payments: 100_000 });
});

test("the past of the one is ten times the past of the other", () => {
  expect(short.history.payments).toBeGreaterThanOrEqual(10_000);
  expect(long.history.payments).toBeGreaterThanOrEqual(100_000);
  expect(long.history.rows / short.history.rows).toBeGreaterThan(9);
});

test("no statement looks at more", () => {
  const found = long.statements.flatMap(({ name }) => {
    const [before, after] = [short.costOf(name), long.costOf(name)];
    if (before === undefined || after === undefined) return [];
    const isMore = after.total > 2 * before.total && after.total > before.total + pagesMore;
    const most = [...after.pages].toSorted(([, one], [, other]) => other - one).slice(0, 3);
    return isMore ? [{ name, pages: `${before.total} -> ${after.total}`, most }] : [];
  });
  expect(found.filter(({ name }) => !(name in growing))).toStrictEqual([]);
  expect(found.map(({ name }) => name).toSorted()).toStrictEqual(Object.keys(growing).toSorted());
});

test("each statement is looked at, but those that lives have nothing for", () => {
  const missing = long.statements
    .map(({ name }) => name)
    .filter((name) => short.costOf(name) === undefined || long.costOf(name) === undefined);
  expect(missing.toSorted()).toStrictEqual(unseen.toSorted());
});
