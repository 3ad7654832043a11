// The handlers of the operations tagged "subscriptions".

import { publishedSubscription } from "../service/subscriptions/model.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { idempotent } from "./idempotent.ts";

export function buildSubscriptionHandlers({
  subscriptions,
  idempotency,
}: Pick<Services, "subscriptions" | "idempotency">): Pick<AllHandlers, "cancelSubscription"> {
  return {
    /** POST /v1/subscriptions/{id}/cancel */
    cancelSubscription: (request, caller) => {
      const call = { idempotency, operationId: "cancelSubscription", request, caller };
      return idempotent(call, (finish) =>
        subscriptions.cancel(caller, request.path.id, (subscription) =>
          finish({ status: 200, body: publishedSubscription(subscription) }),
        ),
      );
    },
  };
}
