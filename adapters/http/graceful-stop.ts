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
  /** everything is served for as long afterwards: until they have looked */
  readonly drainMilliseconds: number;
  /** answers that would not end by themselves */
  readonly endStreams: () => void;
  readonly deadlineMilliseconds: number;
}

/** Resolves to false when the deadline had to cut connections. */
export async function stopGracefully(http: HttpServer, ports: StopPorts): Promise<boolean> {
  ports.setStopping();
  if (ports.drainMilliseconds > 0) {
    ports.log.info(`draining: not ready, and serving for ${ports.drainMilliseconds / 1000} s`);
    await pause(ports.drainMilliseconds);
  }
  ports.endStreams();
  const count = http.inFlight.size;
  ports.log.info(`stopping: ${count === 1 ? "1 request" : `${count} requests`} to finish`);
  const closeAfterAnswer = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  for (const response of http.inFlight) closeAfterAnswer(response);
  // A request with an Expect that Node does not know comes as "checkExpectation" alone.
  const listener: RequestListener = (_incoming, response) => closeAfterAnswer(response);
  http.server.prependListener("request", listener);
  http.server.prependListener("checkExpectation", listener);

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
