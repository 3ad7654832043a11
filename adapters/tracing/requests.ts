// A request from its first line to its answer. Nothing is told of it that names a merchant, a payment or a customer:
// the route as the contract has it, never the path; no query, header or body.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { TextMapGetter } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Spans } from "./spans.ts";

/** As the handlers tell of a request when they begin. */
interface Begun {
  readonly requestId: string;
  /** as the contract writes it; undefined: of none of the contract */
  readonly route: string | undefined;
  readonly method: string;
}

/** As the handlers tell of an answer. */
interface Answered {
  readonly operationId: string | undefined;
  readonly isCheckout: boolean;
  readonly status: number;
  readonly code: string | undefined;
}

/** Asked every few seconds, by those who watch the process. */
const quiet = /^\/(?:healthz|readyz)(?:\?|$)/;

/** All others are `_OTHER`: who asks must not choose the names of spans. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Not `tracestate`: it is free text of whoever asks, and would go to the collector with each part of the request. */
const parentOnly: TextMapGetter<IncomingHttpHeaders> = {
  keys: () => ["traceparent"],
  get: (headers, name) => (name === "traceparent" ? headers[name] : undefined),
};

export class RequestTracing {
  readonly #spans: Spans;
  readonly #propagator = new W3CTraceContextPropagator();

  constructor(spans: Spans) {
    this.#spans = spans;
  }

  /** Serves it as part of the caller's trace, where one is named in the form of W3C, or of one of its own. */
  readonly around = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    serve: () => void,
  ): void => {
    if (quiet.test(incoming.url ?? "")) {
      serve();
      return;
    }
    const parent = this.#propagator.extract(ROOT_CONTEXT, incoming.headers, parentOnly);
    const method = methodOf(incoming.method);
    const attributes = {
      "http.request.method": method,
      "network.protocol.version": incoming.httpVersion,
    };
    const span = this.#spans.begin({ name: method, kind: SpanKind.SERVER, attributes }, parent);
    outgoing.once("close", () => {
      // It has gone before it had an answer.
      if (span.isRecording()) span.setAttribute("error.type", "client_gone");
      this.#spans.end(span);
    });
    this.#spans.around(span, incoming, serve);
  };

  readonly onBegun = ({ requestId, route, method }: Begun): void => {
    const span = this.#spans.active();
    if (span?.isRecording() !== true) return;
    span.setAttribute("pay.request_id", requestId);
    if (route === undefined) return;
    span.setAttribute("http.route", route);
    span.updateName(`${methodOf(method)} ${route}`);
  };

  readonly onAnswered = ({ operationId, isCheckout, status, code }: Answered): void => {
    const span = this.#spans.active();
    if (span === undefined) return;
    if (!span.isRecording()) {
      this.#spans.end(span);
      return;
    }
    span.setAttributes({
      "http.response.status_code": status,
      "pay.operation": operationId ?? (isCheckout ? "checkout" : "other"),
      ...(code === undefined ? {} : { "pay.refusal": code }),
    });
    if (status >= 500) {
      span.setAttribute("error.type", code ?? String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#spans.end(span);
  };
}

function methodOf(method = ""): string {
  return methods.has(method) ? method : "_OTHER";
}
