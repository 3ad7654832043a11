// The handlers of the operations tagged "x402".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** POST /v1/x402/{payment_id}/usage */
export const reportX402Usage: AllHandlers["reportX402Usage"] = () => {
  throw new NotImplementedError("reportX402Usage");
};

/** POST /v1/x402/settle */
export const settleX402Payment: AllHandlers["settleX402Payment"] = () => {
  throw new NotImplementedError("settleX402Payment");
};
