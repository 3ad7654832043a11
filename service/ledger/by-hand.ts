// What an operator books by hand: with its entry in the audit log.

import { amountOf, isDecimalAmount, rawAmountOf } from "../amounts.ts";
import { auditValues } from "../audit/audit.ts";
import type { AuditDraft } from "../audit/audit.ts";
import { ServiceError } from "../errors.ts";
import { OperatorError } from "../operator-error.ts";
import type { Environment } from "../owner.ts";
import type { AccountKind } from "../database/words.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import { findFundedDeployment, postAudited } from "./balances.sql.ts";
import { ledgerValues } from "./ledger.ts";
import type { Posting } from "./model.ts";

/** Of an account, or of a change to one: then a debit is above zero. */
export interface Balance {
  readonly deploymentId: string;
  readonly account: AccountKind;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly raw: bigint;
  /** decimal text */
  readonly amount: string;
}

export interface HandBooking extends Pick<
  AuditDraft,
  "action" | "subject" | "merchantId" | "environment"
> {
  readonly kind: string;
  readonly reference: string;
  readonly postings: readonly Posting[];
  /** for the audit log, beside the id of the transaction of the ledger */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface HandBooked {
  readonly transactionId: string;
  readonly postings: readonly Balance[];
}

/** In the transaction in which it was decided; `ports.database` is inside of it. */
export async function bookByHand(
  ports: RecordingPorts,
  { kind, reference, postings, details, ...audit }: HandBooking,
): Promise<HandBooked> {
  const shown = await shownPostings(ports, postings);
  const occurredAt = ports.clock.now();
  const values = ledgerValues(ports, { kind, reference, occurredAt, postings });
  const { ledgerTransactionId } = values;
  const draft: AuditDraft = {
    ...audit,
    occurredAt,
    actor: "operator",
    details: { ...details, ledger_transaction_id: ledgerTransactionId },
  };
  await ports.database.run(postAudited, { ...values, ...auditValues(draft) });
  return { transactionId: ledgerTransactionId, postings: shown };
}

/** As a person reads them. */
export async function shownPostings(
  { database }: Pick<RecordingPorts, "database">,
  postings: readonly Posting[],
): Promise<readonly Balance[]> {
  const decimals = new Map<string, number>();
  for (const id of new Set(postings.map(({ deploymentId }) => deploymentId))) {
    decimals.set(id, (await deploymentOf(database, id)).decimals);
  }
  return postings.map(({ account, deploymentId, owner, amountRaw }) => ({
    account,
    deploymentId,
    merchantId: owner?.merchantId ?? null,
    environment: owner?.environment ?? null,
    raw: amountRaw,
    amount: amountOf(amountRaw, decimals.get(deploymentId) ?? 0),
  }));
}

/** Throws `OperatorError` where there is none. */
export async function deploymentOf(
  database: RecordingPorts["database"],
  deploymentId: string,
): Promise<NonNullable<(typeof findFundedDeployment)["row"]>> {
  const [deployment] = await database.run(findFundedDeployment, { deploymentId });
  if (deployment === undefined) throw new OperatorError(`There is no deployment ${deploymentId}.`);
  return deployment;
}

/** What an operator has written, above zero. Throws `OperatorError`. */
export function handAmountRaw(amount: string, decimals: number): bigint {
  if (!isDecimalAmount(amount)) throw new OperatorError("An amount is written like 1250 or 0.5.");
  try {
    return rawAmountOf(amount, decimals, "/amount");
  } catch (error) {
    if (error instanceof ServiceError) throw new OperatorError(error.message);
    throw error;
  }
}

const referenceCharactersMax = 128;
const hash = /^0x[0-9a-f]{64}(?:\/\d{1,9})?$/i;

/**
 * What says that it has happened, such as the hash of a transaction: in one spelling, so that it counts
 * once. Throws `OperatorError`.
 */
export function referenceOf(reference: string): string {
  const plain = reference.trim();
  if (hash.test(plain)) return plain.toLowerCase();
  if (plain !== "" && plain.length <= referenceCharactersMax && !plain.includes("\0")) return plain;
  throw new OperatorError(`A reference has 1 to ${referenceCharactersMax} characters.`);
}

const evidenceCharactersMax = 500;

/** What an operator names as its reason, for whoever asks later. Throws `OperatorError`. */
export function evidenceOf(evidence: string): string {
  const plain = evidence.trim();
  const length = Array.from(plain).length;
  if (length > 0 && length <= evidenceCharactersMax && !plain.includes("\0")) return plain;
  throw new OperatorError(`Evidence has 1 to ${evidenceCharactersMax} characters.`);
}

/** As a reference, where nothing else than a transaction of a chain is evidence. */
export function hashOf(reference: string): string {
  const plain = referenceOf(reference);
  if (hash.test(plain)) return plain;
  throw new OperatorError(
    "The reference is the hash of the transaction (0x and 64 digits); /NUMBER behind it names one of " +
      "its transfers where it makes several.",
  );
}
