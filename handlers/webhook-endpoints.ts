// The handlers of the operations tagged "webhook-endpoints".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** POST /v1/webhook-endpoints */
export const registerWebhookEndpoint: AllHandlers["registerWebhookEndpoint"] = () => {
  throw new NotImplementedError("registerWebhookEndpoint");
};

/** GET /v1/webhook-endpoints/{id} */
export const getWebhookEndpoint: AllHandlers["getWebhookEndpoint"] = () => {
  throw new NotImplementedError("getWebhookEndpoint");
};

/** PUT /v1/webhook-endpoints/{id} */
export const updateWebhookEndpoint: AllHandlers["updateWebhookEndpoint"] = () => {
  throw new NotImplementedError("updateWebhookEndpoint");
};

/** POST /v1/webhook-endpoints/{id}/status */
export const setWebhookEndpointStatus: AllHandlers["setWebhookEndpointStatus"] = () => {
  throw new NotImplementedError("setWebhookEndpointStatus");
};

/** POST /v1/webhook-endpoints/{id}/rotate-secret */
export const rotateWebhookEndpointSecret: AllHandlers["rotateWebhookEndpointSecret"] = () => {
  throw new NotImplementedError("rotateWebhookEndpointSecret");
};
