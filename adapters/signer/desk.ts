// One request to sign: the rules, the journal, the signature, in this order. The first two are one
// step that nothing comes between, so that requests at once count each other.

import { createHash } from "node:crypto";
import type { SignedTransfer } from "../../service/ports/chain.ts";
import type {
  ActionIntent,
  ChainAction,
  PayingRole,
  SignerAccounts,
} from "../../service/ports/signer.ts";
import type { Cell } from "../../service/cell.ts";
import { encodeAction, encodeCollect } from "../evm/calldata.ts";
import type { Call } from "../evm/calldata.ts";
import { splitSignature } from "../evm/signature.ts";
import { SignerRefusal } from "../../service/ports/signer.ts";
import type { JournalPosition, LimitUse } from "../../service/ports/signer.ts";
import type { Keys } from "./keys.ts";
import { limitUses } from "./limit-uses.ts";
import { judge } from "./policy.ts";
import type { Policy } from "./policy.ts";
import { TrustedTime } from "./trusted-time.ts";
import type { SignerClock } from "./trusted-time.ts";
import type { JournaledUsage } from "./usage.ts";

/** Where a test lets the process die. Each is named after what was just done. */
export type DeskPoint = "judged" | "journaled" | "signed" | "claimed";

export interface DeskPorts {
  readonly keys: Keys;
  /** whose money they have */
  readonly cell?: Cell;
  readonly policy: Policy;
  readonly usage: JournaledUsage;
  readonly clock: SignerClock;
  /** only tests have something to do there */
  readonly reached?: (point: DeskPoint) => void;
}

export class SigningDesk {
  readonly #ports: DeskPorts;
  readonly #time: TrustedTime;

  constructor(ports: DeskPorts) {
    this.#ports = ports;
    this.#time = new TrustedTime(ports.clock, ports.usage.newest);
  }

  get accounts(): SignerAccounts {
    const { keys, cell } = this.#ports;
    return cell === undefined ? keys.accounts : { ...keys.accounts, cell };
  }

  /** Throws `SignerRefusal`. */
  async sign(chainId: string, intent: ActionIntent): Promise<SignedTransfer> {
    checkForm(intent.action);
    this.#permit(chainId, intent);
    const { account, nonce, gasUnitsMax, fees } = intent;
    const call = await this.#call(chainId, intent.action);
    const parts = { chainId, account, nonce, gasUnitsMax, ...fees, call };
    const signed = await this.#ports.keys.signTransaction(parts);
    this.#ports.reached?.("signed");
    return signed;
  }

  /** See `ActionSigner`. */
  nextNonce({
    chainId,
    role: account,
  }: {
    readonly chainId: string;
    readonly role: PayingRole;
  }): bigint {
    const { policy, usage } = this.#ports;
    // What was signed there may be signed for something else by now.
    if (policy.get(chainId)?.mayRestart === true) return 0n;
    return usage.nextNumber({ chainId, account });
  }

  /** See `LimitKeeper`. Those that are nearest to their end come first. */
  limitUses(chainId: string): readonly LimitUse[] {
    const { policy, usage, clock } = this.#ports;
    const chain = policy.get(chainId);
    if (chain === undefined) return [];
    // Nothing is signed by it, so a clock that nobody has confirmed will do.
    const at = Math.max(clock.nowMilliseconds(), usage.newest ?? 0);
    return limitUses({ chainId, chain, at }, usage).toSorted((one, other) =>
      Number(other.usedRaw * one.mostRaw - one.usedRaw * other.mostRaw),
    );
  }

  /** How far the journal is. */
  get position(): JournalPosition {
    return this.#ports.usage.position;
  }

  /** See `IndexKeeper`. Nothing is signed, so nothing is judged. */
  claimIndexes(first: bigint, count: bigint): bigint {
    const { usage, reached } = this.#ports;
    const freeFrom = usage.claimIndexes(first, count, count === 0n ? 0 : this.#time.now());
    reached?.("claimed");
    return freeFrom;
  }

  /** Once it returns, what is signed is counted, whatever happens next. */
  #permit(chainId: string, intent: ActionIntent): void {
    const { keys, policy, usage, reached } = this.#ports;
    const at = this.#time.now();
    const judged = { chainId, intent, actionHash: hashOf(intent.action), at };
    const signature = judge(judged, usage, { policy, own: keys });
    reached?.("judged");
    if (signature !== undefined) usage.add(signature);
    reached?.("journaled");
  }

  async #call(chainId: string, action: ChainAction): Promise<Call> {
    if (action.kind !== "collect") return encodeAction(action);
    const { index, authorization } = action;
    const account = { role: "deposit", index } as const;
    const signature = await this.#ports.keys.signAuthorization(chainId, account, action);
    return encodeCollect(authorization, signature);
  }
}

/** Before anything is counted for it. */
function checkForm(action: ChainAction): void {
  if (action.kind !== "settle" || splitSignature(action.signed.signature) !== undefined) return;
  throw new SignerRefusal("the payer's signature has a form that no token takes");
}

/** In one spelling, so that the same action is the same whoever asks. */
function hashOf(action: ChainAction): string {
  const text = JSON.stringify(action, (_name, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return createHash("sha256").update(text).digest("hex");
}
