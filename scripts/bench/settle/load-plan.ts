// What the load is told, and what it tells: two processes write and read it.

import type { Credentials } from "../../client/canonical.ts";
import type { Payer } from "./payers.ts";

export interface SettlePlan {
  readonly url: string;
  readonly shops: readonly Credentials[];
  readonly payers: readonly Payer[];
  /** our account that settles */
  readonly payTo: string;
}

export type Told =
  /** Payments are created, and authorizations for them signed. */
  | { readonly do: "prepare"; readonly count: number }
  /**
   * Each client one request at a time; it asks again, as it was told, until that one is settled. No new one is
   * begun after so many seconds.
   */
  | { readonly do: "closed"; readonly clients: number; readonly seconds: number }
  /** So many a second, whatever is answered; each is asked once. */
  | { readonly do: "open"; readonly perSecond: number; readonly seconds: number }
  /** All that were asked and are not settled are asked again, as they were told. */
  | { readonly do: "again"; readonly clients: number };

export interface Answered {
  readonly order: string;
  /** 0: the connection was closed, and there was none */
  readonly status: number;
  /** of a refusal; otherwise empty */
  readonly code: string;
  /** undefined: it does not say when to come back */
  readonly retryAfterSeconds: number | undefined;
  /** since 1970 */
  readonly atMilliseconds: number;
  /** since it was asked for the first time */
  readonly latencyMilliseconds: number;
}

export interface Order {
  readonly paymentId: string;
  readonly nonce: string;
  /** by the last answer */
  readonly isSettled: boolean;
  readonly isAsked: boolean;
}

export interface Done {
  /** all of the step, in their order */
  readonly answers: readonly Answered[];
  /** every one so far */
  readonly orders: readonly Order[];
  /** those that nobody has asked for */
  readonly left: number;
}
