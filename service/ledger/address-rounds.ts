// The addresses of payments that should still have something by the books, each compared with them.
//
// There may be more of them than a chain can be asked about at once. So they are compared in turn: each run
// goes on where the last one ended, in whatever process, and begins again behind the last one. With N of
// them each is compared at least once in N / addressesMax runs, rounded up. What differs is looked at again
// in the next run, and stays found until the two agree, whatever is swept meanwhile.
//
// One that the chain gives no answer for, or where something of ours is on its way, is left out: the round
// goes on, and the next run asks about it again.

import { ServiceError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { OfDeployment } from "./address-rounds.sql.ts";
import {
  listAddressBooks,
  listAddressesAgain,
  moveAddressRound,
  readAddressRound,
  recordAddressDifferences,
  recordAddressesLeftOut,
  sumAddressDifferences,
} from "./address-rounds.sql.ts";

export interface AddressLimits {
  /** in turn, of a deployment in one run: with more of them the chain would be busy with us alone */
  readonly addressesMax: number;
  /** beside them, of those that differed or were left out */
  readonly againMax: number;
}

export const addressLimits: AddressLimits = { addressesMax: 5_000, againMax: 500 };
const callsAtOnceMax = 8;
/** After so many in a row without an answer the chain is away: nothing more is asked. */
const unansweredMax = 3;

interface OfBlock extends OfDeployment {
  readonly blockNumber: bigint;
  /** what has ended since then may have been mined after the block */
  readonly endedSince: Date;
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
  /** nobody can say it now: something is on its way, or the chain gave no answer */
  readonly leftOut: readonly string[];
  /** of them, those without an answer */
  readonly unanswered: number;
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
  held: (address: string) => Promise<bigint>,
): Promise<AddressPage> {
  const [before] = await database.run(readAddressRound, of);
  const after = before?.after_address ?? "";
  const { addressesMax, againMax } = limits;
  // One more says whether the round ends with this page.
  const values = { ...of, after, rowsMax: addressesMax + 1 };
  const rows = await database.run(listAddressBooks, values);
  const inTurn = rows.slice(0, addressesMax);
  const again = await database.run(listAddressesAgain, { ...of, rowsMax: againMax });
  const books = new Map([...inTurn, ...again].map((row) => [row.address, row]));
  const isFree = (address: string) => books.get(address)?.is_under_way === false;
  const { answers, isAway } = await answersOf([...books.keys()].filter(isFree), held);
  // Where the chain went away, the next run goes on behind the last one that was asked about.
  const isOpen = ({ address }: { address: string }) => isFree(address) && !answers.has(address);
  const open = isAway ? inTurn.findIndex(isOpen) : -1;
  const reached = open === -1 ? inTurn : inTurn.slice(0, open);
  const isMore = rows.length > reached.length;
  const looked = new Set([...reached, ...again].map(({ address }) => address));
  const compared: ComparedAddress[] = [];
  const leftOut: string[] = [];
  for (const address of looked) {
    const heldRaw = answers.get(address);
    const bookedRaw = BigInt(books.get(address)?.raw ?? 0);
    if (heldRaw !== undefined) compared.push({ address, heldRaw, bookedRaw });
    else if (answers.has(address) || !isFree(address)) leftOut.push(address);
  }
  const unanswered = leftOut.filter(isFree).length;
  const through = isMore ? (reached.at(-1)?.address ?? after) : "";
  return { ...of, before, through, count: reached.length, compared, leftOut, unanswered };
}

/** Undefined: the chain gave none. Those that are missing were not asked about, since it is away. */
async function answersOf(
  addresses: readonly string[],
  held: (address: string) => Promise<bigint>,
): Promise<{
  readonly answers: ReadonlyMap<string, bigint | undefined>;
  readonly isAway: boolean;
}> {
  const answers = new Map<string, bigint | undefined>();
  let inARow = 0;
  for (let from = 0; from < addresses.length; from += callsAtOnceMax) {
    const some = addresses.slice(from, from + callsAtOnceMax);
    const found = await Promise.all(some.map((one) => unlessAway(held(one))));
    for (const [at, address] of some.entries()) {
      const raw = found[at];
      answers.set(address, raw);
      inARow = raw === undefined ? inARow + 1 : 0;
    }
    if (inARow >= unansweredMax) return { answers, isAway: true };
  }
  return { answers, isAway: false };
}

/** Undefined: the chain gives no answer. */
export async function unlessAway<Found>(finding: Promise<Found>): Promise<Found | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "chain_unavailable") return undefined;
    throw error;
  }
}

/** Moves the round on, and gives what all pages have found. */
export async function recordAddresses(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  page: AddressPage,
): Promise<readonly AddressSum[]> {
  const { deploymentId, blockNumber, compared, leftOut, through, before } = page;
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
      agreeing: agreeing.map(({ address }) => address),
    });
    await inside.run(recordAddressesLeftOut, {
      deploymentId,
      now,
      compared: compared.map(({ address }) => address),
      leftOut,
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
