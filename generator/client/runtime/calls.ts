// How operations are called: for their body, which throws what is no success, or for whichever answer comes.

import createFetchClient from "openapi-fetch";
import type { SuccessStatus } from "../../runtime/statuses.ts";
import {
  type Answer,
  type ErrorOf,
  NoResponseError,
  ResponseError,
  type SuccessOf,
  UnexpectedResponseError,
  withKey,
} from "./answers.ts";
import { itemsIn, type Next, nextArguments, nextOf } from "./pages.ts";
import type { OperationPlan, PagePlan } from "./plan.ts";
import { answerIn } from "./reading.ts";
import { type Arguments, requestOf } from "./request.ts";

export interface ClientOptions {
  /** the URL of a server, with the path that the operations are below */
  readonly baseUrl: string;
  /** sends a request; the platform's own when it is left out */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** for every request: a token, say */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** beside those of the client */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KeyedOptions extends CallOptions {
  /** names what is to be done once; one by chance is drawn where the contract requires one */
  readonly idempotencyKey?: string;
}

/** Arguments may be left out where none is required. */
type Given<Needed, Options> = [Needed] extends [Record<string, never>]
  ? [needed?: Needed, options?: Options]
  : object extends Needed
    ? [needed?: Needed, options?: Options]
    : [needed: Needed, options?: Options];

/** An operation. */
export interface Call<Needed, One extends Answer, Options = CallOptions> {
  /**
   * The body of the success.
   *
   * @throws {ResponseError} any other documented answer: `isError` tells which it may be
   * @throws {UnexpectedResponseError} no answer of the contract
   * @throws {NoResponseError} no answer at all; the reason of `signal` is thrown as it is
   * @throws {TypeError} an argument is missing
   */
  (...given: Given<Needed, Options>): Promise<SuccessOf<One>["body"]>;
  /** Whichever documented answer comes; throws the rest of the above. */
  readonly answer: (...given: Given<Needed, Options>) => Promise<One>;
  /** Whether it was thrown by this operation: its `code` is then one that this operation documents. */
  readonly isError: (error: unknown) => error is ErrorOf<One>;
}

/** An operation whose answer is a page of a list. */
export interface PagedCall<Needed, One extends Answer, Item, Options = CallOptions> extends Call<
  Needed,
  One,
  Options
> {
  /** The bodies of this page and of all after it, each asked for when it is needed; throws what a call throws. */
  readonly pages: (...given: Given<Needed, Options>) => AsyncIterable<SuccessOf<One>["body"]>;
  /** The items of all pages, likewise. */
  readonly items: (...given: Given<Needed, Options>) => AsyncIterable<Item>;
}

interface Sent {
  readonly answer: Answer;
  readonly url: string;
  readonly query: string;
  /** the Idempotency-Key */
  readonly key: string | undefined;
}

/** Sends what a plan makes of arguments. */
export type Sender = (
  plan: OperationPlan,
  given: Arguments,
  options: KeyedOptions & { readonly query?: string },
) => Promise<Sent>;

/** The types of requests are said by the operations: here each is a text and what goes with it. */
type Paths = Record<string, Record<string, never>>;
type RequestOf = (method: string, path: string, init: object) => Promise<unknown>;

/** @throws {TypeError} the URL is none, or has more than a path */
export function senderOf({ baseUrl, fetch: send, headers = {} }: ClientOptions): Sender {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const hasMore =
    base !== undefined && (/[?#]/.test(base.href) || base.username + base.password !== "");
  if (base === undefined || !/^https?:$/.test(base.protocol) || hasMore) {
    throw new TypeError(`baseUrl ${JSON.stringify(baseUrl)}: write https://host/path`);
  }
  const client = createFetchClient<Paths>({ baseUrl: base.href });
  return async (plan, given, options) => {
    const { path, query: own, headers: written, body } = requestOf(plan, given);
    const query = options.query ?? own;
    const key = keyOf(plan, options);
    let read: Sent | undefined;
    const sending = {
      // What comes back is read here: by the media type of the contract, not by the status.
      fetch: async (made: Request) => {
        // methods are case-sensitive (RFC 9110, section 9.1)
        const { method } = plan;
        const request = made.method === method ? made : new Request(made, { method });
        const response = await (send ?? fetch)(request).catch((error: unknown) => {
          // who has given up knows it
          throw options.signal?.aborted === true
            ? error
            : new NoResponseError(plan.operationId, error);
        });
        read = { answer: await answerIn(response, plan), url: request.url, query, key };
        return new Response(null, { status: 204 });
      },
    };
    await (client.request as RequestOf)(plan.method, path, {
      ...sending,
      headers: joined([headers, written, keyHeader(plan, key), options.headers ?? {}]),
      querySerializer: () => query,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(body === undefined ? {} : { body, bodySerializer: () => body }),
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    }).catch((error: unknown) => {
      throw withKey(error, key);
    });
    if (read === undefined) throw new TypeError(`${plan.operationId}: nothing was sent`);
    return read;
  };
}

/** The last of a name counts; of cookies all. */
function joined(sources: readonly Readonly<Record<string, string>>[]): Headers {
  const all = new Headers();
  for (const [name, text] of sources.flatMap((source) => Object.entries(source))) {
    const before = name.toLowerCase() === "cookie" ? all.get(name) : null;
    all.set(name, before === null ? text : `${before}; ${text}`);
  }
  return all;
}

function keyOf({ key }: OperationPlan, { idempotencyKey }: KeyedOptions): string | undefined {
  if (key === undefined) return undefined;
  return idempotencyKey ?? (key.isRequired ? crypto.randomUUID() : undefined);
}

function keyHeader({ key: said }: OperationPlan, key: string | undefined): Record<string, string> {
  return said === undefined || key === undefined ? {} : { [said.header]: key };
}

export function call<Needed, One extends Answer, Options = CallOptions>(
  sender: Sender,
  plan: OperationPlan,
): Call<Needed, One, Options> {
  const sent = (given?: unknown, options?: unknown): Promise<Sent> =>
    sender(plan, Object(given) as Arguments, Object(options) as KeyedOptions);
  const answer = async (given?: unknown, options?: unknown): Promise<One> =>
    // The contract says what comes back, and the plan has been made of it.
    (await sent(given, options)).answer as One;
  const body = async (given?: unknown, options?: unknown) =>
    successIn<One>(plan, await sent(given, options)).body;
  const isError = (error: unknown): error is ErrorOf<One> =>
    error instanceof ResponseError && error.operationId === plan.operationId;
  return Object.assign(body, { answer, isError });
}

export function pagedCall<Needed, One extends Answer, Item, Options = CallOptions>(
  sender: Sender,
  plan: OperationPlan,
  paging: PagePlan,
): PagedCall<Needed, One, Item, Options> {
  async function* sentPages(given?: unknown, options?: unknown) {
    const kept = Object(options) as KeyedOptions;
    const first = Object(given) as Arguments;
    let next: Next | undefined = { arguments: {} };
    const seen = new Set<string>();
    while (next !== undefined) {
      const more = "arguments" in next ? next.arguments : {};
      const query = "query" in next ? { query: next.query } : {};
      const sent: Sent = await sender(plan, nextArguments(plan, first, more), {
        ...kept,
        ...query,
      });
      const page = JSON.stringify([more, sent.query]);
      if (seen.has(page)) throw new TypeError(`${plan.operationId}: a page leads back to itself`);
      seen.add(page);
      yield { sent, body: successIn<One>(plan, sent).body };
      next = nextOf(paging, sent.answer, sent.url);
    }
  }
  async function* pages(given?: unknown, options?: unknown) {
    for await (const { body } of sentPages(given, options)) yield body;
  }
  async function* items(given?: unknown, options?: unknown): AsyncGenerator<Item> {
    for await (const { sent, body } of sentPages(given, options)) {
      const list = itemsIn(paging, body);
      if (list === undefined) throw withoutList(plan, sent);
      yield* list as readonly Item[];
    }
  }
  return Object.assign(call<Needed, One, Options>(sender, plan), { pages, items });
}

function withoutList({ operationId }: OperationPlan, { answer, key }: Sent): Error {
  const { status, headers, body } = answer;
  const said = { status, headers, text: JSON.stringify(body), why: "without the list of a page" };
  return withKey(new UnexpectedResponseError(operationId, said), key);
}

function successIn<One extends Answer>(plan: OperationPlan, sent: Sent): SuccessOf<One> {
  const answer = sent.answer as One;
  if (isSuccess(answer)) return answer;
  throw withKey(new ResponseError(plan.operationId, answer), sent.key);
}

function isSuccess<One extends Answer>(answer: One): answer is SuccessOf<One> {
  const status: number = answer.status;
  return status >= (200 satisfies SuccessStatus) && status < 300;
}
