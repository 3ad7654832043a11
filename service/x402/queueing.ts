// How many settlements may wait for one of our accounts. Nodes take few transactions at a time of an account,
// so what fits is so many a block, whatever is asked for. Of more than that an ever longer line would come
// of, and authorizations would end while they wait in it (threat 49).
//
// Our choice: as many wait as leave with the next two rounds. Whoever comes then hears when to come again;
// nothing of it is kept, and the same authorization may be handed in.

import { ServiceError } from "../errors.ts";
import type { Database } from "../ports/database.ts";
import { unminedMax } from "../sending/model.ts";
import type { X402Chain } from "./chain-view.ts";
import { countWaitingSettlements } from "./settling.sql.ts";

export const waitingMax = 2 * unminedMax;
const retryAfterSeconds = 2;

/** Of one process, for all chains. */
export class SettlementQueue {
  readonly #database: Database;
  /** by chain, and by payment: requests that were let in, and are not in the queue yet */
  readonly #entering = new Map<string, Map<string, number>>();

  constructor({ database }: { readonly database: Database }) {
    this.#database = database;
  }

  /**
   * Throws `service_unavailable`, and says when to come again.
   * @returns to be called when it is in the queue, or will not be
   */
  async enter(
    { chain: { chainId }, settlementAddress: account }: X402Chain,
    paymentId: string,
  ): Promise<() => void> {
    const entering = this.#entering.get(chainId) ?? new Map<string, number>();
    this.#entering.set(chainId, entering);
    entering.set(paymentId, (entering.get(paymentId) ?? 0) + 1);
    const leave = (): void => {
      const left = (entering.get(paymentId) ?? 1) - 1;
      if (left > 0) entering.set(paymentId, left);
      else entering.delete(paymentId);
    };
    try {
      const values = { chainId, account, rowsMax: waitingMax };
      const [row] = await this.#database.run(countWaitingSettlements, values);
      // All requests for a payment come to one settlement.
      if ((row?.count ?? 0) + entering.size <= waitingMax) return leave;
      throw new ServiceError("service_unavailable", "Too many settlements wait for the chain.", {
        retryAfterSeconds,
      });
    } catch (error) {
      leave();
      throw error;
    }
  }
}
