// What the chains hold for us: our accounts, and the addresses that deposits arrived at and that were
// not swept since. Little things stay behind at those that were (of a coin, what was set aside for
// gas), and they do not count: so what is held is more than what is said here, never less.
//
// With too many addresses only those are asked about that something is on its way from: of the others the books
// and the rounds over all addresses say what lies there.

import type { Chain } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type { HeldDeployment, Holdings, ReservePorts } from "./reserve.ts";
import { listDepositedAddresses, listSweepingAddresses } from "./reserve.sql.ts";

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
    const values = { deploymentId, rowsMax: addressesMax + 1 };
    const all = await database.run(listDepositedAddresses, values);
    const isMany = all.length > addressesMax;
    const rows = isMany ? await database.run(listSweepingAddresses, values) : all;
    if (rows.length > addressesMax) return undefined;
    const asked = rows.map(({ address }) => address);
    // One may be the other, and what it has counts once. Sweeps go from the first to the last: one
    // that is mined in between counts twice, and is no gap.
    const addresses = Array.from(new Set([...asked, ...accounts]));
    let sum = 0n;
    for (let from = 0; from < addresses.length; from += callsAtOnceMax) {
      const some = addresses.slice(from, from + callsAtOnceMax);
      const balances = await Promise.all(some.map((one) => chain.balance(one, contractAddress)));
      for (const balance of balances) sum += balance;
    }
    return isMany ? { raw: sum, asked: addresses } : { raw: sum };
  };
}
