// What the chain says of an authorization before anything is stored or sent. What would fail is
// refused here, for nothing: a transaction that fails costs us its gas (threat 49).

import { ServiceError } from "../errors.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { Database } from "../ports/database.ts";
import type { AuthorizationState, Estimate } from "../ports/settlement-chain.ts";
import type { ChainAction } from "../ports/signer.ts";
import { findUse } from "./chain-view.ts";
import { findAuthorizationOwner } from "./nonces.sql.ts";
import { findBlockBefore, countPayerFailures } from "./reconciler.sql.ts";
import type { X402Chain } from "./chain-view.ts";
import type { CheckedAuthorization } from "./model.ts";
import { x402Refusal } from "./refusals.ts";
import type { X402Code } from "./refusals.ts";

/** Who made us pay for so many failed transactions in an hour waits until that hour is over. */
const payerFailuresMax = 3;
const payerWindowMilliseconds = 3_600_000;
/** Where no block of the payment's time is known, a use is looked for in so many before the head. */
const searchedBlocks = 5_000n;
/** Clocks of chains and ours. */
const clocksApartMilliseconds = 600_000;

type Ports = StoragePorts;

/** Throws `rate_limited`. Our choice: by payer and chain, whichever merchant asks. */
export async function checkPayer(
  { database, clock }: Ports,
  { chainId, authorization }: CheckedAuthorization,
): Promise<void> {
  const now = clock.nowMilliseconds();
  const since = new Date(now - payerWindowMilliseconds);
  const values = { chainId, payer: authorization.from, since };
  const [row] = await database.run(countPayerFailures, values);
  if (row === undefined || Number(row.count) < payerFailuresMax) return;
  const freeAt = (row.last?.getTime() ?? now) + payerWindowMilliseconds;
  throw new ServiceError(
    "rate_limited",
    "Too many authorizations of this payer have failed on the chain. Try again later.",
    {
      details: { policy: "x402_payer" },
      retryAfterSeconds: Math.max(1, (freeAt - now) / 1000),
    },
  );
}

/**
 * Throws `x402_nonce_mismatch` where another payment's nonce was signed, and `x402_authorization_used` where it was handed
 * in for another one before.
 */
export async function checkOwner(
  database: Database,
  { scheme, chainId, deploymentId, authorization }: CheckedAuthorization,
  paymentId: string,
): Promise<void> {
  const { from: payer, nonce, method } = authorization;
  const of = { paymentId, chainId, deploymentId, payer, nonce };
  const [owner] = await database.run(findAuthorizationOwner, of);
  if (owner === undefined || owner.payment_id === paymentId) return;
  const code = owner.is_named ? "x402_nonce_mismatch" : "x402_authorization_used";
  throw x402Refusal(code, { scheme, method });
}

/** usedIn: somebody has submitted it already, and its money is with us (threat 43). */
export interface Standing {
  readonly usedIn: string | undefined;
}

export interface Checking {
  readonly checked: CheckedAuthorization;
  /** what would be moved */
  readonly amountRaw: bigint;
  readonly fromBlock: bigint;
}

export async function checkOnChain(
  database: Database,
  { chain, settlementAddress }: X402Chain,
  { checked, amountRaw, fromBlock }: Checking,
): Promise<Standing> {
  const { authorization } = checked;
  const action = settleAction(checked, amountRaw);
  const [state, estimate] = await Promise.all([
    chain.authorizationState(authorization),
    chain.estimate(settlementAddress, action),
  ]);
  const kind = { scheme: checked.scheme, method: authorization.method };
  if (state.isUsed) {
    const { deploymentId } = checked;
    const use = await findUse(database, chain, { authorization, deploymentId, fromBlock });
    if (use?.kind === "settled") return { usedIn: use.txHash };
    if (use === undefined) throw x402Refusal("x402_authorization_used", kind);
    throw x402Refusal("x402_authorization_cancelled", kind, { tx_hash: use.txHash });
  }
  const code = refusalOf(state, estimate, amountRaw);
  if (code === undefined) return { usedIn: undefined };
  const cause = estimate.isPossible ? undefined : new Error(estimate.text);
  throw x402Refusal(code, kind, { cause });
}

/**
 * By what is so, never by what a node says: tokens word their refusals as they like. Undefined: it
 * would work now.
 */
export function refusalOf(
  state: AuthorizationState,
  estimate: Estimate,
  amountRaw: bigint,
): X402Code | undefined {
  if (state.balanceRaw < amountRaw) return "x402_insufficient_funds";
  if (state.allowanceRaw !== null && state.allowanceRaw < amountRaw) {
    return "x402_allowance_required";
  }
  return estimate.isPossible ? undefined : "x402_simulation_failed";
}

export function settleAction(
  { authorization, domain, signature }: Omit<CheckedAuthorization, "scheme">,
  amountRaw: bigint,
): ChainAction {
  return { kind: "settle", signed: { authorization, domain, signature }, amountRaw };
}

/** Not before the payment was made: what was used then was for something else. */
export async function searchFrom(
  database: Database,
  chainId: string,
  { createdAt, headNumber }: { readonly createdAt: Date; readonly headNumber: bigint },
): Promise<bigint> {
  const since = new Date(createdAt.getTime() - clocksApartMilliseconds);
  const [row] = await database.run(findBlockBefore, { chainId, since });
  const number = row?.number ?? null;
  if (number !== null) return number;
  return headNumber > searchedBlocks ? headNumber - searchedBlocks : 0n;
}
