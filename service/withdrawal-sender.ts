// Sends withdrawals. Every step is in the database before the next one begins, so a process may die
// at any of them and another one goes on:
//
//   pending -> processing    claimed: it can no longer be cancelled
//   processing -> broadcast  number, bytes and hash are stored; only now does anybody see the bytes
//   send                     the same bytes, until a transaction with their number is mined
//
// A number is only ever given together with something signed, so there are no gaps, unless the chain
// takes back a block that was final: then what was confirmed there is sent again as it was, and what
// had failed is an alarm. Whoever reads `broadcast` must take the money for gone until the chain says
// otherwise (withdrawal-confirmer.ts).

import { ServiceError } from "./errors.ts";
import { eventValues } from "./events.ts";
import type { Job, JobRun } from "./jobs.ts";
import type {
  Chain,
  ChainFees,
  ChainHead,
  ChainSigner,
  SignedTransfer,
  TransferIntent,
} from "./ports/chain.ts";
import type { Clock } from "./ports/clock.ts";
import type { Database } from "./ports/database.ts";
import type { Identifiers } from "./ports/identifiers.ts";
import type { Random } from "./ports/random.ts";
import { SenderFunds } from "./sender-funds.ts";
import { withSenderLease } from "./sender-lease.ts";
import type { SenderLease } from "./sender-lease.ts";
import { nextNumber, stopIfUsedByOthers } from "./sender-numbers.ts";
import {
  claimWithdrawal,
  deferWithdrawal,
  listClaimable,
  listProcessing,
  listUnmined,
  markSent,
  storeReplacement,
  storeSigned,
  unclaimWithdrawal,
} from "./store/withdrawal-sending.ts";
import { raisedFees } from "./withdrawal-fees.ts";
import { withdrawalEvent } from "./withdrawal-model.ts";
import { withdrawalOf } from "./withdrawals.ts";

/** Nodes keep few waiting transactions of one account (geth: 16 for sure). */
const unminedMax = 16;
/** A reorganisation may bring back more than that. */
const resentMax = 200;
/** How often the same bytes are sent again at most. */
const resendMilliseconds = 15_000;
/** What is not mined after this many blocks gets higher fees. */
const patienceBlocks = 5n;
/** Of one withdrawal; 113 % twenty times is eleven times as much. */
const attemptsMax = 20;
/** What cannot be paid for now is looked at again after this. */
const deferMilliseconds = 60_000;

/** Where a test lets the process die. Each is named after what was just done. */
export type SenderPoint = "leased" | "claimed" | "signed" | "stored" | "replaced" | "sent";

/** For people: something only they can repair. */
export type SenderAlarm =
  | "account_cannot_pay"
  | "account_used_by_others"
  | "fees_raised_too_often"
  | "final_transaction_lost"
  | "node_refuses_transaction"
  | "signer_refuses";

/** A chain with the account that is sent from there. */
export interface SendingChain {
  readonly chain: Chain;
  readonly signer: ChainSigner;
}

export interface SenderPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly random: Random;
  readonly chains: readonly SendingChain[];
  readonly alarm: (what: SenderAlarm, facts: Readonly<Record<string, unknown>>) => void;
  /** only tests have something to do there */
  readonly reached?: (point: SenderPoint) => Promise<void>;
}

type UnminedRow = NonNullable<(typeof listUnmined)["row"]>;
type ToSendRow = NonNullable<(typeof listClaimable)["row"]>;

/** Of one chain: what is known of it now, and the right to sign for the account. */
interface Turn extends SendingChain {
  readonly lease: SenderLease;
  /** before each step that may take long */
  readonly keep: () => Promise<void>;
  readonly head: ChainHead;
  readonly minedCount: bigint;
  readonly fees: ChainFees;
}

interface Signing {
  readonly id: string;
  readonly intent: TransferIntent;
  /** before it is given up, for now */
  readonly otherwise: () => Promise<unknown>;
}

export class WithdrawalSender {
  readonly #ports: SenderPorts;

  constructor(ports: SenderPorts) {
    this.#ports = ports;
  }

  /** One for each chain, so that one that does not answer holds up no other. */
  jobs(): readonly Job[] {
    return this.#ports.chains.map((sending) => ({
      name: `send-withdrawals-${sending.chain.chainId.replaceAll(":", "-")}`,
      everyMilliseconds: 2_000,
      run: () => this.#run(sending),
    }));
  }

  async #run(sending: SendingChain): Promise<JobRun> {
    const { chain, signer } = sending;
    const account = { chainId: chain.chainId, account: signer.address };
    const run = await withSenderLease(this.#ports, account, async (lease, keep) => {
      await this.#reached("leased");
      const head = await chain.head();
      if (head.chainId !== chain.chainId) throw otherChain(head);
      const minedCount = await chain.minedCount(signer.address);
      await stopIfUsedByOthers(this.#ports, lease, minedCount);
      const turn = { ...sending, lease, keep, head, minedCount, fees: await chain.fees() };
      const rows = await this.#unmined(turn);
      const resent = await this.#resend(turn, rows);
      const room = Math.max(0, unminedMax - rows.length);
      const { signed, lagMilliseconds } = await this.#sendNew(turn, rows, room);
      return { done: resent + signed, isMore: room > 0 && signed === room, lagMilliseconds };
    });
    return run ?? { done: 0, isMore: false };
  }

  #unmined({ lease, minedCount }: Turn): Promise<readonly UnminedRow[]> {
    const { chainId, account } = lease;
    const values = { chainId, account, minedCount, rowsMax: resentMax };
    return this.#ports.database.run(listUnmined, values);
  }

  /** In the order of their numbers: a later one is mined after an earlier one. */
  async #resend(turn: Turn, rows: readonly UnminedRow[]): Promise<number> {
    const now = this.#now().getTime();
    let done = 0;
    for (const row of rows) {
      await turn.keep();
      const isOld = turn.head.number - row.signed_at_block >= patienceBlocks;
      const isDue = row.sent_at === null || now - row.sent_at.getTime() >= resendMilliseconds;
      if (row.status !== "broadcast") {
        if (isDue) done += await this.#repeat(turn, row);
      } else if (isOld) done += await this.#replace(turn, row);
      else if (isDue) done += await this.#send(turn, row);
    }
    return done;
  }

  /**
   * It has ended, and now its number is free again. Confirmed: the merchant has paid for it, and it
   * is sent as it was. Failed: the merchant has its money back, so it must not be mined any more.
   */
  async #repeat(turn: Turn, { id, status, attempt, raw }: UnminedRow): Promise<number> {
    const facts = { withdrawal_id: id, status, ...accountOf(turn) };
    this.#ports.alarm("final_transaction_lost", facts);
    if (status !== "confirmed") return 0;
    await turn.chain.send(raw);
    await this.#ports.database.run(markSent, { id, attempt, now: this.#now() });
    return 1;
  }

  /** Hands over the bytes that are stored. Whatever is answered, only the chain decides. */
  async #send(turn: Turn, row: UnminedRow): Promise<number> {
    const { id, attempt, raw } = row;
    const result = await turn.chain.send(raw);
    await this.#reached("sent");
    await this.#ports.database.run(markSent, { id, attempt, now: this.#now() });
    if (result === "underpriced") return this.#replace(turn, row);
    if (result === "unfunded") {
      this.#ports.alarm("account_cannot_pay", { withdrawal_id: id, ...accountOf(turn) });
    }
    return 1;
  }

  /** A new transaction of the same number with higher fees: one of all of them at most is mined. */
  async #replace(turn: Turn, row: UnminedRow): Promise<number> {
    const { id, nonce, address: to, contract_address: contractAddress } = row;
    if (row.attempt >= attemptsMax) {
      const facts = { withdrawal_id: id, attempts: row.attempt, ...accountOf(turn) };
      this.#ports.alarm("fees_raised_too_often", facts);
      await turn.chain.send(row.raw);
      return 0;
    }
    const before = {
      maxFeePerGas: BigInt(row.max_fee_per_gas),
      maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
    };
    const fees = raisedFees(before, turn.fees);
    const amountRaw = BigInt(row.send_amount_raw);
    const intent = { nonce, to, contractAddress, amountRaw, fees };
    // What is there already may still be mined, if only the nodes have it.
    const otherwise = async (): Promise<unknown> => turn.chain.send(row.raw);
    const { txHash, raw } = await this.#signed(turn, { id, intent, otherwise });
    const attempt = row.attempt + 1;
    const values = { ...turn.lease, ...fees, id, attempt, txHash, raw };
    const more = { signedAtBlock: turn.head.number, now: this.#now() };
    const stored = await this.#ports.database.run(storeReplacement, { ...values, ...more });
    if (stored.length === 0) return 0;
    await this.#reached("replaced");
    const result = await turn.chain.send(raw);
    await this.#reached("sent");
    await this.#ports.database.run(markSent, { id, attempt, now: this.#now() });
    if (result === "underpriced") {
      const facts = { withdrawal_id: id, result, ...accountOf(turn) };
      this.#ports.alarm("node_refuses_transaction", facts);
    }
    return 1;
  }

  /** At most `room`. What others have left half done comes first. */
  async #sendNew(turn: Turn, unmined: readonly UnminedRow[], room: number) {
    const { database } = this.#ports;
    const { chainId, account } = turn.lease;
    const promised = unmined.map(spendingOf);
    const funds = new SenderFunds({ chain: turn.chain, account, fees: turn.fees }, promised);
    let signed = 0;
    const processing = await database.run(listProcessing, { chainId, rowsMax: room });
    for (const row of processing) {
      await turn.keep();
      const isPossible = row.is_free && (await funds.cover(spendingOf(row)));
      if (!isPossible) await this.#unclaim(row.id);
      else signed += await this.#sign(turn, row, funds);
    }
    const rowsMax = room - processing.length;
    const claimable = await database.run(listClaimable, { chainId, now: this.#now(), rowsMax });
    const oldest = [...processing, ...claimable].map((row) => row.created_at.getTime());
    const now = this.#now().getTime();
    for (const row of claimable) {
      await turn.keep();
      if (await funds.cover(spendingOf(row))) {
        if (await this.#claim(row)) signed += await this.#sign(turn, row, funds);
        continue;
      }
      this.#ports.alarm("account_cannot_pay", { withdrawal_id: row.id, ...accountOf(turn) });
      await database.run(deferWithdrawal, { id: row.id, notBefore: this.#later() });
    }
    return { signed, lagMilliseconds: now - Math.min(now, ...oldest) };
  }

  /** False: it was cancelled in the meantime, or may not be sent any more. */
  async #claim(row: ToSendRow): Promise<boolean> {
    const claimed = { ...withdrawalOf(row), status: "processing" } as const;
    const event = eventValues(this.#ports, withdrawalEvent("withdrawal.processing", claimed));
    const values = { id: row.id, now: this.#now(), ...event };
    const rows = await this.#ports.database.run(claimWithdrawal, values);
    if (rows.length === 0) return false;
    await this.#reached("claimed");
    return true;
  }

  async #sign(turn: Turn, row: ToSendRow, funds: SenderFunds): Promise<number> {
    const { id, address: to, contract_address: contractAddress } = row;
    const { fees, lease, head, minedCount } = turn;
    const nonce = await nextNumber(this.#ports, lease, minedCount);
    const spending = spendingOf(row);
    const intent = { nonce, to, contractAddress, amountRaw: spending.amountRaw, fees };
    // Nobody has seen anything signed, and in the next turn the others go first.
    const otherwise = async (): Promise<unknown> => this.#unclaim(id);
    const { txHash, raw } = await this.#signed(turn, { id, intent, otherwise });
    const sent = { ...withdrawalOf(row), status: "broadcast", txHash } as const;
    const signed = { ...fees, id, attempt: 1, txHash, raw, signedAtBlock: head.number };
    const stored = await this.#ports.database.run(storeSigned, {
      ...lease,
      ...signed,
      nonce,
      now: this.#now(),
      ...eventValues(this.#ports, withdrawalEvent("withdrawal.broadcast", sent)),
    });
    if (stored.length === 0) return 0;
    funds.promise(spending);
    await this.#reached("stored");
    await this.#send(turn, unminedOf(row, { ...signed, nonce }));
    return 1;
  }

  /** Throws what the signer throws, once somebody was told which withdrawal it would not sign. */
  async #signed(turn: Turn, { id, intent, otherwise }: Signing): Promise<SignedTransfer> {
    const { chain, signer } = turn;
    const signed = await signer.sign(chain.chainId, intent).catch(async (error: unknown) => {
      this.#ports.alarm("signer_refuses", { withdrawal_id: id, ...accountOf(turn), err: error });
      await otherwise();
      throw error;
    });
    await this.#reached("signed");
    return signed;
  }

  async #unclaim(id: string): Promise<void> {
    const values = { id, now: this.#now(), notBefore: this.#later() };
    await this.#ports.database.run(unclaimWithdrawal, values);
  }

  #later(): Date {
    return new Date(this.#ports.clock.nowMilliseconds() + deferMilliseconds);
  }

  #now(): Date {
    return new Date(this.#ports.clock.nowMilliseconds());
  }

  async #reached(point: SenderPoint): Promise<void> {
    await this.#ports.reached?.(point);
  }
}

function otherChain({ chainId }: ChainHead): ServiceError {
  const cause = new Error(`the node answers for ${chainId}`);
  return new ServiceError("chain_unavailable", "Another chain answers.", { cause });
}

function accountOf({ lease }: Turn) {
  return { chain_id: lease.chainId, account: lease.account };
}

function spendingOf(row: Pick<ToSendRow, "contract_address" | "send_amount_raw">) {
  return { contractAddress: row.contract_address, amountRaw: BigInt(row.send_amount_raw) };
}

interface Signed extends ChainFees {
  readonly attempt: number;
  readonly raw: Uint8Array;
  readonly nonce: bigint;
  readonly signedAtBlock: bigint;
}

function unminedOf(row: ToSendRow, signed: Signed): UnminedRow {
  const { id, address, contract_address, send_amount_raw } = row;
  const { nonce, attempt, raw, maxFeePerGas, maxPriorityFeePerGas, signedAtBlock } = signed;
  return {
    id,
    status: "broadcast",
    address,
    contract_address,
    send_amount_raw,
    nonce,
    attempt,
    raw,
    max_fee_per_gas: maxFeePerGas.toString(),
    max_priority_fee_per_gas: maxPriorityFeePerGas.toString(),
    signed_at_block: signedAtBlock,
    sent_at: null,
  };
}
