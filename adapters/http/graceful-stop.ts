// Stopping without losing a request: no new connections, answers under way are finished, each
// client is told not to send more on its connection; after a deadline whatever is left is cut.

import { setTimeout as pause } from "node:timers/promises";
import type { RequestListener, ServerResponse } from "node:http";
import type { HttpServer } from "./server.ts";

/** Most process managers kill 10 to 30 s after their first signal. */
export const stopDeadlineMilliseconds = 10_000;

/** How often connections that have become idle are closed while the last answers are written. */
const sweepMilliseconds = 20;

/**
 * One Ctrl-C can arrive twice: from the terminal, which signals the whole group, and once more
 * from npm, which passes on what it gets. Only a later signal means "now".
 */
export const sameSignalMilliseconds = 500;

export interface StopPorts {
  readonly log: {
    readonly info: (message: string) => void;
    readonly warn: (message: string) => void;
  };
  /** readiness is off from the first moment, so that balancers look elsewhere */
  readonly setStopping: () => void;
  /** everything is served for as long afterwards, or twice as long: until they have looked */
  readonly drainMilliseconds: number;
  /** answers that would not end by themselves */
  readonly endStreams: () => void;
  readonly deadlineMilliseconds: number;
}

const lookMilliseconds = 100;
/**
 * So many looks in turn at which nobody had asked for anything: the balancer looks elsewhere. Looks, and not time: each is a
 * turn of the event loop, which reads what has come, and a busy one takes its time to.
 */
const calmLooks = 10;
/** What asks whether we are ready goes on asking. */
const probes = /^\/(?:readyz|healthz)(?:\?|$)/;

/**
 * Serves as before. Goes on for as long again while requests still come: a balancer that is slow to look, or a server
 * that is slow to answer it, would lose what is on its way.
 */
async function drain({ server }: HttpServer, ports: StopPorts): Promise<void> {
  const { drainMilliseconds, log } = ports;
  log.info(`draining: not ready, and serving for ${drainMilliseconds / 1000} s`);
  const startedAt = performance.now();
  const isWithin = (milliseconds: number) => performance.now() - startedAt < milliseconds;
  let calm = calmLooks;
  const listener: RequestListener = ({ url = "" }) => {
    if (!probes.test(url)) calm = 0;
  };
  server.on("request", listener);
  while (isWithin(drainMilliseconds) || (calm < calmLooks && isWithin(2 * drainMilliseconds))) {
    await pause(Math.min(lookMilliseconds, drainMilliseconds));
    calm += 1;
  }
  if (calm < calmLooks) log.warn("draining: requests still come, and the server stops");
  server.off("request", listener);
}

/** From now on whoever has had an answer needs another connection, and finds another server by it. */
function closeAfterAnswers({ server, inFlight }: HttpServer): void {
  const closeAfterAnswer = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  for (const response of inFlight) closeAfterAnswer(response);
  // A request with an Expect that Node does not know comes as "checkExpectation" alone.
  const listener: RequestListener = (_incoming, response) => closeAfterAnswer(response);
  server.prependListener("request", listener);
  server.prependListener("checkExpectation", listener);
}

/** Resolves to false when the deadline had to cut connections. */
export async function stopGracefully(http: HttpServer, ports: StopPorts): Promise<boolean> {
  ports.setStopping();
  closeAfterAnswers(http);
  if (ports.drainMilliseconds > 0) await drain(http, ports);
  ports.endStreams();
  const count = http.inFlight.size;
  ports.log.info(`stopping: ${count === 1 ? "1 request" : `${count} requests`} to finish`);
  let isClean = true;
  const sweep = setInterval(() => http.server.closeIdleConnections(), sweepMilliseconds);
  const deadline = setTimeout(() => {
    isClean = false;
    ports.log.warn(`stopping: cut ${http.inFlight.size} after ${ports.deadlineMilliseconds} ms`);
    http.server.closeAllConnections();
  }, ports.deadlineMilliseconds);
  await new Promise<void>((resolve) => {
    http.server.close(() => resolve());
  });
  clearInterval(sweep);
  clearTimeout(deadline);
  return isClean;
}
