// A payment as its checkout page knows it, from the row that was read.

import type { Catalog, Deployment } from "../catalog/model.ts";
import { finalityOf } from "../catalog/finality.ts";
import type { Finality } from "../catalog/finality.ts";
import type { Environment, Owner } from "../owner.ts";
import { countedFrom } from "../payments/facts.ts";
import type { DepositFact } from "../payments/rules.ts";
import { parseRedirectUrl } from "../payments/redirect-url.ts";
import type { CheckoutDepositJson, CheckoutRow } from "./checkout.sql.ts";
import type { PaymentStatus } from "../database/words.ts";
import type { QuotedCurrency } from "../database/tables/payments.ts";
import { purposeOf } from "../payments/authorization-facts.ts";
import type { DepositPurpose } from "../payments/authorization-facts.ts";

/** What parts of a high value are reckoned in. */
const partsOfHigh = 1_000_000_000n;

export interface CheckoutPayment {
  readonly id: string;
  readonly token: string;
  readonly environment: Environment;
  /** whose it is; shown to nobody */
  readonly owner: Owner;
  readonly merchantName: string;
  readonly merchantOrderNo: string;
  readonly status: PaymentStatus;
  readonly quotes: readonly QuotedCurrency[];
  readonly expiresAt: Date;
  /** https, without credentials; null: the merchant named none */
  readonly redirectUrl: string | null;
  /** of the families somebody has begun to pay in */
  readonly addresses: Readonly<Partial<Record<Deployment["chainFamily"], string>>>;
  readonly deposits: readonly CheckoutDeposit[];
  /** ids of the deployments whose chains are read, and that can be paid so */
  readonly openDeploymentIds: ReadonlySet<string>;
  /** Nobody has heard from these chains for some time: what was sent there may not be seen yet. */
  readonly staleChainIds: ReadonlySet<string>;
}

export interface CheckoutDeposit extends DepositFact {
  readonly chainId: string;
  readonly txHash: string;
  readonly purpose: DepositPurpose;
  /** zero when its block is gone */
  readonly confirmations: bigint;
  /** how many it takes; undefined: nobody can say */
  readonly confirmationsNeeded: bigint | undefined;
  /** Deep enough, but the chain has yet to say its word. */
  readonly waitsForChain: boolean;
}

export function checkoutPaymentOf(
  row: CheckoutRow,
  catalog: Catalog,
  isWatched: (chainId: string) => boolean,
): CheckoutPayment {
  const finalities = finalitiesOf(catalog);
  const isHigh = isHighValue(row.deposits, finalities);
  const deployments = row.quotes.flatMap((quote) => quote.deployments);
  const open = deployments.filter(({ chainId }) => isWatched(chainId));
  // It was checked when the payment was made; a page is not the place to trust a table (threat 74).
  const redirect = row.redirect_url === null ? undefined : parseRedirectUrl(row.redirect_url);
  return {
    id: row.id,
    token: row.checkout_token,
    environment: row.environment,
    owner: { merchantId: row.merchant_id, environment: row.environment },
    merchantName: row.merchant_name,
    merchantOrderNo: row.merchant_order_no,
    status: row.status,
    quotes: row.quotes,
    expiresAt: row.expires_at,
    redirectUrl: redirect !== undefined && "href" in redirect ? redirect.href : null,
    addresses: row.addresses,
    deposits: row.deposits.map((one) => ({
      ...depositOf(one, finalities.get(one.deployment_id), isHigh),
      blockTime: countedFrom(one, row.expires_at),
    })),
    openDeploymentIds: new Set(open.map(({ deploymentId }) => deploymentId)),
    staleChainIds: new Set(row.stale_chains),
  };
}

function finalitiesOf({ currencies }: Catalog): ReadonlyMap<string, Finality | undefined> {
  const all = currencies.flatMap(({ deployments }) => deployments);
  return new Map(all.map((one) => [one.id, finalityOf(one)]));
}

/**
 * All that the payment has received on a chain counts together. How much else its merchant gets in the
 * same block is nobody's business on a page: then it takes longer than it says.
 */
function isHighValue(
  deposits: readonly CheckoutDepositJson[],
  finalities: ReadonlyMap<string, Finality | undefined>,
): (chainId: string) => boolean {
  return (chainId) => {
    const here = deposits.filter((one) => one.chain_id === chainId && one.status !== "orphaned");
    const parts = here.map(({ deployment_id: id, amount_raw: raw }) => {
      const highRaw = finalities.get(id)?.highValueRaw ?? 0n;
      return highRaw === 0n ? 0n : (BigInt(raw) * partsOfHigh) / highRaw;
    });
    return parts.reduce((sum, part) => sum + part, 0n) > partsOfHigh;
  };
}

function depositOf(
  json: CheckoutDepositJson,
  finality: Finality | undefined,
  isHigh: (chainId: string) => boolean,
): Omit<CheckoutDeposit, "blockTime"> {
  const amountRaw = BigInt(json.amount_raw);
  const purpose = purposeOf(json.authorization);
  const isOrphaned = json.status === "orphaned";
  const blocks = isOrphaned || json.confirmations === null ? 0n : BigInt(json.confirmations);
  const confirmations = blocks < 0n ? 0n : blocks;
  const needed =
    finality === undefined ? undefined : finality.confirmations * (isHigh(json.chain_id) ? 2n : 1n);
  return {
    chainId: json.chain_id,
    txHash: json.tx_hash,
    deploymentId: json.deployment_id,
    amountRaw,
    purpose,
    isApart: purpose !== "price",
    state: json.status,
    isBooked: json.is_booked,
    confirmations,
    confirmationsNeeded: needed,
    waitsForChain: json.status === "seen" && needed !== undefined && confirmations >= needed,
  };
}
