// Tells a collector how each piece of work went, as OpenTelemetry has it (OTLP over HTTP). Loaded where one is
// configured, and nowhere else. Nothing waits for the collector: what it does not take in time is left out.

import { randomUUID } from "node:crypto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider } from "@opentelemetry/sdk-trace";
import manifest from "../../package.json" with { type: "json" };
import type { Cell } from "../../service/cell.ts";
import type { TracesPlace } from "../configuration/traces.ts";
import type { Clock } from "../system/clock.ts";
import { ChainTracing } from "./chains.ts";
import { Complaints } from "./complaints.ts";
import type { Warn } from "./complaints.ts";
import { DatabaseTracing } from "./database.ts";
import { RequestTracing } from "./requests.ts";
import { buildSampler } from "./sampler.ts";
import { Spans } from "./spans.ts";
import type { TraceFields } from "./spans.ts";
import { WorkTracing } from "./work.ts";

export interface TracingLimits {
  /** that wait for the collector; those beyond it are left out */
  readonly spansMax: number;
  readonly batchMax: number;
  /** from the end of a span until it is sent */
  readonly delayMilliseconds: number;
  /** for one batch, with all attempts */
  readonly exportMilliseconds: number;
  /** for what is still there at the end */
  readonly closeMilliseconds: number;
  /** what the exporter complains of is told once in this time */
  readonly complaintMilliseconds: number;
}

const tracingLimits: TracingLimits = {
  spansMax: 4_096,
  batchMax: 512,
  delayMilliseconds: 2_000,
  exportMilliseconds: 10_000,
  closeMilliseconds: 2_000,
  complaintMilliseconds: 60_000,
};

export interface TracingPorts {
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
  /** which one it serves, where there are several */
  readonly cell?: Cell;
  readonly limits?: Partial<TracingLimits>;
}

export class Tracing {
  readonly requests: RequestTracing;
  readonly database: DatabaseTracing;
  readonly chains: ChainTracing;
  readonly work: WorkTracing;
  readonly #spans: Spans;
  readonly #provider: TracerProvider;
  readonly #complaints: Complaints;
  readonly #limits: TracingLimits;

  constructor(place: TracesPlace, ports: TracingPorts) {
    const limits = { ...tracingLimits, ...ports.limits };
    this.#limits = limits;
    this.#complaints = new Complaints(ports.clock, limits.complaintMilliseconds);
    this.#complaints.listen();
    const exporter = new OTLPTraceExporter({
      url: place.url,
      headers: { ...place.headers },
      timeoutMillis: limits.exportMilliseconds,
    });
    const idGenerator = new RandomIdGenerator();
    this.#provider = new TracerProvider({
      resource: resourceOf(place, ports.cell),
      sampler: buildSampler(place.ratio, idGenerator),
      idGenerator,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: limits.spansMax,
          maxExportBatchSize: limits.batchMax,
          scheduledDelayMillis: limits.delayMilliseconds,
          exportTimeoutMillis: 2 * limits.exportMilliseconds,
        }),
      ],
    });
    this.#spans = new Spans(this.#provider.getTracer("merchant-crypto-payments"));
    this.requests = new RequestTracing(this.#spans);
    this.database = new DatabaseTracing(this.#spans);
    this.chains = new ChainTracing(this.#spans);
    this.work = new WorkTracing(this.#spans);
  }

  /** For each line of the log: which trace it belongs to. */
  readonly logFields = (error: unknown): TraceFields | undefined => this.#spans.fieldsOf(error);

  /** The log hears what the library complained of while it was built, and from now on what cannot be sent. */
  tellTo(warn: Warn): void {
    this.#complaints.tellTo(warn);
  }

  /** How long `close` takes at most. */
  get closeMillisecondsMax(): number {
    return this.#limits.closeMilliseconds;
  }

  /** Sends what is still there, and waits for that, but not for long. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#limits.closeMilliseconds);
    });
    // The log has heard why where it could not be sent.
    const sent = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([sent, late]);
    clearTimeout(timer);
  }
}

/** What OTEL_RESOURCE_ATTRIBUTES says goes before what we know, and never before what we are given otherwise. */
function resourceOf({ serviceName, attributes }: TracesPlace, cell: Cell) {
  const known = { "service.version": manifest.version, "service.instance.id": randomUUID() };
  const given = { "service.name": serviceName, ...(cell !== undefined && { "pay.cell": cell }) };
  return defaultResource().merge(resourceFromAttributes({ ...known, ...attributes, ...given }));
}
