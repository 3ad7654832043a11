// The handlers of the operations tagged "webhook-deliveries".

import type { Services } from "./services.ts";
import type { AllHandlers } from "./caller.ts";

export function buildWebhookDeliveryHandlers({
  webhookDeliveries,
}: Pick<Services, "webhookDeliveries">): Pick<AllHandlers, "listWebhookDeliveries"> {
  return {
    /** GET /v1/webhook-deliveries */
    listWebhookDeliveries: async (_request, caller) => {
      const deliveries = await webhookDeliveries.listNewest(caller);
      return {
        status: 200,
        body: {
          deliveries: deliveries.map(({ id, eventType, status, attempts, createdAt }) => ({
            id,
            event_type: eventType,
            status,
            attempts,
            created_at: createdAt.toISOString(),
          })),
        },
      };
    },
  };
}
