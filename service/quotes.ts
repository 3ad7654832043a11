// The prices of a payment, as they were agreed.

import type { Deployment } from "./catalog-model.ts";

/** In one currency; a payment keeps it as it was when it was created. */
export interface QuotedCurrency {
  readonly currencyId: string;
  /** canonical decimal text */
  readonly amount: string;
  readonly code: string;
  readonly symbol: string;
  readonly name: string;
  readonly deployments: readonly QuotedDeployment[];
}

export interface QuotedDeployment {
  readonly deploymentId: string;
  /** CAIP-2 */
  readonly chainId: string;
  readonly chainFamily: Deployment["chainFamily"];
  readonly decimals: number;
  /** smallest units, as decimal text: it is kept as JSON */
  readonly rawAmount: string;
  readonly assetKind: Deployment["assetKind"];
  readonly tokenStandard: Deployment["tokenStandard"];
  readonly contractAddress: string | null;
}
