// The handlers of the operations tagged "payments".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** POST /v1/payments */
export const createPayment: AllHandlers["createPayment"] = () => {
  throw new NotImplementedError("createPayment");
};

/** POST /v1/payments/{id}/cancel */
export const cancelPayment: AllHandlers["cancelPayment"] = () => {
  throw new NotImplementedError("cancelPayment");
};
