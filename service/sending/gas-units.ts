// How many units of gas a transaction of ours is signed with.

import type { Estimate } from "../ports/settlement-chain.ts";
import type { ChainAction } from "../ports/signer.ts";
import type { OutgoingPurpose } from "../database/words.ts";

/** More than anything takes that we send; what takes more is not sent. */
const mostGasUnits = 600_000n;
/**
 * A merchant chooses where a withdrawal goes, and pays the same fee for it whatever it takes; a payer
 * chooses where its money goes back to: a contract that uses up gas on purpose costs us no more than this (threat 49). Operators may set
 * another bound.
 */
const standardWithdrawalGasUnits = 250_000n;
/** Of what was not estimated: some tokens, and contracts that take coin, need as much. */
const tokenGasUnits = 100_000n;
const coinGasUnits = 60_000n;
const otherGasUnits = 260_000n;
/** There the units also pay for the data on the chain below, and rise with its prices. */
const chainsWithDataGas = new Set(["eip155:42161", "eip155:421614"]);
const dataGasUnits = 1_000_000n;

interface Sent {
  readonly chainId: string;
  readonly purpose: OutgoingPurpose;
  /** what a withdrawal may take; undefined: 250,000 units */
  readonly withdrawalGasUnitsMax?: bigint | undefined;
}

/** Why something is not sent. */
export interface Hindrance {
  readonly text: string;
  /** It would succeed, and would take more gas than we give it: trying again changes nothing. */
  readonly isAboveGasLimit: boolean;
}

/** The next block may see another state, which takes a little more. */
export function withMargin(sent: Sent, gasUnits: bigint): bigint {
  const more = (gasUnits * 13n + 9n) / 10n;
  const most = gasUnitsMost(sent);
  return more > most ? most : more;
}

function gasUnitsMost({ chainId, purpose, withdrawalGasUnitsMax }: Sent): bigint {
  if (purpose !== "withdrawal" && purpose !== "refund") return withDataGas(chainId, mostGasUnits);
  return withDataGas(chainId, withdrawalGasUnitsMax ?? standardWithdrawalGasUnits);
}

/** Undefined, or impossible: nobody can say what it takes, or it fails and that is spent on the way. */
export function gasUnitsOf(
  sent: Sent,
  action: ChainAction,
  estimate: Estimate | undefined,
): bigint {
  if (estimate?.isPossible === true) return withMargin(sent, estimate.gasUnits);
  const { chainId } = sent;
  if (action.kind !== "transfer") return withDataGas(chainId, otherGasUnits);
  return withDataGas(chainId, action.contractAddress === null ? coinGasUnits : tokenGasUnits);
}

/** Undefined: it can be sent. */
export function hindranceOf(sent: Sent, estimate: Estimate): Hindrance | undefined {
  if (!estimate.isPossible) return { text: estimate.text, isAboveGasLimit: false };
  const most = gasUnitsMost(sent);
  if (estimate.gasUnits <= most) return undefined;
  const text = `it would take ${estimate.gasUnits} units of gas, and may take ${most}`;
  return { text, isAboveGasLimit: true };
}

function withDataGas(chainId: string, gasUnits: bigint): bigint {
  return chainsWithDataGas.has(chainId) ? gasUnits + dataGasUnits : gasUnits;
}
