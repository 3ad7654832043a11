// Sends withdrawals. Every step is in the database before the next one begins, so a process may die
// at any of them and another one goes on:
//
//   pending -> processing    claimed, with a number: it can no longer be cancelled
//   processing -> broadcast  bytes and hash are stored; only now does anybody see the bytes
//   send                     the same bytes, until a transaction with their number is mined
//
// The number is reserved before the signer is asked, since that one never signs it for anything else:
// what has one goes first, and keeps it until it is sent, or the signer says that it did not sign. If
// it must not be sent any more, its number is used for nothing (a transfer of no coin to ourselves),
// and it fails. So there are no gaps, unless the chain takes back a block that was final: then what
// was confirmed there is sent again as it was, and what had failed is an alarm. Whoever reads
// `broadcast` must take the money for gone until the chain says otherwise (withdrawal-confirmer.ts).

import { eventValues } from "../events/events.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import type { Chain, ChainFees, ChainSigner, SignedTransfer } from "../ports/chain.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import type { SettlementChain } from "../ports/settlement-chain.ts";
import { NumberTaken, SignerRefusal } from "../ports/signer.ts";
import { SenderFunds } from "../sending/funds.ts";
import { nextNumber } from "../sending/nonces.ts";
import { accountOf, deferMilliseconds, Resending, resentMax } from "../sending/turn.ts";
import { unminedMax, withSenderTurn } from "../sending/turn.ts";
import type { SenderPoint, Turn, TurnPorts } from "../sending/turn.ts";
import {
  claimWithdrawal,
  deferWithdrawal,
  emptyWithdrawal,
  listClaimable,
  listProcessing,
  listUnmined,
  storeSigned,
  unclaimWithdrawal,
} from "./sender.sql.ts";
import { withdrawalEvent } from "./model.ts";
import { intentOf, spendingOf, withdrawalRows } from "./sender-rows.ts";
import type { WithdrawalRow } from "./sender-rows.ts";
import { withdrawalOf } from "./withdrawals.ts";

/** A chain with the account that is sent from there. */
export interface SendingChain {
  readonly chain: Chain & {
    /** where the chain can be asked before something is sent; see SettlementChain */
    readonly estimate?: SettlementChain["estimate"];
  };
  readonly signer: ChainSigner;
}

export interface SenderPorts extends TurnPorts {
  readonly identifiers: Identifiers;
  readonly chains: readonly SendingChain[];
}

type ToSendRow = NonNullable<(typeof listClaimable)["row"]>;
type ProcessingRow = NonNullable<(typeof listProcessing)["row"]>;

/** A turn on the account that withdrawals leave from. */
interface SigningTurn extends Turn {
  readonly chain: SendingChain["chain"];
  readonly signer: ChainSigner;
  readonly resending: Resending<WithdrawalRow>;
  readonly funds: SenderFunds;
}

/** Claimed, or what became of that. */
type Claimed = ToSendRow & Pick<WithdrawalRow, "nonce" | "sends_nothing">;

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
    const place = { chain, account: signer.address };
    const run = await withSenderTurn(this.#ports, place, async (plain) => {
      const resending = new Resending(this.#ports, withdrawalRows(this.#ports.database, signer));
      const rows = await this.#unmined(plain);
      const funds = new SenderFunds({ ...place, fees: plain.fees }, rows.map(spendingOf));
      const turn = { ...plain, chain, signer, resending, funds };
      const resent = await resending.resend(turn, rows);
      const room = Math.max(0, unminedMax - rows.length);
      const { signed, lagMilliseconds } = await this.#sendNew(turn, room);
      return { done: resent + signed, isMore: room > 0 && signed === room, lagMilliseconds };
    });
    return run ?? { done: 0, isMore: false };
  }

  #unmined({ lease, minedCount }: Turn): Promise<readonly WithdrawalRow[]> {
    const { chainId, account } = lease;
    const values = { chainId, account, minedCount, rowsMax: resentMax };
    return this.#ports.database.run(listUnmined, values);
  }

  /** At most `room`. What others have left half done comes first, and nothing goes before that. */
  async #sendNew(turn: SigningTurn, room: number) {
    const { database } = this.#ports;
    const { chainId, account } = turn.lease;
    const processing = await database.run(listProcessing, { chainId, account, rowsMax: room });
    const rowsMax = room - processing.length;
    const claimable = await database.run(listClaimable, { chainId, now: this.#now(), rowsMax });
    const oldest = [...processing, ...claimable].map((row) => row.created_at.getTime());
    const now = this.#now().getTime();
    const lagMilliseconds = now - Math.min(now, ...oldest);
    let signed = 0;
    for (const row of processing) {
      await turn.keep();
      const result = await this.#goOn(turn, row);
      if (result === "waits") return { signed, lagMilliseconds };
      if (result === "signed") signed += 1;
    }
    for (const row of claimable) {
      await turn.keep();
      if (!(await this.#isPossible(turn, row))) {
        await database.run(deferWithdrawal, { id: row.id, notBefore: this.#later() });
        continue;
      }
      const claimed = await this.#claim(turn, row);
      if (claimed === undefined) continue;
      if (!(await this.#signNew(turn, claimed))) break;
      signed += 1;
    }
    return { signed, lagMilliseconds };
  }

  /** Its number may be signed for it already. Waits: and so does everything behind it. */
  async #goOn(turn: SigningTurn, row: ProcessingRow): Promise<"signed" | "unclaimed" | "waits"> {
    const { reserved_nonce: nonce, is_stopped: isStopped, is_free: isFree } = row;
    if (nonce === null || nonce < turn.minedCount) {
      // Another transaction has it: what was signed with it can never be mined.
      await this.#unclaim(turn, row.id, nonce);
      return "unclaimed";
    }
    // Then nothing at all is signed.
    if (isStopped) return "waits";
    const claimed = { ...row, nonce };
    if (!row.sends_nothing && isFree && (await turn.funds.cover(spendingOf(claimed)))) {
      const result = await this.#sign(turn, claimed).catch((error: unknown) => {
        // Unless it says that the number is somebody else's, it signs nothing at least.
        if (error instanceof SignerRefusal && !(error instanceof NumberTaken)) return "refused";
        throw error;
      });
      if (result !== "refused") return result ? "signed" : "waits";
    }
    return (await this.#signNothing(turn, claimed)) ? "signed" : "waits";
  }

  /** It fails, and its merchant has the money back, once its number is used. */
  async #signNothing(turn: SigningTurn, claimed: Claimed): Promise<boolean> {
    const { id, nonce } = claimed;
    const facts = { withdrawal_id: id, nonce: nonce.toString(), ...accountOf(turn) };
    const emptied = { ...claimed, sends_nothing: true };
    if (!(await turn.funds.cover(spendingOf(emptied)))) {
      this.#ports.alarm("account_cannot_pay", facts);
      return false;
    }
    if (!claimed.sends_nothing) {
      const values = { ...turn.lease, id, nonce, now: this.#now() };
      if ((await this.#ports.database.run(emptyWithdrawal, values)).length === 0) return false;
      this.#ports.alarm("withdrawal_given_up", facts);
      await this.#reached("given_up");
    }
    return this.#sign(turn, emptied);
  }

  /** False: not now, and somebody was told why. It is still pending, so it can be cancelled. */
  async #isPossible(turn: SigningTurn, row: ToSendRow): Promise<boolean> {
    const facts = { withdrawal_id: row.id, ...accountOf(turn) };
    const spending = spendingOf({ ...row, sends_nothing: false });
    if (!(await turn.funds.cover(spending))) {
      this.#ports.alarm("account_cannot_pay", facts);
      return false;
    }
    // A token that is paused, or blocks the recipient, would take the gas of each of them.
    const action = { kind: "transfer", to: row.address, ...spending } as const;
    const estimate = await turn.chain.estimate?.(turn.lease.account, action);
    if (estimate?.isPossible !== false) return true;
    this.#ports.alarm("transaction_would_fail", { ...facts, text: estimate.text });
    return false;
  }

  /** Undefined: it was cancelled in the meantime, or may not be sent any more. */
  async #claim(turn: SigningTurn, row: ToSendRow): Promise<Claimed | undefined> {
    const { lease, minedCount } = turn;
    const nonce = await nextNumber(this.#ports, lease, minedCount);
    const claimed = { ...withdrawalOf(row), status: "processing" } as const;
    const event = eventValues(this.#ports, withdrawalEvent("withdrawal.processing", claimed));
    const values = { ...lease, id: row.id, nonce, now: this.#now(), ...event };
    const rows = await this.#ports.database.run(claimWithdrawal, values);
    if (rows.length === 0) return undefined;
    await this.#reached("claimed");
    return { ...row, nonce, sends_nothing: false };
  }

  /** Nobody has asked for a signature with its number before, so a refusal means that there is none. */
  #signNew(turn: SigningTurn, claimed: Claimed): Promise<boolean> {
    return this.#sign(turn, claimed).catch(async (error: unknown) => {
      // In the next turn the others go first.
      if (error instanceof SignerRefusal) await this.#unclaim(turn, claimed.id, claimed.nonce);
      throw error;
    });
  }

  /** False: it was not stored, and has its number still. Throws what the signer throws. */
  async #sign(turn: SigningTurn, claimed: Claimed): Promise<boolean> {
    const { id, nonce, sends_nothing: sendsNothing } = claimed;
    const { fees, lease, head } = turn;
    const { txHash, raw } = await this.#signed(turn, claimed);
    const sent = { ...withdrawalOf(claimed), status: "broadcast", txHash } as const;
    const signed = { ...fees, id, attempt: 1, txHash, raw, signedAtBlock: head.number };
    const stored = await this.#ports.database.run(storeSigned, {
      ...lease,
      ...signed,
      nonce,
      sendsNothing,
      now: this.#now(),
      ...eventValues(this.#ports, withdrawalEvent("withdrawal.broadcast", sent)),
    });
    if (stored.length === 0) return false;
    turn.funds.promise(spendingOf(claimed));
    await this.#reached("stored");
    await turn.resending.send(turn, unminedOf(claimed, signed));
    return true;
  }

  /** Somebody is told which withdrawal it would not sign. */
  async #signed(turn: SigningTurn, claimed: Claimed): Promise<SignedTransfer> {
    const { chain, signer, fees } = turn;
    const intent = intentOf(claimed, signer.address, { nonce: claimed.nonce, fees });
    const signed = await signer.sign(chain.chainId, intent).catch((error: unknown) => {
      const facts = { withdrawal_id: claimed.id, ...accountOf(turn) };
      this.#ports.alarm("signer_refuses", { ...facts, err: error });
      throw error;
    });
    await this.#reached("signed");
    return signed;
  }

  async #unclaim({ lease }: SigningTurn, id: string, nonce: bigint | null): Promise<void> {
    const values = { ...lease, id, nonce, now: this.#now(), notBefore: this.#later() };
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

interface Signed extends ChainFees {
  readonly attempt: number;
  readonly raw: Uint8Array;
  readonly signedAtBlock: bigint;
}

function unminedOf(claimed: Claimed, signed: Signed): WithdrawalRow {
  const { id, address, contract_address, send_amount_raw, nonce, sends_nothing } = claimed;
  const { attempt, raw, maxFeePerGas, maxPriorityFeePerGas, signedAtBlock } = signed;
  return {
    id,
    status: "broadcast",
    address,
    contract_address,
    send_amount_raw,
    sends_nothing,
    nonce,
    attempt,
    raw,
    max_fee_per_gas: maxFeePerGas.toString(),
    max_priority_fee_per_gas: maxPriorityFeePerGas.toString(),
    signed_at_block: signedAtBlock,
    sent_at: null,
  };
}
