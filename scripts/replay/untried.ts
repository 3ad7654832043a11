// Why a promised answer was not tried: each is named with its reason, and none is counted as met.

import { type Cell, nameOf } from "../../generator/suite/cells.ts";
import { operationBy } from "../../test/support/contract-resources.ts";
import { serverRow, type Session } from "./session.ts";

export interface Tried extends Pick<Session, "lacking" | "meant" | "unplayed" | "stopped"> {
  readonly isWhole: boolean;
}

const byCode: Readonly<Record<string, string>> = {
  internal_error: "only a fault of the server answers so",
  service_unavailable: "only while the database is away",
  chain_unavailable: "only while a chain is away",
  rate_limited: "would use up the rate of the key",
  ip_not_allowed: "needs a key that is bound to other addresses",
  merchant_suspended: "needs a suspended merchant",
  insufficient_scope: "needs a key without the scope",
  idempotency_in_progress: "needs two requests at the same moment, which is nobody's to choose",
  idempotency_key_expired: "comes days after the first request",
  endpoint_limit_reached: "needs 20 endpoints, and none can be taken away",
  request_timeout: "waits for the server's own limit of time",
  headers_too_large: "what stands in front of the server may answer itself",
  not_implemented: "what stands in front of the server may answer itself",
};

const needsMoney = "needs money of the merchant, on its balance or on a chain";
const needsChain = "needs a payer's money and signature on a chain";
const byOperation: Readonly<Record<string, string>> = {
  cancelWithdrawal: needsMoney,
  cancelSubscription: "no operation makes a subscription: give --subscription ID, which ends it",
};

/** Undefined: it was in reach. */
export function whyUntried(cell: Cell, tried: Tried): string | undefined {
  const { operation, code = "" } = cell;
  const { isWhole, lacking, meant, unplayed } = tried;
  const scope = lacking.get(operation);
  if (scope !== undefined) return `the key lacks the scope ${scope}`;
  const known = unplayed.get(nameOf(cell));
  if (known !== undefined) return known;
  if (meant.has(nameOf(cell))) return undefined;
  if (byCode[code] !== undefined) return byCode[code];
  if (operation === serverRow) return "what stands in front of the server may answer itself";
  return isWhole ? wholeReason(cell, tried) : "would write, or needs what was written: see --all";
}

function wholeReason({ operation, status, code = "" }: Cell, { stopped }: Tried): string {
  const [step] = stopped;
  if (step !== undefined) return `a step before it was not answered as it should be (${step})`;
  if (code.startsWith("x402_") || operation === "settleX402Payment") return needsChain;
  if (byOperation[operation] !== undefined) return byOperation[operation];
  const { path } = operationBy(operation);
  return status === 409 || path.startsWith("/v1/withdrawals")
    ? needsMoney
    : "needs a catalog, or other things, that this merchant has not";
}
