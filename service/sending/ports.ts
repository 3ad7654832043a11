// What the sender works with: chains and keys, and what the purposes of transactions have to say to
// each step of the queue.

import type { Hindrance } from "./gas-units.ts";
import type { OutgoingPurpose } from "../database/words.ts";
import type { Chain } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type { SettlementChain } from "../ports/settlement-chain.ts";
import type { ActionSigner } from "../ports/signer.ts";
import type { LeasePorts } from "./lease.ts";
import type { SendingObserver } from "../ports/sending-observer.ts";

/** A chain with what signs for our accounts there. */
export interface OutgoingChain {
  readonly chain: Chain & {
    /** where the chain can be asked before something is sent; see SettlementChain */
    readonly estimate?: SettlementChain["estimate"];
  };
  readonly signer: ActionSigner;
}

export interface EstimatingChain extends OutgoingChain {
  readonly chain: SettlementChain;
}

/** Where a test lets the process die. Each is named after what was just done. */
export type SenderPoint =
  "leased" | "claimed" | "given_up" | "signed" | "stored" | "replaced" | "sent";

/** For people: something only they can repair. */
export type SenderAlarm =
  | "account_cannot_pay"
  | "account_turn_failed"
  | "account_used_by_others"
  | "action_unreadable"
  | "fees_raised_too_often"
  | "final_transaction_lost"
  | "gas_budget_used_up"
  | "merchant_gas_used_up"
  | "node_refuses_transaction"
  | "signer_refuses"
  | "transaction_would_fail"
  | "withdrawal_given_up";

/** Why a transaction is not sent now; the text is for the log, without control characters. */
export interface Impossible extends Hindrance {
  readonly id: string;
  readonly purpose: OutgoingPurpose;
  readonly subjectId: string;
}

/** Something was signed for it, and is about to be stored. */
export interface SignedSubject {
  readonly subjectId: string;
  readonly txHash: string;
  /** false: it replaces another one of the same nonce */
  readonly isFirst: boolean;
  /** it was given up: what was signed moves nothing */
  readonly sendsNothing: boolean;
}

/**
 * The steps that a purpose takes together with the queue. Those with a database run in the
 * transaction of the step, which may be run again: no effect outside of the database.
 */
export interface PurposeSteps {
  /**
   * Before each round of a chain: what waits elsewhere is put into the queue. Gives the accounts that
   * get a turn in each round, whatever is in the queue.
   */
  readonly gather: (sending: OutgoingChain) => Promise<readonly string[]>;
  /** With the reservation of its nonce. False: it may not be sent now, and nothing is reserved. */
  readonly onClaimed: (database: Database, subjectId: string) => Promise<boolean>;
  /** It has no nonce any more: nothing was signed, or it can never be mined. */
  readonly onFreed: (database: Database, subjectId: string) => Promise<void>;
  /** With what was signed. False: it may not be sent any more, and the bytes are forgotten. */
  readonly onSigned: (database: Database, signed: SignedSubject) => Promise<boolean>;
  /** It has its nonce. False: it may not be sent any more, and the nonce is used for nothing. */
  readonly isWanted: (subjectId: string) => Promise<boolean>;
  /**
   * Nobody says anything about these, and not since nodes are away: what waits beside them of whoever has asked for
   * them, whose receivers may keep nodes busy.
   */
  readonly listBeside?: (
    chainId: string,
    subjectIds: readonly string[],
  ) => Promise<readonly string[]>;
  /** It has succeeded on the chain. False: it is booked as failed, and must not be mined again. */
  readonly isKept: (subjectId: string) => Promise<boolean>;
}

export interface TurnPorts extends LeasePorts {
  readonly alarm: (what: SenderAlarm, facts: Readonly<Record<string, unknown>>) => void;
  readonly observer?: SendingObserver | undefined;
  /** only tests have something to do there */
  readonly reached?: (point: SenderPoint) => Promise<void>;
}

export interface OutgoingSenderPorts extends TurnPorts {
  readonly chains: readonly OutgoingChain[];
  /** None for a purpose: it has nothing to say, and what has a nonce waits until it may be sent. */
  readonly steps: Partial<Readonly<Record<OutgoingPurpose, PurposeSteps>>>;
  /**
   * The chain says that it would fail, or the address of a payment has less than it takes. Whoever
   * wanted it takes it back (`withdrawOutgoing`), or it is tried again after a while.
   */
  readonly onImpossible: (found: Impossible) => Promise<void>;
  /**
   * What the settlements of x402 of an account may cost in a day (UTC), in the chain's own coin;
   * null: there is no such limit.
   */
  readonly gasBudgetRaw: (chainId: string) => Promise<bigint | null>;
  /** of that, what those of one merchant may cost */
  readonly merchantGasRaw: (chainId: string) => Promise<bigint | null>;
  /** what a withdrawal may take; undefined: 250,000 units of gas */
  readonly withdrawalGasUnitsMax?: bigint | undefined;
}

class Undone extends Error {}

/** All that is written in `work` counts, or nothing of it if it gives false. */
export async function allOrNothing(
  database: Database,
  work: (inside: Database) => Promise<boolean>,
): Promise<boolean> {
  try {
    await database.transaction(async (inside) => {
      if (!(await work(inside))) throw new Undone();
    });
    return true;
  } catch (error) {
    if (error instanceof Undone) return false;
    throw error;
  }
}

/** What people know a transaction by, in an alarm. */
export function factsOf(row: {
  readonly id: string;
  readonly purpose: OutgoingPurpose;
  readonly subject_id: string;
}): Readonly<Record<string, string>> {
  const { id, purpose, subject_id } = row;
  const known = { outgoing_id: id, purpose, subject_id };
  return purpose === "withdrawal" ? { ...known, withdrawal_id: subject_id } : known;
}
