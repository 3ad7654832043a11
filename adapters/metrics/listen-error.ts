// Why nobody can ask for the numbers, for the person at the terminal.

import type { MetricsPlace } from "../configuration/metrics.ts";

/** It cannot listen there; the message says why and what to do. */
export class MetricsListenError extends Error {
  constructor(place: MetricsPlace, cause: unknown) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    super(
      `METRICS_LISTEN ${inWords(place)} cannot be listened on (${reason}): name a free port, or a socket in a folder that ` +
        "this user may write to.",
      { cause },
    );
    this.name = "MetricsListenError";
  }
}

export function inWords(place: MetricsPlace): string {
  return place.kind === "socket" ? `unix:${place.path}` : `${place.host}:${place.port}`;
}
