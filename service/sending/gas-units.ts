// How many units of gas a transaction of ours is signed with.

import type { Estimate } from "../ports/settlement-chain.ts";
import type { ChainAction } from "../ports/signer.ts";

/** More than anything takes that we send; what takes more is not sent. */
const mostGasUnits = 600_000n;
/** Of what was not estimated: some tokens, and contracts that take coin, need as much. */
const tokenGasUnits = 100_000n;
const coinGasUnits = 60_000n;
const otherGasUnits = 260_000n;
/** There the units also pay for the data on the chain below, and rise with its prices. */
const chainsWithDataGas = new Set(["eip155:42161", "eip155:421614"]);
const dataGasUnits = 1_000_000n;

/** The next block may see another state, which takes a little more. */
export function withMargin(chainId: string, gasUnits: bigint): bigint {
  const more = (gasUnits * 13n + 9n) / 10n;
  const most = gasUnitsMost(chainId);
  return more > most ? most : more;
}

function gasUnitsMost(chainId: string): bigint {
  return withDataGas(chainId, mostGasUnits);
}

/** Undefined, or impossible: nobody can say what it takes, or it fails and that is spent on the way. */
export function gasUnitsOf(
  chainId: string,
  action: ChainAction,
  estimate: Estimate | undefined,
): bigint {
  if (estimate?.isPossible === true) return withMargin(chainId, estimate.gasUnits);
  if (action.kind !== "transfer") return withDataGas(chainId, otherGasUnits);
  return withDataGas(chainId, action.contractAddress === null ? coinGasUnits : tokenGasUnits);
}

/** Undefined: it can be sent. */
export function impossibleText(chainId: string, estimate: Estimate): string | undefined {
  if (!estimate.isPossible) return estimate.text;
  if (estimate.gasUnits <= gasUnitsMost(chainId)) return undefined;
  return `it would take ${estimate.gasUnits} units of gas`;
}

function withDataGas(chainId: string, gasUnits: bigint): bigint {
  return chainsWithDataGas.has(chainId) ? gasUnits + dataGasUnits : gasUnits;
}
