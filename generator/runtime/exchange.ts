// What happens between a request that has arrived and its answer, whichever way both travel.

import type { Context } from "hono";
import type { IncomingMessage, ServerResponse } from "node:http";
import { checkAnswer, itemCheck } from "./answer-check.ts";
import type { MediaPlan } from "./bodies.ts";
import { ClientGoneError, type Inflow } from "./inflow.ts";
import {
  isStreamed,
  ItemBody,
  ItemReader,
  readerOf,
  webStream,
  type Sendable,
  type Streamed,
} from "./items.ts";
import { openBody, readMultipart } from "./opened-bodies.ts";
import { mediaOf, readBody, readParameters, tagged } from "./parts.ts";
import { hasJsonEvents, type HandlerRequest, type Plan } from "./plan.ts";
import {
  AnswerError,
  invalidJson,
  invalidRequest,
  NotImplementedError,
  RequestError,
  type RawRequest,
  type Violation,
  type WireAnswer,
} from "./runtime.ts";
import { violationsMax } from "./violations.ts";
import { encodingOf, encodeBody, headersOf, leave, linger, pump, type Written } from "./writing.ts";

interface StreamedAnswer {
  readonly status: number;
  readonly headers: string[];
  readonly body: Streamed;
}

interface Checking {
  readonly request: HandlerRequest;
  readonly caller: unknown;
  readonly media: MediaPlan;
}

export interface MutableRequest extends RawRequest {
  body: Uint8Array;
}

/** One request on its way from the first hook to the last. Synchronous as long as the hooks are. */
export class Exchange {
  readonly plan: Plan;
  readonly raw: MutableRequest;
  /** what the template found in the path; null when it is written in another way */
  match: RegExpExecArray | null;
  readonly state: unknown;
  readonly outgoing: ServerResponse | undefined;
  /** where the answer goes when it does not go to `outgoing` */
  resolve: ((answer: Written) => void) | undefined;
  /** set when the connection has to be closed because its body is not read to the end */
  abandoned: IncomingMessage | undefined;
  /** of a body that the handler reads while it comes */
  inflow: Inflow | undefined;
  /** of the request that came by fetch */
  clientSignal: AbortSignal | undefined;
  answered: boolean;
  aborter: AbortController | undefined;

  constructor(
    plan: Plan,
    raw: MutableRequest,
    outgoing: ServerResponse | undefined,
    context: Context | undefined,
  ) {
    this.plan = plan;
    this.raw = raw;
    this.match = null;
    this.outgoing = outgoing;
    this.resolve = undefined;
    this.abandoned = undefined;
    this.inflow = undefined;
    this.clientSignal = undefined;
    this.answered = false;
    this.aborter = undefined;
    this.state = plan.edge.begin(raw, plan.operation, context);
  }

  /** The body is there: the rest of the way begins. */
  start(): void {
    const { plan, raw, state } = this;
    try {
      if (plan.isClosed) throw new NotImplementedError(plan.operation.operationId);
      const caller = plan.edge.authenticate(raw, plan.operation, state);
      if (caller instanceof Promise) {
        caller.then(
          (caller: unknown) => this.check(caller),
          (error: unknown) => this.refuse(error),
        );
      } else {
        this.check(caller);
      }
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Refuses what does not get as far as `start`. */
  turnAway(refusal: unknown): void {
    const { edge } = this.plan;
    try {
      const met = edge.turnedAway?.(this.state);
      if (met instanceof Promise) {
        met.then(
          () => this.refuse(refusal),
          (other: unknown) => this.refuse(other),
        );
      } else {
        this.refuse(refusal);
      }
    } catch (other) {
      this.refuse(other);
    }
  }

  check(caller: unknown): void {
    try {
      const violations: Violation[] = [];
      const request = readParameters(this, violations);
      if (this.plan.hasSignal) request.signal = this.signal();
      const media = mediaOf(this, violations);
      if (media === undefined) {
        if (violations.length > 0) throw invalidRequest(violations);
        this.handle(request, caller);
      } else if (this.inflow !== undefined) {
        if (violations.length > 0) throw invalidRequest(violations);
        this.checkInflow({ request, caller, media }, this.inflow);
      } else if (media.codec === "multipart") {
        this.checkMultipart({ request, caller, media }, violations);
      } else {
        const { malformed, parts } = readBody(this, { request, media }, violations);
        if (malformed !== undefined) throw invalidJson(malformed, violations);
        if (violations.length > 0) this.judge({ parts, caller }, violations);
        else this.handle(request, caller);
      }
    } catch (error) {
      this.refuse(error);
    }
  }

  /** A body that the handler reads itself: everything else has to be right before. */
  checkInflow({ request, caller, media }: Checking, inflow: Inflow): void {
    const handle = (value: unknown): void => {
      request.body = tagged(media, this.raw, value);
      this.handle(request, caller);
    };
    const opened = openBody(this, media, inflow);
    if (!(opened instanceof Promise)) handle(opened);
    else opened.then(handle).catch((error: unknown) => this.refuse(error));
  }

  /** Refuses what breaks the contract, with what the application says of the parts that do not. */
  judge(
    { parts, caller }: { readonly parts: unknown; readonly caller: unknown },
    violations: readonly Violation[],
  ): void {
    const { edge, operation } = this.plan;
    const isJudged = parts !== undefined && violations.length < violationsMax;
    const more = isJudged ? (edge.judge?.(parts, operation, caller) ?? []) : [];
    const refuse = (more: readonly Violation[]): void => {
      this.refuse(invalidRequest([...violations, ...more]));
    };
    if (more instanceof Promise) more.then(refuse, (error: unknown) => this.refuse(error));
    else refuse(more);
  }

  checkMultipart({ request, caller, media }: Checking, violations: Violation[]): void {
    readMultipart(this, media, violations)
      .then((value: unknown) => {
        if (violations.length > 0) throw invalidRequest(violations);
        request.body = tagged(media, this.raw, value);
        this.handle(request, caller);
      })
      .catch((error: unknown) => this.refuse(error));
  }

  handle(request: HandlerRequest, caller: unknown): void {
    const answer = this.plan.handler(request, caller);
    if (answer instanceof Promise) {
      answer.then(
        (answer) => this.answer(answer),
        (error: unknown) => this.refuse(error),
      );
    } else {
      this.answer(answer);
    }
  }

  answer(answer: WireAnswer): void {
    try {
      if (this.plan.edge.checkAnswers) checkAnswer(this, answer);
      this.send(answer);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Everything that is thrown ends here, and nothing leaves it: an event of Node may be below. */
  refuse(error: unknown): void {
    const { edge, operation } = this.plan;
    // there is nobody to answer, and nothing to complain of
    if (error instanceof ClientGoneError) {
      this.giveUp();
      return;
    }
    try {
      const answer = edge.refuse(error, this.state, operation);
      // the answer has left already: the hook was called for its log only
      if (this.answered) return;
      const isChecked = (edge.checkRefusals ?? edge.checkAnswers) && !isOurs(error);
      const problem = isChecked ? this.problemOf(answer) : undefined;
      this.send(problem === undefined ? answer : edge.refuse(problem, this.state, operation));
    } catch {
      this.giveUp();
    }
  }

  problemOf(answer: WireAnswer): unknown {
    try {
      checkAnswer(this, answer);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** A refusal that cannot be sent: headers Node does not accept, or a hook that throws. */
  giveUp(): void {
    if (this.answered) return;
    this.answered = true;
    if (this.outgoing === undefined) this.resolve?.({ status: 500, headers: [], body: undefined });
    else if (this.outgoing.headersSent) this.outgoing.destroy();
    else this.outgoing.writeHead(500, ["Content-Length", "0", "Connection", "close"]).end();
  }

  send(answer: WireAnswer): void {
    const body = encodeBody(answer);
    if (body instanceof ItemBody) this.sendItems(answer, body);
    else this.write(answer, body);
  }

  /** Not before the first item is there, or has let the client wait: what fails by then is refused as ever. */
  sendItems(answer: WireAnswer, body: ItemBody): void {
    if (this.raw.method === "HEAD") {
      this.write(answer, body);
      return;
    }
    const { plan } = this;
    const { operationId } = plan.operation;
    const reader = new ItemReader(body, {
      isJson: hasJsonEvents(plan, answer.status),
      check: plan.edge.checkAnswers ? itemCheck(plan, answer) : undefined,
      refusal: (problem) => new AnswerError(operationId, `status ${answer.status}: ${problem}`),
    });
    reader.begin().then(
      () => {
        try {
          this.write(answer, reader);
        } catch (error) {
          void leave(reader);
          this.refuse(error);
        }
      },
      (error: unknown) => this.refuse(error),
    );
  }

  write(answer: WireAnswer, body: Sendable): void {
    const { plan, state, outgoing } = this;
    const { status } = answer;
    const headers = headersOf(answer, body, plan.edge.headers(state, status));
    if (outgoing === undefined) {
      this.resolve?.({ status, headers, body: this.webBody(body) });
    } else if (isStreamed(body)) {
      this.writeStream({ status, headers, body }, outgoing);
    } else {
      const rest = this.abandoned ?? this.inflow?.unread();
      if (rest !== undefined) headers.push("Connection", "close");
      outgoing.writeHead(status, headers);
      if (rest !== undefined) {
        if (body === undefined) outgoing.flushHeaders();
        else outgoing.write(body);
        linger(rest, outgoing);
      } else if (typeof body === "string") {
        outgoing.end(body, encodingOf(body, headers));
      } else {
        outgoing.end(body);
      }
    }
    this.answered = true;
    plan.edge.answered?.(state, status, plan.operation);
  }

  /** The handler may go on reading the request while it answers. */
  writeStream({ status, headers, body }: StreamedAnswer, outgoing: ServerResponse): void {
    const reader = readerOf(body);
    const { abandoned, inflow } = this;
    if (abandoned !== undefined || inflow?.isUnread === true) headers.push("Connection", "close");
    outgoing.writeHead(status, headers);
    pump(reader, outgoing, {
      failed: (error) => this.refuse(error),
      ended: () => {
        const rest = abandoned ?? inflow?.unread();
        if (rest === undefined) outgoing.end();
        else linger(rest, outgoing);
      },
    });
  }

  /** By fetch. Hono makes the answer to HEAD of the one to GET, and forgets the body of that. */
  webBody(body: Sendable): string | Uint8Array | ReadableStream<Uint8Array> | undefined {
    const ended = (): void => void this.inflow?.unread();
    if (!isStreamed(body)) {
      ended();
      return body;
    }
    const reader = readerOf(body);
    if (this.raw.method === "HEAD") {
      ended();
      void leave(reader);
      return undefined;
    }
    return webStream(reader, {
      ended,
      failed: (error) => this.refuse(error),
      left: () => this.aborter?.abort(),
    });
  }

  /** Aborted when the client has gone before it had the whole answer. */
  signal(): AbortSignal {
    const aborter = new AbortController();
    const { outgoing, clientSignal } = this;
    this.aborter = aborter;
    outgoing?.once("close", () => {
      if (!outgoing.writableFinished) aborter.abort();
    });
    if (clientSignal?.aborted === true) aborter.abort();
    else clientSignal?.addEventListener("abort", () => aborter.abort(), { once: true });
    return aborter.signal;
  }
}

/** What this runtime throws itself is sent as the hook says it, and a problem only once. */
function isOurs(error: unknown): boolean {
  return (
    error instanceof RequestError ||
    error instanceof NotImplementedError ||
    error instanceof AnswerError
  );
}
