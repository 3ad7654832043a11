// Every request that the document shows is one that the server takes.

import { describe, expect, test } from "vitest";
import { manifest } from "../../generated/manifest.ts";
import { readAnswer } from "../support/contract-answers.ts";
import { examplesOf, operations, responseFor, textOf } from "../support/contract-document.ts";
import { exampleOf, send, validRequest } from "../support/contract-requests.ts";
import type { ContractRequest } from "../support/contract-requests.ts";
import { useContractServer } from "../support/contract-server.ts";
import { withThings } from "../support/named-things.ts";

const server = useContractServer({ hasChain: true });

interface Shown {
  readonly name: string;
  readonly request: ContractRequest;
}

/** One request for each example of a body, and one with every optional parameter. */
function shownRequests(operationId: string): readonly Shown[] {
  const operation = operations.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`the document has no operation ${operationId}`);
  const bodies = operation.body === undefined ? [] : [...examplesOf(operation.body)];
  const shown = bodies.map(([name, body]) => ({
    name,
    request: validRequest(operation, { body }),
  }));
  const optional = operation.parameters.filter((one) => !one.required);
  const plain = validRequest(operation);
  if (bodies.length === 0) shown.push({ name: "the required parameters", request: plain });
  if (optional.length === 0) return shown;
  const query = optional
    .filter((one) => one.in === "query")
    .map((one) => `${one.name}=${encodeURIComponent(textOf(exampleOf(one)))}`);
  const headers = optional
    .filter((one) => one.in === "header")
    .map((one) => [one.name, textOf(exampleOf(one))] as const);
  const full = {
    ...plain,
    query: query.join("&"),
    headers: { ...plain.headers, ...Object.fromEntries(headers) },
  };
  return [...shown, { name: "every parameter", request: full }];
}

describe.each(manifest)("$method $path", ({ operationId }) => {
  test.each(shownRequests(operationId))("$name reaches the handler", async ({ request }) => {
    const { operation } = request;
    const merchant = await server.newMerchant();
    const other = await server.newMerchantId();
    const world = { query: server.query, otherMerchantId: other };
    const known = await withThings(merchant, request, world);
    const answer = await readAnswer(await send(merchant, known), operation);
    // Elsewhere there is one merchant only, which may have everything already, and no money.
    if (server.isElsewhere && [404, 409, 422].includes(answer.status)) return;
    // a documented success; readAnswer has compared it with the document
    expect(answer.status).toBeLessThan(400);
    expect(responseFor(operation, answer.status)).toBeDefined();
  });
});
