// Deciding about a withdrawal: in memory, from what was read in one round trip.

import assert from "node:assert";
import { rawAmountMax } from "../amounts.ts";
import { ServiceError } from "../errors.ts";
import type { ServiceErrorCode } from "../errors.ts";
import type { WithdrawalFacts } from "./facts.sql.ts";
import { withdrawAddressStatus } from "./address-model.ts";

/** Where the money comes from and goes to, and what that costs. */
export interface WithdrawalPlace {
  readonly currencyId: string;
  readonly deploymentId: string;
  readonly chainId: string;
  readonly contractAddress: string | null;
  readonly decimals: number;
  readonly withdrawAddressId: string;
  readonly address: string;
  /** The API key that asks may be used from some addresses only. */
  readonly isKeyBound: boolean;
  /** Our choice: a deployment whose fee the operator has not set costs nothing. */
  readonly feeRaw: bigint;
  readonly feeVersion: bigint | null;
  readonly singleMaxRaw: bigint | null;
  readonly dailyMaxRaw: bigint | null;
  readonly availableRaw: bigint;
}

export interface Refused {
  readonly refused: ServiceErrorCode;
  readonly message: string;
  /** `pointer`: the member of the body that it is about, the same for withdrawals and schedules */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** When, and by whom it is looked at. */
export interface PlaceView {
  readonly now: Date;
  /** undefined: whoever asks knows that the chain is there */
  readonly watchedChainIds: ReadonlySet<string> | undefined;
}

/**
 * Refused, in this order: `currency_not_found`, `chain_not_accepted`, `ip_not_allowed` (a key without
 * address ranges, on a main network), `insufficient_scope` (a live key that could have registered the
 * address itself), `withdrawals_disabled` (also on a chain that nobody watches, where money would lie
 * for ever), `withdraw_address_not_found`,
 * `withdraw_address_chain_mismatch`, `withdraw_address_inactive`. It holds for a withdrawal, for making
 * a payout schedule, and for each of its runs.
 *
 * Our choice: money that may not leave right now (a frozen deployment, as much as a merchant owes, stopped
 * withdrawals) can still be asked for. The withdrawal waits as `pending`, and can be cancelled.
 */
export function placeOf(
  facts: WithdrawalFacts,
  { now, watchedChainIds }: PlaceView,
): WithdrawalPlace | Refused {
  const { deployment_id: deploymentId, chain_id: chainId, decimals } = facts;
  if (facts.currency_id === null) return unknownCurrency;
  if (deploymentId === null || chainId === null || decimals === null) return unknownChain;
  const unable = refusedKey(facts) ?? refusedChain(facts, chainId, watchedChainIds);
  if (unable !== undefined) return unable;
  const { address, address_id: withdrawAddressId } = facts;
  if (address === null || withdrawAddressId === null) return unknownAddress;
  const unusable = refusedAddress(facts, chainId, now);
  if (unusable !== undefined) return unusable;
  return {
    currencyId: facts.currency_id,
    deploymentId,
    chainId,
    contractAddress: facts.contract_address,
    decimals,
    withdrawAddressId,
    address,
    isKeyBound: facts.is_key_bound,
    feeRaw: BigInt(facts.fee_raw ?? 0),
    feeVersion: facts.fee_version,
    singleMaxRaw: rawOrNull(facts.single_max_raw),
    dailyMaxRaw: rawOrNull(facts.daily_max_raw),
    availableRaw: BigInt(facts.available_raw),
  };
}

/** What a body names of a place; undefined: it is not known. */
export interface NamedPlace {
  readonly currencyId: string | undefined;
  readonly chainId: string | undefined;
  readonly withdrawAddressId: string | undefined;
}

/**
 * What `placeOf` would refuse of what is named, each with its place in the body. What a key may not do
 * at all ends it: then nothing is said of addresses.
 */
export function placeProblems(
  facts: WithdrawalFacts,
  { now, watchedChainIds }: PlaceView,
  named: NamedPlace,
): readonly ServiceError[] {
  const problems: ServiceError[] = [];
  const add = (problem: Refused | undefined): void => {
    if (problem !== undefined) problems.push(errorOfRefused(problem));
  };
  const { currency_id: currencyId, chain_id: chainId } = facts;
  if (named.currencyId !== undefined && currencyId === null) add(unknownCurrency);
  const isChainJudged = named.chainId !== undefined && currencyId !== null;
  if (isChainJudged && chainId === null) add(unknownChain);
  if (refusedKey(facts) !== undefined) return problems;
  if (chainId !== null) add(refusedChain(facts, chainId, watchedChainIds));
  if (named.withdrawAddressId === undefined) return problems;
  add(refusedAddress(facts, chainId, now));
  return problems;
}

const atCurrency = { pointer: "/currency_id" };
const atChain = { pointer: "/target_chain_id" };
const atAddress = { pointer: "/withdraw_address_id" };

const unknownCurrency = refused(
  "currency_not_found",
  "The currency is not in the catalog.",
  atCurrency,
);
const unknownChain = refused("chain_not_accepted", "The currency is not on this chain.", atChain);
const unknownAddress = refused(
  "withdraw_address_not_found",
  "There is no withdraw address with this id.",
  atAddress,
);

function refusedChain(
  facts: WithdrawalFacts,
  chainId: string,
  watchedChainIds: PlaceView["watchedChainIds"],
): Refused | undefined {
  if (facts.withdrawal_enabled !== true || facts.currency_status === "disabled") {
    const message = "Withdrawals of this currency are off on this chain.";
    return refused("withdrawals_disabled", message, { ...atChain, chain_id: chainId });
  }
  if (watchedChainIds?.has(chainId) !== false) return undefined;
  const message = "This server sends nothing on this chain: ask its operator to connect it.";
  const details = { ...atChain, chain_id: chainId, reason: "chain_not_watched" };
  return refused("withdrawals_disabled", message, details);
}

/** Null: the chain is not known. */
function refusedAddress(
  facts: WithdrawalFacts,
  chainId: string | null,
  now: Date,
): Refused | undefined {
  const { activates_at: activatesAt } = facts;
  if (activatesAt === null) return unknownAddress;
  if (chainId !== null && facts.address_chain_id !== chainId) {
    const message = "The withdraw address belongs to another chain.";
    return refused("withdraw_address_chain_mismatch", message, atAddress);
  }
  if (facts.is_not_payable) {
    const message = "Funds cannot be withdrawn to this address any more.";
    return refused("withdraw_address_inactive", message, atAddress);
  }
  const status = withdrawAddressStatus({ activatesAt, disabledAt: facts.disabled_at }, now);
  if (status === "active") return undefined;
  const details = { ...atAddress, status, activates_at: activatesAt.toISOString() };
  return refused("withdraw_address_inactive", "The withdraw address is not active.", details);
}

/** Keys are issued by these rules. Some are older, or are used on another network than was thought of. */
function refusedKey(facts: WithdrawalFacts): Refused | undefined {
  if (facts.is_test_network !== true && !facts.is_key_bound) {
    const message = "On main networks money leaves only by keys that are bound to addresses.";
    return refused("ip_not_allowed", message);
  }
  if (!facts.is_key_greedy) return undefined;
  const message =
    "A live key that may register withdraw addresses may not move money: use another.";
  return refused("insufficient_scope", message, { excluded_scope: "withdraw_addresses:write" });
}

/**
 * Refused: `amount_too_large`, `insufficient_balance`. Our choice: there is no least amount, since
 * the fee comes on top and covers what sending costs.
 */
export function checkBalance(place: WithdrawalPlace, sendAmountRaw: bigint): Refused | undefined {
  assert(sendAmountRaw > 0n, "an amount of nothing was let through");
  const { feeRaw, availableRaw } = place;
  const requiredRaw = sendAmountRaw + feeRaw;
  if (requiredRaw > rawAmountMax) {
    const message = "Amount and fee are above 2^256-1 units.";
    return refused("amount_too_large", message, { pointer: "/amount" });
  }
  if (requiredRaw <= availableRaw) return undefined;
  const message = "The available balance does not cover the amount and the fee.";
  return refused("insufficient_balance", message, {
    pointer: "/amount",
    available_raw: availableRaw.toString(),
    required_raw: requiredRaw.toString(),
  });
}

export function errorOfRefused({ refused: code, message, details }: Refused): ServiceError {
  return new ServiceError(code, message, details === undefined ? {} : { details });
}

function refused(
  code: ServiceErrorCode,
  message: string,
  details: NonNullable<Refused["details"]> = {},
): Refused {
  return { refused: code, message, details };
}

function rawOrNull(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
