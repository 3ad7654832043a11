// What each operation asks of its caller: scope and rate limit, from the contract's extensions.
// Types and routes have no place for extensions, so they are read from the document itself, once.

import { documentText } from "../generated/document.ts";
import type { OperationAccess } from "../service/merchants/authentication.ts";
import type { OperationPolicy } from "../service/ports/rate-limits.ts";

const policies: readonly OperationPolicy[] = ["read", "write", "money"];

/** By operationId. Throws when an operation names no scope or no policy: nothing is open by chance. */
export function readOperationAccess(): ReadonlyMap<string, OperationAccess> {
  // JSON.parse gives no type; every member that is used is looked at below.
  const { paths } = JSON.parse(documentText) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const found = new Map<string, OperationAccess>();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    if (typeof operation !== "object" || operation === null) continue;
    if (!("operationId" in operation)) continue;
    found.set(String(operation.operationId), accessOf(operation));
  }
  return found;
}

function accessOf(operation: { readonly operationId: unknown }): OperationAccess {
  const scope: unknown = Reflect.get(operation, "x-required-scope");
  const named: unknown = Reflect.get(operation, "x-rate-limit-policy");
  const policy = policies.find((one) => one === named);
  if (typeof scope === "string" && policy !== undefined) return { requiredScope: scope, policy };
  const id = String(operation.operationId);
  throw new Error(`${id} needs x-required-scope, and x-rate-limit-policy: ${policies.join(", ")}`);
}
