// The handlers of the operations tagged "subscriptions".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** POST /v1/subscriptions/{id}/cancel */
export const cancelSubscription: AllHandlers["cancelSubscription"] = () => {
  throw new NotImplementedError("cancelSubscription");
};
