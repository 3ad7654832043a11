// The addresses of payments that deposits came to and nothing of ours has touched yet, each compared with
// its deposits.
//
// There may be more of them than a chain can be asked about at once. So they are compared in turn: each run
// goes on where the last one ended, in whatever process, and begins again behind the last one. With N of
// them each is compared at least once in N / addressesMax runs, rounded up. What differs is looked at again
// in the next run, and stays found until the two agree or the address is touched.

import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import {
  listDifferingAddresses,
  listUntouchedAddresses,
  moveAddressRound,
  readAddressRound,
  recordAddressDifferences,
  sumAddressDifferences,
} from "./address-rounds.sql.ts";

export interface AddressLimits {
  /** in turn, of a deployment in one run: with more of them the chain would be busy with us alone */
  readonly addressesMax: number;
  /** beside them, of those that differed */
  readonly againMax: number;
}

export const addressLimits: AddressLimits = { addressesMax: 5_000, againMax: 500 };

interface OfBlock {
  readonly deploymentId: string;
  /** CAIP-2 */
  readonly chainId: string;
  readonly blockNumber: bigint;
}

interface ComparedAddress {
  readonly address: string;
  readonly heldRaw: bigint;
  readonly bookedRaw: bigint;
}

type RoundRow = NonNullable<(typeof readAddressRound)["row"]>;

/** What one run has compared, as of its block. */
export interface AddressPage extends OfBlock {
  /** as it was before; none: nothing was ever compared */
  readonly before: RoundRow | undefined;
  /** the last one in turn; empty: none is behind it */
  readonly through: string;
  /** in turn */
  readonly count: number;
  readonly compared: readonly ComparedAddress[];
  /** those that differed and do not count any more */
  readonly touched: readonly string[];
}

export interface AddressSum {
  readonly account: "deposit_addresses" | "deposit_addresses_with_less";
  readonly heldRaw: bigint;
  readonly bookedRaw: bigint;
}

/** Writes nothing. */
export async function compareNextAddresses(
  { database, limits }: { readonly database: Database; readonly limits: AddressLimits },
  of: OfBlock,
  held: (addresses: readonly string[]) => Promise<readonly bigint[]>,
): Promise<AddressPage> {
  const [before] = await database.run(readAddressRound, of);
  const after = before?.after_address ?? "";
  const { addressesMax, againMax } = limits;
  // One more says whether the round ends with this page.
  const values = { ...of, after, rowsMax: addressesMax + 1 };
  const rows = await database.run(listUntouchedAddresses, values);
  const inTurn = rows.slice(0, addressesMax);
  const again = await database.run(listDifferingAddresses, { ...of, rowsMax: againMax });
  const bookedRaw = new Map<string, bigint>();
  for (const { address, raw } of [...inTurn, ...again]) {
    if (raw !== null) bookedRaw.set(address, BigInt(raw));
  }
  const addresses = [...bookedRaw.keys()];
  const balances = await held(addresses);
  return {
    ...of,
    before,
    through: rows.length > inTurn.length ? (inTurn.at(-1)?.address ?? "") : "",
    count: inTurn.length,
    compared: addresses.map((address, at) => ({
      address,
      heldRaw: balances[at] ?? 0n,
      bookedRaw: bookedRaw.get(address) ?? 0n,
    })),
    touched: again.filter(({ raw }) => raw === null).map(({ address }) => address),
  };
}

/** Moves the round on, and gives what all pages have found. */
export async function recordAddresses(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  page: AddressPage,
): Promise<readonly AddressSum[]> {
  const { deploymentId, blockNumber, compared, touched, through, before } = page;
  const now = clock.now();
  const differing = compared.filter(({ heldRaw, bookedRaw }) => heldRaw !== bookedRaw);
  const agreeing = compared.filter(({ heldRaw, bookedRaw }) => heldRaw === bookedRaw);
  const sums = await database.transaction(async (inside) => {
    await inside.run(recordAddressDifferences, {
      deploymentId,
      blockNumber,
      now,
      differing: JSON.stringify(
        differing.map(({ address, heldRaw, bookedRaw }) => {
          return { address, held_raw: heldRaw.toString(), booked_raw: bookedRaw.toString() };
        }),
      ),
      agreeing: [...touched, ...agreeing.map(({ address }) => address)],
    });
    const after = before?.after_address ?? "";
    await inside.run(moveAddressRound, { deploymentId, after, through, ...nextRound(page, now) });
    return await inside.run(sumAddressDifferences, { deploymentId });
  });
  return ([false, true] as const).map((isLess) => {
    const sum = sums.find((one) => one.is_less === isLess);
    return {
      account: isLess ? "deposit_addresses_with_less" : "deposit_addresses",
      heldRaw: BigInt(sum?.held ?? 0),
      bookedRaw: BigInt(sum?.booked ?? 0),
    };
  });
}

function nextRound({ before, through, count }: AddressPage, now: Date) {
  const startedAt = before?.started_at ?? now;
  const runs = (before?.runs ?? 0) + 1;
  const addresses = (before?.addresses ?? 0n) + BigInt(count);
  if (through !== "") {
    const last = {
      lastStartedAt: before?.last_started_at ?? null,
      lastEndedAt: before?.last_ended_at ?? null,
      lastRuns: before?.last_runs ?? null,
      lastAddresses: before?.last_addresses ?? null,
    };
    return { startedAt, runs, addresses, ...last };
  }
  const last = { lastStartedAt: startedAt, lastEndedAt: now, lastRuns: runs };
  return { startedAt: null, runs: 0, addresses: 0n, ...last, lastAddresses: addresses };
}
