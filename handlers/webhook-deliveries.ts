// The handlers of the operations tagged "webhook-deliveries".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** GET /v1/webhook-deliveries */
export const listWebhookDeliveries: AllHandlers["listWebhookDeliveries"] = () => {
  throw new NotImplementedError("listWebhookDeliveries");
};
