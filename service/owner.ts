// Whom something belongs to.

/** Of an API key, and of all that is made with it. */
export type Environment = "live" | "test";

/**
 * One of the two halves of a merchant, as the API key of a request names it. What belongs to the one
 * is not found with a key of the other: a test run must neither see nor change what a shop lives on.
 */
export interface Owner {
  readonly merchantId: string;
  readonly environment: Environment;
}
