// Everything that is counted and measured, and its text for Prometheus. Labels are words of the contract, of the
// catalog and of the configuration: never an id of a merchant or a payment, an address or a secret.

import { collectDefaultMetrics, Registry } from "prom-client";
import type { Cell } from "../../service/cell.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Clock } from "../system/clock.ts";
import { ChainMetrics } from "./chains.ts";
import { tellingCommitted } from "./committed.ts";
import { DatabaseMetrics } from "./database.ts";
import { DepositMetrics } from "./deposits.ts";
import { openMetricsOf } from "./formats.ts";
import type { MetricsFormat } from "./formats.ts";
import { harmless } from "./harmless.ts";
import { RequestMetrics } from "./requests.ts";
import { ReserveMetrics } from "./reserve.ts";
import { SendingMetrics } from "./sending.ts";
import { SignerLimitMetrics } from "./signer-limits.ts";
import { StateMetrics } from "./state.ts";
import type { StatePorts } from "./state.ts";
import { WorkMetrics } from "./work.ts";

/** Of the library's own: gauges with the name of a counter, which OpenMetrics forbids. The same is there by type. */
const misnamed = ["handles", "requests", "resources"].map((what) => `nodejs_active_${what}_total`);

export class Metrics {
  readonly requests: RequestMetrics;
  readonly database: DatabaseMetrics;
  readonly chains: ChainMetrics;
  readonly work: WorkMetrics;
  readonly reserve: ReserveMetrics;
  readonly sending: SendingMetrics;
  readonly signer: SignerLimitMetrics;
  readonly state: StateMetrics;
  readonly #deposits: DepositMetrics;
  readonly #registry = new Registry();

  /** @param cell which one it serves, where there are several: a label of every number */
  constructor(ports: StatePorts & { readonly clock: Clock; readonly cell?: Cell }) {
    const { clock, cell } = ports;
    const safely = harmless(ports.log);
    if (cell !== undefined) this.#registry.setDefaultLabels({ cell });
    this.#deposits = new DepositMetrics(this.#registry, safely);
    this.requests = new RequestMetrics(this.#registry);
    this.database = new DatabaseMetrics(this.#registry, clock);
    this.chains = new ChainMetrics(this.#registry, clock);
    this.work = new WorkMetrics(this.#registry, clock, safely);
    this.reserve = new ReserveMetrics(this.#registry, clock);
    this.sending = new SendingMetrics(this.#registry, clock, safely);
    this.signer = new SignerLimitMetrics(this.#registry, clock);
    this.state = new StateMetrics(this.#registry, ports);
    collectDefaultMetrics({ register: this.#registry });
    for (const name of misnamed) this.#registry.removeSingleMetric(name);
  }

  /** Counts what is committed by it. */
  readonly observeCommitted = (database: Database): Database =>
    tellingCommitted(database, [this.work.eventListener, this.#deposits.listener]);

  async text(format: MetricsFormat): Promise<string> {
    await this.state.refresh();
    const text = await this.#registry.metrics();
    return format === "openmetrics" ? openMetricsOf(text) : text;
  }
}
