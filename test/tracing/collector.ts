// A collector as a server sees one: it takes OTLP over HTTP as JSON, and keeps what it was told.

import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { vi } from "vitest";
import type { TracesPlace } from "../../adapters/configuration/traces.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { startListener } from "../webhooks/receiver.ts";

export interface ToldSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ToldSpan[];
  /** of what told of them */
  readonly resource: Readonly<Record<string, unknown>>;
  /** every byte that came, headers without their names included */
  readonly text: () => string;
  readonly waitFor: (fits: (span: ToldSpan) => boolean) => Promise<ToldSpan>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

type Answer = (response: ServerResponse) => void;

export const accept: Answer = (response) => {
  response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
};

/** Where a collector takes traces, and of which of them it is told; all when left out. */
export function placeAt(url: string, ratio = 1): TracesPlace {
  return { url: `${url}/v1/traces`, headers: {}, serviceName: "a-test", attributes: {}, ratio };
}

/** What a test reads of `ExportTraceServiceRequest`. */
interface Told {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

interface RawSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly Attribute[];
}

/** @param answer how it does it; 200 and no complaint when left out */
export async function startCollector(answer: Answer = accept): Promise<Collector> {
  const spans: ToldSpan[] = [];
  const texts: string[] = [];
  const resource: Record<string, unknown> = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const isPacked = request.headers["content-encoding"] === "gzip";
      const text = (isPacked ? gunzipSync(bytes) : bytes).toString("utf8");
      texts.push(`${request.url} ${Object.values(request.headers).join(" ")}\n${text}\n`);
      // What it sends is what the exporter's serializer wrote.
      const told = JSON.parse(text) as Told;
      for (const one of told.resourceSpans) {
        Object.assign(resource, valuesOf(one.resource.attributes));
        spans.push(...one.scopeSpans.flatMap((scope) => scope.spans.map(spanOf)));
      }
      answer(response);
    });
  });
  const { port, close } = await startListener(server);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    resource,
    text: () => texts.join(""),
    waitFor: (fits) =>
      vi.waitUntil(() => spans.find(fits), { timeout: patienceMilliseconds, interval: 50 }),
    [Symbol.asyncDispose]: close,
  };
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function spanOf({ status, attributes, ...span }: RawSpan): ToldSpan {
  const { name, kind, traceId, spanId, parentSpanId = "", traceState = "" } = span;
  const isError = status.code === 2;
  return {
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    traceState,
    isError,
    attributes: valuesOf(attributes),
  };
}
