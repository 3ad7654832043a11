// Every statement of the service keeps to what it was asked about: of a played life, run again beside rows of others,
// it answers the same and leaves them as they are; and asked about another one, it answers otherwise.

import { expect, test } from "vitest";
import { simulate } from "../simulation/simulation.ts";
import { readStatements } from "../tidy/statements.ts";
import { lookAtOthers, lookingAt, readTables } from "./looking.ts";
import { Neighbours } from "./neighbours.ts";
import { useQuietServer } from "./quiet-server.ts";

const openQuiet = useQuietServer();
/** Of any life nothing is reached; which parameters make no difference is a matter of this one. */
const life = { seed: 11, steps: 200 };

/** "statement: table.column", and why a row that differs there may count. */
const reachedRightly: Readonly<Record<string, string>> = {
  "find_x402_authorization_owner: x402_nonces.payment_id":
    "a nonce that was told names its payment for every token",
  "find_x402_authorization_owners: x402_nonces.payment_id":
    "a nonce that was told names its payment for every token",
  "list_address_books: deposits.chain_id": "a deployment is of one chain: nobody is asked twice",
  "list_x402_claims_of_many: deposits.payment_id":
    "asks what of a transaction is another payment's",
  "list_x402_claims_of_many: x402_settlements.payment_id":
    "asks what of a transaction is another settlement's",
};

/** "statement: parameter", and why another value may change nothing. */
const idleRightly: Readonly<Record<string, string>> = {
  "claim_due_deliveries: token": "where the walk begins: all that is due is found from anywhere",
  "change_x402_settlement: fromTxHash": "compared only where it is settled already",
  "change_x402_settlement: txHash": "written down",
  "end_outgoing: seenTxHash": "written down",
  "end_outgoing: txHash": "written down",
  "find_x402_authorization_owner: deploymentId":
    "its nonce was told for a payment, and that one has it",
  "find_x402_authorization_owner: chainId": "its nonce was told for a payment, and that one has it",
  "find_x402_authorization_owner: payer": "its nonce was told for a payment, and that one has it",
  "find_x402_authorization_owner: paymentId":
    "its nonce was told for a payment, and that one has it",
  "find_x402_nonces: payer": "these were told to somebody who gave no name",
  "list_address_books: chainId": "a deployment is of one chain",
  "list_candidate_x402_nonces: payer": "these were told to somebody who gave no name",
  "list_ledger_owing_deployments: after": "the first page: it is before all of them",
  "mark_x402_settlement_submitted: txHash": "written down",
  "move_chain_cursor: hash": "written down",
  "note_sender_account: chainId": "an account of ours is ours on every chain",
  "read_books: chainId": "a deployment is of one chain",
  "read_deposit_credit: chainId":
    "found by its reference: by its place are only those that went out",
  "read_deposit_credit: txHash":
    "found by its reference: by its place are only those that went out",
  "read_payout_facts: deploymentId": "asked with what does not belong together: nothing is found",
  "read_payout_facts: merchantId": "asked with what does not belong together: nothing is found",
  "read_payout_facts: withdrawAddressId":
    "asked with what does not belong together: nothing is found",
  "read_payment_terms: merchantOrderNo": "whether it is taken, and neither is",
  "read_swept_place: address": "asked with what does not belong together: nothing is found",
  "read_swept_place: deploymentId": "asked with what does not belong together: nothing is found",
  "stop_for_foreign_use: reason": "written down",
  "sum_merchant_settlement_gas: settlementId":
    "another one of the same merchant stands for it as well",
  "store_signed_outgoing: txHash": "written down",
  "take_sender_lease: chainId": "the lease of another chain is as free",
  "take_sender_lease: leaseToken": "written down",
};

test("no statement reaches what differs from its own in one thing, and each parameter counts", async () => {
  const database = await openQuiet();
  const tables = await readTables(database);
  const neighbours = new Neighbours(tables);
  await simulate(lookingAt(database, neighbours), life);
  await lookAtOthers(neighbours, { database, tables, statements: await readStatements() });
  const { reached, idle, lookedAt, tried } = neighbours;
  process.stderr.write(`${lookedAt.size} statements beside ${tried.size} kinds of neighbours\n`);
  expect(without(reached, reachedRightly)).toEqual([]);
  expect(without(idle, idleRightly)).toEqual([]);
  expect(lookedAt.size).toBeGreaterThan(280);
  expect(tried.size).toBeGreaterThan(550);
});

function without(
  found: ReadonlyMap<string, string>,
  rightly: Readonly<Record<string, string>>,
): readonly string[] {
  return [...found].flatMap(([key, shown]) => (key in rightly ? [] : [`${key} ${shown}`]));
}
