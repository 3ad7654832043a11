// The handlers of the operations tagged "withdraw-addresses".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** POST /v1/withdraw-addresses */
export const registerWithdrawAddress: AllHandlers["registerWithdrawAddress"] = () => {
  throw new NotImplementedError("registerWithdrawAddress");
};
