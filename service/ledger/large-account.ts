// Sums up the postings of an account that is too large for one statement, page by page, while others
// post to it.

import { findLargeAccount, readLargeAccountPage } from "./verifier.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

/** What was posted longer ago is committed, whatever the clocks of our processes say. */
const settledMilliseconds = 600_000;

/** The last thing read: a transaction and a position in it, or the key of an account. */
export interface Place {
  readonly after: string;
  readonly afterPosition: number;
}
/** Before every key and every position. */
export const start: Place = { after: "", afterPosition: -1 };

/** An account as it is, and what its postings say. */
export type AccountSum = NonNullable<(typeof findLargeAccount)["row"]>;

export interface LargeAccountPorts extends StoragePorts {
  readonly limits: { readonly rowsMax: number };
}

export class LargeAccount {
  readonly key: string;
  readonly #ports: LargeAccountPorts;
  #attempts = 1;
  #cursor: Place = start;
  #isAtEnd = false;
  #sum = 0n;
  #transactions = 0n;

  constructor(ports: LargeAccountPorts, key: string) {
    this.#ports = ports;
    this.key = key;
  }

  /** from 1 */
  get attempts(): number {
    return this.#attempts;
  }

  /** A page may have missed what was committed behind it, later than anybody should. */
  restart(): void {
    this.#attempts += 1;
    this.#cursor = start;
    this.#isAtEnd = false;
    this.#sum = 0n;
    this.#transactions = 0n;
  }

  /** A page of what is settled; after the last one the account with all that came since. */
  async next(): Promise<AccountSum | "gone" | undefined> {
    if (this.#isAtEnd) return await this.#end();
    const { database, clock, limits } = this.#ports;
    const [page] = await database.run(readLargeAccountPage, {
      ...this.#cursor,
      key: this.key,
      settledBefore: new Date(clock.nowMilliseconds() - settledMilliseconds),
      rowsMax: limits.rowsMax,
    });
    if (page === undefined) throw new TypeError("an aggregate has one row");
    this.#sum += BigInt(page.sum ?? 0);
    this.#transactions += page.transactions;
    const { last_transaction_id: after, last_position: afterPosition } = page;
    if (after !== null && afterPosition !== null) this.#cursor = { after, afterPosition };
    this.#isAtEnd = page.is_last;
    return undefined;
  }

  /** One statement, and so one moment: the balance, and the postings that no page has counted. */
  async #end(): Promise<AccountSum | "gone"> {
    const [row] = await this.#ports.database.run(findLargeAccount, {
      ...this.#cursor,
      key: this.key,
    });
    if (row === undefined) return "gone";
    const sum = this.#sum + BigInt(row.sum ?? 0);
    return { ...row, sum: sum.toString(), transactions: this.#transactions + row.transactions };
  }
}
