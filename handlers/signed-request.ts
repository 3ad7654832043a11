// The signed parts of a request, taken from its head. Their form is checked here with the contract's
// own schemas, before anything is computed or looked up: a stranger's malformed header is a 400 that
// says what is wrong with it, whatever else the request holds.

import { operations } from "../generated/app.ts";
import { checkOf } from "../generated/runtime/checked.ts";
import { namedPlan, readHeaders } from "../generated/runtime/parameters.ts";
import { RequestError } from "../generated/runtime/runtime.ts";
import type { Operation, RawRequest, Violation } from "../generated/runtime/runtime.ts";
import { problemsToViolations } from "../generated/runtime/violations.ts";
import type { PresentedRequest } from "../service/merchants/authentication.ts";
import { canonicalQuery } from "../service/merchants/request-signature.ts";

type HeaderCheck = (headers: RawRequest["headers"]) => readonly Violation[];

const noViolations: readonly Violation[] = [];

const headerChecks: ReadonlyMap<string, HeaderCheck> = new Map(
  operations.map((operation) => [operation.operationId, headerCheck(operation)]),
);

/** In the others the header has no effect, but it is signed all the same. */
const operationsWithKey: ReadonlySet<string> = new Set(
  operations
    .filter(({ parameters }) =>
      parameters.some((one) => one.in === "header" && one.name.toLowerCase() === "idempotency-key"),
    )
    .map(({ operationId }) => operationId),
);

/** A repeated header comes joined by a comma, which no form of these headers allows. */
function headerCheck(operation: Operation): HeaderCheck {
  const plan = namedPlan(operation.parameters.filter((one) => one.in === "header"));
  const check = checkOf(operation.route.request?.headers);
  return (headers) => {
    const misread: Violation[] = [];
    const values = readHeaders(plan, headers, misread);
    if (check === undefined || check.valid(values)) return misread;
    return [...misread, ...problemsToViolations("header", check.problems(values))];
  };
}

/** Throws `RequestError` for headers without the required form, and for a broken query. */
export function readSignedRequest(
  raw: RawRequest,
  operation: Operation,
  address: string | undefined,
): PresentedRequest {
  const violations = headerChecks.get(operation.operationId)?.(raw.headers) ?? noViolations;
  if (violations.length > 0) throw refusal(violations);
  const query = canonicalQuery(raw.query);
  if (query === undefined) {
    const message = "has a wrong percent-encoding";
    throw refusal([{ in: "query", pointer: "", rule: "encoding", message }]);
  }
  const idempotencyKey = single(raw, "idempotency-key");
  const hasKey = idempotencyKey !== "" && operationsWithKey.has(operation.operationId);
  return {
    apiKey: single(raw, "x-api-key"),
    timestamp: single(raw, "x-timestamp"),
    nonce: single(raw, "x-nonce"),
    signature: single(raw, "x-signature"),
    idempotencyKey,
    effectiveIdempotencyKey: hasKey ? idempotencyKey : undefined,
    method: raw.method,
    path: raw.path,
    canonicalQuery: query,
    body: raw.body,
    address,
  };
}

function refusal(violations: readonly Violation[]): RequestError {
  const message = "the request does not match the contract";
  return new RequestError(400, "invalid_request", message, { violations });
}

function single(raw: RawRequest, name: string): string {
  const value = raw.headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}
