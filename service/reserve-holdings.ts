// What the chains hold for us: the hot account, and the addresses that deposits arrived at.

import type { Chain } from "./ports/chain.ts";
import type { Database } from "./ports/database.ts";
import type { HeldDeployment, ReservePorts } from "./reserve-check.ts";
import { depositedAddresses } from "./store/ledger-reserve.ts";

/** Above that the chain would be busy with us alone: what it holds is unknown then. */
const addressesMax = 5_000;
const callsAtOnceMax = 8;

export interface HoldingsPorts {
  readonly database: Database;
  /** by CAIP-2, with the account that withdrawals leave from; none: not connected */
  readonly chainOf: (
    chainId: string,
  ) => { readonly chain: Pick<Chain, "balance">; readonly hotAddress: string } | undefined;
}

export function chainHoldings({ database, chainOf }: HoldingsPorts): ReservePorts["holdings"] {
  return async ({ id: deploymentId, chainId, contractAddress }: HeldDeployment) => {
    const connected = chainOf(chainId);
    if (connected === undefined) return undefined;
    const { chain, hotAddress } = connected;
    const rows = await database.run(depositedAddresses, {
      deploymentId,
      rowsMax: addressesMax + 1,
    });
    if (rows.length > addressesMax) return undefined;
    // One may be the other, and what it has counts once.
    const addresses = Array.from(new Set([hotAddress, ...rows.map(({ address }) => address)]));
    let sum = 0n;
    for (let from = 0; from < addresses.length; from += callsAtOnceMax) {
      const some = addresses.slice(from, from + callsAtOnceMax);
      const balances = await Promise.all(some.map((one) => chain.balance(one, contractAddress)));
      for (const balance of balances) sum += balance;
    }
    return sum;
  };
}
