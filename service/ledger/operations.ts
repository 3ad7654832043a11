// What an operator does with the ledger: look, put money in, and end a freeze. Nothing here moves
// what belongs to a merchant.

import { amountOf, isDecimalAmount, rawAmountOf } from "../amounts.ts";
import { auditValues } from "../audit/audit.ts";
import { ServiceError } from "../errors.ts";
import { ledgerValues } from "./ledger.ts";
import { verifyLedger } from "./verifier.ts";
import type { LedgerVerdict } from "./verifier.ts";
import { OperatorError } from "../operator-error.ts";
import type { Environment } from "../owner.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { AccountKind } from "../database/words.ts";
import {
  findFundedDeployment,
  readMerchantBalances,
  postAudited,
  readTotalBalances,
} from "./balances.sql.ts";
import { listFreezes, unfreezeDeployment } from "./reserve.sql.ts";
import type { RecordingPorts } from "../ports/recording.ts";

const referenceCharactersMax = 128;

export interface Balance {
  readonly deploymentId: string;
  readonly account: AccountKind;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly raw: bigint;
  /** decimal text */
  readonly amount: string;
}

export interface Freeze {
  readonly deploymentId: string;
  readonly reason: string;
  readonly since: Date;
}

/** Where an operator may put coins in. */
export type FundedAccount = "hot" | "settlement" | "treasury";

export interface Funding {
  /** hot when left out */
  readonly account?: FundedAccount | undefined;
  readonly deploymentId: string;
  /** decimal text */
  readonly amount: string;
  /** such as the hash of the transfer: with it, the same command twice counts once */
  readonly reference: string | undefined;
}

/** Throws `OperatorError` for what cannot be done. */
export class LedgerOperations {
  readonly #ports: RecordingPorts;

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
  }

  verify(): Promise<LedgerVerdict> {
    return verifyLedger(this.#ports);
  }

  /** Of one merchant; null: the platform's, and those of all merchants added up. */
  async balances(merchantId: string | null): Promise<readonly Balance[]> {
    const { database } = this.#ports;
    const rows = await (merchantId === null
      ? database.run(readTotalBalances, {})
      : database.run(readMerchantBalances, { merchantId }));
    return rows.map((row) => {
      const raw = BigInt(row.balance);
      const { deployment_id: deploymentId, kind: account, merchant_id: merchantId } = row;
      const amount = amountOf(raw, row.decimals);
      return { deploymentId, account, merchantId, environment: row.environment, raw, amount };
    });
  }

  /** The operator has sent coins to an account of ours. Gives the id of the transaction of the ledger. */
  async fund(funding: Funding): Promise<string> {
    const { database, clock, identifiers } = this.#ports;
    const { deploymentId, amount } = funding;
    const [deployment] = await database.run(findFundedDeployment, { deploymentId });
    if (deployment === undefined)
      throw new OperatorError(`There is no deployment ${deploymentId}.`);
    const amountRaw = rawOf(amount, deployment.decimals);
    const occurredAt = clock.now();
    const reference = referenceOf(funding) ?? identifiers.next("ltx");
    const change = { deploymentId, owner: null };
    const values = ledgerValues(this.#ports, {
      kind: "funding",
      reference: `${deploymentId}/${reference}`,
      occurredAt,
      postings: [
        { ...change, account: `chain:${funding.account ?? "hot"}`, amountRaw },
        { ...change, account: "platform:capital", amountRaw: -amountRaw },
      ],
    });
    const audit = auditValues({
      occurredAt,
      actor: "operator",
      action: "ledger.funded",
      subject: { type: "deployment", id: deploymentId },
      details: {
        account: funding.account ?? "hot",
        amount_raw: amountRaw.toString(),
        ledger_transaction_id: values.ledgerTransactionId,
        reference,
      },
    });
    try {
      await database.run(postAudited, { ...values, ...audit });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (error.constraint !== "ledger_transactions_once") throw error;
      throw new OperatorError(`${reference} is booked for ${deploymentId} already.`);
    }
    return values.ledgerTransactionId;
  }

  async freezes(): Promise<readonly Freeze[]> {
    const rows = await this.#ports.database.run(listFreezes, {});
    return rows.map(({ deployment_id: deploymentId, reason, since }) => ({
      deploymentId,
      reason,
      since,
    }));
  }

  /** Gives what was ended. Where the gap is still there, the next check freezes again. */
  async unfreeze(deploymentId: string): Promise<Freeze> {
    const { database, clock } = this.#ports;
    const freeze = (await this.freezes()).find((one) => one.deploymentId === deploymentId);
    if (freeze === undefined) throw new OperatorError(`${deploymentId} is not frozen.`);
    const { reason, since } = freeze;
    const audit = auditValues({
      occurredAt: clock.now(),
      actor: "operator",
      action: "deployment.unfrozen",
      subject: { type: "deployment", id: deploymentId },
      details: { reason, since: since.toISOString() },
    });
    const lifted = await database.run(unfreezeDeployment, { deploymentId, since, ...audit });
    if (lifted.length === 0)
      throw new OperatorError(`${deploymentId} was changed by somebody else.`);
    return freeze;
  }
}

function rawOf(amount: string, decimals: number): bigint {
  if (!isDecimalAmount(amount)) throw new OperatorError("An amount is written like 1250 or 0.5.");
  try {
    return rawAmountOf(amount, decimals, "/amount");
  } catch (error) {
    if (error instanceof ServiceError) throw new OperatorError(error.message);
    throw error;
  }
}

function referenceOf({ reference }: Funding): string | undefined {
  if (reference === undefined) return undefined;
  const plain = reference.trim();
  if (plain !== "" && plain.length <= referenceCharactersMax && !plain.includes("\0")) return plain;
  throw new OperatorError(`A reference has 1 to ${referenceCharactersMax} characters.`);
}
