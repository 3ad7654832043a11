// Requests made of the document's own examples, and changed at one place or another.

import type { Json, Operation, ParameterPlace } from "./contract-document.ts";
import { examplesOf, textOf } from "./contract-document.ts";

export interface ContractRequest {
  readonly operation: Operation;
  /** by name, not yet percent-encoded */
  readonly path: Readonly<Record<string, string>>;
  /** as on the request line, without "?" */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

export type Change = Partial<Omit<ContractRequest, "operation">>;

/** Every required parameter by its example, and the first example of the body. */
export function validRequest(operation: Operation, change: Change = {}): ContractRequest {
  const required = operation.parameters.filter((one) => one.required);
  return {
    operation,
    path: examplesIn(required, "path"),
    query: "",
    headers: examplesIn(required, "header"),
    body: operation.body === undefined ? undefined : firstOf(examplesOf(operation.body)),
    ...change,
  };
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
  return { ...request, headers: { ...request.headers, [name]: value } };
}

export function withoutHeader(request: ContractRequest, name: string): ContractRequest {
  const { [name]: _left, ...headers } = request.headers;
  return { ...request, headers };
}

export function targetOf({ operation, path, query }: ContractRequest): string {
  const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ""),
  );
  return query === "" ? filled : `${filled}?${query}`;
}

export function send(url: string, request: ContractRequest): Promise<Response> {
  const { operation, body } = request;
  const headers = new Headers(request.headers);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  return fetch(url + targetOf(request), {
    method: operation.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
}
