// Requests made of the document's own examples, and changed at one place or another.

import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { canonicalQuery, type Credentials } from "../../scripts/client/canonical.ts";
import { signSync } from "../../scripts/client/sign-sync.ts";
import type { Json, Operation, ParameterPlace } from "./contract-document.ts";
import { examplesOf, textOf } from "./contract-document.ts";

export interface ContractRequest {
  readonly operation: Operation;
  /** by name, not yet percent-encoded */
  readonly path: Readonly<Record<string, string>>;
  /** as on the request line, without "?" */
  readonly query: string;
  /** those of the signature are added when it is sent; one that stands here is sent as it is */
  readonly headers: Readonly<Record<string, string>>;
  readonly absent: readonly string[];
  readonly body: Json | undefined;
}

export type Change = Partial<Omit<ContractRequest, "operation">>;

/** What the signature gives each request anew. */
const signatureHeaders = new Set(["X-Api-Key", "X-Signature", "X-Timestamp", "X-Nonce"]);

/** Every required parameter by its example, and the first example of the body. */
export function validRequest(operation: Operation, change: Change = {}): ContractRequest {
  const required = operation.parameters.filter((one) => one.required);
  return {
    operation,
    path: examplesIn(required, "path"),
    query: "",
    headers: headersOf(required),
    absent: [],
    body: operation.body === undefined ? undefined : firstOf(examplesOf(operation.body)),
    ...change,
  };
}

/** A key names one request: an example's would be taken from the second request on. */
function headersOf(required: readonly ParameterPlace[]): Record<string, string> {
  const needed = required.filter(({ name }) => !signatureHeaders.has(name));
  const headers = examplesIn(needed, "header");
  if (headers["Idempotency-Key"] !== undefined) headers["Idempotency-Key"] = newKey();
  return headers;
}

export function newKey(): string {
  return `contract-${randomBytes(12).toString("hex")}`;
}

function firstOf(examples: ReadonlyMap<string, Json>): Json {
  const [first] = examples.values();
  if (first === undefined) throw new Error("a body without an example");
  return first;
}

function examplesIn(parameters: readonly ParameterPlace[], part: string): Record<string, string> {
  const found = parameters.filter((one) => one.in === part);
  return Object.fromEntries(found.map((one) => [one.name, textOf(exampleOf(one))]));
}

export function exampleOf({ name, node }: ParameterPlace): Json {
  const { example } = node;
  if (example === undefined) throw new Error(`the parameter ${name} has no example`);
  return example;
}

export function withHeader(request: ContractRequest, name: string, value: string): ContractRequest {
  const others = Object.entries(request.headers).filter(([other]) => !isSameName(other, name));
  return { ...request, headers: { ...Object.fromEntries(others), [name]: value } };
}

/** Not even the signature puts it back. */
export function withoutHeader(request: ContractRequest, name: string): ContractRequest {
  const others = Object.entries(request.headers).filter(([other]) => !isSameName(other, name));
  return {
    ...request,
    headers: Object.fromEntries(others),
    absent: [...request.absent, name],
  };
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export function targetOf({ operation, path, query }: ContractRequest): string {
  const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ""),
  );
  return query === "" ? filled : `${filled}?${query}`;
}

/** Whoever asks: where the server is, and a key that it knows. */
export interface Signer extends Credentials {
  readonly url: string;
  /** the server's quotas are those of the contract: what is too much now is sent again later */
  readonly isPatient?: boolean;
}

export interface PlainRequest {
  readonly method: string;
  /** path and query as on the request line */
  readonly target: string;
  /** win over those of the signature, and what they say of nonce and time is signed */
  readonly headers?: Readonly<Record<string, string>>;
  /** names of headers that are not sent, whatever is signed */
  readonly absent?: readonly string[];
  readonly body?: Uint8Array<ArrayBuffer> | string | undefined;
}

/** The headers of a request, signed: wrong only where a test has set them. */
export function signedHeaders(signer: Signer, request: PlainRequest): Headers {
  const { method, target, body, absent = [] } = request;
  const own = new Headers(request.headers);
  const [path = "", query] = target.split(/\?(.*)/s);
  const headers = new Headers({
    ...signSync({
      key: own.get("X-Api-Key") ?? signer.key,
      secret: signer.secret,
      method,
      path,
      query: canDecode(query ?? "") ? query : "",
      body,
      idempotencyKey: own.get("Idempotency-Key") ?? undefined,
      timestamp: own.get("X-Timestamp") ?? undefined,
      nonce: own.get("X-Nonce") ?? undefined,
    }),
  });
  for (const [name, value] of own) headers.set(name, value);
  for (const name of absent) headers.delete(name);
  return headers;
}

/** A query that nobody can decode cannot be signed either: the server refuses it for that. */
function canDecode(query: string): boolean {
  try {
    canonicalQuery(query);
    return true;
  } catch {
    return false;
  }
}

/** A request as it went out. */
export interface Sent {
  readonly request: PlainRequest;
  readonly url: string;
  /** with those of the signature */
  readonly headers: Headers;
  /** has an Idempotency-Key that nothing else had which was sent from here until then */
  readonly isOnlyWithKey: boolean;
  /** from the signature to the head of the answer */
  readonly tookMilliseconds: number;
}

const sent = new WeakMap<Response, Sent>();

/** How often each Idempotency-Key was sent. */
const keysSent = new Map<string, number>();

/** Signs it, and gives back what to note of it with the answer. */
function leaving(signer: Signer, request: PlainRequest) {
  const began = performance.now();
  const headers = signedHeaders(signer, request);
  const key = headers.get("Idempotency-Key");
  if (key !== null) keysSent.set(key, (keysSent.get(key) ?? 0) + 1);
  const note = (response: Response): Response => {
    const tookMilliseconds = performance.now() - began;
    const isOnlyWithKey = key !== null && keysSent.get(key) === 1;
    const { url } = signer;
    sent.set(response, { request, url, headers, isOnlyWithKey, tookMilliseconds });
    return response;
  };
  return { headers, note };
}

/** What was sent for this answer; undefined: it was not sent from here. */
export function sentFor(response: Response): Sent | undefined {
  return sent.get(response);
}

export async function sendPlain(signer: Signer, request: PlainRequest): Promise<Response> {
  const { method, target, body = null } = request;
  for (;;) {
    const { headers, note } = leaving(signer, request);
    const response = await fetch(signer.url + target, { method, headers, body });
    if (response.status !== 429 || signer.isPatient !== true) return note(response);
    await response.body?.cancel();
    await wait(Number(response.headers.get("Retry-After")) * 1000);
  }
}

export function send(signer: Signer, request: ContractRequest): Promise<Response> {
  const { operation, headers, absent, body } = request;
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  return sendPlain(signer, {
    method: operation.method,
    target: targetOf(request),
    headers: { ...type, ...headers },
    absent,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** The same by Node's own client, which sends a body with GET too; `fetch` refuses to. */
export async function sendByNode(signer: Signer, request: PlainRequest): Promise<Response> {
  const { headers, note } = leaving(signer, request);
  return note(await sendOddly(signer.url, request, headers));
}

function sendOddly(url: string, request: PlainRequest, signed: Headers): Promise<Response> {
  const { method, target, body = "" } = request;
  const headers = new Headers(signed);
  headers.set("Content-Length", String(Buffer.byteLength(body)));
  const options = { method, headers: Object.fromEntries(headers), agent: false } as const;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url + target, options, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      incoming.once("end", () => {
        const fields = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve(new Response(text, { status: incoming.statusCode ?? 0, headers: fields }));
        outgoing.destroy();
      });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}
