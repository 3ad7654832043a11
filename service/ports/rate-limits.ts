// How often something may happen: counted outside, by whatever the processes share or do not share.

/** Requests in 60 seconds, by name; the names stand in headers and in the details of a 429. */
export const ratePolicies = {
  /** of one key */
  read: 600,
  write: 120,
  /** what moves money */
  money: 60,
  /** all keys of one merchant together */
  merchant: 1200,
  /** before anything is known but the address */
  address: 1200,
  failed_authentication: 30,
  /** of one address, to the checkout pages: the page, its streams and its questions about the status */
  checkout: 60,
} as const;

export type RatePolicy = keyof typeof ratePolicies;

/** The policies that an operation can name in `x-rate-limit-policy`. */
export type OperationPolicy = "read" | "write" | "money";

export const rateWindowSeconds = 60;

/** Where a request comes from, as far as it counts; of IPv4 both are the address itself. */
export interface Client {
  /** a /64 of IPv6: one customer has at least that */
  readonly network: string;
  /** a /48: one organisation, or many customers of one hoster or carrier */
  readonly site: string;
}

/**
 * Our choice: all networks of a site together have so many times what one of them has. None: neighbours must
 * not use up what a merchant's signed requests need.
 */
export const sitePolicies: Readonly<Partial<Record<RatePolicy, number>>> = {
  // Who signs right passes all the same.
  failed_authentication: 4,
  checkout: 16,
};

export interface RateState {
  readonly policy: RatePolicy;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** until there is more again; whole seconds, at least 1 */
  readonly resetSeconds: number;
  /** this one is over the quota */
  readonly isExceeded: boolean;
}

export interface RateLimits {
  /** Counts one. */
  readonly take: (policy: RatePolicy, subject: string) => Promise<RateState>;
  /** Counts nothing; exceeded when the next one would be over the quota. */
  readonly look: (policy: RatePolicy, subject: string) => Promise<RateState>;
}
