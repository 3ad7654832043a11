// The writing operations of webhook endpoints as a merchant calls them: each with an idempotency key
// of its own, unless the test says which.

import { fingerprintOf } from "../../service/idempotency/idempotency.ts";
import type { Fence, Finish, StoredAnswer } from "../../service/idempotency/idempotency.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Environment, Owner } from "../../service/owner.ts";
import type { WebhookEndpoint } from "../../service/webhooks/endpoint-model.ts";
import { readKey } from "../../service/idempotency/idempotency.sql.ts";
import type { EndpointSecret } from "../../service/webhooks/endpoints.ts";
import { buildServiceParts } from "./service-parts.ts";

interface Caller {
  readonly merchantId?: string;
  readonly environment?: Environment;
  readonly key?: string;
}

interface EndpointBody {
  readonly url: string;
  readonly eventTypes?: readonly string[] | undefined;
}

export function buildEndpointCalls(
  database: Database,
  clock?: Parameters<typeof buildServiceParts>[1],
) {
  const parts = buildServiceParts(database, clock);
  const { endpoints, idempotency } = parts;
  let calls = 0;

  async function once<Result>(
    { merchantId = "mer_1", environment = "live", key }: Caller,
    isSecret: boolean,
    work: (owner: Owner, finish: Finish<Result>) => Promise<void>,
  ): Promise<Result> {
    calls++;
    const operationId = "test";
    const fingerprint = fingerprintOf({ operationId, environment, path: {}, body: null });
    const named = { merchantId, environment, key: key ?? `key-${calls}` };
    const request = { ...named, operationId, fingerprint };
    const [earlier] = await database.run(readKey, { ...named, now: parts.clock.now() });
    const { answer } = await idempotency.run(
      request,
      { isSecret, earlier },
      async (fence: Fence) => {
        let stored: StoredAnswer = { status: 500, body: "" };
        await work({ merchantId, environment }, (result) => {
          stored = { status: 200, body: JSON.stringify(result) };
          return fence.finish(stored);
        });
        return stored;
      },
    );
    // Written by the same call, or by the one it replays.
    return JSON.parse(answer.body) as Result;
  }

  return {
    parts,
    register: (body: EndpointBody, caller: Caller = {}) =>
      once<EndpointSecret>(caller, true, (owner, finish) =>
        endpoints.register(owner, body, finish),
      ),
    update: (id: string, body: EndpointBody, caller: Caller = {}) =>
      once<WebhookEndpoint>(caller, false, (owner, finish) =>
        endpoints.update(owner, { id, ...body }, finish),
      ).then(withDates),
    setStatus: (id: string, active: boolean, caller: Caller = {}) =>
      once<WebhookEndpoint>(caller, false, (owner, finish) =>
        endpoints.setStatus(owner, { id, active }, finish),
      ).then(withDates),
    rotate: (id: string, caller: Caller = {}) =>
      once<EndpointSecret>(caller, true, (owner, finish) =>
        endpoints.rotateSecret(owner, id, finish),
      ),
  };
}

/** The answer went through JSON. */
function withDates(endpoint: WebhookEndpoint): WebhookEndpoint {
  return { ...endpoint, createdAt: new Date(endpoint.createdAt) };
}
