// What our accounts hold, and what the books say, as of one block: the newest that the watcher has read
// twice.
//
// The books are made those of that block: what they do not have yet and is mined by then is added, by
// its receipt or its deposit, and what they have already and was mined later is taken off. So nothing
// that is under way makes a difference.
//
// Of the addresses of payments a page is compared beside: `compareNextAddresses` says which. Whatever becomes
// of it, the accounts are compared.

import { checksumAddress } from "../evm-address.ts";
import type { OwnAccountRole } from "../database/words.ts";
import type { Chain } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import { listOwnAccounts, readAgreedBlock, readBooks } from "./account-check.sql.ts";
import { measuredRaw, movedRaw } from "./account-moves.ts";
import { compareNextAddresses } from "./address-rounds.ts";
import type { AddressLimits, AddressPage } from "./address-rounds.ts";
import { holdersOf } from "./own-money.ts";

const unsettledMax = 500;
const callsAtOnceMax = 8;
/** By how much the clocks of chains and processes may differ. */
const skewMilliseconds = 120_000;

export type CheckedChain = Pick<Chain, "balanceAt" | "agreedBalanceAt" | "block" | "receipt">;

export interface NamedAccount {
  readonly account: string;
  readonly role: OwnAccountRole;
}

/** A deployment on its chain. */
export interface Checked {
  readonly deploymentId: string;
  /** CAIP-2 */
  readonly chainId: string;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  /** what its logs say is not believed */
  readonly isMeasured: boolean;
}

export interface ComparedAccount {
  /** such as `hot`; `hot+treasury`: one address is both */
  readonly account: string;
  readonly heldRaw: bigint;
  readonly bookedRaw: bigint;
}

export interface Comparison {
  readonly blockNumber: bigint;
  readonly accounts: readonly ComparedAccount[];
  readonly addresses: AddressPage;
}

export interface ComparisonPorts {
  readonly database: Database;
  /** which this process knows; the database knows those of before too */
  readonly own: readonly NamedAccount[];
  readonly limits: AddressLimits;
}

interface Moment {
  readonly number: bigint;
  readonly hash: string;
  readonly time: Date;
}

/** What has ended before was mined by then. */
function endedSince({ time }: Moment): Date {
  return new Date(time.getTime() - skewMilliseconds);
}

export class AccountComparison {
  readonly #ports: ComparisonPorts;

  constructor(ports: ComparisonPorts) {
    this.#ports = ports;
  }

  /**
   * Undefined: the chain was not read yet, or more is on its way than can be asked about. Throws
   * `chain_unavailable`.
   */
  async compare(checked: Checked, chain: CheckedChain): Promise<Comparison | undefined> {
    const { deploymentId, chainId } = checked;
    const [block] = await this.#ports.database.run(readAgreedBlock, { chainId });
    if (block === undefined) return undefined;
    const moment = { number: block.block_number, hash: block.block_hash, time: block.block_time };
    const held = heldAt(chain, checked.contractAddress, moment.hash);
    const own = await this.#compareOwn(checked, { chain, moment, held });
    if (own === undefined) return undefined;
    const addresses = await compareNextAddresses(
      this.#ports,
      {
        deploymentId,
        chainId,
        isCoin: checked.contractAddress === null,
        blockNumber: moment.number,
        endedSince: endedSince(moment),
      },
      (address) => chain.balanceAt(address, checked.contractAddress, moment.hash),
    );
    return { blockNumber: moment.number, accounts: own, addresses };
  }

  async #compareOwn(
    { chainId, deploymentId, contractAddress, isMeasured }: Checked,
    look: { readonly chain: CheckedChain; readonly moment: Moment; readonly held: Held },
  ): Promise<readonly ComparedAccount[] | undefined> {
    const { chain, moment, held } = look;
    const { database, own } = this.#ports;
    const [books] = await database.run(readBooks, {
      chainId,
      deploymentId,
      blockNumber: moment.number,
      endedSince: endedSince(moment),
      rowsMax: unsettledMax + 1,
    });
    if (books === undefined || books.unsettled.length > unsettledMax) return undefined;
    const mined = await minedOf(chain, books.unsettled);
    const groups = groupsOf([...own, ...(await database.run(listOwnAccounts, {}))]);
    const ports = { database, chain };
    const compared: ComparedAccount[] = [];
    for (const { roles, addresses } of groups) {
      const kinds = new Set(Array.from(roles, (role) => holdersOf(role)).flat());
      let bookedRaw = roles.has("settlement") ? BigInt(books.arriving_raw) : 0n;
      for (const { kind, raw } of books.balances) if (kinds.has(kind)) bookedRaw += BigInt(raw);
      for (const move of mined) {
        const isMinedByThen = move.receipt.block.number <= moment.number;
        if (isMinedByThen === move.isBooked) continue;
        const raw =
          isMeasured && contractAddress !== null
            ? await measuredRaw(ports, move, { contractAddress, addresses })
            : movedRaw(move, contractAddress, addresses);
        bookedRaw += isMinedByThen ? raw : -raw;
      }
      const balances = await held(Array.from(addresses, (one) => checksumAddress(one)));
      const heldRaw = balances.reduce((sum, one) => sum + one, 0n);
      compared.push({ account: [...roles].toSorted().join("+"), heldRaw, bookedRaw });
    }
    return compared;
  }
}

type Held = (addresses: readonly string[]) => Promise<readonly bigint[]>;

function heldAt(chain: CheckedChain, contractAddress: string | null, blockHash: string): Held {
  return async (addresses) => {
    const balances: bigint[] = [];
    for (let from = 0; from < addresses.length; from += callsAtOnceMax) {
      const some = addresses.slice(from, from + callsAtOnceMax);
      balances.push(
        ...(await Promise.all(some.map((one) => chain.balanceAt(one, contractAddress, blockHash)))),
      );
    }
    return balances;
  };
}

type UnsettledRow = NonNullable<(typeof readBooks)["row"]>["unsettled"][number];

/** Of those that are mined, whatever the depth. */
async function minedOf(chain: CheckedChain, rows: readonly UnsettledRow[]) {
  const found = [];
  for (const { account, action, sends_nothing: sendsNothing, is_booked, tx_hashes } of rows) {
    for (const txHash of tx_hashes) {
      const receipt = await chain.receipt(txHash);
      if (receipt === undefined) continue;
      found.push({ account, action, sendsNothing, isBooked: is_booked, receipt });
      break;
    }
  }
  return found;
}

interface AccountGroup {
  readonly roles: Set<OwnAccountRole>;
  /** in lower case */
  readonly addresses: Set<string>;
}

/** Accounts with one address are one, and so are those with one role: the books have one line for both. */
function groupsOf(accounts: readonly NamedAccount[]): readonly AccountGroup[] {
  let groups: readonly AccountGroup[] = [];
  for (const { account, role } of accounts) {
    const address = account.toLowerCase();
    const isSame = (one: AccountGroup) => one.roles.has(role) || one.addresses.has(address);
    const same = groups.filter(isSame);
    const roles = new Set([role, ...same.flatMap((one) => [...one.roles])]);
    const addresses = new Set([address, ...same.flatMap((one) => [...one.addresses])]);
    groups = [...groups.filter((one) => !isSame(one)), { roles, addresses }];
  }
  return groups;
}
