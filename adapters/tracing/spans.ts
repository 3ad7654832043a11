// One piece of work after the other: what is begun while another is under way is part of it. What is begun by itself,
// such as the look for due webhooks each second, is not told of; nor is what outlives what began it.
//
// Nothing here is caught: the library promises that what it is told never throws (OpenTelemetry, "Error handling").

import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attributes, Context, Span, SpanContext, Tracer } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { EventEmitter } from "node:events";

export interface Work {
  readonly name: string;
  /** INTERNAL when left out */
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
}

/** What the log says of the work that a line is about. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
  /** 01: it is recorded; 00: it is one of those that are left out */
  readonly trace_flags: "00" | "01";
}

export class Spans {
  readonly #tracer: Tracer;
  readonly #contexts = new AsyncLocalStorageContextManager();
  /** begun and not ended; one that is not recorded does not know by itself that it has ended */
  readonly #open = new WeakSet<Span>();
  /** which work an error has ended: its line in the log is written by who hears of it */
  readonly #failures = new WeakMap<Error, SpanContext>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** The work under way. */
  active(): Span | undefined {
    return trace.getSpan(this.#contexts.active());
  }

  context(): Context {
    return this.#contexts.active();
  }

  /** Whoever begins it ends it, by `end`. */
  begin({ name, kind = SpanKind.INTERNAL, attributes }: Work, parent: Context): Span {
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    this.#open.add(span);
    return span;
  }

  /** Once: later calls do nothing. */
  end(span: Span): void {
    if (this.#open.delete(span)) span.end();
  }

  /** Work that is part of no other. */
  root<Result>(work: Work, run: (span: Span) => Promise<Result>): Promise<Result> {
    return this.#during(this.begin(work, ROOT_CONTEXT), ROOT_CONTEXT, run);
  }

  /** Part of the work under way. Where there is none, or none that is recorded, it is only run. */
  part<Result>(work: Work, run: (span?: Span) => Promise<Result>): Promise<Result> {
    if (!this.isRecording()) return run();
    const context = this.#contexts.active();
    return this.#during(this.begin(work, context), context, run);
  }

  isRecording(): boolean {
    return this.active()?.isRecording() === true;
  }

  /** What is called by it belongs to the span, and so does what those do who listen to the emitter. */
  around(span: Span, source: EventEmitter, call: () => void): void {
    const context = trace.setSpan(ROOT_CONTEXT, span);
    // The context manager's own `bind` wraps each listener, by seven functions and two maps of each emitter.
    const emit = source.emit.bind(source);
    source.emit = (event, ...given: unknown[]) =>
      this.#contexts.with(context, () => emit(event, ...given));
    this.#contexts.with(context, call);
  }

  /** Gives what runs something as part of the work that is under way now, whoever calls it. */
  keep(): <Result>(call: () => Result) => Result {
    const context = this.#contexts.active();
    return (call) => this.#contexts.with(context, call);
  }

  /** Of the work under way, or of the one that the error comes from. What has ended is under way nowhere. */
  fieldsOf(error?: unknown): TraceFields | undefined {
    const known = error instanceof Error ? this.#failures.get(error) : undefined;
    const active = this.active();
    const isOpen = active !== undefined && this.#open.has(active);
    const found = isOpen ? active.spanContext() : known;
    if (found === undefined) return undefined;
    const isSampled = (found.traceFlags & 1) === 1;
    return {
      trace_id: found.traceId,
      span_id: found.spanId,
      trace_flags: isSampled ? "01" : "00",
    };
  }

  async #during<Result>(
    span: Span,
    parent: Context,
    run: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    try {
      const context = trace.setSpan(parent, span);
      return await this.#contexts.with(context, () => run(span));
    } catch (error) {
      fail(span, error);
      if (error instanceof Error && !this.#failures.has(error)) {
        this.#failures.set(error, span.spanContext());
      }
      throw error;
    } finally {
      this.end(span);
    }
  }
}

const plainWord = /^[A-Za-z0-9_]{1,64}$/;

/** A message may hold a secret or an address; the name of a class and a code cannot. */
function wordOf(of: object, name: "name" | "code"): string | undefined {
  const word: unknown = Reflect.get(of, name);
  return typeof word === "string" && plainWord.test(word) ? word : undefined;
}

/** The kind of a failure, of its class, and of what is behind it. */
function fail(span: Span, error: unknown): void {
  const thrown = error instanceof Error ? error : new Error();
  const name = wordOf(thrown, "name") ?? "Error";
  const cause = thrown.cause instanceof Error ? thrown.cause : undefined;
  const behind = cause && (wordOf(cause, "code") ?? wordOf(cause, "name"));
  span.setAttributes({
    "error.type": wordOf(thrown, "code") ?? name,
    "exception.type": name,
    ...(behind === undefined ? {} : { "pay.error.cause": behind }),
  });
  span.setStatus({ code: SpanStatusCode.ERROR });
}
