// What merchants accept, as it was last read: it comes again only when it is another one.

import type { AcceptedCurrency } from "./acceptance-rules.ts";
import type { AcceptanceColumns } from "./acceptance.sql.ts";
import { BoundedCache } from "../bounded-cache.ts";
import type { Owner } from "../owner.ts";

const ownersMax = 5_000;

interface Kept {
  readonly stamp: string;
  readonly accepted: readonly AcceptedCurrency[];
}

export interface AcceptanceLook {
  /** what need not be brought; empty: nothing is known */
  readonly knownAcceptance: string;
  /** What the row says, that was read so. */
  readonly take: (row: AcceptanceColumns) => readonly AcceptedCurrency[];
}

/** In memory; which one counts says the database each time. */
export class KnownAcceptances {
  readonly #kept = new BoundedCache<string, Kept>(ownersMax);

  /** For a statement that brings the acceptance along with what else it reads. */
  look({ merchantId, environment }: Owner): AcceptanceLook {
    const key = `${environment} ${merchantId}`;
    const kept = this.#kept.get(key);
    return {
      knownAcceptance: kept?.stamp ?? "",
      take: ({ acceptance: stamp, accepted: rows }) => {
        if (rows === null) {
          if (kept === undefined || kept.stamp !== stamp)
            throw new Error(`what ${merchantId} accepts was not brought, and is not known`);
          return kept.accepted;
        }
        const accepted = rows.map((row) => ({
          currencyId: row.currency_id,
          chainIds: row.chain_ids,
        }));
        // Two reads may answer in the other order: then the next one brings it once more.
        if (stamp !== null) this.#kept.set(key, { stamp, accepted });
        return accepted;
      },
    };
  }
}
