// Tokens that may keep a part of what is sent, or take more of it from the sender.

import type { Capability, CatalogDeployment } from "./model.ts";

/**
 * What a log says is not believed there. Our choice: by the scope of deposits or of withdrawals alike,
 * and whatever the status, unless that says that there is no such fee.
 */
export function mayKeepPart({
  capabilities,
}: {
  readonly capabilities: readonly Pick<Capability, "key" | "status">[];
}): boolean {
  return capabilities.some(({ key, status }) => key === "transfer_fee" && status !== "unsupported");
}

/** The same of what is in the catalog; undefined: it is not there. */
export function isMeasured(
  deployments: readonly Pick<CatalogDeployment, "id" | "capabilities">[],
  deploymentId: string,
): boolean {
  const found = deployments.find(({ id }) => id === deploymentId);
  return found !== undefined && mayKeepPart(found);
}
