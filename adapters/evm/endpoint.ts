// One address at which a node, or a crowd of them, answers JSON-RPC. Calls of the same moment go
// together in one request. The address may hold a secret: it is in no message (threat 65).

import { TakenSize } from "../../service/taken-size.ts";
import { AnswerLate, AnswerTooMuch, EndpointFailure, NodeError, printable } from "./answers.ts";
import { Turns } from "./turns.ts";

export interface EndpointLimits {
  /** for one request, with all of its answer */
  readonly callMilliseconds: number;
  /** the same, where a call in it makes the node work through a whole block */
  readonly slowMilliseconds: number;
  readonly answerBytesMax: number;
  /** calls in one request */
  readonly batchMax: number;
  /** requests under way: so many answers may be in the memory */
  readonly singlesAtOnce: number;
}

export const endpointLimits: EndpointLimits = {
  callMilliseconds: 10_000,
  slowMilliseconds: 30_000,
  // The traces of a full block are tens of megabytes.
  answerBytesMax: 64 * 1024 * 1024,
  batchMax: 50,
  singlesAtOnce: 8,
};

interface Waiting {
  readonly id: number;
  readonly method: string;
  readonly parameters: readonly unknown[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Answer {
  readonly id: number | undefined;
  readonly result: unknown;
  readonly error: NodeError | undefined;
}

/** A key that is wrong, ended or used up, another path: whatever else it says. */
const hasNoUse = new Set([401, 402, 403, 404, 429]);
const slowMethods = new Set(["debug_traceBlockByHash", "trace_block", "eth_getBlockReceipts"]);

/** Of the requests under way: what is quick does not wait for what is slow. */
const slowPartMax = 0.75;

/** The endpoint does not take several calls in one request. */
class BatchRefused extends Error {}

export class RpcEndpoint {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];
  readonly #limits: EndpointLimits;
  /** as many as it takes */
  #takenMax: number;
  /** as many as it answers in time, and not with too much */
  readonly #answered: TakenSize;
  #waiting: Waiting[] = [];
  /** of those that wait, by what they ask */
  readonly #asked = new Map<string, Promise<unknown>>();
  #lastId = 0;
  readonly #turns: Turns;
  readonly #slowTurns: Turns;

  /** Throws, without saying the address, if it is none. */
  constructor(address: string, limits: EndpointLimits = endpointLimits) {
    if (!URL.canParse(address)) throw new Error("the address of an endpoint cannot be read");
    const url = new URL(address);
    const { username, password } = url;
    this.#secrets = secretsOf(url);
    url.username = "";
    url.password = "";
    this.#url = url.href;
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const isNamed = username !== "" || password !== "";
    const authorization = `Basic ${Buffer.from(login, "utf8").toString("base64")}`;
    this.#headers = {
      "content-type": "application/json",
      ...(isNamed ? { authorization } : {}),
    };
    this.#limits = limits;
    this.#takenMax = limits.batchMax;
    this.#answered = new TakenSize(limits.batchMax);
    this.#turns = new Turns(limits.singlesAtOnce);
    this.#slowTurns = new Turns(Math.ceil(limits.singlesAtOnce * slowPartMax));
  }

  /**
   * Throws `NodeError` if the node answers with an error, `EndpointFailure` if it does not answer. What is asked
   * several times in the same moment is asked once.
   */
  call(method: string, parameters: readonly unknown[] = []): Promise<unknown> {
    const asked = JSON.stringify([method, parameters]);
    const known = this.#asked.get(asked);
    if (known !== undefined) return known;
    const answer = this.#add(method, parameters);
    this.#asked.set(asked, answer);
    return answer;
  }

  #add(method: string, parameters: readonly unknown[]): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, method, parameters, resolve, reject });
      // After all that is about to run now: whoever asks in the same moment rides along.
      if (this.#waiting.length === 1) setImmediate(() => void this.#sendWaiting());
    });
  }

  async #sendWaiting(): Promise<void> {
    const calls = this.#waiting;
    this.#waiting = [];
    this.#asked.clear();
    // Each slow one alone: nobody waits for it, and what it takes is only its own fault.
    const [slow, quick] = [calls.filter(isSlow), calls.filter((call) => !isSlow(call))];
    await Promise.all([this.#sendQuick(quick), ...slow.map((call) => this.#sendBatch([call]))]);
  }

  get #batchMax(): number {
    return Math.min(this.#takenMax, this.#answered.size);
  }

  async #sendQuick(calls: readonly Waiting[]): Promise<void> {
    const batches = inParts(calls, this.#batchMax);
    if (this.#batchMax === 1) return await this.#sendSingles(calls);
    for (const some of inParts(batches, this.#limits.singlesAtOnce)) {
      await Promise.all(some.map((batch) => this.#sendBatch(batch)));
    }
  }

  /**
   * Half as many, and again, until the endpoint takes them, and what it answers is not too much. Where it is too
   * late, only the next batch is a smaller one: who did not answer is not asked again right now.
   */
  async #sendBatch(calls: readonly Waiting[]): Promise<void> {
    if (calls.length === 1 || this.#batchMax === 1) return await this.#sendSingles(calls);
    try {
      settle(calls, await this.#post(calls, bodyOf(calls)));
    } catch (error) {
      const isMuch = error instanceof AnswerTooMuch;
      if (!isMuch && !(error instanceof BatchRefused)) return rejectAll(calls, error);
      const less = Math.max(1, Math.floor(calls.length / 2));
      if (isMuch) this.#answered.note(calls.length, true);
      else this.#takenMax = Math.min(this.#takenMax, less);
      if (error instanceof AnswerLate) return rejectAll(calls, error);
      // Not side by side: each of them may be too much again.
      for (const part of inParts(calls, less)) await this.#sendBatch(part);
    }
  }

  async #sendSingles(calls: readonly Waiting[]): Promise<void> {
    for (const some of inParts(calls, this.#limits.singlesAtOnce)) {
      await Promise.all(
        some.map(async (call) => {
          try {
            settle([call], await this.#post([call], JSON.stringify(messageOf(call))));
          } catch (error) {
            rejectAll([call], error);
          }
        }),
      );
    }
  }

  async #post(calls: readonly Waiting[], body: string): Promise<readonly Answer[]> {
    const methods = printable([...new Set(calls.map(({ method }) => method))].join(", "));
    const isBatch = calls.length > 1;
    const { status, text } = await this.#inTurn(calls, (signal) =>
      this.#exchange(methods, { body, signal }),
    );
    if (isBatch && isRefusal(status)) throw new BatchRefused();
    const said = parse(text);
    // Some say what is wrong with a call in JSON, and with the status as well.
    if (said === undefined || status >= 500 || hasNoUse.has(status)) {
      throw new EndpointFailure(`status ${status} for ${methods}`);
    }
    if (isBatch && !Array.isArray(said)) throw new BatchRefused();
    // Parsed from JSON, so it may be anything; `answerOf` looks.
    const list: readonly unknown[] = Array.isArray(said) ? (said as readonly unknown[]) : [said];
    const answers = list.map((one) => this.#answerOf(one));
    if (isBatch && answers.every(({ id, error }) => id === undefined && error !== undefined)) {
      throw new BatchRefused();
    }
    if (status >= 400 && answers.every(({ error }) => error === undefined)) {
      throw new EndpointFailure(`status ${status} for ${methods}`);
    }
    this.#answered.note(calls.length, false);
    return answers;
  }

  /**
   * For what is quick, the time that it waits for its turn counts; what is slow has as much again. Whose turn does
   * not come in time is not sent: whatever hangs before it, nothing was asked too much at once.
   */
  async #inTurn<Result>(
    calls: readonly Waiting[],
    send: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { callMilliseconds, slowMilliseconds } = this.#limits;
    const isAnySlow = calls.some(isSlow);
    const waiting = AbortSignal.timeout(isAnySlow ? slowMilliseconds : callMilliseconds);
    const sendInTime = (signal: AbortSignal): Promise<Result> => {
      if (!waiting.aborted) return send(signal);
      throw new EndpointFailure("no turn in time");
    };
    if (!isAnySlow) return await this.#turns.run(async () => sendInTime(waiting));
    const sendSlow = async () => sendInTime(AbortSignal.timeout(slowMilliseconds));
    return await this.#slowTurns.run(() => this.#turns.run(sendSlow));
  }

  async #exchange(methods: string, sending: Pick<RequestInit, "body" | "signal">) {
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        headers: this.#headers,
        ...sending,
        // It would take the secret in the address along.
        redirect: "error",
      });
      return { status: response.status, text: await this.#read(response) };
    } catch (error) {
      if (error instanceof EndpointFailure) throw error;
      // Not as its cause: what `fetch` throws may name the address.
      const text = `${reasonOf(error)} for ${methods}`;
      throw isLate(error) ? new AnswerLate(text) : new EndpointFailure(text);
    }
  }

  async #read(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // Node has no type for what it gives; these are bytes.
    const body = response.body as AsyncIterable<Uint8Array> | null;
    if (body === null) return "";
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > this.#limits.answerBytesMax) {
        throw new AnswerTooMuch(`more than ${this.#limits.answerBytesMax} bytes`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  }

  #answerOf(said: unknown): Answer {
    if (typeof said !== "object" || said === null) {
      throw new EndpointFailure("an answer that is no object");
    }
    const id = "id" in said && typeof said.id === "number" ? said.id : undefined;
    const error = "error" in said ? said.error : undefined;
    if (error === undefined || error === null) {
      if (!("result" in said)) throw new EndpointFailure("an answer without a result");
      return { id, result: said.result, error: undefined };
    }
    return { id, result: undefined, error: this.#nodeError(error) };
  }

  #nodeError(error: unknown): NodeError {
    const fields = typeof error === "object" && error !== null ? error : {};
    const code = "code" in fields && typeof fields.code === "number" ? fields.code : 0;
    const message = "message" in fields ? String(fields.message) : "an error without a text";
    return new NodeError(code, this.#withoutSecrets(printable(message)));
  }

  /** Providers repeat the key they were given in their texts. */
  #withoutSecrets(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, "[removed]"), text);
  }
}

const secretLengthMin = 6;

function secretsOf(url: URL): readonly string[] {
  const { username, password, pathname, searchParams, href } = url;
  const parts = [...pathname.split("/"), ...searchParams.values(), username, password, href];
  const decoded = parts.map((part) => (URL.canParse(part) ? part : decode(part)));
  return [...new Set([...parts, ...decoded])]
    .filter((part) => part.length >= secretLengthMin)
    .toSorted((one, other) => other.length - one.length);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isSlow({ method }: Waiting): boolean {
  return slowMethods.has(method);
}

function isRefusal(status: number): boolean {
  return status === 400 || status === 405 || status === 413 || status === 415 || status === 422;
}

function messageOf({ id, method, parameters }: Waiting) {
  return { jsonrpc: "2.0", id, method, params: parameters };
}

function bodyOf(calls: readonly Waiting[]): string {
  return JSON.stringify(calls.map(messageOf));
}

/** Some nodes put raw control characters into their texts, which makes it no JSON. */
function parse(text: string): unknown {
  for (const attempt of [(one: string) => one, withoutControl]) {
    try {
      // JSON.parse gives no type; whoever uses it looks at every member.
      return JSON.parse(attempt(text)) as unknown;
    } catch {
      // The second attempt, or nothing.
    }
  }
  return undefined;
}

function withoutControl(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

function settle(calls: readonly Waiting[], answers: readonly Answer[]): void {
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  for (const { id, method, resolve, reject } of calls) {
    // Some answer an error to a single call without its id.
    const answer = byId.get(id) ?? (calls.length === 1 ? byId.get(undefined) : undefined);
    if (answer === undefined) reject(new EndpointFailure(`no answer to ${method}`));
    else if (answer.error !== undefined) reject(answer.error);
    else if (answer.id === undefined) reject(new EndpointFailure(`whose answer, to ${method}?`));
    else resolve(answer.result);
  }
}

function rejectAll(calls: readonly Waiting[], error: unknown): void {
  const failure = error instanceof Error ? error : new Error(String(error));
  for (const { reject } of calls) reject(failure);
}

function inParts<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += most) parts.push(items.slice(at, at + most));
  return parts;
}

function isLate(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

/** One word, from lists of our own and of Node: nothing that somebody else has written. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (isLate(error)) return "no answer in time";
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^[A-Z_]{3,40}$/.test(code) ? code : "no connection";
}
