// Lives in which of every write somebody hears that the database was not available: once, and some times more, though it
// was done, and some times because it was not. Merchants, jobs and operators ask again, and money, events and states add up.

import { expect, test } from "vitest";
import { Cuts, oftenCut } from "../support/cuts.ts";
import { openDatabase } from "../support/engines.ts";
import { tablesWritten } from "../tidy/table-rules.ts";
import { readStatements } from "../tidy/statements.ts";
import { simulate } from "./simulation.ts";

/**
 * One life after the other, until everything was met. The first four have all of it together; a change of what runs makes
 * others of them, and then it takes some more.
 */
const seeds = [10, 53, 56, 61, 2, 7, 20, 5, 32, 43, 52, 15];
const steps = 700;

/** Where money is, where it is on its way, and what says whose it is. */
const moneyTables: ReadonlySet<string> = new Set([
  "debts_borne",
  "deposits",
  "ledger_postings",
  "ledger_transactions",
  "outgoing_attempts",
  "outgoing_transactions",
  "payments",
  "payout_runs",
  "sender_nonces",
  "subscription_bills",
  "suspense_exits",
  "sweeps",
  "withdrawal_days",
  "withdrawals",
  "x402_nonces",
  "x402_settlements",
]);

/** What writes there and has nothing to do in these lives, with the reason. */
const unmet: Readonly<Record<string, string>> = {
  ...of("payments by usage: test/x402/unknown-commits", [
    "charge_x402_settlement",
    "close_x402_settlement",
    "release_x402_settlement",
    "use_x402_settlement",
  ]),
  ...of("what was not used goes back by an operator's decision, or has gone with its deposit", [
    "mark_x402_released",
    "withdraw_x402_refund",
  ]),
  ...of("debts of a merchant who left before a deep reorganisation: once for each transaction", [
    "add_paid_back",
    "mark_debt_told",
    "record_borne_debt",
  ]),
  ...of("money back that a deep reorganisation took: claimed by the state of its row", [
    "mark_gone_told",
    "revive_outgoing",
    "take_back_unmatched",
  ]),
  ...of(
    "an operator reads a chain again: twice is once (test/chains/rescan), and no commit is cut there",
    ["move_deposits", "orphan_chosen_deposits"],
  ),
  ...of("an operator's decision about one thing: test/withdrawals/unknown-decisions", [
    "approve_withdrawal",
    "decide_withdrawal",
    "reject_withdrawal",
  ]),
  ...of("an operator's word about what was sent: once for a hash (test/withdrawals/forgotten)", [
    "add_forgotten_attempt",
    "broadcast_forgotten_withdrawal",
    "claim_forgotten_withdrawal",
    "forget_exit_decision",
    "plan_forgotten_sweep",
    "replace_forgotten_transaction",
    "store_forgotten_outgoing",
  ]),
  ...of("the same of money in suspense and of lost nonces, decided by the state of its row", [
    "decide_exit",
    "decide_outgoing",
  ]),
  ...of("no token of these lives takes a part of what is sent", ["record_measured_move"]),
  ...of("nor is one silent on a chain that answers: it only waits (test/sending/unanswered)", [
    "defer_beside_unanswered",
  ]),
  ...of("fees are raised seldom here: test/withdrawals/unknown-decisions", [
    "replace_withdrawal_transaction",
  ]),
  ...of("no gas of these lives costs more than is allowed", ["reject_costly_withdrawal"]),
};

function of(reason: string, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

const statements = await readStatements();
const moving = statements
  // The batch form of a statement is that statement.
  .filter(({ exported, text }) => {
    const tables = tablesWritten(text);
    return exported !== undefined && tables.some((table) => moneyTables.has(table));
  })
  .map(({ name }) => name);
/** Of what these lives have little of, one of the two is enough. */
const cutOnce: ReadonlySet<string> = new Set([
  "book_unmatched",
  "cancel_payment_without_request",
  "change_payment_shares",
  "fail_exit",
  "fail_sweep",
  "finish_exit",
  "mark_deposit_parts",
  "mark_x402_settlements_checked",
  "move_sweep",
  "request_payout_withdrawal",
  "store_x402_nonces",
]);

test("whatever nobody hears of, all adds up; and of everything that moves money it was not heard", async () => {
  const found = new Map<string, Set<string>>();
  const missing = () =>
    moving.filter((name) => {
      if (unmet[name] !== undefined) return false;
      return (found.get(name)?.size ?? 0) < (cutOnce.has(name) ? 1 : 2);
    });
  for (const seed of seeds) {
    if (missing().length === 0) break;
    const cuts = new Cuts(oftenCut);
    await simulate(await openDatabase("PostgreSQL"), { seed, steps, cuts });
    for (const [name, kinds] of cuts.cut) {
      found.set(name, new Set([...(found.get(name) ?? []), ...kinds]));
    }
  }
  expect(missing()).toEqual([]);
});

test("what is said to be unmet moves money", () => {
  expect(Object.keys(unmet).filter((name) => !moving.includes(name))).toEqual([]);
  expect([...cutOnce].filter((name) => !moving.includes(name))).toEqual([]);
});
