// Which part of the service a place in a profile belongs to, by the path of its script: packages by
// their name, our own files below the project, Node's modules as "node:...".

import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** Asleep: the process waits for the database, or for requests. */
export const idle = "idle";

/** What V8 says in place of a function. */
const metaParts: ReadonlyMap<string, string> = new Map([
  ["(idle)", idle],
  ["(program)", "(program): outside of JavaScript"],
  ["(garbage collector)", "garbage collection"],
]);

/** The first that fits counts. */
const parts: readonly (readonly [string, RegExp])[] = [
  ["pg, the driver", /^node_modules\/(?:pg|pg-[\w-]+|pgpass|postgres-[\w-]+)\//],
  ["sockets", /^node:(?:net|internal\/(?:net|stream_base_commons|streams\/.*))$/],
  ["HTTP of Node", /^node:(?:http|_http_\w+|internal\/http)$/],
  ["crypto and signatures", /^node:(?:crypto|internal\/crypto\/.*)$/],
  ["crypto and signatures", /^service\/(?:merchants\/request-signature|secrets\/.*)\.ts$/],
  // Of a service that runs, only the log writes to a file.
  ["pino, the log", /^node:fs$/],
  ["node internals", /^node:/],
  ["JSON and canonical JSON", /^service\/canonical-json\.ts$/],
  // With the framing of answers, nearly all of which are made of JSON there.
  ["JSON and canonical JSON", /^generated\/runtime\/(?:json(?:-\w+)?|writing)\.ts$/],
  [
    "pino, the log",
    /^node_modules\/(?:pino|pino-[\w-]+|@pinojs\/[\w-]+|sonic-boom|thread-stream|safe-stable-stringify|quick-format-unescaped)\//,
  ],
  ["pino, the log", /^adapters\/system\/(?:logging|standard-output)\.ts$/],
  ["Hono", /^node_modules\/(?:hono|@hono\/[\w-]+)\//],
  ["rate limits", /^(?:node_modules\/rate-limiter-flexible\/|adapters\/http\/rate-limits\.ts$)/],
  [
    "counting for Prometheus",
    /^(?:adapters\/metrics|node_modules\/(?:prom-client|tdigest|bintrees))\//,
  ],
  ["traces", /^(?:adapters\/tracing|node_modules\/@opentelemetry)\//],
  ["other packages", /^node_modules\/(?!zod\/)/],
  ["validation, generated", /^(?:generated|node_modules\/zod)\//],
  ["handlers", /^handlers\//],
  ["service rooms", /^service\//],
  ["adapters: database", /^adapters\/database\//],
  ["adapters: the others", /^adapters\//],
];
const elsewhere = "elsewhere";

/** Bytes are copied and encoded for whoever asks: a place here counts for its caller. */
const buffers = /^node:(?:internal\/)?buffer$/;

export function isForCaller(url: string): boolean {
  return url === "" || buffers.test(url);
}

export function metaPart(functionName: string): string | undefined {
  return metaParts.get(functionName);
}

export function partOf(path: string): string {
  return parts.find(([, pattern]) => pattern.test(path))?.[0] ?? elsewhere;
}

const projectUrl = pathToFileURL(join(import.meta.dirname, "..", "..", "..", sep)).href;

/** From the project, or from the last node_modules. */
export function pathOf(url: string): string {
  const packages = url.lastIndexOf("/node_modules/");
  if (packages !== -1) return url.slice(packages + 1);
  return url.startsWith(projectUrl) ? url.slice(projectUrl.length) : url;
}
