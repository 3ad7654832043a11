// The handlers of the operations tagged "withdrawals".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** POST /v1/withdrawals */
export const requestWithdrawal: AllHandlers["requestWithdrawal"] = () => {
  throw new NotImplementedError("requestWithdrawal");
};

/** POST /v1/withdrawals/{id}/cancel */
export const cancelWithdrawal: AllHandlers["cancelWithdrawal"] = () => {
  throw new NotImplementedError("cancelWithdrawal");
};
