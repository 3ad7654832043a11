// Who hears of what is sent, to count it. Each thing is told once it counts, and nothing waits for it.

import type { PayingRole } from "./signer.ts";

/** Of an account that pays others, as the chain counts it at the beginning of a turn. */
export interface NonceUse {
  readonly chainId: string;
  readonly role: PayingRole;
  /** signed, and not mined */
  readonly waiting: number;
  /** below the highest of those, and neither mined nor signed: what is above waits for each of them */
  readonly missing: number;
}

export interface SignedOutgoing {
  readonly chainId: string;
  /** what it is for */
  readonly purpose: string;
  /** false: it replaces one of the same nonce, with higher fees */
  readonly isFirst: boolean;
}

export interface EndedOutgoing {
  readonly chainId: string;
  /** what it is for */
  readonly purpose: string;
  /** replaced: its nonce was used by a transaction that none of ours is */
  readonly status: "succeeded" | "reverted" | "replaced";
  readonly queuedAt: Date;
  readonly at: Date;
}

export interface SendingObserver {
  readonly onSigned: (signed: SignedOutgoing) => void;
  readonly onNonces: (use: NonceUse) => void;
  /** What became of it is final, and written down. */
  readonly onEnded: (ended: EndedOutgoing) => void;
}
