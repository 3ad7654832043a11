// Which addresses of a chain are ours. Whoever reads a chain looks more closely at those.

import { findOwnAddresses, listOpenAddresses } from "./own-addresses.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

const dayMilliseconds = 86_400_000;
/** Above that a chain without traces would be busy with us alone. */
const openMax = 2_000;

export interface OwnAddressPorts extends StoragePorts {
  /** of the signer: no payment has them */
  readonly accounts: readonly string[];
}

export class OwnAddresses {
  readonly #ports: OwnAddressPorts;

  constructor(ports: OwnAddressPorts) {
    this.#ports = ports;
  }

  /** Those of the addresses that are ours. */
  async among(addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const { database, accounts } = this.#ports;
    const own = addresses.filter((one) => accounts.includes(one));
    if (addresses.length === own.length) return new Set(own);
    const rows = await database.run(findOwnAddresses, { addresses });
    return new Set([...own, ...rows.map(({ address }) => address)]);
  }

  /** Those that are paid to now: of payments that are open, or ended within a day. */
  async open(): Promise<readonly string[]> {
    const { database, clock } = this.#ports;
    const since = new Date(clock.nowMilliseconds() - dayMilliseconds);
    const rows = await database.run(listOpenAddresses, { since, rowsMax: openMax });
    return rows.map(({ address }) => address);
  }
}
