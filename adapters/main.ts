// Puts everything together and starts it. The only file that sees all sides; no rules live here.

import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buildEdge } from "../handlers/edge.ts";
import { buildJudge } from "../handlers/judge.ts";
import { TransportError } from "../handlers/errors.ts";
import { errorHelpRoutes } from "../handlers/error-help/routes.ts";
import { buildCheckoutRoutes } from "../handlers/checkout/checkout-routes.ts";
import { buildHandlers } from "../handlers/handlers.ts";
import { runAdmin } from "./operator/command.ts";
import { listenForAdmin } from "./operator/socket.ts";
import type { AdminSocket } from "./operator/socket.ts";
import { buildApplication } from "./http/application.ts";
import type { DocsBuild } from "./http/docs-build.ts";
import { DocsSite } from "./http/docs-routes.ts";
import { openService } from "./assembly/service.ts";
import type { AssemblyPorts, OpenedService } from "./assembly/service.ts";
import { onAnsweredOf, rpcObservers } from "./assembly/observed.ts";
import { readCheckoutFiles } from "./http/checkout-files.ts";
import { systemClock } from "./system/clock.ts";
import { closeInspectorDoor } from "./system/inspector.ts";
import { parseConfiguration } from "./configuration/configuration.ts";
import type { Configuration } from "./configuration/configuration.ts";
import { readStartWords } from "./configuration/start-words.ts";
import { hasChains, isLocalChainOn } from "./configuration/chains.ts";
import { thisMachine } from "./configuration/machine.ts";
import { productionWarnings } from "./configuration/exposure.ts";
import { demoText, makeDemo, refuseDemo, returnText } from "./assembly/demo.ts";
import {
  sameSignalMilliseconds,
  stopDeadlineMilliseconds,
  stopGracefully,
} from "./http/graceful-stop.ts";
import { buildHttpServer, serverLimits } from "./http/server.ts";
import type { HttpServer } from "./http/server.ts";
import { boundEnding, endProcess } from "./system/ending.ts";
import { buildLogger } from "./system/logging.ts";
import type { MetricsFormat } from "./metrics/formats.ts";
import type { MetricsListener } from "./metrics/listener.ts";
import { openStandardOutput } from "./system/standard-output.ts";
import { encodeQr } from "./http/qr-code.ts";
import { systemRandom } from "./system/random.ts";
import { startProblem } from "./assembly/start-problem.ts";

/** For the database, the signer and the local chain, when the requests are answered; what is traced comes after. */
const closeMillisecondsMax = 10_000;

closeInspectorDoor();
const output = openStandardOutput();
const { isBuildingDocs } = await explained(() =>
  Promise.resolve(readStartWords(process.argv.slice(2))),
);
const configuration = await explained(() =>
  Promise.resolve(parseConfiguration(process.env, thisMachine)),
);
const tracing = await buildTracing(configuration);
const log = buildLogger(configuration.logLevel, output, tracing?.logFields);
tracing?.tellTo((fields, message) => log.warn(fields, message));
let isStopping = false;
for (const warning of productionWarnings(configuration)) log.warn(warning);

/** Ends at once what takes in or begins something, as far as it is there. */
const halts: (() => unknown)[] = [];

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "uncaught: the state of the process is unknown, so it ends");
  // The last lines of the log may take a while: nothing is handled in it.
  for (const halt of halts) halt();
  endProcess(output, 1);
});

/** Before the database is opened: what is kept of compiled code counts under the flags that V8 has until then. */
const chains = hasChains(configuration) ? await import("./assembly/chains.ts") : undefined;
let localChainUrl: string | undefined;
const { metricsPlace } = configuration;
/** Only where it is wanted: counting takes a little, and a library. */
const metrics =
  metricsPlace === undefined
    ? undefined
    : new (await import("./metrics/metrics.ts")).Metrics({
        clock: systemClock,
        log,
        cell: configuration.cell,
      });
/** Kept: a server that is ending answers what it has begun, and listens no more. */
let listeningUrl: string | undefined;
const ports: AssemblyPorts = {
  clock: systemClock,
  log,
  metrics,
  tracing,
  ownUrl: () => (listeningUrl ??= urlOf(http)),
  firstCatalog: { hasLocalChain: isLocalChainOn(configuration) },
  connectChains: async (knowledge) => {
    const signerOutput = { write: output.keep };
    const compileCache = chains?.compileCacheOf(configuration, process.env);
    const observerOf = rpcObservers({ metrics, tracing });
    const parts = {
      configuration,
      clock: systemClock,
      log,
      signerOutput,
      compileCache,
      observerOf,
    };
    const connected = await chains?.connectChains(parts, knowledge);
    localChainUrl = connected?.localChain?.url;
    return connected;
  },
};
const service = await explained(() => openService(configuration, ports));
const isEmbedded = configuration.databaseUrl === undefined;
const isProduction = configuration.environment === "production";
const isDemo = isEmbedded && !isProduction;
await explained(checkNoDemo);
halts.push(() => service.stopWork());
const adminSocket = isEmbedded ? await openAdminSocket(service) : undefined;
halts.push(() => adminSocket?.close());
const checkoutPages = buildCheckoutRoutes({
  ...service.checkout,
  clock: systemClock,
  encodeQr,
  assets: readCheckoutFiles(configuration.cell),
  onError: (error) =>
    log.warn({ err: error }, "open checkout pages could not be brought up to date"),
});
const docs = new DocsSite(join(import.meta.dirname, "..", "dist", "docs"), {
  onMissing: tellMissingDocs,
  isForBuilders: !isProduction,
});
let docsBuild: DocsBuild | undefined;
const http = buildHttp(service);
metrics?.requests.watch(http);
const metricsListener = await explained(openMetricsListener);
halts.push(() => http.halt());
halts.push(() => docsBuild?.stop());

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
http.server.once("error", (error: NodeJS.ErrnoException) => void giveUp(error));
http.server.listen(configuration.port, configuration.host, () => {
  const url = announce(http);
  // Now, and not when somebody asks: what is put into that folder later is not served.
  void docs.files();
  // A word of "npm start": whoever starts this file wants a server and nothing else.
  if (isBuildingDocs && !isProduction) void buildDocs();
  if (isDemo) {
    // Not before somebody can see its secret: a start that failed must not use up the demo. And before the jobs, whose
    // first round keeps the one connection of the embedded database.
    void showDemo(service, url).then(service.startWork);
  } else {
    service.startWork();
    void tellMissing(service);
  }
});

/** Runs a step of the start; what a person can repair is told to them without a stack. */
async function explained<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    const problem = startProblem(error);
    if (problem === undefined) throw error;
    return complain(problem);
  }
}

/** In production. The database is left in order. */
async function checkNoDemo(): Promise<void> {
  if (!isProduction) return;
  try {
    await refuseDemo(service.operator, systemClock.now());
  } catch (error) {
    await closeService();
    throw error;
  }
}

/** Only where it is wanted: it takes time for each request, and several libraries. */
async function buildTracing({ tracesPlace, cell }: Configuration) {
  if (tracesPlace === undefined) return undefined;
  const { Tracing } = await import("./tracing/tracing.ts");
  return new Tracing(tracesPlace, { clock: systemClock, cell });
}

function buildHttp(service: OpenedService) {
  const { rules, authentication, clientAddress, ids, checkHealth, readMissing } = service;
  const edge = buildEdge({
    clock: systemClock,
    ids,
    log,
    authentication,
    clientAddress,
    judge: buildJudge(rules),
    // An answer that breaks the contract is our mistake: loud while we build, and not the merchant's
    // problem once we run.
    checkAnswers: !isProduction,
    onBegun: tracing?.requests.onBegun,
    onAnswered: onAnsweredOf({ metrics, tracing }),
  });
  const application = buildApplication({
    handlers: buildHandlers(rules),
    edge,
    isReady: () => !isStopping,
    checkHealth,
    readMissing,
    meet: (state) => authentication.meet(state.clientAddress),
    moreRoutes: new Map([...checkoutPages.routes, ...errorHelpRoutes]),
    docs,
  });
  const { connectionsMax, connectionsPerAddressMax, trustedProxies } = configuration;
  return buildHttpServer(
    {
      application,
      edge,
      connections: {
        clock: systemClock,
        log,
        trustedProxies,
        onRefused: metrics?.requests.onRefused,
      },
      transportError: (code, message, violations) => new TransportError(code, message, violations),
      around: tracing?.requests.around,
    },
    { ...serverLimits, connectionsMax, connectionsPerAddressMax },
  );
}

function tellMissingDocs(error: unknown): void {
  const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
  // In development whoever opens the page is told.
  if (isAbsent && !isProduction) return;
  const way =
    'run "npm run docs" where the packages of development are, copy dist/docs from there, and start again';
  log.warn({ err: error, folder: docs.folder }, `there is no site at /docs: ${way}`);
}

/** In the background. */
async function buildDocs(): Promise<void> {
  const { startDocsBuild } = await import("./http/docs-build.ts");
  if (isStopping) return;
  docsBuild = startDocsBuild(docs, { log, environment: process.env });
}

/** Throws `MetricsListenError`; then the database is left in order. */
async function openMetricsListener(): Promise<MetricsListener | undefined> {
  if (metrics === undefined || metricsPlace === undefined) return undefined;
  try {
    const { listenForMetrics } = await import("./metrics/listener.ts");
    const text = (format: MetricsFormat) => metrics.text(format);
    const listener = await listenForMetrics(metricsPlace, { text, log });
    log.info({ url: listener.url }, `metrics are at ${listener.url}`);
    return listener;
  } catch (error) {
    await closeService();
    throw error;
  }
}

function openAdminSocket({ operator }: OpenedService): Promise<AdminSocket> {
  return listenForAdmin({
    dataDirectory: configuration.dataDirectory,
    run: async (request) => {
      const answer = await runAdmin(request, operator);
      const command = request.words.slice(0, 2).join(" ");
      log.info({ command, exit_code: answer.exitCode }, "an operator's command");
      return answer;
    },
    log,
  });
}

function urlOf({ server }: HttpServer): string {
  // A server that listens on a port (not on a pipe) has an address of this form.
  const { address, port } = server.address() as AddressInfo;
  const host = address.includes(":") ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function announce(listening: HttpServer): string {
  const url = (listeningUrl = urlOf(listening));
  log.info({ url, cell: configuration.cell }, `listening on ${url}`);
  return url;
}

/** What somebody who sets it up has to do next. */
async function tellMissing({ readMissing }: OpenedService): Promise<void> {
  try {
    for (const { need, text } of await readMissing()) {
      log.warn({ missing: need }, `no payment can be taken: ${text}`);
    }
  } catch (error) {
    log.warn({ err: error }, "nobody can say what is missing for payments");
  }
}

async function showDemo({ operator }: OpenedService, url: string): Promise<void> {
  const issued = await makeDemo(operator);
  const { dataDirectory, logLevel, chains } = configuration;
  const hasChain = localChainUrl !== undefined || chains.rpcUrls.size > 0;
  const where = { url, dataDirectory, localChainUrl, hasChain };
  if (issued !== undefined) {
    const nowMilliseconds = systemClock.nowMilliseconds();
    output.write(demoText(issued, { ...where, nowMilliseconds, random: systemRandom }));
    return;
  }
  const [merchant] = await operator.merchants.list();
  if (merchant !== undefined && logLevel !== "silent") output.write(returnText(merchant, where));
}

let firstSignalAt = 0;

function stop(signal: NodeJS.Signals): void {
  const now = systemClock.monotonicMilliseconds();
  if (isStopping) {
    if (now - firstSignalAt < sameSignalMilliseconds) return;
    log.warn({ signal }, "stopping at once: second signal");
    endProcess(output, 1);
    return;
  }
  firstSignalAt = now;
  docsBuild?.stop();
  const drainMilliseconds = configuration.drainSeconds * 1_000;
  // As long again while requests still come.
  const answeringMilliseconds = 2 * drainMilliseconds + stopDeadlineMilliseconds;
  const tracesMilliseconds = tracing?.closeMillisecondsMax ?? 0;
  boundEnding(answeringMilliseconds + closeMillisecondsMax + tracesMilliseconds);
  void stopGracefully(http, {
    log,
    setStopping: () => {
      isStopping = true;
    },
    drainMilliseconds,
    endStreams: () => checkoutPages.close(),
    deadlineMilliseconds: stopDeadlineMilliseconds,
  }).then(async (isClean) => {
    // The requests are answered: nobody needs the database any more.
    await close();
    log.info(isClean ? "stopped" : "stopped with requests cut off");
    endProcess(output, isClean ? 0 : 1);
  });
}

async function close(): Promise<void> {
  // Before the service: what the database says is gone with it.
  await metricsListener?.close();
  await closeService();
  await tracing?.close();
}

async function closeService(): Promise<void> {
  try {
    await adminSocket?.close();
    await service.close();
  } catch (error) {
    log.error({ err: error }, "closing failed");
  }
}

/** It cannot listen. The database is left in order all the same. */
async function giveUp(error: NodeJS.ErrnoException): Promise<never> {
  await close();
  return complain(listenProblem(error, configuration));
}

function listenProblem(error: NodeJS.ErrnoException, { host, port }: Configuration): string {
  const way = "start with another, for example PORT=8081 npm start";
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is taken: stop what uses it, or ${way}.`;
    case "EACCES":
      return `Port ${port} on ${host} needs more rights than this user has: ${way}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST ${host} is no address of this machine: write 127.0.0.1, 0.0.0.0 or ::1.`;
    default:
      return `Cannot listen on ${host}, port ${port}: ${error.message}`;
  }
}

/** For the person who starts the server: one readable text, no stack. */
function complain(text: string): Promise<never> {
  process.stderr.write(`${text.trimEnd()}\n`);
  endProcess(output, 1);
  return new Promise(() => undefined);
}
