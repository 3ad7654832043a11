// What each operation asks of its caller: scope and rate limit, from the contract's extensions.

import { operations } from "../generated/app.ts";
import type { Operation } from "../generated/runtime/runtime.ts";
import type { OperationAccess } from "../service/merchants/authentication.ts";
import type { OperationPolicy } from "../service/ports/rate-limits.ts";

const policies: readonly OperationPolicy[] = ["read", "write", "money"];

/** By operationId. Throws when an operation names no scope or no policy: nothing is open by chance. */
export function readOperationAccess(): ReadonlyMap<string, OperationAccess> {
  return new Map(operations.map((one) => [one.operationId, accessOf(one)]));
}

function accessOf({ operationId, extensions = {} }: Operation): OperationAccess {
  const scope = extensions["x-required-scope"];
  const named = extensions["x-rate-limit-policy"];
  const policy = policies.find((one) => one === named);
  if (typeof scope === "string" && policy !== undefined) return { requiredScope: scope, policy };
  const wanted = `x-required-scope, and x-rate-limit-policy: ${policies.join(", ")}`;
  throw new Error(`${operationId} needs ${wanted}`);
}
