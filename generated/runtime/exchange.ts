// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// What happens between a request that has arrived and its answer, whichever way both travel.

import type { Context } from "hono";
import type { IncomingMessage, ServerResponse } from "node:http";
import { checkAnswer } from "./answer-check.ts";
import type { MediaPlan } from "./bodies.ts";
import { readForm } from "./multipart.ts";
import { bodyViolation, checkPart, mediaOf, readBody, readParameters } from "./parts.ts";
import type { HandlerRequest, Plan } from "./plan.ts";
import {
  AnswerError,
  NotImplementedError,
  RequestError,
  type RawRequest,
  type Violation,
  type WireAnswer,
} from "./runtime.ts";
import { violationsMax } from "./violations.ts";
import { encodingOf, encodeBody, headersOf, linger, pump, type Written } from "./writing.ts";

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
  answered: boolean;

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
    this.answered = false;
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
      const media = mediaOf(this, violations);
      if (media === undefined) {
        if (violations.length > 0) throw invalidRequest(violations);
        this.handle(request, caller);
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

  checkMultipart(
    { request, caller, media }: { request: HandlerRequest; caller: unknown; media: MediaPlan },
    violations: Violation[],
  ): void {
    const { body, headers } = this.raw;
    const type = String(headers["content-type"]);
    // the cast: no body of a request lies in shared memory
    new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } })
      .formData()
      .then(
        (form) => this.readMultipart({ form, media }, violations),
        () => bodyViolation(violations, "multipart", "must be multipart/form-data"),
      )
      .then((value: unknown) => {
        if (violations.length > 0) throw invalidRequest(violations);
        request.body = media.several ? { contentType: media.contentType, value } : value;
        this.handle(request, caller);
      })
      .catch((error: unknown) => this.refuse(error));
  }

  async readMultipart(
    { form, media }: { readonly form: FormData; readonly media: MediaPlan },
    violations: Violation[],
  ): Promise<unknown> {
    const { parts, check } = media;
    if (parts === undefined) return form;
    const { depthMax } = this.plan.edge;
    const values = await readForm(form, { parts, depthMax }, violations);
    checkPart({ in: "body", check }, values, violations);
    return values;
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
    const { plan, state, outgoing } = this;
    const { status } = answer;
    const body = encodeBody(answer);
    const headers = headersOf(answer, body, plan.edge.headers(state, status));
    if (outgoing === undefined) {
      this.resolve?.({ status, headers, body });
    } else if (this.abandoned !== undefined) {
      headers.push("Connection", "close");
      outgoing.writeHead(status, headers);
      if (body instanceof ReadableStream || body === undefined) outgoing.flushHeaders();
      else outgoing.write(body);
      linger(this.abandoned, outgoing);
    } else {
      outgoing.writeHead(status, headers);
      if (body instanceof ReadableStream) pump(body, outgoing);
      else if (typeof body === "string") outgoing.end(body, encodingOf(body, headers));
      else outgoing.end(body);
    }
    this.answered = true;
    plan.edge.answered?.(state, status, plan.operation);
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

function invalidRequest(violations: readonly Violation[]): RequestError {
  const message = "the request does not match the contract";
  return new RequestError(400, "invalid_request", message, { violations });
}

function invalidJson(message: string, violations: readonly Violation[]): RequestError {
  return new RequestError(400, "invalid_json", message, { violations });
}

export function tooLarge(bytesMax: number): RequestError {
  return new RequestError(413, "body_too_large", `the body may have at most ${bytesMax} bytes`);
}
