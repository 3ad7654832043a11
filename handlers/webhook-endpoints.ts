// The handlers of the operations tagged "webhook-endpoints".

import { publishedEndpoint } from "../service/webhooks/endpoint-model.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { idempotent } from "./idempotent.ts";

type WebhookEndpointHandlers = Pick<
  AllHandlers,
  | "registerWebhookEndpoint"
  | "getWebhookEndpoint"
  | "updateWebhookEndpoint"
  | "setWebhookEndpointStatus"
  | "rotateWebhookEndpointSecret"
>;

export function buildWebhookEndpointHandlers(
  services: Pick<Services, "webhookEndpoints" | "idempotency">,
): WebhookEndpointHandlers {
  return { ...buildWithoutSecret(services), ...buildWithSecret(services) };
}

function buildWithoutSecret({
  webhookEndpoints,
  idempotency,
}: Pick<Services, "webhookEndpoints" | "idempotency">): Pick<
  WebhookEndpointHandlers,
  "getWebhookEndpoint" | "updateWebhookEndpoint" | "setWebhookEndpointStatus"
> {
  return {
    /** GET /v1/webhook-endpoints/{id} */
    getWebhookEndpoint: async ({ path }, caller) => {
      const endpoint = await webhookEndpoints.get(caller, path.id);
      return { status: 200, body: publishedEndpoint(endpoint) };
    },

    /** PUT /v1/webhook-endpoints/{id} */
    updateWebhookEndpoint: (request, caller) => {
      const { path, body } = request;
      const command = { id: path.id, url: body.url, eventTypes: body.event_types };
      const call = { idempotency, operationId: "updateWebhookEndpoint", request, caller };
      return idempotent(call, (finish) =>
        webhookEndpoints.update(caller, command, (endpoint) =>
          finish({ status: 200, body: publishedEndpoint(endpoint) }),
        ),
      );
    },

    /** POST /v1/webhook-endpoints/{id}/status */
    setWebhookEndpointStatus: (request, caller) => {
      const command = { id: request.path.id, active: request.body.active };
      const call = { idempotency, operationId: "setWebhookEndpointStatus", request, caller };
      return idempotent(call, (finish) =>
        webhookEndpoints.setStatus(caller, command, (endpoint) =>
          finish({ status: 200, body: publishedEndpoint(endpoint) }),
        ),
      );
    },
  };
}

/** Their answers show a secret. */
function buildWithSecret({
  webhookEndpoints,
  idempotency,
}: Pick<Services, "webhookEndpoints" | "idempotency">): Pick<
  WebhookEndpointHandlers,
  "registerWebhookEndpoint" | "rotateWebhookEndpointSecret"
> {
  const isSecret = true;
  return {
    /** POST /v1/webhook-endpoints */
    registerWebhookEndpoint: (request, caller) => {
      const { url, event_types: eventTypes } = request.body;
      const command = { url, eventTypes };
      const call = {
        idempotency,
        operationId: "registerWebhookEndpoint",
        isSecret,
        request,
        caller,
      };
      return idempotent(call, (finish) =>
        webhookEndpoints.register(caller, command, ({ id, secret, eventTypes }) =>
          finish({
            status: 201,
            headers: { Location: `/v1/webhook-endpoints/${id}` },
            body: { id, secret, event_types: [...eventTypes] },
          }),
        ),
      );
    },

    /** POST /v1/webhook-endpoints/{id}/rotate-secret */
    rotateWebhookEndpointSecret: (request, caller) => {
      const operationId = "rotateWebhookEndpointSecret";
      const call = { idempotency, operationId, isSecret, request, caller };
      return idempotent(call, (finish) =>
        webhookEndpoints.rotateSecret(caller, request.path.id, ({ id, secret }) =>
          finish({ status: 200, body: { id, secret } }),
        ),
      );
    },
  };
}
