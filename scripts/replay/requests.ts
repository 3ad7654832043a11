// Requests that cannot do anything: what they are about does not exist, and their bodies are of no form.

import { randomBytes } from "node:crypto";
import type { Operation } from "../../generator/suite/contract.ts";
import { isObject, listAt, textOf } from "../../generator/suite/json.ts";
import { contract } from "../../test/support/contract-document.ts";
import {
  type Change,
  type PlainRequest,
  targetOf,
  validRequest,
} from "../../test/support/contract-requests.ts";

/** What identifiers are made of (Crockford's base 32). */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Of the form that the operation knows, and of nothing that exists. */
function unknownId(example: string): string {
  const prefix = /^[a-z]+_/.exec(example)?.[0] ?? "";
  return prefix + Array.from(randomBytes(26), (byte) => digits[byte % 32]).join("");
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

/** A text that nobody has used before. */
export function newName(): string {
  return `contract-${randomHex(12)}`;
}

/** As the document shows it, about things that do not exist. */
export function shownRequest(operation: Operation, change: Change = {}): PlainRequest {
  const valid = validRequest(operation);
  const entries = Object.entries(valid.path).map(([name, id]) => [name, unknownId(id)] as const);
  const body =
    isObject(valid.body) && "payment_id" in valid.body
      ? { ...valid.body, payment_id: unknownId("pay_") }
      : valid.body;
  return plainOf(operation, { path: Object.fromEntries(entries), body, ...change });
}

/** About things that do not exist, with a body that lacks everything. */
export function emptyRequest(operation: Operation, change: Change = {}): PlainRequest {
  return shownRequest(operation, operation.body === undefined ? change : { body: {}, ...change });
}

export function plainOf(operation: Operation, change: Change): PlainRequest {
  const request = validRequest(operation, change);
  const { headers, absent, body } = request;
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  return {
    method: operation.method,
    target: targetOf(request),
    headers: { ...type, ...headers },
    absent,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

export function withHeaders(
  request: PlainRequest,
  headers: Readonly<Record<string, string>>,
): PlainRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** The first member that the body has to have. */
export function requiredMember(operation: Operation): string {
  if (operation.body === undefined) return "";
  const { node } = contract.below(operation.body, "schema");
  const reference = textOf(node["$ref"]).slice(1);
  const schema = reference === "" ? node : contract.placeAt(reference).node;
  return textOf(listAt(schema, "required")[0]);
}
