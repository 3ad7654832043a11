// A transaction of ours on a chain: what it does, from which account, for what.
//
// Whoever wants one sent puts it into the statement of its cause (`queueingOutgoing`, with the values
// that `outgoingValues` makes here), and hears of its end in the transaction that ends it
// (`OutgoingConfirmer`). In between the sender has it (`OutgoingSender`).

import type { OutgoingPurpose, OutgoingStatus } from "../database/words.ts";
import type { AsStored, StoredAction } from "../database/tables/outgoing.ts";
import type { MinedTransaction } from "../ports/chain.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import type { Clock } from "../ports/clock.ts";
import type { PaymentAuthorization, ChainAction, SigningAccount } from "../ports/signer.ts";
import { isSameAddress } from "./fate.ts";

/** Nodes keep few waiting transactions of one account (geth: 16 for sure). */
export const unminedMax = 16;

/** The only ways between the states; the trigger holds the same table. */
export const outgoingSteps: Readonly<Record<OutgoingStatus, readonly OutgoingStatus[]>> = {
  queued: ["broadcast", "withdrawn"],
  broadcast: ["succeeded", "reverted", "replaced"],
  succeeded: [],
  reverted: [],
  replaced: [],
  withdrawn: ["queued"],
};

export interface OutgoingDraft {
  /** CAIP-2 */
  readonly chainId: string;
  /** the address that `signsAs` has */
  readonly account: string;
  readonly signsAs: SigningAccount;
  readonly purpose: OutgoingPurpose;
  /** with the purpose: each of them is sent once, ever */
  readonly subjectId: string;
  /** what is moved: its rule of finality holds, with the amount of the action */
  readonly deploymentId: string;
  readonly action: ChainAction;
  /** who waits longest comes first; left out: since now */
  readonly since?: Date;
}

/** Flat, since a statement's values are. */
export interface OutgoingValues {
  readonly outgoingId: string;
  readonly outgoingChainId: string;
  readonly outgoingAccount: string;
  readonly outgoingRole: SigningAccount["role"];
  readonly outgoingIndex: bigint | null;
  readonly outgoingPurpose: OutgoingPurpose;
  readonly outgoingSubjectId: string;
  readonly outgoingDeploymentId: string;
  readonly outgoingAmountRaw: bigint;
  /** JSON text */
  readonly outgoingAction: string;
  readonly outgoingSince: Date;
  readonly outgoingNow: Date;
}

/** The values that `queueingOutgoing` needs in its statement. */
export function outgoingValues(
  ports: { readonly identifiers: Identifiers; readonly clock: Clock },
  draft: OutgoingDraft,
): OutgoingValues {
  const { signsAs, action } = draft;
  const now = ports.clock.now();
  return {
    outgoingId: ports.identifiers.next("out"),
    outgoingChainId: draft.chainId,
    outgoingAccount: draft.account,
    outgoingRole: signsAs.role,
    outgoingIndex: signsAs.role === "deposit" ? signsAs.index : null,
    outgoingPurpose: draft.purpose,
    outgoingSubjectId: draft.subjectId,
    outgoingDeploymentId: draft.deploymentId,
    outgoingAmountRaw: amountRawOf(action),
    outgoingAction: JSON.stringify(action, (_, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    ),
    outgoingSince: draft.since ?? now,
    outgoingNow: now,
  };
}

/** What it moves. */
export function amountRawOf(action: ChainAction): bigint {
  return action.kind === "collect" ? action.authorization.amountRaw : action.amountRaw;
}

/** The inverse of what `outgoingValues` writes. */
export function actionOf(stored: StoredAction): ChainAction {
  if (stored.kind === "transfer") return { ...stored, amountRaw: BigInt(stored.amountRaw) };
  if (stored.kind === "settle") {
    const authorization = authorizationOf(stored.signed.authorization);
    const signed = { ...stored.signed, authorization };
    return { kind: "settle", signed, amountRaw: BigInt(stored.amountRaw) };
  }
  const authorization = authorizationOf(stored.authorization);
  if (authorization.method !== "eip3009") throw new Error("only EIP-3009 collects");
  return { kind: "collect", index: BigInt(stored.index), domain: stored.domain, authorization };
}

function authorizationOf(stored: AsStored<PaymentAuthorization>): PaymentAuthorization {
  const amountRaw = BigInt(stored.amountRaw);
  const validAfter = BigInt(stored.validAfter);
  if (stored.method === "permit2") {
    return { ...stored, amountRaw, validAfter, deadline: BigInt(stored.deadline) };
  }
  return { ...stored, amountRaw, validAfter, validBefore: BigInt(stored.validBefore) };
}

type Deed = Pick<MinedTransaction, "transfer" | "collect">;

/** Whether a mined transaction does just that. */
export function doesSame(action: ChainAction, { transfer, collect }: Deed): boolean {
  if (action.kind === "transfer") {
    return (
      transfer !== undefined &&
      isSameAddress(transfer.contractAddress, action.contractAddress) &&
      isSameAddress(transfer.to, action.to) &&
      transfer.amountRaw === action.amountRaw
    );
  }
  if (action.kind !== "collect" || collect === undefined) return false;
  const { authorization } = action;
  return (
    isSameAddress(collect.contractAddress, authorization.contractAddress) &&
    isSameAddress(collect.from, authorization.from) &&
    isSameAddress(collect.to, authorization.to) &&
    collect.amountRaw === authorization.amountRaw &&
    collect.nonce === authorization.nonce
  );
}
