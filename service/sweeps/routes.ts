// How something gets from an address to the hot account or the treasury, and what it takes:
//
//   a token with EIP-3009   an authorization signed by the address, submitted by the settlement
//                           account: the address needs no coin
//   the chain's own coin    a transfer of what is there, less the gas
//   any other token         coin for the gas first, from the settlement account, then a transfer

import type { CatalogDeployment } from "../catalog/model.ts";
import type { OutgoingDraft } from "../sending/model.ts";
import { withMargin } from "../sending/gas-units.ts";
import type { EstimatingChain } from "../sending/ports.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { ChainFees } from "../ports/chain.ts";
import type { Random } from "../ports/random.ts";
import type { ChainAction, TokenDomain } from "../ports/signer.ts";
import { readAddressBooks } from "../ledger/address-rounds.sql.ts";
import { findCoinDeployment } from "../sending/gas.sql.ts";
import { findFailedCollection, sumOnTheWay } from "./sweeps.sql.ts";

/** Where what is swept goes on a chain. */
export interface SweepConfiguration {
  /** cold: nothing here can send from it; null: there is none */
  readonly treasuryAddress: string | null;
  /** what the hot account keeps, the rest goes to the treasury; null: it keeps all of it */
  readonly floatRawMax: (deploymentId: string) => Promise<bigint | null>;
  /** what is worth moving at least; null: the default */
  readonly minimumRaw: (deploymentId: string) => bigint | null;
}

/** Gas may cost so much more than now, in percent, before an address cannot pay for it. */
const feeRoomPercent = 200n;
/** Of an authorization that an address signs: until then it may be submitted. */
const authorizationSeconds = 7n * 86_400n;

/** For people. */
export type SweepAlarm =
  "address_holds_less" | "sweep_cannot_pay" | "sweep_failed" | "sweep_lost_something";

/** What is emptied. */
export interface Place {
  readonly deployment: CatalogDeployment;
  readonly address: string;
  /** it was derived with; null: the settlement account */
  readonly index: bigint | null;
}

interface Direction {
  readonly amountRaw: bigint;
  readonly target: "hot" | "treasury";
  readonly targetAddress: string;
}

export interface Route extends Direction {
  readonly method: "collect" | "transfer" | "topped_up";
  /** its first transaction; whoever stores it knows the subject */
  readonly draft: Omit<OutgoingDraft, "subjectId">;
}

/** What the row of a sweep says of both. */
export function wayOf({ deployment, address, index }: Place, route: Omit<Route, "draft">) {
  const { method, target, targetAddress, amountRaw } = route;
  const { id: deploymentId, chainId } = deployment;
  return { chainId, deploymentId, address, index, method, target, targetAddress, amountRaw };
}

export interface RoutePorts extends StoragePorts {
  readonly random: Random;
  readonly configuration: (chainId: string) => SweepConfiguration;
  readonly alarm: (what: SweepAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

/** Of one run on one chain; what it has planned so far counts for what it plans next. */
export class SweepRoutes {
  readonly #ports: RoutePorts;
  readonly #sending: EstimatingChain;
  /** by deployment: what the hot account has, and will have */
  readonly #hotRaw = new Map<string, bigint>();
  #fees: ChainFees | undefined;

  constructor(ports: RoutePorts, sending: EstimatingChain) {
    this.#ports = ports;
    this.#sending = sending;
  }

  /** Undefined: not now. Throws `chain_unavailable`. */
  async find(place: Place, coveredRaw: bigint): Promise<Route | undefined> {
    const { deployment, address } = place;
    const heldRaw = await this.#sending.chain.balance(address, deployment.contractAddress);
    const bookedRaw = await this.#bookedRaw(place, coveredRaw);
    if (bookedRaw !== undefined && heldRaw < bookedRaw) {
      const numbers = { held_raw: heldRaw.toString(), booked_raw: bookedRaw.toString() };
      this.#alarm("address_holds_less", place, numbers);
    }
    const amountRaw = heldRaw < coveredRaw ? heldRaw : coveredRaw;
    if (amountRaw === 0n) return undefined;
    const direction = await this.#direction(deployment, amountRaw);
    const route =
      deployment.contractAddress === null
        ? await this.#ofCoin(place, direction, heldRaw)
        : await this.#ofToken(place, direction);
    return route && this.#noted(place, route);
  }

  /**
   * Of the coin there may be less than its deposits have brought: the gas of other sweeps is paid from it,
   * and is booked. Undefined: something is on its way there. The comparison with the books sees it later.
   */
  async #bookedRaw({ deployment, address }: Place, coveredRaw: bigint) {
    if (deployment.contractAddress !== null) return coveredRaw;
    const { id: deploymentId, chainId } = deployment;
    const values = { deploymentId, chainId, isCoin: true, address };
    const [books] = await this.#ports.database.run(readAddressBooks, values);
    return books === undefined || books.is_under_way ? undefined : BigInt(books.raw);
  }

  /** Of what lies on the settlement account, which can pay for it. */
  async ofSettlement(place: Place, amountRaw: bigint): Promise<Route> {
    const direction = await this.#direction(place.deployment, amountRaw);
    return this.#noted(place, this.#direct(place, direction));
  }

  #noted({ deployment }: Place, route: Route): Route {
    if (route.target === "hot") {
      const soFarRaw = this.#hotRaw.get(deployment.id) ?? 0n;
      this.#hotRaw.set(deployment.id, soFarRaw + route.amountRaw);
    }
    return route;
  }

  /** By a transfer of the account itself. */
  #direct(place: Place, direction: Direction): Route {
    return { ...direction, method: "transfer", draft: transferDraft(place, direction) };
  }

  /**
   * Our choice: a transfer is not divided. It goes where the hot account ends up nearer to its float,
   * so that this has never more than twice of it, and large amounts do not leave it without any.
   */
  async #direction(deployment: CatalogDeployment, amountRaw: bigint): Promise<Direction> {
    const { chain, signer } = this.#sending;
    const { hotAddress } = signer.accounts;
    const { treasuryAddress, floatRawMax } = this.#ports.configuration(chain.chainId);
    const maxRaw = treasuryAddress === null ? null : await floatRawMax(deployment.id);
    const hot = { amountRaw, target: "hot", targetAddress: hotAddress } as const;
    if (treasuryAddress === null || maxRaw === null) return hot;
    let hotRaw = this.#hotRaw.get(deployment.id);
    if (hotRaw === undefined) {
      const { id: deploymentId, contractAddress } = deployment;
      const [onTheWay] = await this.#ports.database.run(sumOnTheWay, { deploymentId });
      hotRaw = (await chain.balance(hotAddress, contractAddress)) + BigInt(onTheWay?.raw ?? 0);
      this.#hotRaw.set(deploymentId, hotRaw);
    }
    if (2n * hotRaw + amountRaw <= 2n * maxRaw) return hot;
    return { amountRaw, target: "treasury", targetAddress: treasuryAddress };
  }

  async #ofCoin(place: Place, direction: Direction, heldRaw: bigint): Promise<Route | undefined> {
    const { targetAddress: to } = direction;
    const probe = { kind: "transfer", to, contractAddress: null, amountRaw: 1n } as const;
    const gasRaw = await this.#gasRaw(place, probe);
    if (gasRaw === undefined) return undefined;
    const mostRaw = heldRaw - gasRaw;
    const amountRaw = direction.amountRaw < mostRaw ? direction.amountRaw : mostRaw;
    // What is less than its gas is not worth it.
    if (amountRaw <= gasRaw) return undefined;
    return this.#direct(place, { ...direction, amountRaw });
  }

  async #ofToken(place: Place, direction: Direction): Promise<Route | undefined> {
    const { deployment, address } = place;
    const collect = this.#collection(place, direction);
    if (collect !== undefined && !(await this.#hasFailed(place))) {
      const { chain, signer } = this.#sending;
      const { settlementAddress } = signer.accounts;
      const estimate = await chain.estimate(settlementAddress, collect);
      if (estimate.isPossible) {
        return {
          ...direction,
          method: "collect",
          draft: {
            chainId: deployment.chainId,
            account: settlementAddress,
            signsAs: { role: "settlement" },
            purpose: "sweep",
            deploymentId: deployment.id,
            action: collect,
          },
        };
      }
    }
    const direct = this.#direct(place, direction);
    const gasRaw = await this.#gasRaw(place, direct.draft.action);
    if (gasRaw === undefined) return undefined;
    const missingRaw = gasRaw - (await this.#sending.chain.balance(address, null));
    return missingRaw <= 0n ? direct : this.#toppedUp(place, direct, missingRaw);
  }

  /** Whatever the catalog says: the token would not take an authorization. */
  async #hasFailed({ deployment, address }: Place): Promise<boolean> {
    const values = { deploymentId: deployment.id, address };
    return (await this.#ports.database.run(findFailedCollection, values)).length > 0;
  }

  async #toppedUp(place: Place, direct: Route, coinRaw: bigint): Promise<Route | undefined> {
    const { chainId } = place.deployment;
    const [coin] = await this.#ports.database.run(findCoinDeployment, { chainId });
    if (coin === undefined) {
      this.#alarm("sweep_cannot_pay", place, { text: "the catalog does not have the coin" });
      return undefined;
    }
    return {
      ...direct,
      method: "topped_up",
      draft: {
        chainId,
        account: this.#sending.signer.accounts.settlementAddress,
        signsAs: { role: "settlement" },
        purpose: "sweep_gas",
        deploymentId: coin.id,
        action: { kind: "transfer", to: place.address, contractAddress: null, amountRaw: coinRaw },
      },
    };
  }

  /** Undefined: the token has no EIP-3009, as far as the catalog knows. */
  #collection(
    { deployment, address, index }: Place,
    { amountRaw, targetAddress }: Direction,
  ): Extract<ChainAction, { kind: "collect" }> | undefined {
    const domain = domainOf(deployment);
    if (domain === undefined || index === null || deployment.contractAddress === null) {
      return undefined;
    }
    const seconds = BigInt(Math.floor(this.#ports.clock.nowMilliseconds() / 1_000));
    return {
      kind: "collect",
      index,
      domain,
      authorization: {
        method: "eip3009",
        contractAddress: deployment.contractAddress,
        from: address,
        to: targetAddress,
        amountRaw,
        validAfter: 0n,
        validBefore: seconds + authorizationSeconds,
        nonce: `0x${Buffer.from(this.#ports.random.bytes(32)).toString("hex")}`,
      },
    };
  }

  /** What the address may need for it. Undefined: the chain says that it would fail. */
  async #gasRaw(place: Place, action: ChainAction): Promise<bigint | undefined> {
    const { chain } = this.#sending;
    const estimate = await chain.estimate(place.address, action);
    if (!estimate.isPossible) {
      this.#alarm("sweep_failed", place, { text: estimate.text });
      return undefined;
    }
    this.#fees ??= await chain.fees();
    return (
      (withMargin({ chainId: this.#sending.chain.chainId, purpose: "sweep" }, estimate.gasUnits) *
        this.#fees.maxFeePerGas *
        feeRoomPercent) /
      100n
    );
  }

  #alarm(what: SweepAlarm, { deployment, address }: Place, more: object): void {
    const { id: deployment_id, chainId: chain_id } = deployment;
    this.#ports.alarm(what, { chain_id, deployment_id, address, ...more });
  }
}

export function transferDraft(
  { deployment, address, index }: Place,
  { targetAddress: to, amountRaw }: Direction,
): Omit<OutgoingDraft, "subjectId"> {
  const { contractAddress } = deployment;
  return {
    chainId: deployment.chainId,
    account: address,
    signsAs: index === null ? { role: "settlement" } : { role: "deposit", index },
    purpose: index === null ? "consolidation" : "sweep",
    deploymentId: deployment.id,
    action: { kind: "transfer", to, contractAddress, amountRaw },
  };
}

/** Undefined: the token has no EIP-3009, as far as the catalog knows. */
export function domainOf({ capabilities }: CatalogDeployment): TokenDomain | undefined {
  const capability = capabilities.find(({ scope, key }) => scope === "x402" && key === "eip3009");
  if (capability?.status !== "supported" && capability?.status !== "degraded") return undefined;
  const { domain_name: name, domain_version: version } = capability.parameters;
  return typeof name === "string" && typeof version === "string" ? { name, version } : undefined;
}
