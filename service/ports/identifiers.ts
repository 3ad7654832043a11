// Identifiers of what the service makes: a prefix that says what it is, then 26 characters.

export type IdentifierPrefix =
  | "pay" // payment
  | "wdr" // withdrawal
  | "wad" // withdraw address
  | "pos" // payout schedule
  | "sub" // subscription
  | "whe" // webhook endpoint
  | "dlv" // webhook delivery
  | "evt" // event
  | "cur" // currency
  | "dep" // deployment of a currency on a chain
  | "req" // request
  | "mer" // merchant
  | "ltx" // transaction of the ledger
  | "out" // transaction of ours on a chain, other than of a withdrawal
  | "swp" // sweep
  | "stl" // settlement of an x402 authorization
  | "sus"; // way out of suspense

export interface Identifiers {
  /** Never the same twice, cannot be guessed, and sorted as text about in the order of time. */
  readonly next: (prefix: IdentifierPrefix) => string;
}
