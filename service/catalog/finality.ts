// When a deposit is believed, and from which amount on it is one at all.

import type { CatalogDeployment } from "./model.ts";

export interface Finality {
  /** blocks of the branch from the deposit's own on, that one included */
  readonly confirmations: bigint;
  readonly rule: "depth" | "safe" | "finalized";
  readonly highValueRaw: bigint;
}

/** What is known of a chain at a moment. */
export interface ChainPosition {
  /** the newest block that was read and is known to follow from all before it */
  readonly number: bigint;
  /** undefined: the chain does not say */
  readonly safeNumber: bigint | undefined;
  readonly finalizedNumber: bigint | undefined;
}

export interface FinalUpTo {
  /** the newest block whose deposits are final; below zero: none */
  readonly numberMax: bigint;
  /** the same for high values */
  readonly highNumberMax: bigint;
}

/** Undefined: the catalog does not say when one can be sure, so nobody is. */
export function finalityOf({ capabilities }: CatalogDeployment): Finality | undefined {
  const capability = capabilities.find(
    ({ scope, key }) => scope === "deposit" && key === "finality",
  );
  if (capability === undefined) return undefined;
  if (capability.status !== "supported" && capability.status !== "degraded") return undefined;
  const { confirmations, rule, high_value_raw: highValueRaw } = capability.parameters;
  if (typeof confirmations !== "number" || typeof highValueRaw !== "string") return undefined;
  if (rule !== "depth" && rule !== "safe" && rule !== "finalized") return undefined;
  return { confirmations: BigInt(confirmations), rule, highValueRaw: BigInt(highValueRaw) };
}

/**
 * Our choice: the number of confirmations holds with every rule. With `safe` and `finalized` the
 * chain has to say its word too; a chain that does not say it (any more) makes nothing final. A high
 * value waits for twice the confirmations, and for `finalized` where the rule is `safe`.
 */
export function finalUpTo(finality: Finality, position: ChainPosition): FinalUpTo {
  const { confirmations, rule } = finality;
  const highRule = rule === "safe" ? "finalized" : rule;
  return {
    numberMax: newestFinal(rule, confirmations, position),
    highNumberMax: newestFinal(highRule, 2n * confirmations, position),
  };
}

export interface WatchedPosition extends ChainPosition {
  /** the newest block that was read a second time, with the same result */
  readonly agreedUpTo: bigint;
  /** so many blocks after it a block is read a second time */
  readonly agreedAfter: bigint;
}

/**
 * Of deployments on one chain, as the statements of the watcher take them.
 *
 * Our choice: what was read once is not final, also where the second look has come to a halt
 * (threat 27); but whose rule asks for fewer blocks than come before that look has chosen to
 * believe the first answer, such as on a chain of the developer's own.
 */
export function finalityRules(
  deployments: readonly CatalogDeployment[],
  position: WatchedPosition,
): string {
  const agreed = (numberMax: bigint, confirmations: bigint): bigint =>
    confirmations > position.agreedAfter ? smaller(numberMax, position.agreedUpTo) : numberMax;
  const rules = deployments.flatMap((deployment) => {
    const finality = finalityOf(deployment);
    if (finality === undefined) return [];
    const { confirmations, highValueRaw } = finality;
    const { numberMax, highNumberMax } = finalUpTo(finality, position);
    return {
      deployment_id: deployment.id,
      number_max: agreed(numberMax, confirmations).toString(),
      high_value_raw: highValueRaw.toString(),
      high_number_max: agreed(highNumberMax, 2n * confirmations).toString(),
    };
  });
  return JSON.stringify(rules);
}

function newestFinal(
  rule: Finality["rule"],
  confirmations: bigint,
  { number, safeNumber, finalizedNumber }: ChainPosition,
): bigint {
  const deepEnough = number + 1n - confirmations;
  if (rule === "depth") return deepEnough;
  const said = rule === "safe" ? safeNumber : finalizedNumber;
  return smaller(deepEnough, said ?? -1n);
}

const dustPartOfDue = 10_000n;
const dustPartOfHighValue = 1_000_000n;

/**
 * What is less is no deposit: anybody can send such amounts to anybody for nothing, and they must
 * not change what state a payment is in (threats 76 and 77).
 *
 * Our choice: a ten-thousandth of what is due there, but never more than a millionth of what counts
 * as a high value (a cent, for the dollar coins of the shipped catalog), so that no part of a large
 * payment that somebody may really send is overlooked. Where nothing is due, that millionth. Dust
 * stays at its address and belongs to nobody until an operator looks at it.
 */
export function dustBelow(dueRaw: bigint | undefined, finality: Finality | undefined): bigint {
  const most = finality === undefined ? 1n : finality.highValueRaw / dustPartOfHighValue;
  const least = dueRaw === undefined ? most : smaller(dueRaw / dustPartOfDue, most);
  return least < 1n ? 1n : least;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
