// What the chains hold for us: our accounts, and the addresses that deposits arrived at and that were
// not swept since. Little things stay behind at those that were (of a coin, what was set aside for
// gas), and they do not count: so what is held is more than what is said here, never less.
//
// With too many addresses only the accounts are asked about. What lies at the addresses is then what the
// books say, less what the rounds over all addresses have found missing.

import type { Chain } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type { HeldDeployment, Holdings, ReservePorts } from "./reserve.ts";
import { listDepositedAddresses } from "./reserve.sql.ts";

/** Not swept yet. With more of them the chain would be busy with us alone. */
const addressesMax = 5_000;
const callsAtOnceMax = 8;

export interface HoldingChain {
  readonly chain: Pick<Chain, "balance">;
  /** that money is sent from or brought to: hot, settlement, treasury */
  readonly accounts: readonly string[];
}

export interface HoldingsPorts {
  readonly database: Database;
  /** by CAIP-2; none: not connected */
  readonly chainOf: (chainId: string) => HoldingChain | undefined;
}

export function chainHoldings({ database, chainOf }: HoldingsPorts): ReservePorts["holdings"] {
  return async ({
    id: deploymentId,
    chainId,
    contractAddress,
  }: HeldDeployment): Promise<Holdings | undefined> => {
    const connected = chainOf(chainId);
    if (connected === undefined) return undefined;
    const { chain, accounts } = connected;
    const rows = await database.run(listDepositedAddresses, {
      deploymentId,
      rowsMax: addressesMax + 1,
    });
    const isWithoutAddresses = rows.length > addressesMax;
    const asked = isWithoutAddresses ? [] : rows.map(({ address }) => address);
    // One may be the other, and what it has counts once. Sweeps go from the first to the last: one
    // that is mined in between counts twice, and is no gap.
    const addresses = Array.from(new Set([...asked, ...accounts]));
    let sum = 0n;
    for (let from = 0; from < addresses.length; from += callsAtOnceMax) {
      const some = addresses.slice(from, from + callsAtOnceMax);
      const balances = await Promise.all(some.map((one) => chain.balance(one, contractAddress)));
      for (const balance of balances) sum += balance;
    }
    return { raw: sum, isWithoutAddresses };
  };
}
