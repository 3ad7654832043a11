// The service for a benchmark, put together as `npm start` does it, with two differences. The
// quotas are wide: every request is still counted in every policy, but the published 120 writes a
// minute of a key would end a measurement in its first second. And webhooks and jobs only start when
// somebody says so. Chains are connected where some are configured.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Operator } from "../../../adapters/operator/command.ts";
import { readCheckoutFiles } from "../../../adapters/http/checkout-files.ts";
import { encodeQr } from "../../../adapters/http/qr-code.ts";
import { buildApplication } from "../../../adapters/http/application.ts";
import { onAnsweredOf } from "../../../adapters/assembly/observed.ts";
import { openService } from "../../../adapters/assembly/service.ts";
import type { AssemblyPorts, OpenedService } from "../../../adapters/assembly/service.ts";
import { systemClock } from "../../../adapters/system/clock.ts";
import { hasChains } from "../../../adapters/configuration/chains.ts";
import { parseConfiguration } from "../../../adapters/configuration/configuration.ts";
import type { Configuration } from "../../../adapters/configuration/configuration.ts";
import type { OpenedDatabase } from "../../../adapters/database/session.ts";
import { buildHttpServer } from "../../../adapters/http/server.ts";
import type { Metrics } from "../../../adapters/metrics/metrics.ts";
import { buildLogger } from "../../../adapters/system/logging.ts";
import type { LogOutput, Logger } from "../../../adapters/system/logging.ts";
import { openStandardOutput } from "../../../adapters/system/standard-output.ts";
import type { Tracing } from "../../../adapters/tracing/tracing.ts";
import { buildCheckoutRoutes } from "../../../handlers/checkout/checkout-routes.ts";
import type { CheckoutRoutes } from "../../../handlers/checkout/checkout-routes.ts";
import { buildEdge } from "../../../handlers/edge.ts";
import { buildJudge } from "../../../handlers/judge.ts";
import { TransportError } from "../../../handlers/errors.ts";
import { buildHandlers } from "../../../handlers/handlers.ts";
import { ratePolicies } from "../../../service/ports/rate-limits.ts";

export interface BenchService {
  readonly url: string;
  readonly operator: Operator;
  /** Begins to send webhooks and to run the jobs. */
  readonly startWork: () => void;
  readonly close: () => Promise<void>;
}

/** More than a minute can bring. */
const quota = 1_000_000_000;
const quotas = Object.fromEntries(Object.keys(ratePolicies).map((policy) => [policy, quota]));

/** @param database in place of the configured one */
export async function startBenchService(
  environment: Readonly<Record<string, string | undefined>>,
  database?: OpenedDatabase,
): Promise<BenchService> {
  const configuration = parseConfiguration(environment);
  const output = openStandardOutput();
  const tracing = await tracingOf(configuration);
  const log = buildLogger(configuration.logLevel, output, tracing?.logFields);
  const metrics = await metricsOf(configuration, log);
  const service = await openService(configuration, {
    clock: systemClock,
    log,
    metrics,
    tracing,
    quotas,
    ...(await chainPortsOf(configuration, log, output)),
    ...(database === undefined ? {} : { database }),
  });
  const { authentication, clientAddress, ids, checkHealth } = service;
  // As in production.
  const checkAnswers = false;
  const edge = buildEdge({
    clock: systemClock,
    ids,
    log,
    authentication,
    clientAddress,
    judge: buildJudge(service.rules),
    checkAnswers,
    onBegun: tracing?.requests.onBegun,
    onAnswered: onAnsweredOf({ metrics, tracing }),
  });
  const pages = checkoutPagesOf(service, log);
  const application = buildApplication({
    handlers: buildHandlers(service.rules),
    edge,
    isReady: () => true,
    checkHealth,
    meet: (state) => authentication.meet(state.clientAddress),
    moreRoutes: pages.routes,
  });
  const { server } = buildHttpServer({
    application,
    edge,
    connections: { clock: systemClock, log, trustedProxies: [] },
    transportError: (code, message, violations) => new TransportError(code, message, violations),
    around: tracing?.requests.around,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    operator: service.operator,
    startWork: service.startWork,
    close: async () => {
      pages.close();
      server.closeAllConnections();
      server.close();
      await service.close();
      await tracing?.close();
    },
  };
}

function checkoutPagesOf({ checkout }: OpenedService, log: Logger): CheckoutRoutes {
  return buildCheckoutRoutes({
    ...checkout,
    clock: systemClock,
    encodeQr,
    assets: readCheckoutFiles(),
    onError: (error) => log.warn({ err: error }, "open pages could not be brought up to date"),
  });
}

/** Somebody reads them three times as often as Prometheus does, as far as nobody has said otherwise. */
const readMilliseconds = 5_000;

async function metricsOf(configuration: Configuration, log: Logger): Promise<Metrics | undefined> {
  if (configuration.metricsPlace === undefined) return undefined;
  const { Metrics: Counting } = await import("../../../adapters/metrics/metrics.ts");
  const metrics = new Counting({ clock: systemClock, log });
  setInterval(() => void metrics.text("openmetrics"), readMilliseconds).unref();
  return metrics;
}

async function tracingOf({ tracesPlace }: Configuration): Promise<Tracing | undefined> {
  if (tracesPlace === undefined) return undefined;
  const { Tracing: Telling } = await import("../../../adapters/tracing/tracing.ts");
  return new Telling(tracesPlace, { clock: systemClock });
}

async function chainPortsOf(
  configuration: Configuration,
  log: Logger,
  signerOutput: LogOutput,
): Promise<Pick<AssemblyPorts, "connectChains" | "watching">> {
  // Nothing is read of them: most benchmarks are about requests.
  if (!hasChains(configuration)) return { watching: ["eip155:1", "eip155:8453"] };
  const { connectChains } = await import("../../../adapters/assembly/chains.ts");
  const ports = { configuration, clock: systemClock, log, signerOutput };
  return { connectChains: (knowledge) => connectChains(ports, knowledge) };
}
