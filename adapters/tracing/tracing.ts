// Tells a collector how each piece of work went, as OpenTelemetry has it (OTLP over HTTP). Loaded where one is
// configured, and nowhere else. Nothing waits for the collector: what it does not take in time is left out.

import { diag, DiagLogLevel } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Cell } from "../../service/cell.ts";
import type { TracesPlace } from "../configuration/traces.ts";
import type { Clock } from "../system/clock.ts";
import { ChainTracing } from "./chains.ts";
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

/** Longer complaints say nothing more. */
const complaintCharactersMax = 200;

export interface TracingPorts {
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
  /** which one it serves, where there are several */
  readonly cell?: Cell;
  readonly limits?: Partial<TracingLimits>;
}

type Warn = (fields: object, message: string) => void;

export class Tracing {
  readonly requests: RequestTracing;
  readonly database: DatabaseTracing;
  readonly chains: ChainTracing;
  readonly work: WorkTracing;
  readonly #spans: Spans;
  readonly #provider: TracerProvider;
  readonly #ports: TracingPorts;
  readonly #limits: TracingLimits;

  constructor(place: TracesPlace, ports: TracingPorts) {
    this.#ports = ports;
    const limits = { ...tracingLimits, ...ports.limits };
    this.#limits = limits;
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

  /** From now on the log hears what cannot be sent, and of that not more than once in a while. */
  tellTo(warn: Warn): void {
    const { clock } = this.#ports;
    let toldAt = Number.NEGATIVE_INFINITY;
    const tell = (complaint: string): void => {
      const now = clock.monotonicMilliseconds();
      if (now - toldAt < this.#limits.complaintMilliseconds) return;
      toldAt = now;
      warn(
        { said: shortened(complaint) },
        "traces cannot be sent as they should; the service goes on without them",
      );
    };
    const ignore = (): void => undefined;
    diag.setLogger(
      { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
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

/** What made the library complain: of an error that it writes as JSON, what it says and no stack. */
function shortened(complaint: string): string {
  return (/"message":"((?:[^"\\]|\\.)*)"/.exec(complaint)?.[1] ?? complaint).slice(
    0,
    complaintCharactersMax,
  );
}

function resourceOf({ serviceName, attributes }: TracesPlace, cell: Cell) {
  const own = { "service.name": serviceName, ...(cell === undefined ? {} : { "pay.cell": cell }) };
  return defaultResource().merge(resourceFromAttributes({ ...attributes, ...own }));
}
