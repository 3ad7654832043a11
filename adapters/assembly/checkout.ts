// Puts together what the checkout pages are built with: which chains they offer, where their addresses
// come from, and what x402 may be told.

import type { CatalogReader } from "../../service/catalog/catalog.ts";
import { Checkout } from "../../service/checkout/checkout.ts";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
import type { DepositAddressPorts } from "../../service/addresses/deposit-addresses.ts";
import type { StoragePorts } from "../../service/ports/recording.ts";
import type { WatchedChains } from "../../service/ports/watched-chains.ts";
import type { Client, RateLimits } from "../../service/ports/rate-limits.ts";
import type { LinkPlace, RequiredPayment, X402Offer } from "../../service/x402/requirements.ts";
import type { Owner } from "../../service/owner.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import type { SettleResult } from "../../service/x402/stored.ts";
import type { X402 } from "../../service/x402/x402.ts";
import { clientOf } from "../http/rate-limits.ts";

interface CheckoutAssemblyPorts extends StoragePorts, WatchedChains {
  readonly catalog: CatalogReader;
  readonly limits: RateLimits;
  readonly x402: Pick<X402, "settleByLink" | "paymentRequirements" | "linkPlaces">;
  readonly depositSources?: DepositAddressPorts["sources"];
  readonly indexes: DepositAddressPorts["indexes"];
}

/** What the pages for customers are built with. */
export interface CheckoutParts {
  readonly checkout: Checkout;
  readonly limits: RateLimits;
  /** what counts as one customer's address */
  readonly clientOf: (clientAddress: string) => Client;
  /** an origin without a slash at its end */
  readonly publicUrl: () => string;
  readonly readX402Offers: (payment: RequiredPayment) => Promise<readonly X402Offer[]>;
  readonly readLinkPlaces: (payment: RequiredPayment) => Promise<readonly LinkPlace[]>;
  /** what a buyer's program has signed; see `linkWayOf` */
  readonly settleX402: (owner: Owner, command: SettleCommand) => Promise<SettleResult>;
}

export function buildCheckout(
  ports: CheckoutAssemblyPorts,
  publicUrl: CheckoutParts["publicUrl"],
): CheckoutParts {
  const { depositSources = {}, watchedChainIds } = ports;
  const addresses = new DepositAddresses({ ...ports, sources: depositSources });
  const isWatched = (chainId: string): boolean => watchedChainIds.has(chainId);
  return {
    checkout: new Checkout({ ...ports, addresses, isWatched }),
    limits: ports.limits,
    clientOf,
    publicUrl,
    readX402Offers: (payment) => ports.x402.paymentRequirements(payment),
    readLinkPlaces: (payment) => ports.x402.linkPlaces(payment),
    settleX402: (owner, command) => ports.x402.settleByLink(owner, command),
  };
}
