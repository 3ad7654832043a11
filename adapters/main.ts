// Puts everything together and starts it. The only file that sees all sides; no rules live here.

import { randomFillSync } from "node:crypto";
import type { AddressInfo } from "node:net";
import { buildEdge } from "../handlers/edge.ts";
import { TransportError } from "../handlers/errors.ts";
import { handlers } from "../handlers/handlers.ts";
import { buildApplication } from "./application.ts";
import { systemClock } from "./clock.ts";
import { ConfigurationError, parseConfiguration } from "./configuration.ts";
import type { Configuration } from "./configuration.ts";
import {
  sameSignalMilliseconds,
  stopDeadlineMilliseconds,
  stopGracefully,
} from "./graceful-stop.ts";
import { buildHttpServer } from "./http-server.ts";
import type { HttpServer } from "./http-server.ts";
import { buildIdentifiers } from "./identifiers.ts";
import { buildLogger, openStandardOutput } from "./logging.ts";

const flushMillisecondsMax = 500;

const configuration = readConfiguration();
const output = openStandardOutput();
const log = buildLogger(configuration.logLevel, output);
let isStopping = false;

const edge = buildEdge({
  clock: systemClock,
  ids: buildIdentifiers({ clock: systemClock, fillRandom: (bytes) => void randomFillSync(bytes) }),
  log,
  // An answer that breaks the contract is our mistake: loud while we build, and not the merchant's
  // problem once we run.
  checkAnswers: configuration.environment !== "production",
});
const application = buildApplication({ handlers, edge, isReady: () => !isStopping });
const http = buildHttpServer({
  application,
  edge,
  transportError: (code, message, violations) => new TransportError(code, message, violations),
});

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "uncaught: the state of the process is unknown, so it ends");
  end(1);
});
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
http.server.once("error", (error: NodeJS.ErrnoException) => {
  complain(listenProblem(error, configuration));
});
http.server.listen(configuration.port, configuration.host, () => announce(http));

function readConfiguration(): Configuration {
  try {
    return parseConfiguration(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return complain(error.message);
  }
}

function announce({ server }: HttpServer): void {
  // A server that listens on a port (not on a pipe) has an address of this form.
  const { address, port } = server.address() as AddressInfo;
  const host = address.includes(":") ? `[${address}]` : address;
  log.info({ url: `http://${host}:${port}` }, `listening on http://${host}:${port}`);
}

let firstSignalAt = 0;

function stop(signal: NodeJS.Signals): void {
  const now = systemClock.monotonicMilliseconds();
  if (isStopping) {
    if (now - firstSignalAt < sameSignalMilliseconds) return;
    log.warn({ signal }, "stopping at once: second signal");
    end(1);
    return;
  }
  firstSignalAt = now;
  void stopGracefully(http, {
    log,
    setStopping: () => (isStopping = true),
    deadlineMilliseconds: stopDeadlineMilliseconds,
  }).then((isClean) => {
    log.info(isClean ? "stopped" : "stopped with requests cut off");
    end(isClean ? 0 : 1);
  });
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
function complain(text: string): never {
  process.stderr.write(`${text.trimEnd()}\n`);
  process.exit(1);
}

/** The log is written to its end first, unless nobody takes it. */
function end(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), flushMillisecondsMax);
  void output.flush().then(() => process.exit(exitCode));
}
