// What settlements cost us: each takes gas, whatever it brings (threat 108).
//
// Our choice: there is a least amount, a floor of the deployment (`least_raw` of its x402 capability, or
// what is no deposit at all), and where the catalog says what a coin is worth there (`raw_per_coin`), what a
// settlement costs now. Terms are offered from that amount on. What was offered is taken while gas gets
// no more than twice as dear.
//
// And one merchant may use a part of what settlements may cost in a day (UTC) on a chain: who has used it
// up hears so, and the others go on. The sender holds to it too, for what was accepted at once.

import type { CatalogReader } from "../catalog/catalog.ts";
import { dustBelow, finalityOf } from "../catalog/finality.ts";
import type { CatalogDeployment } from "../catalog/model.ts";
import { statedRaw, worthOfCoin } from "../catalog/x402-capabilities.ts";
import { ServiceError } from "../errors.ts";
import { dayMilliseconds, startOfDay } from "../ports/clock.ts";
import type { Clock } from "../ports/clock.ts";
import type { StoragePorts } from "../ports/recording.ts";
import { sumMerchantSettlementGas } from "../sending/gas.sql.ts";
import type { X402Chain } from "./chain-view.ts";
import type { CheckedAuthorization } from "./model.ts";
import { x402Refusal } from "./refusals.ts";

/** Of gas, by an ordinary settlement. */
const settlementGasUnits = 100_000n;
/** Nobody asks the chain more often. */
const feesMilliseconds = 15_000;

export interface LeastPorts {
  readonly clock: Pick<Clock, "nowMilliseconds">;
  readonly chains: readonly X402Chain[];
}

interface Remembered {
  readonly until: number;
  readonly fee: Promise<bigint>;
}

export class LeastAmounts {
  readonly #ports: LeastPorts;
  readonly #fees = new Map<string, Remembered>();

  constructor(ports: LeastPorts) {
    this.#ports = ports;
  }

  /** From that on x402 is offered. */
  async offeredRaw(deployment: CatalogDeployment): Promise<bigint> {
    const leastRaw = floorOf(deployment);
    // Most say nothing, and then no chain is asked.
    const worthOf = worthOfCoin(deployment);
    if (worthOf === undefined) return leastRaw;
    const gasRaw = worthOf(await this.costRaw(deployment.chainId));
    return gasRaw > leastRaw ? gasRaw : leastRaw;
  }

  /** From that on it is settled. */
  async settledRaw(deployment: CatalogDeployment): Promise<bigint> {
    const leastRaw = floorOf(deployment);
    const half = (await this.offeredRaw(deployment)) / 2n;
    return half > leastRaw ? half : leastRaw;
  }

  /** An ordinary settlement now, in the chain's own coin; 0 where the chain does not answer. */
  async costRaw(chainId: string): Promise<bigint> {
    return settlementGasUnits * (await this.#feePerGas(chainId));
  }

  #feePerGas(chainId: string): Promise<bigint> {
    const now = this.#ports.clock.nowMilliseconds();
    const known = this.#fees.get(chainId);
    if (known !== undefined && known.until > now) return known.fee;
    const fee = this.#askFee(chainId);
    this.#fees.set(chainId, { until: now + feesMilliseconds, fee });
    return fee;
  }

  /** Nothing where the chain does not answer: then nothing is settled there either. */
  async #askFee(chainId: string): Promise<bigint> {
    const place = this.#ports.chains.find(({ chain }) => chain.chainId === chainId);
    try {
      return (await place?.chain.fees())?.maxFeePerGas ?? 0n;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "chain_unavailable") return 0n;
      throw error;
    }
  }
}

function floorOf(deployment: CatalogDeployment): bigint {
  const dustRaw = dustBelow(undefined, finalityOf(deployment));
  const leastRaw = statedRaw(deployment, "least_raw") ?? dustRaw;
  return leastRaw > dustRaw ? leastRaw : dustRaw;
}

export interface CostPorts extends StoragePorts {
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly least: Pick<LeastAmounts, "settledRaw" | "costRaw">;
  /** in the chain's own coin; null: there is no such limit */
  readonly merchantGasRaw: (chainId: string) => Promise<bigint | null>;
}

interface Spending {
  readonly merchantId: string;
  /** that settles */
  readonly account: string;
  readonly checked: CheckedAuthorization;
  /** by whoever has the link, without a key of the merchant's */
  readonly isByLink: boolean;
}

/** Throws `x402_requirements_mismatch` for what is not worth it, `rate_limited` for what is too much. */
export async function checkCost(ports: CostPorts, spending: Spending): Promise<void> {
  const { scheme, deploymentId, authorization } = spending.checked;
  const { method, amountRaw } = authorization;
  const deployment = (await ports.catalog.allDeployments()).find(({ id }) => id === deploymentId);
  const leastRaw = deployment === undefined ? 0n : await ports.least.settledRaw(deployment);
  if (amountRaw < leastRaw) {
    const details = { field: "max_amount_required", least_raw: leastRaw.toString() };
    throw x402Refusal("x402_requirements_mismatch", { scheme, method }, details);
  }
  await checkMerchantGas(ports, spending);
}

async function checkMerchantGas(
  { database, clock, least, merchantGasRaw }: CostPorts,
  { merchantId, account, checked: { chainId }, isByLink }: Spending,
): Promise<void> {
  const mostRaw = await merchantGasRaw(chainId);
  if (mostRaw === null) return;
  const now = clock.nowMilliseconds();
  const since = startOfDay(now);
  const of = { chainId, account, since, merchantId, settlementId: null };
  const [spent] = await database.run(sumMerchantSettlementGas, of);
  const [spentRaw, failedRaw] = [BigInt(spent?.raw ?? 0), BigInt(spent?.failed_raw ?? 0)];
  // Strangers bring about failures at no cost but gas of their own: half of the part stays for who has a key.
  const isLinkClosed = isByLink && failedRaw * 2n >= mostRaw;
  // What would only be told to wait until it is too late is not accepted.
  if (!isLinkClosed && spentRaw + (await least.costRaw(chainId)) <= mostRaw) return;
  throw new ServiceError(
    "rate_limited",
    "What settlements of one merchant may cost on this chain in a day is used up. Try again tomorrow (UTC), or let the payer pay to the address.",
    {
      details: { policy: "x402_gas" },
      retryAfterSeconds: Math.ceil((since.getTime() + dayMilliseconds - now) / 1000),
    },
  );
}
