// Brings together what arrived at the addresses of payments that are over, on the hot account, or in
// a cold treasury where the hot one has enough (threat 67); and what lies on the settlement account
// beyond what payers may get back from there. What is planned is queued in the same commit
// and sent from there, and what it came to is booked at its end.
//
// Only what the ledger knows is moved: what strangers leave at an address stays there.

import type { CatalogReader } from "../catalog/catalog.ts";
import type { CatalogDeployment } from "../catalog/model.ts";
import { finalityOf } from "../catalog/finality.ts";
import { worthOfCoin } from "../catalog/x402-capabilities.ts";
import { isChainAway } from "../errors.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { perChain } from "../jobs/per-chain.ts";
import { outgoingValues } from "../sending/model.ts";
import type { OutgoingDraft } from "../sending/model.ts";
import type { EstimatingChain } from "../sending/ports.ts";
import type { Chain } from "../ports/chain.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { Random } from "../ports/random.ts";
import { sweepGasUnits } from "./operations.ts";
import { SweepRoutes, wayOf } from "./routes.ts";
import type { Place, Route, SweepAlarm, SweepConfiguration } from "./routes.ts";
import {
  fulfilSweepOrder,
  listSweepable,
  planConsolidation,
  planSweep,
  readSettlementSurplus,
  readSweepOrder,
} from "./sweeps.sql.ts";

/** In one run: each asks the chain a few things. */
const plannedMax = 50;
/** Of a token of which the chain does not answer so often, nothing more is asked in this run. */
const unansweredMax = 3;
/** What failed is tried again after that, or when an operator says so. */
const failedMilliseconds = 6 * 3_600_000;
/** Of a high value: what is less is not moved unless it is configured. A dollar of ten thousand. */
const minimumPart = 10_000n;

export interface SweepPorts extends RecordingPorts {
  readonly random: Random;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly chains: readonly EstimatingChain[];
  readonly configuration: (chainId: string) => SweepConfiguration;
  readonly alarm: (what: SweepAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

type SweepableRow = NonNullable<(typeof listSweepable)["row"]>;

interface SweepRun extends EstimatingChain {
  readonly routes: SweepRoutes;
  readonly deployments: readonly CatalogDeployment[];
  /** by deployment, what is worth it */
  readonly minima: ReadonlyMap<string, bigint>;
  /** null: an operator wants it now */
  readonly failedSince: Date | null;
}

/** One time through everything that can be swept, in as many runs as it has pages. */
interface Round {
  /** where the page before ended */
  readonly after?: SweepPosition | undefined;
  /** of the order that it does, which an operator may give in the middle of another one */
  readonly orderedAt: number | undefined;
}

interface Planned {
  readonly kind: "sweep" | "consolidation";
  readonly place: Place;
  readonly route: Route;
  readonly coveredRaw: bigint;
}

export class Sweeps {
  readonly #ports: SweepPorts;
  /** By chain, what has begun and not ended; in memory, so that a restart begins again. */
  readonly #rounds = new Map<string, Round>();

  constructor(ports: SweepPorts) {
    this.#ports = ports;
  }

  jobs(): readonly Job[] {
    const job = { name: "sweep", everyMilliseconds: 15_000 };
    return perChain(job, this.#ports.chains, (sending) => this.#run(sending));
  }

  async #run(sending: EstimatingChain): Promise<JobRun> {
    const { database, clock } = this.#ports;
    const { chainId } = sending.chain;
    const now = clock.nowMilliseconds();
    const [order] = await database.run(readSweepOrder, { chainId });
    const orderedAt = order?.ordered_at.getTime();
    const begun = this.#rounds.get(chainId);
    const after = begun?.orderedAt === orderedAt ? begun?.after : undefined;
    const failedSince = order === undefined ? new Date(now - failedMilliseconds) : null;
    const deployments = await this.#deployments(chainId);
    const routes = new SweepRoutes(this.#ports, sending);
    const minima = await this.#minima(sending.chain, deployments, order !== undefined);
    const rows = await database.run(listSweepable, {
      chainId,
      rules: JSON.stringify(
        deployments.map((one) => ({
          deployment_id: one.id,
          minimum_raw: (minima.get(one.id) ?? 1n).toString(),
        })),
      ),
      failedSince,
      afterDeployment: after?.deployment_id ?? "",
      afterAddress: after?.address ?? "",
      rowsMax: plannedMax,
    });
    const unanswered = new Unanswered(sending.chain);
    let planned = await this.#planEach(routes, { rows, deployments }, unanswered);
    const last = rows.length === plannedMax ? rows.at(-1) : undefined;
    if (last !== undefined) {
      this.#rounds.set(chainId, { after: last, orderedAt });
    } else {
      const run = { ...sending, routes, deployments, failedSince, minima };
      planned += await this.#consolidateEach(run, unanswered);
      // One without an answer does not keep it open: as long as it is, whatever fails is sent again at once, and costs
      // gas each time.
      if (order !== undefined) {
        await database.run(fulfilSweepOrder, { chainId, orderedAt: order.ordered_at });
      }
      this.#rounds.delete(chainId);
    }
    unanswered.throwFirst();
    return { done: planned, isMore: last !== undefined };
  }

  /** One that nobody can say anything about, such as a token that does not answer any more, holds up no other. */
  async #planEach(
    routes: SweepRoutes,
    { rows, deployments }: Page,
    unanswered: Unanswered,
  ): Promise<number> {
    let planned = 0;
    for (const row of rows) {
      const place = placeOf(row, deployments);
      if (place === undefined) continue;
      const plan = (): Promise<number> => this.#plan(routes, place, BigInt(row.raw));
      planned += await unanswered.unless(row.deployment_id, plan);
    }
    return planned;
  }

  async #plan(routes: SweepRoutes, place: Place, coveredRaw: bigint): Promise<number> {
    const route = await routes.find(place, coveredRaw);
    if (route === undefined) return 0;
    return this.#store({ kind: "sweep", place, route, coveredRaw });
  }

  /** Coin stays: it is what the settlement account pays gas with. */
  async #consolidateEach(run: SweepRun, unanswered: Unanswered): Promise<number> {
    let planned = 0;
    for (const deployment of run.deployments) {
      planned += await unanswered.unless(deployment.id, () => this.#consolidate(run, deployment));
    }
    return planned;
  }

  async #consolidate(run: SweepRun, deployment: CatalogDeployment): Promise<number> {
    const { chain, signer, routes, failedSince, minima } = run;
    const { settlementAddress: address } = signer.accounts;
    const { id: deploymentId, contractAddress } = deployment;
    if (contractAddress === null) return 0;
    const values = { deploymentId, failedSince };
    const [row] = await this.#ports.database.run(readSettlementSurplus, values);
    const surplusRaw = BigInt(row?.raw ?? 0);
    if (surplusRaw <= 0n || surplusRaw < (minima.get(deploymentId) ?? 1n)) return 0;
    const heldRaw = await chain.balance(address, contractAddress);
    const amountRaw = heldRaw < surplusRaw ? heldRaw : surplusRaw;
    if (amountRaw === 0n) return 0;
    const place: Place = { deployment, address, index: null };
    const route = await routes.ofSettlement(place, amountRaw);
    return await this.#store({ kind: "consolidation", place, route, coveredRaw: amountRaw });
  }

  /** 0: somebody else was faster, or something has changed. */
  async #store({ kind, place, route, coveredRaw }: Planned): Promise<number> {
    const { database, identifiers, clock } = this.#ports;
    const { draft } = route;
    const id = identifiers.next("swp");
    const wanted: OutgoingDraft = { ...draft, subjectId: id };
    const values = {
      id,
      kind,
      ...wayOf(place, route),
      coveredRaw,
      status: draft.purpose === "sweep_gas" ? ("gas" as const) : ("moving" as const),
      now: clock.now(),
      ...outgoingValues(this.#ports, wanted),
    };
    const statement = kind === "sweep" ? planSweep : planConsolidation;
    return (await database.run(statement, values)).length;
  }

  async #deployments(chainId: string): Promise<readonly CatalogDeployment[]> {
    const deployments = await this.#ports.catalog.allDeployments();
    return (
      deployments
        .filter((one) => one.chainId === chainId && one.chainFamily === "evm")
        // Nobody says when one can be sure that it has arrived: then it stays where it is.
        .filter((one) => finalityOf(one) !== undefined)
    );
  }

  /**
   * By deployment, what is worth a sweep. Where the catalog says what a coin of the chain is worth in a
   * token, that is as much as the gas of one costs now: dust at many addresses would spend it (threat 108). Who orders a sweep
   * has seen what it costs.
   */
  async #minima(
    chain: Pick<Chain, "fees">,
    deployments: readonly CatalogDeployment[],
    isOrdered: boolean,
  ): Promise<ReadonlyMap<string, bigint>> {
    const isPriced = !isOrdered && deployments.some((one) => worthOfCoin(one) !== undefined);
    const gasRaw = isPriced ? sweepGasUnits * (await chain.fees()).maxFeePerGas : 0n;
    return new Map(
      deployments.map((one) => {
        const [usualRaw, worthRaw] = [this.#minimumRaw(one), worthOfCoin(one)?.(gasRaw) ?? 0n];
        return [one.id, worthRaw > usualRaw ? worthRaw : usualRaw] as const;
      }),
    );
  }

  /**
   * Our choice: where nobody says what a token is worth in coin, what a transfer of it is worth is
   * taken from what counts as a high value. Of the coin itself the gas is known (`SweepRoutes`).
   */
  #minimumRaw(deployment: CatalogDeployment): bigint {
    const { minimumRaw } = this.#ports.configuration(deployment.chainId);
    const configuredRaw = minimumRaw(deployment.id);
    if (configuredRaw !== null) return configuredRaw < 1n ? 1n : configuredRaw;
    if (deployment.contractAddress === null) return 1n;
    const highRaw = finalityOf(deployment)?.highValueRaw ?? 0n;
    return highRaw < minimumPart ? 1n : highRaw / minimumPart;
  }
}

interface Page extends Pick<SweepRun, "deployments"> {
  readonly rows: readonly SweepableRow[];
}

/** What a run is told nothing of by a chain that answers otherwise. */
class Unanswered {
  readonly #chain: Pick<Chain, "fees">;
  readonly #counts = new Map<string, number>();
  #first: { readonly error: unknown } | undefined;

  constructor(chain: Pick<Chain, "fees">) {
    this.#chain = chain;
  }

  /** What is planned; 0 where nobody answers of that token. Throws when the chain is away, and whatever else fails. */
  async unless(deploymentId: string, plan: () => Promise<number>): Promise<number> {
    const count = this.#counts.get(deploymentId) ?? 0;
    if (count >= unansweredMax) return 0;
    try {
      return await plan();
    } catch (error) {
      if (!isChainAway(error)) throw error;
      await this.#chain.fees();
      this.#counts.set(deploymentId, count + 1);
      this.#first ??= { error };
      return 0;
    }
  }

  /** So that the job is seen to fail. */
  throwFirst(): void {
    if (this.#first !== undefined) throw this.#first.error;
  }
}

type SweepPosition = Pick<SweepableRow, "deployment_id" | "address">;

function placeOf(row: SweepableRow, deployments: readonly CatalogDeployment[]): Place | undefined {
  const deployment = deployments.find(({ id }) => id === row.deployment_id);
  if (deployment === undefined) return undefined;
  return { deployment, address: row.address, index: row.derivation_index };
}
