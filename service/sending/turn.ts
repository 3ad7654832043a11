// What every sender does with an account of ours before it sends anything new: it looks where the
// chain stands, and hands over again what was signed and is not mined, in the order of the numbers.
// What waits too long gets another transaction of the same number with higher fees; one of all of
// them at most is mined.

import { ServiceError } from "../errors.ts";
import type { Chain, ChainFees, ChainHead, SignedTransfer } from "../ports/chain.ts";
import { raisedFees } from "./fees.ts";
import { withSenderLease } from "./lease.ts";
import type { LeasePorts, SenderLease } from "./lease.ts";
import { stopIfUsedByOthers } from "./nonces.ts";

/** Nodes keep few waiting transactions of one account (geth: 16 for sure). */
export const unminedMax = 16;
/** A reorganisation may bring back more than that. */
export const resentMax = 200;
/** How often the same bytes are sent again at most. */
export const resendMilliseconds = 15_000;
/** What cannot be paid for now is looked at again after this. */
export const deferMilliseconds = 60_000;
/** What is not mined after this many blocks gets higher fees. */
const patienceBlocks = 5n;
/** Of one transaction; 113 % twenty times is eleven times as much. */
const attemptsMax = 20;

/** Where a test lets the process die. Each is named after what was just done. */
export type SenderPoint =
  "leased" | "claimed" | "given_up" | "signed" | "stored" | "replaced" | "sent";

/** For people: something only they can repair. */
export type SenderAlarm =
  | "account_cannot_pay"
  | "account_used_by_others"
  | "fees_raised_too_often"
  | "final_transaction_lost"
  | "gas_budget_used_up"
  | "node_refuses_transaction"
  | "signer_refuses"
  | "transaction_would_fail"
  | "withdrawal_given_up";

export interface TurnPorts extends LeasePorts {
  readonly alarm: (what: SenderAlarm, facts: Readonly<Record<string, unknown>>) => void;
  /** only tests have something to do there */
  readonly reached?: (point: SenderPoint) => Promise<void>;
}

/** Of one account: what is known of its chain now, and the right to sign for it. */
export interface Turn {
  readonly chain: Chain;
  readonly lease: SenderLease;
  /** before each step that may take long */
  readonly keep: () => Promise<void>;
  readonly head: ChainHead;
  readonly minedCount: bigint;
  readonly fees: ChainFees;
}

/** Signed and not mined, as far as the count says, with its newest transaction. */
export interface UnminedRow {
  readonly id: string;
  readonly nonce: bigint;
  readonly attempt: number;
  readonly raw: Uint8Array;
  readonly max_fee_per_gas: string;
  readonly max_priority_fee_per_gas: string;
  readonly signed_at_block: bigint;
  readonly sent_at: Date | null;
}

export interface ReplacementValues extends ChainFees, SenderLease {
  readonly id: string;
  readonly attempt: number;
  readonly txHash: string;
  readonly raw: Uint8Array;
  readonly signedAtBlock: bigint;
  readonly now: Date;
}

/** The rows of one table, and how something more is signed for them. */
export interface SentRows<Row extends UnminedRow> {
  /**
   * open: only the chain ends it. kept: it has ended, and is sent again as it was if the chain takes
   * it back. lost: it has ended otherwise, and must not be mined any more.
   */
  readonly stateOf: (row: Row) => "open" | "kept" | "lost";
  /** whether the account could pay for it with these fees; left out: it is filled up if it cannot */
  readonly isPayable?: (turn: Turn, row: Row, fees: ChainFees) => Promise<boolean>;
  readonly sign: (turn: Turn, row: Row, fees: ChainFees) => Promise<SignedTransfer>;
  /** False: the lease is lost, or it is decided already. */
  readonly storeReplacement: (values: ReplacementValues) => Promise<boolean>;
  readonly markSent: (sent: {
    readonly id: string;
    readonly attempt: number;
    readonly now: Date;
  }) => Promise<void>;
  /** what people know it by */
  readonly factsOf: (id: string) => Readonly<Record<string, string>>;
}

/** Undefined: another process has the account, or has taken it. */
export async function withSenderTurn<Result>(
  ports: TurnPorts,
  { chain, account }: { readonly chain: Chain; readonly account: string },
  work: (turn: Turn) => Promise<Result>,
): Promise<Result | undefined> {
  const { chainId } = chain;
  return withSenderLease(ports, { chainId, account }, async (lease, keep) => {
    await ports.reached?.("leased");
    const head = await chain.head();
    if (head.chainId !== chainId) throw otherChain(head);
    const minedCount = await chain.minedCount(account);
    await stopIfUsedByOthers(ports, lease, minedCount);
    return await work({ chain, lease, keep, head, minedCount, fees: await chain.fees() });
  });
}

/** Handing over what is stored, again and again until a transaction with its number is mined. */
export class Resending<Row extends UnminedRow> {
  readonly #ports: TurnPorts;
  readonly #rows: SentRows<Row>;

  constructor(ports: TurnPorts, rows: SentRows<Row>) {
    this.#ports = ports;
    this.#rows = rows;
  }

  /** In the order of their numbers: a later one is mined after an earlier one. Gives how many. */
  async resend(turn: Turn, rows: readonly Row[]): Promise<number> {
    const now = this.#now().getTime();
    let done = 0;
    for (const row of rows) {
      await turn.keep();
      const isOld = turn.head.number - row.signed_at_block >= patienceBlocks;
      const isDue = row.sent_at === null || now - row.sent_at.getTime() >= resendMilliseconds;
      if (this.#rows.stateOf(row) !== "open") {
        if (isDue) done += await this.#repeat(turn, row);
      } else if (isOld) done += await this.#replace(turn, row);
      else if (isDue) done += await this.send(turn, row);
    }
    return done;
  }

  /** Hands over the bytes that are stored. Whatever is answered, only the chain decides. */
  async send(turn: Turn, row: Row): Promise<number> {
    const { id, attempt, raw } = row;
    const result = await turn.chain.send(raw);
    await this.#ports.reached?.("sent");
    await this.#rows.markSent({ id, attempt, now: this.#now() });
    if (result === "underpriced") return this.#replace(turn, row);
    if (result === "unfunded") this.#alarm("account_cannot_pay", turn, { id });
    return 1;
  }

  /**
   * It has ended, and now its number is free again: the chain took back a block that was final. What
   * was booked as done is sent as it was; what was booked as failed must not be mined any more.
   */
  async #repeat(turn: Turn, row: Row): Promise<number> {
    const { id, attempt, raw } = row;
    const state = this.#rows.stateOf(row);
    this.#alarm("final_transaction_lost", turn, { id, state });
    if (state !== "kept") return 0;
    await turn.chain.send(raw);
    await this.#rows.markSent({ id, attempt, now: this.#now() });
    return 1;
  }

  /** A new transaction of the same number with higher fees: one of all of them at most is mined. */
  async #replace(turn: Turn, row: Row): Promise<number> {
    const { id } = row;
    if (row.attempt >= attemptsMax) {
      this.#alarm("fees_raised_too_often", turn, { id, attempts: row.attempt });
      await turn.chain.send(row.raw);
      return 0;
    }
    const before = {
      maxFeePerGas: BigInt(row.max_fee_per_gas),
      maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
    };
    const fees = raisedFees(before, turn.fees);
    if ((await this.#rows.isPayable?.(turn, row, fees)) === false) {
      // One that it cannot pay for would take the place of one that it can.
      this.#alarm("account_cannot_pay", turn, { id });
      await turn.chain.send(row.raw);
      return 0;
    }
    const { txHash, raw } = await this.#rows.sign(turn, row, fees).catch(async (error: unknown) => {
      this.#alarm("signer_refuses", turn, { id, err: error });
      // What is there already may still be mined, if only the nodes have it.
      await turn.chain.send(row.raw);
      throw error;
    });
    await this.#ports.reached?.("signed");
    const attempt = row.attempt + 1;
    const more = { signedAtBlock: turn.head.number, now: this.#now() };
    const values = { ...turn.lease, ...fees, ...more, id, attempt, txHash, raw };
    if (!(await this.#rows.storeReplacement(values))) return 0;
    await this.#ports.reached?.("replaced");
    const result = await turn.chain.send(raw);
    await this.#ports.reached?.("sent");
    await this.#rows.markSent({ id, attempt, now: this.#now() });
    if (result === "underpriced") this.#alarm("node_refuses_transaction", turn, { id, result });
    return 1;
  }

  #alarm(
    what: SenderAlarm,
    turn: Turn,
    { id, ...more }: { readonly id: string } & Readonly<Record<string, unknown>>,
  ): void {
    this.#ports.alarm(what, { ...this.#rows.factsOf(id), ...more, ...accountOf(turn) });
  }

  #now(): Date {
    return new Date(this.#ports.clock.nowMilliseconds());
  }
}

export function accountOf({ lease }: Turn) {
  return { chain_id: lease.chainId, account: lease.account };
}

function otherChain({ chainId }: ChainHead): ServiceError {
  const cause = new Error(`the node answers for ${chainId}`);
  return new ServiceError("chain_unavailable", "Another chain answers.", { cause });
}
