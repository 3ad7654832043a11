// The operator's own money: put in, carried from one account of ours to another, taken out. It has
// happened on a chain already, and no payment or withdrawal says so; here it is booked, once for each
// transaction of the chain.
//
// Our choice: an account cannot give more than the books say it has. What brought the rest there has to
// be booked first, so that a wrong amount or account shows at once.

import { OperatorError } from "../operator-error.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { AccountKind } from "../database/words.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import { findOwnBooking, lockOwnAccounts } from "./balances.sql.ts";
import { bookByHand, deploymentOf, handAmountRaw, hashOf, referenceOf } from "./by-hand.ts";
import type { HandBooked, HandBooking } from "./by-hand.ts";

/** Where an operator may put coins in, or take some out. */
export type OwnAccount = "hot" | "settlement" | "treasury";

/** fees: what was earned; capital: what was put in; gas: what a transaction of the operator has cost */
export type TakenFrom = "fees" | "capital" | "gas";

interface OwnMoneyWish {
  readonly deploymentId: string;
  /** decimal text */
  readonly amount: string;
}

export interface Funding extends OwnMoneyWish {
  /** hot when left out */
  readonly account?: OwnAccount | undefined;
  /** such as the hash of the transfer: with it, the same command twice counts once */
  readonly reference?: string | undefined;
}

export interface OwnMove extends OwnMoneyWish {
  readonly from: OwnAccount;
  readonly to: OwnAccount;
  /** hash of the transfer */
  readonly reference: string;
}

export interface OwnTaking extends OwnMoneyWish {
  readonly account: OwnAccount;
  readonly of: TakenFrom;
  /** hash of the transfer */
  readonly reference: string;
}

interface Decided extends Omit<HandBooking, "postings" | "subject"> {
  readonly debited: AccountKind;
  readonly credited: AccountKind;
  /** What these have together is the most that can be booked; none: any amount. */
  readonly limits: readonly (readonly AccountKind[])[];
}

/** Throws `OperatorError` for what cannot be done. */
export class OwnMoney {
  readonly #ports: RecordingPorts;

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
  }

  /**
   * The operator has sent coins to an account of ours. Tokens at the settlement account are booked by
   * whoever watches what payers send there: twice in the books, they would be in reach of `take` while
   * they are still owed.
   */
  async fund(funding: Funding): Promise<HandBooked> {
    const { account = "hot", reference: given } = funding;
    const deployment = await deploymentOf(this.#ports.database, funding.deploymentId);
    if (account === "settlement" && deployment.contract_address !== null) {
      throw new OperatorError(
        "Tokens that come to the settlement account are booked by the watcher, as payer:unmatched. " +
          "Send tokens of yours to the hot account; the settlement account needs the chain's own coin only.",
      );
    }
    const reference =
      given === undefined ? this.#ports.identifiers.next("ltx") : referenceOf(given);
    return await this.#book(funding, {
      kind: "funding",
      action: "ledger.funded",
      reference,
      details: { account },
      debited: `chain:${account}`,
      credited: "platform:capital",
      limits: [],
    });
  }

  /** The operator has carried coins from one account of ours to another. */
  async move(move: OwnMove): Promise<HandBooked> {
    const { from, to } = move;
    if (from === to) throw new OperatorError("Both accounts are the same: nothing has moved.");
    return await this.#book(move, {
      kind: "own_move",
      action: "ledger.moved",
      reference: hashOf(move.reference),
      details: { from, to },
      debited: `chain:${to}`,
      credited: `chain:${from}`,
      limits: [holdersOf(from)],
    });
  }

  /** The operator has sent coins from an account of ours to somewhere else. */
  async take(taking: OwnTaking): Promise<HandBooked> {
    const { account, of } = taking;
    const reference = hashOf(taking.reference);
    const isGas = of === "gas";
    return await this.#book(taking, {
      kind: "own_taking",
      action: "ledger.taken",
      // The coin that a transaction moves, and the coin that it costs, are two things of one hash.
      reference: isGas ? `${reference}/gas` : reference,
      details: { account, of },
      debited: `platform:${of}`,
      credited: isGas && account === "hot" ? "chain:gas" : `chain:${account}`,
      limits: isGas ? [holdersOf(account)] : [[`platform:${of}`], holdersOf(account)],
    });
  }

  async #book(wish: OwnMoneyWish, decided: Decided): Promise<HandBooked> {
    const { deploymentId } = wish;
    const { debited, credited, limits, details, ...booking } = decided;
    const { decimals } = await deploymentOf(this.#ports.database, deploymentId);
    const amountRaw = handAmountRaw(wish.amount, decimals);
    const reference = `${deploymentId}/${booking.reference}`;
    const of = { deploymentId, owner: null };
    try {
      return await this.#ports.database.transaction(async (database) => {
        const [before] = await database.run(findOwnBooking, { reference });
        if (before !== undefined) throw bookedAlready(wish, booking.reference);
        await checkLimits(database, { deploymentId, amountRaw, limits });
        return await bookByHand(
          { ...this.#ports, database },
          {
            ...booking,
            reference,
            subject: { type: "deployment", id: deploymentId },
            details: {
              ...details,
              amount_raw: amountRaw.toString(),
              reference: booking.reference,
            },
            postings: [
              { ...of, account: debited, amountRaw },
              { ...of, account: credited, amountRaw: -amountRaw },
            ],
          },
        );
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      const isOurs = ["ledger_transactions_once", "ledger_transactions_own_once"];
      if (!isOurs.includes(error.constraint)) throw error;
      throw bookedAlready(wish, booking.reference);
    }
  }
}

/** The accounts of the ledger in which the coins of one of ours stand. */
export function holdersOf(account: OwnAccount): readonly AccountKind[] {
  return account === "hot" ? ["chain:hot", "chain:gas"] : [`chain:${account}`];
}

function bookedAlready({ deploymentId }: OwnMoneyWish, reference: string): OperatorError {
  return new OperatorError(`${reference} is booked for ${deploymentId} already.`);
}

async function checkLimits(
  database: Database,
  {
    deploymentId,
    amountRaw,
    limits,
  }: { readonly deploymentId: string; readonly amountRaw: bigint } & Pick<Decided, "limits">,
): Promise<void> {
  const rows = await database.run(lockOwnAccounts, { deploymentId });
  const balances = new Map(rows.map(({ kind, balance }) => [kind, BigInt(balance)]));
  for (const kinds of limits) {
    const hasRaw = kinds.reduce((sum, kind) => sum + (balances.get(kind) ?? 0n), 0n);
    if (amountRaw <= hasRaw) continue;
    throw new OperatorError(
      `By the books ${kinds.join(" and ")} of ${deploymentId} has ${hasRaw} units, and that are ` +
        `${amountRaw}. Look at "ledger balances", and book first what is missing there.`,
    );
  }
}
