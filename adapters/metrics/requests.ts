// What is asked of the service over HTTP, and what it answers.

import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import { CounterInPlace, HistogramInPlace } from "./in-place.ts";

/** As the handlers tell of an answer. */
interface Answered {
  /** undefined: of none of the contract */
  readonly operationId: string | undefined;
  readonly isCheckout: boolean;
  readonly status: number;
  /** of a refusal */
  readonly code: string | undefined;
  readonly milliseconds: number;
}

/** What the server knows of its connections. */
export interface HttpUse {
  readonly inFlight: ReadonlySet<unknown>;
  readonly server: {
    readonly getConnections: (answer: (error: Error | null, count: number) => void) => unknown;
  };
}

/** From a read that finds its answer in the memory up to the longest wait for a settlement. */
const durationBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

export class RequestMetrics {
  readonly #requests: CounterInPlace<"operation", "status">;
  readonly #durations: HistogramInPlace<"operation">;
  readonly #refusals: Counter<"operation" | "code">;
  readonly #replays: Counter<"operation">;
  readonly #refusedConnections: Counter;
  #http: HttpUse | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new CounterInPlace({
      name: "pay_http_requests_total",
      help: "Requests answered. operation: the operationId of the contract, checkout, or other.",
      labelNames: ["operation", "status"],
      registry,
    });
    this.#durations = new HistogramInPlace({
      name: "pay_http_request_duration_seconds",
      help: "From the beginning of a request to its answer.",
      label: "operation",
      buckets: durationBuckets,
      registry,
    });
    this.#refusals = new Counter({
      name: "pay_http_refusals_total",
      help: "Requests refused. code: of the error, such as authentication_failed, nonce_reused, rate_limited.",
      labelNames: ["operation", "code"],
      registers,
    });
    this.#replays = new Counter({
      name: "pay_idempotent_replays_total",
      help: "Requests whose Idempotency-Key had been used for the same request before.",
      labelNames: ["operation"],
      registers,
    });
    this.#refusedConnections = new Counter({
      name: "pay_http_connections_refused_total",
      help: "Connections closed without an answer, since there were too many.",
      registers,
    });
    this.#addUse(registers);
  }

  readonly onAnswered = ({
    operationId,
    isCheckout,
    status,
    code,
    milliseconds,
  }: Answered): void => {
    const operation = operationId ?? (isCheckout ? "checkout" : "other");
    this.#requests.inc(operation, status);
    this.#durations.observe(milliseconds / 1000, operation);
    if (code !== undefined) this.#refusals.inc({ operation, code });
  };

  readonly onReplayed = (operation: string): void => this.#replays.inc({ operation });

  readonly onRefused = (): void => this.#refusedConnections.inc();

  /** From now on it says how its connections are used. */
  watch(http: HttpUse): void {
    this.#http = http;
  }

  #addUse(registers: Registry[]): void {
    const inFlight = (): number => this.#http?.inFlight.size ?? 0;
    const connections = (): Promise<number> =>
      new Promise((resolve, reject) => {
        if (this.#http === undefined) return resolve(0);
        this.#http.server.getConnections((error, count) =>
          error === null ? resolve(count) : reject(error),
        );
      });
    void new Gauge({
      name: "pay_http_requests_in_flight",
      help: "Requests that are being answered, and open streams of checkout pages.",
      registers,
      collect() {
        this.set(inFlight());
      },
    });
    void new Gauge({
      name: "pay_http_connections",
      help: "Open connections of clients.",
      registers,
      async collect() {
        this.set(await connections());
      },
    });
  }
}
