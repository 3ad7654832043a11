// Asks the process with the keys, over its socket. To ask twice is harmless, since the same intent
// gives the same bytes, so whatever is lost on the way is for the caller to try again. If another
// signer comes to answer there, with other accounts, nothing more is asked: money would leave from
// where nobody looks, and go to addresses whose keys are elsewhere.

import { setTimeout as pause } from "node:timers/promises";
import { ServiceError } from "../../service/errors.ts";
import type { SignedTransfer } from "../../service/ports/chain.ts";
import { ForeignSigner, NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type {
  ActionSigner,
  IndexKeeper,
  JournalKeeper,
  JournalPosition,
  LimitKeeper,
  SignerAccounts,
} from "../../service/ports/signer.ts";
import type { Clock } from "../system/clock.ts";
import type { Logger } from "../system/logging.ts";
import { SignerAway, SignerConnection } from "./connection.ts";
import type { SignerQuestion } from "./connection.ts";
import { ProtocolError } from "./message-line.ts";
import type { SignerAnswer } from "./protocol.ts";

export interface SignerClientPorts {
  readonly socketPath: string;
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly limits?: SignerClientLimits;
  /**
   * At each connection, before anything else is asked. Throws `ForeignSigner`: nothing is asked any
   * more; left out: any signer will do.
   */
  readonly confirm?: (accounts: SignerAccounts) => Promise<void>;
}

export interface SignerClientLimits {
  /** from asking to the answer, with connecting */
  readonly answerMilliseconds: number;
  /** asked and not answered at one time */
  readonly waitingMax: number;
}

export const signerClientLimits: SignerClientLimits = {
  answerMilliseconds: 10_000,
  waitingMax: 500,
};

const reconnectMilliseconds = 50;

export interface ConnectedSigner extends ActionSigner, IndexKeeper, JournalKeeper, LimitKeeper {
  /** Confirms again who it is; see `SignerClientPorts`. */
  readonly reconfirm: () => Promise<void>;
  readonly close: () => void;
}

/** Throws `chain_unavailable` if nobody answers in time. */
export async function connectSigner(ports: SignerClientPorts): Promise<ConnectedSigner> {
  const client = new SignerClient(ports);
  const accounts = await client.accounts();
  const signAction: ActionSigner["signAction"] = async (chainId, intent) => {
    const answer = await client.ask({ ask: "sign", chainId, intent });
    return taken("signed", answer);
  };
  let isOlder = false;
  return {
    accounts,
    signAction,
    nextNonce: async (chainId, role) =>
      taken("nextNonce", await client.ask({ ask: "nonce", chainId, role })),
    journalPosition: async () => taken("journal", await client.ask({ ask: "journal" })),
    claimIndexes: async (first, count) =>
      taken("freeFrom", await client.ask({ ask: "claim", first, count })),
    limitUses: async (chainId) => {
      const answer = await client.ask({ ask: "limits", chainId });
      if ("limits" in answer) return answer.limits;
      if (!("error" in answer) || answer.error.kind !== "invalid") throw failureOf(answer);
      if (!isOlder) ports.log.warn({}, "the signer is an older one: it does not say its limits");
      isOlder = true;
      return [];
    },
    reconfirm: () => client.reconfirm(),
    close: () => client.close(),
  };
}

interface Answered {
  readonly signed: SignedTransfer;
  readonly freeFrom: bigint;
  readonly journal: JournalPosition;
  readonly nextNonce: bigint;
}

/** What was asked for, if that is what the answer has. */
function taken<Name extends keyof Answered>(name: Name, answer: SignerAnswer): Answered[Name] {
  // Answers are told apart by what they have.
  const { [name]: value } = answer as Partial<Answered>;
  if (value === undefined) throw failureOf(answer);
  return value;
}

/** Of an answer that is not what was asked for. */
function failureOf(answer: SignerAnswer): Error {
  if (!("error" in answer)) return unavailable(new Error("the signer answered something else"));
  const { kind, text } = answer.error;
  if (kind === "refused") return new SignerRefusal(text);
  if (kind === "taken") return new NonceTaken(text);
  if (kind === "broken") return unavailable(new Error(text));
  return misunderstood(text);
}

/** A mistake of ours, that no other attempt repairs. */
function misunderstood(text: string): Error {
  return new Error(`the signer does not understand us: ${text}`);
}

class SignerClient {
  readonly #ports: SignerClientPorts;
  readonly #limits: SignerClientLimits;
  #opening: Promise<SignerConnection> | undefined;
  #accounts: SignerAccounts | undefined;
  #waiting = 0;
  /** it stays so: only a person can make it better, and starts us anew */
  #isForeign = false;
  #isClosed = false;

  constructor(ports: SignerClientPorts) {
    this.#ports = ports;
    this.#limits = ports.limits ?? signerClientLimits;
  }

  async accounts(): Promise<SignerAccounts> {
    const answer = await this.ask({ ask: "accounts" });
    if ("accounts" in answer) return answer.accounts;
    throw unavailable(new Error("the signer does not tell its accounts"));
  }

  /** Nobody waits for longer than the limit, whatever happens. */
  async ask(question: SignerQuestion): Promise<SignerAnswer> {
    const { answerMilliseconds, waitingMax } = this.#limits;
    if (this.#waiting >= waitingMax) throw unavailable(new Error("too many requests wait"));
    this.#waiting += 1;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        // It may hang, and then all that it was asked would wait for ever.
        this.#disconnect();
        reject(unavailable(new Error(`no answer in ${answerMilliseconds} ms`)));
      }, answerMilliseconds);
    });
    try {
      const deadline = this.#ports.clock.monotonicMilliseconds() + answerMilliseconds;
      return await Promise.race([this.#tryUntil(deadline, question), late]);
    } finally {
      clearTimeout(timer);
      this.#waiting -= 1;
    }
  }

  /** Somebody else may be the right one by now. Throws `ForeignSigner`. */
  async reconfirm(): Promise<void> {
    if (this.#accounts !== undefined) await this.#confirm(this.#accounts);
  }

  close(): void {
    this.#isClosed = true;
    this.#disconnect();
  }

  /** One attempt after the other: it may be starting again. */
  async #tryUntil(deadline: number, question: SignerQuestion): Promise<SignerAnswer> {
    for (;;) {
      if (this.#isClosed) throw unavailable(new Error("closed"));
      if (this.#isForeign) throw unavailable(new Error("the signer has other accounts now"));
      try {
        const connection = await this.#connection();
        return await connection.ask(question);
      } catch (error) {
        if (error instanceof ProtocolError) throw misunderstood(error.message);
        if (!(error instanceof SignerAway)) throw unavailable(error);
        if (this.#ports.clock.monotonicMilliseconds() >= deadline) throw unavailable(error);
        await pause(reconnectMilliseconds);
      }
    }
  }

  async #connection(): Promise<SignerConnection> {
    const opening = (this.#opening ??= this.#open());
    try {
      const connection = await opening;
      if (connection.isOpen) return connection;
      throw new SignerAway();
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async #open(): Promise<SignerConnection> {
    const { socketPath, log } = this.#ports;
    const connection = await SignerConnection.open(socketPath, log);
    try {
      const answer = await connection.ask({ ask: "accounts" });
      if (!("accounts" in answer)) throw new Error("the signer does not tell its accounts");
      await this.#compare(answer.accounts);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** With that of before, and with the one that is to be there. */
  async #compare(accounts: SignerAccounts): Promise<void> {
    if (this.#accounts === undefined) {
      await this.#confirm(accounts);
      this.#accounts = accounts;
      return;
    }
    if (JSON.stringify(accounts) === JSON.stringify(this.#accounts)) {
      await this.#confirm(accounts);
      return;
    }
    this.#isForeign = true;
    const fields = { hot_address: accounts.hotAddress, before: this.#accounts.hotAddress };
    this.#ports.log.error(fields, "another signer answers, with other accounts: nothing is asked");
    throw new Error("the signer has other accounts now");
  }

  async #confirm(accounts: SignerAccounts): Promise<void> {
    try {
      await this.#ports.confirm?.(accounts);
    } catch (error) {
      if (!(error instanceof ForeignSigner)) throw error;
      this.#isForeign = true;
      const fields = { hot_address: accounts.hotAddress, reason: error.message };
      this.#ports.log.error(
        fields,
        "what answers is not the signer of this database: nothing is asked",
      );
      throw error;
    }
  }

  #disconnect(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    void opening?.then((connection) => connection.close()).catch(() => undefined);
  }
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("chain_unavailable", "The signer does not answer.", { cause });
}
