// The examples of the document name resources of its own world; before a handler that answers can
// be asked, they are put in place, or replaced by ones that exist.

import { isObject, type JsonObject, operations, type Operation } from "./contract-document.ts";
import { type ContractRequest, send, type Signer, validRequest } from "./contract-requests.ts";

export function operationBy(operationId: string): Operation {
  const found = operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`the document has no operation ${operationId}`);
  return found;
}

/** The request with ids and cursors that this server knows. */
export async function withResources(
  signer: Signer,
  request: ContractRequest,
): Promise<ContractRequest> {
  const { operation, query } = request;
  if (operation.path.startsWith("/v1/webhook-endpoints/{id}")) {
    return { ...request, path: { id: await registeredEndpoint(signer) } };
  }
  if (operation.operationId === "listCurrencies" && query.includes("cursor=")) {
    const filters = query.replace(/&?cursor=[^&]*/, "").replace(/limit=\d+/, "limit=1");
    const first = await send(signer, { ...validRequest(operation), query: filters });
    const cursor = first.headers.get("X-Next-Cursor");
    if (cursor === null) throw new Error("the catalog has one page only");
    return { ...request, query: `${filters}&cursor=${encodeURIComponent(cursor)}` };
  }
  return request;
}

async function registeredEndpoint(signer: Signer): Promise<string> {
  const operation = operationBy("registerWebhookEndpoint");
  const url = `https://shop.example/hooks/${Date.now()}-${Math.random()}`;
  const body = { url };
  const response = await send(signer, validRequest(operation, { body }));
  const answer = (await response.json()) as JsonObject;
  const { id } = isObject(answer) ? answer : {};
  if (typeof id !== "string") throw new Error(`no endpoint: ${JSON.stringify(answer)}`);
  return id;
}
